package openclaw

import (
	"math"
	"strconv"
	"time"
	"unicode/utf16"
	"unicode/utf8"

	"tidemark/backend/memory"
)

// rowMaxFamily bounds the list of sessions of one key.
const rowMaxFamily = 10_000

// text reads a string into to; anything else is skipped and leaves to as it is.
func (s *rowScanner) text(to *string) error {
	if s.space() != '"' {
		return s.skip()
	}
	s.pos++
	b, err := s.stringInto(s.scratch[:0])
	if err != nil {
		return err
	}
	s.scratch = b
	*to = validText(string(b))
	return nil
}

// texts reads a list of strings, leaving out what is none.
func (s *rowScanner) texts(to *[]string) error {
	if s.space() != '[' {
		return s.skip()
	}
	s.pos++
	for first := true; ; first = false {
		if s.space() == ']' {
			s.pos++
			return nil
		}
		if !first {
			if err := s.expect(','); err != nil {
				return err
			}
		}
		var t string
		if err := s.text(&t); err != nil {
			return err
		}
		if t != "" && len(*to) < rowMaxFamily {
			*to = append(*to, t)
		}
	}
}

// truth reads true or false.
func (s *rowScanner) truth(to *bool) error {
	if c := s.space(); c != 't' && c != 'f' {
		return s.skip()
	}
	word, err := s.scalar()
	*to = string(word) == "true"
	return err
}

// count reads a whole number of at least 0, cutting a fraction off. null, a
// negative number and what is none are absent.
func (s *rowScanner) count(to **int64) error {
	f, ok, err := s.number()
	if err != nil || !ok || !(f >= 0) || f > 1<<53 {
		return err
	}
	n := int64(f)
	*to = &n
	return nil
}

// Bounds of a moment. A number of seconds is told from one of milliseconds by
// its size: the first bound is the year 5138 in seconds and 1973 in
// milliseconds. The second is the last year that RFC 3339 can write.
const (
	momentSeconds = 100_000_000_000
	momentMax     = 253_402_300_799_999
)

// moment reads a time: milliseconds, seconds, or RFC 3339. Anything else is
// not known.
func (s *rowScanner) moment(to *memory.Millis) error {
	if s.space() == '"' {
		var t string
		if err := s.text(&t); err != nil {
			return err
		}
		if at, err := time.Parse(time.RFC3339, t); err == nil && at.UnixMilli() > 0 {
			*to = memory.MillisOf(at)
		}
		return nil
	}
	f, ok, err := s.number()
	if err != nil || !ok || !(f > 0) {
		return err
	}
	if f < momentSeconds {
		f *= 1000
	}
	if f <= momentMax {
		*to = memory.Millis(f)
	}
	return nil
}

// number reads a number; ok is false where the value is something else.
func (s *rowScanner) number() (f float64, ok bool, err error) {
	if c := s.space(); c != '-' && !isDigit(c) {
		return 0, false, s.skip()
	}
	word, err := s.scalar()
	if err != nil {
		return 0, false, err
	}
	f, parseErr := strconv.ParseFloat(string(word), 64)
	return f, parseErr == nil && !math.IsInf(f, 0), nil
}

// stringInto reads a string whose opening quote is consumed into dst, at most
// rowMaxText bytes of it.
func (s *rowScanner) stringInto(dst []byte) ([]byte, error) {
	for s.more() {
		window := s.buf[s.pos:s.end]
		stop := 0
		for stop < len(window) && window[stop] != '"' && window[stop] != '\\' {
			stop++
		}
		dst = appendSome(dst, window[:stop])
		s.pos += stop
		if stop == len(window) {
			continue
		}
		s.pos++
		if window[stop] == '"' {
			return cutText(dst), nil
		}
		var err error
		if dst, err = s.unescape(dst); err != nil {
			return dst, err
		}
	}
	return dst, s.cut()
}

// appendSome appends what is needed of src: enough beyond rowMaxText to see
// where a character ends.
func appendSome(dst, src []byte) []byte {
	return append(dst, src[:min(len(src), max(0, rowMaxText+utf8.UTFMax-len(dst)))]...)
}

// cutText cuts b to rowMaxText bytes, whole characters only.
func cutText(b []byte) []byte {
	if len(b) <= rowMaxText {
		return b
	}
	n := rowMaxText
	for n > 0 && !utf8.RuneStart(b[n]) {
		n--
	}
	return b[:n]
}

var rowEscapes = [256]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// unescape reads what a consumed backslash begins.
func (s *rowScanner) unescape(dst []byte) ([]byte, error) {
	if !s.more() {
		return dst, s.cut()
	}
	c := s.buf[s.pos]
	s.pos++
	if c != 'u' {
		if to := rowEscapes[c]; to != 0 {
			c = to
		}
		return appendSome(dst, []byte{c}), nil
	}
	r, ok := s.unit()
	if !ok {
		return dst, s.cut()
	}
	if utf16.IsSurrogate(r) && s.need(6) && s.buf[s.pos] == '\\' && s.buf[s.pos+1] == 'u' {
		s.pos += 2
		low, _ := s.unit()
		r = utf16.DecodeRune(r, low)
	}
	var char [utf8.UTFMax]byte
	return appendSome(dst, char[:utf8.EncodeRune(char[:], r)]), nil
}

// unit reads four hexadecimal digits; U+FFFD where they are none. ok is false
// at the end of the text.
func (s *rowScanner) unit() (r rune, ok bool) {
	if !s.need(4) {
		s.pos = s.end
		return 0, false
	}
	n, err := strconv.ParseUint(string(s.buf[s.pos:s.pos+4]), 16, 32)
	s.pos += 4
	if err != nil {
		return utf8.RuneError, true
	}
	return rune(n), true
}
