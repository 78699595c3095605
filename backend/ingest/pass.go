package ingest

import (
	"context"
	"errors"
	"time"

	"tidemark/backend/memory"
)

// Roster is what an installation holds at the beginning of a pass.
type Roster struct {
	Agents   []AgentHistory
	Problems []memory.Problem // of configuration and roster
}

// AgentHistory is an agent and where its history lies.
type AgentHistory struct {
	memory.Agent
	Sources []memory.Source
	Prices  Pricer
	// NotesStamp changes when Notes may give something new.
	NotesStamp string
	// Notes reads what OpenClaw notes of sessions beside the transcripts.
	Notes func(context.Context) ([]memory.SessionMeta, []memory.Problem)
}

// Sink takes what a source yields, as the reader of OpenClaw's files defines
// it.
type Sink interface {
	Entry(session string, ev *memory.Event, at memory.Place) error
	Commit(cp memory.Checkpoint) error
	Problem(memory.Problem)
}

// History finds and reads an installation's history.
type History interface {
	Roster(ctx context.Context) (Roster, error)
	Read(ctx context.Context, src memory.Source, cp memory.Checkpoint, texts bool, sink Sink) error
}

// Known is what a store knows of a source.
type Known struct {
	Checkpoint memory.Checkpoint
	Gone       bool
}

// Store keeps entries and how far each source was read. Its methods are called
// by one goroutine at a time.
type Store interface {
	// Agents lists the agents that the store knows of; SetAgents says which
	// there are now.
	Agents(ctx context.Context) ([]string, error)
	SetAgents(ctx context.Context, agents []memory.Agent) error
	// Known gives what is known of the sources of an agent, by path.
	Known(ctx context.Context, agent string) (map[string]Known, error)
	Marks(ctx context.Context, agent, path string) (map[string]memory.Mark, error)
	Names(ctx context.Context, agent string) ([]Named, error)
	// Begin opens a batch for a source, fresh where it is read from its
	// beginning. What batches commit is durable after Flush at the latest; the
	// methods that follow see it, and flush.
	Begin(ctx context.Context, agent string, src memory.Source, fresh bool) (Batch, error)
	Flush(ctx context.Context) error
	SetGone(ctx context.Context, agent string, paths []string, at memory.Millis) error
	// Move notes that a source has another name and kind now.
	Move(ctx context.Context, agent, from, to string, kind memory.SourceKind) error
	// Reroot tells the calls of a session apart anew, for another root: once
	// gives the new Call.Once of the entry with this id and time.
	Reroot(ctx context.Context, agent, session, root string, once func(id string, at memory.Millis) uint64) error
	SetNotes(ctx context.Context, agent string, notes []memory.SessionMeta) error
	// SetProblems replaces the problems of a part of the pass. SetUnread notes
	// that a source could not be read; reading it takes that away.
	SetProblems(ctx context.Context, scope string, problems []memory.Problem) error
	SetUnread(ctx context.Context, p memory.Problem) error
	Meta(ctx context.Context, key string) (string, error)
	SetMeta(ctx context.Context, key, value string) error
}

// Batch takes the entries of one source.
type Batch interface {
	Add(e *memory.Entry) error
	// First notes what tells a message, and says whether it was not noted yet.
	First(key int64) (bool, error)
	// Rename gives a session of the agent another id; where both are there
	// they become one.
	Rename(from, to string) error
	// Root notes for which root the calls of a session are told apart.
	Root(session, root string) error
	// Restart says that the source was replaced: the problems that it had are
	// void.
	Restart() error
	Commit(cp memory.Checkpoint, problems []memory.Problem) error
	Close()
}

// Progress tells how far a pass is. Bytes count what of the changed sources is
// new; of a database, and of a packed file, that is an estimate.
type Progress struct {
	Agent       string `json:"agent"`
	Sources     int    `json:"sources"`
	SourcesDone int    `json:"sourcesDone"`
	Bytes       int64  `json:"bytes"`
	BytesDone   int64  `json:"bytesDone"`
}

// Pass is one look at an installation.
type Pass struct {
	Installation string
	History      History
	Store        Store
	Mask         func(string) string
	Now          func() time.Time
	// Texts asks for texts to be kept.
	Texts bool
	// Listener, where set, hears what people say.
	Listener Listener
	// Redact, where set, takes what a person had forgotten out of the text of an
	// entry.
	Redact func(text string, role memory.Role, at memory.Millis) string
	// Progress, where set, is called now and then.
	Progress func(Progress)
	// Hold, where set, is asked between commits: a channel that it gives holds
	// the pass, with everything so far made durable, until it is closed.
	Hold func() <-chan struct{}
	// Planned, where set, is called when it is known how many sources are to be
	// read, before any is.
	Planned func(ctx context.Context, sources int) error

	progress Progress
	done     int64 // bytes of the sources that are done
}

// Result says what a pass did.
type Result struct {
	Changed int  // sources that were read
	Gone    int  // sources that were found to be gone
	Failed  int  // sources that could not be read to their end now
	Noted   bool // what stands beside the transcripts was read again
	// Touched are the sessions that anything was read of, by agent.
	Touched map[string]map[string]bool
}

// Run makes the pass. An error means that the store or the roster failed or
// that ctx ended it; what was committed by then is kept. A source that cannot
// be read is a problem and no error.
func (p *Pass) Run(ctx context.Context) (res Result, err error) {
	res.Touched = map[string]map[string]bool{}
	roster, err := p.History.Roster(ctx)
	if err != nil {
		return res, err
	}
	defer func() { err = errors.Join(err, p.Store.Flush(context.WithoutCancel(ctx))) }()
	agents := make([]memory.Agent, len(roster.Agents))
	for i, a := range roster.Agents {
		agents[i] = a.Agent
	}
	if err := p.Store.SetAgents(ctx, agents); err != nil {
		return res, err
	}
	if err := p.Store.SetProblems(ctx, "roster", p.masked(roster.Problems)); err != nil {
		return res, err
	}
	todo, err := p.plan(ctx, roster.Agents)
	if err != nil {
		return res, err
	}
	if p.Planned != nil {
		if err := p.Planned(ctx, p.progress.Sources); err != nil {
			return res, err
		}
	}
	for _, ap := range todo {
		if err := ap.run(ctx, &res); err != nil {
			return res, err
		}
	}
	return res, nil
}

func (p *Pass) masked(problems []memory.Problem) []memory.Problem {
	out := make([]memory.Problem, len(problems))
	for i, pr := range problems {
		pr.Message = p.Mask(pr.Message)
		out[i] = pr
	}
	return out
}
