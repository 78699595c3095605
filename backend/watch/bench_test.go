package watch

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"
)

// waits gathers how long each write waited until the callback told of it.
type waits struct {
	mu   sync.Mutex
	open []time.Time // writes not told of
	took []time.Duration
	none chan struct{} // holds one when none is open
}

func (w *waits) wrote() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.open = append(w.open, time.Now())
}

func (w *waits) told(path string) func(Batch) {
	return func(b Batch) {
		w.mu.Lock()
		defer w.mu.Unlock()
		if !b.All && !slices.Contains(b.Paths, path) {
			return
		}
		for _, at := range w.open {
			w.took = append(w.took, time.Since(at))
		}
		w.open = nil
		select {
		case w.none <- struct{}{}:
		default:
		}
	}
}

// settle waits until all writes were told of.
func (w *waits) settle(b *testing.B) {
	for {
		w.mu.Lock()
		open := len(w.open)
		w.mu.Unlock()
		if open == 0 {
			return
		}
		select {
		case <-w.none:
		case <-time.After(patience):
			b.Fatalf("%d writes were not told of", open)
		}
	}
}

func (w *waits) report(b *testing.B) {
	slices.Sort(w.took)
	ms := func(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
	b.ReportMetric(ms(w.took[len(w.took)/2]), "p50-ms")
	b.ReportMetric(ms(w.took[len(w.took)*99/100]), "p99-ms")
	b.ReportMetric(ms(w.took[len(w.took)-1]), "p100-ms")
	b.ReportMetric(0, "ns/op") // the writer's pauses, which say nothing
}

// BenchmarkLatency measures the time from a write to the callback that tells of
// it, in an installation of 2,000 files. alone is a write after a pause, talk are
// writes 0 to 80 ms apart, rush are as many as the writer can. polled is talk
// where the system gives no events.
func BenchmarkLatency(b *testing.B) {
	dir := b.TempDir()
	fill(b, dir, 2000)
	line, commit := writers(b, dir)
	for _, kind := range []struct {
		name  string
		path  string
		write func()
	}{{"jsonl", filepath.Join(dir, "agents", "0", "sessions", "live.jsonl"), line}, {"wal", filepath.Join(dir, "agents", "0", "agent", "openclaw-agent.sqlite"), commit}} {
		for _, c := range []struct {
			name      string
			from, cap int // ms between writes
			open      func() (notifier, error)
		}{
			{"alone", 200, 300, nil}, {"talk", 0, 80, nil}, {"rush", 0, 0, nil},
			{"polled", 0, 80, func() (notifier, error) { return nil, os.ErrPermission }},
		} {
			b.Run(kind.name+"/"+c.name, func(b *testing.B) {
				w := &waits{none: make(chan struct{}, 1)}
				begun := make(chan struct{})
				var once sync.Once
				told := w.told(kind.path)
				watcher := New(Options{open: c.open, Roots: func() []Root { return []Root{{Path: dir, Reach: Tree}} }, Changed: func(batch Batch) {
					told(batch)
					once.Do(func() { close(begun) })
				}})
				ctx, cancel := context.WithCancel(context.Background())
				var group sync.WaitGroup
				group.Go(func() { _ = watcher.Run(ctx) })
				<-begun
				for b.Loop() {
					if c.cap > 0 {
						<-time.After(time.Duration(c.from+rand.IntN(c.cap-c.from)) * time.Millisecond)
					}
					w.wrote()
					kind.write()
				}
				w.settle(b)
				cancel()
				group.Wait()
				w.report(b)
			})
		}
	}
}

// writers give a program that appends a line and one that commits a row.
func writers(b *testing.B, dir string) (line, commit func()) {
	path := filepath.Join(dir, "agents", "0", "sessions", "live.jsonl")
	write(b, path, "")
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0o600)
	ok(b, err)
	b.Cleanup(func() { _ = f.Close() })
	ok(b, os.MkdirAll(filepath.Join(dir, "agents", "0", "agent"), 0o755))
	db := database(b, filepath.Join(dir, "agents", "0", "agent", "openclaw-agent.sqlite"))
	return func() {
			_, err := f.WriteString(`{"type":"message"}` + "\n")
			ok(b, err)
		}, func() {
			_, err := db.Exec("INSERT INTO t VALUES ('x')")
			ok(b, err)
		}
}

// fill makes an installation of twenty agents with n files that have not been
// written to for a day.
func fill(t testing.TB, dir string, n int) {
	old := time.Now().Add(-24 * time.Hour)
	for i := range n {
		path := filepath.Join(dir, "agents", fmt.Sprint(i%20), "sessions", fmt.Sprintf("%d.jsonl", i))
		write(t, path, "{}\n")
		ok(t, os.Chtimes(path, old, old))
	}
}

// BenchmarkIdle measures what watching 2,000 files costs while nothing happens,
// in percent of a core, over a time that has four of the slow looks.
func BenchmarkIdle(b *testing.B) {
	dir := b.TempDir()
	fill(b, dir, 2000)
	for name, open := range map[string]func() (notifier, error){"events": nil, "polled": func() (notifier, error) { return nil, os.ErrPermission }} {
		b.Run(name, func(b *testing.B) {
			begun := make(chan struct{})
			var once sync.Once
			watcher := New(Options{open: open, Roots: func() []Root { return []Root{{Path: dir, Reach: Tree}} },
				Changed: func(Batch) { once.Do(func() { close(begun) }) }})
			ctx, cancel := context.WithCancel(context.Background())
			var group sync.WaitGroup
			group.Go(func() { _ = watcher.Run(ctx) })
			<-begun
			for b.Loop() {
				before, at := processTime(b), time.Now()
				<-time.After(4*usual.calm + time.Second)
				b.ReportMetric(100*float64(processTime(b)-before)/float64(time.Since(at)), "%core")
			}
			cancel()
			group.Wait()
			b.ReportMetric(0, "ns/op")
		})
	}
}
