package api

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

const (
	// secretBytes is how many random bytes a key or a session has: nobody
	// guesses 256 bits.
	secretBytes = 32
	// keyLife is how long a one-time key can be used: time enough to walk to
	// the browser, too short for a link in a scrolled-back terminal.
	keyLife = 10 * time.Minute
	// maxKeys bounds the keys that are waiting; the oldest goes first.
	maxKeys = 16
	// sessionIdle is how long a session lasts when it is not used: a weekend
	// away does not end it.
	sessionIdle = 7 * 24 * time.Hour
	// maxSessions bounds the sessions; the one that was not used for longest
	// goes first. A person has a few browsers.
	maxSessions = 32
)

// OneTimeURL gives a link that lets the browser that opens it in: once, and
// within ten minutes. Whoever has the link is the owner, so it is shown to the
// person and nowhere else.
func (g *Guard) OneTimeURL() string {
	key := newSecret()
	g.mu.Lock()
	defer g.mu.Unlock()
	g.keys.add(key, g.now(), keyLife, maxKeys)
	u := url.URL{
		Scheme: "http", Host: g.hosts()[0], Path: openPath,
		RawQuery: url.Values{"k": {key}}.Encode(),
	}
	return u.String()
}

// open exchanges a one-time key for the cookie of a new session. The cookie
// holds neither the key nor the token.
func (g *Guard) open(w http.ResponseWriter, r *http.Request) {
	if !allowed(w, r, http.MethodGet) { // HEAD, which link checkers send, must not use the key up
		return
	}
	// A browser that fetches pages in advance must not use the key up.
	session, ok := "", false
	if !inAdvance(r.Header) {
		session, ok = g.exchange(r.URL.Query().Get("k"))
	}
	if !ok {
		writePage(w, r, http.StatusForbidden, pageSpent)
		return
	}
	http.SetCookie(w, &http.Cookie{
		Name: g.cookieName(), Value: session, Path: "/",
		HttpOnly: true, SameSite: http.SameSiteStrictMode,
	})
	w.Header().Set("Location", "/")
	w.WriteHeader(http.StatusSeeOther)
}

// exchange takes a key away and gives the session that it was worth.
func (g *Guard) exchange(key string) (session string, ok bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	now := g.now()
	if !g.keys.take(key, now) {
		return "", false
	}
	session = newSecret()
	g.sessions.add(session, now, sessionIdle, maxSessions)
	return session, true
}

// inSession says whether r has the cookie of a session, which then lasts from
// now on. A program on another port of this machine can set cookies of the
// same name, so each of them is tried.
func (g *Guard) inSession(r *http.Request) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, c := range r.CookiesNamed(g.cookieName()) {
		if g.sessions.renew(c.Value, g.now(), sessionIdle) {
			return true
		}
	}
	return false
}

// cookieName has the port in it, because cookies belong to a host, whatever
// the port: two instances would overwrite each other's.
func (g *Guard) cookieName() string { return "tidemark-" + strconv.Itoa(g.Port) }

// inAdvance says whether the browser only guesses that the page is wanted.
func inAdvance(h http.Header) bool {
	purpose := h.Get("Sec-Purpose") + h.Get("Purpose") + h.Get("X-Moz")
	return strings.Contains(purpose, "prefetch") || strings.Contains(purpose, "prerender")
}

// newSecret makes a key or a session.
func newSecret() string {
	var b [secretBytes]byte
	_, _ = rand.Read(b[:]) // never fails: the program ends if the system has no random numbers
	return base64.RawURLEncoding.EncodeToString(b[:])
}

// expiring is a set of secrets that each have an end. It keeps hashes: what is
// in memory opens nothing, and looking one up tells no time that depends on
// the secret. The zero value is empty. The caller locks.
type expiring struct {
	ends map[[sha256.Size]byte]time.Time
}

// add puts secret in for life. Where there would be more than limit, the one
// that ends first goes.
func (e *expiring) add(secret string, now time.Time, life time.Duration, limit int) {
	if e.ends == nil {
		e.ends = map[[sha256.Size]byte]time.Time{}
	}
	for hash, end := range e.ends {
		if !end.After(now) {
			delete(e.ends, hash)
		}
	}
	for len(e.ends) >= limit {
		delete(e.ends, e.first())
	}
	e.ends[sha256.Sum256([]byte(secret))] = now.Add(life)
}

// first gives the hash that ends first.
func (e *expiring) first() (hash [sha256.Size]byte) {
	var earliest time.Time
	for h, end := range e.ends {
		if earliest.IsZero() || end.Before(earliest) {
			hash, earliest = h, end
		}
	}
	return hash
}

// take removes secret and says whether it was still good.
func (e *expiring) take(secret string, now time.Time) bool {
	hash := sha256.Sum256([]byte(secret))
	end, ok := e.ends[hash]
	delete(e.ends, hash)
	return ok && end.After(now)
}

// renew says whether secret is still good, and lets it last for life from now.
func (e *expiring) renew(secret string, now time.Time, life time.Duration) bool {
	hash := sha256.Sum256([]byte(secret))
	end, ok := e.ends[hash]
	if !ok || !end.After(now) {
		delete(e.ends, hash)
		return false
	}
	e.ends[hash] = now.Add(life)
	return true
}
