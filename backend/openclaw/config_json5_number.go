package openclaw

import (
	"strconv"
	"strings"
)

func (p *json5Parser) number() float64 {
	start := p.pos
	for p.pos < len(p.src) && isNumberByte(p.src[p.pos]) {
		p.pos++
	}
	raw := string(p.src[start:p.pos])
	n, ok := json5Number(raw)
	if !ok {
		p.pos = start
		p.fail("this is not a number")
	}
	return n
}

func isNumberByte(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '+' || c == '-' || c == '.'
}

// json5Number reads a number as JavaScript does: what is too large is infinite.
func json5Number(raw string) (float64, bool) {
	digits, sign := raw, 1.0
	if raw != "" && (raw[0] == '-' || raw[0] == '+') {
		digits = raw[1:]
		if raw[0] == '-' {
			sign = -1
		}
	}
	lower := strings.ToLower(digits)
	switch {
	case digits == "Infinity" || digits == "NaN":
	case strings.HasPrefix(lower, "0x"):
		if len(digits) == 2 || strings.Trim(lower[2:], "0123456789abcdef") != "" {
			return 0, false
		}
		digits += "p0" // as strconv wants its hexadecimal floats
	case digits == "" || strings.Trim(lower, "0123456789.e+-") != "" || !strings.ContainsAny(digits, "0123456789"):
		return 0, false
	case len(digits) > 1 && digits[0] == '0' && digits[1] >= '0' && digits[1] <= '9':
		return 0, false // an octal number to some
	case digits[0] == '+' || digits[0] == '-':
		return 0, false
	}
	n, err := strconv.ParseFloat(digits, 64)
	if err != nil && !isRangeError(err) {
		return 0, false
	}
	return sign * n, true
}

func isRangeError(err error) bool {
	e, ok := err.(*strconv.NumError)
	return ok && e.Err == strconv.ErrRange
}
