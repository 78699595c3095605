package api

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"tidemark/backend/memory"
)

// tide is the token of the tests.
const tide = "tok-0123456789abcdefghijklmnopqrstuvwxyzABCDE"

// house is a guarded server that listens on 127.0.0.1 as the real one does.
type house struct {
	t      *testing.T
	guard  *Guard
	server *http.Server
	base   string // http://127.0.0.1:port
	host   string // 127.0.0.1:port
	seen   chan string
}

// newHouse opens one. prepare may change the server before it runs.
func newHouse(t *testing.T, prepare func(*http.Server)) *house {
	t.Helper()
	return newLimitedHouse(t, 64, prepare)
}

func newLimitedHouse(t *testing.T, conns int, prepare func(*http.Server)) *house {
	t.Helper()
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	h := &house{t: t, host: l.Addr().String(), seen: make(chan string, 4096)}
	h.base = "http://" + h.host
	h.guard = &Guard{Token: tide, Port: l.Addr().(*net.TCPAddr).Port}
	h.server = Server(h.guard.Wrap(rooms(h.seen)))
	if prepare != nil {
		prepare(h.server)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = h.server.Serve(LimitListener(l, conns))
	}()
	t.Cleanup(func() {
		_ = h.server.Close()
		<-done
	})
	return h
}

// rooms is what is behind the guard. It tells seen what came through.
func rooms(seen chan<- string) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		seen <- r.Method + " " + r.URL.Path
		_, _ = io.WriteString(w, "the window")
	})
	mux.HandleFunc("/api/read", func(w http.ResponseWriter, r *http.Request) {
		n, err := io.Copy(io.Discard, r.Body)
		seen <- fmt.Sprintf("read %d", n)
		if err != nil {
			writeError(w, fmt.Errorf("read body: %w", err))
			return
		}
		_, _ = fmt.Fprintf(w, "%d", n)
	})
	mux.HandleFunc("/api/stream", func(w http.ResponseWriter, r *http.Request) {
		s, err := newOpenEnded(w)
		if err != nil {
			writeError(w, err)
			return
		}
		for {
			if _, err := s.Write([]byte("data: x\n\n")); err != nil {
				return
			}
			select {
			case <-r.Context().Done():
				return
			case <-time.After(5 * time.Millisecond):
			}
		}
	})
	return mux
}

// ask sends a request with headers given as "Name: value" and gives the answer
// with its body read. A cookie jar or redirects are never used.
func (h *house) ask(method, path, body string, headers ...string) *heard {
	h.t.Helper()
	req, err := http.NewRequest(method, h.base+path, strings.NewReader(body))
	if err != nil {
		h.t.Fatal(err)
	}
	for _, line := range headers {
		name, value, _ := strings.Cut(line, ": ")
		if name == "Host" {
			req.Host = value
			continue
		}
		req.Header.Add(name, value)
	}
	transport := &http.Transport{DisableKeepAlives: true, DisableCompression: true}
	defer transport.CloseIdleConnections()
	res, err := transport.RoundTrip(req)
	if err != nil {
		h.t.Fatalf("%s %s: %v", method, path, err)
	}
	return hear(h.t, res)
}

// raw sends text as it is and reads one answer.
func (h *house) raw(text string) *heard {
	h.t.Helper()
	c := h.dial()
	if _, err := io.WriteString(c, text); err != nil {
		h.t.Fatal(err)
	}
	res, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		h.t.Fatalf("%q: %v", text, err)
	}
	return hear(h.t, res)
}

// dial connects and gives up after a while, so that no test hangs.
func (h *house) dial() net.Conn {
	h.t.Helper()
	c, err := net.Dial("tcp4", h.host)
	if err != nil {
		h.t.Fatal(err)
	}
	h.t.Cleanup(func() { _ = c.Close() })
	_ = c.SetDeadline(time.Now().Add(30 * time.Second))
	return c
}

// enter lets a browser in and gives its cookie, as "name=value".
func (h *house) enter() string {
	h.t.Helper()
	got := h.ask("GET", strings.TrimPrefix(h.guard.OneTimeURL(), h.base), "", "Sec-Fetch-Site: none")
	got.want(http.StatusSeeOther)
	cookie, _, _ := strings.Cut(got.header.Get("Set-Cookie"), ";")
	if cookie == "" {
		h.t.Fatal("no cookie")
	}
	return cookie
}

// quiet checks that nothing came through to the handler.
func (h *house) quiet() {
	h.t.Helper()
	select {
	case what := <-h.seen:
		h.t.Errorf("%q came through", what)
	default:
	}
}

// heard is a response that was read.
type heard struct {
	t      *testing.T
	status int
	header http.Header
	body   string
}

func hear(t *testing.T, res *http.Response) *heard {
	t.Helper()
	body, _ := io.ReadAll(res.Body) // a cut-off answer is judged by its status
	_ = res.Body.Close()
	return &heard{t: t, status: res.StatusCode, header: res.Header, body: string(body)}
}

// want checks the status.
func (a *heard) want(status int) *heard {
	a.t.Helper()
	if a.status != status {
		a.t.Errorf("status %d, want %d: %s", a.status, status, a.body)
	}
	return a
}

// wantError checks for the one shape of errors.
func (a *heard) wantError(status int, code memory.Code) *heard {
	a.t.Helper()
	a.want(status)
	if want := fmt.Sprintf(`{"code":%q,"message":"`, code); !strings.HasPrefix(a.body, want) {
		a.t.Errorf("body %s, want %s…", a.body, want)
	}
	if got := a.header.Get("Content-Type"); got != "application/json" {
		a.t.Errorf("Content-Type %q, want application/json", got)
	}
	return a
}

// bearer is the header that programs send.
const bearer = "Authorization: Bearer " + tide

// logged collects everything that is logged while the test runs.
func logged(t *testing.T) *safeBuffer {
	t.Helper()
	var b safeBuffer
	before := slog.Default()
	slog.SetDefault(slog.New(slog.NewTextHandler(&b, &slog.HandlerOptions{Level: slog.LevelDebug})))
	t.Cleanup(func() { slog.SetDefault(before) })
	return &b
}

// safeBuffer is a buffer for several goroutines.
type safeBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *safeBuffer) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *safeBuffer) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}
