package app

import (
	"context"
	"encoding/json"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"tidemark/backend/api"
	"tidemark/backend/engine"
	"tidemark/backend/loopback"
	"tidemark/backend/openclaw"
)

// bridgeOf gives a bridge to handlers of the test.
func bridgeOf(t *testing.T, h http.HandlerFunc) *Bridge {
	return &Bridge{ctx: t.Context(), api: api.Server(h).Handler, host: http.NotFoundHandler()}
}

func TestBridgeDrivesTheHandler(t *testing.T) {
	b := bridgeOf(t, func(w http.ResponseWriter, r *http.Request) {
		var sent map[string]string
		if err := json.NewDecoder(r.Body).Decode(&sent); err != nil || r.Header.Get("Content-Type") != "application/json" {
			t.Errorf("body: %v, type %q", err, r.Header.Get("Content-Type"))
		}
		w.WriteHeader(http.StatusTeapot)
		_, _ = w.Write([]byte(r.Method + " " + r.URL.Path + " " + r.URL.Query().Get("agent") + " " + sent["say"]))
	})
	got, err := b.Request("POST", "/api/x?agent=m%26n", `{"say":"潮"}`)
	if want := (Response{http.StatusTeapot, "POST /api/x m&n 潮"}); err != nil || got != want {
		t.Errorf("%+v %v, want %+v", got, err, want)
	}
}

func TestBridgeKnowsTwoRoots(t *testing.T) {
	b := bridgeOf(t, func(http.ResponseWriter, *http.Request) { t.Error("asked") })
	for _, path := range []string{"", "/", "/apiary", "http://example.invalid/api/", "//example.invalid/api/", "/wails/ipc.js"} {
		if got, err := b.Request("GET", path, ""); err == nil {
			t.Errorf("%q gives %+v", path, got)
		}
	}
	if _, err := b.Request("BAD METHOD", "/api/x", ""); err == nil {
		t.Error("a method of two words is taken")
	}
}

func TestBridgeSurvivesPanics(t *testing.T) {
	for name, h := range map[string]http.HandlerFunc{
		"before the answer": func(http.ResponseWriter, *http.Request) { panic("secret text") },
		"within the answer": func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("[1,")); panic("secret text") },
		"nil":               func(_ http.ResponseWriter, r *http.Request) { _ = []int{}[len(r.Method)] },
	} {
		got, err := bridgeOf(t, h).Request("GET", "/api/x", "")
		if err != nil || got.Status != http.StatusInternalServerError || strings.Contains(got.Body, "secret") || !json.Valid([]byte(got.Body)) {
			t.Errorf("%s: %+v %v", name, got, err)
		}
	}
}

// TestBridgeIsNotHeldUp answers a short question while a long one waits.
func TestBridgeIsNotHeldUp(t *testing.T) {
	long := make(chan struct{})
	b := bridgeOf(t, func(_ http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/api/long" {
			<-long
		}
	})
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() { _, _ = b.Request("POST", "/api/long", "") })
	}
	if got, err := b.Request("GET", "/api/short", ""); err != nil || got.Status != http.StatusOK {
		t.Errorf("%+v %v", got, err)
	}
	close(long)
	all.Wait()
}

// TestBridgeEndsWithItsWindow gives up what is asked when the window ends.
func TestBridgeEndsWithItsWindow(t *testing.T) {
	ctx, end := context.WithCancel(t.Context())
	asked := make(chan struct{})
	b := &Bridge{ctx: ctx, api: http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		close(asked)
		<-r.Context().Done()
	})}
	done := make(chan struct{})
	go func() { defer close(done); _, _ = b.Request("GET", "/api/x", "") }()
	<-asked
	end()
	<-done
}

// TestSameAnswersThroughTheOwner asks the engine in this process, and a running
// owner through its socket: the page sees no difference.
func TestSameAnswersThroughTheOwner(t *testing.T) {
	state := sampleState(t)
	s := serveSample(t, state)
	far := &Bridge{ctx: t.Context(), api: passOn(loopback.Client(loopback.SocketPath(s.data)))}

	c := &command{env: openclaw.SystemEnv(), stateDir: state}
	e, err := engine.Open(t.Context(), c.engineOptions(filepath.Join(t.TempDir(), "data")))
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	inst, err := openclaw.Resolve(c.env, state, "")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.Use(t.Context(), inst); err != nil {
		t.Fatal(err)
	}
	near := &Bridge{ctx: t.Context(), api: e.Handler(engine.Surface{Trusted: true})}
	for _, path := range []string{"/api/sessions?refresh=1", "/api/costs?by=model", "/api/session?agent=main&session=s-one", "/api/nowhere", "/api/costs?by=week"} {
		a, errA := near.Request("GET", path, "")
		b, errB := far.Request("GET", path, "")
		if errA != nil || errB != nil || a != b {
			t.Errorf("%s: near %+v %v, far %+v %v", path, a, errA, b, errB)
		}
	}
	s.stop()
	got, err := far.Request("GET", "/api/status", "")
	if err != nil || got.Status != http.StatusServiceUnavailable || !strings.Contains(got.Body, `"away"`) {
		t.Errorf("without an owner: %+v %v", got, err)
	}
}

func TestBridgeTellsWhatItAnswered(t *testing.T) {
	b := bridgeOf(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusConflict) })
	var told []string
	b.answered = func(method, path string, status int, took time.Duration) {
		if status == http.StatusConflict && took >= 0 {
			told = append(told, method+" "+path)
		}
	}
	if _, err := b.Request("GET", "/api/x?y=1", ""); err != nil || len(told) != 1 || told[0] != "GET /api/x?y=1" {
		t.Errorf("%v %v", told, err)
	}
}
