package engine

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tidemark/backend/api"
	"tidemark/backend/openclaw"
)

// during runs f in the middle of a rebuild: while the mask, which every text
// goes through, is called for the nth time.
func (w *world) during(n int, f func()) {
	plain := w.mask
	w.mask = func(s string) string {
		if n--; n == 0 {
			f()
		}
		return plain(s)
	}
}

// TestOldIndexAnswersDuringARebuild: the same numbers before, in the middle
// and after.
func TestOldIndexAnswersDuringARebuild(t *testing.T) {
	w := newWorld(t)
	want := totals(w.filled())
	e := w.open()
	equal(t, "before", totals(e.scan()), want)
	asked := false
	w.during(500, func() {
		asked = true
		s, err := e.Scan(t.Context(), api.Query{})
		if err != nil {
			t.Error(err)
		}
		equal(t, "in the middle", totals(s), want)
		all, err := e.Sessions(t.Context(), api.Query{})
		if err != nil || len(all) != 30 {
			t.Errorf("%d sessions in the middle, %v", len(all), err)
		}
		status, err := e.Status(t.Context(), api.Query{})
		if err != nil || !status.Busy {
			t.Errorf("status in the middle: %+v %v", status, err)
		}
	})
	s, err := e.Rebuild(t.Context(), api.Query{})
	if err != nil || !asked {
		t.Fatal(err, asked)
	}
	equal(t, "what it says", totals(s), want)
	equal(t, "after", totals(e.scan()), want)
	status, err := e.Status(t.Context(), api.Query{})
	if err != nil || status.Busy || status.Error != "" {
		t.Errorf("status after: %+v %v", status, err)
	}
	onlyIndex(t, w)
}

// onlyIndex checks that nothing of a rebuild is left behind.
func onlyIndex(t *testing.T, w *world) {
	t.Helper()
	found, err := os.ReadDir(w.data)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range found {
		if strings.Contains(f.Name(), "rebuilding") || strings.Contains(f.Name(), "making") {
			t.Errorf("%s is left behind", f.Name())
		}
	}
}

// TestCancelledRebuild leaves the old index as it was.
func TestCancelledRebuild(t *testing.T) {
	w := newWorld(t)
	want := totals(w.filled())
	e := w.open()
	e.scan()
	for _, n := range []int{1, 500, 2000} {
		ctx, cancel := context.WithCancel(t.Context())
		w.during(n, cancel)
		_, err := e.Rebuild(ctx, api.Query{})
		if !errors.Is(err, context.Canceled) {
			t.Errorf("cancelled at %d: %v", n, err)
		}
		cancel()
		w.mask = func(s string) string { return s }
		s, err := e.Scan(t.Context(), api.Query{})
		if err != nil {
			t.Fatal(err)
		}
		equal(t, "after it was cancelled", totals(s), want)
		equal(t, "after another look", totals(e.scan()), want)
		onlyIndex(t, w)
	}
}

// TestRebuildKeepsWhatIsGone: entries of sources that are gone or were
// replaced are taken over, with their texts.
func TestRebuildKeepsWhatIsGone(t *testing.T) {
	w := newWorld(t)
	w.write(S("sessions.json"), `{"agent:main:main":{"sessionId":"a","updatedAt":1778371200000,"label":"the talk"}}`)
	w.lines(S("a.jsonl"), head("a", 0), said("u1", "", 1, "the first words"), reply("a1", "u1", 2, 100, 10, "0.1"), compacted("c1", "a1", 3, "a1", "they spoke"))
	w.lines(S("b.jsonl"), head("b", 0), said("u1", "", 1, "others"), reply("b1", "u1", 2, 200, 20, "0.2"), reply("b2", "b1", 3, 400, 40, "0.4"))
	e := w.open()
	before := e.scan()
	detail := text(t, e.detail("a").Entries)
	w.remove(S("a.jsonl"))
	w.write(S("sessions.json"), `{}`)
	w.lines(S("b.tmp"), head("b", 0), reply("b2", "b1", 3, 400, 40, "0.4"))
	w.move(S("b.tmp"), S("b.jsonl")) // all of this since the last look
	if _, err := e.Rebuild(t.Context(), api.Query{}); err != nil {
		t.Fatal(err)
	}
	equal(t, "totals", totals(e.scan()), totals(before))
	one := e.session("a")
	equal(t, "gone", one.Gone, true)
	equal(t, "title", one.Title, "the talk")
	equal(t, "its entries", text(t, e.detail("a").Entries), detail)
	equal(t, "a line that was replaced", e.detail("b").Entries[0].Text, "others")
	sumsAgree(t, e)
	// The ledger has it too, although its day is not over.
	e.close()
	w.loseIndex()
	e = w.open()
	equal(t, "totals from the ledger", totals(e.scan()), totals(before))
}

// text gives a value as JSON.
func text(t *testing.T, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// TestRebuildKeepsOtherInstallations: those in the index that nobody uses now.
func TestRebuildKeepsOtherInstallations(t *testing.T) {
	w := newWorld(t)
	w.lines(S("a.jsonl"), head("a", 0), reply("a1", "", 1, 100, 10, "0.1"))
	other := filepath.Join(filepath.Dir(w.state), ".openclaw-work")
	v := &world{t: t, state: other, data: w.data, mask: w.mask, now: w.now, local: w.local}
	v.lines(S("a.jsonl"), head("a", 0), reply("a1", "", 1, 1000, 10, "1"))
	e := v.open()
	want := totals(e.scan())
	e.close()
	v.remove("agents") // nobody looks
	e = w.open()
	e.scan()
	if _, err := e.Rebuild(t.Context(), api.Query{}); err != nil {
		t.Fatal(err)
	}
	equal(t, "the one in use", e.scan().Tokens.Input, 100)
	e.close()
	e = v.open()
	equal(t, "the other one", totals(e.scan()), want)
	equal(t, "its texts", e.detail("a").Total, 1)
	e.close()
	v.loseIndex()
	equal(t, "the other one from the ledger", totals(v.open().scan()), want)
}

// TestRebuildOfADamagedIndex takes what it can and lets the ledger stand in
// for the rest.
func TestRebuildOfADamagedIndex(t *testing.T) {
	w := newWorld(t)
	want := totals(w.filled())
	w.query("UPDATE entry SET text = x'00112233445566778899', flags = flags | 4 WHERE id % 50 = 0")
	w.query("UPDATE session SET notes = '{damaged' WHERE id % 3 = 0")
	e := w.open()
	if _, err := e.Rebuild(t.Context(), api.Query{}); err != nil {
		t.Fatal(err)
	}
	equal(t, "totals", totals(e.scan()), want)
	for _, s := range e.sessions() {
		equal(t, "entries of "+s.SessionID, e.detail(s.SessionID).Total, 81)
	}
}

// TestTwoInstallations side by side are never summed together, whatever their
// sessions are called.
func TestTwoInstallations(t *testing.T) {
	w := newWorld(t)
	w.lines(S("a.jsonl"), head("a", 0), said("u", "", 1, "home"), reply("a1", "u", 1, 100, 10, "0.1"), compacted("c1", "a1", 2, "a1", "home"), "undefined")
	other := filepath.Join(filepath.Dir(w.state), ".openclaw-work")
	v := &world{t: t, state: other, data: w.data, mask: w.mask, now: w.now, local: w.local}
	v.lines(S("a.jsonl"), head("a", 0), said("u", "", 1, "work"), reply("a1", "u", 1, 1000, 10, "1"))
	e := w.open()
	second, err := e.Add(t.Context(), v.state, "")
	if err != nil {
		t.Fatal(err)
	}
	list, err := e.Installations(t.Context())
	if err != nil || len(list) != 2 || !list[0].Default || list[1].Default || list[1].Profile != "work" {
		t.Errorf("installations: %+v %v", list, err)
	}
	for id, want := range map[string]struct {
		input       int64
		usd         float64
		compactions int
		text        string
		problems    int
	}{e.id: {100, 0.1, 1, "home", 1}, second.ID: {1000, 1, 0, "work", 0}, "": {100, 0.1, 1, "home", 1}} {
		q := api.Query{Installation: id, Refresh: true}
		s, err := e.Scan(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		equal(t, id+" input", s.Tokens.Input, want.input)
		equal(t, id+" problems", len(s.Problems), want.problems)
		for _, by := range []string{"day", "model", "agent", "session"} {
			q.By = by
			v, err := e.Costs(t.Context(), q)
			if err != nil {
				t.Fatal(err)
			}
			money(t, id+" by "+by, v.Total.USD, want.usd)
		}
		c, err := e.Compactions(t.Context(), q)
		if err != nil || len(c) != want.compactions {
			t.Errorf("%s: compactions %v %v", id, c, err)
		}
		q.Session = "a"
		d, err := e.Session(t.Context(), q)
		if err != nil || d.Entries[0].Text != want.text {
			t.Errorf("%s: %v %v", id, d.Entries, err)
		}
	}
	if _, err := e.Rebuild(t.Context(), api.Query{}); err != nil {
		t.Fatal(err)
	}
	equal(t, "after a rebuild", e.scan().Tokens.Input, 100)
	s, err := e.Scan(t.Context(), api.Query{Installation: second.ID})
	if err != nil || s.Tokens.Input != 1000 {
		t.Errorf("the second after a rebuild: %v %v", s.Tokens, err)
	}
	if dirs, err := os.ReadDir(filepath.Join(w.data, "ledger")); err != nil || len(dirs) != 2 {
		t.Errorf("ledgers: %v %v", dirs, err)
	}
	if _, err := openclaw.Resolve(w.env(), v.state, ""); err != nil {
		t.Error(err)
	}
}
