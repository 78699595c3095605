package openclaw

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// key reads the name of a member: a string or an identifier.
func (p *json5Parser) key() string {
	if c := p.peek(); c == '"' || c == '\'' {
		return p.text()
	}
	var b strings.Builder
	for p.pos < len(p.src) {
		r, n := utf8.DecodeRune(p.src[p.pos:])
		if r == '\\' && p.pos+1 < len(p.src) && p.src[p.pos+1] == 'u' {
			p.pos += 2
			r, n = p.hex(4), 0
		}
		if !isIdentifierRune(r, b.Len() == 0) {
			break
		}
		b.WriteRune(r)
		p.pos += n
	}
	if b.Len() == 0 {
		p.fail("unexpected %s where a key should be", p.here())
	}
	return b.String()
}

func isIdentifierRune(r rune, first bool) bool {
	if r == utf8.RuneError {
		return false
	}
	if r == '$' || r == '_' || unicode.IsLetter(r) || unicode.Is(unicode.Nl, r) {
		return true
	}
	joiner := r == '\u200C' || r == '\u200D'
	return !first && (joiner || unicode.In(r, unicode.Mn, unicode.Mc, unicode.Nd, unicode.Pc))
}

// text reads a quoted string. Bytes that are no UTF-8 become U+FFFD.
func (p *json5Parser) text() string {
	quote := p.src[p.pos]
	p.pos++
	start, plain := p.pos, true
	var b strings.Builder
	for {
		c := p.peek()
		switch {
		case p.pos >= len(p.src):
			p.fail("a text has no end")
		case c == quote:
			raw := string(p.src[start:p.pos])
			p.pos++
			if plain {
				return validText(raw)
			}
			b.WriteString(raw)
			return validText(b.String())
		case c == '\n' || c == '\r':
			p.fail("a text goes on over the end of the line")
		case c == '\\':
			b.Write(p.src[start:p.pos])
			plain = false
			p.escape(&b)
			start = p.pos
		default:
			p.pos++
		}
	}
}

var json5Escapes = map[byte]byte{'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t', 'v': '\v'}

// escape reads what a backslash begins and writes what it means.
func (p *json5Parser) escape(b *strings.Builder) {
	p.pos++
	if p.pos >= len(p.src) {
		p.fail("a text has no end")
	}
	c := p.src[p.pos]
	if to, ok := json5Escapes[c]; ok {
		p.pos++
		b.WriteByte(to)
		return
	}
	switch {
	case p.take("\r\n"), p.take("\n"), p.take("\r"), p.take("\u2028"), p.take("\u2029"):
		// the text goes on in the next line
	case p.take("x"):
		b.WriteRune(p.hex(2))
	case p.take("u"):
		b.WriteRune(p.unit())
	case c == '0' && !(p.pos+1 < len(p.src) && isDigit(p.src[p.pos+1])):
		p.pos++
		b.WriteByte(0)
	case isDigit(c):
		p.fail("unexpected %s after a backslash", p.here())
	default:
		r, n := utf8.DecodeRune(p.src[p.pos:])
		b.WriteRune(r)
		p.pos += n
	}
}

// unit reads the digits of a \u escape, and of the second one where the first
// is half of a character. A lone half becomes U+FFFD.
func (p *json5Parser) unit() rune {
	r := p.hex(4)
	if !utf16.IsSurrogate(r) {
		return r
	}
	back := p.pos
	if p.take(`\u`) {
		if pair := utf16.DecodeRune(r, p.hex(4)); pair != utf8.RuneError {
			return pair
		}
		p.pos = back
	}
	return utf8.RuneError
}

func (p *json5Parser) hex(digits int) rune {
	if p.pos+digits > len(p.src) {
		p.fail("an escape has too few digits")
	}
	n, err := strconv.ParseUint(string(p.src[p.pos:p.pos+digits]), 16, 32)
	if err != nil {
		p.fail("an escape has wrong digits")
	}
	p.pos += digits
	return rune(n)
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// validText replaces each byte that is no UTF-8 by U+FFFD.
func validText(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	return string([]rune(s))
}
