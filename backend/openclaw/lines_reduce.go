package openclaw

import (
	"bytes"
	"unicode/utf8"

	"tidemark/backend/transcript"
)

// escapeDigits is the number of hex digits behind \u.
const escapeDigits = 4

// reducer copies JSON text and cuts its long strings. Text that was valid
// JSON stays so: neither a character nor an escape, nor a pair of escapes that
// make one character, is split.
type reducer struct {
	out      []byte
	inString bool
	escape   bool // the next byte belongs to a backslash
	digits   int  // hex digits of an escape still to come
	high     bool // the last thing kept is the first escape of a pair
	length   int  // bytes of the current string so far
	dropped  int64
	over     bool
	slash    int // index of the next backslash in what is being fed, if it is not behind
}

// feed takes the next bytes, in pieces of any size.
func (r *reducer) feed(b []byte) {
	r.slash = -1
	for i := 0; i < len(b) && !r.over; {
		switch {
		case !r.inString:
			i = r.outside(b, i)
		case r.escape || r.digits > 0:
			i = r.escaped(b, i)
		default:
			i = r.inside(b, i)
		}
		r.over = len(r.out) > maxReduced
	}
	if r.over {
		r.out = nil
	}
}

// outside copies from i up to and with the quote that opens a string, and
// gives the index behind it.
func (r *reducer) outside(b []byte, i int) int {
	n := bytes.IndexByte(b[i:], '"')
	if n < 0 {
		r.out = append(r.out, b[i:]...)
		return len(b)
	}
	r.out = append(r.out, b[i:i+n+1]...)
	r.inString, r.length, r.dropped, r.high = true, 0, 0, false
	return i + n + 1
}

// inside copies or drops the bytes of a string up to and with its closing
// quote or a backslash. Each byte is looked at a few times only, however many
// quotes and backslashes there are.
func (r *reducer) inside(b []byte, i int) int {
	if r.slash < i {
		if n := bytes.IndexByte(b[i:], '\\'); n >= 0 {
			r.slash = i + n
		} else {
			r.slash = len(b)
		}
	}
	plain := b[i:r.slash]
	if n := bytes.IndexByte(plain, '"'); n >= 0 {
		r.put(plain[:n], false)
		r.close()
		return i + n + 1
	}
	r.put(plain, false)
	if r.slash == len(b) {
		return len(b)
	}
	r.put(b[r.slash:r.slash+1], r.high && r.length < keepString+len(`\uD800`))
	r.escape = true
	return r.slash + 1
}

// close ends a string, with a mark where something was dropped.
func (r *reducer) close() {
	if r.dropped > 0 {
		r.out = append(r.out, transcript.Elided(r.dropped)...)
	}
	r.out = append(r.out, '"')
	r.inString = false
}

// escaped takes the next byte of an escape. Hex digits that do not come end it
// early, so that a quote behind it still closes the string.
func (r *reducer) escaped(b []byte, i int) int {
	if !r.escape && !hexDigit(b[i]) {
		r.digits = 0
		return i
	}
	r.put(b[i:i+1], true)
	r.high = false
	if !r.escape {
		r.digits--
		r.high = r.digits == 0 && r.dropped == 0 && highSurrogate(r.out)
		return i + 1
	}
	r.escape = false
	if b[i] == 'u' {
		r.digits = escapeDigits
	}
	return i + 1
}

func hexDigit(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'
}

// highSurrogate says that the escape at the end of out is the first of a pair.
func highSurrogate(out []byte) bool {
	d := out[len(out)-escapeDigits:]
	if d[0] != 'd' && d[0] != 'D' {
		return false
	}
	switch d[1] {
	case '8', '9', 'a', 'b', 'A', 'B':
		return true
	}
	return false
}

// put keeps bytes of a string as long as there is room, and those of an escape
// that was begun. It starts to drop at the beginning of a character; what is
// no UTF-8 has none and is cut anywhere.
func (r *reducer) put(b []byte, within bool) {
	if r.dropped == 0 {
		room := len(b)
		if !within && keepString-r.length < room {
			room = max(keepString-r.length, 0)
			for room < len(b) && !utf8.RuneStart(b[room]) && r.length+room < keepString+utf8.UTFMax-1 {
				room++
			}
		}
		r.out = append(r.out, b[:room]...)
		r.length += room
		if len(b) > 0 && !within {
			r.high = false
		}
		b = b[room:]
	}
	r.dropped += int64(len(b))
}
