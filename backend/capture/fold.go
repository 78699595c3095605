package capture

import (
	"unicode"

	"tidemark/backend/hans"
)

// blank stands in folded text for what is not the person's own words.
const blank rune = 0

// CJK ideographs that are looked up by table.
const (
	firstHan = 0x4e00
	lastHan  = 0x9fff
)

// variant gives the common form of characters that package hans leaves alone,
// one for 账 and 帐 too.
func variant(r rune) rune {
	switch r {
	case '粧':
		return '妆'
	case '帐':
		return '账'
	case '舖':
		return '铺'
	case '菓':
		return '果'
	case '衹':
		return '只'
	case '珮':
		return '佩'
	case '鎗':
		return '枪'
	case '隣':
		return '邻'
	}
	return r
}

// fold gives the form in which a code point is compared: lower case, narrow,
// simplified, quotes straight where they stand in words. One code point always
// gives one, so that offsets stay.
func fold(r rune) rune {
	switch {
	case r < 0x80:
		if r >= 'A' && r <= 'Z' {
			return r + 'a' - 'A'
		}
		if r == blank {
			return ' '
		}
		return r
	case r >= firstHan && r <= lastHan:
		return variant(hans.Simplify(r))
	case r >= 0xff01 && r <= 0xff5e:
		return foldWide(r)
	case r == 0x3000, r == 0xa0, r >= 0x2000 && r <= 0x200b, r == 0xfeff, r == 0x202f:
		return ' '
	case r == 0x2019, r == 0x2bc, r == 0xb4:
		return '\''
	case r >= 0x600 && (r < 0x1e00 || r > 0x1fff):
		return r
	}
	return unicode.ToLower(r)
}

// foldWide narrows a full-width form. The signs that end Chinese sentences and
// clauses stay: a narrow one between letters is none.
func foldWide(r rune) rune {
	switch r {
	case '，', '：', '；', '！', '？', '．', '（', '）':
		return r
	}
	return fold(r - 0xfee0)
}
