package app

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"tidemark/backend/api"
)

// pretended is a window that notes what is done with it.
type pretended struct {
	mu     sync.Mutex
	did    []string
	emits  chan string
	folder string
	fails  error
}

func (p *pretended) note(what string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.did = append(p.did, what)
}

func (p *pretended) Emit(name string, data any) {
	body, err := json.Marshal(data)
	if err != nil {
		panic(err)
	}
	p.emits <- name + " " + string(body)
}
func (p *pretended) Show()                       { p.note("show") }
func (p *pretended) Hide()                       { p.note("hide") }
func (p *pretended) Quit()                       { p.note("quit") }
func (p *pretended) PickFolder() (string, error) { return p.folder, p.fails }
func (p *pretended) SaveText(name, text string) error {
	p.note("save " + name + " " + text)
	return p.fails
}
func (p *pretended) Open(url string) { p.note("open " + url) }

// hosted is a host whose API says that this was chosen about closing, and whose
// streams say one event and then wait.
func hosted(ctx context.Context, closing string) (*host, *pretended) {
	p := &pretended{emits: make(chan string, 10)}
	m := http.NewServeMux()
	m.HandleFunc("/api/settings", func(w http.ResponseWriter, _ *http.Request) { give(w, api.Settings{Closing: closing}) })
	m.HandleFunc("/api/events", func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, "event: status\ndata: {\"of\":\""+r.URL.Query().Get("installation")+"\"}\n\n")
		<-r.Context().Done()
	})
	return newHost(ctx, m, p), p
}

func post(h *host, path, body string) (status int, answer string) {
	w := httptest.NewRecorder()
	h.routes().ServeHTTP(w, httptest.NewRequest(http.MethodPost, path, strings.NewReader(body)))
	return w.Code, w.Body.String()
}

func TestHostClosesAsChosen(t *testing.T) {
	for chosen, want := range map[string]struct {
		stay bool
		did  []string
	}{"quit": {false, nil}, "background": {true, []string{"hide"}}} {
		h, p := hosted(t.Context(), chosen)
		if stay := h.beforeClose(); stay != want.stay || !slices.Equal(p.did, want.did) {
			t.Errorf("%s: stays %t, did %v", chosen, stay, p.did)
		}
	}
}

func TestHostAsksOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h, p := hosted(t.Context(), "")
		if !h.beforeClose() {
			t.Fatal("it closes without asking")
		}
		if got := <-p.emits; got != "tidemark:closing null" {
			t.Errorf("the page hears %q", got)
		}
		post(h, "/window/noticed", "")
		time.Sleep(10 * answerTime)
		if len(p.did) != 0 {
			t.Errorf("while the person thinks: %v", p.did)
		}
		post(h, "/window/closing?do=stay", "")
		post(h, "/window/closing?do=background", "")
		post(h, "/window/closing?do=quit", "")
		if !slices.Equal(p.did, []string{"hide", "quit"}) {
			t.Errorf("did %v", p.did)
		}
		if h.beforeClose() {
			t.Error("it stays although it is to quit")
		}
		if status, _ := post(h, "/window/closing?do=explode", ""); status != http.StatusBadRequest {
			t.Errorf("another word: %d", status)
		}
	})
}

// TestDeadPageCloses: a page that does not answer cannot keep its window.
func TestDeadPageCloses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h, p := hosted(t.Context(), "")
		h.beforeClose()
		time.Sleep(answerTime)
		synctest.Wait()
		if !slices.Equal(p.did, []string{"quit"}) {
			t.Errorf("did %v", p.did)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		h, _ := hosted(t.Context(), "")
		h.beforeClose()
		if h.beforeClose() {
			t.Error("it stays when it is closed twice")
		}
		h.asked.Stop()
	})
}

// TestHostFollowsOne: the page hears the installation that it shows.
func TestHostFollowsOne(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	h, p := hosted(ctx, "")
	for _, id := range []string{"a", "", "b c"} {
		post(h, "/window/follow?installation="+strings.ReplaceAll(id, " ", "%20"), "")
		if got, want := <-p.emits, `tidemark {"installation":"`+id+`","event":{"of":"`+id+`"}}`; got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

func TestHostPicksSavesAndOpens(t *testing.T) {
	h, p := hosted(t.Context(), "")
	p.folder = "/home/a/学习 b"
	if status, got := post(h, "/window/pick-folder", ""); status != http.StatusOK || got != `{"path":"/home/a/学习 b"}` {
		t.Errorf("%d %s", status, got)
	}
	post(h, "/window/save", `{"name":"a.csv","text":"1,2"}`)
	post(h, "/window/open", `{"url":"https://example.org/x?y=1"}`)
	if want := []string{"save a.csv 1,2", "open https://example.org/x?y=1"}; !slices.Equal(p.did, want) {
		t.Errorf("did %v", p.did)
	}
	for path, bodies := range map[string][]string{
		"/window/open": {"", "{}", `{"url":"file:///etc/passwd"}`, `{"url":"javascript:alert(1)"}`, `{"url":"/x"}`, `{"url":"https:"}`, `{"url":"calculator:x"}`},
		"/window/save": {"", "{}", "["},
	} {
		for _, body := range bodies {
			if status, _ := post(h, path, body); status != http.StatusBadRequest {
				t.Errorf("%s %s: %d", path, body, status)
			}
		}
	}
	p.fails = errors.New("no dialog")
	for _, path := range []string{"/window/pick-folder", "/window/save"} {
		if status, got := post(h, path, `{"name":"a","text":""}`); status != http.StatusBadRequest || !strings.Contains(got, "no dialog") {
			t.Errorf("%s: %d %s", path, status, got)
		}
	}
	post(h, "/window/show", "")
	if p.did[len(p.did)-1] != "show" {
		t.Errorf("did %v", p.did)
	}
}
