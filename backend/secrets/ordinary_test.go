package secrets

import (
	"strings"
	"testing"
)

// Sentences about credentials, and other text with trigger words or numbers,
// without a credential in it: one a line.
const ordinaryEnglish = `
I forgot my password again, third time this week
can you remind me where the password is?
the password is in the vault
the password is on the sticky note
the password is stored in 1Password
the password is not the problem, the server is
the password is too short, must be 12 characters
password must be at least 8 characters long
passwords should have 12+ characters and 1 symbol
change the password every 90 days
password rotation: every 90 days
password policy: minimum 12 characters
never put passwords in chat
don't send passwords to clients
password reset link expires in 24 hours
password reset: see ticket 4821
the password field is broken on iOS17
my password manager is Bitwarden 2024
use a different password for each of the 12 accounts
password attempts: 3
password is case sensitive
password: (leave empty)
password hint: name of first pet
wifi password is on the back of the router
the wifi password is the same as last year
is the wifi password still the same?
PIN the post from 2024
pin: 3 posts max
pin my location 31.2304
pinned 3 items
the pin on the map is wrong
please pin version 2.4.1
PIN is locked after 3 attempts
token usage: 12000 in, 400 out
the token budget is 8000 per day
8000 tokens is the limit
each token costs 0.002
token price went up 20% to 3.5
prompt tokens 1204 completion tokens 88
tokens per second: 42.5
this used 1500 tokens
max_tokens: 4096
token count 12345678
the api key is expired
the api key is missing
api keys are per project
store the API key in the keychain
rotate API keys every 30 days
API key limit: 5 per account
the key to success is 10000 hours
key: value
primary key: id
press key F12 then F5
key results: 3 of 5 done
the secret to good coffee is 94C water
secret ingredient: cinnamon
my secret is that I hate mondays
secret menu at number 42
Basic plan is 20 a month
basic authentication is fine
bearer tokens are fine
cookie policy 2024
cookie recipe: 200g flour
cookies are baked at 180
zip code 94103-1234
the code is 404
error code: 500123
status code 200
promo code SAVE20 gives 20% off
discount code: TIDE20
country code +86
area code 0571
code review at 14:00
exit code 137
QR code 3 on page 12
source code is 4000 lines
verification code never arrived
didn't get the verification code after 10 minutes
verification code expires in 5 minutes
OTP never arrives on my phone
the access code changed, ask Maria
door code is broken again
ticket #4821 order 10023 invoice 2024-0312
order number 20240312004821
tracking number 1Z999AA10123456784
my phone is 13800138000
call 400-820-8820
account number ending 4821
my account id is 839201
the flight is CA1234 at 09:30, confirmation needed
booking reference ABC123
room 4921, floor 49
meeting id 839 201 4821
zoom meeting 839-201-48211
commit 3f2a91c fixes the password form
see 7ecc52ca-06be-4235-9a18-114dd3219a5f
sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855
model claude-sonnet-4-6 costs more than gpt-4o-mini
use claude-opus-4-20250514 for the API key page
login page is slow
login at 9:30
user login: 42 today
the safe combination is unknown
seed phrase should be written on paper and stored in two different places far away
the password is sent to your email
password is required field 3
enter your PIN at the terminal 2
i never share my password with anyone
my daughter's password is her problem
passwords are for 3 people only
I keep one password for 20 sites lol
write the password down on paper
our passcode policy changed in 2023
secret Santa budget is 200
jwt expires after 3600 seconds
Authorization: required for all endpoints
authorization code flow takes 3 steps
set the cookie to expire in 7 days
access token lifetime: 3600
refresh token lasts 30 days
the bot token goes in config.json
bot token is in .env
private key is kept offline
private key 2 of 3 is in the safe
mail bob@example.com about the password
ratio 4:3, 16:9
2024-03-12 09:30:00 password changed by bob
label: Password
the password is wrong
the password is wrong!
my password is broken!! again
the wifi password is 1Password!
what is the wifi password?
token limit is 4000
tokens: 3200
reset my password please
the token count is 8000
API key rotation every 90 days
the password is 8 characters long
password: required
Password: please enter your password
token is expired
the key is consistency
my secret is patience
pin the message to the top
GPIO pin 13 is high
error code 4040
exit code: 1234
zip code 94103
apiKey: process.env.OPENAI_API_KEY
commit 3f2a91c0d1e2f3a4b5c6d7e8f9a0b1c2d3e4f5a6
id 550e8400-e29b-41d4-a716-446655440000
call me at +86 138 0013 8000 or 13800138000
1772442000000 ms
discord id 123456789012345678
claude-sonnet-4-6 and gpt-4o-mini-2024-07-18
2026-03-02T09:00:00Z
/home/user/task-list-with-words-and-sk-things/file_1.txt
the password was changed 2 days ago
password last changed 2024-01-02
SSH key: ~/.ssh/id_ed25519
PASS: TestParse
bearer of bad news 2024
Authorization: Bearer $TOKEN
session key agent:main:main
sessionKey: agent:main:main
the "password" field is required
Secret Santa 2024
the token is 4000 tokens long
input token: 12045
total token count: 12045
key: 550e8400-e29b-41d4-a716-446655440000
monkey: 3 donkeys
turkey 2024
the secret: always use salt
password protected zip2024
2019 2020 2021 2022
1024 2048 4096 8192
card ending in 4242
the password is not working
my password is too short
password is encrypted with AES-256
the password is hashed with sha256
`

// The same in Chinese, Japanese and Korean.
const ordinaryClose = `
QQ号 123456789
密码错了三次
密码太简单了，换一个12位的
密码是多少来着
密码是不是过期了
密码又忘了，烦死了
密码我放在保险柜里了
密码不要发群里
密码每90天换一次
密码要8位以上，带大小写
密码长度 12
密码强度：高
密码错误，还剩 2 次机会
密码错误次数：5
密码本在抽屉里
密码锁坏了，200块修的
密码保护功能 2.0
密码学课在周三 14:00
忘记密码点这里
修改密码要等24小时
改密码的事 3 月再说
别把密码写进代码
wifi密码贴在冰箱上
wifi密码跟以前一样
验证码没收到
验证码60秒后重发
验证码有效期 5 分钟
验证码要等多久
验证码是发到我手机上的
输入验证码就行
图形验证码识别不了
这个 token 太贵了，一天 30 块
token 用量 12000
每天 token 上限 8000
token 单价 0.002 元
一次对话大概 3000 token
API key 过期了
api key 还没申请
密钥轮换每 30 天
密钥管理放到下个版本 v2.1
密钥长度 2048
口令红包抢了 8.88
口令太长记不住
令牌桶算法限流 100 qps
订单号 2024031200482100
快递单号 SF1234567890123
身份证要带上
身份证复印件 2 份
银行卡丢了，尾号 4821
卡号后四位 4821
手机号 13800138000
工单 4821 已经关了
会议号 839 201 4821
航班 CA1234 9 点起飞
门禁卡丢了，补办 50 元
取件码去驿站看
编号 4111
PIN 脚 13 接地
pin 脚定义 2024 版
把这条消息pin一下
パスワードは忘れました
パスワードは8文字以上
パスワードを変更してください
暗証番号は4桁です
認証コードが届かない
トークンは1日8000まで
비밀번호는 8자리 이상
비밀번호를 바꿔 주세요
인증번호가 안 와요
토큰 한도는 8000
password → ask Maria
密码是什么
密码忘了
密码管理器是1Password
PIN 码输错三次会锁
密码：请输入
密码至少8位
密码是8位以上的
密码已经用了3年
密码：见附件
密码是我生日
口令红包
验证码收不到
验证码错误
验证码10分钟内有效
パスワードを忘れました
비밀번호를 잊어버렸어요
`

// The same in programs, settings and addresses.
const ordinaryCode = `
API key -> see the settings page
token = 1 word roughly
the secret = consistency
see https://example.com/reset-password?step=2
https://example.com/tokens/1234
https://docs.example.com/api-keys#create
docs: http://localhost:8080/token
"type": "password", "placeholder": "Password"
<label for="pw">Password</label>
if token == nil { return err }
token := lexer.Next()
for _, token := range tokens {
func Token(key string) string {
export default { password: PropTypes.string }
SELECT password FROM users WHERE id = 42
password VARCHAR(255) NOT NULL
--password-file /run/secret
PASSWORD_MIN_LENGTH=12
TOKEN_LIMIT=4000
tokenizer = AutoTokenizer.from_pretrained("bert-base-uncased")
key = hash(item)
api_key = settings.API_KEY
password = input("Password: ")
pin numpy==1.26.4 please
"password": {"type": "string"}
password: string;
const token = await getToken();
password = os.environ["DB_PASSWORD"]
token=${TOKEN}
if (password === input) {
<input type="password" name="password">
"maxTokens": 4096, "keepRecentTokens": 20000
--- PASS: TestSecretKey (0.00s)
cookie: chocolate chip = the best
Authorization: Bearer <token>
postgres://user:${PASS}@host/db
http://localhost:3000/@fs/x
https://example.com:8080/a@b
token => token.value
`

func TestMaskLeavesOrdinaryText(t *testing.T) {
	for _, list := range []string{ordinaryEnglish, ordinaryClose, ordinaryCode} {
		for _, line := range strings.Split(strings.TrimSpace(list), "\n") {
			untouched(t, line)
			untouched(t, "- "+line+"\n")
			untouched(t, "嗯，"+line+"。")
			untouched(t, "> "+line+" (see above)")
		}
		untouched(t, list)
	}
}

// Numbers, names and runs of characters that identify something.
func TestMaskLeavesIdentifiers(t *testing.T) {
	hexes := strings.Repeat("3f2a91c0d1", 4)
	for _, text := range []string{
		"commit " + hexes,
		"fixed in 3f2a91c and 9b8c7d6",
		"sha256:" + strings.Repeat("0123456789abcdef", 4),
		"7ecc52ca-06be-4235-9a18-114dd3219a5f",
		"12345678-1234-1234-1234-123456789012",
		"task-list-with-words", "desk-plan-2024-01-02", "risk-assessment-form-1234567",
		"claude-sonnet-4-6", "claude-opus-4-20250514", "gpt-4o-mini-2024-07-18", "anthropic/claude-3.5-haiku", "qwen2.5:7b-instruct-q4_K_M",
		"192.168.10.254:18789", "2001:db8::ff00:42:8329", "10.0.0.1",
		"+86 138 0013 8000", "13800138000", "400-820-8820", "+1 (415) 555-0132", "0086-138-0013-8000",
		"bob.smith+tag@example.com", "bob@example.co.uk",
		"/home/user/.ssh/id_ed25519", "~/secrets/token.txt", `C:\Users\bob\password.txt`, "./api-keys/prod.json",
		"2026-03-02T09:00:00Z", "2026-03-02 09:00:00.123", "1772442000000", "1772442000000000000", "09:30:00",
		"v1.2.3-beta.4+build.5", "1.2.3.4", "3.14159265358979323846",
		"order 2024031200482100", "订单号 " + withLuhn("453912039485760"), "ticket #" + withLuhn("453912039485760"), "tracking no. " + withLuhn("622202123456789"),
		"agent:main:telegram:123456789", "-1001234567890", "msg_0123456789", "call_abcdefghijklmnop",
		"data:image/png;base64," + base64Run[:4096],
		base64Run[:1000] + "==",
	} {
		untouched(t, text)
		untouched(t, "see "+text+" there")
	}
}

// What only stands for a credential tells nothing.
func TestMaskLeavesPlaceholders(t *testing.T) {
	for _, value := range []string{
		"<your-password>", "<password>", "${DB_PASSWORD}", "$DB_PASSWORD", "$(pass show db)", "{{ vault.password }}", "%s", "%PASSWORD%",
		"********", "••••••", "xxxxxxxx", "...", "null", "none", "undefined", "true", "your_password_here", "your-api-key", "[REDACTED]",
		"REDACTED", "<redacted>", "n/a",
	} {
		untouched(t, "password: "+value)
		untouched(t, "api_key="+value)
		untouched(t, `{"token": "`+value+`"}`)
		untouched(t, "postgres://user:"+value+"@host/db")
		untouched(t, "密码："+value)
		untouched(t, "Authorization: Bearer "+value)
	}
}
