package openclaw

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"tidemark/backend/memory"
)

// change runs statements on a database that is closed again behind them.
func change(t testing.TB, path string, f func(db *testDB)) {
	t.Helper()
	db := openDB(t, path)
	f(db)
	db.close()
}

func TestReadingADatabaseByItsMarks(t *testing.T) {
	user := func(id string) string { return strings.TrimSpace(userLine(id, "x")) }
	for _, c := range []struct {
		name   string
		change func(db *testDB)
		list   []string
	}{
		{"nothing", func(*testDB) {}, nil},
		{"appended", func(db *testDB) { db.row("a", 3, user("a3"), nil, nil) }, []string{"a/a3"}},
		{"appended behind a gap", func(db *testDB) { db.row("a", 30, user("a30"), nil, nil) }, []string{"a/a30"}},
		{"a new session", func(db *testDB) { db.row("c", 0, user("c0"), nil, nil) }, []string{"c/c0"}},
		{"a row before those that were read", func(db *testDB) { db.row("b", -1, user("b-1"), nil, nil) }, []string{"b/b-1", "b/b0", "b/b1", "b/b2"}},
		{"a row before and one behind them", func(db *testDB) {
			db.row("b", -1, user("b-1"), nil, nil)
			db.row("b", 3, user("b3"), nil, nil)
		}, []string{"b/b3", "b/b-1", "b/b0", "b/b1", "b/b2", "b/b3"}},
		{"rewritten", func(db *testDB) {
			db.exec("UPDATE transcript_rewrite_watermarks SET generation = 'g2' WHERE session_id = 'a'")
		}, []string{"a/a0", "a/a1", "a/a2"}},
		{"rewritten for the first time", func(db *testDB) { db.exec("INSERT INTO transcript_rewrite_watermarks VALUES('b', 'g1', 1)") }, []string{"b/b0", "b/b1", "b/b2"}},
		{"cut at its end", func(db *testDB) { db.exec("DELETE FROM transcript_events WHERE session_id = 'b' AND seq = 2") }, []string{"b/b0", "b/b1"}},
		{"a row taken out", func(db *testDB) { db.exec("DELETE FROM transcript_events WHERE session_id = 'b' AND seq = 1") }, []string{"b/b0", "b/b2"}},
		{"a session deleted", func(db *testDB) { db.exec("DELETE FROM transcript_events WHERE session_id = 'b'") }, nil},
		{"everything deleted", func(db *testDB) { db.exec("DELETE FROM transcript_events") }, nil},
		{"vacuumed", func(db *testDB) {
			db.exec("DELETE FROM transcript_events WHERE session_id = 'a'")
			db.exec("VACUUM")
		}, nil},
		{"the table of rewrites is gone", func(db *testDB) { db.exec("DROP TABLE transcript_rewrite_watermarks") }, []string{"a/a0", "a/a1", "a/a2"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			db := buildDB(t, dbPath(t), 23)
			db.exec("INSERT INTO transcript_rewrite_watermarks VALUES('a', 'g1', 1)")
			for i := range int64(3) {
				db.row("a", i, user(fmt.Sprintf("a%d", i)), nil, nil)
				db.row("b", i, user(fmt.Sprintf("b%d", i)), nil, nil)
			}
			db.close()
			first := readFrom(t, db.path, memory.Checkpoint{}, Options{})
			wantList(t, "first", first.list(), []string{"a/a0", "b/b0", "a/a1", "b/b1", "a/a2", "b/b2"})
			change(t, db.path, c.change)
			second := readFrom(t, db.path, first.last(), Options{})
			wantList(t, "then", second.list(), c.list)
			wantList(t, "problems", second.codes(), nil)
			merged := first.last()
			for k, v := range second.last().Marks {
				merged.Marks[k] = v
			}
			wantList(t, "and then", readFrom(t, db.path, merged, Options{}).list(), nil)
		})
	}
}

// Sessions written at the same time lie in one order on disk. Each keeps its
// own last prompt.
func TestInterleavedSessionsKeepTheirPrompts(t *testing.T) {
	db := buildDB(t, dbPath(t), 23)
	db.plain("beat", userLine("h1", "Read HEARTBEAT.md if it exists"))
	db.plain("talk", userLine("u1", "hello"))
	db.plain("beat", assistantLine("h2", 1, 1, "0"))
	db.plain("talk", assistantLine("u2", 1, 1, "0"))
	db.close()
	g := readAll(t, db.path)
	if g.entries[2].at.Prompt == 0 || g.entries[3].at.Prompt != 0 {
		t.Errorf("prompts %d and %d", g.entries[2].at.Prompt, g.entries[3].at.Prompt)
	}
	cp := g.last()
	change(t, db.path, func(db *testDB) {
		db.row("beat", 2, strings.TrimSpace(assistantLine("h3", 1, 1, "0")), nil, nil)
		db.row("talk", 2, strings.TrimSpace(assistantLine("u3", 1, 1, "0")), nil, nil)
	})
	g = readFrom(t, db.path, cp, Options{})
	if len(g.entries) != 2 || g.entries[0].at.Prompt == 0 || g.entries[1].at.Prompt != 0 {
		t.Errorf("then %+v", g.entries)
	}
}

// However a database grows between two looks, each row is read once at least,
// and nothing is missed.
func TestDatabaseThatGrowsIsReadToItsEnd(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 6))
	db := buildDB(t, dbPath(t), 23)
	db.close()
	want, got := map[string]bool{}, map[string]int{}
	cp := memory.Checkpoint{}
	next := map[string]int64{}
	for round := range 15 {
		change(t, db.path, func(db *testDB) {
			for range rnd.IntN(12) {
				session := fmt.Sprintf("s%d", rnd.IntN(4))
				seq := next[session]
				next[session] += int64(1 + rnd.IntN(2))
				id := fmt.Sprintf("%s-%d", session, seq)
				db.row(session, seq, strings.TrimSpace(userLine(id, "x")), nil, nil)
				want[session+"/"+id] = true
			}
		})
		g := readFrom(t, db.path, cp, Options{})
		for _, id := range g.list() {
			got[id]++
		}
		marks := cp.Marks
		cp = g.last()
		for k, v := range marks {
			if _, ok := cp.Marks[k]; !ok {
				if cp.Marks == nil {
					cp.Marks = map[string]memory.Mark{}
				}
				cp.Marks[k] = v
			}
		}
		if len(got) != len(want) {
			t.Fatalf("round %d: %d rows, want %d", round, len(got), len(want))
		}
	}
	for id, n := range got {
		if n != 1 || !want[id] {
			t.Errorf("%s was read %d times", id, n)
		}
	}
}

// A large database comes in stretches, each with a commit from which reading
// goes on.
func TestCommitsOfALargeDatabase(t *testing.T) {
	db := buildDB(t, dbPath(t), 23)
	const rows = 3*commitEvery + 7
	db.exec("WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i+1 FROM n WHERE i < ?) INSERT INTO transcript_events(session_id, seq, event_json, created_at) SELECT 's' || (i % 3), i, replace(?, 'ID', 'e' || i), 1 FROM n", rows-1, strings.TrimSpace(userLine("ID", "x")))
	db.close()
	g := readFrom(t, db.path, memory.Checkpoint{}, Options{})
	if len(g.entries) != rows || len(g.commits) != 4 {
		t.Fatalf("%d entries, %d commits", len(g.entries), len(g.commits))
	}
	part := &gathered{commits: g.commits[:1]}
	rest := readFrom(t, db.path, part.last(), Options{})
	ids := append(g.list()[:commitEvery], rest.list()...)
	slices.Sort(ids)
	if ids = slices.Compact(ids); len(ids) != rows || len(rest.entries) != rows-commitEvery {
		t.Errorf("%d different rows, %d of them behind the first commit", len(ids), len(rest.entries))
	}
}
