package api

import (
	"container/list"
	"net"
	"net/http"
	"sync"
)

// LimitListener accepts from l and keeps at most n connections open (at least
// one). When one more comes, it closes the oldest that has not yet shown that
// it is the owner's: a program that opens connections and says nothing pushes
// out its own, and cannot take the owner's place. Only when all n are the
// owner's, the new one is closed.
//
// A connection is the owner's from the first request on that Guard let pass;
// that needs a Server. The caller closes the listener, which leaves the
// connections open.
func LimitListener(l net.Listener, n int) net.Listener {
	return &limitListener{Listener: l, max: max(n, 1)}
}

type limitListener struct {
	net.Listener
	max int

	mu        sync.Mutex
	open      int       // all connections
	strangers list.List // of *limitedConn: those that showed nothing, oldest first
}

// Accept waits for the next connection.
func (l *limitListener) Accept() (net.Conn, error) {
	for {
		c, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		admitted, leaving := l.admit(c)
		if leaving != nil {
			_ = leaving.Close() // whoever it was is not waiting for an answer
		}
		if admitted != nil {
			return admitted, nil
		}
	}
}

// admit makes room for c. It gives the connection that has to go, which is c
// itself where there is no room.
func (l *limitListener) admit(c net.Conn) (admitted *limitedConn, leaving net.Conn) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.open >= l.max {
		oldest := l.strangers.Front()
		if oldest == nil {
			return nil, c
		}
		pushed := oldest.Value.(*limitedConn)
		l.release(pushed)
		leaving = pushed.Conn
	}
	admitted = &limitedConn{Conn: c, from: l}
	admitted.place = l.strangers.PushBack(admitted)
	l.open++
	return admitted, leaving
}

// release gives the place of c back, once. The caller holds l.mu.
func (l *limitListener) release(c *limitedConn) {
	if c.released {
		return
	}
	c.released = true
	l.open--
	l.forget(c)
}

// forget takes c out of those that can be pushed out. The caller holds l.mu.
func (l *limitListener) forget(c *limitedConn) {
	if c.place != nil {
		l.strangers.Remove(c.place)
		c.place = nil
	}
}

// limitedConn is a connection that counts. The listener's mutex guards it.
type limitedConn struct {
	net.Conn
	from     *limitListener
	place    *list.Element // nil once it is the owner's, or closed
	released bool
}

// Close gives the place back and closes the connection.
func (c *limitedConn) Close() error {
	c.from.mu.Lock()
	c.from.release(c)
	c.from.mu.Unlock()
	return c.Conn.Close()
}

// CloseWrite ends the sending side alone, where the connection can do that: it
// is how net/http lets a client read the answer to a request that it has not
// sent to the end.
func (c *limitedConn) CloseWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return nil
}

// keep marks the connection as the owner's.
func (c *limitedConn) keep() {
	c.from.mu.Lock()
	defer c.from.mu.Unlock()
	c.from.forget(c)
}

// connKey is where Server puts the connection into the context of a request.
type connKey struct{}

// prove tells the listener that the owner sent r.
func prove(r *http.Request) {
	if c, ok := r.Context().Value(connKey{}).(interface{ keep() }); ok {
		c.keep()
	}
}
