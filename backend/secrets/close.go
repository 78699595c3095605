package secrets

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// closeNumerals are the digits of a code that is written out: 密码是八八六六.
const closeNumerals = "零〇一二三四五六七八九两兩幺"

// Bounds of a password in Chinese or Japanese characters, in characters: one
// is a name, more than 16 are a sentence.
const (
	shortestClose = 2
	longestClose  = 16
	fewNumerals   = 4
)

// closeValue masks a value in Chinese or Japanese characters: numerals after a
// verb or a sign, a short phrase that ends its clause after a sign.
func (m *masker) closeValue(a announced, l link) int {
	if a.rule != ruleAny && a.rule != ruleCode || markAt(m.text, l.at) > 0 {
		return 0
	}
	if end := m.numerals(l.at); end > 0 {
		m.mask(l.at, end, a.mark)
		return end
	}
	if l.bond == bondVerb && !a.spoken {
		if end := m.described(a, l); end > 0 {
			return end
		}
	}
	from := skipSpace(m.text, l.signed)
	switch {
	case a.rule != ruleAny || l.turned:
		return 0
	case l.signed == 0 && a.spoken && l.bond == bondVerb:
		from = l.at
	case l.signed == 0:
		return 0
	}
	end, n := runeRun(m.text, from, longestClose+1, func(r rune) bool { return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana) })
	if n == 0 || closeSentence(m.text[from:end]) {
		return 0
	}
	if tail := m.closeTail(end); tail > end {
		end = tail
	} else if n < shortestClose || n > longestClose {
		return 0
	}
	if !m.clauseEnds(end) {
		return 0
	}
	m.mask(from, end, a.mark)
	return end
}

// closeTail gives the end of the letters and digits that follow a word in a
// password: 蓝鲸2025; at itself where there are too few or where they count.
func (m *masker) closeTail(at int) int {
	end := run(m.text, at, isAlnum, longestClose)
	if end < at+3 || !hasDigits(m.text[at:end], 2) || m.counts(end, false) {
		return at
	}
	return end
}

// numerals gives the end of a code that is written out at text[at]: 八八六六 or
// 六个8; 0 if there is none.
func (m *masker) numerals(at int) int {
	end, n := runeRun(m.text, at, longestClose, func(r rune) bool { return strings.ContainsRune(closeNumerals, r) })
	if n >= fewNumerals {
		return end
	}
	for _, piece := range []string{"个", "個"} {
		if n != 1 || !strings.HasPrefix(m.text[end:], piece) {
			continue
		}
		from := end + len(piece)
		to := run(m.text, from, isDigit, longestClose)
		if to > from && (to == from+1 || to >= from+fewNumerals) && !isAt(m.text, to, isWord) {
			return to
		}
	}
	return 0
}

// longestDescription bounds the characters between a verb and a value that is
// described before it is given: 密码是我生日 19900307.
const longestDescription = 10

// described masks a value after a description of it.
func (m *masker) described(a announced, l link) int {
	at, n := runeRun(m.text, l.at, longestDescription, func(r rune) bool { return unicode.Is(unicode.Han, r) })
	if n == 0 || strings.ContainsAny(m.text[l.at:at], closeProse) {
		return 0
	}
	from := link{at: skipSpace(m.text, at), phrase: true}
	v, ok := m.value(from, a.rule)
	if !ok || v.quoted || !m.accepts(a, from, v) {
		return 0
	}
	return m.hide(v, from, a.mark)
}

// closeOrdinary are the characters with which what follows "密码：" speaks of a
// password instead of being one.
const closeOrdinary = closeProse + "见見同忘改重设設置在找看无無未已的了会會要可需能有是为為和或与與输輸入登录錄用码碼"

func closeSentence(text string) bool { return strings.ContainsAny(text, closeOrdinary) }

// runeRun gives the end and the number of the characters from text[at] on that
// keep says yes to, at most limit of them.
func runeRun(text string, at, limit int, keep func(rune) bool) (end, n int) {
	for end = at; end < len(text) && n < limit; n++ {
		r, size := utf8.DecodeRuneInString(text[end:])
		if !keep(r) {
			break
		}
		end += size
	}
	return end, n
}
