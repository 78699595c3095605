package secrets

import "strings"

// announced is a credential word in the text: what it names and where it is.
type announced struct {
	from, to int
	mark     mark
	rule     rule
	option   bool // --password: what follows is its value
	pair     bool // "account and password": two values may follow
	faint    bool // "pass" alone, which is rarely a password
	share    bool // 提取码: four letters and digits are enough
	spoken   bool // 口令: any words may be one
}

// longestName bounds an identifier with a credential word in it.
const longestName = 64

// head looks at the English word h at text[at]: together with the identifier
// that it is a part of and the words before it, it may name a credential.
func (m *masker) head(h head, at int) int {
	if !hasFold(m.text, at, h.text) {
		return 0
	}
	if h.text == "2fa" && at > 0 && is(m.text[at-1], isAlnum) {
		return 0 // 0x2fa
	}
	from := max(m.done, runBack(m.text, at, isName, longestName))
	if escaped(m.text, from) {
		from++
	}
	to := run(m.text, at, isName, longestName)
	dashes := from
	for from < at && is(m.text[from], isDash|isUnder) {
		from++
	}
	for to > from && is(m.text[to-1], isDash|isUnder) {
		to--
	}
	if from > at || m.text[from:to] == "" {
		return 0
	}
	phrase := max(m.done, m.phrase(from))
	kind, r := keyKind(m.text[phrase:to])
	if kind == markNone {
		kind, r = m.bareKind(from, to)
	}
	if kind == markNone {
		return 0
	}
	a := announced{from: from, to: to, mark: kind, rule: r}
	a.option = from-dashes == 2 && m.text[dashes:from] == "--"
	a.faint = wordless(m.text[from:to]).is("pass")
	return m.announce(a)
}

// phrase gives the beginning of the up to three words before text[from] that
// stand on the same line with single spaces between: "one time" of "one time
// code".
func (m *masker) phrase(from int) int {
	for range 3 {
		if from < 2 || m.text[from-1] != ' ' || !is(m.text[from-2], isName) {
			return from
		}
		from = runBack(m.text, from-1, isName, longestWord)
	}
	return from
}

// bareKind is for words that name a credential only where they stand alone
// before an assignment or in a query: ?key=, &sig=.
func (m *masker) bareKind(from, to int) (mark, rule) {
	name := wordless(m.text[from:to])
	switch {
	case name.is("login"), name.is("logins"), name.is("wifi"):
		return markPassword, rulePair
	case name.is("passport"):
		return markIdentity, ruleIdentity
	case name.is("code") && (m.codeOf(to) || m.codeSent(from, to) || m.codeYours(from, to)), name.is("combination") && m.codeOf(to), name.is("combo") && m.codeOf(to):
		return markPassword, ruleCode
	case name.is("key"):
		return markAPIKey, ruleKey
	case byteAt(m.text, to) != '=':
		return markNone, ruleNone
	case name.is("auth"), name.is("sig"), name.is("pat"), endsFold(m.text, to, "signature"):
		return markToken, ruleKey
	}
	return markNone, ruleNone
}

// codeOf says that "for the door" or its like follows the word that ends before
// text[at].
func (m *masker) codeOf(at int) bool {
	const most = 5 // words: "to the front door of"
	for range most {
		from := skipSpace(m.text, at)
		if from == at {
			return false
		}
		at = run(m.text, from, isLetter, longestWord)
		word := m.text[from:at]
		if places.has(word) {
			return true
		}
		if !prepositions.has(word) && !owns.has(word) && !wordless(word).is("front") && !wordless(word).is("back") {
			return false
		}
	}
	return false
}

// sent are words with which a code came from a machine.
var sent = words("texted", "sms", "emailed", "sent", "otp", "authenticator")

// calls are the words before "code" that do not say what kind it is.
var calls = words("a", "the", "this", "that", "my", "your", "their", "new", "is", "me", "us", "with", "got")

// codeSent says that one of them stands beside the word "code" at
// text[from:to], on the same line: "they texted me a code", "the code from the
// sms".
func (m *masker) codeSent(from, to int) bool {
	const most = 6 // words on either side
	line := strings.TrimRight(m.lineBefore(from), " ")
	if own := runBack(line, len(line), isLetter, longestWord); own < len(line) && !calls.has(line[own:]) {
		return false // "error code"
	}
	end := to
	for n, at := 0, len(line); n < most && at > 0; n++ {
		low := runBack(line, at, isLetter, longestWord)
		if sent.has(line[low:at]) {
			return true
		}
		at = max(0, low-1)
	}
	for n := 0; n < most && end < len(m.text) && m.text[end] != '\n'; n++ {
		low := min(end+1, len(m.text))
		end = run(m.text, low, isLetter, longestWord)
		if sent.has(m.text[low:end]) {
			return true
		}
	}
	return false
}

// codeYours says that the code at text[from:to] is called yours and has as many
// digits as one that a machine sends: "your code is 483920".
func (m *masker) codeYours(from, to int) bool {
	if !endsFold(m.text, from, "your ") {
		return false
	}
	l := m.link(from, to)
	end := run(m.text, l.at, isDigit, 9)
	return l.bond > bondLoose && end >= l.at+6 && end <= l.at+8 || m.clauseEnds(to) // or one that stands before
}

// closeWord looks at a word that is written without spaces around it.
func (m *masker) closeWord(w closeWord, at int) int {
	if at < 0 || !strings.HasPrefix(m.text[at:], w.text) {
		return 0
	}
	a := announced{from: at, to: at + len(w.text), mark: w.mark, rule: w.rule}
	a.share, a.spoken = w.rule == ruleShare, w.rule == ruleSpoken
	if a.share || a.spoken {
		a.rule = ruleAny
	}
	return m.announce(a)
}

// announce masks the value that follows the word, or else one that stands
// before it ("483920 is your code").
func (m *masker) announce(a announced) int {
	if end := markAround(m.text, a.from); end > 0 {
		return end
	}
	a.pair = m.paired(a.from)
	if end := m.after(a); end > 0 {
		return end
	}
	if a.rule == ruleCode || a.rule == ruleAny {
		return m.before(a)
	}
	return 0
}

// pairWords are what a password is named together with, the English ones apart.
var (
	pairWords      = []string{"账号", "帐号", "帳號", "账户", "帳戶", "用户名", "用戶名", "用户", "账密"}
	pairWordsASCII = []string{"account", "username", "user", "login", "id"}
	pairSigns      = []string{"和", "与", "與", "及", "、", "／", "/", "&", "+", ",", " and", " or"}
)

// paired says whether the word at text[from] is the second of a pair such as
// 账号密码 or user/password.
func (m *masker) paired(from int) bool {
	from = runBackByte(m.text, from, ' ')
	signed := false
	for _, sign := range pairSigns {
		if endsFold(m.text, from, sign) {
			from, signed = runBackByte(m.text, from-len(sign), ' '), true
			break
		}
	}
	for _, w := range pairWords {
		if endsFold(m.text, from, w) {
			return true
		}
	}
	for _, w := range pairWordsASCII {
		if signed && endsFold(m.text, from, w) {
			return true
		}
	}
	return false
}

// accountNames are the words that name an account before its password, without
// which a word after "password" is only a word.
var accountNames = []string{"账号", "帐号", "帳號", "账户", "帳戶", "用户名", "用戶名", "username", "user name", "login", "user", "account", "email", "mail"}

// accountBefore says that an account is named before the word at text[from], in
// the same clause: 用户名 tide 密码 wave.
func (m *masker) accountBefore(from int) bool {
	const longest = 48
	text := m.text[max(0, from-longest):from]
	for _, end := range []string{"\n", ". ", ";", "! ", "? ", "。"} {
		text = text[strings.LastIndex(text, end)+1:]
	}
	for _, name := range accountNames {
		for at := len(text) - len(name) - 2; at >= 0; at-- {
			if hasFold(text, at, name) && !isAt(text, at-1, isAlnum) && !isAt(text, at+len(name), isLetter) && named(text[at+len(name):]) {
				return true
			}
		}
	}
	return false
}

// named says that between the word for an account and the word for a password
// stands a name, and not only "and".
func named(text string) bool {
	text = strings.Trim(text, " :：,，=/&")
	return text != "" && text != "and" && text != "or" && text != "和" && text != "与" && text != "與"
}

func runBackByte(text string, at int, c byte) int {
	for at > 0 && text[at-1] == c {
		at--
	}
	return at
}
