package engine

import (
	"strings"
	"testing"
	"time"

	"tidemark/backend/api"
)

// compactedTwice is a session that was compacted twice, with what its row says.
func (w *world) compactedTwice(row, summary string) {
	w.write(S("sessions.json"), `{"agent:main:main":{"sessionId":"a","updatedAt":1778371260000`+row+`}}`)
	w.lines(S("a.jsonl"), head("a", 0), said("u1", "", 1, "I prefer tables over paragraphs."), reply("a1", "u1", 2, 170_000, 10, "0.1"),
		compacted("c1", "a1", 3, "a1", summary), said("u2", "c1", 4, "Don't push me anything after midnight."), reply("a2", "u2", 5, 170_000, 10, "0.1"), compacted("c2", "a2", 6, "a2", summary))
}

// TestG84: compactions are counted by their entries.
func TestG84CountedByEntries(t *testing.T) {
	w := newWorld(t)
	w.compactedTwice(`,"compactionCount":0`, "They talked.")
	equal(t, "compactions", w.open().session("a").Compactions, 2)
}

// TestG85: the two counters of a session's row tell that the flush did not run.
func TestG85FlushDidNotRun(t *testing.T) {
	w := newWorld(t)
	w.compactedTwice(`,"compactionCount":0,"memoryFlushCompactionCount":0`, "They talked.")
	e := w.open()
	equal(t, "before the first", e.compactionOf("a", "c1").Flush, "ran")
	equal(t, "before the second", e.compactionOf("a", "c2").Flush, "not")
	w.compactedTwice(``, "They talked.")
	equal(t, "where nothing is noted", e.compactionOf("a", "c2").Flush, "unknown")
}

// TestG86: a summary that says that there is none, how much is gone, and what
// was kept of it all the same.
func TestG86NoSummary(t *testing.T) {
	w := newWorld(t)
	w.compactedTwice("", "Context contained 41 messages (2 oversized). Summary unavailable due to size limits.")
	e := w.open()
	d := e.compactionOf("a", "c1")
	if !d.NoSummary || d.DroppedMessages != 1 || len(d.Left) != 1 || len(d.Left[0].Statements) != 1 {
		t.Errorf("%+v", d)
	}
	today := e.today(api.Query{From: "2026-05-10T00:00:00Z", To: "2026-05-11T00:00:00Z"})
	if n := len(today.Needs); n == 0 {
		t.Error("nothing says so")
	}
}

// TestG87: what is said is kept although no flush ran and no hook was called.
func TestG87NeitherFlushNorHook(t *testing.T) {
	w := newWorld(t)
	w.compactedTwice("", "")
	if got := strings.Join(textsOf(w.open().statements()), "|"); !strings.Contains(got, "midnight") || !strings.Contains(got, "tables") {
		t.Errorf("kept: %q", got)
	}
}

// TestG89: a context that nears its threshold is told, and what was said in it
// is kept before it gets there.
func TestG89NearTheThreshold(t *testing.T) {
	w := newWorld(t)
	w.write("openclaw.json", `{models: {providers: {anthropic: {models: [{id: "claude-sonnet-4-6", contextWindow: 200000}]}}}}`)
	w.write(S("sessions.json"), `{"agent:main:main":{"sessionId":"a","updatedAt":1778371260000}}`)
	w.now = time.Date(2026, 5, 10, 1, 0, 0, 0, time.UTC)
	w.lines(S("a.jsonl"), head("a", 0), said("u1", "", 1, "Don't push me anything after midnight."), reply("a1", "u1", 2, 175_000, 10, "0.1"))
	e := w.open()
	needs := e.today(api.Query{From: "2026-05-10T00:00:00Z", To: "2026-05-11T00:00:00Z"}).Needs
	if len(needs) != 1 || needs[0].Kind != "full" || needs[0].SessionID != "a" {
		t.Errorf("%+v", needs)
	}
	equal(t, "kept", len(e.statements()), 1)
}

// TestG92: a reserve that is not configured gives a threshold all the same.
func TestG92NoReserve(t *testing.T) {
	for _, config := range []string{`{}`, `{agents: {defaults: {compaction: {}}}}`, `{agents: {defaults: {compaction: {reserveTokens: null, reserveTokensFloor: "many"}}}}`} {
		w := newWorld(t)
		w.write("openclaw.json", strings.TrimSuffix(config, "}")+strings.Repeat(",", min(len(config)-2, 1))+`models: {providers: {anthropic: {models: [{id: "claude-sonnet-4-6", contextWindow: 200000}]}}}}`)
		w.lines(S("a.jsonl"), head("a", 0), reply("a1", "", 1, 1000, 10, "0.1"))
		tide := w.open().tideOf("a")
		if tide.Threshold == nil || *tide.Threshold <= 0 || *tide.Threshold > 200_000 {
			t.Errorf("%s: threshold %v", config, tide.Threshold)
		}
	}
}
