package api

import (
	"encoding/json"
	"fmt"
	"net/http"
	"time"
)

// pingEvery is how often a stream without events says that it is there, so
// that whoever reads it notices that it is not.
const pingEvery = 15 * time.Second

// events streams what happens to an installation as server-sent events: the
// name of each is Event.Name, its data an Event as JSON. It ends when the
// client goes away or the process ends.
func (h *Handler) events(w http.ResponseWriter, r *http.Request) {
	q, err := parseQuery(r)
	if err != nil {
		writeError(w, err)
		return
	}
	ctx := r.Context()
	all, err := h.Backend.Events(ctx, q)
	if err != nil {
		writeError(w, err)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-store")
	out, err := newOpenEnded(w)
	if err != nil {
		writeError(w, err)
		return
	}
	ping := time.NewTicker(pingEvery)
	defer ping.Stop()
	for {
		var text []byte
		select {
		case ev, ok := <-all:
			if !ok {
				return
			}
			body, err := json.Marshal(ev)
			if err != nil { // of strings and numbers
				return
			}
			text = fmt.Appendf(nil, "event: %s\ndata: %s\n\n", ev.Name, body)
		case <-ping.C:
			text = []byte(": here\n\n")
		}
		if _, err := out.Write(text); err != nil {
			return
		}
	}
}
