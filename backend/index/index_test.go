package index_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tidemark/backend/index"
	"tidemark/backend/memory"
)

func open(t *testing.T, path string) *index.Index {
	t.Helper()
	x, err := index.Open(context.Background(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { x.Close() })
	return x
}

func newStore(t *testing.T) *index.Store {
	t.Helper()
	s, err := open(t, filepath.Join(t.TempDir(), "index.sqlite")).Installation(context.Background(), "inst", "/state")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

var live = memory.Source{Kind: memory.SourceLive, Agent: "main", Path: "/state/agents/main/sessions/s.jsonl", Base: "s.jsonl"}

func entry(session, id string, role memory.Role, at memory.Millis) *memory.Entry {
	return &memory.Entry{Session: session, ID: id, Kind: memory.KindMessage, Role: role, At: at, Place: memory.Place{Kind: memory.SourceLive, Path: live.Path, Line: 2}, Text: "words of " + id}
}

func called(e *memory.Entry, once uint64, in int64, cost memory.Money) *memory.Entry {
	e.Role = memory.RoleAssistant
	e.Call = &memory.Call{Provider: "p", Model: "m", Usage: memory.Usage{Present: true, Input: in}, Cost: cost, Price: memory.PriceRecorded, Reported: true, Once: once}
	return e
}

// batch adds entries and commits them with a checkpoint.
func batch(t *testing.T, s *index.Store, src memory.Source, cp memory.Checkpoint, entries ...*memory.Entry) {
	t.Helper()
	b, err := s.Begin(context.Background(), src.Agent, src, false)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	for _, e := range entries {
		if err := b.Add(e); err != nil {
			t.Fatal(err)
		}
	}
	if err := b.Commit(cp, nil); err != nil {
		t.Fatal(err)
	}
}

func summary(t *testing.T, s *index.Store, session string) memory.SessionSummary {
	t.Helper()
	all, err := s.Sessions(context.Background(), index.Filter{Session: session})
	if err != nil || len(all) != 1 {
		t.Fatalf("%d sessions %q: %v", len(all), session, err)
	}
	return all[0]
}

func TestTheSameEntryTwiceIsOneRow(t *testing.T) {
	s := newStore(t)
	cp := memory.Checkpoint{Offset: 10, Line: 2, Sum: 7, Session: "s"}
	for range 3 {
		batch(t, s, live, cp, entry("s", "u1", memory.RoleUser, 1000), called(entry("s", "a1", memory.RoleAssistant, 2000), 1, 100, 5))
	}
	got := summary(t, s, "s")
	if got.Messages != 2 || got.UserMessages != 1 || got.Calls != 1 || got.Usage.Input != 100 || got.Cost != 5 || got.Started != 1000 || got.Updated != 2000 {
		t.Errorf("got %+v", got)
	}
}

// TestCopyOfACallCountsOnce has the same call in two sessions.
func TestCopyOfACallCountsOnce(t *testing.T) {
	s := newStore(t)
	batch(t, s, live, memory.Checkpoint{}, called(entry("one", "a1", memory.RoleAssistant, 2000), 9, 100, 5), called(entry("two", "a1", memory.RoleAssistant, 2000), 9, 100, 5))
	one, two := summary(t, s, "one"), summary(t, s, "two")
	if one.Calls+two.Calls != 1 || one.Messages+two.Messages != 2 || one.Usage.Input+two.Usage.Input != 100 {
		t.Errorf("one %+v two %+v", one, two)
	}
}

// TestWhatIsNotCommittedIsNotThere closes a batch without committing.
func TestWhatIsNotCommittedIsNotThere(t *testing.T) {
	s := newStore(t)
	b, err := s.Begin(context.Background(), "main", live, true)
	if err != nil {
		t.Fatal(err)
	}
	if err := b.Add(entry("s", "u1", memory.RoleUser, 1)); err != nil {
		t.Fatal(err)
	}
	b.Close()
	if all, err := s.Sessions(context.Background(), index.Filter{}); err != nil || len(all) != 0 {
		t.Errorf("%d sessions, %v", len(all), err)
	}
	if known, err := s.Sources(context.Background(), "main"); err != nil || len(known) != 0 {
		t.Errorf("sources %v, %v", known, err)
	}
}

func TestCheckpointRoundTrip(t *testing.T) {
	s := newStore(t)
	cp := memory.Checkpoint{Stamp: memory.Stamp{Size: 5, MTime: 6, Inode: 1<<64 - 1, Wal: 7, WalAt: 8}, Offset: 9, Line: 10, Sum: 1<<63 + 5, Session: "s", Prompt: 3}
	batch(t, s, live, cp)
	known, err := s.Sources(context.Background(), "main")
	if err != nil || known[live.Path].Checkpoint.Stamp != cp.Stamp || known[live.Path].Checkpoint.Sum != cp.Sum || known[live.Path].Checkpoint.Session != "s" || known[live.Path].Checkpoint.Prompt != 3 {
		t.Errorf("got %+v %v", known, err)
	}
	db := memory.Source{Kind: memory.SourceDatabase, Agent: "main", Path: "/db"}
	mark := memory.Mark{Seq: 4, Count: 5, Generation: "g", Prompt: 1}
	batch(t, s, db, memory.Checkpoint{Marks: map[string]memory.Mark{"s": mark, "gone": mark}})
	mark.Seq = 9
	batch(t, s, db, memory.Checkpoint{Marks: map[string]memory.Mark{"s": mark}})
	marks, err := s.Marks(context.Background(), "main", "/db")
	if err != nil || len(marks) != 2 || marks["s"].Seq != 9 || marks["gone"].Seq != 4 {
		t.Errorf("marks %+v %v", marks, err)
	}
}

func TestEntriesComeBackAsTheyWere(t *testing.T) {
	s := newStore(t)
	long := strings.Repeat("长文本 with words, ", 500)
	c := &memory.Entry{Session: "s", ID: "c", Kind: memory.KindCompaction, At: 3, Parent: "a", HasParent: true, Place: memory.Place{Kind: memory.SourceLive, Path: live.Path, Line: 4},
		Compaction: &memory.Compaction{Summary: long, FirstKept: "a", FirstKeptIndex: -1, TokensBefore: 10, TokensAfter: 4, FromHook: true}}
	u := entry("s", "u", memory.RoleUser, 1)
	u.Text, u.Owner, u.HasParent = long, memory.Yes, true
	a := called(entry("s", "a", memory.RoleAssistant, 2), 4, 7, 8)
	a.Parent, a.HasParent, a.Tool, a.Side = "u", true, "exec", true
	a.Call.Background, a.Call.Failed = true, true
	x := &memory.Entry{Session: "s", ID: "x", Kind: memory.KindUnknown, Type: "future", At: 4, Place: memory.Place{Kind: memory.SourceLive, Path: live.Path}}
	batch(t, s, live, memory.Checkpoint{}, u, a, c, x)
	got, err := s.Entries(context.Background(), summary(t, s, "s").Row, true)
	if err != nil || len(got) != 4 {
		t.Fatalf("%d entries, %v", len(got), err)
	}
	if got[0].Text != long || got[0].Owner != memory.Yes || !got[0].HasParent || got[0].Parent != "" {
		t.Errorf("user %+v", got[0])
	}
	if !got[1].Side || got[1].Tool != "exec" || got[1].Parent != "u" || got[1].Call == nil || !got[1].Call.Background || !got[1].Call.Failed || got[1].Call.Usage.Input != 7 || got[1].Call.Model != "m" {
		t.Errorf("assistant %+v %+v", got[1], got[1].Call)
	}
	if k := got[2].Compaction; k == nil || k.Summary != long || k.FirstKept != "a" || k.FirstKeptIndex != -1 || k.TokensAfter != 4 || !k.FromHook {
		t.Errorf("compaction %+v", k)
	}
	if got[3].Type != "future" || got[3].Kind != memory.KindUnknown {
		t.Errorf("unknown %+v", got[3])
	}
}

// TestRename gives a session another id, also where both are there.
func TestRename(t *testing.T) {
	s := newStore(t)
	batch(t, s, live, memory.Checkpoint{Stamp: memory.Stamp{Size: 5}, Offset: 5}, entry("old", "u1", memory.RoleUser, 1))
	rename := func(from, to string) {
		t.Helper()
		b, err := s.Begin(context.Background(), "main", memory.Source{Kind: memory.SourceDatabase, Path: "/db"}, false)
		if err != nil {
			t.Fatal(err)
		}
		defer b.Close()
		if err := b.Rename(from, to); err != nil {
			t.Fatal(err)
		}
		if err := b.Commit(memory.Checkpoint{}, nil); err != nil {
			t.Fatal(err)
		}
	}
	rename("old", "new")
	if got := summary(t, s, "new"); got.Messages != 1 {
		t.Errorf("after the renaming: %+v", got)
	}
	batch(t, s, live, memory.Checkpoint{Stamp: memory.Stamp{Size: 5}, Offset: 5}, entry("other", "u2", memory.RoleUser, 1))
	rename("other", "new")
	known, err := s.Sources(context.Background(), "main")
	if err != nil || known[live.Path].Checkpoint.Offset != 0 || known[live.Path].Checkpoint.Stamp.Size == 5 {
		t.Errorf("the source of a session that was there under both names is not read again: %+v %v", known, err)
	}
}

func TestAnotherVersionIsSetAside(t *testing.T) {
	path := filepath.Join(t.TempDir(), "index.sqlite")
	x := open(t, path)
	if x.Rebuilt != nil {
		t.Errorf("a new index says %+v", x.Rebuilt)
	}
	x.Close()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	b[63] = 99 // the low byte of user_version
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
	x = open(t, path)
	if x.Rebuilt == nil || !strings.Contains(x.Rebuilt.Message, "another version") || x.Rebuilt.Hint == "" {
		t.Errorf("got %+v", x.Rebuilt)
	}
	if aside, err := filepath.Glob(path + ".damaged-*"); err != nil || len(aside) == 0 {
		t.Errorf("the old index was not kept: %v %v", aside, err)
	}
}

func TestProblemsOfAScopeAreReplaced(t *testing.T) {
	s := newStore(t)
	ctx := context.Background()
	p := memory.Problem{Code: "bad-line", Path: "/f", Line: 3, Count: 2, Message: "m", Hint: "h"}
	for range 2 {
		if err := s.SetProblems(ctx, "roster", []memory.Problem{p}); err != nil {
			t.Fatal(err)
		}
	}
	got, err := s.Problems(ctx)
	if err != nil || len(got) != 1 || got[0] != p {
		t.Errorf("got %+v %v", got, err)
	}
	if err := s.SetProblems(ctx, "roster", nil); err != nil {
		t.Fatal(err)
	}
	if got, _ = s.Problems(ctx); len(got) != 0 {
		t.Errorf("got %+v", got)
	}
}

// TestSumsOfSessionsAreThoseOfRows adds many entries in several batches and
// compares the sums that were kept with sums of the rows.
func TestSumsOfSessionsAreThoseOfRows(t *testing.T) {
	s := newStore(t)
	once := uint64(0)
	for n := range 20 {
		var entries []*memory.Entry
		for m := range 15 {
			once++
			id := string(rune('a'+n)) + string(rune('a'+m%10)) // some come twice
			entries = append(entries, called(entry("s", id, memory.RoleAssistant, memory.Millis(1000+n*100+m)), once, int64(n*m), memory.Money(n+m)))
		}
		batch(t, s, live, memory.Checkpoint{}, entries...)
	}
	got := summary(t, s, "s")
	slices, err := s.Usage(context.Background(), index.Filter{})
	if err != nil {
		t.Fatal(err)
	}
	var calls, input int64
	var cost memory.Money
	for _, l := range slices {
		calls, input, cost = calls+l.Calls, input+l.Usage.Input, cost+l.Cost
	}
	if got.Calls != 200 || calls != got.Calls || input != got.Usage.Input || cost != got.Cost {
		t.Errorf("session: %d calls, %d input, %d; rows: %d, %d, %d", got.Calls, got.Usage.Input, got.Cost, calls, input, cost)
	}
}
