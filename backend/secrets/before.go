package secrets

import (
	"strings"
	"unicode/utf8"
)

// longestBefore bounds how far before a word its value may stand: enough for
// "483920 is your Example Shop verification code".
const longestBefore = 80

// before masks a value that stands before the word that names it: "483920 is
// your code", 483920是您的验证码, 483920（登录验证码）. Only values with digits
// count.
func (m *masker) before(a announced) int {
	low := min(a.from, max(m.done, a.from-longestBefore))
	text := m.text[low:a.from]
	cut := low > m.done // the first word may be only the end of one
	if line := strings.LastIndexByte(text, '\n'); line >= 0 {
		low += line + 1
		cut = false
		text = m.text[low:a.from]
	}
	end := joinedBefore(text)
	if end <= 0 || (text[end] == '(' || strings.HasPrefix(text[end:], "（")) && a.rule != ruleCode {
		return 0
	}
	to := m.trimBare(low, low+len(strings.TrimRight(text[:end], " ，,")))
	from := to
	for from > low && m.text[from-1] > ' ' && m.text[from-1] < 0x80 && strings.IndexByte("\"'`[(", m.text[from-1]) < 0 {
		from--
	}
	v := value{from: from, to: to, next: to}
	if from == to || from == low && cut || !m.nameable(a, m.text[from:to]) {
		return 0
	}
	if !m.accepts(a, link{bond: bondVerb}, v) {
		return 0
	}
	m.mask(from, to, a.mark)
	return a.to
}

// closeCompounds continue a Chinese word to another one: 密码学, 密码箱.
const closeCompounds = "学學管保箱本锁鎖器库庫强強策"

// nameable says that a value may stand before the word that names it: digits,
// or what is put together if no more is said after the word.
func (m *masker) nameable(a announced, text string) bool {
	switch next, _ := utf8.DecodeRuneInString(m.text[a.to:]); {
	case strings.ContainsRune(closeCompounds, next):
		return false
	case run(text, 0, isDigit|isDash, len(text)) == len(text):
		return hasDigits(text, 3)
	case !m.clauseEnds(a.to):
		return false
	}
	return hasDigits(text, 3) || a.rule == ruleAny && made(text)
}

// made says that a value is put together as no word is: staging!7, tide9912.
func made(text string) bool {
	s := shapeOf(text)
	return s.digits > 0 && s.letters() > 2 && s.other == 0 && (s.odd > 0 || s.n >= 8 && !slug(text))
}

// joinedBefore gives where in text, which ends before a credential word, the
// verb begins that joins a value before it to the word; 0 if none does.
func joinedBefore(text string) int {
	for _, verb := range []string{" is ", " as "} {
		at := strings.LastIndex(text, verb)
		if at > 0 && (owned(text[at+len(verb):]) || verb == " as " && at+len(verb) == len(text)) {
			return at
		}
	}
	for _, name := range []string{"这个", "這個", "作为", "作為", "当", "當", "做", "这串", "這串"} {
		if at := strings.LastIndex(text, name); at > 0 && at+len(name) == len(text) {
			return at // 用 abc123 这个密码
		}
	}
	for _, verb := range []string{"是", "为", "為", "（", "("} {
		at := strings.LastIndex(text, verb)
		if at > 0 && closeOwned(text[at+len(verb):], verb) {
			return at
		}
	}
	return 0
}

// owned says that what stands between "is" and the word only says whose it is:
// "your", "the wifi", "my Example Bank".
func owned(text string) bool {
	first := run(text, 0, isLetter, longestWord)
	if strings.ContainsAny(text, ".?!;,:\n") || strings.Count(text, " ") > 6 {
		return false
	}
	for at := 0; at < len(text); {
		end := run(text, at, isName, len(text))
		if prepositions.has(text[at:end]) {
			return false
		}
		at = end + 1
	}
	return owns.has(text[:first])
}

var owns = words("your", "my", "the", "our", "his", "her", "their", "a")

// closeOwned is owned for Chinese; inside brackets a kind is enough.
func closeOwned(text, verb string) bool {
	if len(text) > 36 || strings.ContainsAny(text, "，。；！？、,.;!?）)") {
		return false
	}
	if verb == "（" || verb == "(" {
		return !strings.ContainsAny(text, "\"'\\$:=")
	}
	if strings.HasSuffix(text, "的") && strings.IndexByte(text, ' ') < 0 {
		return true
	}
	for _, own := range []string{"你", "您", "我", "本次", "此次", "登录", "登入", "他", "她", "wifi", "WiFi", "银行", "家"} {
		if strings.HasPrefix(text, own) {
			return true
		}
	}
	return false
}
