// Package hans folds Chinese characters so that texts in both scripts compare
// equal: each traditional character becomes its simplified one, and variants
// of a character become one of them.
//
// It folds character by character, without a look at the words around. That is
// right for comparing and wrong for showing: 著名 becomes 着名.
package hans

import (
	_ "embed"
	"strings"
	"unicode/utf8"
)

//go:embed data/pairs.txt
var pairs string

// first and last bound the characters of the table: CJK ideographs of the basic
// plane with extension A.
const (
	first = 0x3400
	last  = 0x9fff
)

// table has the folded form of each character from first on, 0 where that is
// itself. It is built at the start, in about 50 µs: a look-up must not ask
// whether it is there.
var table = build(pairs)

func build(pairs string) *[last - first + 1]uint16 {
	t := new([last - first + 1]uint16)
	for line := range strings.Lines(pairs) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		line = strings.TrimSuffix(line, "\n")
		for line != "" {
			from, n := utf8.DecodeRuneInString(line)
			to, m := utf8.DecodeRuneInString(line[n:])
			line = line[n+m:]
			t[from-first] = uint16(to)
		}
	}
	return t
}

// Simplify gives the folded form of a character, the character itself where
// there is none. Simplify(Simplify(r)) is Simplify(r).
func Simplify(r rune) rune {
	if r < first || r > last {
		return r
	}
	if to := table[r-first]; to != 0 {
		return rune(to)
	}
	return r
}

// Text folds each character of a text. The number of characters stays. A text
// without anything to fold is given back as it is.
func Text(text string) string { return strings.Map(Simplify, text) }
