package openclaw

import (
	"bytes"
	"errors"
	"fmt"
	"io"
)

const (
	// rowBuffer is how much of a store is in memory at once. A store of 114 MB
	// takes no more than one of 1 MB.
	rowBuffer = 64 << 10
	// rowMaxText is how much of one text is kept. Session keys, labels and
	// paths are far shorter; the rest of a longer one is dropped.
	rowMaxText = 8 << 10
)

var errRowCut = errors.New("the text ends before its end")

// rowScanner walks through JSON without building what nobody asks for. It
// checks as much of the grammar as it needs: inside a value that is skipped
// only strings and brackets count. It does not recurse, so that no nesting
// can exhaust the stack.
type rowScanner struct {
	r        io.Reader // nil: buf is all there is
	buf      []byte
	pos, end int
	read     int64 // bytes before buf[0]
	err      error // of r, io.EOF at its end
	scratch  []byte
	keys     []byte
}

func newRowScanner(r io.Reader) *rowScanner {
	return &rowScanner{r: r, buf: make([]byte, rowBuffer)}
}

// offset is the position in the text, in bytes.
func (s *rowScanner) offset() int64 { return s.read + int64(s.pos) }

// fill reads more behind what is not yet consumed; false at the end.
func (s *rowScanner) fill() bool {
	if s.r == nil || s.err != nil {
		return false
	}
	if s.pos > 0 {
		s.read += int64(s.pos)
		s.end = copy(s.buf, s.buf[s.pos:s.end])
		s.pos = 0
	}
	if s.end == len(s.buf) {
		return false // need never asks for more than fits
	}
	for tries := 0; ; tries++ {
		n, err := s.r.Read(s.buf[s.end:])
		s.end += n
		if err == nil && n == 0 && tries == 100 {
			err = io.ErrNoProgress
		}
		s.err = err
		if n > 0 || err != nil {
			return n > 0
		}
	}
}

// more says that there is at least one more byte.
func (s *rowScanner) more() bool { return s.pos < s.end || s.fill() }

// need brings n bytes into the buffer if there are that many.
func (s *rowScanner) need(n int) bool {
	for s.end-s.pos < n {
		if !s.fill() {
			return false
		}
	}
	return true
}

// cut is the error of a text that ends too early.
func (s *rowScanner) cut() error {
	if s.err != nil && !errors.Is(s.err, io.EOF) {
		return s.err
	}
	return errRowCut
}

// space skips white space and gives the byte after it, 0 at the end.
func (s *rowScanner) space() byte {
	for s.more() {
		switch c := s.buf[s.pos]; c {
		case ' ', '\t', '\n', '\r':
			s.pos++
		default:
			return c
		}
	}
	return 0
}

// expect consumes c after white space.
func (s *rowScanner) expect(c byte) error {
	got := s.space()
	switch {
	case !s.more():
		return s.cut()
	case got != c:
		return fmt.Errorf("unexpected %q where %q should be", got, c)
	}
	s.pos++
	return nil
}

// members walks the object whose brace is next and calls each with the name of
// each member; each consumes the value. The name is valid until it reads on.
func (s *rowScanner) members(each func(name []byte) error) error {
	if err := s.expect('{'); err != nil {
		return err
	}
	for first := true; ; first = false {
		if s.space() == '}' {
			s.pos++
			return nil
		}
		if !first {
			if err := s.expect(','); err != nil {
				return err
			}
		}
		if err := s.expect('"'); err != nil {
			return err
		}
		name, err := s.stringInto(s.keys[:0])
		if err != nil {
			return err
		}
		s.keys = name[:0]
		if err := s.expect(':'); err != nil {
			return err
		}
		if err := each(name); err != nil {
			return err
		}
	}
}

// utf8BOM may stand before the text where an editor saved it.
var utf8BOM = []byte("\uFEFF")

func (s *rowScanner) bom() {
	if s.need(len(utf8BOM)) && bytes.HasPrefix(s.buf[s.pos:s.end], utf8BOM) {
		s.pos += len(utf8BOM)
	}
}
