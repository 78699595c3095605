package api

import (
	"net/http"
	"strings"
	"sync"
	"time"
)

// Guard keeps everybody but the owner away from a handler that listens on TCP,
// where every program of the machine and every page in the browser can
// connect. (On the socket, the file system and the kernel do that.)
//
// It lets a request pass that names this machine as its host, comes from no
// other site, and shows the token or the cookie of a session. A session begins
// with a link that works once (OneTimeURL). It keeps keys and sessions in
// memory, as hashes, so they end with the process. It logs nothing.
//
// Token and Port must be set before the first request. Safe for concurrent
// use.
type Guard struct {
	// Token is what programs show. An empty one lets no program in.
	Token string
	// Port is the port of the listener.
	Port int
	// Now is the clock; nil means time.Now.
	Now func() time.Time

	mu       sync.Mutex
	keys     expiring // one-time keys, until they expire or are used
	sessions expiring // sessions, until they are not used for long
}

// openPath is where a one-time key is exchanged for a session.
const openPath = "/open"

// ContentPolicy lets a page of Tidemark load and call Tidemark alone, and lets
// no page frame it. Images in data: URLs are drawn icons.
const ContentPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; " +
	"font-src 'self'; connect-src 'self'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'"

// permissions takes from our own pages what they never use, so that a script
// that got into one cannot use it either.
const permissions = "accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), hid=(), " +
	"magnetometer=(), microphone=(), midi=(), payment=(), serial=(), usb=()"

// Wrap gives a handler that calls next for requests of the owner and refuses
// all others, before a byte of their body is read.
func (g *Guard) Wrap(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		protect(w.Header(), r.URL.Path)
		if !allowed(w, r, methods...) {
			return
		}
		if err := g.admit(r); err != nil {
			writeError(w, err)
			return
		}
		if r.URL.Path == openPath {
			g.open(w, r)
			return
		}
		byCookie, err := g.authenticate(r)
		if err != nil {
			refuseStranger(w, r, err)
			return
		}
		if err := checkWrite(r, byCookie); err != nil {
			writeError(w, err)
			return
		}
		prove(r)
		next.ServeHTTP(w, r)
	})
}

// admit checks everything that needs no secret.
func (g *Guard) admit(r *http.Request) error {
	for _, check := range []func(*http.Request) error{g.checkHost, checkPath, g.checkSite} {
		if err := check(r); err != nil {
			return err
		}
	}
	return nil
}

// protect sets the headers that every answer has.
func protect(h http.Header, path string) {
	h.Set("Content-Security-Policy", ContentPolicy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Frame-Options", "DENY")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Permissions-Policy", permissions)
	if path == openPath || path == "/api" || strings.HasPrefix(path, "/api/") {
		h.Set("Cache-Control", "no-store")
	}
}

// now reads the clock.
func (g *Guard) now() time.Time {
	if g.Now == nil {
		return time.Now()
	}
	return g.Now()
}
