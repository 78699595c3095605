package secrets

import "testing"

// Values that stand for what people write. None is anyone's.
var (
	digits6 = fake("483", "920")
	digits4 = fake("49", "21")
	mixed   = fake("tide", "-", "Gate", "42")
	simple  = fake("abc", "12345")
	opaque  = fake("EXAMPLE", "9f8e", "7d6c", "5b4a")
)

func TestMaskEnglishPasswords(t *testing.T) {
	for _, s := range []spoken{
		say(markPassword, "my password is {}", simple),
		say(markPassword, "password: {} go", fake("Example", "-Not-Real-", "9")),
		say(markPassword, "Password - {}", simple),
		say(markPassword, "pwd={}", fake("hello", "123")),
		say(markPassword, "pwd: {}", fake("p@$$", "w0rd!")),
		say(markPassword, "passwd={}&user=bob", simple),
		say(markPassword, "DB_PASSWORD={}", fake("sun", "flower")),
		say(markPassword, "dbPassword: {}", simple),
		say(markPassword, "the wifi password is {}.", mixed),
		say(markPassword, "Wi-Fi password (guest): {}", mixed),
		say(markPassword, "wifi password at home: {}", mixed),
		say(markPassword, "wifi password for guests = {}", mixed),
		say(markPassword, "the password for the staging server is {}", simple),
		say(markPassword, "the password for bob@example.com is {}", simple),
		say(markPassword, "the passcode to the lab is {}", digits4),
		say(markPassword, `password is "{}"`, "correct horse battery staple"),
		say(markPassword, "password '{}'", mixed),
		say(markPassword, "the password's \"{}\"", "tidepool"),
		say(markPassword, "my password's {}", simple),
		say(markPassword, "the password is {}", "swordfish"),
		say(markPassword, "the password is {}, don't tell", "swordfish"),
		say(markPassword, "the password is {} don't tell", "swordfish!"),
		say(markPassword, "password: {}", "Sunflower!"),
		say(markPassword, "password: {} thanks", "sunflower"),
		say(markPassword, "the password is {} please use it", fake("Example", "-Not", "-Real")),
		say(markPassword, "the password is {}", "blue whale 7"),
		say(markPassword, "password \"{}\"", "blue whale 7"),
		say(markPassword, "passphrase: {}", "orange tiger cloud river"),
		say(markPassword, "I changed my password to {} yesterday", simple),
		say(markPassword, "change my password from {} to {}", simple, mixed),
		say(markPassword, "i changed the wifi password, it's {} now", mixed),
		say(markPassword, "my password used to be {}, now it's {}", simple, mixed),
		say(markPassword, "password → {}", mixed),
		say(markPassword, "password {} -> {}", simple, mixed),
		say(markPassword, "wifi password {}", mixed),
		say(markPassword, "password {}", fake("hunter", "22")),
		say(markPassword, "the wifi pw is {}", simple),
		say(markPassword, "pw: {}", "fishandchips"),
		say(markPassword, "DB pass: {}", fake("not-real-", "77")),
		say(markPassword, "username bob password {}", "hunter"),
		say(markPassword, "login: admin password: {}", mixed),
		say(markPassword, "user/pass: {}", fake("bob/", "hunter", "22")),
		say(markPassword, "my login is bob@example.com / {}", fake("Fluffy-", "Cat-", "88")),
		say(markPassword, "passwords are {} and {}", fake("abc", "123"), fake("def", "456")),
		say(markPassword, "{} is the wifi password", fake("tide", "9", "9", "9")),
		say(markPassword, "mysql --user root --password {} db", "hunter"),
		say(markPassword, "sshpass --password={} ssh host", simple),
		say(markPassword, "- **Password:** {}", simple),
		say(markPassword, "**password**: `{}`", simple),
		say(markPassword, "password: **{}**", simple),
		say(markPassword, "| password | {} |", simple),
		say(markPassword, "password:\n{}", simple),
		say(markPassword, "password:\n```\n{}\n```", simple),
		say(markPassword, "<password>{}</password>", simple),
		say(markPassword, `{"user":"bob","password":"{}","n":1}`, simple),
		say(markPassword, `{\"password\":\"{}\",\"user\":\"bob\"}`, simple),
		say(markPassword, `"{\\\"password\\\":\\\"{}\\\"}"`, simple),
		say(markPassword, `log: \npassword: {}\nnext`, simple),
		say(markPassword, "Server=db;User Id=sa;Password={};Timeout=5", mixed),
		say(markPassword, "is the password {}?", simple),
		say(markPassword, "(password: {})", simple),
		say(markPassword, "PASSWORD IS {}", simple),
		say(markPassword, "password is {}", fake("pässw", "örd", "12")),
		say(markPassword, "password is {}", fake("ａｂｃ", "１２３")),
	} {
		s.check(t)
	}
}

func TestMaskCodes(t *testing.T) {
	for _, s := range []spoken{
		say(markPassword, "the pin is {}", digits4),
		say(markPassword, "my pin's {}", digits4),
		say(markPassword, "PIN: {}.", digits4),
		say(markPassword, "PIN number {}", digits4),
		say(markPassword, "pin = {}", digits4),
		say(markPassword, `"pin": "{}"`, digits4),
		say(markPassword, "PIN for the debit card: {}", digits4),
		say(markPassword, "door code {}", fake(digits4, "#")),
		say(markPassword, "gate code {} then push", fake("22", "90", "*")),
		say(markPassword, "btw the alarm code at the studio is {}, don't forget", digits4),
		say(markPassword, "the code for the front door is {}", digits4),
		say(markPassword, "code to the garage: {}", fake(digits4, "#")),
		say(markPassword, "lockbox code is {}", fake("00", "42")),
		say(markPassword, "the safe combination is {}", fake("12-", "34-", "56")),
		say(markPassword, "your verification code is {}", digits6),
		say(markPassword, "Your Example verification code is: {}. Don't share it.", digits6),
		say(markPassword, "{} is your verification code", digits6),
		say(markPassword, "{} is your Example Shop sign-up verification code", digits6),
		say(markPassword, "use {} as the verification code", digits6),
		say(markPassword, "OTP {}", fake("483", " ", "920")),
		say(markPassword, "--otp={}", digits6),
		say(markPassword, "2fa code: {}", digits6),
		say(markPassword, "my 2FA is {}", digits6),
		say(markPassword, "one time passcode {}", digits6),
		say(markPassword, "one-time code is {}", digits6),
		say(markPassword, "CVV {}", fake("1", "23")),
		say(markPassword, "cvc: {}", fake("12", "34")),
		say(markPassword, "the security code on the back is {}", fake("7", "37")),
		say(markPassword, "the recovery code is {}", fake("AB3D-", "99XZ")),
		say(markPassword, "recovery code {}", fake("abcd-", "efgh-", "1234")),
		say(markPassword, "backup codes: {} {} {}", fake("1234-", "5678"), fake("2345-", "6789"), fake("3456-", "7890")),
		say(markPassword, "pairing code {}", fake("77", "88", "99")),
		say(markPassword, "my new pin, it's {}", fake("04", "12")),
	} {
		s.check(t)
	}
}

func TestMaskKeysAndTokens(t *testing.T) {
	for _, s := range []spoken{
		say(markAPIKey, "my API key is {} — and from now on use the cheaper model", fake("sk-", "EXAMPLE-not-real-", "7a7a7a7a7a7a")),
		say(markAPIKey, "api key: {}", opaque),
		say(markAPIKey, "API key {}", opaque),
		say(markAPIKey, "apikey={}", opaque),
		say(markAPIKey, `{"apiKey":"{}"}`, fake("FAKE", "-1234")),
		say(markAPIKey, "X-Api-Key: {}", opaque),
		say(markAPIKey, "export OPENAI_API_KEY={}", opaque),
		say(markAPIKey, "set OPENAI_API_KEY to {}", opaque),
		say(markAPIKey, "my api key is {} ok", fake("EXAMPLE-", "KEY-", "NOT-REAL")),
		say(markAPIKey, "api key: {}", fake("550e8400-", "e29b-41d4-", "a716-446655440000")),
		say(markAPIKey, "AWS_SECRET_ACCESS_KEY={}", chars(isAlnum, 40)),
		say(markAPIKey, "license key {}", fake("AAAA1-", "BBBB2-", "CCCC3")),
		say(markAPIKey, "recovery key: {}", fake("ABCD-", "EFGH-", "1234")),
		say(markAPIKey, "the encryption key for backups is {}", opaque),
		say(markAPIKey, "key={}", fake("AbCd", "Ef01", "23Gh", "4567", "xyzw")),
		say(markPrivateKey, "private key: {}", fake("0x", chars(isLower|isDigit, 64))),
		say(markToken, "here's the token {}", opaque),
		say(markToken, "token: {}", fake("EXAMPLE-", "tok-", "9f8e7d6c5b")),
		say(markToken, "--token={}", opaque),
		say(markToken, "export GITHUB_TOKEN={}", "abcdefghijkl"),
		say(markToken, "the access token is {}", opaque),
		say(markToken, "secret is {}", fake("s3cr3t-", "FAKE-", "42")),
		say(markToken, "client secret: {}", fake("FAKE", "secretVALUE", "123")),
		say(markToken, "my login token is {}", digits6),
		say(markToken, "session token = '{}'", opaque),
		say(markToken, "JWT: {}", opaque),
		say(markPrivateKey, "seed phrase: {}", "apple banana cherry dog eagle forest grape house ivory jacket kite lemon"),
		say(markPrivateKey, "my recovery phrase is {}", "apple banana cherry dog eagle forest grape house ivory jacket kite lemon"),
	} {
		s.check(t)
	}
}

func TestMaskChinese(t *testing.T) {
	for _, s := range []spoken{
		say(markPassword, "密码是{}", simple),
		say(markPassword, "密码是 {} 你先登一下，另外我的 timezone 换成 UTC+2 了", fake("Hunter", "-Example-", "22")),
		say(markPassword, "我的wifi密码是 {}", simple),
		say(markPassword, "WiFi密码{}", simple),
		say(markPassword, "密码：{}，账号：bob", simple),
		say(markPassword, "密码:{}", simple),
		say(markPassword, "密码为{}。", simple),
		say(markPassword, "密码改成{}了", simple),
		say(markPassword, "密码已经换成 {} 了", simple),
		say(markPassword, "密码设为 {}", mixed),
		say(markPassword, "密码从 {} 改成 {}", simple, mixed),
		say(markPassword, "密码 {} -> {}", simple, mixed),
		say(markPassword, "密码还是 {} 没变", simple),
		say(markPassword, "密码给你：{}", simple),
		say(markPassword, "密码就是{}", simple),
		say(markPassword, "root密码改了，新的是 {}", mixed),
		say(markPassword, "密码（访客）{}", simple),
		say(markPassword, "密码（测试环境）：{}", simple),
		say(markPassword, "银行卡密码 {}", fake("123", "456")),
		say(markPassword, "家里大门密码{}", fake("25", "80", "#")),
		say(markPassword, "开机密码：{}", fake("12", "34")),
		say(markPassword, "锁屏密码 {}", fake("9 5", " 2 7")),
		say(markPassword, "密码是“{}”", "芝麻开门"),
		say(markPassword, "密码「{}」", "蓝鲸7号"),
		say(markPassword, "口令：{}", "天王盖地虎"),
		say(markPassword, "密码是{}", "八八六六"),
		say(markPassword, "支付密码是{}", "六个8"),
		say(markPassword, "密码是我生日 {}", fake("1990", "0307")),
		say(markPassword, "密码就是手机号后六位 {}", fake("665", "544")),
		say(markPassword, "账号密码：admin {}", simple),
		say(markPassword, "账号和密码是 {}", fake("admin/", simple)),
		say(markPassword, "用户名 tide 密码 {}，别外传", "wave"),
		say(markPassword, "新密码：{}；旧密码：{}", simple, mixed),
		say(markPassword, "提取码: {}", fake("ab", "12")),
		say(markPassword, "验证码 {}", digits6),
		say(markPassword, "登录验证码 {}，输一下", digits6),
		say(markPassword, "你的验证码是 {}，5分钟内有效", digits6),
		say(markPassword, "【示例】验证码{}，5分钟内有效", digits6),
		say(markPassword, "【示例】{}（登录验证码），请勿泄露", digits6),
		say(markPassword, "{}是您的验证码", digits6),
		say(markPassword, "{} 为您的登录验证码", digits6),
		say(markPassword, "验证码【{}】", digits6),
		say(markPassword, "把验证码 {} 填进去", digits6),
		say(markPassword, "动态码：{}", digits6),
		say(markPassword, "门禁密码是 {} 别告诉别人", fake("88", "12", "#")),
		say(markPassword, "PIN码：{}", digits4),
		say(markPassword, "PIN是{}", digits4),
		say(markPassword, "PIN 码是 {}", digits4),
		say(markAPIKey, "密钥：{}，帮我看看格式对不对", fake("EXAMPLE", "-key-", "0000-1111-2222")),
		say(markAPIKey, "API密钥 {}", fake("abcd-", "1234-", "efgh-", "5678")),
		say(markAPIKey, "api key是{}", opaque),
		say(markAPIKey, "key是{}", fake("AbCd", "Ef01", "23Gh", "4567", "xyzw")),
		say(markToken, "我的 token 是 {}", opaque),
		say(markToken, "令牌：{}", opaque),
		say(markPrivateKey, "私钥是 {}", chars(isLower|isDigit, 64)),
		say(markPrivateKey, "助记词：{}", "apple banana cherry dog eagle forest grape house ivory jacket kite lemon"),
		// traditional
		say(markPassword, "密碼改成 {} 了，記一下", simple),
		say(markPassword, "我的密碼是「{}」，不要外洩", simple),
		say(markPassword, "提款卡密碼 {}", fake("09", "23")),
		say(markPassword, "驗證碼：{}", digits6),
		say(markPassword, "簡訊驗證碼 {} 麻煩輸入", digits6),
		say(markAPIKey, "API 金鑰：{}", opaque),
		say(markIdentity, "身分證字號 {}", fake("A1234", "56789")),
		say(markIdentity, "护照号 {}", fake("E12", "345", "678")),
	} {
		s.check(t)
	}
}

func TestMaskJapaneseAndKorean(t *testing.T) {
	for _, s := range []spoken{
		say(markPassword, "パスワードは {} です", simple),
		say(markPassword, "パスワード：{}", simple),
		say(markPassword, "パスワードは「{}」です", simple),
		say(markPassword, "wifiのパスワードは{}です", mixed),
		say(markPassword, "パスワードを {} に変更した", simple),
		say(markPassword, "暗証番号は{}です", digits4),
		say(markPassword, "認証コードは {} です", digits6),
		say(markAPIKey, "APIキー：{}", opaque),
		say(markToken, "トークンは {}", opaque),
		say(markPassword, "비밀번호는 {} 입니다", simple),
		say(markPassword, "비밀번호: {}", simple),
		say(markPassword, "와이파이 비번 {}", simple),
		say(markPassword, "인증번호 [{}]", digits6),
		say(markPassword, "인증번호는 {}", digits6),
		say(markToken, "토큰은 {} 입니다", opaque),
		say(markAPIKey, "API 키: {}", opaque),
	} {
		s.check(t)
	}
}

// The word before a value stays, and so does what stands around it.
func TestMaskKeepsTheRest(t *testing.T) {
	in := "先登一下：密码是" + simple + "，门禁 " + "door code " + digits4 + "#, then coffee"
	want := "先登一下：密码是[masked: password]，门禁 door code [masked: password], then coffee"
	if got, n := MaskCount(in); got != want || n != 2 {
		t.Errorf("got %q, %d\nwant %q, 2", got, n, want)
	}
}

// What is longer than the part that is judged is masked to its end.
func TestMaskLongValues(t *testing.T) {
	for _, n := range []int{longestBare - 1, longestBare, longestBare + 1, 10 * longestBare, 1 << 16} {
		value := chars(isAlnum, n)
		say(markPassword, "password={}", value).check(t)
		say(markToken, "token: {} end", value).check(t)
		say(markToken, "Authorization: Bearer {}", value).check(t)
		say(markAPIKey, "{}", fake("sk-", value)).check(t)
	}
}
