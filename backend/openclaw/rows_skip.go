package openclaw

import (
	"bytes"
	"fmt"
)

// skip consumes one value of any type.
func (s *rowScanner) skip() error {
	c := s.space()
	switch {
	case !s.more():
		return s.cut()
	case c == '"':
		s.pos++
		return s.skipString()
	case c == '{' || c == '[':
		return s.skipNested()
	}
	return s.skipScalar()
}

// skipNested consumes an object or a list. It counts brackets of both kinds as
// one: a text that mixes them up is damaged anyway.
func (s *rowScanner) skipNested() error {
	depth := 0
	for s.more() {
		window := s.buf[s.pos:s.end]
		for i, c := range window {
			if !rowStructure[c] {
				continue
			}
			if c == '"' {
				s.pos += i + 1
				if err := s.skipString(); err != nil {
					return err
				}
				window = nil
				break
			}
			if c == '{' || c == '[' {
				depth++
			} else if depth--; depth == 0 {
				s.pos += i + 1
				return nil
			}
		}
		s.pos += len(window)
	}
	return s.cut()
}

// rowStructure marks the bytes that matter between strings.
var rowStructure = [256]bool{'"': true, '{': true, '}': true, '[': true, ']': true}

// skipString consumes a string whose opening quote is consumed.
func (s *rowScanner) skipString() error {
	escaped := false // the next byte stands behind a backslash
	for s.more() {
		if escaped {
			s.pos++
			escaped = false
			continue
		}
		window := s.buf[s.pos:s.end]
		quote := bytes.IndexByte(window, '"')
		if quote < 0 {
			escaped = trailingBackslashes(window)&1 == 1
			s.pos = s.end
			continue
		}
		s.pos += quote + 1
		if trailingBackslashes(window[:quote])&1 == 0 {
			return nil
		}
	}
	return s.cut()
}

func trailingBackslashes(b []byte) int {
	n := 0
	for n < len(b) && b[len(b)-1-n] == '\\' {
		n++
	}
	return n
}

// skipScalar consumes a number or a word.
func (s *rowScanner) skipScalar() error {
	_, err := s.scalar()
	return err
}

// scalar consumes a number or a word and gives its text, valid until the
// scanner reads on. What is longer than any number is cut.
func (s *rowScanner) scalar() ([]byte, error) {
	s.scratch = s.scratch[:0]
	n := 0
	for ; s.more(); n++ {
		c := s.buf[s.pos]
		if c == ',' || c == '}' || c == ']' || c == ':' || c == '"' || c == '{' || c == '[' || c <= ' ' {
			break
		}
		if len(s.scratch) < 64 {
			s.scratch = append(s.scratch, c)
		}
		s.pos++
	}
	switch {
	case n == 0 && !s.more():
		return nil, s.cut()
	case n == 0:
		return nil, fmt.Errorf("unexpected %q where a value should be", s.buf[s.pos])
	}
	return s.scratch, nil
}
