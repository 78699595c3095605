package secrets

import "strings"

// Bounds of a value in several words: what is longer is a sentence.
const (
	fewestDigitGroups = 3
	mostDigitGroups   = 8
	mostWords         = 4  // before the number of a password: "blue whale 7"
	fewestPhraseWords = 4  // of a passphrase without quotes
	mostPhraseWords   = 10 // of the same
)

// several masks a value of several words without quotes: digits one by one,
// words with a number at their end, a passphrase, or a name with a password.
func (m *masker) several(a announced, l link) int {
	end := 0
	switch {
	case a.rule != ruleAny && a.rule != ruleCode, l.at >= len(m.text):
		return 0
	case is(m.text[l.at], isDigit):
		end = m.digitGroups(l.at)
		if end == 0 && (hasFold(m.text, a.from, "combo") || hasFold(m.text, a.from, "combination")) {
			end = m.turns(l.at)
		}
	case a.rule == ruleAny && l.bond > bondLoose && !l.turned && !l.vague && !l.assign:
		end = m.numbered(l.at)
		if end == 0 && m.appPassword(a.from) {
			end = m.fourFours(l.at)
		}
		if end == 0 && endsFold(m.text, a.to, "phrase") {
			end = m.passphrase(l.at)
		}
	}
	if end > 0 {
		m.mask(l.at, end, a.mark)
	}
	return end
}

// digitGroups gives the end of digits that are written singly or in pairs: 9 5
// 2 7 or 30 41 22; 0 if there are none.
func (m *masker) digitGroups(at int) int {
	size := run(m.text, at, isDigit, 3) - at
	if size > 2 {
		return 0
	}
	n := 0
	for n < mostDigitGroups && run(m.text, at, isDigit, 3) == at+size && size > 0 {
		n++
		at += size
		if byteAt(m.text, at) != ' ' && byteAt(m.text, at) != '-' || !isAt(m.text, at+1, isDigit) {
			break
		}
		at++
	}
	if n < fewestDigitGroups || n*size < 4 || isAt(m.text, at, isWord|isDot|isBase) || byteAt(m.text, at) == ':' {
		return 0
	}
	return at
}

// turns gives the end of the three numbers of a combination: 8-24-16; 0 if
// there are none.
func (m *masker) turns(at int) int {
	for n := range 3 {
		end := run(m.text, at, isDigit, 3)
		if end == at || end > at+2 || n < 2 && byteAt(m.text, end) != '-' {
			return 0
		}
		at = end + 1
	}
	if at--; isAt(m.text, at, isName) {
		return 0
	}
	return at
}

// numbered gives the end of some words with a number after them that fill
// their clause; 0 if the words are prose.
func (m *masker) numbered(at int) int {
	for range mostWords {
		end := run(m.text, at, isLetter, longestWord)
		if !secretWord(m.text[at:end]) || byteAt(m.text, end) != ' ' {
			return 0
		}
		at = end + 1
		if end = run(m.text, at, isDigit, 5); end > at && end < at+5 {
			if m.clauseEnds(end) && !m.counts(end, false) {
				return end
			}
			return 0
		}
	}
	return 0
}

// appPassword says that the word at text[at] is a password made for one app.
func (m *masker) appPassword(at int) bool {
	at = runBackByte(m.text, at, ' ')
	return endsFold(m.text, at, "app") || endsFold(m.text, at, "application") || endsFold(m.text, at, "应用") || endsFold(m.text, at, "专用") || endsFold(m.text, at, "應用程式")
}

// fourFours gives the end of four groups of four small letters, as Google makes
// them; 0 if there are none.
func (m *masker) fourFours(at int) int {
	for n := range 4 {
		if run(m.text, at, isLower, 5) != at+4 {
			return 0
		}
		if at += 4; n < 3 {
			if byteAt(m.text, at) != ' ' {
				return 0
			}
			at++
		}
	}
	if isAt(m.text, at, isWord) {
		return 0
	}
	return at
}

// passphrase gives the end of four or more words that fill their clause; 0 if
// they are prose.
func (m *masker) passphrase(at int) int {
	for n := 1; n <= mostPhraseWords; n++ {
		end := run(m.text, at, isLower, longestWord)
		if !secretWord(m.text[at:end]) {
			return 0
		}
		if byteAt(m.text, end) != ' ' || m.clauseEnds(end) {
			if n >= fewestPhraseWords && m.clauseEnds(end) {
				return end
			}
			return 0
		}
		at = end + 1
	}
	return 0
}

// secretWord says that a word may be one of several in a password.
func secretWord(word string) bool {
	return len(word) >= 3 && !prose.has(word) && (!ordinary.has(word) || wordless(word).is("correct")) && !quantities.has(word)
}

// quantities are words before a number that is no part of a password.
var quantities = words("version", "level", "step", "line", "page", "chapter", "section", "day", "week", "month", "year",
	"max", "min", "size", "minimum", "maximum", "length", "about", "around", "exactly", "january", "february", "march",
	"april", "may", "june", "july", "august", "september", "october", "november", "december", "jan", "feb", "mar", "apr",
	"jun", "jul", "aug", "sep", "oct", "nov", "dec", "top", "since", "until", "till", "and", "the", "has", "was", "had",
	"all", "its", "than", "over", "under", "every", "room", "port", "item", "number", "group", "type", "rule", "try", "attempt")

// loginPair masks the password of "login is bob / abc123". The name stays.
func (m *masker) loginPair(a announced, l link) int {
	v, ok := m.value(l, ruleAny)
	if !ok || v.quoted || m.text[v.from] == '/' {
		return 0
	}
	text := m.text[v.from:v.to]
	slash := strings.IndexByte(text, '/')
	if slash < 0 {
		rest := skipSpace(m.text, v.to)
		if byteAt(m.text, rest) != '/' {
			return 0
		}
		slash = rest - v.from
	}
	a.rule = ruleAny
	next := link{at: skipSpace(m.text, v.from+slash+1)}
	second, ok := m.value(next, ruleAny)
	if !ok || strings.Contains(m.text[v.from:second.to], "//") || !m.accepts(a, next, second) {
		return 0
	}
	wifi := hasFold(m.text, a.from, "wifi") // "wifi: 5GHz / 2.4GHz"
	if wifi && l.bond < bondFirm || (wifi || l.bond == bondLoose) && !made(m.text[second.from:second.to]) {
		return 0
	}
	return m.hide(second, next, a.mark)
}
