package ingest_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"tidemark/backend/api"
	"tidemark/backend/engine"
	"tidemark/backend/openclaw"
)

// reader is an engine on a state directory.
type reader struct{ *engine.Engine }

func readerOf(t *testing.T, state string) reader {
	t.Helper()
	env := openclaw.Env{Home: filepath.Dir(state), OS: "linux"}
	now := func() time.Time { return time.Date(2026, 6, 20, 12, 0, 0, 0, time.UTC) }
	e, err := engine.Open(context.Background(), engine.Options{Env: env, DataDir: filepath.Join(t.TempDir(), "data"), Mask: func(s string) string { return s }, Now: now, Local: time.UTC})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	})
	inst, err := openclaw.Resolve(env, state, "")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.Use(context.Background(), inst); err != nil {
		t.Fatal(err)
	}
	return reader{e}
}

// pass makes one pass and gives the totals that it leaves.
func (r reader) pass(t *testing.T) string {
	t.Helper()
	s, err := r.Scan(t.Context(), api.Query{Refresh: true})
	if err != nil {
		t.Fatal(err)
	}
	all, err := r.Sessions(t.Context(), api.Query{})
	if err != nil {
		t.Fatal(err)
	}
	s.ElapsedMs = 0
	s.Problems = nil // a line that waits for its end is a problem of the moment
	body, err := json.Marshal([]any{s, all})
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}

// record gives a line of a transcript.
func record(r *rand.Rand, session string, n int, parent string) string {
	at := time.Date(2026, 5, 10, 0, n, 0, 0, time.UTC).Format(time.RFC3339)
	if parent != "null" {
		parent = fmt.Sprintf("%q", parent)
	}
	id := fmt.Sprintf("%s-%d", session, n)
	switch r.IntN(4) {
	case 0:
		return fmt.Sprintf(`{"type":"message","id":%q,"parentId":%s,"timestamp":%q,"message":{"role":"user","content":"信 %d"}}`, id, parent, at, n)
	case 1:
		return fmt.Sprintf(`{"type":"compaction","id":%q,"parentId":%s,"timestamp":%q,"summary":"s","firstKeptEntryId":%q,"tokensBefore":9}`, id, parent, at, id)
	default:
		return fmt.Sprintf(`{"type":"message","id":%q,"parentId":%s,"timestamp":%q,"message":{"role":"assistant","provider":"p","model":"m","content":[],"usage":{"input":%d,"output":1,"cost":{"total":0.%d}}}}`, id, parent, at, r.IntN(999), 1+r.IntN(99))
	}
}

// TestAnyInterleaving: however passes fall between writes, in the middle of a
// line or of a character, the totals in the end are those of one pass.
func TestAnyInterleaving(t *testing.T) {
	for seed := range uint64(15) {
		r := rand.New(rand.NewPCG(seed, 8))
		state := filepath.Join(t.TempDir(), "home", ".openclaw")
		dir := filepath.Join(state, "agents", "main", "sessions")
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		often := readerOf(t, state)
		pending := map[string][]byte{}
		for n := range 3 {
			id, parent := fmt.Sprint("s", n), "null"
			text := fmt.Sprintf(`{"type":"session","version":3,"id":%q,"timestamp":"2026-05-10T00:00:00Z","cwd":"/w"}`, id) + "\n"
			for k := 1; k < 14; k++ {
				text += record(r, id, k, parent) + "\n"
				parent = fmt.Sprintf("%s-%d", id, k)
			}
			pending[filepath.Join(dir, id+".jsonl")] = []byte(text)
		}
		for len(pending) > 0 {
			for _, path := range slices.Sorted(maps.Keys(pending)) {
				rest := pending[path]
				n := min(1+r.IntN(700), len(rest))
				appendTo(t, path, rest[:n])
				if pending[path] = rest[n:]; n == len(rest) {
					delete(pending, path)
				}
				if r.IntN(2) == 0 {
					often.pass(t)
				}
			}
		}
		if got, want := often.pass(t), readerOf(t, state).pass(t); got != want {
			t.Fatalf("seed %d: many passes give\n%s\none gives\n%s", seed, got, want)
		}
	}
}

func appendTo(t *testing.T, path string, text []byte) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Write(text); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}
