package engine

import (
	"fmt"
	"testing"

	"tidemark/backend/api"
)

func (e *engineOf) tideOf(id string) api.Tide {
	e.w.t.Helper()
	got, err := e.Tide(e.w.t.Context(), api.Query{Session: id, Refresh: true})
	if err != nil {
		e.w.t.Fatal(err)
	}
	return got
}

// TestTide shows calls and falls in the order of time.
func TestTide(t *testing.T) {
	w := newWorld(t)
	w.write("openclaw.json", `{models: {providers: {anthropic: {models: [{id: "claude-sonnet-4-6", contextWindow: 200000}]}}}}`)
	silent := call{id: "a2", parent: "u1", minute: 3}.line()
	w.lines(S("a.jsonl"), head("a", 0), said("u1", "", 1, "hello"), call{id: "a1", parent: "u1", minute: 2, in: 10, out: 1, read: 20, write: 30, usd: "0.5"}.line(), silent,
		compacted("c1", "a2", 4, "a2", "what was"), reply("a3", "c1", 5, 7, 1, "0.25"),
		`{"type":"reset","id":"r1","parentId":"a3","timestamp":"2026-05-10T00:06:00.000Z","reason":"daily"}`)
	e := w.open()
	got := e.tideOf("a")
	equal(t, "entries", fmt.Sprint(got.Entry), "[a1 a2 a3]")
	equal(t, "input", fmt.Sprint(got.Input), "[10 -1 7]")
	equal(t, "cache", fmt.Sprint(got.CacheRead, got.CacheWrite, got.Output), "[20 -1 0] [30 -1 0] [1 -1 1]")
	if len(got.Falls) != 2 {
		t.Fatalf("falls: %+v", got.Falls)
	}
	c, r := got.Falls[0], got.Falls[1]
	if c.Kind != "compaction" || c.Entry != "c1" || *c.Before != 178000 || c.After != nil || c.Call != 2 || c.Superseded {
		t.Errorf("compaction: %+v", c)
	}
	if r.Kind != "reset" || r.Reason != "daily" || r.Call != 3 || r.Before != nil {
		t.Errorf("reset: %+v", r)
	}
	if got.Window == nil || *got.Window != 200000 || got.WindowSource != "config" || got.Threshold == nil || *got.Threshold != 180000 {
		t.Errorf("window %v %q, threshold %v", got.Window, got.WindowSource, got.Threshold)
	}
	w.write("openclaw.json", `{agents: {defaults: {compaction: {reserveTokens: 50000}}}, models: {providers: {anthropic: {models: [{id: "claude-sonnet-4-6", contextWindow: 200000}]}}}}`)
	if got := e.tideOf("a"); got.Threshold == nil || *got.Threshold != 150000 {
		t.Errorf("a reserve of its own: %v", got.Threshold)
	}
}

// TestTideOfCopies shows calls that count elsewhere: the context was as full.
func TestTideOfCopies(t *testing.T) {
	w := newWorld(t)
	w.lines(S("a.jsonl"), head("a", 0), said("u1", "", 1, "hello"), reply("a1", "u1", 2, 100, 1, "0.5"))
	w.lines(S("b.jsonl"), headOf("b", 10, "a"), said("u1", "", 1, "hello"), reply("a1", "u1", 2, 100, 1, "0.5"), reply("b1", "a1", 11, 120, 1, "0.25"))
	e := w.open()
	got := e.tideOf("b")
	equal(t, "input", fmt.Sprint(got.Input), "[100 120]")
	money(t, "session", e.session("b").USD, 0.25)
	if got.USD[0] == nil || *got.USD[0] != 0.5 {
		t.Errorf("a copy costs what is recorded: %v", got.USD[0])
	}
	equal(t, "an empty one", inJSON(t, columnsOf(t, w)), "[]")
}

// columnsOf gives a column of a session without calls.
func columnsOf(t *testing.T, w *world) []int64 {
	t.Helper()
	w.lines(S("c.jsonl"), head("c", 0), said("u9", "", 1, "hello"))
	w2 := *w
	w2.data = t.TempDir()
	return w2.open().tideOf("c").Input
}
