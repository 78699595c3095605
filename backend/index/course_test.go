package index

import (
	"database/sql"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"tidemark/backend/memory"
)

// rowOf gives the number of a session.
func rowOf(t *testing.T, s *Store, id string) int64 {
	t.Helper()
	all, err := s.Sessions(t.Context(), Filter{Session: id})
	ok(t, err)
	if len(all) != 1 {
		t.Fatalf("%d sessions %q", len(all), id)
	}
	return all[0].Row
}

// put adds entries as one batch of a source.
func put(t *testing.T, s *Store, src memory.Source, entries ...*memory.Entry) {
	t.Helper()
	b, err := s.Begin(t.Context(), src.Agent, src, false)
	ok(t, err)
	defer b.Close()
	for _, e := range entries {
		ok(t, b.Add(e))
	}
	ok(t, b.Commit(memory.Checkpoint{Stamp: src.Stamp}, nil))
	ok(t, s.Flush(t.Context()))
}

// same compares a course, with its texts, with the entries that are read as a
// whole.
func same(t *testing.T, s *Store, c *Course, session int64) {
	t.Helper()
	want, err := s.Entries(t.Context(), session, true)
	ok(t, err)
	texts, err := s.Texts(t.Context(), c.Rows)
	ok(t, err)
	if len(c.Entries) != len(want) || len(c.Rows) != len(want) || len(c.Copied) != len(want) {
		t.Fatalf("%d entries, %d rows, %d calls, want %d", len(c.Entries), len(c.Rows), len(c.Copied), len(want))
	}
	for i, e := range c.Entries {
		e.Text = texts[c.Rows[i]]
		if !reflect.DeepEqual(e, want[i]) {
			t.Fatalf("entry %d is\n%+v\nwant\n%+v", i, e, want[i])
		}
		if e.Call != nil && c.Copied[i] != nil {
			t.Fatalf("entry %d counts here and elsewhere", i)
		}
	}
}

// TestCourseGrows: a course that is read on is the one that is read as a whole,
// whatever sources and times its entries have.
func TestCourseGrows(t *testing.T) {
	for seed := range uint64(12) {
		r := rand.New(rand.NewPCG(seed, 5))
		_, s := openTest(t)
		sources := []memory.Source{live("a"), live("b")}
		var c *Course
		parent := ""
		for step := range 6 {
			var some []*memory.Entry
			src := sources[r.IntN(len(sources))]
			for k := range 1 + r.IntN(4) {
				id := fmt.Sprintf("e%d-%d", step, k)
				place := func(e *memory.Entry) {
					e.Parent, e.At = parent, memory.Millis(r.IntN(5)*1000)
					e.Place.Path, e.Place.Line = src.Path, r.IntN(9)
				}
				switch r.IntN(4) {
				case 0:
					some = append(some, called("s", id, r.Uint64N(6), 5, 7, place))
				case 1:
					some = append(some, compaction("s", id, "summary", place))
				case 2:
					some = append(some, entry("s", id, memory.KindReset, place, func(e *memory.Entry) { e.Text, e.Compaction = "daily", &memory.Compaction{FirstKeptIndex: -1} }))
				default:
					some = append(some, user("s", id, strings.Repeat("words ", r.IntN(200)), place))
				}
				parent = id
			}
			put(t, s, src, some...)
			row := rowOf(t, s, "s")
			whole, err := s.Course(t.Context(), row, nil)
			ok(t, err)
			c, err = s.Course(t.Context(), row, c)
			ok(t, err)
			same(t, s, whole, row)
			same(t, s, c, row)
		}
	}
}

// TestStamp: what is added moves the revision alone, what is altered the epoch.
func TestStamp(t *testing.T) {
	_, s := openTest(t)
	last := s.Stamp()
	step := func(what string, altered bool, f func()) {
		t.Helper()
		f()
		now := s.Stamp()
		if now.Revision <= last.Revision || (now.Epoch != last.Epoch) != altered {
			t.Errorf("%s: from %+v to %+v", what, last, now)
		}
		last = now
	}
	step("added", false, func() { put(t, s, live("b"), header("b", 2000, ""), called("b", "c1", 1, 5, 7)) })
	step("a copy", false, func() { put(t, s, live("c"), header("c", 3000, "b"), called("c", "c1", 1, 5, 7)) })
	step("noted", false, func() { ok(t, s.SetMeta(t.Context(), "key", "value")) })
	step("a note of a session", false, func() { ok(t, s.SetNotes(t.Context(), "main", []memory.SessionMeta{{SessionID: "b", Key: "k"}})) })
	step("an original", true, func() { put(t, s, live("a"), header("a", 1000, ""), called("a", "c1", 1, 5, 7)) })
	step("any other change", true, func() {
		ok(t, s.change(t.Context(), nothing))
	})
	c, err := s.Course(t.Context(), rowOf(t, s, "b"), nil)
	ok(t, err)
	if len(c.Entries) != 1 || c.Entries[0].Call != nil || c.Copied[0] == nil || c.Copied[0].Usage.Input != 5 {
		t.Errorf("a call that counts elsewhere: %+v", c)
	}
}

// TestSpans counts what lies in a span of time.
func TestSpans(t *testing.T) {
	_, s := openTest(t)
	put(t, s, live("a"), user("s", "u1", "one", at(1000)), user("s", "u2", "two", at(2000)), compaction("s", "k1", "first", at(2500)), compaction("s", "k2", "second", at(3000)), user("s", "u3", "three", at(4000)))
	put(t, s, live("b"), user("old", "o1", "one", at(10)))
	for _, c := range []struct {
		from, to              memory.Millis
		messages, compactions int64
	}{{0, 0, 3, 2}, {2000, 3000, 1, 1}, {2001, 0, 1, 2}, {1000, 2000, 1, 0}, {5000, 0, 0, 0}} {
		counts, err := s.CountWithin(t.Context(), Filter{}, c.from, c.to)
		ok(t, err)
		got := counts[rowOf(t, s, "s")]
		if got.Messages != c.messages || got.Compactions != c.compactions {
			t.Errorf("from %d to %d: %+v", c.from, c.to, got)
		}
		k, err := s.CompactionsWithin(t.Context(), Filter{Agent: "main"}, c.from, c.to)
		ok(t, err)
		if int64(len(k)) != c.compactions {
			t.Errorf("from %d to %d: %d compactions", c.from, c.to, len(k))
		}
	}
	recent, err := s.Sessions(t.Context(), Filter{Since: 1000})
	ok(t, err)
	if len(recent) != 1 || recent[0].Session != "s" {
		t.Errorf("recent sessions: %+v", recent)
	}
}

// nothing is a change of nothing.
func nothing(*sql.Tx) error { return nil }
