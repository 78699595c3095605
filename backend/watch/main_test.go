package watch

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// patience is how long a test waits for what must come: long enough for a busy
// machine, as nothing that works waits for it.
const patience = 20 * time.Second

// never stands for waiting times that a test must not depend on.
const never = time.Hour

// byEvents is a pace at which nothing is noticed but by an event.
var byEvents = pace{hot: never, cold: never, calm: never, try: never}

// reader is a caller as the real one is: it looks at the files that it is told
// of and believes that the others are as they were.
type reader struct {
	t       *testing.T
	roots   []Root
	w       *Watcher
	batches chan Batch    // every batch, for tests that look at them
	news    chan struct{} // holds one when something was read

	mu   sync.Mutex
	view map[string]string // by path: what was read; no entry where there is nothing
	alls int
}

// watching runs a watcher until the test ends, and waits until it watches.
func watching(t *testing.T, opts Options, roots ...Root) *reader {
	t.Helper()
	r := &reader{t: t, roots: roots, batches: make(chan Batch, 1<<16), news: make(chan struct{}, 1), view: map[string]string{}}
	if opts.Roots == nil {
		opts.Roots = func() []Root { return roots }
	}
	opts.Changed = r.changed
	r.w = New(opts)
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- r.w.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Errorf("Run: %v", err)
		}
	})
	if b := r.next(); !b.All {
		t.Fatalf("the first batch is %v, want All", b.Paths)
	}
	return r
}

func (r *reader) changed(b Batch) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if b.All {
		r.alls++
		r.view = truth(r.t, r.roots)
	}
	for _, p := range b.Paths {
		if text, ok := content(p); ok {
			r.view[p] = text
		} else {
			delete(r.view, p)
		}
	}
	r.batches <- b
	select {
	case r.news <- struct{}{}:
	default:
	}
}

// next gives the next batch.
func (r *reader) next() Batch {
	r.t.Helper()
	select {
	case b := <-r.batches:
		return b
	case <-time.After(patience):
		r.t.Fatal("no batch came")
		return Batch{}
	}
}

// told waits until all paths were told of since the test last looked.
func (r *reader) told(paths ...string) {
	r.t.Helper()
	missing := map[string]bool{}
	for _, p := range paths {
		missing[p] = true
	}
	deadline := time.After(patience)
	for len(missing) > 0 {
		select {
		case b := <-r.batches:
			if b.All {
				r.t.Fatalf("a batch of All came; waited for %v", slices.Collect(maps.Keys(missing)))
			}
			for _, p := range b.Paths {
				delete(missing, p)
			}
		case <-deadline:
			r.t.Fatalf("not told of: %v", slices.Sorted(maps.Keys(missing)))
		}
	}
}

// agrees waits until what was read is what is there.
func (r *reader) agrees() {
	r.t.Helper()
	deadline := time.After(patience)
	for {
		r.mu.Lock()
		is, have := truth(r.t, r.roots), maps.Clone(r.view)
		r.mu.Unlock()
		if maps.Equal(is, have) {
			return
		}
		select {
		case <-r.news:
		case <-deadline:
			r.t.Fatalf("missed:\n%s", difference(is, have))
		}
	}
}

// until waits for a state of the watcher; each change comes with a batch.
func (r *reader) until(what string, is func(State) bool) State {
	r.t.Helper()
	deadline := time.After(patience)
	for {
		if s := r.w.State(); is(s) {
			return s
		}
		select {
		case <-r.news:
		case <-deadline:
			r.t.Fatalf("the state is not %s: %+v", what, r.w.State())
		}
	}
}

// wait waits for what no batch tells of, by asking again and again.
func (r *reader) wait(what string, is func() bool) {
	r.t.Helper()
	deadline, again := time.After(patience), time.NewTicker(5*time.Millisecond)
	defer again.Stop()
	for !is() {
		select {
		case <-again.C:
		case <-deadline:
			r.t.Fatalf("it does not come that %s", what)
		}
	}
}

func difference(is, have map[string]string) string {
	var b strings.Builder
	for _, p := range slices.Sorted(maps.Keys(is)) {
		if have[p] != is[p] {
			b.WriteString(p + ": there " + is[p] + ", read " + have[p] + "\n")
		}
	}
	for p := range have {
		if _, ok := is[p]; !ok {
			b.WriteString(p + ": gone, but was read\n")
		}
	}
	return b.String()
}

// content reads a file and the log beside it.
func content(path string) (string, bool) {
	text, err := os.ReadFile(path)
	log, errLog := os.ReadFile(path + "-wal")
	return string(text) + "|" + string(log), err == nil || errLog == nil
}

// truth reads all that the roots name, by its own way of walking.
func truth(t *testing.T, roots []Root) map[string]string {
	found := map[string]string{}
	for _, r := range roots {
		switch r.Reach {
		case File:
			if text, ok := content(r.Path); ok {
				found[r.Path] = text
			}
		default:
			gather(found, r.Path, r.Reach == Tree)
		}
	}
	return found
}

func gather(found map[string]string, dir string, deep bool) {
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		info, err := os.Stat(path)
		switch {
		case err != nil:
		case info.IsDir() && deep && e.Name() != "node_modules":
			gather(found, path, true)
		case info.IsDir():
		case strings.HasSuffix(path, ".jsonl"), strings.HasSuffix(path, ".md"), strings.HasSuffix(path, ".sqlite"), strings.HasSuffix(path, "-wal"):
			path = strings.TrimSuffix(path, "-wal")
			if text, ok := content(path); ok {
				found[path] = text
			}
		}
	}
}

// ok ends a test where a step of its own failed.
func ok(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func write(t testing.TB, path, text string) {
	t.Helper()
	ok(t, os.MkdirAll(filepath.Dir(path), 0o755))
	ok(t, os.WriteFile(path, []byte(text), 0o600))
}

func add(t testing.TB, path, text string) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY|os.O_CREATE, 0o600)
	ok(t, err)
	_, err = f.WriteString(text)
	ok(t, err)
	ok(t, f.Close())
}

// exists tells whether anything is at a path.
func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}
