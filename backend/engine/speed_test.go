package engine

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"tidemark/backend/api"
	"tidemark/backend/openclaw"
)

// longWorld gives an engine on a session of that many entries, every second
// one a call, as a benchmark's world.
func longWorld(b *testing.B, entries int) (*world, *Engine) {
	b.Helper()
	w := benchWorld(b)
	lines := []string{head("long", 0)}
	parent := ""
	words := strings.Repeat("words of a conversation that is long. ", 20)
	for n := range entries / 2 {
		u, a := fmt.Sprintf("u%07d", n), fmt.Sprintf("a%07d", n)
		lines = append(lines, said(u, parent, n, words), call{id: a, parent: u, minute: n, in: 10, out: 5, read: int64(n), usd: "0.01", text: words}.line())
		parent = a
	}
	w.write(S("long.jsonl"), strings.Join(lines, "\n")+"\n")
	return w, w.benchOpen(b)
}

// benchWorld gives an empty world. Its methods that fail a test must not fail.
func benchWorld(b *testing.B) *world {
	b.Helper()
	t := &testing.T{}
	w := &world{t: t, state: b.TempDir() + "/home/.openclaw", data: b.TempDir(), mask: func(s string) string { return s }, local: time.UTC}
	return w
}

func (w *world) benchOpen(b *testing.B) *Engine {
	b.Helper()
	e, err := Open(context.Background(), w.options())
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { e.Close() })
	inst, err := openclaw.Resolve(w.env(), w.state, "")
	if err != nil {
		b.Fatal(err)
	}
	if _, err := e.Use(context.Background(), inst); err != nil {
		b.Fatal(err)
	}
	if _, err := e.Scan(context.Background(), api.Query{Refresh: true}); err != nil {
		b.Fatal(err)
	}
	return e
}

// BenchmarkSessionWarm asks for a page of a session of 20,000 entries again
// and again. Target: 15 ms.
func BenchmarkSessionWarm(b *testing.B) {
	_, e := longWorld(b, 20_000)
	at := 0
	for b.Loop() {
		if _, err := e.Session(b.Context(), api.Query{Session: "long", Offset: at % 19_000, Limit: 200}); err != nil {
			b.Fatal(err)
		}
		at += 700
	}
}

// BenchmarkSessionGrown asks for a page each time after an entry came; what
// reading it takes is not counted. Target: 150 ms.
func BenchmarkSessionGrown(b *testing.B) {
	w, e := longWorld(b, 20_000)
	for n := 0; b.Loop(); n++ {
		b.StopTimer()
		w.grow(S("long.jsonl"), said(fmt.Sprintf("n%07d", n), "", 20_000+n, "one more"))
		if _, err := e.Scan(b.Context(), api.Query{Refresh: true}); err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
		if _, err := e.Session(b.Context(), api.Query{Session: "long", Offset: -200, Limit: 200}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkTide draws 20,000 calls. Target: 30 ms.
func BenchmarkTide(b *testing.B) {
	_, e := longWorld(b, 40_000)
	for b.Loop() {
		if _, err := e.Tide(b.Context(), api.Query{Session: "long"}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkLists asks for the lists of 2,000 sessions, each time as if
// something had been written. Target: 50 ms each.
func BenchmarkLists(b *testing.B) {
	w := benchWorld(b)
	for n := range 2000 {
		id := fmt.Sprintf("s%04d", n)
		w.lines(S(id+".jsonl"), head(id, n), said("u", "", n, "hello"), reply("a", "u", n, 5, 5, "0.1"))
	}
	e := w.benchOpen(b)
	b.Run("sessions", func(b *testing.B) {
		for b.Loop() {
			e.rosters.kept = nil
			if _, err := e.Sessions(b.Context(), api.Query{}); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("agents", func(b *testing.B) {
		for b.Loop() {
			if _, err := e.Agents(b.Context(), api.Query{}); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkToday asks for one day, and for all, of an agent whose one session has
// 20,000 entries.
func BenchmarkToday(b *testing.B) {
	_, e := longWorld(b, 20_000)
	for name, q := range map[string]api.Query{"day": {From: "2026-05-15T00:00:00Z", To: "2026-05-16T00:00:00Z"}, "all": {}} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := e.Today(b.Context(), q); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
