package secrets

import "strings"

// group is a run of digits, as positions in the text.
type group struct{ from, to int }

func (g group) len() int { return g.to - g.from }

// mostGroups bounds the groups of a number that are looked at together: a card
// has at most five, and its date and code may follow.
const mostGroups = 8

// longestDigits bounds a group of digits: no number that is masked has more.
const longestDigits = 64

// fewestDigits is the length of the shortest number that is masked.
const fewestDigits = 9

func digitsOf(list []group) (n int) {
	for _, g := range list {
		n += g.len()
	}
	return n
}

// number looks at the digits at text[at] and those that follow after single
// spaces or dashes: a card, an identity number, a bot's token.
func (m *masker) number(at int) int {
	if at < m.done {
		return at + 1
	}
	at = runBack(m.text, at, isDigit, longestDigits)
	at = max(at, m.done)
	first := run(m.text, at, isDigit, len(m.text))
	if end := m.telegram(at, first); end > 0 {
		return end
	}
	if !m.numberOpens(at) {
		return m.afterDigits(first)
	}
	var list [mostGroups]group
	list[0] = group{at, first}
	n := 1
	for end := first; n < mostGroups && (byteAt(m.text, end) == ' ' || byteAt(m.text, end) == '-') && isAt(m.text, end+1, isDigit); n++ {
		list[n] = group{end + 1, run(m.text, end+1, isDigit, len(m.text))}
		end = list[n].to
	}
	if digitsOf(list[:n]) < fewestDigits {
		return m.afterDigits(list[n-1].to)
	}
	named := m.named(at)
	for i := range n {
		if end := m.numberFrom(list[:n], i, named); end > 0 {
			return end
		}
		named = nameless // further on a number stands before, and no name
	}
	if n == mostGroups {
		return list[n-longestLayout+1].from // a card may begin with the groups that were cut off
	}
	return m.afterDigits(list[n-1].to)
}

// afterDigits steps back so that the gate sees triggers that take in the last
// digits.
func (m *masker) afterDigits(end int) int { return max(end-2, 1) }

// numberFrom masks the number that begins with group i.
func (m *masker) numberFrom(all []group, i int, named name) int {
	from := all[i].from
	if i > 0 && m.text[from-1] != ' ' {
		return 0
	}
	if end := m.identity(all[i]); end > 0 {
		return end
	}
	if end := m.identityGroups(all[i:]); end > 0 {
		return end
	}
	for n := len(all); n > i; n-- {
		to := all[n-1].to
		if !m.numberCloses(to) || n < len(all) && m.text[to] != ' ' || !m.evenly(all[i:n]) {
			continue
		}
		if kind := m.numberKind(all, i, n, named); kind != markNone {
			m.mask(from, to, kind)
			return to
		}
	}
	return 0
}

// numberKind says what the groups from i up to n are, taken as one number that
// the text before calls named.
func (m *masker) numberKind(all []group, i, n int, named name) mark {
	list := all[i:n]
	digits, size := joinDigits(m.text, list)
	if size < 12 && !(size == 9 && len(list) == 3) || size > 19 {
		return markNone
	}
	switch {
	case named == namedIdentity && (size == 15 || size == 18 || size == 9 && len(list) == 3):
		return markIdentity
	case named == namedCard && size >= 12:
		return markCard
	case size < 13 || named == namedOrder:
		return markNone
	case len(list) > 1 && (!cardLayout(list) || m.inTable(all, i, n)):
		return markNone
	case !issued(string(digits[:size])) || !luhn(string(digits[:size])):
		return markNone
	}
	return markCard
}

// inTable says that the groups from i up to n are cells of a table: beside them
// stands a cell of the same length, or one in hexadecimal.
func (m *masker) inTable(all []group, i, n int) bool {
	const longest = 8
	from, to := all[i].from, all[n-1].to
	left, right := "", ""
	if byteAt(m.text, from-1) == ' ' {
		left = m.text[runBack(m.text, from-1, isAlnum, longest) : from-1]
	}
	if byteAt(m.text, to) == ' ' {
		right = m.text[to+1 : run(m.text, to+1, isAlnum, longest)]
	}
	return cell(left, all[i].len()) || cell(right, all[i].len())
}

// cell says that text is a cell of a table whose numbers have n digits.
func cell(text string, n int) bool {
	if len(text) == 0 || !allHex(text) || !hasDigits(text, 1) {
		return false
	}
	return len(text) == n || len(text) > 3 && len(text) < 7 && run(text, 0, isDigit, len(text)) < len(text)
}

// joinDigits copies the digits of the groups together, as many as fit.
func joinDigits(text string, list []group) (digits [20]byte, n int) {
	for _, g := range list {
		n += copy(digits[n:], text[g.from:g.to])
	}
	return digits, n
}

// evenly says that the same sign stands between all groups.
func (m *masker) evenly(list []group) bool {
	for i := 1; i < len(list); i++ {
		if m.text[list[i].from-1] != m.text[list[1].from-1] {
			return false
		}
	}
	return true
}

// numberOpens says that a number may begin at text[at] and is no part of a
// word, a path, a decimal or a telephone number.
func (m *masker) numberOpens(at int) bool {
	if at == 0 || escaped(m.text, at-1) {
		return true
	}
	c := m.text[at-1]
	return !is(c, isWord|isDot) && strings.IndexByte("+/@-", c) < 0
}

// numberCloses says that a number may end before text[at].
func (m *masker) numberCloses(at int) bool {
	switch c := byteAt(m.text, at); {
	case is(c, isWord), c == '@':
		return false
	case c == '.' || c == '-':
		return !isAt(m.text, at+1, isAlnum)
	}
	return true
}

// telegram masks a bot's token: its number, a colon and 35 characters. It may
// stand in an address after "bot".
func (m *masker) telegram(at, end int) int {
	const secret = 35
	if n := end - at; n < 8 || n > 12 || byteAt(m.text, end) != ':' {
		return 0
	}
	if !opens(m.text, at) && !endsFold(m.text, at, "bot") {
		return 0
	}
	to := run(m.text, end+1, isName, secret+10)
	if n := to - end - 1; n < secret-5 || n > secret+5 || !hasDigits(m.text[end+1:to], 1) && n != secret {
		return 0
	}
	m.mask(at, to, markToken)
	return to
}
