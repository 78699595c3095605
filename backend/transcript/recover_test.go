package transcript_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"tidemark/backend/memory"
	"tidemark/backend/transcript"
)

// recovered gives the entries that Recover finds.
func recovered(t testing.TB, line string) (found []memory.Event) {
	t.Helper()
	d := transcript.Decoder{Texts: true}
	var ev memory.Event
	n, err := d.Recover([]byte(line), &ev, func(ev *memory.Event) error {
		found = append(found, *ev)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if n != len(found) {
		t.Fatalf("found %d, said %d", len(found), n)
	}
	if d.Position() > len(line) {
		t.Fatalf("stopped at %d of %d", d.Position(), len(line))
	}
	return found
}

func ids(events []memory.Event) string {
	var out []string
	for i := range events {
		id := events[i].ID
		if events[i].Kind == memory.KindSession {
			id = events[i].Header.ID
		}
		out = append(out, id)
	}
	return strings.Join(out, " ")
}

// Case C48 and what resembles it.
func TestRecover(t *testing.T) {
	entry := func(id string) string {
		return `{"type":"message","id":"` + id + `","parentId":null,"timestamp":"2026-05-10T10:00:00.000Z","message":{"role":"user","content":"hi"}}`
	}
	header := `{"type":"session","version":3,"id":"s1","timestamp":"2026-05-10T10:00:00.000Z"}`
	argument := `{"type":"message","id":"inner","timestamp":"2026-05-10T10:00:00.000Z","message":{"role":"user"}}`
	call := `{"type":"message","id":"outer","timestamp":"2026-05-10T10:00:00.000Z","message":{"role":"assistant","content":[{"type":"toolCall","id":"c","name":"write","arguments":{"entry":` + argument + `}}]}}`
	tests := []struct{ name, line, want string }{
		{"two without a line feed between", entry("a") + entry("b"), "a b"},
		{"three", entry("a") + entry("b") + entry("c"), "a b c"},
		{"with white space", entry("a") + " \t" + entry("b") + "  ", "a b"},
		{"a header and an entry", header + entry("a"), "s1 a"},
		{"cut off before a whole one", entry("a")[:90] + entry("b"), "b"},
		{"cut off behind a whole one", entry("a") + entry("b")[:90], "a"},
		{"cut off, whole, cut off, whole", entry("a")[:60] + entry("b") + entry("c")[:75] + entry("d"), "b d"},
		{"4,096 NULs before", strings.Repeat("\x00", 4096) + entry("a"), "a"},
		{"NULs behind", entry("a") + strings.Repeat("\x00", 4096), "a"},
		{"NULs in the middle", entry("a")[:70] + strings.Repeat("\x00", 100) + entry("b"), "b"},
		{"the end of one before a whole one", `ext":"lost"}]}}` + entry("a"), "a"},
		{"one written into the middle of another", entry("a")[:80] + entry("b") + entry("a")[80:], "b"},
		{"only a cut-off one", entry("a")[:90], ""},
		{"only the end of one", entry("a")[40:], ""},
		{"no record at all", "undefined", ""},
		{"nothing", "", ""},
		{"braces", strings.Repeat("{", 10_000) + entry("a"), "a"},
		{"brackets", strings.Repeat("[", 10_000) + entry("a"), "a"},
		{"a whole object that is no entry", `{"level":"warn","msg":"x"}` + entry("a"), "a"},
		{"an entry of a type that is not known", `{"type":"hologram","id":"h","timestamp":"2026-05-10T10:00:00.000Z"}` + entry("a"), "a"},
		{"an entry without id", `{"type":"custom","timestamp":"2026-05-10T10:00:00.000Z"}` + entry("a"), "a"},
		{"an entry without time", `{"type":"custom","id":"x"}` + entry("a"), "a"},
		{"an entry whose message is none", `{"type":"message","id":"x","timestamp":"2026-05-10T10:00:00.000Z","message":"?"}` + entry("a"), "a"},
		{"arguments that look like an entry", call[:len(call)-3], ""},
		{"such arguments, cut off later, and a whole one", call[:len(call)-3] + entry("b"), "b"},
		{"a whole call with such arguments", call + entry("b"), "outer b"},
		{"entries quoted in a text", `{"type":"message","id":"q","message":{"role":"toolResult","content":"` + strings.ReplaceAll(entry("a"), `"`, `\"`) + entry("b"), "b"},
		{"a list of entries", "[" + entry("a") + "," + entry("b") + "]", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := ids(recovered(t, tt.line)); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

// A record cut off at any byte, with a whole one behind it: the whole one and
// nothing else.
func TestRecoverAtEveryCut(t *testing.T) {
	lines := recorded(t, "lines.jsonl")
	r := rand.New(rand.NewPCG(11, 4))
	for _, prefix := range lines {
		whole := lines[r.IntN(len(lines))]
		want := mustDecode(t, string(whole), true)
		for cut := 1; cut < len(prefix); cut++ {
			found := recovered(t, string(prefix[:cut])+string(whole))
			if len(found) != 1 || !reflect.DeepEqual(found[0], want) {
				t.Fatalf("cut at %d of %.100s: found %s", cut, prefix, ids(found))
			}
		}
		if found := recovered(t, string(prefix)+string(whole)); len(found) != 2 {
			t.Fatalf("two whole ones: found %s", ids(found))
		}
	}
}

// Whatever becomes of a line of whole and broken records: what is recovered
// was a whole record there, each is found once and in order, and none that
// stands free is missed.
func TestRecoverInventsNothing(t *testing.T) {
	lines := recorded(t, "lines.jsonl")
	whole := map[string]memory.Event{}
	for _, line := range lines {
		ev := mustDecode(t, string(line), true)
		whole[ids([]memory.Event{ev})] = ev
	}
	r := rand.New(rand.NewPCG(5, 9))
	for range 4000 {
		var b strings.Builder
		var want []string
		for range 1 + r.IntN(6) {
			line := string(lines[r.IntN(len(lines))])
			switch r.IntN(5) {
			case 0:
				b.WriteString(line[:1+r.IntN(len(line)-1)])
			case 1:
				b.WriteString(strings.Repeat("\x00", r.IntN(50)))
			default:
				b.WriteString(line)
				want = append(want, ids([]memory.Event{mustDecode(t, line, true)}))
			}
		}
		found := recovered(t, b.String())
		if got := ids(found); got != strings.Join(want, " ") {
			t.Fatalf("got %s, want %s\n%s", got, want, b.String())
		}
		for _, ev := range found {
			if !reflect.DeepEqual(ev, whole[ids([]memory.Event{ev})]) {
				t.Fatalf("changed: %+v", ev)
			}
		}
	}
}

// Broken in any other way: bytes lost, doubled, changed.
func TestRecoverFromRandomDamage(t *testing.T) {
	lines := recorded(t, "lines.jsonl")
	known := map[string]bool{}
	for _, line := range lines {
		known[ids([]memory.Event{mustDecode(t, string(line), true)})] = true
	}
	r := rand.New(rand.NewPCG(6, 6))
	for range 5000 {
		line := []byte(string(lines[r.IntN(len(lines))]) + string(lines[r.IntN(len(lines))]))
		for range 1 + r.IntN(4) {
			at := r.IntN(len(line) - 20)
			switch r.IntN(3) {
			case 0:
				line = append(line[:at:at], line[at+1+r.IntN(19):]...)
			case 1:
				line = append(line[:at+10:at+10], line[at:]...)
			default:
				line[at] = []byte("{}[]\",:\\x0\x00")[r.IntN(11)]
			}
		}
		for _, ev := range recovered(t, string(line)) {
			if ev.Kind == memory.KindUnknown || ev.At == 0 && ev.Kind != memory.KindSession {
				t.Fatalf("no entry: %+v", ev)
			}
		}
	}
}

func TestRecoverStopsAtAnError(t *testing.T) {
	line := userLine + assistantLine
	stop := errors.New("full")
	var d transcript.Decoder
	var ev memory.Event
	n, err := d.Recover([]byte(line), &ev, func(*memory.Event) error { return stop })
	if n != 1 || err != stop {
		t.Errorf("got %d, %v", n, err)
	}
}

// A record with thousands of objects that was cut off does not use up what
// recovery may do before it comes to the whole one behind it.
func TestRecoverBehindManyObjects(t *testing.T) {
	var b strings.Builder
	b.WriteString(`{"type":"message","id":"cut","timestamp":"2026-05-10T10:00:00.000Z","message":{"role":"toolResult","details":{"rows":[`)
	for i := range 20_000 {
		fmt.Fprintf(&b, `{"n":%d,"x":{"y":[{}]}},`, i)
	}
	if got := ids(recovered(t, b.String()+userLine)); got != "1f872888" {
		t.Errorf("got %q", got)
	}
}

// The time that recovery takes is bounded by the length of the line.
func TestRecoverEnds(t *testing.T) {
	n := 1 << 17
	for name, line := range map[string]string{
		"openings":       strings.Repeat("{", n),
		"keys":           strings.Repeat(`{"a":`, n/5),
		"keys and lists": strings.Repeat(`{"a":[`, n/6),
		"strings":        strings.Repeat(`{"`, n/2),
		"objects":        strings.Repeat(`{}`, n/2),
		"quotes":         "{" + strings.Repeat(`"`, n),
		"backslashes":    `{"a":"` + strings.Repeat(`\`, n),
		"types":          strings.Repeat(`{"type":"message","id":"a","message":`, n/40),
		"colons":         "{" + strings.Repeat(":", n),
		"escaped quotes": strings.Repeat(`{"a":"\"`, n/8),
	} {
		start := time.Now()
		if found := recovered(t, line); len(found) != 0 {
			t.Errorf("%s: found %d", name, len(found))
		}
		if took := time.Since(start); took > 20*time.Second { // 64 times the line, on a busy machine with the race detector
			t.Errorf("%s: took %v", name, took)
		}
	}
}
