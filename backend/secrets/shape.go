package secrets

import (
	"strings"
	"unicode/utf8"
)

// shape counts what a value consists of.
type shape struct {
	n                    int // characters
	digits, lower, upper int
	odd                  int // characters that no word has: @ # $ % ^ & * + = ~ !
	other                int // characters beyond ASCII that are no letters with accents
	spaces               int
	caps                 int // changes from a lower-case letter to a capital
}

func (s shape) letters() int { return s.lower + s.upper }

// mixed says that letters and digits stand together.
func (s shape) mixed() bool { return s.digits > 0 && s.letters() > 0 }

// number says that there are only digits.
func (s shape) number() bool { return s.digits > 0 && s.digits == s.n }

// shapeOf looks at a value once.
func shapeOf(text string) (s shape) {
	for at := 0; at < len(text); s.n++ {
		c, size := text[at], 1
		if c >= utf8.RuneSelf {
			c = wide(text, at)
			_, size = utf8.DecodeRuneInString(text[at:])
			if c == 0 && letterPair(text, at) {
				c = 'a'
			}
		}
		switch {
		case c == 0:
			s.other++
		case is(c, isDigit):
			s.digits++
		case is(c, isLower):
			s.lower++
		case is(c, isUpper):
			s.upper++
			if at > 0 && is(text[at-1], isLower) {
				s.caps++
			}
		case c == ' ':
			s.spaces++
		case strings.IndexByte("@#$%^&*+=~!", c) >= 0 && at+size < len(text):
			s.odd++ // at the end it may be the sentence's
		}
		at += size
	}
	return s
}

// slug says that a value reads like a name made of words and small numbers:
// claude-sonnet-4-6, task-list-2, v1.2.3.
func slug(text string) bool {
	if grouped(text) {
		return false
	}
	joined := false
	for at := 0; at < len(text); {
		end := run(text, at, isAlnum, len(text))
		if end < len(text) && strings.IndexByte("-_./", text[end]) < 0 {
			return false
		}
		if !slugPart(text[at:end]) {
			return false
		}
		joined = joined || end < len(text)
		at = end + 1
	}
	return joined
}

// grouped says that a value is written in three or more groups of the same
// length, four or five characters each, as keys and recovery codes are.
func grouped(text string) bool {
	size := strings.IndexByte(text, '-')
	if size < 4 || size > 6 || len(text) < 3*size+2 || len(text)%(size+1) != size {
		return false
	}
	for at := 0; at < len(text); at += size + 1 {
		if run(text, at, isAlnum, size+1) != at+size {
			return false
		}
	}
	return run(text, 0, isDigit|isDash, len(text)) < len(text)
}

// slugPart says that a part of a slug is a word, a number of up to four digits
// or a word with up to two digits after it. No word has more than 12 letters
// here: longer ones are rarer than random text.
func slugPart(text string) bool {
	letters := run(text, 0, isLetter, len(text))
	end := run(text, letters, isDigit, len(text))
	if end < len(text) { // 4o, 3b
		return len(text) <= 3
	}
	if letters == 0 {
		return end <= 4 || end == 8 && hasFold(text, 0, "20") // claude-sonnet-4-20250514
	}
	return letters <= 12 && end-letters <= 2 && !mixedCase(text[:letters])
}

// mixedCase says that capitals stand behind small letters.
func mixedCase(text string) bool {
	for i := 1; i < len(text); i++ {
		if is(text[i], isUpper) && is(text[i-1], isLower) {
			return true
		}
	}
	return false
}

// version says that a value is a number with dots: 1.2.3, v2.0, 192.168.0.1.
func version(text string) bool {
	text = strings.TrimLeft(text, "vV")
	return strings.Contains(text, ".") && run(text, 0, isDigit|isDot, len(text)) == len(text)
}

// moment says that a value is a date or a time of day.
func moment(text string) bool {
	digits, signs := 0, 0
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case is(c, isDigit):
			digits++
		case c == ':' || c == '-' || c == '/' || c == '.':
			signs++
		case (c == 'T' || c == 'Z' || c == '+') && signs > 0:
		default:
			return false
		}
	}
	if digits < 3 || signs == 0 {
		return false
	}
	first := run(text, 0, isDigit, len(text))
	sep := text[first%len(text)]
	switch {
	case first == 4 && sep != ':' && signs >= 2 && plausibleDay(text[first+1:]):
		return true
	case first <= 2 && sep == ':':
		return digits <= 6
	}
	return first <= 2 && signs == 2 && digits >= 4 && digits <= 8 && sep != ':'
}

// plausibleDay says that month and day follow.
func plausibleDay(text string) bool {
	month := run(text, 0, isDigit, len(text))
	return month >= 1 && month <= 2 && len(text) > month+1 && isAt(text, month+1, isDigit)
}

// uuid says that a value is a UUID.
func uuid(text string) bool {
	if len(text) != 36 {
		return false
	}
	for i := 0; i < len(text); i++ {
		dash := i == 8 || i == 13 || i == 18 || i == 23
		if dash != (text[i] == '-') || !dash && !hex(text[i]) {
			return false
		}
	}
	return true
}

func hex(c byte) bool {
	return is(c, isDigit) || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'
}

// allHex says that a value is nothing but hexadecimal digits.
func allHex(text string) bool {
	for i := 0; i < len(text); i++ {
		if !hex(text[i]) {
			return false
		}
	}
	return true
}
