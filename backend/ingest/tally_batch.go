package ingest

import (
	"context"
	"hash/maphash"
	"maps"

	"tidemark/backend/memory"
)

// sessionTally is what must be remembered of a session to count it right.
type sessionTally struct {
	entries map[uint64]struct{}
	mirrors map[string]uint64
	updated memory.Millis
	sources map[memory.SourceOf]struct{}
	// continues says that the session was made from another one; its calls are
	// then kept, since they may turn out to be copies.
	continues bool
	calls     []talliedCall
}

// talliedCall is a call of a session that continues another one.
type talliedCall struct {
	memory.Call
	id      string
	at      memory.Millis
	counted bool
}

// Begin opens a batch.
func (t *Tally) Begin(_ context.Context, agent string, src memory.Source, _ bool) (Batch, error) {
	return &tallyBatch{t: t, agent: t.agent(agent), src: memory.SourceOf{Path: src.Path, Kind: src.Kind}}, nil
}

type tallyBatch struct {
	t     *Tally
	agent *AgentSum
	src   memory.SourceOf
	name  string // of the session that the last entry belonged to
	last  *sessionTally
	era   string
}

func (b *tallyBatch) session(name string) *sessionTally {
	if b.last != nil && b.name == name {
		return b.last
	}
	s, ok := b.agent.sessions[name]
	if !ok {
		s = &sessionTally{entries: map[uint64]struct{}{}, sources: map[memory.SourceOf]struct{}{}}
		b.agent.sessions[name] = s
	}
	s.sources[b.src] = struct{}{}
	b.name, b.last = name, s
	return s
}

// Add counts an entry that was not there before.
func (b *tallyBatch) Add(e *memory.Entry) error {
	s := b.session(e.Session)
	s.updated = max(s.updated, e.At)
	if era := e.Place.Kind.Era(); era != b.era {
		b.era = era
		b.agent.Eras[era] = true
	}
	if e.Kind == memory.KindSession {
		return nil
	}
	id := maphash.String(b.t.seed, e.ID)
	before := len(s.entries)
	s.entries[id] = struct{}{}
	if len(s.entries) == before {
		return nil
	}
	sum := &b.agent.Sum
	switch e.Kind {
	case memory.KindCompaction:
		sum.Compactions++
	case memory.KindMessage:
		if s.double(e, id) {
			break
		}
		sum.Messages++
		if e.Role == memory.RoleUser {
			sum.UserMessages++
		}
	}
	if e.Call != nil {
		b.call(s, e)
	}
	return nil
}

// First is asked for nothing: where nothing is stored nobody listens.
func (b *tallyBatch) First(int64) (bool, error) { return false, nil }

// double says that a message is the second row of one that is stored twice.
func (s *sessionTally) double(e *memory.Entry, id uint64) bool {
	if e.Mirror == "" {
		return false
	}
	if s.mirrors == nil {
		s.mirrors = map[string]uint64{}
	}
	first, ok := s.mirrors[e.Mirror]
	if !ok {
		s.mirrors[e.Mirror] = id
	}
	return ok && first != id
}

func (b *tallyBatch) call(s *sessionTally, e *memory.Entry) {
	before := len(b.t.calls)
	b.t.calls[e.Call.Once] = struct{}{}
	counted := len(b.t.calls) != before
	if counted {
		b.t.count(b.agent, e.Call, 1)
	}
	if s.continues {
		s.calls = append(s.calls, talliedCall{*e.Call, e.ID, e.At, counted})
	}
}

// count adds a call to the sums of an agent, or with n = -1 takes it off.
func (t *Tally) count(a *AgentSum, c *memory.Call, n int64) {
	sum := &a.Sum
	sum.Calls += n
	u := &sum.Usage
	u.Input, u.Output, u.CacheRead, u.CacheWrite = u.Input+n*c.Usage.Input, u.Output+n*c.Usage.Output, u.CacheRead+n*c.Usage.CacheRead, u.CacheWrite+n*c.Usage.CacheWrite
	sum.Cost += memory.Money(n) * c.Cost
	unpriced := c.Price == memory.PriceUnknown
	if unpriced {
		sum.Unpriced += n
	}
	if !unpriced && c.Reported {
		return
	}
	key := modelKey{c.Provider, c.Model, c.Price}
	m, ok := a.models[key]
	if !ok {
		m = &memory.UsageSlice{Agent: a.ID, Provider: c.Provider, Model: c.Model, Price: c.Price}
		a.models[key] = m
	}
	if unpriced {
		m.Unpriced += n
	}
	if !c.Reported {
		m.Unreported += n
	}
	if c.Usage.Invalid {
		m.Damaged += n
	}
}

// Rename gives a session another name. In one pass the database comes first,
// so it only happens to a session of which a header and nothing else is known.
func (b *tallyBatch) Rename(from, to string) error {
	old, ok := b.agent.sessions[from]
	if !ok {
		return nil
	}
	delete(b.agent.sessions, from)
	b.last = nil
	s := b.session(to)
	maps.Copy(s.entries, old.entries)
	maps.Copy(s.sources, old.sources)
	s.updated = max(s.updated, old.updated)
	s.calls = append(s.calls, old.calls...)
	return nil
}

// Root says that a session continues another one.
func (b *tallyBatch) Root(session, _ string) error {
	b.session(session).continues = true
	return nil
}

// Restart has nothing to forget: everything is read once.
func (b *tallyBatch) Restart() error { return nil }

// Commit keeps the problems.
func (b *tallyBatch) Commit(cp memory.Checkpoint, problems []memory.Problem) error {
	b.agent.known[b.src.Path] = Known{Checkpoint: memory.Checkpoint{Session: cp.Session}}
	b.t.Problems = append(b.t.Problems, problems...)
	return nil
}

// Close has nothing to throw away.
func (b *tallyBatch) Close() {}
