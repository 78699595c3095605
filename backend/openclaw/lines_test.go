package openclaw

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf8"

	"tidemark/backend/transcript"
)

// pieces reads data in pieces of the given sizes, over and over.
type pieces struct {
	data  []byte
	sizes []byte
	at    int
	// withEOF gives the end together with the last piece, as readers may.
	withEOF bool
}

func (p *pieces) Read(b []byte) (int, error) {
	if len(p.data) == 0 {
		return 0, io.EOF
	}
	n := len(b)
	if len(p.sizes) > 0 {
		n = min(n, int(p.sizes[p.at%len(p.sizes)])+1)
		p.at++
	}
	n = copy(b[:n], p.data)
	p.data = p.data[n:]
	if p.withEOF && len(p.data) == 0 {
		return n, io.EOF
	}
	return n, nil
}

// readLine is a line with a copy of its bytes.
type readLine struct {
	text     string
	offset   int64
	number   int
	complete bool
	tooLong  bool
}

func copied(ln line) readLine {
	return readLine{string(ln.bytes), ln.offset, ln.number, ln.complete, ln.tooLong}
}

// readLines reads all lines and the position behind each.
func readLines(t testing.TB, l *lines) (got []readLine, behind []position) {
	t.Helper()
	defer l.done()
	for {
		ln, err := l.next()
		if errors.Is(err, io.EOF) {
			return got, append(behind, l.position())
		}
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, copied(ln))
		behind = append(behind, l.position())
	}
}

// wantLines is what any way to read data must give, for lines short enough to
// be held.
func wantLines(data []byte) (want []readLine) {
	offset := int64(0)
	parts := bytes.Split(data, []byte("\n"))
	for i, part := range parts {
		last := i == len(parts)-1
		if last && len(part) == 0 {
			break
		}
		want = append(want, readLine{string(bytes.TrimSuffix(part, []byte("\r"))), offset, i + 1, !last, false})
		offset += int64(len(part)) + 1
	}
	return want
}

// wantPosition is where reading can go on behind the last complete line.
func wantPosition(data []byte) position {
	end := bytes.LastIndexByte(data, '\n') + 1
	return position{offset: int64(end), number: bytes.Count(data, []byte("\n")), sum: sumOf(data[:end])}
}

func sumOf(before []byte) uint64 {
	var t tailSum
	return t.with(before[max(len(before)-tailBytes, 0):])
}

func equalLines(a, b []readLine) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

func TestLinesOfSmallFiles(t *testing.T) {
	for _, c := range []struct {
		name, data string
		lines      int
	}{
		{"empty file", "", 0},
		{"one line without end", "a", 1},
		{"one line", "a\n", 1},
		{"blank lines", "\n\n\n", 3},
		{"CRLF", "a\r\nb\r\n", 2},
		{"carriage return alone is text", "a\rb\n", 1},
		{"BOM stays for the reader above", "\ufeffa\n", 1},
		{"NULs", "\x00\x00\n\x00", 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, r := range []io.Reader{strings.NewReader(c.data), iotest.OneByteReader(strings.NewReader(c.data)), iotest.DataErrReader(strings.NewReader(c.data))} {
				got, behind := readLines(t, newLines(r, 0, 0, nil))
				if want := wantLines([]byte(c.data)); !equalLines(got, want) || len(got) != c.lines {
					t.Errorf("got %+v, want %+v", got, want)
				}
				if want := wantPosition([]byte(c.data)); behind[len(behind)-1] != want {
					t.Errorf("position %+v, want %+v", behind[len(behind)-1], want)
				}
			}
		})
	}
}

// FuzzLines: however a file arrives, its lines are the same, and reading can
// go on from behind any of them.
func FuzzLines(f *testing.F) {
	f.Add([]byte("a\nb\r\n\nc"), []byte{0}, uint16(0), true)
	f.Add([]byte("\ufeff{}\n{\"a\":1}"), []byte{3, 250}, uint16(2), false)
	f.Add(bytes.Repeat([]byte("0123456789abcdef\n"), 200), []byte{255, 7}, uint16(77), true)
	f.Fuzz(func(t *testing.T, data, sizes []byte, resume uint16, withEOF bool) {
		got, behind := readLines(t, newLines(&pieces{data: data, sizes: sizes, withEOF: withEOF}, 0, 0, nil))
		if want := wantLines(data); !equalLines(got, want) {
			t.Fatalf("got %+v, want %+v", got, want)
		}
		if want := wantPosition(data); behind[len(behind)-1] != want {
			t.Fatalf("position %+v, want %+v", behind[len(behind)-1], want)
		}
		at := behind[int(resume)%len(behind)]
		before := data[max(at.offset-tailBytes, 0):at.offset]
		rest, ends := readLines(t, newLines(&pieces{data: data[at.offset:], sizes: sizes}, at.offset, at.number, before))
		if !equalLines(rest, got[at.number:]) {
			t.Fatalf("from %+v: got %+v, want %+v", at, rest, got[at.number:])
		}
		if ends[len(ends)-1] != behind[len(behind)-1] {
			t.Fatalf("from %+v: position %+v, want %+v", at, ends[len(ends)-1], behind[len(behind)-1])
		}
	})
}

// A last line that is still written is given each time, and counted as read
// once it has its end.
func TestPartialLineIsHeldUntilItsEnd(t *testing.T) {
	data := "first\nsecond half"
	l := newLines(strings.NewReader(data), 0, 0, nil)
	got, behind := readLines(t, l)
	if got[1].complete || got[1].text != "second half" || got[1].number != 2 {
		t.Fatalf("partial line: %+v", got[1])
	}
	at := behind[len(behind)-1]
	if at.offset != 6 || at.number != 1 {
		t.Fatalf("position %+v is not before the partial line", at)
	}
	whole := data + ", rest\nthird\n"
	got, _ = readLines(t, newLines(strings.NewReader(whole[at.offset:]), at.offset, at.number, []byte(whole[:at.offset])))
	if want := wantLines([]byte(whole))[1:]; !equalLines(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

// Errors of the reader come behind the whole lines before them, and end
// reading; a part of a line is not taken for a line.
func TestLinesEndWithTheReadersError(t *testing.T) {
	broken := errors.New("broken")
	l := newLines(io.MultiReader(strings.NewReader("a\nb\nhalf"), iotest.ErrReader(broken)), 0, 0, nil)
	defer l.done()
	for _, want := range []string{"a", "b"} {
		if ln, err := l.next(); err != nil || string(ln.bytes) != want {
			t.Fatalf("got %q, %v; want %q", ln.bytes, err, want)
		}
	}
	if _, err := l.next(); !errors.Is(err, broken) {
		t.Errorf("error %v, want %v", err, broken)
	}
	if at := l.position(); at.offset != 4 || at.number != 2 {
		t.Errorf("position %+v, want behind the second line", at)
	}
}

// idle is a reader that gives nothing and no error.
type idle struct{}

func (idle) Read([]byte) (int, error) { return 0, nil }

func TestLinesGiveUpOnAReaderThatGivesNothing(t *testing.T) {
	l := newLines(idle{}, 0, 0, nil)
	defer l.done()
	if _, err := l.next(); !errors.Is(err, io.ErrNoProgress) {
		t.Errorf("error %v, want %v", err, io.ErrNoProgress)
	}
}

// mixed gives a file of n lines, of all sizes up to several buffers, some of
// them too long to be held.
func mixed(seed uint64, n int) []byte {
	rnd := rand.New(rand.NewPCG(seed, 1))
	var b bytes.Buffer
	for range n {
		size := []int{0, 1, 30, 300, 5000, firstBuffer, holdLine - 1, holdLine + 20}[rnd.IntN(8)]
		fmt.Fprintf(&b, `{"n":%d,"pad":"%s"}`, rnd.Int(), strings.Repeat("x", size))
		b.WriteString([]string{"\n", "\r\n", "\n\n"}[rnd.IntN(3)])
	}
	return append(b.Bytes(), []string{"", "partial", `{"x":"` + strings.Repeat("y", holdLine+5)}[rnd.IntN(3)]...)
}

// Lines beyond what is held keep offsets, numbers and checksums right.
func TestPositionsAcrossLongLines(t *testing.T) {
	for seed := range uint64(4) {
		data := mixed(seed, 12)
		want := wantLines(data)
		got, behind := readLines(t, newLines(bytes.NewReader(data), 0, 0, nil))
		if len(got) != len(want) {
			t.Fatalf("seed %d: %d lines, want %d", seed, len(got), len(want))
		}
		for i, ln := range got {
			if ln.offset != want[i].offset || ln.number != want[i].number || ln.complete != want[i].complete {
				t.Errorf("seed %d: line %d at %d complete %v, want %d at %d complete %v", seed, ln.number, ln.offset, ln.complete, want[i].number, want[i].offset, want[i].complete)
			}
			if len(want[i].text) < holdLine && ln.text != want[i].text {
				t.Errorf("seed %d: line %d is not as it stands there", seed, ln.number)
			}
		}
		for i, at := range behind[:len(behind)-1] {
			if !got[i].complete {
				continue
			}
			if want := (position{offset: wantOffset(want, i, data), number: i + 1, sum: sumOf(data[:wantOffset(want, i, data)])}); at != want {
				t.Errorf("seed %d: behind line %d: %+v, want %+v", seed, i+1, at, want)
			}
		}
		if want := wantPosition(data); behind[len(behind)-1] != want {
			t.Errorf("seed %d: position %+v, want %+v", seed, behind[len(behind)-1], want)
		}
	}
}

func wantOffset(lines []readLine, i int, data []byte) int64 {
	if i+1 < len(lines) {
		return lines[i+1].offset
	}
	return int64(len(data))
}

// generated gives head, then unit over and over for left bytes, then tail,
// without holding it.
type generated struct {
	head, unit, tail string
	left             int64
}

func (g *generated) Read(b []byte) (n int, err error) {
	for n < len(b) {
		if g.head == "" {
			if g.left <= 0 {
				g.head, g.tail = g.tail, ""
				if g.head == "" {
					return n, io.EOF
				}
				continue
			}
			g.head = g.unit
			g.left -= int64(len(g.unit))
		}
		c := copy(b[n:], g.head)
		g.head, n = g.head[c:], n+c
	}
	return n, nil
}

// The memory that a line of any length needs is bounded, whatever is in it.
func TestMemoryOfAHugeLine(t *testing.T) {
	if testing.Short() || underRace {
		t.Skip("skipped: reads 500 MB lines")
	}
	const size, limit = 500 << 20, 100 << 20
	for _, c := range []struct {
		name, head, unit, tail string
		tooLong                bool
	}{
		{"one image", `{"type":"message","data":"`, strings.Repeat("QUJD", 4096), `"}`, false},
		{"many short strings", `{"a":[`, strings.Repeat(`"text of a line",`, 1000), `"z"]}`, true},
		{"no JSON", "", strings.Repeat("zeros and ones ", 1000), "", true},
		{"brackets", "", strings.Repeat("[", 8192), "", true},
		{"continuation bytes without a beginning", `{"s":"`, strings.Repeat("\x80", 8192), `"}`, false},
		{"escapes of half pairs", `{"s":"`, strings.Repeat(`\ud83d`, 1024), `"}`, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			peak := watchHeap(&generated{c.head, c.unit, c.tail + "\nnext\n", size})
			l := newLines(peak, 0, 0, nil)
			defer l.done()
			ln, err := l.next()
			if err != nil || ln.tooLong != c.tooLong || !ln.complete {
				t.Fatalf("%v: too long %v, complete %v", err, ln.tooLong, ln.complete)
			}
			if !c.tooLong && (!bytes.HasPrefix(ln.bytes, []byte(c.head)) || !bytes.HasSuffix(ln.bytes, []byte(c.tail)) || len(ln.bytes) > 2*keepString) {
				t.Errorf("%d bytes kept", len(ln.bytes))
			}
			if ln, err := l.next(); err != nil || string(ln.bytes) != "next" || ln.number != 2 {
				t.Errorf("the line behind it: %q, number %d, %v", ln.bytes, ln.number, err)
			}
			if peak.max > limit {
				t.Errorf("heap reached %d MB, want at most %d", peak.max>>20, limit>>20)
			}
		})
	}
}

// heapWatch notes the largest heap while something is read through it.
type heapWatch struct {
	r     io.Reader
	reads int
	base  uint64
	max   uint64
}

func watchHeap(r io.Reader) *heapWatch {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return &heapWatch{r: r, base: m.HeapAlloc}
}

func (h *heapWatch) Read(b []byte) (int, error) {
	if h.reads++; h.reads%16 == 0 {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		if m.HeapAlloc > h.base {
			h.max = max(h.max, m.HeapAlloc-h.base)
		}
	}
	return h.r.Read(b)
}

// reduced passes text through a reducer in pieces of the given sizes.
func reduced(text string, sizes ...int) reducer {
	var r reducer
	for i := 0; len(text) > 0; i++ {
		n := len(text)
		if len(sizes) > 0 {
			n = min(n, sizes[i%len(sizes)])
		}
		r.feed([]byte(text[:n]))
		text = text[n:]
	}
	return r
}

func TestReducerCutsLongStrings(t *testing.T) {
	fill := strings.Repeat("a", keepString-3)
	for _, c := range []struct{ name, text, kept string }{
		{"short string", `{"s":"abc"}`, `abc`},
		{"exactly as long", `{"s":"` + fill + `abc"}`, fill + "abc"},
		{"one longer", `{"s":"` + fill + `abcd"}`, fill + "abc" + transcript.Elided(1)},
		{"character at the limit", `{"s":"` + fill + `ab保存"}`, fill + "ab保" + transcript.Elided(3)},
		{"character behind the limit", `{"s":"` + fill + `abc保"}`, fill + "abc" + transcript.Elided(3)},
		{"escape at the limit", `{"s":"` + fill + `ab\nxyz"}`, fill + `ab\n` + transcript.Elided(3)},
		{"hex escape at the limit", `{"s":"` + fill + `ab\u4fddxyz"}`, fill + `ab\u4fdd` + transcript.Elided(3)},
		{"pair of escapes at the limit", `{"s":"` + fill + `ab\ud83d\ude00xyz"}`, fill + `ab\ud83d\ude00` + transcript.Elided(3)},
		{"pair behind the limit", `{"s":"` + fill + `abc\ud83d\ude00"}`, fill + `abc` + transcript.Elided(12)},
		{"escaped quote behind the limit", `{"s":"` + fill + `abcd\"e"}`, fill + "abc" + transcript.Elided(4)},
		{"backslash at the end", `{"s":"` + fill + `abcd\\"}`, fill + "abc" + transcript.Elided(3)},
	} {
		t.Run(c.name, func(t *testing.T) {
			want := `{"s":"` + c.kept + `"}`
			for _, sizes := range [][]int{nil, {1}, {2, 3}, {keepString}, {7, 65536}} {
				r := reduced(c.text, sizes...)
				if got := string(r.out); got != want {
					t.Fatalf("pieces %v: …%q, want …%q", sizes, got[max(len(got)-60, 0):], want[max(len(want)-60, 0):])
				}
				if !json.Valid(r.out) {
					t.Error("not valid JSON any more")
				}
			}
		})
	}
}

// FuzzReducer: what was valid JSON stays so, with the same structure; no
// character is split; the pieces in which it comes do not matter.
func FuzzReducer(f *testing.F) {
	f.Add([]byte(`{"a":"x\"y","b":[1,"\u00e9\ud83d\ude00"]}`), uint16(3), uint16(0))
	f.Add([]byte(`"保保保"`), uint16(1), uint16(9))
	f.Add([]byte(`{"a":"\u12"}`), uint16(2), uint16(1))
	f.Add([]byte(`"\\\\\\\"\ud800\ud800"`), uint16(5), uint16(2))
	f.Fuzz(func(t *testing.T, text []byte, size, shift uint16) {
		// A long prefix inside a string brings the limit to where text begins.
		long := append([]byte(`["`+strings.Repeat("s", keepString-int(shift%64))), text...)
		long = append(long, `"]`...)
		one, many := reduced(string(long)), reduced(string(long), int(size)+1, 3)
		if !bytes.Equal(one.out, many.out) {
			t.Fatalf("in pieces of %d: %q, want %q", size+1, tail(many.out), tail(one.out))
		}
		if json.Valid(long) && !json.Valid(one.out) {
			t.Fatalf("%q became %q", tail(long), tail(one.out))
		}
		if utf8.Valid(long) && !utf8.Valid(one.out) {
			t.Fatalf("a character was split: %q", tail(one.out))
		}
		if json.Valid(text) && shift == 0 {
			if r := reduced(string(text), int(size)+1); len(text) < keepString && !bytes.Equal(r.out, text) {
				t.Fatalf("short JSON %q became %q", text, r.out)
			}
		}
	})
}

func tail(b []byte) []byte { return b[max(len(b)-200, 0):] }

func TestTailSum(t *testing.T) {
	data := bytes.Repeat([]byte("0123456789"), 500)
	for _, n := range []int{0, 1, 10, tailBytes - 1, tailBytes, tailBytes + 1, len(data)} {
		for _, step := range []int{1, 7, 999, tailBytes, 4096} {
			var s tailSum
			for at := 0; at < n; at += step {
				s.add(data[at:min(at+step, n)])
			}
			if got, want := s.with(nil), sumOf(data[:n]); got != want {
				t.Errorf("%d bytes in steps of %d: %x, want %x", n, step, got, want)
			}
			if s.with(nil) == 0 {
				t.Error("a checksum is never 0")
			}
		}
	}
}
