// Package tokens estimates how many tokens a text is for a language model,
// from its characters alone. It is an estimate and is to be shown as one.
//
// Vocabularies differ: the same Chinese text is 110 tokens for one model and
// 200 for another. The weights lie between cl100k_base, o200k_base and the one
// that Anthropic published: for Chinese, Japanese and Korean about a quarter
// below the first and the last and a quarter above the second, for English
// prose within a few hundredths of all. The package holds no state and does no
// I/O.
package tokens

import "unicode/utf8"

// Weights in hundredths of a token for a character of a script, measured over
// the vocabularies above.
const (
	lower      = 23 // English has a little over four letters and spaces a token
	upper      = 35
	digit      = 60 // most vocabularies put at most three digits together
	space      = 8  // a space is usually part of the word behind it
	lineEnd    = 50
	sign       = 50
	han        = 90
	kana       = 87
	hangul     = 93
	wideSign   = 82  // 。、「」 and full-width forms
	latin      = 60  // letters with accents
	cyrillic   = 44  // and Greek, Armenian
	semitic    = 75  // Arabic, Hebrew
	southAsian = 95  // Devanagari to Tibetan
	dash       = 70  // – “ ” …
	other      = 190 // emoji above all: two to three tokens each
	hundred    = 100
)

// ascii holds the weights of single bytes.
var ascii = weightsOfASCII()

func weightsOfASCII() (w [utf8.RuneSelf]uint8) {
	for c := range w {
		switch {
		case c >= 'a' && c <= 'z':
			w[c] = lower
		case c >= 'A' && c <= 'Z':
			w[c] = upper
		case c >= '0' && c <= '9':
			w[c] = digit
		case c == ' ':
			w[c] = space
		case c < ' ':
			w[c] = lineEnd
		default:
			w[c] = sign
		}
	}
	return w
}

// Estimate gives the estimated number of tokens of text, 0 for an empty one
// and at least 1 for any other. Bytes that are no UTF-8 count as one
// character each.
func Estimate(text string) int64 {
	var sum int64
	for i := 0; i < len(text); {
		if c := text[i]; c < utf8.RuneSelf {
			sum += int64(ascii[c])
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(text[i:])
		i += n
		sum += weight(r)
	}
	if sum == 0 {
		return 0
	}
	return max((sum+hundred/2)/hundred, 1)
}

// weight gives the weight of a character that is not ASCII.
func weight(r rune) int64 {
	switch {
	case r >= 0x4e00 && r <= 0x9fff, r >= 0x3400 && r <= 0x4dbf, r >= 0x20000 && r <= 0x3ffff, r >= 0xf900 && r <= 0xfaff:
		return han
	case r >= 0x3040 && r <= 0x30ff, r >= 0x31f0 && r <= 0x31ff:
		return kana
	case r >= 0xac00 && r <= 0xd7af, r >= 0x1100 && r <= 0x11ff, r >= 0x3130 && r <= 0x318f:
		return hangul
	case r >= 0x3000 && r <= 0x303f, r >= 0xff00 && r <= 0xffef:
		return wideSign
	case r < 0x0300, r >= 0x1e00 && r < 0x1f00:
		return latin
	case r < 0x0590:
		return cyrillic
	case r < 0x0780, r >= 0xfb50 && r < 0xfe00, r >= 0xfe70 && r < 0xff00:
		return semitic
	case r < 0x1100:
		return southAsian
	case r >= 0x2000 && r < 0x2070:
		return dash
	default:
		return other
	}
}
