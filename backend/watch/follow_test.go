package watch

import (
	"database/sql"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	_ "modernc.org/sqlite"
)

// place gives a folder under its real path: on macOS the one for tests is
// behind a link.
func place(t *testing.T) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	ok(t, err)
	return dir
}

// live watches one tree, by events alone.
func live(t *testing.T, root string) *reader {
	t.Helper()
	return watching(t, Options{pace: byEvents}, Root{Path: root, Reach: Tree})
}

func TestAFileIsWritten(t *testing.T) {
	dir := place(t)
	path := filepath.Join(dir, "a.jsonl")
	write(t, path, "{}\n")
	r := live(t, dir)
	add(t, path, "{}\n")
	r.told(path)
	ok(t, os.Truncate(path, 1))
	r.told(path)
	write(t, path+".tmp", "{}")
	ok(t, os.Rename(path+".tmp", path))
	r.told(path)
	add(t, path, "\n") // the new file under the old name
	r.told(path)
	ok(t, os.Rename(path, filepath.Join(dir, "a.jsonl.reset.2026-02-24T10-11-12.345Z")))
	r.told(path, filepath.Join(dir, "a.jsonl.reset.2026-02-24T10-11-12.345Z"))
	write(t, path, "{}\n")
	r.told(path)
	ok(t, os.Remove(path))
	r.told(path)
}

// TestWhatDoesNotMatter covers case 118: what comes in between is not told of.
func TestWhatDoesNotMatter(t *testing.T) {
	dir := place(t)
	ok(t, os.MkdirAll(filepath.Join(dir, "node_modules"), 0o755))
	r := live(t, dir)
	for _, name := range []string{"a.jsonl.lock", "agent:main:main.jsonl.lock", "sessions.json.1.tmp", "x.sqlite-shm", "photo.png", "node_modules/a.md", ".git/b.md"} {
		write(t, filepath.Join(dir, name), "x")
	}
	last := filepath.Join(dir, "last.md")
	write(t, last, "x")
	if b := r.next(); !slices.Equal(b.Paths, []string{last}) {
		t.Errorf("told of %v, want only %s", b.Paths, last)
	}
}

// TestFoldersMadeLater covers case 113, and files made right after mkdir -p.
func TestFoldersMadeLater(t *testing.T) {
	dir := place(t)
	r := live(t, dir)
	var paths []string
	for _, n := range []string{"memory/a.md", "x/y/z/b.jsonl", "x/y/c.jsonl", "x/u/v/w/d.jsonl"} {
		paths = append(paths, filepath.Join(dir, n))
		write(t, paths[len(paths)-1], "1")
	}
	r.told(paths...)
	for _, p := range paths {
		add(t, p, "2")
	}
	r.told(paths...)
}

func TestRootsMadeLater(t *testing.T) {
	dir := place(t)
	tree, flat, file := filepath.Join(dir, "state", "agents", "main", "sessions"), filepath.Join(dir, "other", "flat"), filepath.Join(dir, "config", "main.cfg")
	r := watching(t, Options{pace: byEvents}, Root{Path: tree, Reach: Tree}, Root{Path: flat, Reach: Folder}, Root{Path: file, Reach: File})
	paths := []string{filepath.Join(tree, "a.jsonl"), filepath.Join(flat, "b.jsonl"), file}
	for _, p := range paths {
		write(t, p, "1")
	}
	r.told(paths...)
	for range 3 { // removed and made again
		for _, name := range []string{"state", "other", "config"} {
			ok(t, os.RemoveAll(filepath.Join(dir, name)))
		}
		r.told(paths...)
		for _, p := range paths {
			write(t, p, "1")
		}
		r.told(paths...)
	}
	write(t, filepath.Join(flat, "sub", "c.jsonl"), "not of the root")
	write(t, filepath.Join(filepath.Dir(file), "d.jsonl"), "nor this")
	add(t, file, "2")
	for {
		b := r.next()
		for _, p := range b.Paths {
			if strings.HasSuffix(p, "c.jsonl") || strings.HasSuffix(p, "d.jsonl") {
				t.Errorf("told of %s", p)
			}
		}
		if slices.Contains(b.Paths, file) {
			return
		}
	}
}

func TestFoldersAreMoved(t *testing.T) {
	dir := place(t)
	write(t, filepath.Join(dir, "a", "b", "c", "x.jsonl"), "1")
	r := live(t, dir)
	from := filepath.Join(dir, "a")
	for _, to := range []string{"a2", "p/q/a3", "a"} {
		to = filepath.Join(dir, to)
		ok(t, os.MkdirAll(filepath.Dir(to), 0o755))
		ok(t, os.Rename(from, to))
		r.told(filepath.Join(from, "b", "c", "x.jsonl"), filepath.Join(to, "b", "c", "x.jsonl"))
		add(t, filepath.Join(to, "b", "c", "x.jsonl"), "2")
		r.told(filepath.Join(to, "b", "c", "x.jsonl"))
		write(t, filepath.Join(to, "b", "new.md"), "1")
		r.told(filepath.Join(to, "b", "new.md"))
		from = to
	}
	// The state directory itself, with the roots in it.
	ok(t, os.Rename(dir, dir+"-away"))
	r.told(filepath.Join(from, "b", "c", "x.jsonl"))
	ok(t, os.Rename(dir+"-away", dir))
	r.told(filepath.Join(from, "b", "c", "x.jsonl"))
}

func TestLinks(t *testing.T) {
	dir, far := place(t), place(t)
	write(t, filepath.Join(far, "one", "deep", "a.jsonl"), "1")
	write(t, filepath.Join(far, "two", "deep", "a.jsonl"), "2")
	link := filepath.Join(dir, "link")
	if err := os.Symlink(filepath.Join(far, "one"), link); err != nil {
		t.Skipf("links cannot be made here: %v", err)
	}
	ok(t, os.Symlink(dir, filepath.Join(far, "one", "deep", "circle")))
	r := watching(t, Options{pace: byEvents}, Root{Path: dir, Reach: Tree}, Root{Path: filepath.Join(far, "one"), Reach: Tree})
	add(t, filepath.Join(far, "one", "deep", "a.jsonl"), "x")
	r.told(filepath.Join(link, "deep", "a.jsonl"), filepath.Join(far, "one", "deep", "a.jsonl"))
	// What the link leads to goes and comes back: nothing happens to the link.
	ok(t, os.Rename(filepath.Join(far, "one"), filepath.Join(far, "away")))
	r.told(filepath.Join(link, "deep", "a.jsonl"), filepath.Join(far, "one", "deep", "a.jsonl"))
	write(t, filepath.Join(far, "one", "deep", "a.jsonl"), "new")
	r.told(filepath.Join(link, "deep", "a.jsonl"), filepath.Join(far, "one", "deep", "a.jsonl"))
	add(t, filepath.Join(far, "one", "deep", "a.jsonl"), "x")
	r.told(filepath.Join(link, "deep", "a.jsonl"), filepath.Join(far, "one", "deep", "a.jsonl"))
	ok(t, os.Remove(link))
	r.told(filepath.Join(link, "deep", "a.jsonl"))
	add(t, filepath.Join(far, "one", "deep", "a.jsonl"), "x") // the other root still sees it
	r.told(filepath.Join(far, "one", "deep", "a.jsonl"))
	ok(t, os.Symlink(filepath.Join(far, "two"), link))
	r.told(filepath.Join(link, "deep", "a.jsonl"))
	add(t, filepath.Join(far, "two", "deep", "a.jsonl"), "x")
	r.told(filepath.Join(link, "deep", "a.jsonl"))
}

// TestLinkedFiles has files elsewhere behind links: no event tells of them.
func TestLinkedFiles(t *testing.T) {
	dir, far := place(t), place(t)
	link, target := filepath.Join(dir, "MEMORY.md"), filepath.Join(far, "notes.txt")
	if err := os.Symlink(target, link); err != nil {
		t.Skipf("links cannot be made here: %v", err)
	}
	r := watching(t, Options{pace: pace{hot: 1, cold: 1, calm: 1, try: never}}, Root{Path: dir, Reach: Folder})
	for range 3 {
		write(t, target, "1")
		r.told(link)
		add(t, target, "2")
		r.told(link)
		ok(t, os.Remove(target))
		r.told(link)
	}
}

// TestCommits has a writer of OpenClaw's kind: what it commits shows in the log
// alone.
func TestCommits(t *testing.T) {
	dir := place(t)
	path := filepath.Join(dir, "agent", "openclaw-agent.sqlite")
	for _, reach := range []Reach{Tree, File} {
		root := Root{Path: dir, Reach: reach}
		if reach == File {
			root.Path = path
		}
		t.Run([]string{"file", "folder", "tree"}[reach], func(t *testing.T) {
			ok(t, os.MkdirAll(filepath.Dir(path), 0o755))
			db := database(t, path)
			r := watching(t, Options{pace: byEvents}, root)
			for range 5 {
				_, err := db.Exec("INSERT INTO t VALUES ('x')")
				ok(t, err)
				r.told(path)
			}
			ok(t, db.Close())
			r.told(path)
		})
	}
}

func database(t testing.TB, path string) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+filepath.ToSlash(path)+"?_pragma=journal_mode(wal)&_pragma=busy_timeout(5000)")
	ok(t, err)
	t.Cleanup(func() { _ = db.Close() })
	_, err = db.Exec("CREATE TABLE IF NOT EXISTS t (x TEXT)")
	ok(t, err)
	return db
}

// TestRootsChange adds and takes roots while it watches.
func TestRootsChange(t *testing.T) {
	dir := place(t)
	a, b := filepath.Join(dir, "a"), filepath.Join(dir, "b")
	write(t, filepath.Join(a, "x.md"), "1")
	write(t, filepath.Join(b, "x.md"), "1")
	turns := make(chan []Root, 1)
	now := []Root{{Path: a, Reach: Tree}, {Path: "relative", Reach: Tree}, {Path: "", Reach: File}}
	r := watching(t, Options{pace: byEvents, Roots: func() []Root {
		select {
		case now = <-turns:
		default:
		}
		return now
	}})
	turns <- []Root{{Path: b, Reach: Folder}}
	r.w.Refresh()
	r.told(filepath.Join(b, "x.md"))
	add(t, filepath.Join(a, "x.md"), "2")
	add(t, filepath.Join(b, "x.md"), "2")
	if got := r.next(); !slices.Equal(got.Paths, []string{filepath.Join(b, "x.md")}) {
		t.Errorf("told of %v", got.Paths)
	}
}
