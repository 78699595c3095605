package secrets

import (
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"
)

// The promises of the package, in the words in which they were asked for.
func TestMaskPromises(t *testing.T) {
	for _, text := range []string{
		"the password is wrong", "密码是什么", "密码忘了", "what is the wifi password?", "token limit is 4000", "tokens: 3200", "reset my password please",
		"密码管理器是1Password", "the token count is 8000", "API key rotation every 90 days", "PIN 码输错三次会锁",
	} {
		untouched(t, text)
	}
	for _, s := range []spoken{
		say(markPassword, "验证码 {}", digits6),
		say(markPassword, "你的验证码是 {}，5分钟内有效", digits6),
		say(markPassword, "the pin is {}", digits4),
		say(markPassword, "door code {}", digits4+"#"),
		say(markPassword, "银行卡密码 {}", fake("123", "456")),
		say(markPassword, "我的wifi密码是 {}", simple),
		say(markPassword, "pwd={}", fake("hello", "123")),
		say(markPassword, `password is "{}"`, "correct horse battery staple"),
	} {
		s.check(t)
	}
}

func TestMaskDoesNotAllocate(t *testing.T) {
	for _, text := range []string{"", "a", "the password is wrong", plainEnglish[:4096], plainChinese[:4097], plainLog[:4096], "密码忘了", "[masked: token]"} {
		text := strings.ToValidUTF8(text, "")
		if n := testing.AllocsPerRun(20, func() { Mask(text) }); n != 0 {
			t.Errorf("Mask of %.40q allocates %v times", text, n)
		}
		if got := Mask(text); got != text {
			t.Errorf("Mask(%.40q) = %.40q", text, got)
		}
	}
	if n := testing.AllocsPerRun(20, func() { SecretKey("gatewayAuthToken") }); n != 0 {
		t.Errorf("SecretKey allocates %v times", n)
	}
}

func TestMaskCountCounts(t *testing.T) {
	one := "pwd=" + simple
	for n := range 20 {
		text := strings.Repeat(one+" and then\n", n)
		got, count := MaskCount(text)
		if count != n || strings.Count(got, markHead) != n {
			t.Errorf("%d credentials: counted %d in %q", n, count, got)
		}
	}
	if _, n := MaskCount(Mask(one)); n != 0 {
		t.Errorf("a mark is counted again: %d", n)
	}
}

// pieces are what random texts are made of: words that wake rules, what joins,
// values, and ordinary text.
var pieces = []string{
	"password", "密码", "pin", "token", "api key", "secret", "验证码", "code", "key", "Authorization", "Cookie", "login", "パスワード", "비밀번호", "cvv", "卡号",
	"is", "是", ":", "：", "=", "->", "改成", " ", " ", " ", "\n", "\"", "'", "`", "“", "”", "(", ")", "（", "）", "**", "`", ",", "，", ".", "。", "!", "/", "\\", "\\n", "|", "<", ">",
	"abc12345", "483920", "4921#", "hunter2", "Example", "the", "your", "我的", "for", "to", "from", "now", "not", "x", "1", "é", "😵", "\xff", "\x00", "&", ";", "@", "://", "a:b@c",
	"[masked: password]", "[masked: ", "]", "[masked: card number]", "----", "-----BEGIN", " PRIVATE KEY-----", "eyJ", "sk-", "Bearer ", "Basic ", "curl -u ", inGroups(withLuhn("453912039485760"), " ", 4, 4, 4, 4), withCheck(fake("110105", "19491231", "002")),
}

func randomText(r *rand.Rand) string {
	var b strings.Builder
	for range r.IntN(24) {
		b.WriteString(pieces[r.IntN(len(pieces))])
		if r.IntN(3) == 0 {
			b.WriteByte(' ')
		}
	}
	return b.String()
}

// checkPromises checks what holds for every text.
func checkPromises(t *testing.T, text string) {
	t.Helper()
	got, n := MaskCount(text)
	switch again, more := MaskCount(got); {
	case again != got || more != 0:
		t.Fatalf("masking again changes the text\n   in %q\nfirst %q\n then %q", text, got, again)
	case utf8.ValidString(text) && !utf8.ValidString(got):
		t.Fatalf("UTF-8 is cut\n in %q\nout %q", text, got)
	case n == 0 && got != text:
		t.Fatalf("nothing is counted, but %q becomes %q", text, got)
	case n > 0 && got == text:
		t.Fatalf("%d marks are counted, but %q stays", n, text)
	case strings.Count(got, markHead) > strings.Count(text, markHead)+n:
		t.Fatalf("%d marks are counted, more are in %q", n, got)
	}
	checkKept(t, text, got)
	const before = "早上好。\n\n"
	if with := Mask(before + text); with != before+got {
		t.Fatalf("what stands on lines before changes the result\n   in %q\nalone %q\n with %q", text, got, with)
	}
}

// checkKept checks that what is no mark in the masked text stands in the text
// in the same order: nothing is added, moved or written anew.
func checkKept(t *testing.T, text, got string) {
	t.Helper()
	rest := text
	for len(got) > 0 {
		next := len(got)
		end := 0
		for at := range len(got) {
			if end = markAt(got, at); end > 0 {
				next = at
				break
			}
		}
		at := strings.Index(rest, got[:next])
		if at < 0 {
			t.Fatalf("%q of the masked text does not stand in %q", got[:next], text)
		}
		rest = rest[at+next:]
		got = got[max(next, end):]
	}
}

func TestMaskPromisesOnRandomTexts(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for range 5000 {
		checkPromises(t, randomText(r))
	}
}

// A value with digits and letters, announced in any of many ways, is never left
// in the text.
func TestMaskNeverLeaks(t *testing.T) {
	announcements := []string{
		"password: %", "password is %", "my password is %.", "password=%", "pwd: %", "the wifi password is now %", "密码是%", "密码：%", "密码改成 % 了", "我的密码 %，记一下",
		"密碼是 % 喔", "パスワードは%です", "비밀번호는 %", "api key: %", "API_KEY=%", "token: %", "secret is %", "client_secret=%", "access token = %", "密钥：%", "令牌是 %",
		`{"password":"%"}`, `{\"token\":\"%\"}`, "**Password:** `%`", "export DB_PASSWORD='%'", "--password %", "Authorization: Bearer %", "https://u:%@h/",
		"https://h/?access_token=%&x=1", "<password>%</password>", "passcode for the door: %", "secret key is: %", "PASSWORD -> %", "密码（旧）：%",
	}
	r := rand.New(rand.NewPCG(9, 10))
	const alphabet = "abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789"
	for range 5000 {
		value := make([]byte, 8+r.IntN(40))
		for i := range value {
			value[i] = alphabet[r.IntN(len(alphabet))]
		}
		value[2+r.IntN(3)], value[5+r.IntN(3)] = 'Q', '7' // a capital and a digit at least
		value[0], value[1] = 'z', '8'
		text := strings.Replace(announcements[r.IntN(len(announcements))], "%", string(value), 1)
		if got := Mask(text); strings.Contains(got, string(value)) || !strings.Contains(got, markHead) {
			t.Fatalf("Mask(%q) = %q", text, got)
		}
	}
}

// Texts that repeat what wakes a rule take time in proportion to their length:
// this test ends soon, or a rule looks too far.
func TestMaskRepetitions(t *testing.T) {
	const size = 1 << 12
	for _, piece := range append([]string{
		"password=", "pin=", "key=", "cookie:", "eyJ.", "glc_a/", "sk-", "://a:", "1 ", "11 11 ", "123 ", "1234-", "password for ", "password \"", "password, it's ",
		"1111 1111 1111 1111 ", "curl -u a:", "login: a / ", "[masked: ", "密码，是", "-----BEGIN PRIVATE KEY-----", "password (", "of of password of of of ",
	}, pieces...) {
		text := strings.Repeat(piece, size/len(piece))
		got := Mask(text)
		if again := Mask(got); again != got {
			t.Errorf("repeating %q: masking again changes the text", piece)
		}
	}
}

func TestMaskConcurrently(t *testing.T) {
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for range 200 {
				if got := Mask("密码是" + simple); got != "密码是[masked: password]" {
					t.Errorf("got %q", got)
				}
			}
		})
	}
	group.Wait()
}
