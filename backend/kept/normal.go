package kept

import (
	"unicode"
	"unicode/utf8"

	"tidemark/backend/hans"
)

// Normal folds a text for comparing: width, case, accents, white space and
// punctuation, and traditional to simplified characters. Of punctuation only
// what is part of a number stays (7:30, 3.5, 1-3, -5). Between words is one
// blank, beside Chinese and Japanese characters none. Symbols that carry meaning
// (% $ + < > # @ &) stay, pictures do not.
//
// Keys of messages are made of it: a change of what it gives is a change of the
// ledger's format.
func Normal(text string) string {
	n := normaliser{out: make([]rune, 0, len(text))}
	n.run(text)
	return string(n.out)
}

// barrier stands in normalised text for what can be part of no comparison.
const barrier rune = -1

// normaliser folds one text. With places it also notes where each rune that it
// gives begins and ends in the text, in bytes.
type normaliser struct {
	out    []rune
	places bool
	at     []span

	blank bool // there was something between the last rune and what comes
	begun bool // something other than marks of a list or quotation stands on this line
}

// run folds the text. Marks of forgotten text become barriers where places are
// noted.
func (n *normaliser) run(text string) {
	prev := rune(0) // the folded character before
	for at := 0; at < len(text); {
		r, size := rune(text[at]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(text[at:])
		} else if r == '[' && n.places && isMark(text[at:]) {
			n.put(barrier, at, at+len(forgottenMark))
			at, prev = at+len(forgottenMark), barrier
			continue
		}
		r = fold(r)
		if r >= 'a' && r <= 'z' || r >= firstHan && r <= lastHan || isDigit(r) { // most are
			n.put(r, at, at+size)
			prev = r
		} else {
			n.take(r, prev, text, at, at+size)
			if !ignored(r) {
				prev = r
			}
		}
		at += size
	}
}

// take takes one folded character; prev is the one before it.
func (n *normaliser) take(r, prev rune, text string, at, end int) {
	switch {
	case r == '\n' || r == '\r':
		n.blank, n.begun = true, false
	case r == ' ' || r == '\t':
		n.blank = true
	case ignored(r):
		n.extend(r, end)
	case r == '\'' && isLetter(prev):
		// don't and dont are one word
	case inNumber(r) && n.partOfNumber(r, prev, text[end:]):
		if r != ',' {
			n.put(r, at, end)
		}
	case isMeaning(r) && (n.begun || r != '>' && r != '+' && r != '#'):
		n.put(r, at, end)
	case isWord(r):
		n.put(r, at, end)
	default:
		n.blank = true
	}
}

// put adds a rune, with a blank before it where one belongs.
func (n *normaliser) put(r rune, at, end int) {
	if n.blank {
		if len(n.out) > 0 && spaced(n.out[len(n.out)-1]) && spaced(r) {
			n.add(' ', at, at)
		}
		n.blank = false
	}
	n.begun = true
	n.add(r, at, end)
}

func (n *normaliser) add(r rune, at, end int) {
	n.out = append(n.out, r)
	if n.places {
		n.at = append(n.at, span{int32(at), int32(end)})
	}
}

// span is where a rune begins and ends in a text, in bytes.
type span struct{ from, to int32 }

// extend takes a mark that belongs to the rune before it.
func (n *normaliser) extend(r rune, end int) {
	last := len(n.out) - 1
	if last < 0 || n.blank || n.out[last] == barrier {
		return
	}
	if r == voiced || r == halfVoiced {
		n.out[last] = voice(n.out[last], r)
	}
	if n.places {
		n.at[last].to = int32(end)
	}
}

// partOfNumber says whether a mark belongs to the digits around it.
func (n *normaliser) partOfNumber(r, prev rune, rest string) bool {
	next, size := nextFolded(rest)
	switch {
	case !isDigit(next):
		return false
	case r == ',':
		return isDigit(prev) && groupOfThree(rest[size:])
	case r == '-' && !isDigit(prev):
		return !isLetter(prev) || prev == 'c' || prev == 't' // utc-8, gmt-8
	}
	return isDigit(prev)
}

// nextFolded gives the first character of a text, folded.
func nextFolded(text string) (r rune, size int) {
	if text == "" {
		return 0, 0
	}
	r, size = utf8.DecodeRuneInString(text)
	return fold(r), size
}

// groupOfThree says whether what stands behind the first digit after a comma
// makes it a group of thousands.
func groupOfThree(text string) bool {
	for range 2 {
		r, size := nextFolded(text)
		if !isDigit(r) {
			return false
		}
		text = text[size:]
	}
	r, _ := nextFolded(text)
	return !isDigit(r)
}

// fold gives the form in which one character is compared.
func fold(r rune) rune {
	switch {
	case r < 'A':
		return r
	case r <= 'Z':
		return r + 'a' - 'A'
	case r < 0x80:
		return r
	case r <= lastAccented:
		return unaccented(r)
	case r >= 0x3400 && r <= 0x9fff:
		return hans.Simplify(r)
	}
	return foldOther(r)
}

func foldOther(r rune) rune {
	switch {
	case r == 0x3000 || r == 0x2028 || r == 0x2029 || r >= 0x2000 && r <= 0x200a || r == 0x202f:
		return ' '
	case r >= 0xff01 && r <= 0xff5e: // full width
		return fold(r - 0xff01 + '!')
	case r == 0x2019 || r == 0x2018 || r == 0x02bc || r == 0x0060:
		return '\''
	case r >= 0x2010 && r <= 0x2015 || r == 0x2212 || r == 0x301c:
		return '-'
	case r == 0xffe5:
		return '¥'
	case r == 0x30fb || r == 0xff65:
		return ' '
	case r >= 0xff66 && r <= 0xff9f:
		return wideKana(r)
	case r == 0x3099:
		return voiced
	case r == 0x309a:
		return halfVoiced
	}
	return unicode.ToLower(r)
}

func isDigit(r rune) bool { return r >= '0' && r <= '9' }

// inNumber says whether a mark can be part of a number.
func inNumber(r rune) bool { return r == '.' || r == ':' || r == ',' || r == '/' || r == '-' }

// isLetter says whether a rune is a letter of a script that has blanks between
// words.
func isLetter(r rune) bool {
	return r >= 'a' && r <= 'z' || r > 0x7f && !isCJK(r) && unicode.IsLetter(r)
}

// isWord says whether a rune is part of words.
func isWord(r rune) bool { return isCJK(r) || unicode.IsLetter(r) || unicode.IsNumber(r) }

// isMeaning says whether a symbol says something.
func isMeaning(r rune) bool {
	switch r {
	case '%', '$', '+', '<', '>', '=', '#', '@', '&', '°', '€', '£', '¥', '₹', '‰':
		return true
	}
	return false
}

// spaced says whether blanks beside a rune count.
func spaced(r rune) bool { return r != barrier && !isCJK(r) }

// isCJK says whether a rune is of a script that has no blanks between words.
func isCJK(r rune) bool {
	return r >= 0x3005 && r <= 0x3007 || r >= 0x3040 && r <= 0x30ff || r >= 0x3400 && r <= 0x9fff || r >= 0xf900 && r <= 0xfaff || r >= 0x20000 && r <= 0x3ffff
}

// ignored says whether a character is as good as not there: combining marks,
// joiners, marks of direction.
func ignored(r rune) bool {
	switch {
	case r < 0x80:
		return false
	case r >= 0x0300 && r <= 0x036f, r == 0xad, r >= 0x200b && r <= 0x200f, r >= 0x202a && r <= 0x202e, r >= 0x2060 && r <= 0x206f,
		r >= 0xfe00 && r <= 0xfe0f, r == 0xfeff, r == voiced, r == halfVoiced:
		return true
	}
	return false
}
