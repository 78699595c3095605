package app

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tidemark/backend/api"
	"tidemark/backend/demo"
	"tidemark/backend/memory"
	"tidemark/backend/openclaw"
	"tidemark/backend/settings"
)

// demoRun runs a command with a data directory.
func demoRun(data string, args ...string) (out, errs string, code int) {
	var o, e bytes.Buffer
	code = Main(append(args, "--data-dir", data), &o, &e)
	return o.String(), e.String(), code
}

func TestDemoIsKeptApart(t *testing.T) {
	data := filepath.Join(t.TempDir(), "data")
	out, errs, code := demoRun(data, "--demo", "scan", "--json")
	var s api.Scan
	if code != exitDone || json.Unmarshal([]byte(out), &s) != nil || len(s.Agents) != 4 || s.Messages < 5_000 {
		t.Fatalf("code %d: %s %s", code, errs, out)
	}
	names, err := os.ReadDir(data)
	if err != nil || len(names) != 1 || names[0].Name() != "demo" {
		t.Errorf("the data directory holds %v (%v), want the demo alone", names, err)
	}
	before := recordOf(t, data)
	if again, _, _ := demoRun(data, "--demo", "scan", "--json"); !sameNumbers(t, again, out) {
		t.Errorf("a second look says %s\nafter %s", again, out)
	}
	if recordOf(t, data) != before {
		t.Error("a fresh demo was made anew")
	}
	// The person's own directory works beside it.
	if _, errs, code := demoRun(data, "scan", "--state-dir", sampleState(t)); code != exitDone {
		t.Errorf("the person's own after the demo: %d: %s", code, errs)
	}
}

func sameNumbers(t *testing.T, a, b string) bool {
	t.Helper()
	return steady(a, "-") == steady(b, "-")
}

func recordOf(t *testing.T, data string) string {
	t.Helper()
	body, err := os.ReadFile(stageIn(data).record())
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}

func TestDemoWithAnotherDirectoryIsAMistake(t *testing.T) {
	for _, flag := range []string{"--state-dir", "--profile"} {
		_, errs, code := demoRun(t.TempDir(), "--demo", "scan", flag, "x")
		if code != exitUsage || !strings.Contains(errs, "--demo") {
			t.Errorf("%s: code %d: %s", flag, code, errs)
		}
	}
}

func TestDemoIsMadeAnew(t *testing.T) {
	now := time.Date(2026, 11, 24, 12, 0, 0, 0, time.UTC)
	s := stageIn(filepath.Join(t.TempDir(), "data"))
	prepare := func(at time.Time) {
		t.Helper()
		if err := s.prepare(t.Context(), at); err != nil {
			t.Fatal(err)
		}
	}
	at := func() (m made) {
		t.Helper()
		body, err := os.ReadFile(s.record())
		if err != nil || json.Unmarshal(body, &m) != nil {
			t.Fatalf("no record: %v", err)
		}
		return m
	}
	prepare(now)
	kept := filepath.Join(s.data(), "ledger", "old.md")
	choice := filepath.Join(s.data(), "settings.json")
	for _, path := range []string{kept, choice} {
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte("{}"), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	prepare(now.Add(23 * time.Hour))
	if m := at(); !m.At.Equal(now) {
		t.Errorf("made again after 23 hours, at %v", m.At)
	}
	prepare(now.Add(25 * time.Hour))
	if m := at(); !m.At.Equal(now.Add(25 * time.Hour)) {
		t.Errorf("not made anew after 25 hours: %v", m.At)
	}
	if _, err := os.Stat(kept); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("what was kept of the old demo is still there: %v", err)
	}
	if _, err := os.Stat(choice); err != nil {
		t.Errorf("the choices made in the demo are gone: %v", err)
	}
	if err := os.WriteFile(s.record(), []byte(`{"version":"0.0.1","at":"2026-11-25T13:00:00Z"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	prepare(now.Add(25 * time.Hour))
	if m := at(); m.Version != Version {
		t.Errorf("that of another version stays: %+v", m)
	}
}

// TestDemoThatIsShownStays makes sure that nobody changes what another process
// shows.
func TestDemoThatIsShownStays(t *testing.T) {
	s := stageIn(filepath.Join(t.TempDir(), "data"))
	now := time.Date(2026, 11, 24, 12, 0, 0, 0, time.UTC)
	if err := s.prepare(t.Context(), now); err != nil {
		t.Fatal(err)
	}
	dir, err := settings.Open(s.data())
	if err != nil {
		t.Fatal(err)
	}
	lock, err := dir.Lock()
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Release()
	if err := s.prepare(t.Context(), now.Add(48*time.Hour)); err != nil {
		t.Fatal(err)
	}
	if err := s.discard(); memory.CodeOf(err) != memory.CodeBusy {
		t.Errorf("removed under the eyes of who looks at it: %v", err)
	}
	if !s.fresh(now) {
		t.Error("it was made anew")
	}
}

// TestDemoBeside opens the demo in a process that shows the person's own.
func TestDemoBeside(t *testing.T) {
	s := serveSample(t, sampleState(t))
	o, err := dialOwner(t.Context(), s.data)
	if err != nil {
		t.Fatal(err)
	}
	defer o.close()
	ask := func(method, path string, q url.Values, into any) {
		t.Helper()
		if err := o.ask(t.Context(), method, path, q, nil, into); err != nil {
			t.Fatalf("%s %s: %v", method, path, err)
		}
	}
	var before, after, shown api.Scan
	ask(http.MethodGet, "/api/scan", url.Values{"refresh": {"1"}}, &before)
	var inst, again api.Installation
	ask(http.MethodPost, "/api/demo", nil, &inst)
	ask(http.MethodPost, "/api/demo", nil, &again)
	if inst.ID == "" || inst != again {
		t.Fatalf("opened as %+v and %+v", inst, again)
	}
	q := url.Values{"installation": {inst.ID}}
	var status api.Status
	ask(http.MethodGet, "/api/status", q, &status)
	ask(http.MethodGet, "/api/scan", url.Values{"installation": {inst.ID}, "refresh": {"1"}}, &shown)
	if !status.Demo || shown.Messages < 5_000 || len(shown.Agents) != 4 {
		t.Errorf("the demo: %+v, %d messages", status, shown.Messages)
	}
	var own api.Status
	ask(http.MethodGet, "/api/status", nil, &own)
	ask(http.MethodGet, "/api/scan", url.Values{"refresh": {"1"}}, &after)
	before.ElapsedMs, after.ElapsedMs = 0, 0
	if a, b := mustMarshal(t, before), mustMarshal(t, after); own.Demo || a != b {
		t.Errorf("the person's own says\n%s\nafter\n%s", b, a)
	}
	ask(http.MethodPost, "/api/demo", url.Values{"do": {"remove"}}, &struct{}{})
	if _, err := os.Stat(filepath.Join(s.data, "demo")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the demo is still on disk: %v", err)
	}
	if err := o.ask(t.Context(), http.MethodGet, "/api/status", q, nil, &status); memory.CodeOf(err) != memory.CodeNotFound {
		t.Errorf("the demo still answers: %v", err)
	}
	ask(http.MethodPost, "/api/demo", nil, &again) // and it can come back
}

func mustMarshal(t *testing.T, v any) string {
	t.Helper()
	body, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}

// TestDemoServed serves the demo as its own installation.
func TestDemoServed(t *testing.T) {
	data := filepath.Join(t.TempDir(), "data")
	ctx, stop := context.WithCancel(t.Context())
	out, errs := &lockedBuffer{}, &lockedBuffer{}
	c := &command{out: out, err: errs, env: openclaw.SystemEnv(), dataDir: data, demo: true}
	if err := c.useDemo(ctx); err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- c.serve(ctx, 0, true) }()
	for !linkPattern.MatchString(out.String()) {
		select {
		case err := <-done:
			t.Fatalf("serve ended at once: %v: %s", err, errs.String())
		case <-out.changed():
		}
	}
	o, err := dialOwner(ctx, stageIn(data).data())
	if err != nil {
		t.Fatal(err)
	}
	var status api.Status
	if err := o.ask(ctx, http.MethodGet, "/api/status", nil, nil, &status); err != nil || !status.Demo {
		t.Errorf("status %+v, %v", status, err)
	}
	if err := o.ask(ctx, http.MethodPost, "/api/demo", nil, nil, &struct{}{}); memory.CodeOf(err) != memory.CodeNotFound {
		t.Errorf("a demo in the demo: %v", err)
	}
	o.close()
	stop()
	if err := <-done; err != nil {
		t.Errorf("serve ended with %v", err)
	}
}

func TestDemoWrite(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "state")
	args := []string{"demo", "write", dir, "--months", "1", "--size", "10", "--now", "2026-11-24T12:00:00Z"}
	out, errs, code := demoRun(t.TempDir(), args...)
	var truth demo.Truth
	if code != exitDone || json.Unmarshal([]byte(out), &truth) != nil || truth.Messages == 0 {
		t.Fatalf("code %d: %s %s", code, errs, out)
	}
	if _, errs, code := demoRun(t.TempDir(), args...); code != exitUsage || !strings.Contains(errs, "not empty") {
		t.Errorf("into a folder that is not empty: code %d: %s", code, errs)
	}
	if _, errs, code := demoRun(t.TempDir(), "demo", "write", dir+"2", "--now", "noon"); code != exitUsage {
		t.Errorf("at noon: code %d: %s", code, errs)
	}
}
