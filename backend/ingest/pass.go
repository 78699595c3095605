package ingest

import (
	"context"
	"errors"
	"fmt"
	"sort"
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

// Store keeps entries and how far each source was read.
type Store interface {
	SetAgents(ctx context.Context, agents []memory.Agent) error
	Known(ctx context.Context, agent string) (map[string]Known, error)
	Marks(ctx context.Context, agent, path string) (map[string]memory.Mark, error)
	Names(ctx context.Context, agent string) ([]Named, error)
	Begin(ctx context.Context, agent string, src memory.Source, fresh bool) (Batch, error)
	SetGone(ctx context.Context, agent string, paths []string, at memory.Millis) error
	SetNotes(ctx context.Context, agent string, notes []memory.SessionMeta) error
	SetProblems(ctx context.Context, scope string, problems []memory.Problem) error
	Meta(ctx context.Context, key string) (string, error)
	SetMeta(ctx context.Context, key, value string) error
}

// Batch takes the entries of one source.
type Batch interface {
	Add(e *memory.Entry) error
	// Rename gives a session of the agent another id.
	Rename(from, to string) error
	Commit(cp memory.Checkpoint, problems []memory.Problem) error
	Close()
}

// Progress tells how far a pass is. Bytes count what of the changed sources
// was looked at.
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
	// Progress, where set, is called now and then.
	Progress func(Progress)

	progress Progress
}

// Result says what a pass did.
type Result struct {
	Changed int // sources that were read
	Gone    int // sources that were found to be gone
	Failed  int // sources that could not be read to their end now
}

// Run makes the pass. An error means that the store or the roster failed or
// that ctx ended it; a source that cannot be read is a problem and no error.
func (p *Pass) Run(ctx context.Context) (Result, error) {
	roster, err := p.History.Roster(ctx)
	if err != nil {
		return Result{}, err
	}
	agents := make([]memory.Agent, len(roster.Agents))
	for i, a := range roster.Agents {
		agents[i] = a.Agent
	}
	if err := p.Store.SetAgents(ctx, agents); err != nil {
		return Result{}, err
	}
	if err := p.Store.SetProblems(ctx, "roster", p.masked(roster.Problems)); err != nil {
		return Result{}, err
	}
	var res Result
	var todo []*agentPass
	for _, a := range roster.Agents {
		ap, err := p.plan(ctx, a)
		if err != nil {
			return res, err
		}
		todo = append(todo, ap)
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

// agentPass is the part of a pass that looks at one agent.
type agentPass struct {
	*Pass
	agent   AgentHistory
	known   map[string]Known
	changed []memory.Source
	gone    []string
	fold    fold
}

// plan finds out what has to be read of an agent.
func (p *Pass) plan(ctx context.Context, a AgentHistory) (*agentPass, error) {
	known, err := p.Store.Known(ctx, a.ID)
	if err != nil {
		return nil, err
	}
	ap := &agentPass{Pass: p, agent: a, known: known}
	here := map[string]bool{}
	for _, src := range a.Sources {
		here[src.Path] = true
		if k, ok := known[src.Path]; ok && k.Checkpoint.Stamp == src.Stamp && !k.Gone {
			continue
		}
		ap.changed = append(ap.changed, src)
		p.progress.Sources++
		p.progress.Bytes += src.Stamp.Size + src.Stamp.Wal
	}
	for path, k := range known {
		if !here[path] && !k.Gone {
			ap.gone = append(ap.gone, path)
		}
	}
	sort.Strings(ap.gone)
	sort.SliceStable(ap.changed, func(i, j int) bool { return earlier(ap.changed[i], ap.changed[j]) })
	ap.fold = fold{scope: p.Installation + "/" + a.ID, texts: p.Texts, mask: p.Mask, prices: a.Prices}
	return ap, nil
}

// earlier orders sources: the database first, since its ids and rows win, then
// files by age, so that a transcript comes before those made from it.
func earlier(a, b memory.Source) bool {
	if da, db := a.Kind == memory.SourceDatabase, b.Kind == memory.SourceDatabase; da != db {
		return da
	}
	if a.Stamp.MTime != b.Stamp.MTime {
		return a.Stamp.MTime < b.Stamp.MTime
	}
	return a.Path < b.Path
}

func (ap *agentPass) run(ctx context.Context, res *Result) error {
	if len(ap.changed) > 0 {
		if err := ap.name(ctx); err != nil {
			return err
		}
	}
	for _, src := range ap.changed {
		ok, err := ap.source(ctx, src)
		if err != nil {
			return err
		}
		res.Changed++
		if !ok {
			res.Failed++
		}
		ap.progress.SourcesDone++
		ap.progress.BytesDone += src.Stamp.Size + src.Stamp.Wal
		ap.report()
	}
	if len(ap.gone) > 0 {
		res.Gone += len(ap.gone)
		if err := ap.Store.SetGone(ctx, ap.agent.ID, ap.gone, memory.MillisOf(ap.Now())); err != nil {
			return err
		}
	}
	return ap.notes(ctx)
}

func (ap *agentPass) report() {
	ap.progress.Agent = ap.agent.ID
	if ap.Progress != nil {
		ap.Progress(ap.progress)
	}
}

// name loads what is known of the agent's sessions.
func (ap *agentPass) name(ctx context.Context) error {
	known, err := ap.Store.Names(ctx, ap.agent.ID)
	if err != nil {
		return err
	}
	ap.fold.names = newNames(known)
	for _, src := range ap.agent.Sources {
		if k, ok := ap.known[src.Path]; ok && src.Base != "" && k.Checkpoint.Session != "" {
			ap.fold.names.base[src.Base] = k.Checkpoint.Session
		}
	}
	return nil
}

// source reads one source. ok is false where it could not be read to its end.
func (ap *agentPass) source(ctx context.Context, src memory.Source) (ok bool, err error) {
	cp := ap.known[src.Path].Checkpoint
	if src.Kind == memory.SourceDatabase {
		if cp.Marks, err = ap.Store.Marks(ctx, ap.agent.ID, src.Path); err != nil {
			return false, err
		}
	}
	fresh := cp.Offset == 0 && len(cp.Marks) == 0
	batch, err := ap.Store.Begin(ctx, ap.agent.ID, src, fresh)
	if err != nil {
		return false, err
	}
	defer batch.Close()
	in := &intake{ap: ap, src: src, batch: batch}
	err = ap.History.Read(ctx, src, cp, ap.Texts, in)
	if in.failed != nil || ctx.Err() != nil {
		return false, errors.Join(in.failed, ctx.Err())
	}
	if err != nil {
		return false, ap.unread(ctx, src, err)
	}
	return true, nil
}

// unread notes a source that could not be read to its end. It is tried again
// in the next pass.
func (ap *agentPass) unread(ctx context.Context, src memory.Source, err error) error {
	return ap.Store.SetProblems(ctx, "unread:"+src.Path, []memory.Problem{{Code: memory.ProblemUnreadable, Path: src.Path, Count: 1,
		Message: ap.Mask("could not be read to its end: " + err.Error()), Hint: "It is tried again at the next look. If it stays, check its permissions."}})
}

// notes reads what stands beside the transcripts, where it may have changed.
func (ap *agentPass) notes(ctx context.Context) error {
	key := "notes/" + ap.agent.ID
	old, err := ap.Store.Meta(ctx, key)
	if err != nil || ap.agent.Notes == nil || old == ap.agent.NotesStamp && len(ap.changed) == 0 {
		return err
	}
	notes, problems := ap.agent.Notes(ctx)
	if err := ap.nameNotes(ctx, notes); err != nil {
		return err
	}
	for i := range notes {
		for _, s := range []*string{&notes[i].Label, &notes[i].DisplayName} {
			*s = ap.Mask(*s)
		}
	}
	if err := ap.Store.SetNotes(ctx, ap.agent.ID, notes); err != nil {
		return fmt.Errorf("keep notes: %w", err)
	}
	if err := ap.Store.SetProblems(ctx, key, ap.masked(problems)); err != nil {
		return err
	}
	return ap.Store.SetMeta(ctx, key, ap.agent.NotesStamp)
}

// nameNotes gives each note the name under which its session is kept: the one
// in its transcript's header, where that is not the one in the row.
func (ap *agentPass) nameNotes(ctx context.Context, notes []memory.SessionMeta) error {
	known, err := ap.Store.Names(ctx, ap.agent.ID)
	if err != nil {
		return err
	}
	there := map[string]bool{}
	for _, k := range known {
		there[k.Session] = true
	}
	now, err := ap.Store.Known(ctx, ap.agent.ID)
	if err != nil {
		return err
	}
	base := map[string]string{}
	for _, src := range ap.agent.Sources {
		if s := now[src.Path].Checkpoint.Session; s != "" && src.Base != "" {
			base[src.Base] = s
		}
	}
	for i := range notes {
		if s := base[notes[i].Base]; !there[notes[i].SessionID] && s != "" {
			notes[i].SessionID = s
		}
	}
	return nil
}
