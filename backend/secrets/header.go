package secrets

import "strings"

// headerValue masks what follows Authorization: or Cookie:.
func (m *masker) headerValue(a announced, l link) int {
	if l.bond != bondFirm || l.at >= len(m.text) {
		return 0
	}
	v, _ := m.value(l, ruleHeader)
	if !v.quoted {
		v = value{from: l.at, to: -1}
	}
	if c := lowered(m.text[a.to-1]); c == 's' || c == 'e' { // Cookies, Set-Cookie
		return m.cookie(a, v)
	}
	return m.authorization(a, v)
}

// headerEnd gives the end of a header: of its line, or of the argument that
// carries it.
func (m *masker) headerEnd(at int) int {
	for at < len(m.text) {
		c := m.text[at]
		if c == '\n' || c == '\r' || c == '"' || c == '\'' || c == '`' || c == '\\' || c == '[' && markAt(m.text, at) > 0 {
			break
		}
		at++
	}
	return at
}

// cookie masks the pairs of a cookie. Without a pair it is a biscuit.
func (m *masker) cookie(a announced, v value) int {
	name := run(m.text, v.from, isName|isDot, longestName)
	if name == v.from || byteAt(m.text, name) != '=' {
		return 0
	}
	const enough = 4 // characters: shorter ones are settings
	for at := name + 1; at <= name+enough; at++ {
		if c := byteAt(m.text, at); c <= ' ' || c == ';' || c == '"' || c == '\'' {
			return 0
		}
	}
	if c := m.text[name+1]; c == '<' || c == '$' || c == '[' || c == '{' {
		return 0
	}
	if !v.quoted {
		v.to = m.headerEnd(v.from)
		v.next = v.to
	}
	m.mask(v.from, v.from+len(strings.TrimRight(m.text[v.from:v.to], " \t")), a.mark)
	return v.next
}

// wholeSchemes are followed by parameters, all of which are masked.
var wholeSchemes = words("digest", "oauth", "aws4-hmac-sha256", "negotiate", "ntlm", "hawk", "signature")

// authorization masks the credential after the scheme, which stays.
func (m *masker) authorization(a announced, v value) int {
	from, limit := v.from, len(m.text)
	if v.quoted {
		limit = v.to
	}
	end := run(m.text, from, isName, longestName)
	whole := wholeSchemes.has(m.text[from:end])
	known := whole || schemes.has(m.text[from:end])
	if known && space(m.text, end) == 0 {
		return 0 // the scheme alone
	}
	if known {
		from = min(skipSpace(m.text, end), limit)
	}
	to := m.bareEnd(from, link{}, ruleOpaque)
	if whole {
		to = m.headerEnd(from)
	}
	to = min(to, limit)
	if from >= to || !m.acceptsHeader(m.text[from:to], known, whole) {
		return 0
	}
	if to == from+longestBare {
		to = min(limit, m.bareRun(to, from, link{}, len(m.text)))
	}
	m.mask(from, to, a.mark)
	return max(to, v.next)
}

// acceptsHeader says whether text is the credential of a header, of which the
// scheme is known or takes the whole line.
func (m *masker) acceptsHeader(text string, known, whole bool) bool {
	s := shapeOf(text)
	switch {
	case placeholder(text), s.other > 0, s.n < 6, strings.Contains(text, "://"):
		return false
	case whole:
		return strings.Contains(text, "=") || s.n >= 20 && s.spaces == 0
	case strings.ContainsAny(text, "{}()[]<>|\\"), ordinary.has(text), codeNames.has(text), typeNames.has(text):
		return false
	case !known:
		return s.mixed() && s.n >= 8 && !slug(text)
	}
	return s.mixed() || s.n >= 16 || !ordinary.has(text) && !adjective(text)
}

// Bounds of a seed phrase: the shortest has twelve words, of which one may be
// lost; each word of the lists has three to eight letters.
const (
	fewestSeedWords  = 11
	mostSeedWords    = 25
	shortestSeedWord = 3
	longestSeedWord  = 8
)

// seedEnds says that a line ends after a whole seed phrase of n words, and that
// no further number of a list follows.
func seedEnds(rest string, n int) bool {
	rest = strings.TrimLeft(rest, ".,)\"'`")
	return n >= fewestSeedWords && n%3 == 0 && rest != "" && rest[0] == '\n' && !isAt(rest, 1, isDigit)
}

// mnemonic masks the words of a seed phrase, numbered or not.
func (m *masker) mnemonic(a announced, l link) int {
	if l.bond == bondLoose {
		return 0
	}
	from, end, n := 0, l.at, 0
	for at := l.at; n < mostSeedWords; n++ {
		if seedEnds(m.text[at:], n) {
			break
		}
		for at < len(m.text) && (is(m.text[at], isDigit) || strings.IndexByte(" \t\r\n,.)\"'`", m.text[at]) >= 0) {
			at++
		}
		next := run(m.text, at, isLetter, longestSeedWord+1)
		if next-at < shortestSeedWord || next-at > longestSeedWord {
			break
		}
		if n == 0 {
			from = at
		}
		at, end = next, next
	}
	if n < fewestSeedWords {
		return 0
	}
	m.mask(from, end, a.mark)
	return end
}
