package engine

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"tidemark/backend/api"
	"tidemark/backend/index"
	"tidemark/backend/ingest"
	"tidemark/backend/memory"
	"tidemark/backend/openclaw"
)

// TestMain runs the tests with a home of their own: one that opens the real
// state directory would find nothing. Started as the child of a test that
// kills it, the program does that child's work instead.
func TestMain(m *testing.M) {
	if os.Getenv(childVar) != "" {
		child()
		return
	}
	home, err := os.MkdirTemp("", "tidemark-home")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	for _, name := range []string{"HOME", "USERPROFILE", "OPENCLAW_HOME"} {
		os.Setenv(name, home)
	}
	slog.SetDefault(slog.New(slog.DiscardHandler))
	code := m.Run()
	os.RemoveAll(home)
	os.Exit(code)
}

// shared finds the folder with the cases and fixtures, or skips the test.
func shared(t *testing.T, name string) string {
	t.Helper()
	for _, dir := range []string{os.Getenv("TIDEMARK_SHARED"), filepath.Join("..", "..", "..", "shared")} {
		if dir == "" {
			continue
		}
		path := filepath.Join(dir, name)
		if _, err := os.Stat(path); err == nil {
			return path
		}
	}
	t.Skipf("%s is not here: set TIDEMARK_SHARED to the folder that holds it", name)
	return ""
}

// world is a state directory of a test and a data directory beside it.
type world struct {
	t     *testing.T
	state string
	data  string
	mask  func(string) string
	now   time.Time
	local *time.Location
	every time.Duration
}

// newWorld gives an empty one. Its clock stands at noon of 20 June 2026, after
// everything that tests write by default.
func newWorld(t *testing.T) *world {
	t.Helper()
	dir := t.TempDir()
	w := &world{t: t, state: filepath.Join(dir, "home", ".openclaw"), data: filepath.Join(dir, "data"),
		mask: func(s string) string { return s }, now: time.Date(2026, 6, 20, 12, 0, 0, 0, time.UTC), local: time.UTC, every: time.Millisecond}
	if err := os.MkdirAll(w.state, 0o700); err != nil {
		t.Fatal(err)
	}
	return w
}

// path gives the path of a file of the state directory.
func (w *world) path(name string) string { return filepath.Join(w.state, filepath.FromSlash(name)) }

// S names a file among the sessions of an agent, main unless named.
func S(name string, agent ...string) string {
	id := "main"
	if len(agent) > 0 {
		id = agent[0]
	}
	return "agents/" + id + "/sessions/" + name
}

func (w *world) write(name, text string) {
	w.t.Helper()
	path := w.path(name)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) lines(name string, lines ...string) {
	w.t.Helper()
	w.write(name, strings.Join(lines, "\n")+"\n")
}

// grow appends lines to a file.
func (w *world) grow(name string, lines ...string) {
	w.t.Helper()
	w.raw(name, strings.Join(lines, "\n")+"\n")
}

func (w *world) raw(name, text string) {
	w.t.Helper()
	f, err := os.OpenFile(w.path(name), os.O_APPEND|os.O_WRONLY|os.O_CREATE, 0o600)
	if err != nil {
		w.t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteString(text); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) move(from, to string) {
	w.t.Helper()
	if err := os.MkdirAll(filepath.Dir(w.path(to)), 0o700); err != nil {
		w.t.Fatal(err)
	}
	if err := os.Rename(w.path(from), w.path(to)); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) remove(name string) {
	w.t.Helper()
	if err := os.RemoveAll(w.path(name)); err != nil {
		w.t.Fatal(err)
	}
}

// aged sets the time of a file, so that files made at once have an order.
func (w *world) aged(name string, minutes int) {
	w.t.Helper()
	at := time.Date(2026, 6, 1, 0, minutes, 0, 0, time.UTC)
	if err := os.Chtimes(w.path(name), at, at); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) env() openclaw.Env {
	return openclaw.Env{Home: filepath.Dir(w.state), OS: "linux"}
}

func (w *world) options() Options {
	return Options{Env: w.env(), DataDir: w.data, Mask: func(s string) string { return w.mask(s) }, Version: "test",
		Now: func() time.Time { return w.now }, Local: w.local, Every: w.every}
}

// open opens an engine on the world; it is closed with the test at the latest.
func (w *world) open() *engineOf {
	w.t.Helper()
	e, err := Open(context.Background(), w.options())
	if err != nil {
		w.t.Fatal(err)
	}
	x := &engineOf{Engine: e, w: w}
	w.t.Cleanup(x.close)
	inst, err := openclaw.Resolve(w.env(), w.state, "")
	if err != nil {
		w.t.Fatal(err)
	}
	if x.id, err = e.Use(context.Background(), inst); err != nil {
		w.t.Fatal(err)
	}
	return x
}

// engineOf is an engine and the world that it looks at.
type engineOf struct {
	*Engine
	w      *world
	id     string
	closed bool
}

func (e *engineOf) close() {
	if e.closed {
		return
	}
	e.closed = true
	if err := e.Engine.Close(); err != nil {
		e.w.t.Error(err)
	}
}

// scan looks and sums up.
func (e *engineOf) scan() api.Scan {
	e.w.t.Helper()
	s, err := e.Scan(context.Background(), api.Query{Refresh: true})
	if err != nil {
		e.w.t.Fatal(err)
	}
	e.check()
	e.checkToday(s)
	return s
}

func (e *engineOf) sessions() []api.Session {
	e.w.t.Helper()
	all, err := e.Sessions(context.Background(), api.Query{Refresh: true})
	if err != nil {
		e.w.t.Fatal(err)
	}
	return all
}

// session gives one session by id.
func (e *engineOf) session(id string) api.Session {
	e.w.t.Helper()
	all := e.sessions()
	n := slices.IndexFunc(all, func(s api.Session) bool { return s.SessionID == id })
	if n < 0 {
		e.w.t.Fatalf("there is no session %q among %v", id, ids(all))
	}
	return all[n]
}

func ids(all []api.Session) (found []string) {
	for _, s := range all {
		found = append(found, s.Agent+"/"+s.SessionID)
	}
	slices.Sort(found)
	return found
}

func (e *engineOf) detail(id string) api.SessionDetail {
	e.w.t.Helper()
	d, err := e.Engine.Session(context.Background(), api.Query{Session: id, Refresh: true, Limit: 2000})
	if err != nil {
		e.w.t.Fatal(err)
	}
	return d
}

func (e *engineOf) costs(by string, more ...func(*api.Query)) api.CostView {
	e.w.t.Helper()
	q := api.Query{By: by, Refresh: true}
	for _, f := range more {
		f(&q)
	}
	v, err := e.Costs(context.Background(), q)
	if err != nil {
		e.w.t.Fatal(err)
	}
	return v
}

func (e *engineOf) compactions() []api.Compaction {
	e.w.t.Helper()
	all, err := e.Compactions(context.Background(), api.Query{Refresh: true})
	if err != nil {
		e.w.t.Fatal(err)
	}
	return all
}

// codes counts problems by code.
func codes(all []api.Problem) map[string]int {
	found := map[string]int{}
	for _, p := range all {
		found[p.Code] += p.Count
	}
	return found
}

// check compares the sums that the index keeps with what its rows add up to.
func (e *engineOf) check() {
	e.w.t.Helper()
	e.checkPages()
	e.use.RLock()
	defer e.use.RUnlock()
	wrong, err := e.index.Verify(context.Background())
	if err != nil {
		e.w.t.Fatal(err)
	}
	for _, line := range wrong {
		e.w.t.Errorf("the index contradicts itself: %s", line)
	}
}

// tally reads everything without an index.
func (w *world) tally() api.Scan {
	w.t.Helper()
	inst, err := openclaw.Resolve(w.env(), w.state, "")
	if err != nil {
		w.t.Fatal(err)
	}
	s, err := ScanOnce(context.Background(), w.env(), inst, w.mask, func(ingest.Progress) {})
	if err != nil {
		w.t.Fatal(err)
	}
	return s
}

// loseIndex deletes the index, as somebody who needs room does.
func (w *world) loseIndex() {
	w.t.Helper()
	if err := index.Remove(w.indexFile()); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) indexFile() string { return filepath.Join(w.data, "index.sqlite") }

// ledgerFile gives what the ledger says of an agent.
func (w *world) ledgerFile(agent, name string) string {
	w.t.Helper()
	found, err := filepath.Glob(filepath.Join(w.data, "ledger", "*", agent, name))
	if err != nil || len(found) > 1 {
		w.t.Fatal(err, found)
	}
	if len(found) == 0 {
		return ""
	}
	body, err := os.ReadFile(found[0])
	if err != nil {
		w.t.Fatal(err)
	}
	return string(body)
}

// The records of tests. Times are minutes behind midnight of 10 May 2026.

func at(minute int) string {
	return time.Date(2026, 5, 10, 0, minute, 0, 0, time.UTC).Format("2006-01-02T15:04:05.000Z")
}

func head(id string, minute int) string {
	return fmt.Sprintf(`{"type":"session","version":3,"id":%q,"timestamp":%q,"cwd":"/w"}`, id, at(minute))
}

// headOf is the header of a session that continues another one.
func headOf(id string, minute int, parent string) string {
	return fmt.Sprintf(`{"type":"session","version":3,"id":%q,"timestamp":%q,"cwd":"/w","parentSession":%q}`, id, at(minute), parent)
}

func parentText(parent string) string {
	if parent == "" {
		return "null"
	}
	return fmt.Sprintf("%q", parent)
}

func said(id, parent string, minute int, text string) string {
	return fmt.Sprintf(`{"type":"message","id":%q,"parentId":%s,"timestamp":%q,"message":{"role":"user","content":[{"type":"text","text":%s}]}}`, id, parentText(parent), at(minute), jsonText(text))
}

func jsonText(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		panic(err)
	}
	return string(b)
}

// call describes an assistant's message; zero fields have usual values.
type call struct {
	id, parent           string
	minute               int
	in, out, read, write int64
	usd                  string // "" writes no cost
	provider, model      string
	text                 string
	more                 string // further fields of the message, with a comma before them
}

func (c call) line() string {
	provider, model, text := c.provider, c.model, c.text
	if provider == "" && model == "" {
		provider, model = "anthropic", "claude-sonnet-4-6"
	}
	if text == "" {
		text = "ok"
	}
	cost := ""
	if c.usd != "" {
		cost = `,"cost":{"total":` + c.usd + `}`
	}
	return fmt.Sprintf(`{"type":"message","id":%q,"parentId":%s,"timestamp":%q,"message":{"role":"assistant","provider":%q,"model":%q,"content":[{"type":"text","text":%s}],`+
		`"usage":{"input":%d,"output":%d,"cacheRead":%d,"cacheWrite":%d,"totalTokens":%d%s},"stopReason":"stop"%s}}`,
		c.id, parentText(c.parent), at(c.minute), provider, model, jsonText(text), c.in, c.out, c.read, c.write, c.in+c.out+c.read+c.write, cost, c.more)
}

// reply is a call with the usual model.
func reply(id, parent string, minute int, in, out int64, usd string) string {
	return call{id: id, parent: parent, minute: minute, in: in, out: out, usd: usd}.line()
}

func compacted(id, parent string, minute int, firstKept, summary string) string {
	return fmt.Sprintf(`{"type":"compaction","id":%q,"parentId":%s,"timestamp":%q,"summary":%s,"firstKeptEntryId":%q,"tokensBefore":178000}`, id, parentText(parent), at(minute), jsonText(summary), firstKept)
}

// money compares dollars as the API gives them.
func money(t *testing.T, what string, got, want float64) {
	t.Helper()
	if a, ok := memory.MoneyOf(got); !ok {
		t.Errorf("%s: %v is no amount", what, got)
	} else if b, _ := memory.MoneyOf(want); a != b {
		t.Errorf("%s: $%v, want $%v", what, got, want)
	}
}

func equal[T comparable](t *testing.T, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

// query runs a statement on the index, which no engine may have open.
func (w *world) query(q string) {
	w.t.Helper()
	db, err := sql.Open("sqlite", "file://"+w.indexFile())
	if err != nil {
		w.t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec(q); err != nil {
		w.t.Fatal(err)
	}
}
