package engine

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tidemark/backend/api"
	"tidemark/backend/index"
)

func goneState(t *testing.T) *state {
	s := newState(t)
	s.write("agents/main/sessions/keep.jsonl", header("keep", may10), asst("k1", 100, 10, 0, 0, "0.001"))
	s.write("agents/main/sessions/lose.jsonl", header("lose", may10), user("l0", "", "2026-05-10T09:00:00.000Z", "[cron:digest] write"), asst("l1", 200, 20, 5, 6, "0.002", "parent=l0"),
		asst("l2", 300, 30, 0, 0, "0", "provider=custom", "model=unlisted", "at=2026-05-11T01:00:00.000Z", "parent=l1"),
		`{"type":"compaction","id":"c1","parentId":"l2","timestamp":"2026-05-11T02:00:00.000Z","summary":"## Goal\n\nkeep the ledger","firstKeptEntryId":"l2","tokensBefore":1234}`)
	return s
}

// TestDeletedSourceStaysCounted deletes a transcript that was read (B20).
func TestDeletedSourceStaysCounted(t *testing.T) {
	s := goneState(t)
	h := s.open()
	before := h.scan()
	s.remove("agents/main/sessions/lose.jsonl")
	after := h.scan()
	if sums(before) != sums(after) {
		t.Errorf("before %s\nafter  %s", sums(before), sums(after))
	}
	lost := h.sessions()["lose"]
	if !lost.Gone || !lost.Archived || len(lost.Sources) != 0 {
		t.Errorf("the session is not marked as gone: %+v", lost)
	}
	s.write("agents/main/sessions/lose.jsonl.deleted.2026-05-12T00-00-00.000Z", header("lose", may10), asst("l1", 200, 20, 5, 6, "0.002"))
	if got := h.sessions()["lose"]; got.Gone || !got.Archived {
		t.Errorf("the archive is not seen: %+v", got)
	}
	if back := h.scan(); sums(back) != sums(before) {
		t.Errorf("the archive counts again: %s", sums(back))
	}
}

// TestLostIndexLosesNothing deletes a transcript and then the index: the
// ledger brings the usage and the summary back, and nothing counts twice when
// the transcript comes back too.
func TestLostIndexLosesNothing(t *testing.T) {
	s := goneState(t)
	content, err := os.ReadFile(filepath.Join(s.dir, "agents/main/sessions/lose.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	h := s.open()
	before := h.scan()
	costs := costsOf(t, h)
	compactions := compactionsOf(t, h)
	s.remove("agents/main/sessions/lose.jsonl")
	h.scan()
	lose(t, h)
	after := h.scan()
	if before.Tokens != after.Tokens || before.Cost != after.Cost || before.Sessions != after.Sessions || before.Compactions != after.Compactions {
		t.Errorf("before %s\nafter  %s", sums(before), sums(after))
	}
	if got := costsOf(t, h); got.Total != costs.Total || len(got.Rows) != len(costs.Rows) || got.Rows[0] != costs.Rows[0] || got.Rows[1] != costs.Rows[1] {
		t.Errorf("costs were %+v and are %+v", costs, got)
	}
	if got := compactionsOf(t, h); len(got) != 1 || got[0].Summary != compactions[0].Summary || *got[0].TokensBefore != 1234 {
		t.Errorf("compactions were %+v and are %+v", compactions, got)
	}
	if !h.sessions()["lose"].Gone {
		t.Error("the session that only the ledger knows is not marked as gone")
	}
	s.raw("agents/main/sessions/lose.jsonl", string(content))
	if back := h.scan(); sums(back) != sums(before) {
		t.Errorf("when the transcript came back: %s", sums(back))
	}
	rebuilt, err := h.Rebuild(context.Background(), api.Query{})
	if err != nil || sums(rebuilt) != sums(before) {
		t.Errorf("rebuilt: %s %v", sums(rebuilt), err)
	}
}

// TestShortenedSourceKeepsTheDifference cuts a transcript after it was read
// and loses the index: the ledger gives what the file no longer has.
func TestShortenedSourceKeepsTheDifference(t *testing.T) {
	s := goneState(t)
	h := s.open()
	before := h.scan()
	s.write("agents/main/sessions/lose.jsonl", header("lose", may10), asst("l1", 200, 20, 5, 6, "0.002"))
	if after := h.scan(); sums(after) != sums(before) {
		t.Errorf("after the cut: %s", sums(after))
	}
	if n := codes(h.scan())["rewritten"]; n != 1 {
		t.Errorf("%d notices of the cut", n)
	}
	lose(t, h)
	if after := h.scan(); after.Tokens != before.Tokens || after.Cost != before.Cost {
		t.Errorf("before %s\nafter  %s", sums(before), sums(after))
	}
}

// lose deletes the index and opens the engine again.
func lose(t *testing.T, h *house) {
	t.Helper()
	path := h.Dir().Index()
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
	if err := index.Remove(path); err != nil {
		t.Fatal(err)
	}
	h.reopen()
	t.Cleanup(func() { h.Close() })
}

func costsOf(t *testing.T, h *house) api.Costs {
	t.Helper()
	v, err := h.Costs(context.Background(), api.Query{Refresh: true, By: "day", Zone: "UTC"})
	if err != nil {
		t.Fatal(err)
	}
	return v.Costs
}

func compactionsOf(t *testing.T, h *house) []api.Compaction {
	t.Helper()
	c, err := h.Compactions(context.Background(), api.Query{Refresh: true})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestLedgerIsAppendedToOnce looks many times, over days: the ledger only
// grows, and by nothing that it has.
func TestLedgerIsAppendedToOnce(t *testing.T) {
	s := goneState(t)
	h := s.open()
	h.scan()
	path := filepath.Join(h.Dir().Ledger(), installationID(t, h), "main", "usage.md")
	first := readFile(t, path)
	if n := strings.Count(first, "\n- "); n != 3 {
		t.Errorf("%d lines for two sessions on two days:\n%s", n, first)
	}
	for range 3 {
		h.now = h.now.Add(25 * time.Hour)
		h.scan()
	}
	if again := readFile(t, path); again != first {
		t.Errorf("the ledger changed though nothing did:\n%s", again)
	}
	s.add("agents/main/sessions/keep.jsonl", asst("k2", 1, 1, 0, 0, "0.001", "at="+h.now.Format("2006-01-02T15:04:05.000Z"))+"\n")
	h.scan()
	if again := readFile(t, path); again != first {
		t.Errorf("a day that is not over was written:\n%s", again)
	}
	h.now = h.now.Add(25 * time.Hour)
	h.scan()
	again := readFile(t, path)
	if !strings.HasPrefix(again, first) || strings.Count(again, "\n- ") != 4 {
		t.Errorf("the day that is over was not appended:\n%s", again)
	}
}

func installationID(t *testing.T, h *house) string {
	t.Helper()
	all, err := h.Installations(context.Background())
	if err != nil || len(all) != 1 {
		t.Fatal(all, err)
	}
	return all[0].ID
}

func readFile(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
