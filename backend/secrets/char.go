package secrets

import "unicode/utf8"

// Classes of bytes, combined to sets with |.
const (
	isLower uint8 = 1 << iota
	isUpper
	isDigit
	isUnder // _
	isDash  // -
	isDot   // .
	isBase  // + / = of base64
	isTilde // ~
)

const (
	isLetter = isLower | isUpper
	isAlnum  = isLetter | isDigit
	isWord   = isAlnum | isUnder
	isName   = isWord | isDash // what identifiers and most tokens are made of
)

var classes = func() (c [256]uint8) {
	for b := 'a'; b <= 'z'; b++ {
		c[b], c[b-'a'+'A'] = isLower, isUpper
	}
	for b := '0'; b <= '9'; b++ {
		c[b] = isDigit
	}
	c['_'], c['-'], c['.'], c['~'] = isUnder, isDash, isDot, isTilde
	c['+'], c['/'], c['='] = isBase, isBase, isBase
	return c
}()

func is(c byte, set uint8) bool { return classes[c]&set != 0 }

// isAt says whether text[at] exists and is of the set.
func isAt(text string, at int, set uint8) bool {
	return at >= 0 && at < len(text) && classes[text[at]]&set != 0
}

// byteAt gives text[at], 0 outside of the text.
func byteAt(text string, at int) byte {
	if at < 0 || at >= len(text) {
		return 0
	}
	return text[at]
}

// run gives the end of the bytes of the set from text[at] on, looking at no
// more than limit of them.
func run(text string, at int, set uint8, limit int) int {
	end := min(len(text), at+limit)
	for at < end && classes[text[at]]&set != 0 {
		at++
	}
	return at
}

// runBack is run in the other direction: it gives the beginning of the bytes
// of the set that end before text[at].
func runBack(text string, at int, set uint8, limit int) int {
	low := max(0, at-limit)
	for at > low && classes[text[at-1]]&set != 0 {
		at--
	}
	return at
}

// escaped says that text[at] is the letter of an escape such as \n, which
// belongs to no word even where a text is still JSON source.
func escaped(text string, at int) bool {
	if at < 1 || text[at-1] != '\\' {
		return false
	}
	return text[at] == 'n' || text[at] == 'r' || text[at] == 't'
}

// opens says that a token may begin at text[at]: what stands before is not a
// part of the same word.
func opens(text string, at int) bool {
	if at == 0 || !is(text[at-1], isName) || escaped(text, at-1) {
		return true
	}
	return text[at-1] == '-' && !isAt(text, at-2, isName)
}

// hasFold says whether text continues at text[at] with word, which is lower
// case; ASCII letters of text match in either case.
func hasFold(text string, at int, word string) bool {
	if at < 0 || at+len(word) > len(text) {
		return false
	}
	for i := 0; i < len(word); i++ {
		if lowered(text[at+i]) != word[i] {
			return false
		}
	}
	return true
}

// endsFold says whether text[:end] ends with word, as hasFold compares.
func endsFold(text string, end int, word string) bool {
	return hasFold(text, end-len(word), word)
}

func lowered(c byte) byte {
	if is(c, isUpper) {
		return c + ('a' - 'A')
	}
	return c
}

// space gives the length of the blank at text[at], 0 if there is none: space,
// tab, no-break space and ideographic space, but no line end.
func space(text string, at int) int {
	switch byteAt(text, at) {
	case ' ', '\t':
		return 1
	case 0xC2:
		if byteAt(text, at+1) == 0xA0 {
			return 2
		}
	case 0xE3:
		if byteAt(text, at+1) == 0x80 && byteAt(text, at+2) == 0x80 {
			return 3
		}
	}
	return 0
}

// skipSpace gives the first position from at on that is no blank.
func skipSpace(text string, at int) int {
	for {
		n := space(text, at)
		if n == 0 {
			return at
		}
		at += n
	}
}

// letterPair says that a two-byte letter begins at text[at]: Latin with
// accents, Greek or Cyrillic, which can stand inside a password.
func letterPair(text string, at int) bool {
	c := byteAt(text, at)
	return c >= 0xC3 && c <= 0xD4 && byteAt(text, at+1)&0xC0 == 0x80
}

// wide gives the ASCII byte that the full-width form at text[at] stands for,
// 0 if it is none of a letter or a digit.
func wide(text string, at int) byte {
	if byteAt(text, at) != 0xEF {
		return 0
	}
	r, _ := utf8.DecodeRuneInString(text[at:])
	if r < '！' || r > '～' {
		return 0
	}
	if c := byte(r - '！' + '!'); is(c, isAlnum) {
		return c
	}
	return 0
}

// lexicon is a set of lower-case words.
type lexicon map[string]struct{}

// longestWord bounds the words of a lexicon: what is longer is in none.
const longestWord = 40

func words(list ...string) lexicon {
	l := make(lexicon, len(list))
	for _, w := range list {
		l[w] = struct{}{}
	}
	return l
}

// has says whether the set holds the word, in either case of ASCII letters.
func (l lexicon) has(word string) bool {
	var low [longestWord]byte
	if len(word) > len(low) {
		return false
	}
	for i := 0; i < len(word); i++ {
		low[i] = lowered(word[i])
	}
	_, ok := l[string(low[:len(word)])]
	return ok
}
