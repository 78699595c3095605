package api

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
)

// stage is a demo whose handler says who answers.
type stage struct {
	open    bool
	removed int
	fails   error
}

var staged = Installation{ID: "demo-1", StateDir: "/data/demo/state"}

func (s *stage) Open(context.Context) (Installation, error) {
	s.open = s.fails == nil
	return staged, s.fails
}

func (s *stage) Remove(context.Context) error {
	s.open = false
	s.removed++
	return s.fails
}

func (s *stage) Opened() (Installation, bool) { return staged, s.open }

func (s *stage) Handler(id string) http.Handler {
	if !s.open || id != staged.ID {
		return nil
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "the demo: "+r.URL.Path) })
}

// own is a backend that knows one installation.
type own struct{ Backend }

func (own) Installations(context.Context) ([]Installation, error) {
	return []Installation{{ID: "mine", Default: true}}, nil
}

func (own) Status(_ context.Context, q Query) (Status, error) {
	return Status{StateDir: "mine " + q.Installation}, nil
}

func request(h http.Handler, method, target string) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(method, target, nil))
	return w
}

func TestDemoStandsApart(t *testing.T) {
	s := &stage{}
	h := (&Handler{Backend: own{}, Demo: s}).Routes()
	status := func(installation, want string) {
		t.Helper()
		var got Status
		w := request(h, "GET", "/api/status?installation="+installation)
		if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil {
			got.StateDir = w.Body.String()
		}
		if got.StateDir != want {
			t.Errorf("%q answers %q, want %q", installation, got.StateDir, want)
		}
	}
	status("demo-1", "mine demo-1") // as any id that nobody knows
	var inst Installation
	if w := request(h, "POST", "/api/demo"); w.Code != http.StatusOK || json.Unmarshal(w.Body.Bytes(), &inst) != nil || inst != staged {
		t.Fatalf("opened: %d %s", w.Code, w.Body)
	}
	status("demo-1", "the demo: /api/status")
	status("", "mine ")
	var all []Installation
	if w := request(h, "GET", "/api/installations"); json.Unmarshal(w.Body.Bytes(), &all) != nil || len(all) != 2 || !all[0].Default || all[1] != staged {
		t.Errorf("installations: %s", w.Body)
	}
	if w := request(h, "POST", "/api/demo?do=remove&installation=demo-1"); w.Code != http.StatusOK || s.removed != 1 {
		t.Errorf("removed: %d %s", w.Code, w.Body)
	}
	status("demo-1", "mine demo-1")
	if w := request(h, "GET", "/api/installations"); json.Unmarshal(w.Body.Bytes(), &all) != nil || len(all) != 1 {
		t.Errorf("installations: %s", w.Body)
	}
}

func TestDemoThatCannotBe(t *testing.T) {
	none := (&Handler{Backend: own{}}).Routes()
	if w := request(none, "POST", "/api/demo"); w.Code != http.StatusNotFound {
		t.Errorf("without a demo: %d %s", w.Code, w.Body)
	}
	h := (&Handler{Backend: own{}, Demo: &stage{fails: errors.New("full disk")}}).Routes()
	for _, target := range []string{"/api/demo", "/api/demo?do=remove"} {
		if w := request(h, "POST", target); w.Code != http.StatusInternalServerError {
			t.Errorf("%s: %d %s", target, w.Code, w.Body)
		}
	}
	if w := request(h, "POST", "/api/demo?do=dance"); w.Code != http.StatusBadRequest {
		t.Errorf("dance: %d %s", w.Code, w.Body)
	}
	if w := request(h, "GET", "/api/demo"); w.Code == http.StatusOK {
		t.Error("a question opens the demo")
	}
}
