package engine

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"

	"tidemark/backend/api"
	"tidemark/backend/openclaw"
	"tidemark/backend/secrets"
)

// TestMain keeps every test away from the real home.
func TestMain(m *testing.M) {
	if dir := os.Getenv("TIDEMARK_TEST_CHILD"); dir != "" {
		childPass(dir, os.Getenv("TIDEMARK_TEST_CHILD_DATA"))
		return
	}
	home, err := os.MkdirTemp("", "tidemark-home-")
	if err != nil {
		panic(err)
	}
	os.Setenv("HOME", home)
	code := m.Run()
	os.RemoveAll(home)
	os.Exit(code)
}

// testEnv is an environment in which nothing is set.
func testEnv(home string) openclaw.Env {
	return openclaw.Env{Getenv: func(string) string { return "" }, Home: home, OS: "linux"}
}

// state is a state directory that a test writes.
type state struct {
	t   *testing.T
	dir string
}

func newState(t *testing.T) *state {
	t.Helper()
	return &state{t: t, dir: filepath.Join(t.TempDir(), ".openclaw")}
}

// write writes lines to a file below the state directory.
func (s *state) write(name string, lines ...string) string {
	s.t.Helper()
	return s.raw(name, strings.Join(lines, "\n")+"\n")
}

func (s *state) raw(name, content string) string {
	s.t.Helper()
	path := filepath.Join(s.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		s.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		s.t.Fatal(err)
	}
	return path
}

func (s *state) add(name, content string) {
	s.t.Helper()
	f, err := os.OpenFile(filepath.Join(s.dir, filepath.FromSlash(name)), os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		s.t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteString(content); err != nil {
		s.t.Fatal(err)
	}
}

func (s *state) rename(from, to string) {
	s.t.Helper()
	to = filepath.Join(s.dir, filepath.FromSlash(to))
	if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
		s.t.Fatal(err)
	}
	if err := os.Rename(filepath.Join(s.dir, filepath.FromSlash(from)), to); err != nil {
		s.t.Fatal(err)
	}
}

func (s *state) remove(name string) {
	s.t.Helper()
	if err := os.RemoveAll(filepath.Join(s.dir, filepath.FromSlash(name))); err != nil {
		s.t.Fatal(err)
	}
}

// once reads everything without keeping anything.
func (s *state) once() api.Scan {
	s.t.Helper()
	env := testEnv(filepath.Dir(s.dir))
	inst, err := openclaw.Resolve(env, s.dir, "")
	if err != nil {
		s.t.Fatal(err)
	}
	got, err := ScanOnce(context.Background(), env, inst, secrets.Mask, nil)
	if err != nil {
		s.t.Fatal(err)
	}
	return got
}

// house is an engine over one state directory.
type house struct {
	*Engine
	t     *testing.T
	state *state
	data  string
	now   time.Time
}

func (s *state) open() *house {
	s.t.Helper()
	return s.openIn(filepath.Join(s.t.TempDir(), "data"))
}

func (s *state) openIn(data string) *house {
	s.t.Helper()
	h := &house{t: s.t, state: s, data: data, now: time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)}
	h.reopen()
	s.t.Cleanup(func() { h.Close() })
	return h
}

func (h *house) reopen() {
	h.t.Helper()
	env := testEnv(filepath.Dir(h.state.dir))
	e, err := Open(context.Background(), Options{Env: env, DataDir: h.data, Mask: secrets.Mask, MaskValue: secrets.MaskValue, Local: time.UTC, Now: func() time.Time { return h.now }})
	if err != nil {
		h.t.Fatal(err)
	}
	inst, err := openclaw.Resolve(env, h.state.dir, "")
	if err != nil {
		h.t.Fatal(err)
	}
	if _, err := e.Use(context.Background(), inst); err != nil {
		h.t.Fatal(err)
	}
	h.Engine = e
}

// scan looks at the files and sums up.
func (h *house) scan() api.Scan {
	h.t.Helper()
	s, err := h.Scan(context.Background(), api.Query{Refresh: true})
	if err != nil {
		h.t.Fatal(err)
	}
	return s
}

func (h *house) sessions() map[string]api.Session {
	h.t.Helper()
	all, err := h.Sessions(context.Background(), api.Query{Refresh: true})
	if err != nil {
		h.t.Fatal(err)
	}
	by := map[string]api.Session{}
	for _, s := range all {
		by[s.SessionID] = s
	}
	return by
}

// sums is what two ways of counting must agree on.
func sums(s api.Scan) string {
	return fmt.Sprintf("agents %v sessions %d messages %d user %d compactions %d tokens %+v usd %.9f unpriced %d", s.Agents, s.Sessions, s.Messages, s.UserMessages, s.Compactions, s.Tokens, s.Cost.USD, s.Cost.UnpricedCalls)
}

// codes counts problems by code.
func codes(s api.Scan) map[string]int {
	n := map[string]int{}
	for _, p := range s.Problems {
		n[p.Code] += p.Count
	}
	return n
}

func header(id, at string, more ...string) string {
	return fmt.Sprintf(`{"type":"session","version":3,"id":%q,"timestamp":%q,"cwd":"/w"%s}`, id, at, strings.Join(more, ""))
}

const may10 = "2026-05-10T00:00:00.000Z"

func user(id, parent, at, text string) string {
	return fmt.Sprintf(`{"type":"message","id":%q,"parentId":%s,"timestamp":%q,"message":{"role":"user","content":%q}}`, id, orNull(parent), at, text)
}

func orNull(id string) string {
	if id == "" {
		return "null"
	}
	return fmt.Sprintf("%q", id)
}

// asst is an assistant line. cost is JSON, "" for none.
func asst(id string, in, out, read, write int, cost string, more ...string) string {
	model, provider, at, extra := "claude-sonnet-4-6", "anthropic", "2026-05-10T10:00:00.000Z", ""
	for _, m := range more {
		k, v, _ := strings.Cut(m, "=")
		switch k {
		case "model":
			model = v
		case "provider":
			provider = v
		case "at":
			at = v
		case "parent":
			extra += fmt.Sprintf(`,"parentId":%q`, v)
		default:
			extra += v
		}
	}
	if cost != "" {
		cost = fmt.Sprintf(`,"cost":{"input":0,"output":0,"cacheRead":0,"cacheWrite":0,"total":%s}`, cost)
	}
	return fmt.Sprintf(`{"type":"message","id":%q,"timestamp":%q%s,"message":{"role":"assistant","content":[{"type":"text","text":"ok"}],"provider":%q,"model":%q,"usage":{"input":%d,"output":%d,"cacheRead":%d,"cacheWrite":%d,"totalTokens":%d%s},"stopReason":"stop"}}`,
		id, at, extra, provider, model, in, out, read, write, in+out+read+write, cost)
}

// pack compresses text as OpenClaw does.
func pack(t *testing.T, text string) string {
	t.Helper()
	enc, err := zstd.NewWriter(nil, zstd.WithEncoderCRC(true))
	if err != nil {
		t.Fatal(err)
	}
	return string(enc.EncodeAll([]byte(text), nil))
}

// shared gives a folder of the shared samples, and skips where they are not.
func shared(t *testing.T, name string) string {
	t.Helper()
	root := os.Getenv("TIDEMARK_SHARED")
	if root == "" {
		root = "../../../shared"
	}
	path := filepath.Join(root, filepath.FromSlash(name))
	if _, err := os.Stat(path); err != nil {
		t.Skipf("skipped: the shared samples are not here (set TIDEMARK_SHARED); wanted %s", name)
	}
	return path
}
