package loopback

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"tidemark/backend/memory"
)

func TestRefusingTransport(t *testing.T) {
	var hits atomic.Int32
	srv := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { hits.Add(1) }))
	defer srv.Close()
	refusing := RefusingTransport()
	copied := refusing.(*http.Transport).Clone()
	for _, url := range []string{srv.URL, "http://example.invalid", "https://example.invalid/x", "http://[::1]:9/", "http://localhost"} {
		for _, rt := range []http.RoundTripper{refusing, copied} {
			_, err := (&http.Client{Transport: rt}).Get(url)
			if memory.CodeOf(err) != memory.CodeForbidden || !strings.Contains(err.Error(), "Tidemark does not connect to") {
				t.Errorf("GET %s: %v, want a refusal", url, err)
			}
		}
	}
	if hits.Load() != 0 {
		t.Errorf("%d requests came through", hits.Load())
	}
}

func TestSeal(t *testing.T) {
	transport, client, resolver := http.DefaultTransport, http.DefaultClient, net.DefaultResolver
	t.Cleanup(func() { http.DefaultTransport, http.DefaultClient, net.DefaultResolver = transport, client, resolver })
	t.Setenv("HTTPS_PROXY", "http://127.0.0.1:1")
	t.Setenv("RES_OPTIONS", "attempts:1")
	Seal()
	attempts := map[string]func() error{
		"http.Get": func() error { _, err := http.Get("https://example.invalid/"); return err },
		"zero client": func() error {
			_, err := (&http.Client{}).Get("http://example.invalid/")
			return err
		},
		"copy of the default transport": func() error {
			rt := http.DefaultTransport.(*http.Transport).Clone()
			_, err := (&http.Client{Transport: rt}).Get("http://127.0.0.1/")
			return err
		},
		"name look-up": func() error {
			_, err := net.DefaultResolver.LookupHost(context.Background(), "tidemark.invalid")
			return err
		},
		"dial by name": func() error {
			_, err := net.Dial("tcp", "tidemark.invalid:80")
			return err
		},
	}
	for name, try := range attempts {
		if err := try(); err == nil || !strings.Contains(err.Error(), "Tidemark does not connect to") {
			t.Errorf("%s: %v, want a refusal", name, err)
		}
	}
}
