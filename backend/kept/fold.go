package kept

import "unicode"

// lastAccented is the last character of the table of accents.
const lastAccented = 0x017f

// accents has for each letter from À on its form without accent, a blank where
// it is no letter or stays as it is.
const accents = "aaaaaa ceeeeiiii nooooo ouuuuy  aaaaaa ceeeeiiii nooooo ouuuuy y" +
	"aaaaaaccccccccddddeeeeeeeeeegggggggghhhhiiiiiiiiii  jjkk llllll  llnnnnnn   oooooo  rrrrrrssssssssttttttuuuuuuuuuuuuwwyyyzzzzzz "

func unaccented(r rune) rune {
	if r >= 0xc0 {
		if base := accents[r-0xc0]; base != ' ' {
			return rune(base)
		}
		return unicode.ToLower(r)
	}
	if r == 0xa0 {
		return ' '
	}
	return r
}

// The marks that voice a kana, as they are written in half width.
const (
	voiced     = 0xff9e
	halfVoiced = 0xff9f
)

// kana has the wide forms of the half-width kana from ｦ on.
var kana = []rune("ヲァィゥェォャュョッーアイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワン")

func wideKana(r rune) rune {
	if r < voiced {
		return kana[r-0xff66]
	}
	return r
}

// voice gives a kana with a mark that voices it.
func voice(r, mark rune) rune {
	plain := r
	if r >= 0x30a1 && r <= 0x30f6 { // as hiragana
		plain = r - 0x60
	}
	switch {
	case plain >= 'か' && plain <= 'ぢ' && plain%2 == 1 && mark == voiced,
		plain >= 'つ' && plain <= 'ど' && plain%2 == 0 && mark == voiced,
		plain >= 'は' && plain <= 'ほ' && plain%3 == 0 && mark == voiced:
		return r + 1
	case plain >= 'は' && plain <= 'ほ' && plain%3 == 0:
		return r + 2
	case plain == 'う' && mark == voiced:
		return r + 'ゔ' - 'う'
	}
	return r
}
