package api

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"tidemark/backend/memory"
)

// counting counts the connections that are open.
type counting struct {
	net.Listener
	open, most atomic.Int32
}

type countedConn struct {
	net.Conn
	from *counting
	once sync.Once
}

func (l *counting) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &countedConn{Conn: c, from: l}, nil
}

// admitted is called for connections that were let in.
func (c *countedConn) admitted() {
	now := c.from.open.Add(1)
	for most := c.from.most.Load(); now > most && !c.from.most.CompareAndSwap(most, now); most = c.from.most.Load() {
	}
}

func (c *countedConn) Close() error {
	c.once.Do(func() { c.from.open.Add(-1) })
	return c.Conn.Close()
}

// counted puts the count between the limit and the network.
func counted(t *testing.T, limit int) (net.Listener, *counting) {
	t.Helper()
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	c := &counting{Listener: l}
	return LimitListener(c, limit), c
}

// fillServer serves g behind a limit and gives its address.
func fillServer(t *testing.T, limit int) (*counting, string) {
	t.Helper()
	l, count := counted(t, limit)
	g := &Guard{Token: tide, Port: l.Addr().(*net.TCPAddr).Port}
	srv := Server(g.Wrap(rooms(make(chan string, 1<<16))))
	watch := srv.ConnContext
	srv.ConnState = func(c net.Conn, s http.ConnState) {
		if s == http.StateNew {
			c.(*limitedConn).Conn.(*countedConn).admitted()
		}
	}
	srv.ConnContext = watch
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = srv.Serve(l)
	}()
	t.Cleanup(func() {
		_ = srv.Close()
		<-done
	})
	return count, l.Addr().String()
}

// getAs asks for path on a connection of its own, as the owner.
func getAs(addr, path string) (int, error) {
	transport := &http.Transport{DisableKeepAlives: true}
	defer transport.CloseIdleConnections()
	req, err := http.NewRequest("GET", "http://"+addr+path, nil)
	if err != nil {
		return 0, err
	}
	req.Header.Set("Authorization", "Bearer "+tide)
	res, err := (&http.Client{Transport: transport, Timeout: 20 * time.Second}).Do(req)
	if err != nil {
		return 0, err
	}
	defer res.Body.Close()
	_, err = io.Copy(io.Discard, res.Body)
	return res.StatusCode, err
}

// openStream opens the stream of events as the owner.
func openStream(t *testing.T, addr string) *bufio.Reader {
	t.Helper()
	c, err := net.Dial("tcp4", addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	_ = c.SetDeadline(time.Now().Add(60 * time.Second))
	if _, err := fmt.Fprintf(c, "GET /api/stream HTTP/1.1\r\nHost: %s\r\n%s\r\n\r\n", addr, bearer); err != nil {
		t.Fatal(err)
	}
	r := bufio.NewReader(c)
	nextEvent(t, r)
	return r
}

// nextEvent waits for an event of the stream that had not been sent before.
func nextEvent(t *testing.T, r *bufio.Reader) {
	t.Helper()
	if _, err := r.Discard(r.Buffered()); err != nil {
		t.Fatal(err)
	}
	for {
		line, err := r.ReadString('\n')
		if err != nil {
			t.Fatalf("the owner's stream ended: %v", err)
		}
		if strings.HasPrefix(line, "data:") {
			return
		}
	}
}

// TestThousandConnections opens a thousand connections that begin a request
// and never end it. The owner, whose stream was there before, keeps it and is
// answered on new connections, and no more connections are open than allowed.
func TestThousandConnections(t *testing.T) {
	const limit, attackers = 32, 1000
	count, addr := fillServer(t, limit)
	stream := openStream(t, addr)
	for i := range attackers {
		c, err := net.Dial("tcp4", addr)
		if err != nil {
			t.Fatalf("connection %d: %v", i, err)
		}
		defer c.Close()
		_, _ = io.WriteString(c, "GET / HTTP/1.1\r\nX-Slow:") // it may be pushed out already
		if i%100 == 50 {
			begin := time.Now()
			if status, err := getAs(addr, "/"); err != nil || status != http.StatusOK {
				t.Fatalf("after %d connections the owner gets %d, %v", i, status, err)
			}
			if took := time.Since(begin); took > headerTime/2 {
				t.Errorf("after %d connections the owner waits %v", i, took)
			}
		}
	}
	nextEvent(t, stream)
	if most := count.most.Load(); most > limit+1 {
		t.Errorf("%d connections were open at once, want %d", most, limit)
	}
}

// TestReconnectingAttackers lets some come back as soon as they are closed.
// The owner's stream goes on, and new connections come through.
func TestReconnectingAttackers(t *testing.T) {
	_, addr := fillServer(t, 128)
	stream := openStream(t, addr)
	stop := make(chan struct{})
	var tries atomic.Int64
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			var held []net.Conn
			for {
				select {
				case <-stop:
					for _, c := range held {
						_ = c.Close()
					}
					return
				default:
				}
				c, err := net.Dial("tcp4", addr)
				if err != nil {
					continue
				}
				tries.Add(1)
				_, _ = io.WriteString(c, "GET /")
				if held = append(held, c); len(held) > 100 {
					_ = held[0].Close()
					held = held[1:]
				}
			}
		})
	}
	answered := 0
	for range 30 {
		if status, err := getAs(addr, "/"); err == nil && status == http.StatusOK {
			answered++
		}
	}
	nextEvent(t, stream)
	close(stop)
	wg.Wait()
	t.Logf("%d of 30 requests answered during %d connections of others", answered, tries.Load())
	if answered == 0 {
		t.Error("the owner never came through")
	}
}

// TestStrangersGoFirst follows one connection after the other.
func TestStrangersGoFirst(t *testing.T) {
	l, _ := counted(t, 2)
	defer l.Close()
	pair := func() (client net.Conn, server *limitedConn) {
		t.Helper()
		c, err := net.Dial("tcp4", l.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = c.Close() })
		_ = c.SetDeadline(time.Now().Add(20 * time.Second))
		s, err := l.Accept()
		if err != nil {
			t.Fatal(err)
		}
		return c, s.(*limitedConn)
	}
	gone := func(name string, c net.Conn) {
		t.Helper()
		if _, err := c.Read(make([]byte, 1)); err == nil || isTimeout(err) {
			t.Errorf("%s is still connected: %v", name, err)
		}
	}
	_, owner := pair()
	owner.keep()
	owner.keep()
	first, firstServer := pair()
	_, second := pair()
	gone("the first stranger", first)
	if err := firstServer.Close(); err == nil {
		t.Error("closing a connection that was pushed out gives no error")
	}
	third, thirdServer := pair()
	thirdServer.keep()

	// Both places are the owner's now: the next one is closed at once, and the
	// listener goes on waiting.
	accepted := make(chan *limitedConn)
	go func() {
		c, err := l.Accept()
		if err != nil {
			t.Error(err)
		}
		lc, _ := c.(*limitedConn)
		accepted <- lc
	}()
	fourth, err := net.Dial("tcp4", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer fourth.Close()
	_ = fourth.SetDeadline(time.Now().Add(20 * time.Second))
	gone("the one too many", fourth)

	_ = third.Close()
	for range 2 {
		_ = thirdServer.Close() // the place is given back once
	}
	fifth, err := net.Dial("tcp4", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer fifth.Close()
	last := <-accepted
	ll := l.(*limitListener)
	if ll.open != 2 || ll.strangers.Len() != 1 {
		t.Errorf("%d open, %d strangers, want 2 and 1", ll.open, ll.strangers.Len())
	}
	for _, c := range []*limitedConn{owner, second, last} {
		_ = c.Close()
	}
	if ll.open != 0 || ll.strangers.Len() != 0 {
		t.Errorf("%d open, %d strangers at the end, want none", ll.open, ll.strangers.Len())
	}
}

func TestLimitOfNothing(t *testing.T) {
	for _, n := range []int{0, -5} {
		if got := LimitListener(nil, n).(*limitListener).max; got != 1 {
			t.Errorf("LimitListener(%d) keeps %d", n, got)
		}
	}
}

// TestStrangerStaysAStranger: only a request that the guard let pass makes a
// connection the owner's.
func TestStrangerStaysAStranger(t *testing.T) {
	h := newLimitedHouse(t, 1, nil)
	ask := func(c net.Conn, headers string) *heard {
		t.Helper()
		if _, err := fmt.Fprintf(c, "GET /api/read HTTP/1.1\r\nHost: %s\r\n%s\r\n", h.host, headers); err != nil {
			t.Fatal(err)
		}
		res, err := http.ReadResponse(bufio.NewReader(c), nil)
		if err != nil {
			t.Fatal(err)
		}
		return hear(t, res)
	}
	gone := func(what string, c net.Conn) {
		t.Helper()
		if _, err := c.Read(make([]byte, 1)); err == nil || isTimeout(err) {
			t.Errorf("%s is still connected: %v", what, err)
		}
	}
	stranger := h.dial()
	ask(stranger, "").wantError(401, memory.CodeUnauthorized)
	ask(stranger, "Authorization: Bearer x\r\n").wantError(401, memory.CodeUnauthorized)
	ask(stranger, bearer+"\r\nOrigin: http://evil.example\r\n").wantError(403, memory.CodeForbidden)

	owner := h.dial()
	gone("the stranger", stranger)
	ask(owner, bearer+"\r\n").want(200)
	gone("a connection too many", h.dial())
	ask(owner, bearer+"\r\n").want(200)
}
