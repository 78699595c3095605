package secrets

import "strings"

// mostWide bounds the digits of a full-width number that are read together.
const mostWide = 24

// wideNumber masks a card or an identity number in full-width digits, the first
// of which stands at text[at].
func (m *masker) wideNumber(at int) int {
	var digits [mostWide]byte
	n, to := 0, at
	for n < mostWide {
		c, end := m.wideDigit(to, n)
		if c == 0 {
			break
		}
		digits[n], to = c, end
		n++
	}
	if kind := m.wideKind(string(digits[:n]), at); kind != markNone && n < mostWide {
		m.mask(at, to, kind)
	}
	return to
}

// wideDigit reads the digit at text[at], the nth of a number, or behind one
// sign that may stand between digits; and the X that can end an identity
// number. c is 0 where the number ends.
func (m *masker) wideDigit(at, n int) (c byte, end int) {
	for _, sign := range []string{"　", "－", " ", "-"} {
		if n > 0 && strings.HasPrefix(m.text[at:], sign) {
			at += len(sign)
			break
		}
	}
	if isAt(m.text, at, isDigit) {
		return m.text[at], at + 1
	}
	if n == 17 && lowered(byteAt(m.text, at)) == 'x' {
		return 'x', at + 1
	}
	if c = wide(m.text, at); is(c, isDigit) || n == 17 && lowered(c) == 'x' {
		return lowered(c), at + 3
	}
	return 0, at
}

// wideKind says what the digits are of a number that begins at text[at].
func (m *masker) wideKind(digits string, at int) mark {
	n := len(digits)
	named := m.named(at)
	switch {
	case n == 18 && identityDigits(digits[:17], digits[17]):
		return markIdentity
	case n < 12 || n > 19 || digits[n-1] == 'x' || named == namedOrder:
		return markNone
	case named == namedCard, n >= 13 && issued(digits) && luhn(digits):
		return markCard
	}
	return markNone
}
