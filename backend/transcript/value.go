package transcript

import (
	"bytes"
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
	if !escaped && utf8.Valid(raw) {
		return string(raw), nil
	}
	return string(decoded(nil, raw, escaped)), nil
}

// appendText decodes the string at the cursor behind buf, stopping once buf
// holds limit bytes; whole says that it was not cut.
func (c *cursor) appendText(buf []byte, limit int) (longer []byte, whole bool, err error) {
	if c.space() != '"' {
		return buf, true, c.skip()
	}
	raw, escaped, err := c.quoted()
	if err != nil {
		return buf, true, err
	}
	room := max(limit-len(buf), 0)
	return decoded(buf, cutRaw(raw, room), escaped), len(raw) <= room, nil
}

// decoded appends the decoded form of a raw string to buf.
func decoded(buf, raw []byte, escaped bool) []byte {
	if !utf8.Valid(raw) {
		raw = bytes.ToValidUTF8(raw, []byte("\ufffd"))
	}
	if !escaped {
		return append(buf, raw...)
	}
	return unescape(buf, raw)
}

// longestEscape is the length of \uXXXX.
const longestEscape = 6

// cutRaw gives at most n bytes of an undecoded string without splitting a
// character, an escape or a pair of escapes that make one character.
func cutRaw(raw []byte, n int) []byte {
	if n >= len(raw) {
		return raw
	}
	for back := 0; back < utf8.UTFMax-1 && n > 0 && !utf8.RuneStart(raw[n]); back++ {
		n--
	}
	n = beforeEscape(raw, n)
	if n >= longestEscape {
		if hi, ok := hex4(raw[n-longestEscape : n]); ok && hi >= 0xd800 && hi < 0xdc00 && escapeAt(raw, n-longestEscape) {
			n -= longestEscape
		}
	}
	return raw[:n]
}

// beforeEscape moves a cut at n that lies inside an escape to where it begins.
func beforeEscape(raw []byte, n int) int {
	for back := 1; back < longestEscape && back <= n; back++ {
		if raw[n-back] != '\\' {
			continue
		}
		if !escapeAt(raw, n-back) {
			return n
		}
		width := 2
		if n-back+1 < len(raw) && raw[n-back+1] == 'u' {
			width = longestEscape
		}
		if back < width {
			return n - back
		}
		return n
	}
	return n
}

// escapeAt says whether the backslash at i begins an escape, rather than being
// the escaped half of one.
func escapeAt(raw []byte, i int) bool {
	before := 0
	for i-before-1 >= 0 && raw[i-before-1] == '\\' {
		before++
	}
	return before%2 == 0
}

// unescape appends the decoded form of a raw string to buf. Broken escapes
// become U+FFFD or stay as they are; it never fails.
func unescape(buf, raw []byte) []byte {
	for {
		n := bytes.IndexByte(raw, '\\')
		if n < 0 || n+1 >= len(raw) {
			return append(buf, raw...)
		}
		buf, raw = append(buf, raw[:n]...), raw[n:]
		width := 2
		switch ch := raw[1]; ch {
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
			var r rune
			r, width = unicodeEscape(raw)
			buf = utf8.AppendRune(buf, r)
		default:
			buf = append(buf, ch)
		}
		raw = raw[width:]
	}
}

// unicodeEscape decodes \uXXXX, or two of them that form a surrogate pair, at
// the beginning of raw and gives the bytes it took.
func unicodeEscape(raw []byte) (r rune, n int) {
	hi, ok := hex4(raw)
	if !ok {
		return utf8.RuneError, 2
	}
	if !utf16.IsSurrogate(hi) {
		return hi, longestEscape
	}
	if lo, ok := hex4(raw[longestEscape:]); ok {
		if both := utf16.DecodeRune(hi, lo); both != utf8.RuneError {
			return both, 2 * longestEscape
		}
	}
	return utf8.RuneError, longestEscape
}

func hex4(raw []byte) (rune, bool) {
	if len(raw) < longestEscape || raw[0] != '\\' || raw[1] != 'u' {
		return 0, false
	}
	var r rune
	for _, ch := range raw[2:longestEscape] {
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
		return number{v: float64(n)}, nil
	}
	if v, ok := parseNumber(unsafe.String(unsafe.SliceData(lit), len(lit))); ok {
		return number{v: v}, nil
	}
	return number{bad: true}, nil
}

// whole gives the number as an int, and whether it is one.
func (n number) whole() (int, bool) {
	if n.bad || n.null || n.absent || n.v != math.Trunc(n.v) || math.Abs(n.v) > math.MaxInt32 {
		return 0, false
	}
	return int(n.v), true
}

// parseNumber reads a decimal number. It refuses what only Go writes: words,
// hexadecimal and digits with underscores.
func parseNumber(s string) (float64, bool) {
	for _, ch := range []byte(s) {
		switch {
		case ch >= '0' && ch <= '9', ch == '-', ch == '+', ch == '.', ch == 'e', ch == 'E':
		default:
			return 0, false
		}
	}
	v, err := strconv.ParseFloat(s, 64)
	return v, err == nil && !math.IsInf(v, 0)
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
