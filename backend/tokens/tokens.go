// Package tokens estimates how many tokens a text is for a language model,
// from its characters alone. It is an estimate and is to be shown as one.
package tokens

import "unicode/utf8"

// Weights in tokens per character, measured over the vocabularies in common
// use: a Chinese character is a little over half to one token, a Japanese or
// Korean one nearer to one, four Latin letters one.
const (
	perLatin  = 0.25
	perHan    = 0.85
	perKana   = 0.95
	perHangul = 1.05
	perOther  = 0.6
)

// Estimate gives the estimated number of tokens of text, 0 for an empty one
// and at least 1 for any other.
func Estimate(text string) int64 {
	sum := 0.0
	latin := 0
	for i := 0; i < len(text); {
		if text[i] < utf8.RuneSelf {
			latin++
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(text[i:])
		i += n
		sum += weight(r)
	}
	sum += float64(latin) * perLatin
	if sum > 0 && sum < 1 {
		return 1
	}
	return int64(sum + 0.5)
}

func weight(r rune) float64 {
	switch {
	case r >= 0x4e00 && r <= 0x9fff, r >= 0x3400 && r <= 0x4dbf, r >= 0x20000 && r <= 0x2ffff:
		return perHan
	case r >= 0x3040 && r <= 0x30ff:
		return perKana
	case r >= 0xac00 && r <= 0xd7af, r >= 0x1100 && r <= 0x11ff:
		return perHangul
	default:
		return perOther
	}
}
