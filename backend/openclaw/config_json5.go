package openclaw

import (
	"bytes"
	"fmt"
	"strconv"
	"unicode"
	"unicode/utf8"
)

// json5MaxDepth bounds how deep values nest. OpenClaw's configuration is a
// dozen levels deep; the bound keeps a damaged file from growing the stack.
const json5MaxDepth = 256

// syntaxError is where and why a JSON5 text is not one. Line and Column count
// from 1, Column in characters. Msg quotes at most one character of the text.
type syntaxError struct {
	Line, Column int
	Msg          string
}

func (e *syntaxError) Error() string {
	return fmt.Sprintf("line %d, column %d: %s", e.Line, e.Column, e.Msg)
}

// parseJSON5 parses one JSON5 value: objects become map[string]any (the last
// of equal keys wins), arrays []any, numbers float64 as in JavaScript, and the
// rest string, bool and nil. It accepts all of JSON5, which the usual Go
// package does not: byte order marks, keys in any script, \x, \v and \0
// escapes, every kind of white space. The error is a *syntaxError.
func parseJSON5(src []byte) (v any, err error) {
	p := &json5Parser{src: src}
	defer func() {
		if r := recover(); r != nil {
			e, ok := r.(*syntaxError)
			if !ok {
				panic(r)
			}
			v, err = nil, e
		}
	}()
	p.space()
	v = p.value(0)
	p.space()
	if p.pos < len(p.src) {
		p.fail("unexpected %s after the end", p.here())
	}
	return v, nil
}

type json5Parser struct {
	src []byte
	pos int
}

// fail ends the parse; parseJSON5 turns it into its error.
func (p *json5Parser) fail(format string, args ...any) {
	before := p.src[:min(p.pos, len(p.src))]
	line := 1 + bytes.Count(before, []byte("\n"))
	column := 1 + utf8.RuneCount(before[bytes.LastIndexByte(before, '\n')+1:])
	panic(&syntaxError{Line: line, Column: column, Msg: fmt.Sprintf(format, args...)})
}

// here names the character at the position for an error.
func (p *json5Parser) here() string {
	if p.pos >= len(p.src) {
		return "end of file"
	}
	r, _ := utf8.DecodeRune(p.src[p.pos:])
	return strconv.QuoteRune(r)
}

// peek is the byte at the position, 0 at the end.
func (p *json5Parser) peek() byte {
	if p.pos < len(p.src) {
		return p.src[p.pos]
	}
	return 0
}

func (p *json5Parser) take(prefix string) bool {
	if bytes.HasPrefix(p.src[min(p.pos, len(p.src)):], []byte(prefix)) {
		p.pos += len(prefix)
		return true
	}
	return false
}

// space skips white space and comments.
func (p *json5Parser) space() {
	for p.pos < len(p.src) {
		switch c := p.src[p.pos]; {
		case c == ' ' || c >= '\t' && c <= '\r':
			p.pos++
		case c == '/':
			p.comment()
		case c >= utf8.RuneSelf:
			r, n := utf8.DecodeRune(p.src[p.pos:])
			if r != '\uFEFF' && r != '\u2028' && r != '\u2029' && !unicode.Is(unicode.Zs, r) {
				return
			}
			p.pos += n
		default:
			return
		}
	}
}

func (p *json5Parser) comment() {
	switch {
	case p.take("//"):
		for p.pos < len(p.src) && p.src[p.pos] != '\n' && p.src[p.pos] != '\r' {
			p.pos++
		}
	case p.take("/*"):
		end := bytes.Index(p.src[p.pos:], []byte("*/"))
		if end < 0 {
			p.pos = len(p.src)
			p.fail("a comment has no end")
		}
		p.pos += end + len("*/")
	default:
		p.fail("unexpected %s", p.here())
	}
}

func (p *json5Parser) value(depth int) any {
	if depth > json5MaxDepth {
		p.fail("nested more than %d deep", json5MaxDepth)
	}
	switch c := p.peek(); {
	case c == '{':
		return p.object(depth)
	case c == '[':
		return p.array(depth)
	case c == '"' || c == '\'':
		return p.text()
	case c >= '0' && c <= '9' || c == '+' || c == '-' || c == '.' || c == 'I' || c == 'N':
		return p.number()
	case p.take("true"):
		return true
	case p.take("false"):
		return false
	case p.take("null"):
		return nil
	}
	p.fail("unexpected %s where a value should be", p.here())
	return nil
}

func (p *json5Parser) object(depth int) map[string]any {
	p.pos++
	obj := map[string]any{}
	for p.space(); p.peek() != '}'; p.space() {
		key := p.key()
		p.space()
		if !p.take(":") {
			p.fail("unexpected %s where ':' should be", p.here())
		}
		p.space()
		obj[key] = p.value(depth + 1)
		if !p.comma('}') {
			break
		}
	}
	p.pos++
	return obj
}

func (p *json5Parser) array(depth int) []any {
	p.pos++
	list := []any{}
	for p.space(); p.peek() != ']'; p.space() {
		list = append(list, p.value(depth+1))
		if !p.comma(']') {
			break
		}
	}
	p.pos++
	return list
}

// comma skips the comma after a member; false means that end follows instead.
func (p *json5Parser) comma(end byte) bool {
	p.space()
	if p.take(",") {
		return true
	}
	if p.peek() != end {
		p.fail("unexpected %s where ',' or '%c' should be", p.here(), end)
	}
	return false
}
