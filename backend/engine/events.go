package engine

import (
	"context"
	"sync"

	"tidemark/backend/api"
)

// hub hands events on to whoever listens. Nobody who listens slowly holds it
// up: what they did not take yet is merged, so that they miss steps and never
// the end. Safe for concurrent use.
type hub struct {
	mu   sync.Mutex
	subs map[*subscriber]struct{}
}

// subscriber is somebody who listens to one installation.
type subscriber struct {
	installation string
	wake         chan struct{} // holds one while something waits

	// Guarded by hub.mu: what waits.
	status  *api.Status
	changed *api.Changed
}

// publish hands on what is set of an event of an installation.
func (h *hub) publish(installation string, status *api.Status, changed *api.Changed) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for s := range h.subs {
		if s.installation != installation {
			continue
		}
		if status != nil {
			s.status = status
		}
		if changed != nil {
			s.changed = merged(s.changed, changed)
		}
		select {
		case s.wake <- struct{}{}:
		default:
		}
	}
}

// maxNamed is how many sessions one event names; more of them are "all".
const maxNamed = 200

// merged gives one event that says what two say.
func merged(was, now *api.Changed) *api.Changed {
	if was == nil {
		return now
	}
	out := api.Changed{Installation: now.Installation, Revision: now.Revision, All: was.All || now.All}
	seen := map[api.SessionRef]bool{}
	for _, refs := range [][]api.SessionRef{was.Sessions, now.Sessions} {
		for _, ref := range refs {
			if !seen[ref] {
				seen[ref] = true
				out.Sessions = append(out.Sessions, ref)
			}
		}
	}
	if out.All || len(out.Sessions) > maxNamed {
		out.All, out.Sessions = true, nil
	}
	if out.Sessions == nil {
		out.Sessions = []api.SessionRef{}
	}
	return &out
}

// listened says whether anybody listens to an installation.
func (h *hub) listened(installation string) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	for s := range h.subs {
		if s.installation == installation {
			return true
		}
	}
	return false
}

// listen gives the events of an installation, first is the first of them. The
// channel is closed when ctx ends.
func (h *hub) listen(ctx context.Context, installation string, first api.Event) <-chan api.Event {
	s := &subscriber{installation: installation, wake: make(chan struct{}, 1)}
	h.mu.Lock()
	if h.subs == nil {
		h.subs = map[*subscriber]struct{}{}
	}
	h.subs[s] = struct{}{}
	h.mu.Unlock()
	out := make(chan api.Event)
	go func() {
		defer close(out)
		defer h.leave(s)
		for waiting := []api.Event{first}; ; waiting = h.take(s) {
			for _, ev := range waiting {
				select {
				case out <- ev:
				case <-ctx.Done():
					return
				}
			}
			select {
			case <-s.wake:
			case <-ctx.Done():
				return
			}
		}
	}()
	return out
}

func (h *hub) leave(s *subscriber) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.subs, s)
}

// take takes what waits. What changed comes before the status that tells when.
func (h *hub) take(s *subscriber) (waiting []api.Event) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if s.changed != nil {
		waiting = append(waiting, api.Event{Name: "changed", Changed: s.changed})
	}
	if s.status != nil {
		waiting = append(waiting, api.Event{Name: "status", Status: s.status})
	}
	s.changed, s.status = nil, nil
	return waiting
}

// Events gives what happens to an installation until ctx ends: its status at
// once and whenever it changes, and what was read. A caller that takes events
// slowly gets fewer.
func (e *Engine) Events(ctx context.Context, q api.Query) (<-chan api.Event, error) {
	i, err := e.get(q.Installation)
	if err != nil {
		return nil, err
	}
	s, err := e.Status(ctx, q)
	if err != nil {
		return nil, err
	}
	return e.hub.listen(ctx, i.ID, api.Event{Name: "status", Status: &s}), nil
}
