package secrets

import (
	"strings"
	"testing"
)

// linkOf reads the link after the first "PW" of a text and gives it with the
// text that is left for a value.
func linkOf(text string) (link, string) {
	m := masker{text: text}
	at := strings.Index(text, "PW")
	l := m.link(at, at+len("PW"))
	return l, text[l.at:]
}

func TestLinkBonds(t *testing.T) {
	for _, c := range []struct {
		text string
		bond bond
		rest string
	}{
		{"PW", bondLoose, ""},
		{"PW x", bondLoose, "x"},
		{"PWx", bondLoose, "x"},
		{"PW: x", bondFirm, "x"},
		{"PW：x", bondFirm, "x"},
		{"PW=x", bondFirm, "x"},
		{"PW := x", bondFirm, "x"},
		{"PW -> x", bondFirm, "x"},
		{"PW → x", bondFirm, "x"},
		{"PW => x", bondFirm, "x"},
		{"PW == x", bondLoose, "== x"},
		{"PW://x", bondLoose, "://x"},
		{"PW | x", bondLoose, "x"},
		{"PW - x", bondLoose, "x"},
		{"PW — x", bondLoose, "x"},
		{"PW is x", bondVerb, "x"},
		{"PW IS x", bondVerb, "x"},
		{"PW's x", bondVerb, "x"},
		{"PW’s x", bondVerb, "x"},
		{"PW is: x", bondFirm, "x"},
		{"PW is now x", bondVerb, "x"},
		{"PW was changed to x", bondVerb, "x"},
		{"PW has been reset to x", bondVerb, "x"},
		{"PW isx", bondLoose, "isx"},
		{"PW is-x", bondLoose, "is-x"},
		{"PW是x", bondVerb, "x"},
		{"PW 是 x", bondVerb, "x"},
		{"PW改成x", bondVerb, "x"},
		{"PW已经换成了 x", bondVerb, "x"},
		{"PW给你：x", bondFirm, "x"},
		{"PW　是　x", bondVerb, "x"},
		{"PW\u00a0is x", bondVerb, "x"},
		{"PWは x", bondVerb, "x"},
		{"PW는 x", bondVerb, "x"},
		{"PW for the lab is x", bondVerb, "x"},
		{"PW for the lab: x", bondFirm, "x"},
		{"PW of the guest network at home = x", bondFirm, "x"},
		{"PW for the lab. It is x", bondLoose, "for the lab. It is x"},
		{"PW for the lab\nis x", bondLoose, "for the lab\nis x"},
		{"PW for you, is x", bondLoose, "for you, is x"},
		{"PW to abc1", bondVerb, "abc1"},
		{"PW to the lab is x", bondVerb, "x"},
		{"PW, it's x", bondVerb, "x"},
		{"PW，是x", bondVerb, "x"},
		{"PW, and x", bondLoose, ", and x"},
		{"PW (lab): x", bondFirm, "x"},
		{"PW（访客）是x", bondVerb, "x"},
		{"PW (lab) and x", bondLoose, "(lab) and x"},
		{"PW:\nx", bondFirm, "x"},
		{"PW:\r\nx", bondFirm, "x"},
		{"PW:\n\nx", bondFirm, "\nx"},
		{"PW\nx", bondLoose, "\nx"},
		{"PW: ```\nx", bondFirm, "x"},
		{"PW:\n```sh\nx", bondFirm, "x"},
		{"PW:** x", bondFirm, "x"},
		{"**PW**: x", bondFirm, "x"},
		{`"PW": "x"`, bondFirm, `"x"`},
		{"`PW`: x", bondFirm, "x"},
		{`\"PW\":\"x\"`, bondFirm, `\"x\"`},
		{"<PW>x</PW>", bondFirm, "x</PW>"},
		{"PW > x", bondLoose, "> x"},
		{"PW?", bondLoose, "?"},
		{"PW limit is 3", bondLoose, "limit is 3"},
		{"PW长度是3", bondLoose, "长度是3"},
	} {
		l, rest := linkOf(c.text)
		if l.bond != c.bond || rest != c.rest {
			t.Errorf("link of %q: bond %d before %q, want %d before %q", c.text, l.bond, rest, c.bond, c.rest)
		}
	}
}

func TestLinkMarks(t *testing.T) {
	for _, c := range []struct {
		text string
		has  func(link) bool
		what string
	}{
		{"PW=x", func(l link) bool { return l.assign && !l.spaced }, "an assignment without spaces"},
		{"PW = x", func(l link) bool { return l.assign && l.spaced }, "an assignment with spaces"},
		{"PW: x", func(l link) bool { return !l.assign && l.spaced }, "no assignment"},
		{"PW -> x", func(l link) bool { return l.turned }, "a change"},
		{"PW改成x", func(l link) bool { return l.turned }, "a change"},
		{"PW is x", func(l link) bool { return !l.turned && !l.vague }, "a plain verb"},
		{"PW is my x", func(l link) bool { return l.vague }, "a vague word"},
		{"PW for it is x", func(l link) bool { return l.phrase }, "a phrase"},
		{"PW:\nx", func(l link) bool { return l.broken }, "a line end"},
		{"<PW>x", func(l link) bool { return l.tagged }, "a tag"},
		{`say("PW: " + x)`, func(l link) bool { return l.within == `"` }, "an open quote"},
		{`"PW": "x"`, func(l link) bool { return l.within == "" }, "no open quote"},
	} {
		if l, _ := linkOf(c.text); !c.has(l) {
			t.Errorf("link of %q is %+v, want %s", c.text, l, c.what)
		}
	}
}

// A link never reaches further than it may, whatever follows the word.
func TestLinkIsBounded(t *testing.T) {
	for _, piece := range []string{" ", "is ", "的", ": ", "for a ", "(a", "to ", "*", "it's , "} {
		l, _ := linkOf("PW " + strings.Repeat(piece, 1000))
		if l.at > len("PW ")+longestLink+longestPhrase+longestNote {
			t.Errorf("after %q the link ends at %d", piece, l.at)
		}
	}
}

// The tables of joining words stay as their readers expect them.
func TestLinkWordTables(t *testing.T) {
	for w := range englishLinks {
		if w != strings.ToLower(w) || run(w, 0, isLower, len(w)) != len(w) {
			t.Errorf("English link %q is not of small letters", w)
		}
	}
	for w := range closeLinks {
		if n := len([]rune(w)); n == 0 || n > 6 {
			t.Errorf("link %q has %d characters, more than are looked at", w, n)
		}
	}
	for _, l := range []lexicon{ordinary, terms, codeNames, typeNames, prose, owners, units, quantities, prepositions, phraseVerbs, relatives, sent, calls, blanks, trailing} {
		for w := range l {
			if w != strings.ToLower(w) || len(w) > longestWord {
				t.Errorf("word %q of a lexicon can never be found", w)
			}
		}
	}
}
