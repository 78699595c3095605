package kept

import (
	"strings"
	"unicode/utf8"
)

// atom is the smallest part of a text: an ideograph or kana, a word, a number,
// or a symbol.
type atom struct {
	text   string
	han    rune // the ideograph, 0 where it is something else
	digits bool
	apart  bool // a clause begins with it
	name   bool // written with a capital, and not at the beginning of a sentence

	known  bool
	number uint32 // in the list of words, where known
}

// scanner takes texts apart. What it gives holds until it takes the next one.
type scanner struct {
	atoms []atom
	fold  normaliser
}

// scan takes a text apart, folded as for comparing, and gives it folded. Clauses
// end at punctuation.
func (s *scanner) scan(text string) (folded string) {
	n := &s.fold
	n.places, n.out, n.at, n.blank, n.begun = true, n.out[:0], n.at[:0], false, false
	s.atoms = s.atoms[:0]
	n.run(text)
	for i, r := range n.out {
		if r == barrier {
			n.out[i] = ' '
		}
	}
	folded = string(n.out)
	at := 0 // in folded
	for i := 0; i < len(n.out); {
		kind := kindOf(n.out[i])
		j, end := i, at
		for j < len(n.out) && kindOf(n.out[j]) == kind {
			end += utf8.RuneLen(n.out[j])
			j++
			if kind == kindHan || kind == kindSymbol {
				break
			}
		}
		if kind != kindBlank {
			a := atom{text: folded[at:end], digits: kind == kindDigits}
			if r := n.out[i]; r >= firstHan && r <= lastHan {
				a.han = r
			}
			a.apart = i > 0 && endsClause(text[n.at[i-1].to:n.at[i].from])
			if i > 1 && n.out[i-1] == ' ' {
				a.apart = endsClause(text[n.at[i-2].to:n.at[i].from])
			}
			a.name = kind == kindWord && i > 0 && isCapital(text[n.at[i].from:])
			s.atoms = append(s.atoms, a)
		}
		i, at = j, end
	}
	return folded
}

// Kinds of runes of which atoms are made.
const (
	kindBlank = iota
	kindHan
	kindWord
	kindDigits
	kindSymbol
)

func kindOf(r rune) int {
	switch {
	case r >= 'a' && r <= 'z':
		return kindWord
	case r == ' ' || r == barrier:
		return kindBlank
	case isDigit(r) || inNumber(r):
		return kindDigits
	case isCJK(r):
		return kindHan
	case isMeaning(r):
		return kindSymbol
	}
	return kindWord
}

// endsClause says whether what stands between two atoms ends a clause.
func endsClause(between string) bool {
	return strings.ContainsAny(between, ",.;:!?，。；：！？、…\n（）()—")
}

func isCapital(text string) bool { return text != "" && text[0] >= 'A' && text[0] <= 'Z' }

// unlike are words that would look like others without their endings.
var unlike = map[string]bool{"note": true, "quite": true, "mine": true, "ones": true, "times": true, "books": true, "cans": true, "does": true}

// stem cuts endings off an English word, so that its forms are one. It need not
// be a word that is left.
func stem(word string) string {
	if len(word) < 4 || word[0] < 'a' || word[0] > 'z' || unlike[word] {
		return word
	}
	w := word
	switch {
	case strings.HasSuffix(w, "ies"):
		w = w[:len(w)-3] + "y"
	case strings.HasSuffix(w, "sses"), strings.HasSuffix(w, "shes"), strings.HasSuffix(w, "ches"), strings.HasSuffix(w, "xes"):
		w = w[:len(w)-2]
	case strings.HasSuffix(w, "s") && !strings.HasSuffix(w, "ss") && !strings.HasSuffix(w, "us") && !strings.HasSuffix(w, "is"):
		w = w[:len(w)-1]
	case strings.HasSuffix(w, "ing") && len(w) > 5:
		w = undouble(w[:len(w)-3])
	case strings.HasSuffix(w, "ed") && !strings.HasSuffix(w, "eed") && len(w) > 4:
		w = undouble(w[:len(w)-2])
	}
	if len(w) > 3 && strings.HasSuffix(w, "e") && !unlike[w] {
		w = w[:len(w)-1]
	}
	return w
}

// undouble takes off a consonant that was doubled before an ending.
func undouble(w string) string {
	n := len(w)
	if n > 3 && w[n-1] == w[n-2] && !strings.ContainsRune("aeiouls", rune(w[n-1])) {
		return w[:n-1]
	}
	return w
}
