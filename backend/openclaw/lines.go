package openclaw

import (
	"bytes"
	"errors"
	"io"
	"sync"
)

const (
	// firstBuffer holds the lines of most transcripts without growing.
	firstBuffer = 256 << 10
	// holdLine is the longest line that is held as it is: OpenClaw bounds a
	// row of its database by the same number.
	holdLine = 4 << 20
	// keepString is how much of each string of a longer line is kept. Images
	// are such strings; a text of this size is a file, not a message.
	keepString = 64 << 10
	// maxReduced bounds a long line after its strings were cut.
	maxReduced = 16 << 20
	// maxIdle is how often a reader may give nothing and no error before it is
	// taken for broken.
	maxIdle = 100
)

// line is one line of a file. Its bytes are valid until the next one is read.
type line struct {
	bytes    []byte
	offset   int64 // of its first byte
	number   int   // physical, 1-based
	complete bool  // ended by a line feed
	tooLong  bool  // beyond maxReduced even when cut: bytes is empty
}

// lines reads a file line by line, whatever their length, in bounded memory.
// Lines that it cannot hold come with their long strings cut, each with a mark
// that says by how much. The last line may have no end: it comes with complete
// false, and offset stays before it.
type lines struct {
	r          io.Reader
	buf        []byte
	start, end int   // unread part of buf
	base       int64 // offset of buf[start]
	number     int   // lines before it
	err        error
	tail       tailSum   // of the bytes before buf[0]
	stop       *position // before a last line without end
}

// position is where the next unread line begins.
type position struct {
	offset int64
	number int
	sum    uint64 // of the bytes before it
}

// position gives where reading can go on later: behind the last complete line.
func (l *lines) position() position {
	if l.stop != nil {
		return *l.stop
	}
	return position{offset: l.base, number: l.number, sum: l.tail.with(l.buf[:l.start])}
}

// newLines reads from r, whose first byte stands at offset behind number lines.
// before are the last bytes that stand before it, up to tailBytes of them.
func newLines(r io.Reader, offset int64, number int, before []byte) *lines {
	l := &lines{r: r, buf: *buffers.Get().(*[]byte), base: offset, number: number}
	l.tail.add(before)
	return l
}

// buffers are kept from file to file: there may be thousands of small ones.
var buffers = sync.Pool{New: func() any {
	b := make([]byte, firstBuffer)
	return &b
}}

// done gives the buffer back. Lines that came from it are no longer valid.
func (l *lines) done() {
	if b := l.buf; len(b) == firstBuffer {
		buffers.Put(&b)
	}
	l.buf = nil
}

// next gives the next line, io.EOF behind the last one.
func (l *lines) next() (line, error) {
	if l.stop != nil {
		return line{}, io.EOF
	}
	searched := 0
	for {
		if n := bytes.IndexByte(l.buf[l.start+searched:l.end], '\n'); n >= 0 {
			return l.take(searched+n, true), nil
		}
		searched = l.end - l.start
		if l.err != nil {
			if searched == 0 || !errors.Is(l.err, io.EOF) {
				return line{}, l.err
			}
			return l.take(searched, false), nil
		}
		if searched >= holdLine {
			return l.reduce()
		}
		l.fill()
	}
}

// take cuts n bytes off the buffer as a line.
func (l *lines) take(n int, complete bool) line {
	text := l.buf[l.start : l.start+n]
	got := line{bytes: trimCR(text), offset: l.base, number: l.number + 1, complete: complete}
	if !complete {
		at := l.position()
		l.stop = &at
		return got
	}
	l.number++
	l.start += n + 1
	l.base += int64(n + 1)
	return got
}

func trimCR(b []byte) []byte {
	if n := len(b); n > 0 && b[n-1] == '\r' {
		return b[:n-1]
	}
	return b
}

// fill reads more behind the unread part, growing or compacting the buffer.
func (l *lines) fill() {
	if l.start > 0 {
		l.tail.add(l.buf[:l.start])
		copy(l.buf, l.buf[l.start:l.end])
		l.end -= l.start
		l.start = 0
	}
	if l.end == len(l.buf) {
		grown := make([]byte, 2*len(l.buf))
		copy(grown, l.buf[:l.end])
		l.buf = grown
	}
	for range maxIdle {
		n, err := l.r.Read(l.buf[l.end:])
		l.end += n
		if l.err = err; n > 0 || err != nil {
			return
		}
	}
	l.err = io.ErrNoProgress
}

// reduce reads the rest of a line that cannot be held and gives it with its
// long strings cut.
func (l *lines) reduce() (line, error) {
	got, before := line{offset: l.base, number: l.number + 1}, l.position()
	var red reducer
	for {
		part := l.buf[l.start:l.end]
		n := bytes.IndexByte(part, '\n')
		if n >= 0 {
			part = part[:n+1]
			got.complete = true
		}
		l.start += len(part)
		l.base += int64(len(part))
		red.feed(part)
		if got.complete || l.err != nil {
			break
		}
		l.fill()
	}
	if !got.complete && !errors.Is(l.err, io.EOF) {
		return line{}, l.err
	}
	if got.complete {
		l.number++
	} else {
		l.stop = &before
	}
	got.bytes, got.tooLong = trimCR(bytes.TrimSuffix(red.out, []byte("\n"))), red.over
	return got, nil
}
