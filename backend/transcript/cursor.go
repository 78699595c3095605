package transcript

import (
	"bytes"
	"errors"
	"fmt"
)

// ErrSyntax says that the bytes are no JSON object, or that something stands
// behind its end. Recover may still find whole records in them.
var ErrSyntax = errors.New("not a JSON object")

// maxDepth bounds nesting: OpenClaw nests fewer than 20 levels, and an
// attacker's million brackets must not exhaust the stack.
const maxDepth = 512

// cursor walks JSON text. After an error its position is where it stopped; it
// never lies behind the end of the text.
//
// It takes everything that is JSON and nests at most maxDepth levels, and some
// that is not, so that one damaged value does not cost the record: the words
// NaN, Infinity and -Infinity and malformed numbers (they count as "not a
// number"), control characters and unknown escapes inside strings, and bytes
// that are no UTF-8 (they read as U+FFFD).
type cursor struct {
	b []byte
	i int
}

func (c *cursor) fail(what string) error {
	return fmt.Errorf("%w: %s at byte %d", ErrSyntax, what, c.i)
}

// space moves to the next byte that is no white space and gives it, 0 at the end.
func (c *cursor) space() byte {
	for c.i < len(c.b) {
		switch ch := c.b[c.i]; ch {
		case ' ', '\t', '\n', '\r':
			c.i++
		default:
			return ch
		}
	}
	return 0
}

// ended says that nothing but white space follows.
func (c *cursor) ended() error {
	if c.space(); c.i < len(c.b) {
		return c.fail("something behind the record")
	}
	return nil
}

// quoted gives the raw inside of the string that begins at the cursor, and
// whether it holds escapes.
func (c *cursor) quoted() (raw []byte, escaped bool, err error) {
	if c.i >= len(c.b) || c.b[c.i] != '"' {
		return nil, false, c.fail("expected a string")
	}
	start := c.i + 1
	for at := start; ; {
		n := bytes.IndexByte(c.b[at:], '"')
		if n < 0 {
			c.i = len(c.b)
			return nil, false, c.fail("string without end")
		}
		end := at + n
		if end == start || c.b[end-1] != '\\' {
			c.i = end + 1
			return c.b[start:end], escaped || bytes.IndexByte(c.b[start:end], '\\') >= 0, nil
		}
		escaped = true
		slashes := 1
		for end-1-slashes >= start && c.b[end-1-slashes] == '\\' {
			slashes++
		}
		if slashes%2 == 0 {
			c.i = end + 1
			return c.b[start:end], true, nil
		}
		at = end + 1
	}
}

// skipQuoted moves behind the string that begins at the cursor.
func (c *cursor) skipQuoted() error {
	start := c.i + 1
	for at := start; ; {
		n := bytes.IndexByte(c.b[at:], '"')
		if n < 0 {
			c.i = len(c.b)
			return c.fail("string without end")
		}
		end := at + n
		slashes := 0
		for end-1-slashes >= start && c.b[end-1-slashes] == '\\' {
			slashes++
		}
		if slashes%2 == 0 {
			c.i = end + 1
			return nil
		}
		at = end + 1
	}
}

// skip moves behind the value that begins at the cursor.
func (c *cursor) skip() error { return c.skipDeep(0) }

func (c *cursor) skipDeep(depth int) error {
	if depth > maxDepth {
		return c.fail("nested too deep")
	}
	switch c.space() {
	case '"':
		return c.skipQuoted()
	case '{':
		return c.fields(depth, func([]byte) error { return c.skipDeep(depth + 1) })
	case '[':
		return c.items(depth, func() error { return c.skipDeep(depth + 1) })
	default:
		_, err := c.literal()
		return err
	}
}

// is says whether the value at the cursor is the given literal, without
// moving behind it.
func (c *cursor) is(lit string) bool {
	c.space()
	return len(c.b)-c.i >= len(lit) && string(c.b[c.i:c.i+len(lit)]) == lit
}

// literal gives the number, true, false or null at the cursor. NaN and
// Infinity, which some writers emit, are taken as literals too. Whether what
// begins like a number is one is left to who needs its value.
func (c *cursor) literal() ([]byte, error) {
	start := c.i
	for c.i < len(c.b) {
		switch ch := c.b[c.i]; {
		case ch >= '0' && ch <= '9', ch >= 'a' && ch <= 'z', ch >= 'A' && ch <= 'Z', ch == '-', ch == '+', ch == '.':
			c.i++
			continue
		}
		break
	}
	lit := c.b[start:c.i]
	if len(lit) == 0 {
		return nil, c.fail("expected a value")
	}
	switch lit[0] {
	case 't', 'f', 'n', 'N', 'I':
		switch string(lit) {
		case "true", "false", "null", "NaN", "Infinity":
			return lit, nil
		}
		return nil, c.fail("unknown word")
	}
	if lit[0] != '-' && (lit[0] < '0' || lit[0] > '9') {
		return nil, c.fail("expected a value")
	}
	return lit, nil
}

// fields calls f with each raw key of the object at the cursor; f must move
// behind the value. Keys with escapes are handed on undecoded: no field that
// is looked for is written with one. A key that stands there twice is handed on
// twice; the last one counts, as in OpenClaw.
func (c *cursor) fields(depth int, f func(key []byte) error) error {
	if depth > maxDepth {
		return c.fail("nested too deep")
	}
	if c.space() != '{' {
		return c.fail("expected an object")
	}
	c.i++
	if c.space() == '}' {
		c.i++
		return nil
	}
	for {
		c.space()
		key, _, err := c.quoted()
		if err != nil {
			return err
		}
		if c.space() != ':' {
			return c.fail("expected a colon")
		}
		c.i++
		c.space()
		if err := f(key); err != nil {
			return err
		}
		switch c.space() {
		case ',':
			c.i++
		case '}':
			c.i++
			return nil
		default:
			return c.fail("expected a comma")
		}
	}
}

// items calls f at each element of the array at the cursor; f must move behind
// the element.
func (c *cursor) items(depth int, f func() error) error {
	if depth > maxDepth {
		return c.fail("nested too deep")
	}
	if c.space() != '[' {
		return c.fail("expected an array")
	}
	c.i++
	if c.space() == ']' {
		c.i++
		return nil
	}
	for {
		c.space()
		if err := f(); err != nil {
			return err
		}
		switch c.space() {
		case ',':
			c.i++
		case ']':
			c.i++
			return nil
		default:
			return c.fail("expected a comma")
		}
	}
}
