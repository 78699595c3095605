//go:build unix

package openclaw

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// A reader who is somebody else, in folders that nobody can write to, reads
// what it may and leaves no trace.
func TestNothingIsTouchedByAStranger(t *testing.T) {
	asUser := asStranger(t)
	for _, c := range []struct {
		name string
		left bool
		mode os.FileMode
	}{{"closed", false, 0o555}, {"closed, folder open to all", false, 0o777}, {"left by a killed writer", true, 0o555}, {"left, folder open to all", true, 0o777}} {
		t.Run(c.name, func(t *testing.T) {
			dir := openToAll(t)
			db := agentDB(t, dir)
			db.close()
			want := 16 + 2
			if c.left {
				w := startWriter(t, "go", db.path)
				w.do(insertOne)
				w.kill()
				want++
			}
			put(t, filepath.Join(dir, "sessions", "f.jsonl"), headerLine("f")+userLine("f1", "x"))
			for _, folder := range []string{filepath.Join(dir, "agent"), filepath.Join(dir, "sessions")} {
				chmod(t, c.mode, folder)
				t.Cleanup(func() { chmod(t, 0o755, folder) })
			}
			before := lookOf(t, dir)
			rep := runReader(t, dir, asUser)
			if rep.Entries != want || len(rep.Errors) > 0 || len(rep.Problems) > 0 {
				t.Errorf("%d entries, want %d; errors %q, problems %v", rep.Entries, want, rep.Errors, rep.Problems)
			}
			if after := lookOf(t, dir); after != before {
				t.Errorf("before:\n%safter:\n%s", before, after)
			}
		})
	}
}

// Beside a writer of another user, too.
func TestStrangerBesideAWriter(t *testing.T) {
	asUser := asStranger(t)
	dir := openToAll(t)
	db := agentDB(t, dir)
	db.close()
	w := startWriter(t, "go", db.path)
	w.do(insertOne)
	w.do(insertOne)
	before := lookOf(t, dir)
	rep := runReader(t, dir, asUser)
	if rep.Entries != 18 || len(rep.Errors) > 0 || len(rep.Problems) > 0 || !slices.Contains(rep.IDs, "w/w1") {
		t.Errorf("%d entries; errors %q, problems %v", rep.Entries, rep.Errors, rep.Problems)
	}
	if after := lookOf(t, dir); after != before {
		t.Errorf("before:\n%safter:\n%s", before, after)
	}
	w.do(insertOne)
}
