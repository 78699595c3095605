package engine

import (
	"context"
	"maps"
	"slices"

	"tidemark/backend/memory"
	"tidemark/backend/openclaw"
)

// sessions finds the sessions and messages that the files do not have any
// more, and the times of all that is carried.
func (r *restorer) sessions(ctx context.Context, all []memory.SessionSummary) error {
	now, err := r.s.Counted(ctx, r.agent)
	if err != nil {
		return err
	}
	carried := map[string]*memory.SessionSummary{}
	get := func(id string) *memory.SessionSummary {
		if carried[id] == nil {
			carried[id] = &memory.SessionSummary{Session: id}
		}
		return carried[id]
	}
	for _, s := range all {
		subject, digest := sessionDigest(s)
		r.digests[subject] = digest
		there, ok := now[s.Session]
		if more, user := s.Messages-there.Messages, s.UserMessages-there.UserMessages; !ok || more > 0 || user > 0 {
			c := get(s.Session)
			c.Messages, c.UserMessages, c.Parent = max(more, 0), max(user, 0), s.Parent
			span(c, s.Started, s.Updated)
		}
		if s.Key != "" && there.Key == "" {
			n := s.Notes
			n.SessionID, n.Background = s.Session, openclaw.ParseKey(s.Key).Background()
			r.out.Notes = append(r.out.Notes, n)
		}
	}
	for _, u := range r.out.Usage {
		span(get(u.Session), u.First, u.Last)
	}
	for _, k := range r.out.Compactions {
		span(get(k.Session), k.At, k.At)
	}
	for _, id := range slices.Sorted(maps.Keys(carried)) {
		r.out.Sessions = append(r.out.Sessions, *carried[id])
	}
	return nil
}

// span widens the time of a session.
func span(s *memory.SessionSummary, from, to memory.Millis) {
	if from != 0 && (s.Started == 0 || from < s.Started) {
		s.Started = from
	}
	s.Updated = max(s.Updated, to)
}
