package index

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"tidemark/backend/memory"
)

// open opens an index in a folder of the test and a store of it.
func openTest(t *testing.T) (*Index, *Store) {
	t.Helper()
	x, err := Open(t.Context(), filepath.Join(t.TempDir(), "index.sqlite"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { x.Close() })
	return x, storeOf(t, x, "home")
}

func storeOf(t *testing.T, x *Index, name string) *Store {
	t.Helper()
	s, err := x.Installation(t.Context(), name, "/home/u/."+name)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// ok fails the test on an error.
func ok(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// live is a source by the name of its file.
func live(name string) memory.Source {
	return memory.Source{Kind: memory.SourceLive, Agent: "main", Path: "/s/" + name + ".jsonl", Base: name + ".jsonl", Stamp: memory.Stamp{Size: 10, MTime: 5, Inode: 77}}
}

// entry makes an entry of a live file; change alters it.
func entry(session, id string, kind memory.Kind, change ...func(*memory.Entry)) *memory.Entry {
	e := &memory.Entry{Session: session, ID: id, Kind: kind, At: 1000, HasParent: true, Place: memory.Place{Kind: memory.SourceLive, Path: "/s/x.jsonl", Line: 2, Offset: 100}}
	for _, f := range change {
		f(e)
	}
	return e
}

func at(m memory.Millis) func(*memory.Entry) { return func(e *memory.Entry) { e.At = m } }

func user(session, id, text string, change ...func(*memory.Entry)) *memory.Entry {
	return entry(session, id, memory.KindMessage, append([]func(*memory.Entry){func(e *memory.Entry) { e.Role, e.Text = memory.RoleUser, text }}, change...)...)
}

// called is an entry that called a model; once tells its call.
func called(session, id string, once uint64, input int64, cost memory.Money, change ...func(*memory.Entry)) *memory.Entry {
	return entry(session, id, memory.KindMessage, append([]func(*memory.Entry){func(e *memory.Entry) {
		e.Role = memory.RoleAssistant
		e.Call = &memory.Call{Provider: "p", Model: "m", Usage: memory.Usage{Present: true, Input: input, Output: 1}, Cost: cost, Price: memory.PriceRecorded, Reported: true, Once: once}
	}}, change...)...)
}

func header(session string, when memory.Millis, parent string) *memory.Entry {
	return entry(session, "first", memory.KindSession, func(e *memory.Entry) {
		e.At, e.Header = when, &memory.Header{ID: session, Version: 3, Cwd: "/w", Parent: parent}
	})
}

func compaction(session, id, summary string, change ...func(*memory.Entry)) *memory.Entry {
	return entry(session, id, memory.KindCompaction, append([]func(*memory.Entry){func(e *memory.Entry) {
		e.Compaction = &memory.Compaction{Summary: summary, FirstKept: "x", FirstKeptIndex: -1, TokensBefore: 100, TokensAfter: 7}
	}}, change...)...)
}

// whole is the checkpoint of a source that was read to its end.
func whole(src memory.Source) memory.Checkpoint {
	return memory.Checkpoint{Stamp: src.Stamp, Offset: 10, Line: 3, Sum: 9, Session: "a", Prompt: 1}
}

// put writes entries as one source and commits it.
func (s *Store) put(t *testing.T, src memory.Source, entries ...*memory.Entry) {
	t.Helper()
	b, err := s.Begin(t.Context(), "main", src, true)
	ok(t, err)
	defer b.Close()
	for _, e := range entries {
		ok(t, b.Add(e))
	}
	ok(t, b.Commit(whole(src), nil))
}

// flushed makes everything durable and checks the sums.
func flushed(t *testing.T, s *Store) {
	t.Helper()
	ok(t, s.Flush(t.Context()))
	verify(t, s.x)
}

func verify(t *testing.T, x *Index) {
	t.Helper()
	wrong, err := x.Verify(t.Context())
	ok(t, err)
	if len(wrong) > 0 {
		t.Fatalf("the index contradicts itself:\n%s", strings.Join(wrong, "\n"))
	}
}

func sessionOf(t *testing.T, s *Store, id string) memory.SessionSummary {
	t.Helper()
	all, err := s.Sessions(t.Context(), Filter{Session: id})
	ok(t, err)
	if len(all) != 1 {
		t.Fatalf("%d sessions %q", len(all), id)
	}
	return all[0]
}

// brief gives the sums of all sessions in a line each.
func brief(t *testing.T, s *Store) string {
	t.Helper()
	all, err := s.Sessions(context.Background(), Filter{})
	ok(t, err)
	var b strings.Builder
	for _, one := range all {
		fmt.Fprintf(&b, "%s/%s messages %d user %d compactions %d calls %d input %d cost %d\n", one.Agent, one.Session, one.Messages, one.UserMessages, one.Compactions, one.Calls, one.Usage.Input, one.Cost)
	}
	return b.String()
}

func equal[T comparable](t *testing.T, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}
