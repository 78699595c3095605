package capture

import "unicode"

// charKind says what a folded code point is to the reader of tokens.
type charKind uint8

const (
	charBlank charKind = iota
	charSpace
	charWord // of Latin and other scripts that set spaces between words
	charHan  // ideographs, kana, Hangul: a token each
	charStop // ends a sentence
	charPart // parts clauses
	charSign
)

var asciiKinds = func() (table [128]charKind) {
	for r := range table {
		switch c := rune(r); {
		case c == blank || c == mask:
			table[r] = charBlank
		case c == '\n' || c == '!' || c == '?' || c == ';':
			table[r] = charStop
		case c <= ' ' || c == 0x7f:
			table[r] = charSpace
		case c >= '0' && c <= '9', c >= 'A' && c <= 'Z', c >= 'a' && c <= 'z', c == '_':
			table[r] = charWord
		case c == ',' || c == ':' || c == '(' || c == ')' || c == '|' || c == '[' || c == ']' || c == '{' || c == '}' || c == '"' || c == '~':
			table[r] = charPart
		default:
			table[r] = charSign
		}
	}
	return table
}()

func kindOf(r rune) charKind {
	switch {
	case r < 128:
		return asciiKinds[r]
	case isHan(r):
		return charHan
	case r == '。' || r == '！' || r == '？' || r == '；' || r == '…' || r == '｡' || r == 0x2028 || r == 0x2029:
		return charStop
	case r == '，' || r == '、' || r == '：' || r == '（' || r == '）' || r == '．' || r >= 0x2010 && r <= 0x203a || r >= 0x3001 && r <= 0x303f || r == '・' || r == '·':
		return charPart
	case isPicture(r):
		return charStop
	case unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsDigit(r):
		return charWord
	case unicode.IsSpace(r), r == unicode.ReplacementChar:
		return charSpace
	}
	return charSign
}

func isHan(r rune) bool {
	return r >= 0x4e00 && r <= 0x9fff || r >= 0x3041 && r <= 0x30ff && r != '・' || r >= 0xac00 && r <= 0xd7a3 ||
		r == '々' || r == '〇' || r >= 0x3400 && r <= 0x4dbf || r >= 0x20000 && r <= 0x3ffff || r >= 0xf900 && r <= 0xfaff || r >= 0x3105 && r <= 0x312f
}

// isHangul tells the script that sets spaces between its words.
func isHangul(r rune) bool { return r >= 0xac00 && r <= 0xd7a3 }

// isPicture tells emoji and arrows.
func isPicture(r rune) bool {
	return r >= 0x1f000 && r <= 0x1faff || r >= 0x2190 && r <= 0x21ff || r >= 0x2300 && r <= 0x27bf || r >= 0x2b00 && r <= 0x2bff || r == 0xfe0f || r == 0x200d
}
