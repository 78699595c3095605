package index

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"tidemark/backend/memory"
)

func TestEntryTwiceIsOneRow(t *testing.T) {
	_, s := openTest(t)
	src := live("a")
	list := []*memory.Entry{header("a", 500, ""), user("a", "u", "hi"), called("a", "c", 1, 100, 5), compaction("a", "k", "sum"), user("a", "u", "hi"), called("a", "c", 1, 100, 5), compaction("a", "k", "sum")}
	for range 3 {
		s.put(t, src, list...)
		s.put(t, live("copy"), list...)
	}
	flushed(t, s)
	equal(t, "sums", brief(t, s), "main/a messages 2 user 1 compactions 1 calls 1 input 100 cost 5\n")
	one := sessionOf(t, s, "a")
	equal(t, "entries", one.Entries, 3)
	equal(t, "sources", len(one.Sources), 2)
	equal(t, "started", one.Started, 500)
	equal(t, "updated", one.Updated, 1000)
	equal(t, "model", one.Provider+"/"+one.Model, "p/m")
	if one.ContextUsed == nil || *one.ContextUsed != 7 {
		t.Errorf("context %v, want that behind the compaction", one.ContextUsed)
	}
}

func TestMirroredMessageCountsOnce(t *testing.T) {
	_, s := openTest(t)
	mirror := func(e *memory.Entry) { e.Mirror = "m" }
	s.put(t, live("a"), user("a", "u1", "x", mirror), user("a", "u2", "x", mirror), user("a", "u1", "x", mirror), user("b", "u1", "x", mirror))
	flushed(t, s)
	equal(t, "sums", brief(t, s), "main/a messages 1 user 1 compactions 0 calls 0 input 0 cost 0\nmain/b messages 1 user 1 compactions 0 calls 0 input 0 cost 0\n")
}

// TestCallCountsWhereItBegan: of sessions that hold the same call it counts in
// the one that began first, in whatever order they are read.
func TestCallCountsWhereItBegan(t *testing.T) {
	sessions := map[string][]*memory.Entry{
		"first":  {header("first", 10, ""), called("first", "c", 1, 100, 5), called("first", "d", 2, 10, 1)},
		"second": {header("second", 20, "first.jsonl"), called("second", "c", 1, 100, 5), called("second", "e", 3, 1000, 7)},
		"third":  {header("third", 30, "second.jsonl"), called("third", "c", 1, 100, 5), called("third", "e", 3, 1000, 7)},
		"none":   {called("none", "c", 1, 100, 5)}, // its header is lost
	}
	want := "main/first messages 2 user 0 compactions 0 calls 2 input 110 cost 6\nmain/none messages 1 user 0 compactions 0 calls 0 input 0 cost 0\n" +
		"main/second messages 2 user 0 compactions 0 calls 1 input 1000 cost 7\nmain/third messages 2 user 0 compactions 0 calls 0 input 0 cost 0\n"
	r := rand.New(rand.NewPCG(3, 3))
	names := []string{"first", "second", "third", "none"}
	for range 24 {
		r.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
		_, s := openTest(t)
		for _, name := range names {
			s.put(t, live(name), sessions[name]...)
			if r.IntN(2) == 0 {
				flushed(t, s)
			}
		}
		flushed(t, s)
		equal(t, fmt.Sprint(names), brief(t, s), want)
		third := sessionOf(t, s, "third")
		if third.ContextUsed == nil || *third.ContextUsed != 1000 || third.Model != "m" {
			t.Errorf("%v: a session of copies knows neither context nor model: %v %q", names, third.ContextUsed, third.Model)
		}
		entries, err := s.Entries(t.Context(), third.Row, false)
		ok(t, err)
		if entries[0].Call != nil {
			t.Error("a copy shows a call")
		}
	}
}

// TestKinIsRemembered: a session that holds copies and whose header names no
// parent knows where they come from.
func TestKinIsRemembered(t *testing.T) {
	_, s := openTest(t)
	s.put(t, live("a"), header("a", 10, ""), called("a", "c", 1, 100, 5))
	s.put(t, live("b"), header("b", 20, ""), called("b", "c", 1, 100, 5))
	s.put(t, live("0"), header("0", 5, ""), called("0", "c", 1, 100, 5))
	flushed(t, s)
	equal(t, "parent", sessionOf(t, s, "b").Parent, "a")
	equal(t, "parent of the one that was first", sessionOf(t, s, "a").Parent, "0")
	equal(t, "parent of the first", sessionOf(t, s, "0").Parent, "")
}

func TestUncommittedIsThrownAway(t *testing.T) {
	x, s := openTest(t)
	s.put(t, live("a"), header("a", 10, ""), called("a", "c", 1, 100, 5))
	b, err := s.Begin(t.Context(), "main", live("b"), true)
	ok(t, err)
	ok(t, b.Add(header("b", 10, "")))
	ok(t, b.Add(called("b", "x", 2, 100, 5, func(e *memory.Entry) { e.Call.Model = "other" })))
	b.Close()
	s.put(t, live("c"), header("c", 10, ""), called("c", "y", 3, 100, 5, func(e *memory.Entry) { e.Call.Model = "other" }))
	flushed(t, s)
	equal(t, "sums", brief(t, s), "main/a messages 1 user 0 compactions 0 calls 1 input 100 cost 5\nmain/c messages 1 user 0 compactions 0 calls 1 input 100 cost 5\n")
	equal(t, "model behind what was thrown away", sessionOf(t, s, "c").Model, "other")
	known, err := s.Sources(t.Context(), "main")
	ok(t, err)
	if _, there := known["/s/b.jsonl"]; there || len(known) != 2 {
		t.Errorf("sources: %v", known)
	}
	// One that is open is not made durable by another writer of the store.
	b, err = s.Begin(t.Context(), "main", live("b"), true)
	ok(t, err)
	ok(t, b.Add(called("b", "x", 2, 100, 5)))
	ok(t, s.SetMeta(t.Context(), "k", "v"))
	b.Close()
	verify(t, x)
	equal(t, "sessions", len(must(s.Sessions(t.Context(), Filter{}))), 2)
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// TestCheckpointComesBack: with the entries that it covers, or not at all.
func TestCheckpointComesBack(t *testing.T) {
	x, s := openTest(t)
	src := live("a")
	src.Stamp.Inode, src.Stamp.Wal, src.Stamp.WalAt = 1<<63+5, 3, 4
	cp := memory.Checkpoint{Stamp: src.Stamp, Offset: 1 << 40, Line: 7, Sum: 1<<63 + 9, Session: "a", Prompt: 3, Marks: map[string]memory.Mark{"s1": {Seq: 5, Count: 6, Generation: "g", Prompt: 2}, "s2": {Seq: 1, Count: 1}}}
	b, err := s.Begin(t.Context(), "main", src, true)
	ok(t, err)
	defer b.Close()
	ok(t, b.Add(user("a", "u", "x")))
	ok(t, b.Commit(cp, []memory.Problem{{Code: "bad-line", Path: src.Path, Line: 3, Count: 1, Message: "is no record"}}))
	other := storeOf(t, x, "home") // as a reader sees it
	if known := must(other.Sources(t.Context(), "main")); len(known) != 0 {
		t.Errorf("a reader sees what is not durable: %v", known)
	}
	flushed(t, s)
	known := must(other.Sources(t.Context(), "main"))[src.Path]
	marks := must(other.Marks(t.Context(), "main", src.Path))
	if known.Kind != src.Kind || known.Gone || fmt.Sprint(marks) != fmt.Sprint(cp.Marks) {
		t.Errorf("known %+v marks %v", known, marks)
	}
	cp.Marks = nil
	if fmt.Sprint(known.Checkpoint) != fmt.Sprint(cp) {
		t.Errorf("checkpoint %+v\nwant %+v", known.Checkpoint, cp)
	}
	// A later one replaces marks one by one.
	b, err = s.Begin(t.Context(), "main", src, false)
	ok(t, err)
	ok(t, b.Commit(memory.Checkpoint{Stamp: src.Stamp, Marks: map[string]memory.Mark{"s2": {Seq: 9, Count: 9}}}, nil))
	b.Close()
	flushed(t, s)
	marks = must(s.Marks(t.Context(), "main", src.Path))
	if len(marks) != 2 || marks["s2"].Seq != 9 || marks["s1"].Seq != 5 {
		t.Errorf("marks %v", marks)
	}
}

// TestGroups: a transaction ends when it has enough entries or sources.
func TestGroups(t *testing.T) {
	x, s := openTest(t)
	reader := storeOf(t, x, "home")
	seen := func() int { return len(must(reader.Sources(t.Context(), "main"))) }
	for n := range groupSources {
		s.put(t, live(fmt.Sprint("s", n)), user("a", fmt.Sprint("u", n), "x"))
	}
	if seen() < groupSources {
		t.Errorf("%d sources are durable of %d", seen(), groupSources)
	}
	many := make([]*memory.Entry, groupEntries)
	for n := range many {
		many[n] = user("b", fmt.Sprint("u", n), "x")
	}
	s.put(t, live("many"), many...)
	if _, there := must(reader.Sources(t.Context(), "main"))["/s/many.jsonl"]; !there {
		t.Error("many entries are not durable")
	}
	flushed(t, s)
}

// TestCancelledContext: what was committed is kept, and nothing else.
func TestCancelledContext(t *testing.T) {
	x, s := openTest(t)
	ctx, cancel := context.WithCancel(t.Context())
	b, err := s.Begin(ctx, "main", live("a"), true)
	ok(t, err)
	ok(t, b.Add(user("a", "u", "x")))
	ok(t, b.Commit(whole(live("a")), nil))
	ok(t, b.Add(user("a", "u2", "y")))
	cancel()
	b.Close()
	ok(t, s.Flush(ctx))
	verify(t, x)
	equal(t, "sums", brief(t, s), "main/a messages 1 user 1 compactions 0 calls 0 input 0 cost 0\n")
	if _, err := s.Begin(ctx, "main", live("b"), true); err == nil {
		t.Error("a batch begins although nobody waits for it")
	}
	ok(t, s.SetMeta(t.Context(), "k", "v"))
}

// TestTwoWriters: stores of two installations take turns.
func TestTwoWriters(t *testing.T) {
	x, s := openTest(t)
	other := storeOf(t, x, "work")
	done := make(chan error)
	for _, one := range []*Store{s, other} {
		go func() {
			for n := range 200 {
				b, err := one.Begin(context.Background(), "main", live(fmt.Sprint("s", n)), true)
				if err == nil {
					err = b.Add(called("a", fmt.Sprint("c", n), uint64(one.id)<<32|uint64(n), 1, 1))
				}
				if err == nil {
					err = b.Commit(whole(live(fmt.Sprint("s", n))), nil)
				}
				if err == nil && n%20 == 0 {
					err = one.Flush(context.Background())
				}
				if err != nil {
					done <- err
					return
				}
				b.Close()
			}
			done <- one.Flush(context.Background())
		}()
	}
	ok(t, <-done)
	ok(t, <-done)
	verify(t, x)
	equal(t, "the first", brief(t, s), "main/a messages 200 user 0 compactions 0 calls 200 input 200 cost 200\n")
	equal(t, "the second", brief(t, other), "main/a messages 200 user 0 compactions 0 calls 200 input 200 cost 200\n")
}

// TestRestart: a source that was replaced has the problems and places of its
// new content.
func TestRestart(t *testing.T) {
	_, s := openTest(t)
	src := live("a")
	place := func(line int) func(*memory.Entry) {
		return func(e *memory.Entry) { e.Place.Line, e.Place.Path, e.Place.Offset = line, src.Path, int64(line) }
	}
	b := must(s.Begin(t.Context(), "main", src, true))
	for n := range 4 {
		ok(t, b.Add(user("a", fmt.Sprint("u", n), "x", place(n+2), at(memory.Millis(1000+n)))))
	}
	ok(t, b.Commit(whole(src), []memory.Problem{{Code: "bad-line", Path: src.Path, Line: 9, Count: 1, Message: "is no record"}}))
	b.Close()
	b = must(s.Begin(t.Context(), "main", src, false))
	ok(t, b.Restart())
	ok(t, b.Add(user("a", "u3", "x", place(2), at(1003))))
	ok(t, b.Add(user("a", "u9", "x", place(3), at(1009))))
	ok(t, b.Commit(whole(src), []memory.Problem{{Code: "rewritten", Path: src.Path, Count: 1, Message: "was replaced"}}))
	b.Close()
	flushed(t, s)
	problems := must(s.Problems(t.Context()))
	if len(problems) != 1 || problems[0].Code != "rewritten" {
		t.Errorf("problems: %v", problems)
	}
	got := ""
	for _, e := range must(s.Entries(t.Context(), sessionOf(t, s, "a").Row, false)) {
		got += fmt.Sprint(e.ID, ":", e.Place.Line, " ")
	}
	equal(t, "places", got, "u0:0 u1:0 u2:0 u3:2 u9:3 ")
}

// TestSupersede: entries that had no id of their own give way to the same
// entries with one, in a source that was replaced.
func TestSupersede(t *testing.T) {
	_, s := openTest(t)
	src := live("a")
	s.put(t, src, user("a", "~1", "x", at(1)), called("a", "~2", 1, 100, 5, at(2)), user("a", "~3", "y", at(3)), compaction("a", "~4", "s", at(4)))
	b := must(s.Begin(t.Context(), "main", src, false))
	ok(t, b.Restart())
	for _, e := range []*memory.Entry{user("a", "i1", "x", at(1)), called("a", "i2", 2, 100, 5, at(2)), compaction("a", "i4", "s", at(4))} {
		ok(t, b.Add(e))
	}
	ok(t, b.Commit(whole(src), nil))
	b.Close()
	flushed(t, s)
	equal(t, "sums", brief(t, s), "main/a messages 3 user 2 compactions 1 calls 1 input 100 cost 5\n")
}

// TestRandomBatches compares the sums after random batches with what the
// entries add up to, and with a model of what is right.
func TestRandomBatches(t *testing.T) {
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 5))
		_, s := openTest(t)
		pool := []*memory.Entry{}
		for n := range 60 {
			session, when := fmt.Sprint("s", r.IntN(5)), memory.Millis(r.IntN(6)*1000)
			switch r.IntN(6) {
			case 0:
				pool = append(pool, header(session, memory.Millis(1+r.IntN(3)), ""))
			case 1, 2:
				pool = append(pool, called(session, fmt.Sprint("e", n), uint64(r.IntN(25)), int64(r.IntN(100)), memory.Money(r.IntN(100)), at(when), func(e *memory.Entry) {
					e.Call.Price, e.Call.Reported, e.Call.Background = memory.PriceSource(r.IntN(4)), r.IntN(3) > 0, r.IntN(2) == 0
				}))
			case 3:
				pool = append(pool, compaction(session, fmt.Sprint("e", n), "s", at(when)))
			case 4:
				pool = append(pool, entry(session, fmt.Sprint("e", n), memory.KindReset, at(when), func(e *memory.Entry) { e.Compaction = &memory.Compaction{FirstKeptIndex: -1} }))
			default:
				pool = append(pool, user(session, fmt.Sprint("e", n), "t", at(when), func(e *memory.Entry) { e.Mirror = []string{"", "m1", "m2"}[r.IntN(3)] }))
			}
		}
		distinct := map[string]bool{}
		for range 25 {
			b := must(s.Begin(t.Context(), "main", live(fmt.Sprint("f", r.IntN(6))), r.IntN(2) == 0))
			var sent []*memory.Entry
			for range r.IntN(12) {
				e := pool[r.IntN(len(pool))]
				sent = append(sent, e)
				ok(t, b.Add(e))
			}
			if r.IntN(5) > 0 {
				ok(t, b.Commit(whole(live("f")), nil))
				for _, e := range sent {
					if e.Kind != memory.KindSession {
						distinct[e.Session+"/"+e.ID] = true
					}
				}
			}
			b.Close()
			if r.IntN(3) == 0 {
				flushed(t, s)
			}
		}
		flushed(t, s)
		var entries int64
		for _, one := range must(s.Sessions(t.Context(), Filter{})) {
			entries += one.Entries
		}
		equal(t, fmt.Sprint("seed ", seed, ": entries"), entries, int64(len(distinct)))
	}
}
