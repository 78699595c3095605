package engine

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tidemark/backend/api"
)

// filled writes a state directory whose index has many pages, closes the
// engine that read it, and gives what it said.
func (w *world) filled() api.Scan {
	w.t.Helper()
	for n := range 30 {
		id := "s" + string(rune('a'+n%26)) + string(rune('a'+n/26))
		lines := []string{head(id, n)}
		for m := range 40 {
			lines = append(lines, said("u"+id+string(rune('0'+m)), "", n+m, strings.Repeat("some words of a person ", 10+m)), reply("a"+id+string(rune('0'+m)), "", n+m, 100, 10, "0.01"))
		}
		w.lines(S(id+".jsonl"), append(lines, compacted("c"+id, "", n+50, "", strings.Repeat("a summary ", 50)))...)
	}
	e := w.open()
	s := e.scan()
	e.close()
	return s
}

// rebuiltOnce checks that the index was made anew, with one notice, and that
// the old one is kept beside it.
func rebuiltOnce(t *testing.T, e *engineOf, want api.Scan) {
	t.Helper()
	s := e.scan()
	equal(t, "totals", totals(s), totals(want))
	equal(t, "notices", codes(s.Problems)["index-rebuilt"], 1)
	found, err := filepath.Glob(e.w.indexFile() + ".damaged-*")
	if err != nil || len(found) == 0 {
		t.Errorf("the damaged index is not kept: %v", err)
	}
	sumsAgree(t, e)
}

// TestDamagedIndex (case J119): an index that is no index is set aside and made anew when
// it is opened.
func TestDamagedIndex(t *testing.T) {
	for name, damage := range map[string]func(body []byte) []byte{
		"empty": func([]byte) []byte { return nil },
		"text": func([]byte) []byte {
			return []byte("this is not a database, and long enough to look like one: " + strings.Repeat("x", 5000))
		},
		"zeros":            func(b []byte) []byte { return make([]byte, len(b)) },
		"header destroyed": func(b []byte) []byte { copy(b[16:], make([]byte, 84)); return b },
		"cut to a page":    func(b []byte) []byte { return b[:4096] },
		"cut in half":      func(b []byte) []byte { return b[:len(b)/2] },
		"cut in a page":    func(b []byte) []byte { return b[:len(b)/2+100] },
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			want := w.filled()
			body, err := os.ReadFile(w.indexFile())
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(w.indexFile(), damage(body), 0o600); err != nil {
				t.Fatal(err)
			}
			rebuiltOnce(t, w.open(), want)
		})
	}
}

// TestIndexOfAnotherVersion is set aside likewise.
func TestIndexOfAnotherVersion(t *testing.T) {
	w := newWorld(t)
	want := w.filled()
	w.query("PRAGMA user_version = 99")
	rebuiltOnce(t, w.open(), want)
}

// TestMissingTable: so is one that lacks a table, whenever that shows.
func TestMissingTable(t *testing.T) {
	for _, table := range []string{"problem", "session_source", "compaction", "meta", "carried", "ledgered"} {
		t.Run(table, func(t *testing.T) {
			w := newWorld(t)
			want := w.filled()
			w.query("DROP TABLE " + table)
			rebuiltOnce(t, w.open(), want)
		})
	}
}

// TestDamageThatShowsLater: garbage in pages that a look does not read shows
// in a later query, which costs that query nothing but time.
func TestDamageThatShowsLater(t *testing.T) {
	w := newWorld(t)
	want := w.filled()
	body, err := os.ReadFile(w.indexFile())
	if err != nil {
		t.Fatal(err)
	}
	e := w.open()
	e.scan()
	e.close()
	r := rand.New(rand.NewPCG(1, 2))
	later := 0
	for round := range rounds(15) {
		bad := append([]byte(nil), body...)
		for range 1 + r.IntN(6) { // pages of which the first half is garbage
			page := 1 + r.IntN(len(bad)/4096-1)
			for n := range 2048 {
				bad[page*4096+n] = byte(r.UintN(256))
			}
		}
		w.loseIndex()
		if err := os.WriteFile(w.indexFile(), bad, 0o600); err != nil {
			t.Fatal(err)
		}
		e := w.open()
		first, err := e.Scan(t.Context(), api.Query{Refresh: true})
		if err != nil {
			t.Fatalf("round %d: %v", round, err)
		}
		early := codes(first.Problems)["index-rebuilt"] > 0
		var answers []string
		for _, s := range e.sessions() {
			d := e.detail(s.SessionID)
			for _, en := range d.Entries {
				answers = append(answers, en.Text)
			}
		}
		e.compactions()
		e.costs("day")
		s, err := e.Scan(t.Context(), api.Query{})
		if err != nil {
			t.Fatalf("round %d: %v", round, err)
		}
		if rebuilt := codes(s.Problems)["index-rebuilt"]; rebuilt > 0 {
			if !early {
				later++
			}
			if rebuilt > 1 {
				t.Errorf("round %d: made anew %d times", round, rebuilt)
			}
			equal(t, "totals", totals(s), totals(want))
			equal(t, "texts", len(answers), 30*81)
		}
		e.close()
	}
	if later == 0 && !testing.Short() {
		t.Error("damage never showed later: the test tests nothing")
	}
}

// TestDamageDuringALook: what a look finds damaged while it writes.
func TestDamageDuringALook(t *testing.T) {
	w := newWorld(t)
	want := w.filled()
	w.query("DROP INDEX entry_once")
	w.query("DROP TABLE mirror")
	w.query("DELETE FROM source")
	e := w.open()
	s := e.scan()
	_ = s
	w.grow(S("saa.jsonl"), `{"type":"message","id":"m1","parentId":null,"timestamp":"2026-05-10T10:00:00.000Z","message":{"role":"user","content":"x","__openclaw":{"mirrorIdentity":"m"}}}`)
	after := e.scan()
	equal(t, "messages", after.Messages, want.Messages+1)
	equal(t, "notices", codes(after.Problems)["index-rebuilt"], 1)
}
