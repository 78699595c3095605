package app

import (
	"bytes"
	"context"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tidemark/backend/api"
	"tidemark/backend/loopback"
	"tidemark/backend/openclaw"
)

func TestHasScreen(t *testing.T) {
	for _, c := range []struct {
		goos, name string
		want       bool
	}{{"linux", "", false}, {"linux", "DISPLAY", true}, {"linux", "WAYLAND_DISPLAY", true}, {"darwin", "", true}, {"windows", "", true}} {
		getenv := func(name string) string {
			if name == c.name {
				return ":0"
			}
			return ""
		}
		if got := hasScreen(c.goos, getenv); got != c.want {
			t.Errorf("%s with %s: %t", c.goos, c.name, got)
		}
	}
}

// TestBehindAWindow: the first one owns the data directory, the next one asks
// it, and both answer the same.
func TestBehindAWindow(t *testing.T) {
	c := &command{out: &bytes.Buffer{}, err: &bytes.Buffer{}, env: openclaw.SystemEnv(), stateDir: sampleState(t)}
	data := filepath.Join(t.TempDir(), "data")
	first, err := c.back(t.Context(), data)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- first.run(ctx) }()
	scan := func(b *behind) (s api.Scan) {
		t.Helper()
		h := newHost(t.Context(), b.api, &pretended{emits: make(chan string, 10)})
		if err := h.ask("GET", "/api/scan?refresh=1", nil, &s); err != nil {
			t.Fatal(err)
		}
		return s
	}
	own := scan(first)
	second, err := c.back(t.Context(), data)
	if err != nil {
		t.Fatal(err)
	}
	if asked := scan(second); own.Messages != 13 || asked.Messages != 13 {
		t.Errorf("%d messages and %d", own.Messages, asked.Messages)
	}
	o, err := dialOwner(t.Context(), data)
	if err != nil {
		t.Fatal(err)
	}
	var link api.Link
	if err := o.ask(t.Context(), "POST", "/api/link", nil, nil, &link); err == nil || !strings.Contains(err.Error(), "window") {
		t.Errorf("a window gives the link %v: %v", link, err)
	}
	if err := second.end(); err != nil {
		t.Error(err)
	}
	stop()
	if err := <-ended; err != nil && ctx.Err() == nil {
		t.Error(err)
	}
	if err := first.end(); err != nil {
		t.Error(err)
	}
	if showFirst(t.Context(), data) {
		t.Error("there is no window to show itself")
	}
}

// TestSecondStartShowsTheFirstWindow asks the window's own socket.
func TestSecondStartShowsTheFirstWindow(t *testing.T) {
	data := filepath.Join(t.TempDir(), "data")
	c := &command{out: &bytes.Buffer{}, err: &bytes.Buffer{}, env: openclaw.SystemEnv(), stateDir: sampleState(t)}
	b, err := c.back(t.Context(), data)
	if err != nil {
		t.Fatal(err)
	}
	defer b.end()
	l, err := loopback.ListenSocket(loopback.WindowPath(data))
	if err != nil {
		t.Fatal(err)
	}
	p := &pretended{emits: make(chan string, 1)}
	door := api.Server(newHost(t.Context(), b.api, p).routes())
	go door.Serve(l)
	defer door.Close()
	if !showFirst(t.Context(), data) || !slices.Equal(p.did, []string{"show"}) {
		t.Errorf("did %v", p.did)
	}
}

func TestLookIsThatOfTheSettings(t *testing.T) {
	h, _ := hosted(t.Context(), "")
	if got := h.look(); got != (look{}) {
		t.Errorf("got %+v", got)
	}
}

// TestMenuWords: both languages have the same words, none is empty.
func TestMenuWords(t *testing.T) {
	en, zh := menuWords(""), menuWords("zh")
	if !slices.Equal(slices.Sorted(maps.Keys(en)), slices.Sorted(maps.Keys(zh))) {
		t.Error("the languages have other words")
	}
	for _, words := range []map[string]string{en, zh} {
		for key, word := range words {
			if word == "" {
				t.Errorf("%s has no word", key)
			}
		}
	}
}

// TestEventsThroughTheOwner: a window whose data another process owns hears
// its events as they come.
func TestEventsThroughTheOwner(t *testing.T) {
	s := serveSample(t, sampleState(t))
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	p := &pretended{emits: make(chan string, 100)}
	h := newHost(ctx, passOn(loopback.Client(loopback.SocketPath(s.data))), p)
	post(h, "/window/follow?installation=", "")
	if first := <-p.emits; !strings.Contains(first, `"name":"status"`) {
		t.Errorf("it hears %.200s", first)
	}
}
