package ingest

import (
	"context"
	"hash/maphash"
	"sort"

	"tidemark/backend/memory"
)

// Tally is a Store that keeps only sums: what `scan --no-store` needs. It
// counts by the same rules as the index: an entry once by session and id, a
// message that is stored twice once, a call once by what it says.
type Tally struct {
	agents   map[string]*AgentSum
	order    []string
	Problems []memory.Problem
	seed     maphash.Seed
	calls    map[uint64]struct{}
}

// Sum is what was counted. Usage.Cost is the sum of priced calls.
type Sum struct {
	Sessions     int64
	Messages     int64
	UserMessages int64
	Compactions  int64
	Calls        int64
	Unpriced     int64
	Usage        memory.Usage
	Cost         memory.Money
}

// AgentSum is what was counted of one agent.
type AgentSum struct {
	memory.Agent
	Sum
	Eras map[string]bool

	sessions map[string]*sessionTally
}

type sessionTally struct {
	entries map[uint64]struct{}
	mirrors map[string]uint64
}

// NewTally gives an empty tally.
func NewTally() *Tally {
	return &Tally{agents: map[string]*AgentSum{}, seed: maphash.MakeSeed(), calls: map[uint64]struct{}{}}
}

// Agents gives the sums by agent, in the order of the roster.
func (t *Tally) Agents() []*AgentSum {
	out := make([]*AgentSum, 0, len(t.order))
	for _, id := range t.order {
		a := t.agents[id]
		a.Sessions = int64(len(a.sessions))
		out = append(out, a)
	}
	return out
}

// SetAgents notes the roster.
func (t *Tally) SetAgents(_ context.Context, agents []memory.Agent) error {
	for _, a := range agents {
		t.agent(a.ID).Agent = a
	}
	return nil
}

func (t *Tally) agent(id string) *AgentSum {
	a, ok := t.agents[id]
	if !ok {
		a = &AgentSum{Agent: memory.Agent{ID: id}, Eras: map[string]bool{}, sessions: map[string]*sessionTally{}}
		t.agents[id] = a
		t.order = append(t.order, id)
	}
	return a
}

// Known knows of no source: everything is read.
func (t *Tally) Known(context.Context, string) (map[string]Known, error) { return nil, nil }

// Marks knows of no row.
func (t *Tally) Marks(context.Context, string, string) (map[string]memory.Mark, error) {
	return nil, nil
}

// Names knows of no session.
func (t *Tally) Names(context.Context, string) ([]Named, error) { return nil, nil }

// SetGone has nothing to note.
func (t *Tally) SetGone(context.Context, string, []string, memory.Millis) error { return nil }

// SetNotes has nothing to note.
func (t *Tally) SetNotes(context.Context, string, []memory.SessionMeta) error { return nil }

// SetProblems keeps the problems.
func (t *Tally) SetProblems(_ context.Context, _ string, problems []memory.Problem) error {
	t.Problems = append(t.Problems, problems...)
	return nil
}

// Meta keeps nothing between passes.
func (t *Tally) Meta(context.Context, string) (string, error) { return "", nil }

// SetMeta keeps nothing between passes.
func (t *Tally) SetMeta(context.Context, string, string) error { return nil }

// Begin opens a batch.
func (t *Tally) Begin(_ context.Context, agent string, src memory.Source, _ bool) (Batch, error) {
	return &tallyBatch{t: t, agent: t.agent(agent)}, nil
}

// SortProblems orders problems by code, path and line.
func SortProblems(problems []memory.Problem) {
	sort.SliceStable(problems, func(i, j int) bool {
		a, b := problems[i], problems[j]
		if a.Code != b.Code {
			return a.Code < b.Code
		}
		if a.Path != b.Path {
			return a.Path < b.Path
		}
		if a.Line != b.Line {
			return a.Line < b.Line
		}
		return a.Message < b.Message
	})
}

type tallyBatch struct {
	t     *Tally
	agent *AgentSum
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
		s = &sessionTally{entries: map[uint64]struct{}{}}
		b.agent.sessions[name] = s
	}
	b.name, b.last = name, s
	return s
}

// Add counts an entry that was not there before.
func (b *tallyBatch) Add(e *memory.Entry) error {
	s := b.session(e.Session)
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
		b.call(sum, e.Call)
	}
	return nil
}

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

func (b *tallyBatch) call(sum *Sum, c *memory.Call) {
	before := len(b.t.calls)
	b.t.calls[c.Once] = struct{}{}
	if len(b.t.calls) == before {
		return
	}
	sum.Calls++
	if c.Price == memory.PriceUnknown {
		sum.Unpriced++
	}
	u := &sum.Usage
	u.Input, u.Output, u.CacheRead, u.CacheWrite = u.Input+c.Usage.Input, u.Output+c.Usage.Output, u.CacheRead+c.Usage.CacheRead, u.CacheWrite+c.Usage.CacheWrite
	sum.Cost += c.Cost
}

// Rename gives a session another name. In one pass the database comes first,
// so it does not happen; the tally stays right if it does.
func (b *tallyBatch) Rename(from, to string) error {
	if s, ok := b.agent.sessions[from]; ok {
		delete(b.agent.sessions, from)
		b.agent.sessions[to] = s
	}
	b.last = nil
	return nil
}

// Commit keeps the problems.
func (b *tallyBatch) Commit(_ memory.Checkpoint, problems []memory.Problem) error {
	b.t.Problems = append(b.t.Problems, problems...)
	return nil
}

// Close has nothing to throw away.
func (b *tallyBatch) Close() {}
