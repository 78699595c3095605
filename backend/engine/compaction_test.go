package engine

import (
	"fmt"
	"strings"
	"testing"

	"tidemark/backend/api"
	"tidemark/backend/memory"
)

func (e *engineOf) compactionOf(session, entry string) api.CompactionDetail {
	e.w.t.Helper()
	got, err := e.Compaction(e.w.t.Context(), api.Query{Session: session, Entry: entry, Refresh: true})
	if err != nil {
		e.w.t.Fatal(err)
	}
	return got
}

func entryIDs(of []api.Entry) string {
	var names []string
	for _, e := range of {
		names = append(names, e.ID)
	}
	return strings.Join(names, " ")
}

// TestCompactionDetail: what left, what stayed, what came before and after.
// Compaction 2 drops what 1 had kept.
func TestCompactionDetail(t *testing.T) {
	w := newWorld(t)
	long := strings.Repeat("信", 700)
	w.lines(S("a.jsonl"), head("a", 0), said("u1", "", 1, long), said("u2", "u1", 2, "two"), said("u3", "u2", 3, "three"), compacted("c1", "u3", 4, "u2", "first "+long),
		said("u4", "c1", 5, "four"), reply("a4", "u4", 6, 5, 5, "1"), compacted("c2", "a4", 7, "a4", "second"), said("u5", "c2", 8, "five"))
	e := w.open()
	one, two := e.compactionOf("a", "c1"), e.compactionOf("a", "c2")
	equal(t, "left by 1", entryIDs(one.Left), "u1")
	equal(t, "left by 2", entryIDs(two.Left), "u2 u3 c1 u4")
	equal(t, "numbers", fmt.Sprint(one.LeftTotal, one.KeptTotal, two.LeftTotal, two.KeptTotal), "1 2 4 1")
	equal(t, "order", one.Previous+"|"+one.Next+"|"+two.Previous+"|"+two.Next, "|c2|c1|")
	equal(t, "cut", len([]rune(one.Left[0].Text)), leftText+1)
	equal(t, "a summary that is cut", len([]rune(two.Left[2].Text)), leftText+1)
	if one.LeftTokens < 600 || one.LastCallAt != nil || two.LastCallAt == nil || *two.LastCallAt != at(6) {
		t.Errorf("tokens %d, calls at %v, %v", one.LeftTokens, one.LastCallAt, two.LastCallAt)
	}
	equal(t, "title", one.Title, e.session("a").Title)
	for _, q := range []api.Query{{Session: "a", Entry: "u1"}, {Session: "a"}, {Session: "b", Entry: "c1"}} {
		if _, err := e.Compaction(t.Context(), q); memory.CodeOf(err) != memory.CodeNotFound {
			t.Errorf("%+v: %v", q, err)
		}
	}
}

// TestCompactionShapes: a boundary that keeps nothing, and a retry.
func TestCompactionShapes(t *testing.T) {
	w := newWorld(t)
	w.lines(S("hard.jsonl"), head("hard", 0), said("u1", "", 1, "one"), said("u2", "u1", 2, "two"), compacted("k", "u2", 3, "k", "all of it"), said("u3", "k", 4, "three"))
	w.lines(S("retry.jsonl"), head("retry", 0), said("r1", "", 1, "one"), compacted("lost", "r1", 2, "lost", "No prior history."), compacted("won", "r1", 3, "won", "done"), said("r2", "won", 4, "two"))
	e := w.open()
	hard := e.compactionOf("hard", "k")
	equal(t, "nothing stayed", fmt.Sprint(entryIDs(hard.Left), " ", hard.KeptTotal), "u1 u2 0")
	lost, won := e.compactionOf("retry", "lost"), e.compactionOf("retry", "won")
	if !lost.Superseded || won.Superseded || !lost.NoSummary || won.NoSummary {
		t.Errorf("lost %v %v, won %v %v", lost.Superseded, lost.NoSummary, won.Superseded, won.NoSummary)
	}
	falls := e.tideOf("retry").Falls
	equal(t, "falls", fmt.Sprint(falls[0].Superseded, falls[1].Superseded), "true false")
	equal(t, "each dropped", entryIDs(lost.Left)+" "+entryIDs(won.Left), "r1 r1")
	equal(t, "nothing to be seen to", len(e.today(api.Query{}).Needs), 0)
}

// TestCompactionWhy: recorded where a person said so, told from the numbers or
// an error else, and otherwise not known.
func TestCompactionWhy(t *testing.T) {
	w := newWorld(t)
	failed := strings.Replace(call{id: "f1", parent: "u1", minute: 2, text: "400 prompt is too long: 210000 tokens"}.line(), `"stopReason":"stop"`, `"stopReason":"error"`, 1)
	w.lines(S("manual.jsonl"), head("manual", 0), said("u1", "", 1, "[Sun 2026-05-10 00:01 UTC] /compact keep the plan"), compacted("m", "u1", 2, "m", "s"), said("u2", "m", 3, "on"), compacted("n", "u2", 4, "n", "s"))
	w.lines(S("over.jsonl"), head("over", 0), said("u1", "", 1, "one"), failed, compacted("o", "f1", 3, "o", "s"))
	w.lines(S("full.jsonl"), head("full", 0), said("u1", "", 1, "about /compact and context overflow"), reply("x1", "u1", 2, 177000, 1, "1"), compacted("t", "x1", 3, "t", "s"))
	e := w.open()
	check := func(session, entry, want string) {
		t.Helper()
		d := e.compactionOf(session, entry)
		equal(t, session+"/"+entry, d.Why+" "+d.WhyFrom, want)
	}
	check("manual", "m", "manual recorded")
	check("manual", "n", "unknown ")
	check("over", "o", "overflow inferred")
	check("full", "t", "unknown ")
	w.write("openclaw.json", `{models: {providers: {anthropic: {models: [{id: "claude-sonnet-4-6", contextWindow: 190000}]}}}}`)
	check("full", "t", "threshold inferred")
	check("manual", "m", "manual recorded")
}
