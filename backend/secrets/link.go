package secrets

import (
	"strings"
	"unicode/utf8"
)

// bond says how firmly a credential word is joined to what follows.
type bond uint8

const (
	bondLoose bond = iota // nothing but spaces and small words between
	bondVerb              // is, 是, は, "changed to"
	bondFirm              // a colon, an equals sign, an arrow
)

// link is what stands between a credential word and a value.
type link struct {
	at     int // where the value begins
	bond   bond
	assign bool   // an equals sign
	spaced bool   // blanks around the last sign
	broken bool   // the value stands on the next line
	phrase bool   // words came between: "password for the lab is"
	tagged bool   // an XML element: the value ends at "<"
	turned bool   // something said that the value changes: ->, to, 改成
	vague  bool   // words such as "your" came last, after which a word is just a word
	signed int    // where the last firm sign ends
	within string // the quote that is open around the word, "" if none
}

// Bounds of what is looked through for a value: enough for "password for the
// guest network in the workshop is", and small beside the text.
const (
	longestLink   = 120
	longestPhrase = 64
)

// link reads what joins the word at text[from:to] to a value.
func (m *masker) link(from, to int) link {
	l := link{at: m.ordinal(m.closers(from, to))}
	if byteAt(m.text, l.at-1) != '"' && m.openQuote(from) {
		l.within = `"`
	}
	m.steps(&l, true)
	return l
}

// ordinal skips the number of a word among several if a verb or a sign follows
// it: 密码2是, "password 1:".
func (m *masker) ordinal(at int) int {
	from := skipSpace(m.text, at)
	end := from
	for end < from+6 && end < len(m.text) {
		if c := wide(m.text, end); c != 0 && is(c, isDigit) {
			end += 3
		} else if is(m.text[end], isDigit) {
			end++
		} else {
			break
		}
	}
	if end == from || is(m.text[end-1], isDigit) && end > from+2 {
		return at
	}
	next := skipSpace(m.text, end)
	if next < len(m.text) && strings.IndexByte("=:", m.text[next]) < 0 && m.text[next] < 0x80 || !m.joins(next) {
		return at
	}
	return end
}

// steps moves l over all that can stand between a word and its value.
func (m *masker) steps(l *link, phrases bool) {
	limit := min(len(m.text), l.at+longestLink)
	for l.at < limit {
		if n := space(m.text, l.at); n > 0 {
			l.at += n
			l.spaced = true
			continue
		}
		if m.sign(l) || m.clause(l) || phrases && !l.phrase && m.preposition(l) || m.linkWord(l) {
			continue
		}
		return
	}
}

// closers gives the position after the marks that close around the word
// itself: "password", `token`, **pin**, and the note in "pin (home)".
func (m *masker) closers(from, to int) int {
	at := to
	for at < len(m.text) {
		switch c := m.text[at]; {
		case c == '\\' && m.quotedWord(from, at):
			at = runByte(m.text, at, '\\') + 1
		case (c == '"' || c == '\'' || c == '`') && m.quotedWord(from, at):
			at++
		case c == '*' && byteAt(m.text, at+2) != '*' && !(isAt(m.text, at+1, isDigit) && strings.IndexByte(m.lineBefore(from), '*') < 0):
			at++
		default:
			return m.note(at)
		}
	}
	return at
}

// quotedWord says whether the quote at text[at], with the backslashes before it
// if it is escaped, was opened on the line before the word at text[from], so
// that it closes there and opens nothing.
func (m *masker) quotedWord(from, at int) bool {
	slashes := runByte(m.text, at, '\\') - at
	c := byteAt(m.text, at+slashes)
	if c != '"' && c != '\'' && c != '`' {
		return false
	}
	line := m.lineBefore(from)
	if n := len(line); n > 0 && line[n-1] == c && n-1-runBackByte(line, n-1, '\\') == slashes {
		return true
	}
	open := false
	for i := range len(line) {
		if line[i] == c && i-runBackByte(line, i, '\\') == slashes {
			open = !open
		}
	}
	return open
}

// lineBefore gives the line before text[from], or the end of it: longer ones are
// data, where a quote that matters stands close to the word.
func (m *masker) lineBefore(from int) string {
	const longest = 256
	line := m.text[max(0, from-longest):from]
	return line[strings.LastIndexByte(line, '\n')+1:]
}

// openQuote says whether a double quote is open before the word at text[from].
func (m *masker) openQuote(from int) bool {
	line := m.lineBefore(from)
	return (strings.Count(line, `"`)-strings.Count(line, `\"`))%2 == 1
}

func runByte(text string, at int, c byte) int {
	for at < len(text) && text[at] == c {
		at++
	}
	return at
}

// longestNote bounds what is skipped in brackets between a word and its value.
const longestNote = 48

// note skips a remark in round brackets if something joins after it.
func (m *masker) note(at int) int {
	open := skipSpace(m.text, at)
	closing := ""
	switch {
	case byteAt(m.text, open) == '(':
		closing = ")"
	case strings.HasPrefix(m.text[open:], "（"):
		closing = "）"
	default:
		return at
	}
	end := min(len(m.text), open+longestNote)
	n := strings.Index(m.text[open:end], closing)
	if n < 0 || strings.IndexByte(m.text[open:open+n], '\n') >= 0 {
		return at
	}
	after := link{at: open + n + len(closing)}
	from := after.at
	m.steps(&after, false)
	if after.bond == bondLoose && !(isAt(m.text, after.at, isAlnum) && m.valueLike(after.at)) {
		return at
	}
	return from
}

// firmSigns join as firmly as a colon.
var firmSigns = []string{"->", "=>", ":=", ":", "=", "：", "＝", "→", "⇒", "➜", "➡"}

// looseSigns stand between a word and its value in tables and lists.
var looseSigns = []string{"|", "｜", "—", "–", "** ", "* ", "**\n", "- "}

// sign moves l over a sign or a line end, and says whether there was one.
func (m *masker) sign(l *link) bool {
	rest := m.text[l.at:]
	if n := m.lineEnd(l); n > 0 {
		l.at += n
		l.broken = true
		return true
	}
	if strings.HasPrefix(rest, "==") || strings.HasPrefix(rest, "://") || strings.HasPrefix(rest, "***") {
		return false
	}
	for _, s := range firmSigns {
		if strings.HasPrefix(rest, s) {
			l.at += len(s)
			l.bond, l.assign = bondFirm, s == "=" || s == "＝" || s == ":="
			l.turned = l.turned || s == "->" || s == "→" || s == "=>" || s == "⇒" || s == "➜" || s == "➡"
			l.spaced, l.signed = false, l.at
			return true
		}
	}
	if rest[0] == '>' && l.bond == bondLoose && !l.spaced {
		l.at++
		l.bond, l.tagged = bondFirm, true
		return true
	}
	for _, s := range looseSigns {
		if strings.HasPrefix(rest, s) {
			l.at += len(strings.TrimRight(s, " \n"))
			return true
		}
	}
	return false
}

// lineEnd gives the length of a line end that may be passed: one, after a sign
// that promises a value.
func (m *masker) lineEnd(l *link) int {
	if l.bond != bondFirm || l.broken {
		return 0
	}
	rest := m.text[l.at:]
	for _, s := range []string{"\n", "\r\n", "```\n", "\\n"} {
		if strings.HasPrefix(rest, s) {
			n := len(s)
			if s != "```\n" && strings.HasPrefix(rest[n:], "```") {
				fence := strings.IndexByte(rest[n:], '\n')
				if fence < 0 {
					return 0
				}
				n += fence + 1
			}
			return n
		}
	}
	return 0
}

// linkWord moves l over a verb or a small word, and says whether there was one.
func (m *masker) linkWord(l *link) bool {
	if n := m.possessive(l.at); n > 0 {
		l.at += n
		l.bond = max(l.bond, bondVerb)
		return true
	}
	if isAt(m.text, l.at, isAlnum) {
		return m.englishLink(l)
	}
	if byteAt(m.text, l.at) < utf8.RuneSelf {
		return false
	}
	end := l.at
	var ends [6]int // of the first one to six characters
	n := 0
	for n < len(ends) && byteAt(m.text, end) >= utf8.RuneSelf {
		_, size := utf8.DecodeRuneInString(m.text[end:])
		end += size
		ends[n] = end
		n++
	}
	for n--; n >= 0; n-- {
		if kind, ok := closeLinks[m.text[l.at:ends[n]]]; ok {
			l.take(ends[n], kind)
			return true
		}
	}
	return false
}

// possessive gives the length of "'s", as in "the password's abc".
func (m *masker) possessive(at int) int {
	for _, s := range []string{"'s ", "’s "} {
		if at > 0 && isAt(m.text, at-1, isLetter) && strings.HasPrefix(m.text[at:], s) {
			return len(s)
		}
	}
	return 0
}

// take moves l to end, over a word of the kind.
func (l *link) take(end int, kind linkKind) {
	l.at = end
	switch kind {
	case linkVerb:
		l.bond = max(l.bond, bondVerb)
	case linkTurn:
		l.bond = max(l.bond, bondVerb)
		l.turned = true
	case linkVague:
		l.vague = true
	}
}

// englishLink moves l over an English word that joins, if the word is whole.
func (m *masker) englishLink(l *link) bool {
	end := run(m.text, l.at, isLetter, longestWord)
	if strings.HasPrefix(m.text[end:], ". ") && wordless(m.text[l.at:end]).is("no") {
		l.at = end + 1 // "passport no. 12"
		return true
	}
	if end == l.at || !wordEnds(m.text, end) {
		return false
	}
	if kind, ok := englishLinks.of(m.text[l.at:end]); ok {
		l.take(end, kind)
		return true
	}
	return false
}

// wordEnds says that a word which ends before text[at] is no part of a longer
// value there.
func wordEnds(text string, at int) bool {
	if at == len(text) || space(text, at) > 0 {
		return true
	}
	switch text[at] {
	case ':', '=', ',', '\n', '\r', '"', '`', '*':
		return true
	}
	return text[at] >= utf8.RuneSelf && !letterPair(text, at)
}
