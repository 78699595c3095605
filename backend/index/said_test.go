package index

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tidemark/backend/memory"
)

// batchOf adds entries of a source and commits them.
func batchOf(t *testing.T, s *Store, f func(b *Batch)) {
	t.Helper()
	b, err := s.Begin(t.Context(), "main", live("x"), true)
	ok(t, err)
	f(b)
	ok(t, b.Commit(memory.Checkpoint{Stamp: memory.Stamp{Size: 1}}, nil))
	b.Close()
}

// TestFirst: a message is noted with its batch, or not at all.
func TestFirst(t *testing.T) {
	_, s := openTest(t)
	ask := func(b *Batch, key int64, want bool) {
		t.Helper()
		if got, err := b.First(key); err != nil || got != want {
			t.Errorf("%d: %t %v, want %t", key, got, err, want)
		}
	}
	thrown, err := s.Begin(t.Context(), "main", live("x"), true)
	ok(t, err)
	ask(thrown, 7, true)
	ask(thrown, 7, false)
	thrown.Close() // not committed
	batchOf(t, s, func(b *Batch) { ask(b, 7, true); ask(b, -9, true) })
	ok(t, s.Flush(t.Context()))
	ok(t, s.SetSaid(t.Context(), []int64{7, 8}))
	batchOf(t, s, func(b *Batch) { ask(b, 7, false); ask(b, 8, false); ask(b, -9, false); ask(b, 10, true) })
}

// TestBefore: what is put before a commit is kept with it; where it fails
// nothing is.
func TestBefore(t *testing.T) {
	x, s := openTest(t)
	calls := 0
	s.Before = func(_ context.Context, put func(string) error) error {
		if calls++; calls == 1 {
			return errors.New("no room anywhere")
		}
		return put(fmt.Sprint("line ", calls))
	}
	batchOf(t, s, func(b *Batch) { ok(t, b.Add(user("a", "u1", "one"))) })
	if err := s.Flush(t.Context()); err == nil || !strings.Contains(err.Error(), "no room") {
		t.Errorf("got %v", err)
	}
	count := func() (n int) {
		ok(t, x.read.QueryRowContext(t.Context(), "SELECT COUNT(*) FROM entry").Scan(&n))
		return n
	}
	if n := count(); n != 0 {
		t.Errorf("%d entries are there all the same", n)
	}
	batchOf(t, s, func(b *Batch) { ok(t, b.Add(user("a", "u1", "one"))) })
	ok(t, s.Flush(t.Context()))
	lines, err := s.Outbox(t.Context())
	ok(t, err)
	if count() != 1 || len(lines) != 1 || lines[0].Line != "line 2" {
		t.Errorf("%d entries, outbox %+v", count(), lines)
	}
	ok(t, s.EmptyOutbox(t.Context(), lines[0].ID))
	if lines, err = s.Outbox(t.Context()); err != nil || len(lines) != 0 {
		t.Errorf("%+v %v", lines, err)
	}
}

// TestRedact: a text is gone from every place, and from the file.
func TestRedact(t *testing.T) {
	dir := t.TempDir()
	x, err := Open(t.Context(), filepath.Join(dir, "index.sqlite"))
	ok(t, err)
	s := storeOf(t, x, "home")
	long := strings.Repeat("and so on ", 100) + "Quillonetta" + strings.Repeat(" and more", 100)
	batchOf(t, s, func(b *Batch) {
		ok(t, b.Add(user("a", "u1", "call Quillonetta", func(e *memory.Entry) { e.Title = "call Quillonetta" })))
		ok(t, b.Add(user("a", "u2", long)))
		ok(t, b.Add(user("a", "u3", "something else")))
		ok(t, b.Add(entry("a", "c1", memory.KindCompaction, func(e *memory.Entry) { e.Compaction = &memory.Compaction{Summary: "they said Quillonetta"} })))
	})
	ok(t, s.Flush(t.Context()))
	ok(t, s.SetNotes(t.Context(), "main", []memory.SessionMeta{{SessionID: "a", Label: "about Quillonetta"}}))
	ok(t, s.SetProblems(t.Context(), "x", []memory.Problem{{Code: "c", Path: "p", Count: 1, Message: "at Quillonetta"}}))
	n, err := s.Redact(t.Context(), func(text string, _ memory.Role, _ memory.Millis) (string, bool) {
		now := strings.ReplaceAll(text, "Quillonetta", "[forgotten]")
		return now, now != text
	})
	ok(t, err)
	if n != 6 {
		t.Errorf("%d texts changed, want 6", n)
	}
	text, found, err := s.EntryText(t.Context(), "main", "a", "u2")
	if err != nil || !found || text != strings.ReplaceAll(long, "Quillonetta", "[forgotten]") {
		t.Errorf("%q %t %v", text, found, err)
	}
	if _, found, err = s.EntryText(t.Context(), "main", "a", "none"); found || err != nil {
		t.Error(found, err)
	}
	ok(t, x.Close())
	files, err := os.ReadDir(dir)
	ok(t, err)
	for _, f := range files {
		body, err := os.ReadFile(filepath.Join(dir, f.Name()))
		ok(t, err)
		if strings.Contains(string(body), "Quillonetta") {
			t.Errorf("%s still holds it", f.Name())
		}
	}
}
