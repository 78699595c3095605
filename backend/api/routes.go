package api

import (
	"context"
	"encoding/json"
	"io/fs"
	"net/http"
	"strconv"
	"strings"

	"tidemark/backend/memory"
)

// Query narrows what is asked for. Installation is "" for the default one.
type Query struct {
	Installation string
	Agent        string
	Session      string
	// Refresh asks for a look at OpenClaw's files first.
	Refresh bool

	By, Zone, From, To   string // of costs
	Model, Asked, Priced string // of costs: what calls they are narrowed to, "" for all

	Offset, Limit int // of entries; Offset < 0 counts from the end

	Do    string // pause, resume or cancel
	Start bool   // begin a job and do not wait for it
	Entry string // an entry of the session
	At    int64  // a moment, in milliseconds since 1970

	ID string // of a statement
	// Of statements: what they are narrowed to, "" and false for all. Tag may
	// name several letters.
	Speaker, Tag, State, Words string
	Pinned, Repeated           bool
}

// Backend answers the API's questions. Its methods may be called at once.
type Backend interface {
	Installations(ctx context.Context) ([]Installation, error)
	// Add makes an installation known and gives it.
	Add(ctx context.Context, stateDir, profile string) (Installation, error)
	Status(ctx context.Context, q Query) (Status, error)
	Scan(ctx context.Context, q Query) (Scan, error)
	Agents(ctx context.Context, q Query) ([]Agent, error)
	Sessions(ctx context.Context, q Query) ([]Session, error)
	Session(ctx context.Context, q Query) (SessionDetail, error)
	Tide(ctx context.Context, q Query) (Tide, error)
	Find(ctx context.Context, q Query) (Found, error)
	Today(ctx context.Context, q Query) (Today, error)
	Compaction(ctx context.Context, q Query) (CompactionDetail, error)
	Settings(ctx context.Context, q Query) (Settings, error)
	// SetSettings replaces the settings and gives them as they are then.
	SetSettings(ctx context.Context, q Query, to Settings) (Settings, error)
	Costs(ctx context.Context, q Query) (CostView, error)
	Compactions(ctx context.Context, q Query) ([]Compaction, error)
	Problems(ctx context.Context, q Query) ([]Problem, error)
	Config(ctx context.Context, q Query) (any, error)
	Rebuild(ctx context.Context, q Query) (Scan, error)
	// Reading pauses, resumes or cancels what is being read.
	Reading(ctx context.Context, q Query) (Status, error)
	// Statements lists what people stated, the newest first.
	Statements(ctx context.Context, q Query) (StatementList, error)
	Statement(ctx context.Context, q Query) (StatementDetail, error)
	// ChangeStatement does what a person decided, and gives the statement as it
	// is then.
	ChangeStatement(ctx context.Context, q Query, change StatementChange) (StatementDetail, error)
	// Events gives what happens to an installation until ctx ends.
	Events(ctx context.Context, q Query) (<-chan Event, error)
}

// Handler serves the API under /api/ and the front end beside it. It trusts
// its caller: over TCP it belongs behind a Guard.
type Handler struct {
	Backend Backend
	// Files is the built front end; nil where there is none.
	Files fs.FS
	// Trusted allows what only the owner's own commands may do: name any state
	// directory of this machine. It is set on the socket.
	Trusted bool
	// Link mints a link that opens the pages, nil where there are none. Only a
	// trusted caller gets one.
	Link func() (string, error)
	// Demo is the invented installation; nil where none can be opened.
	Demo Demo
}

// Routes gives the handler of all routes.
func (h *Handler) Routes() http.Handler {
	m := http.NewServeMux()
	m.HandleFunc("GET /api/installations", reply(h.installations))
	m.HandleFunc("POST /api/installations", h.add)
	m.HandleFunc("GET /api/status", reply(func(ctx context.Context, q Query) (any, error) { return h.Backend.Status(ctx, q) }))           // [installation]
	m.HandleFunc("GET /api/scan", reply(func(ctx context.Context, q Query) (any, error) { return h.Backend.Scan(ctx, q) }))               // [installation] [refresh]
	m.HandleFunc("GET /api/agents", reply(func(ctx context.Context, q Query) (any, error) { return h.Backend.Agents(ctx, q) }))           // [installation]
	m.HandleFunc("GET /api/sessions", reply(func(ctx context.Context, q Query) (any, error) { return h.Backend.Sessions(ctx, q) }))       // [installation] [agent] [refresh]
	m.HandleFunc("GET /api/session", reply(func(ctx context.Context, q Query) (any, error) { return h.Backend.Session(ctx, q) }))         // agent session [installation] [offset] [limit]
	m.HandleFunc("GET /api/costs", reply(func(ctx context.Context, q Query) (any, error) { return h.Backend.Costs(ctx, q) }))             // by [installation] [agent] [session] [tz] [from] [to] [model] [asked] [priced] [refresh]
	m.HandleFunc("GET /api/tide", reply(func(ctx context.Context, q Query) (any, error) { return h.Backend.Tide(ctx, q) }))               // agent session [installation]
	m.HandleFunc("GET /api/find", reply(func(ctx context.Context, q Query) (any, error) { return h.Backend.Find(ctx, q) }))               // agent session entry|at [installation]
	m.HandleFunc("GET /api/today", reply(func(ctx context.Context, q Query) (any, error) { return h.Backend.Today(ctx, q) }))             // [installation] [agent] [from] [to] [tz]
	m.HandleFunc("GET /api/compaction", reply(func(ctx context.Context, q Query) (any, error) { return h.Backend.Compaction(ctx, q) }))   // agent session entry [installation]
	m.HandleFunc("GET /api/settings", reply(func(ctx context.Context, q Query) (any, error) { return h.Backend.Settings(ctx, q) }))       // [installation]
	m.HandleFunc("POST /api/settings", h.setSettings)                                                                                     // [installation]
	m.HandleFunc("GET /api/compactions", reply(func(ctx context.Context, q Query) (any, error) { return h.Backend.Compactions(ctx, q) })) // [installation] [agent] [session] [refresh]
	m.HandleFunc("GET /api/problems", reply(func(ctx context.Context, q Query) (any, error) { return h.Backend.Problems(ctx, q) }))       // [installation] [refresh]
	m.HandleFunc("GET /api/config", reply(func(ctx context.Context, q Query) (any, error) { return h.Backend.Config(ctx, q) }))           // [installation]
	m.HandleFunc("GET /api/statements", reply(func(ctx context.Context, q Query) (any, error) { return h.Backend.Statements(ctx, q) }))   // [installation] [agent] [session] [entry] [speaker] [tag] [state] [words] [from] [to] [tz] [pinned] [repeated] [refresh]
	m.HandleFunc("GET /api/statement", reply(func(ctx context.Context, q Query) (any, error) { return h.Backend.Statement(ctx, q) }))     // id [installation] [refresh]
	m.HandleFunc("POST /api/statement", h.changeStatement)                                                                                // [installation]
	m.HandleFunc("POST /api/rebuild", reply(func(ctx context.Context, q Query) (any, error) { return h.Backend.Rebuild(ctx, q) }))        // [installation] [start]
	m.HandleFunc("POST /api/reading", reply(func(ctx context.Context, q Query) (any, error) { return h.Backend.Reading(ctx, q) }))        // do [installation]
	m.HandleFunc("GET /api/events", h.events)                                                                                             // [installation]
	m.HandleFunc("POST /api/link", h.link)
	m.HandleFunc("POST /api/demo", h.demo) // [do]
	m.HandleFunc("/api/", func(w http.ResponseWriter, r *http.Request) {
		writeError(w, &memory.Error{Code: memory.CodeNotFound, Op: "there is no " + r.Method + " " + r.URL.Path})
	})
	if h.Files != nil {
		m.Handle("/", http.HandlerFunc(h.file))
	}
	return h.apart(m)
}

// addRequest names a state directory or a profile.
type addRequest struct {
	StateDir string `json:"stateDir"`
	Profile  string `json:"profile"`
}

func (h *Handler) add(w http.ResponseWriter, r *http.Request) {
	if !h.Trusted {
		writeError(w, &memory.Error{Code: memory.CodeForbidden, Op: "a state directory can only be named on the command line", Hint: "Start tidemark with --state-dir."})
		return
	}
	var req addRequest
	if err := json.NewDecoder(r.Body).Decode(&req); err != nil {
		writeError(w, &memory.Error{Code: memory.CodeInvalid, Op: "read the request", Err: err})
		return
	}
	inst, err := h.Backend.Add(r.Context(), req.StateDir, req.Profile)
	send(w, inst, err)
}

// setSettings replaces the settings. Which state directory is read is not a
// choice that a page may make: it names a folder of this machine.
func (h *Handler) setSettings(w http.ResponseWriter, r *http.Request) {
	q, err := parseQuery(r)
	if err != nil {
		writeError(w, err)
		return
	}
	var to Settings
	if err := json.NewDecoder(r.Body).Decode(&to); err != nil {
		writeError(w, &memory.Error{Code: memory.CodeInvalid, Op: "read the settings", Err: err})
		return
	}
	now, err := h.Backend.Settings(r.Context(), q)
	if err == nil && !h.Trusted && to.StateDir != now.StateDir {
		err = &memory.Error{Code: memory.CodeForbidden, Op: "the state directory cannot be changed from a page in a browser",
			Hint: "Start tidemark with --state-dir, or change it in the window."}
	}
	if err != nil {
		writeError(w, err)
		return
	}
	now, err = h.Backend.SetSettings(r.Context(), q, to)
	send(w, now, err)
}

// changeStatement does what a person decided about a statement.
func (h *Handler) changeStatement(w http.ResponseWriter, r *http.Request) {
	q, err := parseQuery(r)
	if err != nil {
		writeError(w, err)
		return
	}
	var change StatementChange
	if err := json.NewDecoder(r.Body).Decode(&change); err != nil {
		writeError(w, &memory.Error{Code: memory.CodeInvalid, Op: "read what is to be changed", Err: err})
		return
	}
	now, err := h.Backend.ChangeStatement(r.Context(), q, change)
	send(w, now, err)
}

func (h *Handler) link(w http.ResponseWriter, _ *http.Request) {
	if !h.Trusted || h.Link == nil {
		writeError(w, &memory.Error{Code: memory.CodeForbidden, Op: "a link is given on the command line only", Hint: "Run: tidemark serve"})
		return
	}
	url, err := h.Link()
	send(w, Link{URL: url}, err)
}

// reply serves a question whose parameters are in the URL.
func reply(ask func(context.Context, Query) (any, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		q, err := parseQuery(r)
		if err != nil {
			writeError(w, err)
			return
		}
		v, err := ask(r.Context(), q)
		send(w, v, err)
	}
}

func parseQuery(r *http.Request) (Query, error) {
	v := r.URL.Query()
	q := Query{Installation: v.Get("installation"), Agent: v.Get("agent"), Session: v.Get("session"), Refresh: v.Get("refresh") == "1",
		Do: v.Get("do"), Start: v.Get("start") == "1",
		By: v.Get("by"), Zone: v.Get("tz"), From: v.Get("from"), To: v.Get("to"), Model: v.Get("model"), Asked: v.Get("asked"), Priced: v.Get("priced"), Entry: v.Get("entry"),
		ID: v.Get("id"), Speaker: v.Get("speaker"), Tag: v.Get("tag"), State: v.Get("state"), Words: v.Get("words"), Pinned: v.Get("pinned") == "1", Repeated: v.Get("repeated") == "1"}
	for name, into := range map[string]*int{"offset": &q.Offset, "limit": &q.Limit} {
		if v.Get(name) == "" {
			continue
		}
		n, err := strconv.Atoi(v.Get(name))
		if err != nil {
			return q, &memory.Error{Code: memory.CodeInvalid, Op: "read the parameter " + name, Err: err}
		}
		*into = n
	}
	if at := v.Get("at"); at != "" {
		n, err := strconv.ParseInt(at, 10, 64)
		if err != nil {
			return q, &memory.Error{Code: memory.CodeInvalid, Op: "read the parameter at", Hint: "It is a moment in milliseconds since 1970.", Err: err}
		}
		q.At = n
	}
	return q, nil
}

func send(w http.ResponseWriter, v any, err error) {
	if err != nil {
		writeError(w, err)
		return
	}
	body, err := json.Marshal(v)
	if err != nil {
		writeError(w, err)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Write(body)
}

// file serves the front end. A path that is no file is a view of it, whose
// state is in the URL: it gets the page.
func (h *Handler) file(w http.ResponseWriter, r *http.Request) {
	name := strings.TrimPrefix(r.URL.Path, "/")
	if info, err := fs.Stat(h.Files, name); name == "" || err != nil || info.IsDir() {
		if strings.Contains(name, ".") || strings.HasPrefix(name, "assets/") {
			writeError(w, &memory.Error{Code: memory.CodeNotFound, Op: "there is no file " + name})
			return
		}
		name = "index.html"
	}
	if strings.HasPrefix(name, "assets/") { // named by their content
		w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
	} else {
		w.Header().Set("Cache-Control", "no-cache")
	}
	http.ServeFileFS(w, r, h.Files, name)
}
