package api

import (
	"encoding/base64"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// link gives the path and query of a new link.
func (h *house) link() string { return strings.TrimPrefix(h.guard.OneTimeURL(), h.base) }

// clock is a clock that stands still until it is moved.
type clock struct{ at atomic.Int64 }

func (c *clock) now() time.Time        { return time.Unix(0, c.at.Load()) }
func (c *clock) move(by time.Duration) { c.at.Add(int64(by)) }

func newClock() *clock {
	c := &clock{}
	c.at.Store(time.Date(2026, 5, 10, 12, 0, 0, 0, time.UTC).UnixNano())
	return c
}

func TestLinkWorksOnce(t *testing.T) {
	h := newHouse(t, nil)
	link := h.link()
	if !strings.HasPrefix(h.guard.OneTimeURL(), "http://127.0.0.1:") {
		t.Errorf("the link is %q", h.guard.OneTimeURL())
	}
	got := h.ask("GET", link, "", "Sec-Fetch-Site: none", "Sec-Fetch-Mode: navigate").want(http.StatusSeeOther)
	if to := got.header.Get("Location"); to != "/" {
		t.Errorf("it leads to %q, want /", to)
	}
	cookies := got.header.Values("Set-Cookie")
	if len(cookies) != 1 {
		t.Fatalf("cookies %q, want one", cookies)
	}
	value, attributes, _ := strings.Cut(cookies[0], "; ")
	if attributes != "Path=/; HttpOnly; SameSite=Strict" {
		t.Errorf("the cookie has %q", attributes)
	}
	_, session, _ := strings.Cut(value, "=")
	if raw, err := base64.RawURLEncoding.DecodeString(session); err != nil || len(raw) != 32 {
		t.Errorf("the session %q is not 32 bytes", session)
	}
	if strings.Contains(cookies[0]+got.body, tide) || strings.Contains(link, session) {
		t.Error("the cookie or the page shows a secret of another kind")
	}
	h.ask("GET", "/", "", "Cookie: "+value).want(http.StatusOK)

	again := h.ask("GET", link, "", "Cookie: "+value).want(http.StatusForbidden)
	if again.header.Get("Set-Cookie") != "" || !strings.Contains(again.body, "<h1>This link does not work any more</h1>") {
		t.Errorf("used again: %v %s", again.header, again.body)
	}
}

func TestLinksThatDoNotWork(t *testing.T) {
	h := newHouse(t, nil)
	good := h.link()
	for _, link := range []string{
		"/open", "/open?k=", "/open?k=x", good + "x", good[:len(good)-1], "/open?k=" + tide, "/open?K=" + good[8:], "/open?x=1&k=", "/open?k=%zz",
	} {
		got := h.ask("GET", link, "").want(http.StatusForbidden)
		if got.header.Get("Set-Cookie") != "" {
			t.Errorf("%s gives a cookie", link)
		}
	}
	for _, path := range []string{"/open/" + good[5:], "/Open" + good[5:], "/open/"} {
		h.ask("GET", path, "").want(http.StatusUnauthorized)
	}
	// None of that used the key up.
	h.ask("GET", good, "").want(http.StatusSeeOther)
}

// TestLinkIsNotUsedUp by anybody but a person who opens it.
func TestLinkIsNotUsedUp(t *testing.T) {
	h := newHouse(t, nil)
	link := h.link()
	h.ask("HEAD", link, "").want(http.StatusMethodNotAllowed)
	h.ask("POST", link, "{}", "Content-Type: application/json").want(http.StatusMethodNotAllowed)
	h.ask("GET", link, "", "Sec-Purpose: prefetch;prerender").want(http.StatusForbidden)
	h.ask("GET", link, "", "Purpose: prefetch").want(http.StatusForbidden)
	h.ask("GET", link, "", "Sec-Fetch-Site: cross-site").want(http.StatusForbidden)
	h.ask("GET", link, "", "Host: evil.example").want(http.StatusForbidden)
	h.ask("GET", link, "").want(http.StatusSeeOther)
}

func TestLinkExpires(t *testing.T) {
	h := newHouse(t, nil)
	c := newClock()
	h.guard.Now = c.now
	early, late := h.link(), h.link()
	c.move(10*time.Minute - 1)
	h.ask("GET", early, "").want(http.StatusSeeOther)
	c.move(1)
	h.ask("GET", late, "").want(http.StatusForbidden)
	c.move(-time.Minute) // a clock that is set back brings it to no new life
	h.ask("GET", late, "").want(http.StatusForbidden)
}

func TestSessionExpiresWhenIdle(t *testing.T) {
	h := newHouse(t, nil)
	c := newClock()
	h.guard.Now = c.now
	cookie := "Cookie: " + h.enter()
	for range 3 {
		c.move(sessionIdle - time.Second)
		h.ask("GET", "/", "", cookie).want(http.StatusOK)
	}
	c.move(sessionIdle)
	h.ask("GET", "/", "", cookie).want(http.StatusUnauthorized)
	h.ask("GET", "/", "", cookie).want(http.StatusUnauthorized)
}

// TestLinkOpenedAtOnce lets many open one link at the same moment.
func TestLinkOpenedAtOnce(t *testing.T) {
	g := &Guard{Token: tide, Port: 1}
	_, key, _ := strings.Cut(g.OneTimeURL(), "k=")
	var let atomic.Int32
	var wg sync.WaitGroup
	for range 64 {
		wg.Go(func() {
			if _, ok := g.exchange(key); ok {
				let.Add(1)
			}
		})
	}
	wg.Wait()
	if let.Load() != 1 {
		t.Errorf("%d were let in, want 1", let.Load())
	}
}

// TestBounds: however many links and sessions are made, a bounded number is
// kept, the newest among them.
func TestBounds(t *testing.T) {
	c := newClock()
	g := &Guard{Token: tide, Port: 1, Now: c.now}
	var key, session string
	first := ""
	for range 3 * maxSessions {
		_, key, _ = strings.Cut(g.OneTimeURL(), "k=")
		c.move(time.Second)
		session, _ = g.exchange(key)
		if first == "" {
			first = session
		}
		g.OneTimeURL()
		g.sessions.renew(first, g.now(), sessionIdle) // the first browser is in use
	}
	if len(g.keys.ends) > maxKeys || len(g.sessions.ends) > maxSessions {
		t.Errorf("%d keys and %d sessions are kept", len(g.keys.ends), len(g.sessions.ends))
	}
	for name, s := range map[string]string{"the newest": session, "the one in use": first} {
		if !g.sessions.renew(s, g.now(), sessionIdle) {
			t.Errorf("%s is gone", name)
		}
	}
}

// TestSecretsAreKeptAsHashes: what is in memory opens nothing.
func TestSecretsAreKeptAsHashes(t *testing.T) {
	g := &Guard{Token: tide, Port: 1}
	_, key, _ := strings.Cut(g.OneTimeURL(), "k=")
	raw, _ := base64.RawURLEncoding.DecodeString(key)
	for hash := range g.keys.ends {
		if string(hash[:]) == string(raw) || g.keys.take(string(hash[:]), g.now()) {
			t.Error("the key itself is kept")
		}
	}
}

// TestCookieOfAnotherPort: a browser sends the cookies of 127.0.0.1 to every
// port. What another instance gets to see opens nothing there, and two
// instances do not overwrite each other's.
func TestCookieOfAnotherPort(t *testing.T) {
	a, b := newHouse(t, nil), newHouse(t, nil)
	fromA, fromB := a.enter(), b.enter()
	nameA, session, _ := strings.Cut(fromA, "=")
	nameB, _, _ := strings.Cut(fromB, "=")
	if nameA == nameB {
		t.Fatalf("both cookies are called %q", nameA)
	}
	b.ask("GET", "/api/read", "", "Cookie: "+fromA).want(http.StatusUnauthorized)
	b.ask("GET", "/api/read", "", "Cookie: "+nameB+"="+session).want(http.StatusUnauthorized)
	b.ask("GET", "/api/read", "", "Authorization: Bearer "+session).want(http.StatusUnauthorized)
	b.quiet()
	for _, h := range []*house{a, b} {
		h.ask("GET", "/api/read", "", "Cookie: "+fromA+"; "+fromB).want(http.StatusOK)
	}
	// A page on the other port that uses the cookie as it gets it is not ours.
	a.ask("GET", "/api/read", "", "Cookie: "+fromA, "Origin: "+b.base).want(http.StatusForbidden)
	a.ask("GET", "/api/read", "", "Cookie: "+fromA, "Sec-Fetch-Site: same-site").want(http.StatusForbidden)
}

// TestSessionEndsWithProcess: a new guard knows no old session.
func TestSessionEndsWithProcess(t *testing.T) {
	h := newHouse(t, nil)
	cookie := h.enter()
	next := &Guard{Token: h.guard.Token, Port: h.guard.Port}
	r, _ := http.NewRequest("GET", h.base+"/", nil)
	r.Header.Set("Cookie", cookie)
	if next.inSession(r) || !h.guard.inSession(r) {
		t.Error("the session outlives its process, or did not work at all")
	}
}

func TestStrangerPage(t *testing.T) {
	h := newHouse(t, nil)
	for _, path := range []string{"/", "/assets/app.js", "/favicon.ico", "/apiary", "/open/"} {
		got := h.ask("GET", path, "", "Accept-Language: en").want(http.StatusUnauthorized)
		if got.header.Get("Content-Type") != "text/html; charset=utf-8" || !strings.Contains(got.body, "<code>tidemark serve</code>") {
			t.Errorf("%s: %v %s", path, got.header, got.body)
		}
		for _, banned := range []string{"<script", "<style", "<link", "style=", "<img", "<form"} {
			if strings.Contains(got.body, banned) {
				t.Errorf("%s: the page has %s", path, banned)
			}
		}
	}
	h.quiet()
	chinese := h.ask("GET", "/", "", "Accept-Language: zh-CN,zh;q=0.9,en;q=0.8")
	if !strings.Contains(chinese.body, "此浏览器尚无访问权限") || !strings.Contains(chinese.body, `lang="zh"`) || chinese.header.Get("Content-Language") != "zh" {
		t.Errorf("in Chinese: %s", chinese.body)
	}
	spent := h.ask("GET", "/open?k=x", "", "Accept-Language: zh")
	if !strings.Contains(spent.body, "此链接已失效") {
		t.Errorf("a spent link in Chinese: %s", spent.body)
	}
	if head := h.ask("HEAD", "/", "").want(http.StatusUnauthorized); head.body != "" {
		t.Errorf("HEAD has a body: %s", head.body)
	}
}

func TestPrefersChinese(t *testing.T) {
	tests := map[string]bool{
		"": false, "en": false, "zh": true, "zh-CN,zh;q=0.9,en;q=0.8": true, "zh-Hant-TW": true, "ZH": true,
		"en-US,en;q=0.9,zh;q=0.8": false, "en,zh": false, "zh,en": true, "en;q=0.5, zh;q=0.8": true,
		"zh;q=0.5, en;q=0.8": false, "fr, zh;q=0.1": true, "de": false, "*": false, "zh;q=0": false,
		"zh;q=x": false, "zh;q=NaN": false, "zha": false, "en;q=0,zh;q=0.1": true, ",;,=": false,
	}
	for header, want := range tests {
		if got := prefersChinese(header); got != want {
			t.Errorf("prefersChinese(%q) = %v, want %v", header, got, want)
		}
	}
}

// TestExpiredSecretsAreDropped: what has ended takes no room.
func TestExpiredSecretsAreDropped(t *testing.T) {
	c := newClock()
	g := &Guard{Token: tide, Port: 1, Now: c.now}
	for range 3 {
		g.OneTimeURL()
		g.OneTimeURL()
		c.move(keyLife)
	}
	if len(g.keys.ends) != 2 {
		t.Errorf("%d keys are kept, want the last 2", len(g.keys.ends))
	}
}
