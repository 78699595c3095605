package loopback

import (
	"context"
	"errors"
	"net"
	"net/http"
	"time"
)

const (
	// Host is the host of the URLs that Client understands, as in
	// http://tidemark/api/status. It is no name of a machine.
	Host = "tidemark"
	// idleClient is how long Client keeps a connection that it does not use.
	idleClient = 30 * time.Second
	// idleConns is how many of them: a command asks one thing after the other.
	idleConns = 2
)

// errRedirect refuses redirects: the owner never sends one to its own commands.
var errRedirect = errors.New("the owner answered with a redirect")

// Client speaks HTTP with the owner that listens on the socket path (see
// SocketPath). It connects when the first request is sent, so nothing has to
// run before; an error of DialSocket is in the chain of the request's error.
// It uses no proxy, follows no redirect and reaches nothing but the socket.
//
// It sets no time limit, because some answers are streams: give each request a
// context. Safe for concurrent use.
func Client(path string) *http.Client {
	return &http.Client{
		Transport: &http.Transport{
			DialContext: func(ctx context.Context, _, addr string) (net.Conn, error) {
				if addr != net.JoinHostPort(Host, "80") {
					return nil, refuse(addr)
				}
				return DialSocket(ctx, path)
			},
			DialTLSContext:      refuseDial,
			DisableCompression:  true, // it would only cost time on one machine
			MaxIdleConnsPerHost: idleConns,
			IdleConnTimeout:     idleClient,
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return errRedirect },
	}
}
