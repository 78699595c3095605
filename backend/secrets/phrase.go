package secrets

import (
	"strings"
	"unicode/utf8"
)

// clause moves l over a comma if the next clause says what the value is: "I
// changed the password, it's abc".
func (m *masker) clause(l *link) bool {
	comma := 0
	for _, sign := range []string{", ", "，", ",", "、", "and "} {
		if strings.HasPrefix(m.text[l.at:], sign) {
			comma = len(sign)
			break
		}
	}
	if comma == 0 {
		return false
	}
	before := *l
	if m.chatty(l.at) && isAt(m.text, skipSpace(m.text, l.at+comma), isAlnum) && l.bond == bondLoose {
		l.at += comma // 密码嘛，abc123
		l.phrase = true
		return true
	}
	l.at += comma
	l.phrase, l.turned = true, true
	for _, it := range []string{"now it's ", "it's ", "it is ", "its ", "now its ", "now it’s ", "it’s "} {
		if hasFold(m.text, l.at, it) {
			l.at += len(it)
			l.bond = max(l.bond, bondVerb)
			return true
		}
	}
	l.bond = bondLoose
	if m.linkWord(l) {
		m.steps(l, false)
		if endsFold(m.text, l.at, "one ") { // "the other one 4921"
			l.bond = bondVerb
		}
	}
	if l.bond == bondVerb {
		return true
	}
	*l = before
	return false
}

// chatty says that a word that only fills time ends before text[at].
func (m *masker) chatty(at int) bool {
	for _, word := range []string{"嘛", "呢", "啊", "哈", "哦", "呀", "的话", "的話", "告诉你", "告訴你", "给你", "給你", "发你", "發你", "记一下", "記一下", "别人", "別人", "外传", "外傳"} {
		if strings.HasSuffix(m.text[:at], word) {
			return true
		}
	}
	return false
}

// preposition moves l over a phrase such as "for the guest network", up to the
// verb or the sign after it. Without one there is no phrase.
func (m *masker) preposition(l *link) bool {
	at := run(m.text, l.at, isLetter, longestWord)
	word := wordless(m.text[l.at:at])
	if !wordEnds(m.text, at) || !prepositions.has(string(word)) && !relatives.has(string(word)) {
		return false
	}
	if (word.is("to") || word.is("from")) && m.valueLike(skipSpace(m.text, at)) {
		return false // "to abc123" and not "to the lab"
	}
	limit := min(len(m.text), at+longestPhrase)
	for at < limit {
		at = skipSpace(m.text, at)
		if m.joins(at) {
			l.at, l.phrase = at, true
			return true
		}
		end := m.phraseWord(at)
		if end == at {
			return false
		}
		at = end
	}
	return false
}

// valueLike says that a word with a digit in it or a quote stands at text[at].
func (m *masker) valueLike(at int) bool {
	for ; at < len(m.text) && m.text[at] > ' '; at++ {
		if c := m.text[at]; is(c, isDigit) || c == '"' || c == '\'' || c == '`' {
			return true
		}
	}
	return false
}

// joins says whether a verb or a firm sign stands at text[at].
func (m *masker) joins(at int) bool {
	if isAt(m.text, at, isLetter) {
		end := run(m.text, at, isLetter, longestWord)
		return phraseVerbs.has(m.text[at:end]) && wordEnds(m.text, end)
	}
	l := link{at: at}
	return at < len(m.text) && (m.sign(&l) || m.linkWord(&l)) && l.bond > bondLoose
}

// phraseWord gives the end of the word of a phrase at text[at], at itself where
// the phrase breaks off.
func (m *masker) phraseWord(at int) int {
	if byteAt(m.text, at) >= utf8.RuneSelf {
		_, size := utf8.DecodeRuneInString(m.text[at:])
		return at + size
	}
	end := at
	for end < len(m.text) && m.text[end] < utf8.RuneSelf && space(m.text, end) == 0 {
		switch m.text[end] {
		case '\n', '?', '!', ';', ',':
			return at
		case ':', '=':
			return end
		}
		end++
	}
	if end > at && m.text[end-1] == '.' {
		return at
	}
	return end
}
