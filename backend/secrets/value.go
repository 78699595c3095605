package secrets

import (
	"strings"
	"unicode/utf8"
)

// value is a stretch of text that may be a credential.
type value struct {
	from, to int
	next     int  // where to go on after it: behind a closing quote
	quoted   bool // between quotes, which may enclose spaces
	bracket  bool // between brackets, which also enclose remarks
}

// longestQuoted bounds a quoted value: a longer one is a text, or the quote is
// none.
const longestQuoted = 512

// longestBare bounds what is judged of a value without quotes. What is masked
// goes on to its end.
const longestBare = 256

// longestCode bounds the same of a PIN or a one-time code.
const longestCode = 64

// quotes are the ways to enclose a value. Where one is the beginning of
// another, the longer one comes first.
var quotes = []struct {
	open, close string
	bracket     bool
}{
	{`\\\"`, `\\\"`, false},
	{"**", "**", false},
	{"*", "*", false},
	{`\"`, `\"`, false},
	{`"`, `"`, false},
	{"'", "'", false},
	{"``", "``", false},
	{"`", "`", false},
	{"“", "”", false},
	{"„", "“", false},
	{"‘", "’", false},
	{"「", "」", false},
	{"『", "』", false},
	{"«", "»", false},
	{"＂", "＂", false},
	{"【", "】", true},
	{"[", "]", true},
	{"(", ")", true},
	{"（", "）", true},
}

// value reads the value at l. ok is false where nothing stands that could be
// one.
func (m *masker) value(l link, r rule) (v value, ok bool) {
	at := l.at
	if markAt(m.text, at) > 0 {
		return value{}, false
	}
	for _, q := range quotes {
		if !strings.HasPrefix(m.text[at:], q.open) {
			continue
		}
		from := at + len(q.open)
		if m.closed(l, at, q.open) {
			return value{}, false
		}
		to := m.closing(from, q.open, q.close)
		if q.open[0] == '*' && to > from && strings.ContainsAny(m.text[from:to], " \t") {
			return value{}, false // pointers, not emphasis
		}
		if to > from {
			return value{from, to, to + len(q.close), !q.bracket, q.bracket}, true
		}
		if q.open == "*" && isAt(m.text, from, isDigit) {
			break // a door's code may begin with the sign
		}
		if q.bracket || q.open == "*" {
			return value{}, false
		}
		at = from // a quote that never closes says nothing
		break
	}
	to := m.bareEnd(at, l, r)
	return value{from: at, to: to, next: to}, to > at
}

// closed says that the quote at text[at] closes one that was opened before the
// word, as in "password: " + input.
func (m *masker) closed(l link, at int, quote string) bool {
	return l.within == quote && !isAt(m.text, at+len(quote), isAlnum)
}

// closing gives where the quote ends that was opened before text[from], 0 if
// it does not on its line.
func (m *masker) closing(from int, open, closing string) int {
	if markAt(m.text, from) > 0 {
		return 0
	}
	end := min(len(m.text), from+longestQuoted)
	for at := from; at < end; at++ {
		switch {
		case m.text[at] == '\n':
			return 0
		case strings.HasPrefix(m.text[at:], closing):
			return at
		case m.text[at] == '\\' && open == `"`:
			at++
		}
	}
	return 0
}

// bareEnd gives the end of a value without quotes: visible ASCII, letters with
// accents and full-width letters and digits, less the punctuation of the
// sentence around it.
func (m *masker) bareEnd(from int, l link, r rule) int {
	limit := longestBare
	if r == ruleCode || r == ruleCVV || r == ruleIdentity {
		limit = longestCode
	}
	end := m.trimBare(from, m.bareRun(from, from, l, limit))
	if r == ruleCode {
		end = m.secondHalf(from, end)
	}
	return end
}

// bareRun gives the end of the characters of a value from text[at] on, of which
// the value began at text[from].
func (m *masker) bareRun(at, from int, l link, limit int) int {
	limit = min(len(m.text), at+limit)
	for at < limit {
		n := m.bareStep(at, from, l)
		if n == 0 {
			break
		}
		at += n
	}
	return at
}

// hide masks an accepted value, and what goes on beyond the part of it that
// was judged. It gives the place to go on from.
func (m *masker) hide(v value, l link, with mark) int {
	if v.to-v.from >= longestBare && !v.quoted && !v.bracket {
		v.to = m.trimBare(v.from, m.bareRun(v.to, v.from, l, len(m.text)))
		v.next = v.to
	}
	m.mask(v.from, v.to, with)
	return v.next
}

// bareStep gives the length of the character of a value at text[at], 0 where
// the value ends.
func (m *masker) bareStep(at, from int, l link) int {
	c := m.text[at]
	switch {
	case c >= utf8.RuneSelf:
		if letterPair(m.text, at) {
			return 2
		}
		if wide(m.text, at) != 0 {
			return 3
		}
		return 0
	case c <= ' ' || c == 0x7F || c == '"' || c == '`':
		return 0
	case c == '<' && (l.tagged || at > from && m.tag(at)):
		return 0
	case c == '\\' && at+1 < len(m.text) && (m.text[at+1] == '"' || escaped(m.text, at+1)):
		return 0
	case c == '[' && markAt(m.text, at) > 0:
		return 0
	case c == '&' || c == ';' || c == ',':
		if at > from && m.separates(at, l) || m.entity(at) {
			return 0
		}
	case c == '-' || c == '=':
		if byteAt(m.text, at+1) == '>' {
			return 0
		}
	}
	return 1
}

// tag says that a tag of HTML stands at text[at].
func (m *masker) tag(at int) bool {
	const longest = 12
	if byteAt(m.text, at+1) == '/' {
		return true
	}
	end := run(m.text, at+1, isLetter, longest)
	return end > at+1 && strings.IndexByte("> /", byteAt(m.text, end)) >= 0
}

// entity says that an HTML entity such as &quot; stands at text[at].
func (m *masker) entity(at int) bool {
	const longest = 8
	if m.text[at] != '&' {
		return false
	}
	from := at + 1
	set := isLetter
	if byteAt(m.text, from) == '#' {
		from++
		set = isAlnum
	}
	end := run(m.text, from, set, longest)
	return end > from+1 && byteAt(m.text, end) == ';'
}

// separates says whether the sign at text[at] ends the value: another setting
// follows, or nothing does.
func (m *masker) separates(at int, l link) bool {
	next := at + 1
	if next == len(m.text) || m.text[next] <= ' ' || m.text[next] >= utf8.RuneSelf || l.assign && !l.spaced {
		return true
	}
	end := run(m.text, next, isName|isDot, longestName)
	sign := byteAt(m.text, skipSpace(m.text, end))
	return end > next && (sign == '=' || sign == ':') || m.text[next] == '"' || m.text[next] == '\''
}

// trimBare takes off what belongs to the sentence and not to the value.
func (m *masker) trimBare(from, end int) int {
	for end > from {
		switch c := m.text[end-1]; {
		case strings.IndexByte(`.,;:?'\|`, c) >= 0, c == '>' && m.text[from] != '<':
			end--
		case c == '*' && end-from > 2 && m.text[end-2] == '*', c == '_' && end-from > 2 && m.text[end-2] == '_':
			end -= 2
		case c == ')' && unbalanced(m.text[from:end], '(', ')'),
			c == ']' && unbalanced(m.text[from:end], '[', ']'),
			c == '}' && unbalanced(m.text[from:end], '{', '}'):
			end--
		default:
			return end
		}
	}
	return end
}

func unbalanced(text string, open, closing byte) bool {
	return strings.Count(text, string(closing)) > strings.Count(text, string(open))
}

// secondHalf extends a code over its second group: 483 920.
func (m *masker) secondHalf(from, end int) int {
	n := end - from
	if n != 3 && n != 4 || run(m.text, from, isDigit, n) != end || byteAt(m.text, end) != ' ' {
		return end
	}
	second := run(m.text, end+1, isDigit, n+1)
	if second-end-1 != n || isAt(m.text, second, isWord) {
		return end
	}
	return second
}
