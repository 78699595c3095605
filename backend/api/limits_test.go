package api

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"tidemark/backend/memory"
)

// flood sends zeros without end and counts them, until the other side has had
// enough or total is reached.
func flood(c net.Conn, total int64, chunked bool, sent *atomic.Int64) {
	block := make([]byte, 64<<10)
	for sent.Load() < total {
		if chunked {
			if _, err := fmt.Fprintf(c, "%x\r\n", len(block)); err != nil {
				return
			}
		}
		n, err := c.Write(block)
		sent.Add(int64(n))
		if err != nil {
			return
		}
		if chunked {
			if _, err := io.WriteString(c, "\r\n"); err != nil {
				return
			}
		}
	}
}

// TestGigabyteBody sends a body of a gigabyte, announced or not, with the
// token or without: it is cut off at once.
func TestGigabyteBody(t *testing.T) {
	const gigabyte = 1 << 30
	tests := []struct {
		name, headers string
		chunked       bool
		status        int
		code          memory.Code
	}{
		{"announced", bearer + "\r\nContent-Length: 1073741824\r\n", false, 413, memory.CodeTooLarge},
		{"announced by a stranger", "Content-Length: 1073741824\r\n", false, 413, memory.CodeTooLarge},
		{"in chunks", bearer + "\r\nTransfer-Encoding: chunked\r\n", true, 413, memory.CodeTooLarge},
		{"in chunks by a stranger", "Transfer-Encoding: chunked\r\n", true, 401, memory.CodeUnauthorized},
		{"one byte too many", bearer + "\r\nContent-Length: 1048577\r\n", false, 413, memory.CodeTooLarge},
		{"beyond numbers", bearer + "\r\nContent-Length: 9223372036854775807\r\n", false, 413, memory.CodeTooLarge},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			h := newHouse(t, nil)
			c := h.dial()
			_, err := io.WriteString(c, "POST /api/read HTTP/1.1\r\nHost: "+h.host+"\r\nContent-Type: application/json\r\n"+tt.headers+"\r\n")
			if err != nil {
				t.Fatal(err)
			}
			var sent atomic.Int64
			done := make(chan struct{})
			go func() { defer close(done); flood(c, gigabyte, tt.chunked, &sent) }()
			res, err := http.ReadResponse(bufio.NewReader(c), nil)
			if err != nil {
				t.Fatal(err)
			}
			hear(t, res).wantError(tt.status, tt.code)
			<-done
			// What was sent beyond the limit lies in the buffers of the kernel.
			if sent.Load() > 64<<20 {
				t.Errorf("%d MiB were taken", sent.Load()>>20)
			}
			select {
			case got := <-h.seen:
				if !tt.chunked || got != fmt.Sprintf("read %d", MaxBody) {
					t.Errorf("the handler saw %q", got)
				}
			default:
			}
		})
	}
}

func TestBodyOfExactlyTheLimit(t *testing.T) {
	h := newHouse(t, nil)
	body := strings.Repeat("x", MaxBody)
	if got := h.ask("POST", "/api/read", body, bearer, "Content-Type: application/json").want(200); got.body != "1048576" {
		t.Errorf("the handler read %s bytes", got.body)
	}
	h.ask("POST", "/api/read", body+"x", bearer, "Content-Type: application/json").wantError(413, memory.CodeTooLarge)
}

func TestHugeHeaders(t *testing.T) {
	h := newHouse(t, nil)
	for _, text := range []string{
		"GET / HTTP/1.1\r\nHost: " + h.host + "\r\nX-Long: " + strings.Repeat("x", 64<<10) + "\r\n\r\n",
		"GET /" + strings.Repeat("x", 64<<10) + " HTTP/1.1\r\nHost: " + h.host + "\r\n\r\n",
		"GET / HTTP/1.1\r\nHost: " + h.host + "\r\n" + strings.Repeat("X: y\r\n", 16<<10) + "\r\n",
	} {
		h.raw(text).want(http.StatusRequestHeaderFieldsTooLarge)
	}
	h.quiet()
}

// TestSlowClients sends a request a byte at a time, or stops in the middle.
// Time and the connection are simulated; the limits are the real ones.
func TestSlowClients(t *testing.T) {
	const head = "POST /api/read HTTP/1.1\r\nHost: 127.0.0.1:1\r\n" + bearer + "\r\nContent-Type: application/json\r\nContent-Length: 100\r\n"
	tests := []struct {
		name     string
		at       string // sent at once
		drip     string // then one of these a second
		from, to time.Duration
	}{
		{"says nothing", "", "", headerTime, headerTime},
		{"stops in the request line", "GET /", "", headerTime, headerTime},
		{"drips the request line", "GET /", "x", headerTime, headerTime + time.Second},
		{"drips headers", "GET / HTTP/1.1\r\n", "X: y\r\n", headerTime, headerTime + time.Second},
		{"stops before the end of the headers", head, "", headerTime, headerTime},
		{"stops before the body", head + "\r\n", "", requestTime, requestTime + time.Second},
		{"drips the body", head + "\r\n", "x", requestTime, requestTime + 2*time.Second},
		{"says nothing more after a request", "GET / HTTP/1.1\r\nHost: 127.0.0.1:1\r\n" + bearer + "\r\n\r\n", "", idleTime, idleTime + time.Second},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				client := servePipe(t, Server((&Guard{Token: tide, Port: 1}).Wrap(rooms(make(chan string, 10)))))
				begin := time.Now()
				closed := make(chan struct{})
				go func() {
					defer close(closed)
					_, _ = io.Copy(io.Discard, client)
				}()
				if _, err := io.WriteString(client, tt.at); err != nil {
					t.Fatal(err)
				}
				for range 300 {
					select {
					case <-closed:
					case <-time.After(time.Second):
						if tt.drip == "" {
							continue
						}
						if _, err := io.WriteString(client, tt.drip); err == nil {
							continue
						}
					}
					break
				}
				<-closed
				if took := time.Since(begin); took < tt.from || took > tt.to {
					t.Errorf("hung up on after %v, want %v to %v", took, tt.from, tt.to)
				}
			})
		})
	}
}

// servePipe lets srv serve one simulated connection and gives its client end.
func servePipe(t *testing.T, srv *http.Server) net.Conn {
	t.Helper()
	client, server := net.Pipe()
	l := &onceListener{conns: make(chan net.Conn, 1), closed: make(chan struct{})}
	l.conns <- server
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = srv.Serve(l)
	}()
	t.Cleanup(func() {
		_ = client.Close()
		_ = srv.Close()
		<-done
	})
	return client
}

// onceListener accepts the connections it is given.
type onceListener struct {
	conns  chan net.Conn
	closed chan struct{}
	done   atomic.Bool
}

func (l *onceListener) Accept() (net.Conn, error) {
	select {
	case c := <-l.conns:
		return c, nil
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

func (l *onceListener) Close() error {
	if l.done.CompareAndSwap(false, true) {
		close(l.closed)
	}
	return nil
}

func (l *onceListener) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 1} }

// TestSlowClientsForReal does the same over a real connection, with limits
// that a test can wait for.
func TestSlowClientsForReal(t *testing.T) {
	h := newHouse(t, func(s *http.Server) {
		s.ReadHeaderTimeout, s.ReadTimeout = 50*time.Millisecond, 100*time.Millisecond
	})
	for _, text := range []string{
		"", "GET / HTTP/1.1\r\nHost:",
		"POST /api/read HTTP/1.1\r\nHost: " + h.host + "\r\n" + bearer + "\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\nx",
	} {
		c := h.dial()
		if _, err := io.WriteString(c, text); err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(c) // until the server hangs up
		if errors.Is(err, net.ErrClosed) || isTimeout(err) {
			t.Errorf("%q: not hung up on: %v", text, err)
		}
		if strings.HasPrefix(text, "POST") && !strings.Contains(string(got), " 408 ") {
			t.Errorf("a slow body is answered with %q", got)
		}
	}
	h.ask("GET", "/", "", bearer).want(200)
}

func isTimeout(err error) bool {
	var n net.Error
	return errors.As(err, &n) && n.Timeout()
}

func TestPanics(t *testing.T) {
	var reached atomic.Int32
	mux := http.NewServeMux()
	mux.HandleFunc("/text", func(http.ResponseWriter, *http.Request) { reached.Add(1); panic("what the user said") })
	mux.HandleFunc("/error", func(http.ResponseWriter, *http.Request) { reached.Add(1); panic(errors.New("what the user said")) })
	mux.HandleFunc("/fault", func(http.ResponseWriter, *http.Request) { reached.Add(1); _ = []int{}[reached.Load()] })
	mux.HandleFunc("/late", func(w http.ResponseWriter, _ *http.Request) {
		reached.Add(1)
		_, _ = io.WriteString(w, "half")
		_ = http.NewResponseController(w).Flush()
		panic("late")
	})
	mux.HandleFunc("/abort", func(http.ResponseWriter, *http.Request) { reached.Add(1); panic(http.ErrAbortHandler) })
	log := logged(t)
	h := newHouse(t, func(s *http.Server) { s.Handler = Server(mux).Handler })
	for path, says := range map[string]string{"/text": "with a string", "/error": "*errors.errorString", "/fault": "index out of range"} {
		h.ask("GET", path, "").wantError(500, memory.CodeInternal)
		if !strings.Contains(log.String(), says) || !strings.Contains(log.String(), "limits_test.go") {
			t.Errorf("%s: the log does not say %q and where:\n%s", path, says, log)
		}
	}
	for _, path := range []string{"/late", "/abort"} {
		c := h.dial()
		_, err := io.WriteString(c, "GET "+path+" HTTP/1.1\r\nHost: x\r\n\r\n")
		if err != nil {
			t.Fatal(err)
		}
		res, err := http.ReadResponse(bufio.NewReader(c), nil)
		if err == nil {
			_, err = io.ReadAll(res.Body)
			_ = res.Body.Close()
		}
		if err == nil {
			t.Errorf("%s: the answer looks whole", path)
		}
	}
	if reached.Load() != 5 {
		t.Errorf("%d handlers ran, want 5", reached.Load())
	}
	if strings.Contains(log.String(), "what the user said") {
		t.Errorf("text of a conversation is in the log:\n%s", log)
	}
}

// TestServerLog: what net/http has to say goes to the log of Tidemark.
func TestServerLog(t *testing.T) {
	log := logged(t)
	h := newHouse(t, func(s *http.Server) {
		s.Handler = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusOK)
			w.WriteHeader(http.StatusTeapot)
		})
	})
	h.ask("GET", "/", "").want(http.StatusOK)
	if !strings.Contains(log.String(), `msg="http server"`) || !strings.Contains(log.String(), "superfluous") {
		t.Errorf("the log says %q", log)
	}
}
