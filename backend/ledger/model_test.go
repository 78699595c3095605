package ledger

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tidemark/backend/memory"
)

// world does to a ledger what may happen to it, and knows what it must hold.
type world struct {
	t    *testing.T
	r    *rand.Rand
	l    *Ledger
	n    int
	kept map[string]memory.KeptLine
	said []memory.Said
}

const worldDays = 3

func (w *world) day() string { return fmt.Sprintf("2026-02-%02d", 1+w.r.IntN(worldDays)) }

// fresh makes a line that is not there yet. Decisions keep their words apart
// from what a person may change, so most lines are statements.
func (w *world) fresh() memory.KeptLine {
	w.n++
	k := nastyKept(w.r, fmt.Sprintf("%06d ", w.n))
	k.Text = fmt.Sprint("text ", w.n, " ", k.Text)
	return k
}

func (w *world) appendSome() {
	var some []memory.KeptLine
	for range 1 + w.r.IntN(3) {
		some = append(some, w.fresh())
	}
	must(w.t, w.l.AppendKept("main", w.day(), some))
	for _, k := range some {
		w.kept[k.ID] = k
	}
	w.n++
	s := nastySaid(w.r)
	s.Entry = fmt.Sprint(w.n)
	must(w.t, w.l.AppendSaid("main", "2026-02", []memory.Said{s}))
	w.said = append(w.said, s)
}

// stopped leaves parts of a line and of a message, as a crash does, and writes
// them again.
func (w *world) stopped() {
	k, s, day := w.fresh(), nastySaid(w.r), w.day()
	w.n++
	s.Entry = fmt.Sprint(w.n)
	w.tear(w.l.KeptPath("main", day), KeptLine(k))
	w.tear(w.l.SaidPath("main", "2026-02"), strings.TrimRight(SaidText(s), "\n"))
	w.check()
	must(w.t, w.l.AppendKept("main", day, []memory.KeptLine{k}))
	must(w.t, w.l.AppendSaid("main", "2026-02", []memory.Said{s}))
	w.kept[k.ID] = k
	w.said = append(w.said, s)
}

// tear writes a part of a text behind a whole line.
func (w *world) tear(path, text string) {
	body, err := os.ReadFile(path)
	if err != nil || len(body) == 0 || body[len(body)-1] != '\n' {
		return
	}
	must(w.t, os.WriteFile(path, append(body, text[:w.r.IntN(len(text))]...), 0o600))
}

// fullDisk has appends fail half-way.
func (w *world) fullDisk() {
	fail(w.l, w.r.IntN(200), nil)
	k := w.fresh()
	if err := w.l.AppendKept("main", w.day(), []memory.KeptLine{k}); err == nil {
		w.kept[k.ID] = k
	}
	w.l.open = openFile
}

// edit has a person change a file: another order, a line less, a line twice,
// other words, a line of their own, other line ends.
func (w *world) edit() {
	path := w.l.KeptPath("main", w.day())
	body, err := os.ReadFile(path)
	if err != nil {
		return
	}
	lines := strings.Split(strings.TrimRight(strings.ReplaceAll(string(body), "\r\n", "\n"), "\n"), "\n")
	i := w.r.IntN(len(lines))
	k, isLine := ParseKept(lines[i], 0)
	end := "\n"
	switch w.r.IntN(6) {
	case 0:
		w.r.Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
	case 1:
		if isLine {
			delete(w.kept, k.ID)
			lines = slices.DeleteFunc(lines, func(line string) bool {
				same, ok := ParseKept(line, 0)
				return ok && same.ID == k.ID
			})
		}
	case 2:
		lines = append(lines, lines[i])
	case 3:
		if isLine && strings.Contains(lines[i], "text ") && !k.ByHand {
			lines[i] = strings.Replace(lines[i], "text ", "other words ", 1)
			k, _ = ParseKept(lines[i], 0)
			w.kept[k.ID] = k
			lines = append(lines, lines[i]) // the last one counts
		}
	case 4:
		w.n++
		k = hand(dayOf(filepath.Base(path)), memory.TagBoundary, fmt.Sprint("typed ", w.n))
		lines = append(lines, "* B · "+k.Text)
		w.kept[k.ID] = k
	case 5:
		end = "\r\n"
	}
	text := strings.Join(lines, end)
	if w.r.IntN(2) == 0 {
		text += end
	}
	must(w.t, os.WriteFile(path, []byte(text), 0o600))
}

// forget drops a line, stopped somewhere on the way or not.
func (w *world) forget() {
	ids := slices.Sorted(maps.Keys(w.kept))
	if len(ids) == 0 {
		return
	}
	gone := w.kept[ids[w.r.IntN(len(ids))]]
	w.n++
	tomb := memory.KeptLine{Kind: memory.KeptForget, ID: fmt.Sprintf("%06d tomb", w.n), Of: gone.ID, At: 1769904000000}
	again := func() {
		must(w.t, w.l.Rewrite("main", nil, func(k memory.KeptLine) bool { return k.ID == gone.ID }, []memory.KeptLine{tomb}))
	}
	if w.r.IntN(2) == 0 {
		stopped(w.l, 1+w.r.IntN(12), again)
	}
	again()
	delete(w.kept, gone.ID)
	w.kept[tomb.ID] = tomb
}

func (w *world) check() {
	w.t.Helper()
	got, err := w.l.Kept("main")
	must(w.t, err)
	want := slices.Sorted(maps.Keys(w.kept))
	slices.SortFunc(got.Lines, func(a, b memory.KeptLine) int { return strings.Compare(a.ID, b.ID) })
	if got.Bad != 0 || len(got.Lines) != len(want) {
		w.t.Fatalf("%d lines, %d bad, want %d", len(got.Lines), got.Bad, len(want))
	}
	for i, id := range want {
		sameLines(w.t, got.Lines[i:i+1], []memory.KeptLine{w.kept[id]})
	}
	said, bad := allSaid(w.t, w.l, "main")
	if bad != 0 || !slices.Equal(said, w.said) {
		w.t.Fatalf("%d messages, %d bad, want %d", len(said), bad, len(w.said))
	}
}

// TestWorld: whatever happens in whatever order, the ledger holds what it must.
func TestWorld(t *testing.T) {
	for seed := range uint64(25) {
		w := &world{t: t, r: rand.New(rand.NewPCG(7, seed)), l: Open(t.TempDir(), "inst"), kept: map[string]memory.KeptLine{}}
		for range 60 {
			[]func(){w.appendSome, w.appendSome, w.stopped, w.fullDisk, w.edit, w.edit, w.forget}[w.r.IntN(7)]()
			w.check()
		}
	}
}
