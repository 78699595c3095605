package api

import (
	"context"
	"net/http"
	"strings"

	"tidemark/backend/memory"
)

// Demo is an invented installation that can be opened beside the person's own.
// It has a data directory of its own: its numbers never come near theirs, and
// to remove it touches nothing else. Its methods may be called at once.
type Demo interface {
	// Open opens it, where it is not open yet, and gives it.
	Open(ctx context.Context) (Installation, error)
	// Remove closes it and deletes everything of it.
	Remove(ctx context.Context) error
	// Opened gives it where it is open.
	Opened() (Installation, bool)
	// Handler answers what is asked about the installation of that id; nil
	// where the demo is not open or is another one.
	Handler(installation string) http.Handler
}

// demo opens the invented installation, or with do=remove removes it.
func (h *Handler) demo(w http.ResponseWriter, r *http.Request) {
	do := r.URL.Query().Get("do")
	switch {
	case h.Demo == nil:
		writeError(w, &memory.Error{Code: memory.CodeNotFound, Op: "there is no demo to open here", Hint: "Start it with: tidemark --demo"})
	case do == "":
		inst, err := h.Demo.Open(r.Context())
		send(w, inst, err)
	case do == "remove":
		send(w, struct{}{}, h.Demo.Remove(r.Context()))
	default:
		writeError(w, &memory.Error{Code: memory.CodeInvalid, Op: "do " + do + " with the demo", Hint: "Leave do out, or use do=remove."})
	}
}

// installations lists the demo behind the others.
func (h *Handler) installations(ctx context.Context, _ Query) (any, error) {
	all, err := h.Backend.Installations(ctx)
	if err != nil || h.Demo == nil {
		return all, err
	}
	if inst, ok := h.Demo.Opened(); ok {
		all = append(all, inst)
	}
	return all, nil
}

// apart sends questions about the demo to its own handler, all others on.
func (h *Handler) apart(next http.Handler) http.Handler {
	if h.Demo == nil {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/api/") && r.URL.Path != "/api/demo" {
			if own := h.Demo.Handler(r.URL.Query().Get("installation")); own != nil {
				own.ServeHTTP(w, r)
				return
			}
		}
		next.ServeHTTP(w, r)
	})
}
