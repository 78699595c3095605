package loopback

import (
	"context"
	"fmt"
	"net"
	"net/http"

	"tidemark/backend/memory"
)

// RefusingTransport gives a transport that connects to nothing: every request
// ends with an error that says so (CodeForbidden), before a name is looked up.
//
// It is an *http.Transport, because libraries take the default one for that
// and copy it; a copy refuses as well. Safe for concurrent use.
func RefusingTransport() http.RoundTripper {
	return &http.Transport{
		DialContext:       refuseDial,
		DialTLSContext:    refuseDial,
		DisableKeepAlives: true,
	}
}

// Seal takes the network from every library that uses what Go offers by
// default: http.DefaultTransport and http.DefaultClient refuse every request,
// and net.DefaultResolver asks no name server (names of the hosts file are
// still found). It does not stop code that builds its own transport or calls
// net.Dial; the test that traces system calls finds those.
//
// It changes variables of the whole process: call it first thing in main,
// before anything else runs.
func Seal() {
	refusing := RefusingTransport()
	http.DefaultTransport = refusing
	http.DefaultClient = &http.Client{Transport: refusing}
	net.DefaultResolver = &net.Resolver{PreferGo: true, StrictErrors: true, Dial: refuseDial}
}

// refuseDial is a dial function that never dials.
func refuseDial(_ context.Context, _, addr string) (net.Conn, error) { return nil, refuse(addr) }

// refuse is the error of every attempt to leave the machine.
func refuse(addr string) error {
	return &memory.Error{
		Code: memory.CodeForbidden,
		Hint: "Nothing leaves this machine, so some part of Tidemark should not have tried. Please report it.",
		Err:  fmt.Errorf("refused: Tidemark does not connect to %s", addr),
	}
}
