package openclaw

import (
	"context"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"tidemark/backend/memory"
)

// lookOf describes everything below a folder: names, modes, times, content.
func lookOf(t testing.TB, root string) string {
	t.Helper()
	var b strings.Builder
	for _, path := range entriesBelow(t, root) {
		info, err := os.Lstat(path)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "%s %v %d", path, info.Mode(), info.ModTime().UnixNano())
		if info.Mode().IsRegular() {
			content, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(&b, " %d %x", len(content), sha256.Sum256(content))
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// readEverything reads all that this package reads of an agent.
func readEverything(t testing.TB, dir string) (entries int) {
	t.Helper()
	path := filepath.Join(dir, "agent", "openclaw-agent.sqlite")
	for _, texts := range []bool{false, true} {
		g := readFrom(t, path, memory.Checkpoint{}, Options{Texts: texts})
		wantList(t, "problems", g.codes(), nil)
		readFrom(t, path, g.last(), Options{Texts: texts})
		entries = len(g.entries)
	}
	if _, problems := ReadWindows(context.Background(), path); len(problems) > 0 {
		t.Error(problems)
	}
	if !HoldsTranscripts(path) {
		t.Error("it holds no transcripts")
	}
	return entries
}

// agentDB builds an agent's folder with a few rows in its database.
func agentDB(t testing.TB, dir string) *testDB {
	t.Helper()
	db := buildDB(t, filepath.Join(dir, "agent", "openclaw-agent.sqlite"), 23)
	db.plain("a", sampleRows("a")...)
	db.zstd("b", sampleRows("b")...)
	return db
}

const insertOne = `INSERT INTO transcript_events(session_id, seq, event_json, created_at) SELECT 'w', (SELECT COALESCE(MAX(seq),-1)+1 FROM transcript_events WHERE session_id = 'w'), '{"type":"message","id":"w' || (SELECT COUNT(*) FROM transcript_events WHERE session_id = 'w') || '","parentId":null,"timestamp":"2026-05-10T10:00:00.000Z","message":{"role":"user","content":"x"}}', 1`

// Where nobody has the database open, nothing below its folder changes, however
// it was left.
func TestNothingIsTouched(t *testing.T) {
	for _, c := range []struct {
		name string
		wal  bool
		shm  bool
	}{{"closed", false, false}, {"left by a killed writer", true, true}, {"left without the shared memory file", true, false}} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			db := agentDB(t, dir)
			db.close()
			want := 16
			if c.wal {
				w := startWriter(t, "go", db.path)
				w.do("!5 " + insertOne)
				w.kill()
				want += 5
			}
			if c.wal && !c.shm {
				if err := os.Remove(db.path + "-shm"); err != nil {
					t.Fatal(err)
				}
			}
			before := lookOf(t, dir)
			if got := readEverything(t, dir); got != want {
				t.Errorf("%d entries, want %d", got, want)
			}
			if after := lookOf(t, dir); after != before {
				t.Errorf("before:\n%safter:\n%s", before, after)
			}
		})
	}
}

// Beside a writer nothing changes either, whoever it is and whatever it is
// doing.
func TestNothingIsTouchedBesideAWriter(t *testing.T) {
	for _, kind := range []string{"go", "python"} {
		t.Run(kind, func(t *testing.T) {
			dir := t.TempDir()
			db := agentDB(t, dir)
			db.close()
			w := startWriter(t, kind, db.path)
			want := 16
			for _, step := range []struct {
				statement string
				rows      int
			}{
				{"!2 " + insertOne, 2}, {"BEGIN IMMEDIATE", 0}, {insertOne, 0}, {"COMMIT", 1}, {"PRAGMA wal_checkpoint(PASSIVE)", 0}, {insertOne, 1},
				{"PRAGMA wal_checkpoint(RESTART)", 0}, {"!3 " + insertOne, 3}, {"PRAGMA incremental_vacuum", 0}, {"PRAGMA wal_checkpoint(TRUNCATE)", 0}, {"!2 " + insertOne, 2},
			} {
				w.do(step.statement)
				want += step.rows
				before := lookOf(t, dir)
				if got := readEverything(t, dir); got != want {
					t.Errorf("after %q: %d entries, want %d", step.statement, got, want)
				}
				if after := lookOf(t, dir); after != before {
					t.Errorf("after %q: before:\n%safter:\n%s", step.statement, before, after)
				}
			}
			w.leave()
			before := lookOf(t, dir)
			if got := readEverything(t, dir); got != want {
				t.Errorf("after the writer left: %d entries, want %d", got, want)
			}
			if after := lookOf(t, dir); after != before {
				t.Errorf("after the writer left: before:\n%safter:\n%s", before, after)
			}
		})
	}
}

// While a writer commits without a pause, it meets no lock of ours and waits
// for none, and in the end each of its rows was read.
func TestWriterIsNeverHeldUp(t *testing.T) {
	for _, kind := range []string{"go", "python"} {
		t.Run(kind, func(t *testing.T) {
			dir := t.TempDir()
			db := agentDB(t, dir)
			db.close()
			w := startWriter(t, kind, db.path)
			w.do("PRAGMA busy_timeout=0")
			const commits = 400
			w.send(fmt.Sprintf("!%d %s", commits, insertOne))
			var longest time.Duration
			var busy sync.WaitGroup
			done := make(chan struct{})
			busy.Go(func() {
				defer close(done)
				longest, _ = w.done() // a lock of ours would be an error here
			})
			seen, cp := map[string]bool{}, memory.Checkpoint{}
			look := func() {
				g := new(gathered)
				if err := Read(context.Background(), sourceOf(t, db.path), cp, Options{}, g); err != nil {
					t.Errorf("read: %v", err)
					return
				}
				if len(g.problems) > 0 {
					t.Errorf("problems %v", g.problems)
				}
				for _, id := range g.list() {
					seen[id] = true
				}
				marks := cp.Marks
				cp = g.last()
				if cp.Marks == nil {
					cp.Marks = map[string]memory.Mark{}
				}
				for k, v := range marks {
					if _, ok := cp.Marks[k]; !ok {
						cp.Marks[k] = v
					}
				}
			}
			for writing := true; writing; {
				select {
				case <-done:
					writing = false
				default:
					look()
				}
			}
			busy.Wait()
			look()
			if len(seen) != 16+commits {
				t.Errorf("%d entries, want %d", len(seen), 16+commits)
			}
			t.Logf("longest commit: %v", longest)
		})
	}
}

// Two readings of one database in this process wait for each other.
func TestOneConnectionAtATime(t *testing.T) {
	db := agentDB(t, t.TempDir())
	db.close()
	d, err := openDatabase(context.Background(), db.path, 0)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := openDatabase(ctx, db.path, 0); err == nil {
		t.Error("a second connection was opened")
	}
	d.close()
	again, err := openDatabase(context.Background(), db.path, 0)
	if err != nil {
		t.Fatal(err)
	}
	again.close()
	slots.Lock()
	defer slots.Unlock()
	if len(slots.used) != 0 {
		t.Errorf("%d slots are still held", len(slots.used))
	}
}

// A database that changes while it is read without locks is read anew, and no
// problem is made of it.
func TestDatabaseThatChangesIsReadAnew(t *testing.T) {
	dir := t.TempDir()
	db := agentDB(t, dir)
	db.close()
	passes := 0
	err := readAnew(context.Background(), db.path, func(d *database) error {
		if passes++; passes == 1 {
			change(t, db.path, func(db *testDB) { db.row("new", 0, strings.TrimSpace(userLine("n", "x")), nil, nil) })
		}
		rows, err := d.all(context.Background(), "SELECT COUNT(*) FROM transcript_events")
		if err == nil && rows[0][0].number != 17 {
			t.Errorf("pass %d gave %d rows", passes, rows[0][0].number)
		}
		return err
	})
	if err != nil || passes != 2 {
		t.Errorf("%d passes, %v", passes, err)
	}
	passes = 0
	err = readAnew(context.Background(), db.path, func(*database) error { passes++; return errChanged })
	if passes != tries || err == nil {
		t.Errorf("%d passes, %v", passes, err)
	}
}
