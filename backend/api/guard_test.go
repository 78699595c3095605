package api

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tidemark/backend/memory"
)

// TestForeignHost is DNS rebinding: a page of another site whose name leads to
// this machine. It even has the token, to show that the host alone decides.
func TestForeignHost(t *testing.T) {
	h := newHouse(t, nil)
	_, port, _ := strings.Cut(h.host, ":")
	for _, host := range []string{
		"evil.example", "evil.example:" + port, "127.0.0.1", "localhost", "127.0.0.1:1", "127.0.0.1.evil.example:" + port,
		"localhost.evil.example:" + port, "localhost.:" + port, "127.1:" + port, "127.0.0.2:" + port, "0.0.0.0:" + port,
		"[::]:" + port, "[::ffff:127.0.0.1]:" + port, "0x7f000001:" + port, "user@127.0.0.1:" + port, "127.0.0.1:" + port + ":1",
	} {
		h.ask("GET", "/api/read", "", bearer, "Host: "+host).wantError(http.StatusForbidden, memory.CodeForbidden)
		h.ask("GET", "/open?k=x", "", "Host: "+host).wantError(http.StatusForbidden, memory.CodeForbidden)
	}
	h.raw("GET /api/read HTTP/1.0\r\n"+bearer+"\r\n\r\n").wantError(http.StatusForbidden, memory.CodeForbidden)
	h.raw("GET http://evil.example/api/read HTTP/1.1\r\nHost: "+h.host+"\r\n"+bearer+"\r\nConnection: close\r\n\r\n").
		wantError(http.StatusForbidden, memory.CodeForbidden)
	h.quiet()
	for _, host := range []string{"127.0.0.1:" + port, "localhost:" + port, "LocalHost:" + port, "[::1]:" + port} {
		h.ask("GET", "/api/read", "", bearer, "Host: "+host).want(http.StatusOK)
	}
}

// TestForeignSite is what pages of other sites make a browser send. The
// browser has the cookie of a session; SameSite would keep it back, but
// nothing here relies on that.
func TestForeignSite(t *testing.T) {
	h := newHouse(t, nil)
	cookie := "Cookie: " + h.enter()
	other := newHouse(t, nil)
	const json, form = "Content-Type: application/json", "Content-Type: application/x-www-form-urlencoded"
	ours, same := "Origin: "+h.base, "Sec-Fetch-Site: same-origin"
	tests := []struct {
		name    string
		method  string
		headers []string
		status  int
	}{
		{"our page reads", "GET", []string{same}, 200},
		{"typed address", "GET", []string{"Sec-Fetch-Site: none", "Sec-Fetch-Mode: navigate"}, 200},
		{"old browser reads", "GET", nil, 200},
		{"our page writes", "POST", []string{ours, same, json}, 200},
		{"our page writes, charset", "POST", []string{ours, "Content-Type: application/json; charset=utf-8"}, 200},
		{"our page deletes", "DELETE", []string{same, json}, 200},
		{"our page by another name", "PUT", []string{"Origin: http://localhost:" + fmt.Sprint(h.guard.Port), json}, 200},

		{"foreign page reads", "GET", []string{"Sec-Fetch-Site: cross-site"}, 403},
		{"foreign image", "GET", []string{"Sec-Fetch-Site: cross-site", "Sec-Fetch-Dest: image"}, 403},
		{"foreign link", "GET", []string{"Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate"}, 403},
		{"other port reads", "GET", []string{"Sec-Fetch-Site: same-site"}, 403},
		{"foreign origin reads", "GET", []string{"Origin: https://evil.example"}, 403},
		{"foreign origin asks only for headers", "HEAD", []string{"Origin: https://evil.example"}, 403},
		{"foreign origin writes", "POST", []string{"Origin: https://evil.example", json}, 403},
		{"other port writes", "POST", []string{"Origin: " + other.base, json}, 403},
		{"https of the same name", "POST", []string{"Origin: https://" + h.host, json}, 403},
		{"origin with a path", "POST", []string{ours + "/x", json}, 403},
		{"origin with a user", "POST", []string{"Origin: http://evil@" + h.host, json}, 403},
		{"origin that begins like ours", "POST", []string{ours + "0", json}, 403},
		{"sandboxed page", "POST", []string{"Origin: null", json}, 403},
		{"empty origin", "POST", []string{"Origin: ", same, json}, 403},
		{"two origins", "POST", []string{ours, "Origin: https://evil.example", json}, 403},
		{"ours and cross-site", "POST", []string{ours, "Sec-Fetch-Site: cross-site", json}, 403},
		{"two sites", "POST", []string{same, "Sec-Fetch-Site: cross-site", json}, 403},
		{"odd site", "GET", []string{"Sec-Fetch-Site: Same-Origin"}, 403},
		{"no proof", "POST", []string{json}, 403},
		{"typed address is no proof", "POST", []string{"Sec-Fetch-Site: none", json}, 403},
		{"form", "POST", []string{ours, form}, 415},
		{"form with a file", "POST", []string{ours, "Content-Type: multipart/form-data; boundary=x"}, 415},
		{"text", "POST", []string{ours, "Content-Type: text/plain"}, 415},
		{"text that says JSON", "POST", []string{ours, "Content-Type: text/plain; application/json"}, 415},
		{"two types", "POST", []string{ours, json, "Content-Type: text/plain"}, 415},
		{"no type", "POST", []string{ours}, 415},
		{"preflight", "OPTIONS", []string{"Origin: https://evil.example", "Access-Control-Request-Method: POST"}, 405},
		{"preflight of our own page", "OPTIONS", []string{ours, "Access-Control-Request-Method: POST"}, 405},
		{"trace", "TRACE", []string{ours}, 405},
		{"unknown method", "BREW", []string{ours, json}, 405},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			body := "{}"
			if tt.method == "GET" || tt.method == "HEAD" || tt.method == "TRACE" {
				body = ""
			}
			got := h.ask(tt.method, "/api/read", body, append(tt.headers, cookie)...).want(tt.status)
			if tt.status == 200 {
				<-h.seen
			}
			h.quiet()
			for name := range got.header {
				if strings.HasPrefix(name, "Access-Control-") {
					t.Errorf("the answer grants %s", name)
				}
			}
		})
	}
}

func TestToken(t *testing.T) {
	h := newHouse(t, nil)
	cookie := "Cookie: " + h.enter()
	tests := []struct {
		name    string
		headers []string
		status  int
	}{
		{"token", []string{bearer}, 200},
		{"lower case scheme", []string{"Authorization: bearer " + tide}, 200},
		{"nothing", nil, 401},
		{"wrong token", []string{"Authorization: Bearer " + tide[:len(tide)-1] + "F"}, 401},
		{"part of the token", []string{"Authorization: Bearer " + tide[:10]}, 401},
		{"token and more", []string{bearer + "x"}, 401},
		{"empty token", []string{"Authorization: Bearer "}, 401},
		{"no scheme", []string{"Authorization: " + tide}, 401},
		{"other scheme", []string{"Authorization: Basic " + tide}, 401},
		{"two headers", []string{bearer, bearer}, 401},
		{"wrong token beside a session", []string{"Authorization: Bearer x", cookie}, 401},
		{"token as cookie", []string{"Cookie: " + h.guard.cookieName() + "=" + tide}, 401},
		{"empty cookie", []string{"Cookie: " + h.guard.cookieName() + "="}, 401},
		{"cookie of another name", []string{"Cookie: x" + h.enter()}, 401},
		{"session", []string{cookie}, 200},
		{"planted cookie before the session", []string{"Cookie: " + h.guard.cookieName() + "=planted", cookie}, 200},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := h.ask("GET", "/api/read", "", tt.headers...)
			if tt.status == 401 {
				got.wantError(401, memory.CodeUnauthorized)
				if got.header.Get("WWW-Authenticate") != "Bearer" || !strings.Contains(got.body, "tidemark serve") {
					t.Errorf("it does not say what to do: %v %s", got.header, got.body)
				}
				h.quiet()
				return
			}
			got.want(200)
			<-h.seen
		})
	}
	h.ask("GET", "/api/read?token="+tide, "").want(401)
	h.ask("POST", "/api/read", "{}", bearer).want(415)
	h.ask("POST", "/api/read", "{}", bearer, "Content-Type: application/json").want(200)
	h.ask("DELETE", "/api/read", "", bearer).want(200)
}

// TestNoToken: a guard that was not given a token lets no program in.
func TestNoToken(t *testing.T) {
	h := newHouse(t, nil)
	h.guard.Token = ""
	for _, header := range []string{"Authorization: Bearer ", "Authorization: Bearer", "Authorization: ", "X: y"} {
		h.ask("GET", "/", "", header).want(http.StatusUnauthorized)
	}
	h.quiet()
}

func TestOddPaths(t *testing.T) {
	h := newHouse(t, nil)
	for _, path := range []string{
		"/../etc/passwd", "/..", "/a/../b", "/a/..", "/.", "/a/./b", "/%2e%2e/etc/passwd", "/%2E%2E%2Fetc", "/.%2e/x", "/a%2f..%2fb",
		"/%252e%252e/x", "/%252e%252e%252fx", `/..\x`, `/a\b`, "/%5c..%5cx", "/%5C", "//evil.example", "//evil.example/..", "/a//b", "/a//",
		"///", "/%00", "/a%00.html", "/%0d%0aSet-Cookie:x", "/%7f", "/%c2%80", "/%ff", "/%c0%ae%c0%ae/x", "/api//read", "/api/../api/read",
	} {
		got := h.raw("GET " + path + " HTTP/1.1\r\nHost: " + h.host + "\r\n" + bearer + "\r\nConnection: close\r\n\r\n")
		if got.status != http.StatusBadRequest && got.status != http.StatusNotFound {
			t.Errorf("GET %s: status %d, want 400 or 404", path, got.status)
		}
		if to := got.header.Get("Location"); to != "" {
			t.Errorf("GET %s leads to %s", path, to)
		}
	}
	for _, target := range []string{"*", "x", "127.0.0.1:1", "/a b", "/%zz", "/%"} {
		got := h.raw("GET " + target + " HTTP/1.1\r\nHost: " + h.host + "\r\n" + bearer + "\r\nConnection: close\r\n\r\n")
		if got.status < 400 || got.status >= 500 {
			t.Errorf("GET %s: status %d, want a refusal", target, got.status)
		}
	}
	h.raw("CONNECT 127.0.0.1:22 HTTP/1.1\r\nHost: " + h.host + "\r\n" + bearer + "\r\nConnection: close\r\n\r\n").want(405)
	h.raw("OPTIONS * HTTP/1.1\r\nHost: " + h.host + "\r\nConnection: close\r\n\r\n").want(405)
	h.quiet()

	for path, want := range map[string]string{
		"/assets/index-1a2b.js": "/assets/index-1a2b.js", "/": "/", "/a%2Fb": "/a/b", "/x..y": "/x..y", "/...": "/...",
		"/%E7%A0%81%E5%86%9C": "/码农", "/100%25": "/100%", "/agent:main:main": "/agent:main:main", "/a%20b": "/a b", "/a%252Fb": "/a%2Fb",
	} {
		h.raw("GET " + path + " HTTP/1.1\r\nHost: " + h.host + "\r\n" + bearer + "\r\nConnection: close\r\n\r\n").want(200)
		if got := <-h.seen; got != "GET "+want {
			t.Errorf("GET %s arrives as %q, want %q", path, got, want)
		}
	}
}

// TestHeaders checks every kind of answer for the headers that protect it.
func TestHeaders(t *testing.T) {
	h := newHouse(t, nil)
	want := map[string]string{
		"Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; " +
			"connect-src 'self'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'",
		"X-Content-Type-Options": "nosniff", "X-Frame-Options": "DENY", "Referrer-Policy": "no-referrer",
		"Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Resource-Policy": "same-origin",
	}
	answers := map[string]*heard{
		"static":       h.ask("GET", "/", "", bearer),
		"api":          h.ask("GET", "/api/read", "", bearer),
		"stranger":     h.ask("GET", "/", ""),
		"api stranger": h.ask("GET", "/api/read", ""),
		"foreign host": h.ask("GET", "/", "", "Host: evil.example"),
		"method":       h.ask("OPTIONS", "/", ""),
		"link":         h.ask("GET", strings.TrimPrefix(h.guard.OneTimeURL(), h.base), ""),
		"spent link":   h.ask("GET", "/open?k=x", ""),
	}
	for name, got := range answers {
		for header, value := range want {
			if g := got.header.Get(header); g != value {
				t.Errorf("%s: %s is %q, want %q", name, header, g, value)
			}
		}
		if !strings.Contains(got.header.Get("Permissions-Policy"), "camera=()") {
			t.Errorf("%s: no Permissions-Policy", name)
		}
		if cache := got.header.Get("Cache-Control"); (cache == "no-store") != (name != "static") {
			t.Errorf("%s: Cache-Control is %q", name, cache)
		}
	}
}

// TestNothingSecretIsLogged looks for keys, sessions and the token in all that
// is logged, errors and panics among it.
func TestNothingSecretIsLogged(t *testing.T) {
	log := logged(t)
	h := newHouse(t, nil)
	link := h.guard.OneTimeURL()
	_, key, _ := strings.Cut(link, "k=")
	cookie := h.enter()
	h.ask("GET", "/open?k="+key, "", "Sec-Fetch-Site: cross-site", bearer).want(403)
	h.ask("GET", "/open?k="+key, "").want(303)
	h.ask("GET", "/open?k="+key, "").want(403)
	h.ask("GET", "/", "", "Cookie: "+cookie, "Host: evil.example").want(403)
	_ = h.raw("GET /open?k=" + key + " HTTP/9.9\r\n" + bearer + "\r\n\r\n")
	_ = h.raw("bad\x00request " + key + "\r\n\r\n")
	_, session, _ := strings.Cut(cookie, "=")
	for what, secret := range map[string]string{"key": key, "token": tide, "session": session} {
		if len(secret) < 40 || strings.Contains(log.String(), secret) {
			t.Errorf("the %s is in the log:\n%s", what, log)
		}
	}
}

// TestComparisonTellsNoTime reads the source: the token is compared by
// subtle.ConstantTimeCompare on hashes, and by nothing else. Timing itself
// cannot be tested on a busy machine.
func TestComparisonTellsNoTime(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil || len(files) == 0 {
		t.Fatalf("no source: %v", err)
	}
	constant := 0
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		tree, err := parser.ParseFile(token.NewFileSet(), file, text, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(tree, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.SelectorExpr:
				if n.Sel.Name == "ConstantTimeCompare" {
					constant++
				}
			case *ast.BinaryExpr:
				if (isToken(n.X) || isToken(n.Y)) && !isEmpty(n.X) && !isEmpty(n.Y) {
					t.Errorf("%s compares the token with %s", file, n.Op)
				}
			}
			return true
		})
	}
	if constant != 1 {
		t.Errorf("%d comparisons in constant time, want 1", constant)
	}
}

func isToken(e ast.Expr) bool {
	s, ok := e.(*ast.SelectorExpr)
	return ok && s.Sel.Name == "Token"
}

func isEmpty(e ast.Expr) bool {
	l, ok := e.(*ast.BasicLit)
	return ok && l.Value == `""`
}
