package secrets

import "strings"

// after masks the value that follows the word, and those that it is changed
// to. It gives the place to go on from, 0 if no value follows.
func (m *masker) after(a announced) int {
	l := m.link(a.from, a.to)
	if a.option && l.bond < bondFirm && l.spaced {
		l.bond = bondFirm // --password hunter
	}
	if a.rule == ruleHeader {
		return m.headerValue(a, l)
	}
	if a.rule == ruleMnemonic {
		return m.mnemonic(a, l)
	}
	if a.rule == rulePair {
		return m.loginPair(a, l)
	}
	if end := m.several(a, l); end > 0 {
		return end
	}
	v, ok := m.value(l, a.rule)
	if !ok {
		return m.closeValue(a, l)
	}
	if scheme := m.schemeEnd(v, a); scheme > 0 {
		l.at = scheme
		if v, ok = m.value(l, a.rule); !ok {
			return 0
		}
	}
	if a.pair && !v.quoted && !hasDigits(m.text[v.from:v.to], 1) {
		if end := m.second(a, v.to); end > 0 {
			return end // the first one is the name
		}
		if next := m.comma(v.to); next > v.to && markAt(m.text, next) > 0 {
			return next // as above, in masked text
		}
	}
	if m.accepts(a, l, v) {
		return m.list(a, m.more(a, m.hide(v, l, a.mark)), v.to-v.from)
	}
	if hasFold(m.text, a.from, "cred") {
		return m.loginPair(a, l)
	}
	if a.pair {
		return m.second(a, v.to)
	}
	return 0
}

// more masks the values that follow a masked one: "abc -> def", 改成, and the
// second of a pair.
func (m *masker) more(a announced, at int) int {
	for {
		l := link{at: at}
		m.steps(&l, false)
		if !l.turned || l.at >= len(m.text) {
			break
		}
		l.phrase = true
		v, ok := m.value(l, a.rule)
		if !ok || !m.accepts(a, l, v) {
			break
		}
		at = m.hide(v, l, a.mark)
	}
	if a.pair {
		if end := m.second(a, at); end > 0 {
			return end
		}
	}
	return at
}

// list masks the values that follow one of the length n that ends before
// text[at], as in lists of recovery codes.
func (m *masker) list(a announced, at, n int) int {
	for {
		l := link{at: m.comma(at)}
		if a.rule == ruleCode {
			l.bond = bondFirm // backup codes stand one after the other
		}
		v, ok := m.value(l, a.rule)
		if l.at = v.from; !ok || v.to-v.from != n || !m.accepts(a, l, v) {
			return at
		}
		at = m.hide(v, link{}, a.mark)
	}
}

// comma gives the position after what separates the values of a list.
func (m *masker) comma(at int) int {
	for at < len(m.text) && strings.IndexByte(" ,/\n", m.text[at]) >= 0 {
		at++
	}
	for _, sign := range []string{"，", "、", "和", "或", "／", "and ", "or "} {
		if strings.HasPrefix(m.text[at:], sign) {
			return skipSpace(m.text, at+len(sign))
		}
	}
	return at
}

// second masks the second value of a pair: "admin / hunter22".
func (m *masker) second(a announced, at int) int {
	from := m.comma(at)
	if from == at {
		return 0
	}
	l := link{at: from}
	v, ok := m.value(l, a.rule)
	if !ok || !m.accepts(a, l, v) {
		return 0
	}
	return m.hide(v, l, a.mark)
}

// schemes are the words before the credential in a header.
var schemes = words("bearer", "basic", "token", "bot", "apikey", "digest", "key", "jwt")

// schemeEnd gives where the credential begins if the value is only the scheme
// before it, 0 if it is not.
func (m *masker) schemeEnd(v value, a announced) int {
	if a.rule == ruleAny || a.rule == ruleCode || v.quoted || !schemes.has(m.text[v.from:v.to]) {
		return 0
	}
	if at := skipSpace(m.text, v.to); at > v.to {
		return at
	}
	return 0
}
