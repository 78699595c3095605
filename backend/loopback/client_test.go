//go:build unix

package loopback

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"tidemark/backend/memory"
)

func TestClient(t *testing.T) {
	path := SocketPath(dataDir(t))
	client := Client(path)
	_, err := client.Get("http://tidemark/api/status")
	wantCode(t, "before the owner runs", err, memory.CodeUnavailable, "no such file")

	l, err := ListenSocket(path)
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/api/status", func(w http.ResponseWriter, r *http.Request) { _, _ = io.WriteString(w, r.Host) })
	mux.HandleFunc("/away", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "http://example.invalid/", http.StatusFound)
	})
	srv := &http.Server{Handler: mux}
	go func() { _ = srv.Serve(l) }()
	defer srv.Close()

	res, err := client.Get("http://" + Host + "/api/status")
	if err != nil {
		t.Fatal(err)
	}
	body, _ := io.ReadAll(res.Body)
	res.Body.Close()
	if string(body) != "tidemark" {
		t.Errorf("body %q, want tidemark", body)
	}
	if _, err := client.Get("http://tidemark/away"); err == nil || !strings.Contains(err.Error(), "redirect") {
		t.Errorf("a redirect gives %v, want a refusal", err)
	}
	for _, url := range []string{"http://example.invalid/", "https://tidemark/", "http://tidemark:81/", "http://127.0.0.1:80/"} {
		_, err := client.Get(url)
		wantCode(t, url, err, memory.CodeForbidden, "does not connect to")
	}
}

// TestClientIgnoresProxy: a proxy of the environment never gets a request.
func TestClientIgnoresProxy(t *testing.T) {
	t.Setenv("HTTP_PROXY", "http://127.0.0.1:1")
	t.Setenv("http_proxy", "http://127.0.0.1:1")
	_, err := Client(SocketPath(dataDir(t))).Get("http://tidemark/")
	wantCode(t, "get", err, memory.CodeUnavailable, "no such file")
}
