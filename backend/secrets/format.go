package secrets

import (
	"bytes"
	"encoding/base64"
	"strings"
	"unicode/utf8"
)

// format is a published shape of a token: a prefix, then min to max bytes of a
// set. max 0 means without an end.
type format struct {
	prefix   string
	set      uint8
	min, max int
	digits   int // at least so many of them; tells a key from words
	mark     mark
}

// format masks the token of format f that begins at text[at].
func (m *masker) format(f *format, at int) int {
	if !strings.HasPrefix(m.text[at:], f.prefix) || !opens(m.text, at) {
		return 0
	}
	if at > 0 && (m.text[at-1] == '/' || m.text[at-1] == '+') && run(f.prefix, 0, isAlnum, len(f.prefix)) == len(f.prefix) {
		return 0 // inside of base64
	}
	from := at + len(f.prefix)
	limit := longestToken
	if f.max > 0 {
		limit = f.max + 1
	}
	end := trimToken(m.text, from, run(m.text, from, f.set, limit))
	n := end - from
	if n < f.min || f.max > 0 && n > f.max || !hasDigits(m.text[from:end], f.digits) {
		return 0
	}
	if f.max == 0 {
		end = trimToken(m.text, from, run(m.text, end, f.set, len(m.text)))
	}
	m.mask(at, end, f.mark)
	return end
}

// longestToken bounds what is judged of a token, so that text which is made of
// prefixes is not read again and again. What is masked goes on to its end.
const longestToken = 1024

// trimToken takes the punctuation of a sentence off the end of a token.
func trimToken(text string, from, end int) int {
	for end > from && is(text[end-1], isDot|isDash) {
		end--
	}
	return end
}

func hasDigits(text string, n int) bool {
	for i := 0; n > 0 && i < len(text); i++ {
		if is(text[i], isDigit) {
			n--
		}
	}
	return n <= 0
}

// jwt masks a JSON web token, signed or encrypted: base64url parts joined by
// dots, the first of which begins with {" and is followed by others.
func (m *masker) jwt(at int) int {
	const least = 8 // {"a":0} and its like: nothing shorter is a part
	if !opens(m.text, at) {
		return 0
	}
	first := run(m.text, at, isName, len(m.text))
	if first-at < least {
		return 0
	}
	end := first
	for byteAt(m.text, end) == '.' {
		next := end + 1
		if byteAt(m.text, next) == '.' {
			next++ // an encrypted token may leave its second part empty
		}
		if !isAt(m.text, next, isName) {
			break
		}
		end = run(m.text, next, isName, len(m.text))
	}
	if end-first <= least {
		return first
	}
	m.mask(at, end, markToken)
	return end
}

// discord masks the token of a Discord bot: its number in base64, six
// characters of time, and a signature.
func (m *masker) discord(at int) int {
	if !opens(m.text, at) {
		return 0
	}
	first := run(m.text, at, isAlnum, 29)
	if first-at < 23 || first-at > 28 || byteAt(m.text, first) != '.' {
		return 0
	}
	second := run(m.text, first+1, isName, 8)
	if n := second - first - 1; n < 5 || n > 7 || byteAt(m.text, second) != '.' {
		return 0
	}
	end := run(m.text, second+1, isName, 80)
	if end-second-1 < 27 {
		return 0
	}
	m.mask(at, end, markToken)
	return end
}

// azure masks a client secret of Microsoft's directory, which is recognised by
// the digit, Q and ~ after its first three characters.
func (m *masker) azure(at int) int {
	const set = isName | isDot | isTilde
	if at < 0 || at > 0 && is(m.text[at-1], set) {
		return 0
	}
	if run(m.text, at, set, 3) != at+3 {
		return 0
	}
	end := run(m.text, at, set, 48)
	if n := end - at; n < 34 || n > 44 {
		return 0
	}
	end = trimToken(m.text, at, end)
	m.mask(at, end, markToken)
	return end
}

// bearerSet is what RFC 6750 lets a bearer token consist of.
const bearerSet = isName | isDot | isBase | isTilde

// bearer masks the token after the word "Bearer".
func (m *masker) bearer(at int) int {
	if !hasFold(m.text, at, "bearer") || at > 0 && is(m.text[at-1], isName) && !escaped(m.text, at-1) {
		return 0
	}
	from := skipSpace(m.text, at+len("bearer"))
	if from == at+len("bearer") {
		return 0
	}
	end := trimToken(m.text, from, run(m.text, from, bearerSet, len(m.text)))
	// Fewer than 12 bytes, or words alone, are prose: "bearer of bad news".
	if end-from < 12 || !hasDigits(m.text[from:end], 1) || slug(m.text[from:end]) {
		return 0
	}
	m.mask(from, end, markToken)
	return end
}

// basic masks what follows the word "Basic" if it is base64 of user:password.
func (m *masker) basic(at int) int {
	if !hasFold(m.text, at, "basic") || at > 0 && is(m.text[at-1], isName) {
		return 0
	}
	from := skipSpace(m.text, at+len("basic"))
	end := run(m.text, from, isAlnum|isBase, 2048)
	if from == at+len("basic") || end-from < 4 {
		return 0
	}
	plain, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(m.text[from:end], "="))
	if err != nil || !utf8.Valid(plain) || bytes.IndexByte(plain, ':') < 0 {
		return 0
	}
	for _, c := range plain {
		if c < ' ' {
			return 0
		}
	}
	m.mask(from, end, markPassword)
	return end
}
