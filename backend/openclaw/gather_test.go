package openclaw

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tidemark/backend/memory"
)

// gathered is what a source yielded, as a test wants to see it.
type gathered struct {
	entries  []gatheredEntry
	problems []memory.Problem
	commits  []memory.Checkpoint
	failAt   int // number of the entry at which the sink fails, 0 never
	fail     error
	onCommit func()
}

type gatheredEntry struct {
	session string
	ev      memory.Event
	at      memory.Place
}

func (g *gathered) Entry(session string, ev *memory.Event, at memory.Place) error {
	g.entries = append(g.entries, gatheredEntry{session, *ev, at})
	if g.failAt > 0 && len(g.entries) == g.failAt {
		return g.fail
	}
	return nil
}

func (g *gathered) Commit(cp memory.Checkpoint) error {
	if cp.Marks != nil {
		marks := map[string]memory.Mark{}
		for k, v := range cp.Marks {
			marks[k] = v
		}
		cp.Marks = marks
	}
	g.commits = append(g.commits, cp)
	if g.onCommit != nil {
		g.onCommit()
	}
	return nil
}

func (g *gathered) Problem(p memory.Problem) { g.problems = append(g.problems, p) }

// list gives the entries as "session/id" in order, a header as "session/".
func (g *gathered) list() []string {
	var out []string
	for _, e := range g.entries {
		out = append(out, e.session+"/"+e.ev.ID)
	}
	return out
}

// codes gives the problems as "code@line" in order.
func (g *gathered) codes() []string {
	var out []string
	for _, p := range g.problems {
		out = append(out, fmt.Sprintf("%s@%d", p.Code, p.Line))
	}
	return out
}

// last gives the checkpoint with which the next reading goes on: marks are
// kept per session, as a store keeps them.
func (g *gathered) last() memory.Checkpoint {
	if len(g.commits) == 0 {
		return memory.Checkpoint{}
	}
	cp := g.commits[len(g.commits)-1]
	marks := map[string]memory.Mark{}
	for _, c := range g.commits {
		for k, v := range c.Marks {
			marks[k] = v
		}
	}
	if len(marks) > 0 {
		cp.Marks = marks
	}
	return cp
}

// sourceOf describes a file as Sources does.
func sourceOf(t testing.TB, path string) memory.Source {
	t.Helper()
	if strings.HasSuffix(path, ".sqlite") {
		stamp, err := StampOf(path, true)
		if err != nil {
			t.Fatal(err)
		}
		return memory.Source{Kind: memory.SourceDatabase, Agent: "main", Path: path, Stamp: stamp}
	}
	kind, base, ok := classify(filepath.Base(path), filepath.Base(filepath.Dir(path)) == ImportFolder)
	if !ok {
		t.Fatalf("%s is no transcript", path)
	}
	stamp, err := StampOf(path, false)
	if err != nil {
		t.Fatal(err)
	}
	return memory.Source{Kind: kind, Agent: "main", Path: path, Base: base, Stamp: stamp}
}

// readFrom reads a source from cp on.
func readFrom(t testing.TB, path string, cp memory.Checkpoint, opts Options) *gathered {
	t.Helper()
	g := new(gathered)
	if err := Read(context.Background(), sourceOf(t, path), cp, opts, g); err != nil {
		t.Fatalf("read %s: %v", filepath.Base(path), err)
	}
	for _, p := range g.problems {
		if p.Message == "" || p.Hint == "" || p.Count < 1 || !strings.HasPrefix(p.Path, path) {
			t.Errorf("problem %+v lacks something", p)
		}
	}
	return g
}

func readAll(t testing.TB, path string) *gathered {
	t.Helper()
	return readFrom(t, path, memory.Checkpoint{}, Options{Texts: true})
}

// put writes a file below a temporary folder and gives its path.
func put(t testing.TB, path, content string) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// appendTo adds to a file.
func appendTo(t testing.TB, path, content string) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString(content); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}

func wantList(t testing.TB, what string, got, want []string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s: got %q, want %q", what, got, want)
	}
}

// headerLine and the lines below are records as OpenClaw writes them.
func headerLine(id string) string {
	return `{"type":"session","version":3,"id":"` + id + `","timestamp":"2026-05-10T00:00:00.000Z","cwd":"/w"}` + "\n"
}

func assistantLine(id string, input, output int, cost string) string {
	return assistantFrom(id, "anthropic", "claude-sonnet-4-6", input, output, 0, `"cost":{"input":0,"output":0,"cacheRead":0,"cacheWrite":0,"total":`+cost+`}`)
}

func assistantFrom(id, provider, model string, input, output, cacheRead int, cost string) string {
	if cost != "" {
		cost = "," + cost
	}
	return fmt.Sprintf(`{"type":"message","id":"%s","parentId":null,"timestamp":"2026-05-10T10:00:00.000Z","message":{"role":"assistant","content":[{"type":"text","text":"ok"}],"provider":"%s","model":"%s",`+
		`"usage":{"input":%d,"output":%d,"cacheRead":%d,"cacheWrite":0,"totalTokens":%d%s},"stopReason":"stop"}}`+"\n", id, provider, model, input, output, cacheRead, input+output+cacheRead, cost)
}

func userLine(id, text string) string {
	return fmt.Sprintf(`{"type":"message","id":"%s","parentId":null,"timestamp":"2026-05-10T10:00:00.000Z","message":{"role":"user","content":[{"type":"text","text":%q}],"timestamp":1778407200000}}`+"\n", id, text)
}

func toolLine(id, text string) string {
	return fmt.Sprintf(`{"type":"message","id":"%s","parentId":"p","timestamp":"2026-05-10T10:00:00.000Z","message":{"role":"toolResult","toolCallId":"c","toolName":"read","content":[{"type":"text","text":%q}],"isError":false,"timestamp":1778407200000}}`+"\n", id, text)
}
