package watch

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// stepped is a loop that a test turns by hand.
func stepped(t *testing.T, open func() (notifier, error), root string) *loop {
	t.Helper()
	w := New(Options{pace: byEvents, open: open, Roots: func() []Root { return []Root{{Path: root, Reach: Tree}} }})
	l := newLoop(w, newMail(0, 0, time.Now))
	l.connect()
	l.reconcile()
	clear(l.dirty)
	t.Cleanup(l.disconnect)
	return l
}

// turn receives what the system tells until a path is marked.
func (l *loop) turn(t *testing.T, path string) {
	t.Helper()
	deadline := time.After(patience)
	for {
		if _, marked := l.dirty[path]; marked {
			return
		}
		select {
		case <-l.box.ready:
			l.receive()
		case <-deadline:
			t.Fatalf("not told of %s", path)
		}
	}
}

// TestFoundBeforeItIsTold has a moved folder found in its new place before the
// system says that it left the old one: the kernel then has one watch for both,
// under the old name.
func TestFoundBeforeItIsTold(t *testing.T) {
	dir := place(t)
	write(t, filepath.Join(dir, "a", "deep", "x.md"), "1")
	l := stepped(t, openSystem, dir)
	ok(t, os.Rename(filepath.Join(dir, "a"), filepath.Join(dir, "b")))
	l.folders[dir].subs["b"] = true
	l.visitNow(filepath.Join(dir, "b"))
	l.turn(t, filepath.Join(dir, "a", "deep", "x.md"))
	for _, name := range []string{"x.md", "y.md"} {
		path := filepath.Join(dir, "b", "deep", name)
		clear(l.dirty)
		write(t, path, "2")
		l.turn(t, path)
	}
}

// visitNow follows a folder without a look at those that went.
func (l *loop) visitNow(path string) {
	l.round++
	l.visit(path, want{all: true, deep: true}, nil, nil)
	l.changed = false
	for _, f := range l.folders {
		f.round = l.round
	}
}

// TestAWatchIsLost has the system drop a watch without a word.
func TestAWatchIsLost(t *testing.T) {
	dir := place(t)
	path := filepath.Join(dir, "sub", "a.md")
	write(t, path, "1")
	l := stepped(t, openSystem, dir)
	ok(t, l.note.Remove(filepath.Join(dir, "sub")))
	write(t, path, "22")
	l.verify()
	l.reconcile()
	if _, marked := l.dirty[path]; !marked {
		t.Error("what was written meanwhile is not told of")
	}
	clear(l.dirty)
	write(t, path, "333")
	l.turn(t, path)
}

// TestStamps has changes that size and time alone do not show.
func TestStamps(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.md")
	write(t, path, "1")
	at := time.Date(2026, 11, 30, 12, 0, 0, 123456789, time.UTC)
	whole := at.Truncate(time.Second)
	for _, c := range []struct {
		name    string
		mtime   time.Time
		between time.Duration // from the writing to the look
		same    bool
	}{
		{"a second later", at, time.Second, true},
		{"within the clock's step", at, 5 * time.Millisecond, false},
		{"a clock of whole seconds", whole, time.Second, false},
		{"well after one", whole, 3 * time.Second, true},
		{"from the future", at, -time.Hour, false},
	} {
		ok(t, os.Chtimes(path, c.mtime, c.mtime))
		now := func() time.Time { return c.mtime.Add(c.between) }
		one, _ := stampAt(path, now)
		two, found := stampAt(path, now)
		if !found || one.same(two) != c.same {
			t.Errorf("%s: the same %t, want %t", c.name, one.same(two), c.same)
		}
	}
	if _, found := stampAt(filepath.Dir(path), time.Now); found {
		t.Error("a folder has the stamp of a file")
	}
}

// TestRest bounds what looking costs: the pause grows with what a look took.
func TestRest(t *testing.T) {
	for _, c := range []struct{ took, pause time.Duration }{
		{0, 0}, {2 * time.Millisecond, 200 * time.Millisecond}, {10 * time.Millisecond, time.Second}, {time.Minute, time.Second},
	} {
		now := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
		calls := 0
		w := New(Options{open: openMute, Now: func() time.Time {
			if calls++; calls == 1 {
				return now
			}
			return now.Add(c.took)
		}, Roots: func() []Root { return nil }})
		l := newLoop(w, newMail(0, 0, time.Now))
		l.calmAt = now.Add(time.Hour)
		l.tick()
		if pause := l.restAt.Sub(now.Add(c.took)); pause != c.pause {
			t.Errorf("after %v a pause of %v, want %v", c.took, pause, c.pause)
		}
	}
}
