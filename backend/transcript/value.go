package transcript

import (
	"math"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
	"unsafe"
)

// text decodes the string at the cursor. A value that is no string reads as
// "" (null, a number, an object): a field of the wrong type is absent.
func (c *cursor) text() (string, error) {
	if c.space() != '"' {
		return "", c.skip()
	}
	raw, escaped, err := c.quoted()
	if err != nil {
		return "", err
	}
	if !escaped {
		return string(raw), nil
	}
	return string(unescape(nil, raw)), nil
}

// appendText decodes the string at the cursor behind buf, stopping once buf
// holds limit bytes.
func (c *cursor) appendText(buf []byte, limit int) ([]byte, error) {
	if c.space() != '"' {
		return buf, c.skip()
	}
	raw, escaped, err := c.quoted()
	if err != nil {
		return buf, err
	}
	if room := limit - len(buf); len(raw) > room {
		raw = cutRaw(raw, max(room, 0))
	}
	if !escaped {
		return append(buf, raw...), nil
	}
	return unescape(buf, raw), nil
}

// cutRaw gives at most n bytes of an undecoded string without splitting a
// character or an escape.
func cutRaw(raw []byte, n int) []byte {
	if n >= len(raw) {
		return raw
	}
	for n > 0 && !utf8.RuneStart(raw[n]) {
		n--
	}
	// An escape is at most 6 bytes, a surrogate pair 12: step back before the
	// backslash of one that the cut would split.
	for back := 1; back <= 6 && back <= n; back++ {
		if raw[n-back] != '\\' {
			continue
		}
		slashes := 1
		for n-back-slashes >= 0 && raw[n-back-slashes] == '\\' {
			slashes++
		}
		if slashes%2 == 0 {
			break
		}
		width := 2
		if n-back+1 < len(raw) && raw[n-back+1] == 'u' {
			width = 6
		}
		if back < width {
			n -= back
		}
		break
	}
	return raw[:n]
}

// unescape appends the decoded form of a raw string to buf. Broken escapes
// become U+FFFD or stay as they are; it never fails.
func unescape(buf, raw []byte) []byte {
	for i := 0; i < len(raw); {
		if raw[i] != '\\' || i+1 >= len(raw) {
			buf = append(buf, raw[i])
			i++
			continue
		}
		i++
		switch ch := raw[i]; ch {
		case 'n':
			buf = append(buf, '\n')
		case 't':
			buf = append(buf, '\t')
		case 'r':
			buf = append(buf, '\r')
		case 'b':
			buf = append(buf, '\b')
		case 'f':
			buf = append(buf, '\f')
		case 'u':
			r, n := unicodeEscape(raw[i-1:])
			buf = utf8.AppendRune(buf, r)
			i += n - 1
			continue
		default:
			buf = append(buf, ch)
		}
		i++
	}
	return buf
}

// unicodeEscape decodes \uXXXX, or two of them that form a surrogate pair, at
// the beginning of raw and gives the bytes it took.
func unicodeEscape(raw []byte) (r rune, n int) {
	hi, ok := hex4(raw)
	if !ok {
		return utf8.RuneError, 2
	}
	if !utf16.IsSurrogate(hi) {
		return hi, 6
	}
	if lo, ok := hex4(raw[6:]); ok {
		if both := utf16.DecodeRune(hi, lo); both != utf8.RuneError {
			return both, 12
		}
	}
	return utf8.RuneError, 6
}

func hex4(raw []byte) (rune, bool) {
	if len(raw) < 6 || raw[0] != '\\' || raw[1] != 'u' {
		return 0, false
	}
	var r rune
	for _, ch := range raw[2:6] {
		switch {
		case ch >= '0' && ch <= '9':
			r = r<<4 | rune(ch-'0')
		case ch >= 'a' && ch <= 'f':
			r = r<<4 | rune(ch-'a'+10)
		case ch >= 'A' && ch <= 'F':
			r = r<<4 | rune(ch-'A'+10)
		default:
			return 0, false
		}
	}
	return r, true
}

// number is a JSON number, or why there is none.
type number struct {
	v      float64
	null   bool // null: written, but no value
	bad    bool // a string, an object, NaN or infinity
	whole  int64
	isInt  bool
	absent bool
}

// number reads the value at the cursor as a number.
func (c *cursor) number() (number, error) {
	switch c.space() {
	case '"', '{', '[':
		return number{bad: true}, c.skip()
	}
	lit, err := c.literal()
	if err != nil {
		return number{bad: true}, err
	}
	if string(lit) == "null" {
		return number{null: true}, nil
	}
	if n, ok := smallInt(lit); ok {
		return number{v: float64(n), whole: n, isInt: true}, nil
	}
	v, err := strconv.ParseFloat(unsafe.String(unsafe.SliceData(lit), len(lit)), 64)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
		return number{bad: true}, nil
	}
	return number{v: v}, nil
}

// smallInt reads an integer of at most 18 digits.
func smallInt(lit []byte) (int64, bool) {
	neg := lit[0] == '-'
	digits := lit
	if neg {
		digits = lit[1:]
	}
	if len(digits) == 0 || len(digits) > 18 {
		return 0, false
	}
	var n int64
	for _, ch := range digits {
		if ch < '0' || ch > '9' {
			return 0, false
		}
		n = n*10 + int64(ch-'0')
	}
	if neg {
		n = -n
	}
	return n, true
}

// boolean reads the value at the cursor as a truth value; anything but true
// and false is not one.
func (c *cursor) boolean() (value, ok bool, err error) {
	switch c.space() {
	case 't', 'f':
		lit, err := c.literal()
		return err == nil && lit[0] == 't', err == nil, err
	}
	return false, false, c.skip()
}
