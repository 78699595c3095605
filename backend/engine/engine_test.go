package engine

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"tidemark/backend/api"
	"tidemark/backend/memory"
	"tidemark/backend/openclaw"
	"tidemark/backend/secrets"
)

// TestOneOwner: a data directory has one engine.
func TestOneOwner(t *testing.T) {
	w := newWorld(t)
	e := w.open()
	if _, err := Open(t.Context(), w.options()); memory.CodeOf(err) != memory.CodeBusy {
		t.Errorf("a second one: %v", err)
	}
	e.close()
	second, err := Open(t.Context(), w.options())
	if err != nil {
		t.Fatal(err)
	}
	if err := second.Close(); err != nil {
		t.Error(err)
	}
}

// TestNoStateDirectory: an installation that is not there, or not any more.
func TestNoStateDirectory(t *testing.T) {
	w := newWorld(t)
	w.lines(S("a.jsonl"), head("a", 0), reply("a1", "", 1, 100, 10, "0.1"))
	e := w.open()
	equal(t, "input", e.scan().Tokens.Input, 100)
	if err := os.Rename(w.state, w.state+".away"); err != nil {
		t.Fatal(err)
	}
	if _, err := e.Scan(t.Context(), api.Query{Refresh: true}); memory.CodeOf(err) != memory.CodeStateMissing {
		t.Errorf("it went away: %v", err)
	}
	s, err := e.Scan(t.Context(), api.Query{})
	if err != nil || s.Tokens.Input != 100 {
		t.Errorf("what was read before: %v %v", s.Tokens, err)
	}
	status, err := e.Status(t.Context(), api.Query{})
	if err != nil || status.Error == "" || status.Busy {
		t.Errorf("status: %+v %v", status, err)
	}
	if err := os.Rename(w.state+".away", w.state); err != nil {
		t.Fatal(err)
	}
	equal(t, "input when it came back", e.scan().Tokens.Input, 100)
	equal(t, "gone", e.session("a").Gone, false)
	if _, err := e.Scan(t.Context(), api.Query{Installation: "nobody"}); memory.CodeOf(err) != memory.CodeNotFound {
		t.Errorf("an installation that is not known: %v", err)
	}
	if _, err := e.Engine.Session(t.Context(), api.Query{Session: "nothing"}); memory.CodeOf(err) != memory.CodeNotFound {
		t.Errorf("a session that is not known: %v", err)
	}
}

// TestRun looks now and then, sees what comes, and ends when it is asked to.
func TestRun(t *testing.T) {
	w := newWorld(t)
	w.lines(S("a.jsonl"), head("a", 0), reply("a1", "", 1, 100, 10, "0.1"))
	e := w.open()
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- e.Run(ctx) }()
	input := func(want int64) {
		t.Helper()
		for range 10_000 {
			s, err := e.Scan(t.Context(), api.Query{})
			if err != nil {
				t.Fatal(err)
			}
			if s.Tokens.Input == want {
				return
			}
			time.Sleep(time.Millisecond) // it looks every millisecond
		}
		t.Fatalf("input never became %d", want)
	}
	input(100)
	w.grow(S("a.jsonl"), reply("a2", "a1", 2, 200, 20, "0.2"))
	input(300)
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("it ended with %v", err)
	}
}

// TestCancelledLook keeps what was read by then, and the next look goes on.
func TestCancelledLook(t *testing.T) {
	w := newWorld(t)
	want := totals(w.filled())
	w.loseIndex()
	e := w.open()
	for n := 100; ; n += 700 {
		ctx, cancel := context.WithCancel(t.Context())
		w.during(n, cancel)
		_, err := e.Scan(ctx, api.Query{Refresh: true})
		cancel()
		w.mask = func(s string) string { return s }
		e.check()
		if err == nil {
			break
		}
		if !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
	}
	equal(t, "in the end", totals(e.scan()), want)
}

// TestReadersDuringLooks asks all questions from several sides while the
// history grows, is rebuilt and installations come: no answer fails, and none
// is smaller than one before it. It is of use with -race.
func TestReadersDuringLooks(t *testing.T) {
	w := newWorld(t)
	w.lines(S("a.jsonl"), head("a", 0), said("u", "", 0, "hi"), compacted("c", "u", 1, "u", "short"))
	e := w.open()
	e.scan()
	ctx, cancel := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	ask := func(f func() error) {
		wg.Go(func() {
			for ctx.Err() == nil {
				if err := f(); err != nil && ctx.Err() == nil {
					t.Error(err)
					return
				}
			}
		})
	}
	var most int64
	ask(func() error {
		s, err := e.Scan(ctx, api.Query{})
		if s.Tokens.Input < most && err == nil {
			return fmt.Errorf("input %d after %d", s.Tokens.Input, most)
		}
		most = max(most, s.Tokens.Input)
		return err
	})
	ask(func() error { _, err := e.Sessions(ctx, api.Query{Refresh: true}); return err })
	ask(func() error { _, err := e.Engine.Session(ctx, api.Query{Session: "a"}); return err })
	ask(func() error { _, err := e.Costs(ctx, api.Query{By: "model"}); return err })
	ask(func() error { _, err := e.Compactions(ctx, api.Query{}); return err })
	ask(func() error { _, err := e.Status(ctx, api.Query{}); return err })
	ask(func() error { _, err := e.Agents(ctx, api.Query{}); return err })
	ask(func() error { _, err := e.Config(ctx, api.Query{}); return err })
	wg.Go(func() { _ = e.Run(ctx) })
	other := filepath.Join(filepath.Dir(w.state), ".openclaw-work")
	for n := range rounds(30) {
		w.grow(S("a.jsonl"), reply(fmt.Sprint("a", n), "u", n, 100, 1, "0.1"))
		if _, err := e.Rebuild(t.Context(), api.Query{}); n%5 == 0 && err != nil {
			t.Error(err)
		}
		if n == 3 {
			if err := os.MkdirAll(filepath.Join(other, "agents", "main", "sessions"), 0o700); err != nil {
				t.Error(err)
			}
			if _, err := e.Add(t.Context(), other, ""); err != nil {
				t.Error(err)
			}
		}
	}
	cancel()
	wg.Wait()
	equal(t, "input", e.scan().Tokens.Input, int64(100*rounds(30)))
}

// TestNothingSecretIsKept plants secrets in every place that a text can come
// from, and looks for them in every file that Tidemark writes and in every
// answer that it gives.
func TestNothingSecretIsKept(t *testing.T) {
	plant := func(n int) string { return fmt.Sprintf("sk-ant-api03-%s%04d", strings.Repeat("qZ7xK2mP", 5), n) }
	w := newWorld(t)
	w.mask = secrets.Mask
	planted := 0
	next := func() string { planted++; return "the key is " + plant(planted) + " ok" }
	long := func() string {
		return strings.Repeat("words before it. ", 60) + next() + strings.Repeat(" and words behind it.", 60)
	}
	w.write("openclaw.json", fmt.Sprintf(`{models: {providers: {p: {apiKey: %q, models: []}}}, agents: {list: [{id: "main", name: %q}]}}`, plant(9001), "Chief"))
	w.write(S("sessions.json"), fmt.Sprintf(`{"agent:main:main":{"sessionId":"a","updatedAt":1778371200000,"label":%s,"displayName":%s,"channel":%s},"agent:main:bad":7}`, jsonText(next()), jsonText(next()), jsonText(next())))
	message := func(id, role, rest string) string {
		return fmt.Sprintf(`{"type":"message","id":%q,"parentId":null,"timestamp":%q,"message":{"role":%q%s}}`, id, at(1), role, rest)
	}
	text := func(s string) string { return `,"content":[{"type":"text","text":` + jsonText(s) + `}]` }
	cut := strings.Repeat("filler ", (1<<10)/7) + plant(9002) // a secret across the place where a tool's output is cut
	w.lines(S("a.jsonl"), head("a", 0),
		message("m1", "user", text(next())), message("m2", "user", text(long())), message("m3", "user", `,"content":`+jsonText(next())),
		message("m4", "assistant", text(long())), message("m5", "assistant", `,"content":[],"errorMessage":`+jsonText(next())+`,"stopReason":"error"`),
		message("m6", "toolResult", `,"toolName":"exec"`+text(long())), message("m7", "toolResult", `,"toolName":`+jsonText(next())+text(cut)), message("m8", "bashExecution", text(next())),
		message("m9", "custom", text(next())), message("m10", "made-up-role", text(long())), message("m11", "toolResult", `,"toolName":"x"`+text(strings.Repeat("x", 1<<10-20)+" "+plant(9003))),
		message("m12", "assistant", `,"content":[{"type":"toolCall","id":"t","name":`+jsonText(next())+`,"arguments":{"k":`+jsonText(next())+`}},{"type":"thinking","thinking":`+jsonText(next())+`}]`),
		fmt.Sprintf(`{"type":"compaction","id":"c1","parentId":"m1","timestamp":%q,"summary":%s,"firstKeptEntryId":"m1","details":{"x":%s}}`, at(2), jsonText(long()), jsonText(next())),
		fmt.Sprintf(`{"type":"branch_summary","id":"b1","parentId":"m1","timestamp":%q,"summary":%s}`, at(2), jsonText(long())),
		fmt.Sprintf(`{"type":"label","id":"l1","parentId":"m1","timestamp":%q,"targetId":"m1","label":%s}`, at(2), jsonText(next())),
		fmt.Sprintf(`{"type":"session_info","id":"i1","parentId":"m1","timestamp":%q,"name":%s}`, at(2), jsonText(next())),
		fmt.Sprintf(`{"type":"reset","id":"r1","parentId":"m1","timestamp":%q,"reason":%s}`, at(2), jsonText(next())),
		fmt.Sprintf(`{"type":"custom_message","id":"x1","parentId":"m1","timestamp":%q,"customType":%s,"content":%s}`, at(2), jsonText(next()), jsonText(next())),
		fmt.Sprintf(`{"type":"custom","id":"x2","parentId":"m1","timestamp":%q,"customType":"k","data":%s}`, at(2), jsonText(next())),
		fmt.Sprintf(`{"type":%s,"id":"n1","parentId":"m1","timestamp":%q,"what":%s}`, jsonText(next()), at(2), jsonText(next())),
		`{"type":"message","id":"half","message":{"role":"user","content":`+jsonText(next()),
	)
	db := w.database("main")
	db.packed("s", head("s", 0), message("z1", "user", text(long())), fmt.Sprintf(`{"type":"compaction","id":"c1","parentId":"z1","timestamp":%q,"summary":%s,"firstKeptEntryId":"z1"}`, at(2), jsonText(long())))
	db.plain("s", `{"type":"message","id":"z2","message":{"role":"user","content":`+jsonText(next()))
	db.run("INSERT INTO session_windows VALUES('s','agent:main:s',NULL,'initial','m',1,1)")
	db.run("INSERT INTO session_nodes VALUES('agent:main:s','s',?,1)", `{"sessionId":"s","updatedAt":1778371200000,"label":`+jsonText(next())+`}`)
	db.close()
	opts := w.options()
	opts.MaskValue = func(_, value string) string { return secrets.Mask(value) }
	e := w.open()
	e.opts.MaskValue = opts.MaskValue
	e.scan()
	w.remove(S("a.jsonl")) // the ledger too has everything
	e.scan()
	var answers strings.Builder
	h := e.Handler(Surface{})
	for _, path := range []string{"/api/scan", "/api/sessions", "/api/agents", "/api/costs?by=model", "/api/costs?by=session", "/api/compactions", "/api/problems", "/api/config", "/api/status", "/api/installations",
		"/api/session?session=a&limit=2000", "/api/session?session=s&limit=2000"} {
		rec := httptest.NewRecorder()
		h.ServeHTTP(rec, httptest.NewRequest("GET", path, nil))
		if rec.Code != 200 {
			t.Errorf("%s: %d %s", path, rec.Code, rec.Body)
		}
		answers.Write(rec.Body.Bytes())
	}
	s, err := ScanOnce(t.Context(), w.env(), must(openclaw.Resolve(w.env(), w.state, "")), w.mask, nil)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprint(&answers, s)
	unpacked := e.allTexts(t)
	e.close()
	var files strings.Builder
	err = filepath.WalkDir(w.data, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		body, err := os.ReadFile(path)
		files.Write(body)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(files.String(), "the key is [masked") || !strings.Contains(unpacked, "[masked") {
		t.Error("nothing was masked: the test tests nothing")
	}
	for where, text := range map[string]string{"an answer": answers.String(), "a file": files.String(), "a text of the index": unpacked} {
		// Half of a secret is a secret too.
		if n := strings.Index(text, "qZ7xK2mP"); n >= 0 {
			t.Errorf("%s holds …%q…", where, text[max(n-60, 0):min(n+80, len(text))])
		}
	}
}

// allTexts gives every text of the index, unpacked.
func (e *engineOf) allTexts(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	for _, s := range e.sessions() {
		for _, en := range e.detail(s.SessionID).Entries {
			b.WriteString(en.Text + en.Tool + en.Type + "\n")
		}
	}
	return b.String()
}
