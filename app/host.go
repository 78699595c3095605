package app

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"tidemark/backend/api"
	"tidemark/backend/loopback"
)

// frame is what a window can do. Its methods may be called at once.
type frame interface {
	Emit(name string, data any)
	Show()
	Hide()
	Quit()
	PickFolder() (string, error)
	SaveText(name, text string) error
	Open(url string)
}

// Names of the events that the page hears.
const (
	eventSaid    = "tidemark"         // an event of an installation
	eventClosing = "tidemark:closing" // the window is to be closed: what then?
)

// host is what a window does for its page, beside the API: routes below
// /window/, the events of the installation that the page shows, and what
// happens when it is closed.
type host struct {
	ctx   context.Context
	api   http.Handler
	frame frame
	// patience is how long a page may take to notice that it is asked.
	patience time.Duration

	mu       sync.Mutex
	unfollow context.CancelFunc // ends the events that the page hears
	asked    *time.Timer        // runs while the page has not noticed
	quitting bool
}

// answerTime is how long a page that lives may take to notice a question. One
// that does not is dead, and its window must still close.
const answerTime = 3 * time.Second

func newHost(ctx context.Context, handler http.Handler, f frame) *host {
	return &host{ctx: ctx, api: handler, frame: f, patience: answerTime}
}

// routes are what the page can ask its window for.
func (h *host) routes() http.Handler {
	m := http.NewServeMux()
	m.HandleFunc("POST /window/follow", h.follow)    // [installation]
	m.HandleFunc("POST /window/noticed", h.noticed)  // the question about closing is on screen
	m.HandleFunc("POST /window/closing", h.close)    // do=background|quit|stay
	m.HandleFunc("POST /window/pick-folder", h.pick) // gives {"path"}, "" for none
	m.HandleFunc("POST /window/save", h.save)        // {"name","text"}
	m.HandleFunc("POST /window/open", h.open)        // {"url"}
	m.HandleFunc("POST /window/show", func(w http.ResponseWriter, _ *http.Request) { h.frame.Show(); done(w) })
	return m
}

func done(w http.ResponseWriter) { give(w, struct{}{}) }

func give(w http.ResponseWriter, v any) {
	body, err := json.Marshal(v)
	if err != nil { // of strings
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(body)
}

func refuse(w http.ResponseWriter, message string) {
	w.WriteHeader(http.StatusBadRequest)
	give(w, map[string]string{"code": "invalid", "message": message})
}

// said is an event with the installation that it is about, so that a page that
// just turned to another one does not take it for its own.
type said struct {
	Installation string          `json:"installation"`
	Event        json.RawMessage `json:"event"`
}

// follow has the page hear the events of an installation, and of no other.
func (h *host) follow(w http.ResponseWriter, r *http.Request) {
	installation := r.URL.Query().Get("installation")
	ctx, end := context.WithCancel(h.ctx)
	h.mu.Lock()
	if h.unfollow != nil {
		h.unfollow()
	}
	h.unfollow = end
	h.mu.Unlock()
	go h.tell(ctx, installation)
	done(w)
}

// again is how long to wait before a stream that broke is asked for again.
const again = time.Second

func (h *host) tell(ctx context.Context, installation string) {
	address := "http://" + loopback.Host + "/api/events?" + url.Values{"installation": {installation}}.Encode()
	for ctx.Err() == nil {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
		if err != nil {
			return
		}
		out := newFrames(func(data []byte) { h.frame.Emit(eventSaid, said{installation, data}) })
		h.stream(out, req)
		select {
		case <-ctx.Done():
		case <-time.After(again):
		}
	}
}

// stream serves a stream; one that panics ended.
func (h *host) stream(out http.ResponseWriter, req *http.Request) {
	defer func() {
		if reason := recover(); reason != nil && reason != http.ErrAbortHandler {
			slog.Error("the stream of events panicked")
		}
	}()
	h.api.ServeHTTP(out, req)
}

// beforeClose decides whether a window that is to be closed stays.
func (h *host) beforeClose() (stay bool) {
	h.mu.Lock()
	quitting, waiting := h.quitting, h.asked != nil
	h.mu.Unlock()
	if quitting {
		return false
	}
	if waiting { // whoever closes twice means it
		return false
	}
	switch h.closing() {
	case "quit":
		return false
	case "background":
		h.frame.Hide()
		return true
	}
	h.mu.Lock()
	h.asked = time.AfterFunc(h.patience, h.quit)
	h.mu.Unlock()
	h.frame.Emit(eventClosing, nil)
	return true
}

// closing gives what the person chose to happen, "" where they are to be asked.
func (h *host) closing() string {
	var s api.Settings
	if err := h.ask(http.MethodGet, "/api/settings", nil, &s); err != nil {
		return ""
	}
	return s.Closing
}

// look gives what the window has to know before its page does.
func (h *host) look() look {
	var s api.Settings
	if err := h.ask(http.MethodGet, "/api/settings", nil, &s); err != nil {
		return look{}
	}
	return look{Language: s.Language, Theme: s.Theme}
}

// ask asks the API.
func (h *host) ask(method, path string, body []byte, answer any) error {
	b := Bridge{ctx: h.ctx, api: h.api}
	r, err := b.Request(method, path, string(body))
	if err != nil {
		return err
	}
	return decode(r.Status, strings.NewReader(r.Body), answer)
}

func (h *host) noticed(w http.ResponseWriter, _ *http.Request) {
	h.mu.Lock()
	if h.asked != nil {
		h.asked.Stop()
		h.asked = nil
	}
	h.mu.Unlock()
	done(w)
}

func (h *host) close(w http.ResponseWriter, r *http.Request) {
	switch r.URL.Query().Get("do") {
	case "background":
		h.frame.Hide()
	case "quit":
		h.quit()
	case "stay":
	default:
		refuse(w, "Use do=background, do=quit or do=stay.")
		return
	}
	done(w)
}

// quit closes the window for good.
func (h *host) quit() {
	h.mu.Lock()
	h.quitting = true
	h.mu.Unlock()
	h.frame.Quit()
}

func (h *host) pick(w http.ResponseWriter, _ *http.Request) {
	path, err := h.frame.PickFolder()
	if err != nil {
		refuse(w, "The system shows no folders: "+err.Error())
		return
	}
	give(w, map[string]string{"path": path})
}

func (h *host) save(w http.ResponseWriter, r *http.Request) {
	var what struct{ Name, Text string }
	if err := json.NewDecoder(r.Body).Decode(&what); err != nil || what.Name == "" {
		refuse(w, "Name what is to be saved.")
		return
	}
	if err := h.frame.SaveText(what.Name, what.Text); err != nil {
		refuse(w, "It could not be saved: "+err.Error())
		return
	}
	done(w)
}

// open opens a page of the web in the person's browser. Nothing else is opened:
// an address of another kind may start a program.
func (h *host) open(w http.ResponseWriter, r *http.Request) {
	var what struct{ URL string }
	if err := json.NewDecoder(r.Body).Decode(&what); err != nil {
		refuse(w, "Name the address.")
		return
	}
	u, err := url.Parse(what.URL)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" {
		refuse(w, "Only pages of the web are opened.")
		return
	}
	h.frame.Open(u.String())
	done(w)
}
