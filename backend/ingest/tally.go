package ingest

import (
	"context"
	"hash/maphash"
	"sort"

	"tidemark/backend/memory"
)

// Tally is a Store that keeps only sums: what `scan --no-store` needs. It
// counts by the same rules as the index: an entry once by session and id, a
// message that is stored twice once, a call once by what it says. It is for
// one pass.
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
	models   map[modelKey]*memory.UsageSlice
	known    map[string]Known // whose session a source ends with
	notes    []memory.SessionMeta
}

// modelKey tells calls apart that show a problem together.
type modelKey struct {
	provider, model string
	price           memory.PriceSource
}

// NewTally gives an empty tally.
func NewTally() *Tally {
	return &Tally{agents: map[string]*AgentSum{}, seed: maphash.MakeSeed(), calls: map[uint64]struct{}{}}
}

// Sums gives the sums by agent, in the order of the roster.
func (t *Tally) Sums() []*AgentSum {
	out := make([]*AgentSum, 0, len(t.order))
	for _, id := range t.order {
		a := t.agents[id]
		a.Sessions = int64(len(a.sessions))
		out = append(out, a)
	}
	return out
}

// Models sums up the calls of each model as far as they show a problem: those
// without a price and those of which no usage was reported.
func (t *Tally) Models() (found []memory.UsageSlice) {
	for _, id := range t.order {
		for _, m := range t.agents[id].models {
			found = append(found, *m)
		}
	}
	return found
}

// Noted gives the sessions that OpenClaw notes something of beside their
// transcripts, with the time of their last entry and nothing else.
func (t *Tally) Noted() (found []memory.SessionSummary) {
	for _, id := range t.order {
		a := t.agents[id]
		for _, n := range a.notes {
			s, ok := a.sessions[n.SessionID]
			if !ok {
				continue
			}
			one := memory.SessionSummary{Agent: id, Session: n.SessionID, Key: n.Key, Current: n.Current, Notes: n, Updated: s.updated}
			for src := range s.sources {
				one.Sources = append(one.Sources, src)
			}
			sort.Slice(one.Sources, func(i, j int) bool {
				a, b := one.Sources[i], one.Sources[j]
				return a.Kind < b.Kind || a.Kind == b.Kind && a.Path < b.Path
			})
			found = append(found, one)
		}
	}
	return found
}

func (t *Tally) agent(id string) *AgentSum {
	a, ok := t.agents[id]
	if !ok {
		a = &AgentSum{Agent: memory.Agent{ID: id}, Eras: map[string]bool{}, sessions: map[string]*sessionTally{}, models: map[modelKey]*memory.UsageSlice{}, known: map[string]Known{}}
		t.agents[id] = a
		t.order = append(t.order, id)
	}
	return a
}

// Agents knows of none.
func (t *Tally) Agents(context.Context) ([]string, error) { return nil, nil }

// SetAgents notes the roster.
func (t *Tally) SetAgents(_ context.Context, agents []memory.Agent) error {
	for _, a := range agents {
		t.agent(a.ID).Agent = a
	}
	return nil
}

// Known knows of the sources that were read, in this pass, whose session they
// end with: before it everything is new.
func (t *Tally) Known(_ context.Context, agent string) (map[string]Known, error) {
	return t.agent(agent).known, nil
}

// Marks knows of no row.
func (t *Tally) Marks(context.Context, string, string) (map[string]memory.Mark, error) {
	return nil, nil
}

// Names knows the sessions that were read so far, and no more of them.
func (t *Tally) Names(_ context.Context, agent string) ([]Named, error) {
	var found []Named
	for id := range t.agent(agent).sessions {
		found = append(found, Named{Session: id})
	}
	return found, nil
}

// Flush has nothing to make durable.
func (t *Tally) Flush(context.Context) error { return nil }

// SetGone has nothing to note.
func (t *Tally) SetGone(context.Context, string, []string, memory.Millis) error { return nil }

// Move has nothing to note.
func (t *Tally) Move(context.Context, string, string, string, memory.SourceKind) error { return nil }

// SetNotes keeps the notes.
func (t *Tally) SetNotes(_ context.Context, agent string, notes []memory.SessionMeta) error {
	t.agent(agent).notes = notes
	return nil
}

// SetProblems keeps the problems.
func (t *Tally) SetProblems(_ context.Context, _ string, problems []memory.Problem) error {
	t.Problems = append(t.Problems, problems...)
	return nil
}

// SetUnread keeps the problem.
func (t *Tally) SetUnread(ctx context.Context, p memory.Problem) error {
	return t.SetProblems(ctx, "", []memory.Problem{p})
}

// Meta keeps nothing between passes.
func (t *Tally) Meta(context.Context, string) (string, error) { return "", nil }

// SetMeta keeps nothing between passes.
func (t *Tally) SetMeta(context.Context, string, string) error { return nil }

// Reroot counts the calls of a session anew, for another root.
func (t *Tally) Reroot(_ context.Context, agent, session, _ string, once func(id string, at memory.Millis) uint64) error {
	a := t.agent(agent)
	s, ok := a.sessions[session]
	if !ok {
		return nil
	}
	for i := range s.calls {
		c := &s.calls[i]
		if now := once(c.id, c.at); now != c.Once {
			if c.counted {
				t.count(a, &c.Call, -1)
			}
			c.Once = now
			_, there := t.calls[now]
			if c.counted = !there; c.counted {
				t.calls[now] = struct{}{}
				t.count(a, &c.Call, 1)
			}
		}
	}
	return nil
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
