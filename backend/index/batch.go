package index

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"tidemark/backend/memory"
)

// Batch writes what a source yields. It is used by one goroutine and ends with
// Close, which throws away what was not committed.
type Batch struct {
	s     *Store
	ctx   context.Context
	src   memory.Source
	agent string
	fresh bool

	agentRow int64 // 0 before the first entry
	source   int64
	begun    bool // something was written since the last commit
	failed   bool // the transaction cannot go on
	restart  bool // the source is read from its beginning although it was read before

	sessions map[string]*sessionDelta
}

// Begin opens a batch for a source of an agent. Where fresh is set the source
// is read from its beginning, and the problems that it had are forgotten.
// Nothing is written before the first entry or commit.
func (s *Store) Begin(ctx context.Context, agent string, src memory.Source, fresh bool) (*Batch, error) {
	if _, err := s.open(ctx); err != nil {
		return nil, err
	}
	// A statement that ctx can end costs a goroutine; there are millions.
	return &Batch{s: s, ctx: context.WithoutCancel(ctx), src: src, agent: agent, fresh: fresh, sessions: map[string]*sessionDelta{}}, nil
}

// savepoint is the name of the place in the transaction where a source begins.
const savepoint = "source"

// Close throws away what was not committed.
func (b *Batch) Close() {
	switch {
	case b.failed:
		b.s.abandon()
	case b.begun:
		_, err := b.s.group.tx.ExecContext(b.ctx, "ROLLBACK TO "+savepoint+"; RELEASE "+savepoint)
		if err != nil {
			b.s.abandon()
		}
		b.s.forgetRows()
	}
	b.begun = false
	if g := b.s.group; g != nil {
		g.batch = nil
	}
}

// begin makes sure that the batch is in a transaction.
func (b *Batch) begin() error {
	if b.begun {
		return nil
	}
	g, err := b.s.open(b.ctx)
	if err != nil {
		return err
	}
	if _, err := g.tx.ExecContext(b.ctx, "SAVEPOINT "+savepoint); err != nil {
		b.failed = true
		return fmt.Errorf("write index: %w", err)
	}
	b.begun, g.batch = true, b
	if b.agentRow != 0 {
		return nil
	}
	if err := b.identify(); err != nil {
		b.failed = true
		return fmt.Errorf("begin source: %w", err)
	}
	return nil
}

// identify finds or adds the rows of the agent and the source.
func (b *Batch) identify() error {
	row, ok := b.s.agents[b.agent]
	if !ok {
		if err := b.row(addAgent, []any{b.s.id, b.agent}, &row); err != nil {
			return err
		}
		b.s.agents[b.agent] = row
	}
	if err := b.row(addSource, []any{row, b.src.Path, b.src.Kind}, &b.source); err != nil {
		return err
	}
	b.agentRow = row
	if err := b.exec(forgetProblems, b.s.id, unreadScope+b.src.Path); err != nil {
		return err
	}
	if !b.fresh {
		return nil
	}
	return b.exec(forgetProblems, b.s.id, b.src.Path)
}

// unreadScope begins the scope of the problem of a source that could not be
// read; reading it removes the problem.
const unreadScope = "unread:"

// run runs one of the prepared statements.
func (b *Batch) run(query string, args ...any) (sql.Result, error) {
	st, err := b.s.group.stmt(b.ctx, b.s.x, query)
	if err != nil {
		return nil, err
	}
	return st.ExecContext(b.ctx, args...)
}

func (b *Batch) exec(query string, args ...any) error {
	_, err := b.run(query, args...)
	return err
}

// row runs one of the prepared statements and reads the row that it gives.
func (b *Batch) row(query string, args []any, into ...any) error {
	st, err := b.s.group.stmt(b.ctx, b.s.x, query)
	if err != nil {
		return err
	}
	return st.QueryRowContext(b.ctx, args...).Scan(into...)
}

// Add adds an entry. One that is there already changes nothing.
func (b *Batch) Add(e *memory.Entry) error {
	if err := b.begin(); err != nil {
		return err
	}
	if err := b.add(e); err != nil {
		b.failed = true
		return fmt.Errorf("add entry: %w", err)
	}
	return nil
}

func (b *Batch) add(e *memory.Entry) error {
	d, err := b.session(e.Session)
	if err != nil {
		return err
	}
	if !d.kinds[e.Place.Kind] {
		d.kinds[e.Place.Kind] = true
		if err := b.exec(addSessionSource, d.id, b.source, e.Place.Kind); err != nil {
			return err
		}
	}
	if e.Kind == memory.KindSession {
		d.time(e.At)
		d.touched = true
		return b.header(d, e)
	}
	return b.entry(d, e)
}

// header notes what a header says of its session.
func (b *Batch) header(d *sessionDelta, e *memory.Entry) error {
	if err := b.row(setHeader, []any{e.At, e.Header.Parent, e.Header.Version, e.Header.Cwd, d.id}, &d.headerAt); err != nil {
		return err
	}
	if e.ID == "" || e.At == 0 {
		return nil
	}
	return b.exec(addOrigin, d.id, e.At, e.ID, e.Place.Kind == memory.SourceDatabase)
}

// session gives the row of a session, creating it.
func (b *Batch) session(sid string) (*sessionDelta, error) {
	if d, ok := b.sessions[sid]; ok {
		return d, nil
	}
	d := &sessionDelta{sid: sid, kinds: map[memory.SourceKind]bool{}}
	if err := b.row(addSession, []any{b.agentRow, sid}, &d.id, &d.headerAt); err != nil {
		return nil, err
	}
	b.sessions[sid] = d
	return d, nil
}

// Root notes for which session at the beginning of a chain of copies the calls
// of a session were told apart. It must be called before they are added. That
// roots are to be looked at again is noted under Unrooted.
func (b *Batch) Root(session, root string) error {
	return b.within("note root of session", func() error {
		d, err := b.session(session)
		if err != nil {
			return err
		}
		if err := b.exec("UPDATE session SET root=? WHERE id=?", root, d.id); err != nil {
			return err
		}
		return b.unrooted()
	})
}

// Unrooted begins the key of meta, followed by the agent, that is set where
// the calls of an agent must be told apart anew before its pass ends.
const Unrooted = "unrooted/"

func (b *Batch) unrooted() error {
	return b.exec("INSERT OR REPLACE INTO meta(key, value) VALUES(?,'1')", b.s.metaKey(Unrooted+b.agent))
}

// Restart says that the source was replaced and is read from its beginning:
// the problems that it had are forgotten, and where entries stand in it.
func (b *Batch) Restart() error {
	b.restart = true
	return b.within("begin source anew", func() error {
		b.s.group.altered = true
		if err := b.exec(forgetProblems, b.s.id, b.src.Path); err != nil {
			return err
		}
		return b.exec("UPDATE entry SET line=0, offset=0 WHERE source=?", b.source)
	})
}

// within runs a step of the batch in its transaction.
func (b *Batch) within(what string, f func() error) error {
	if err := b.begin(); err != nil {
		return err
	}
	if err := f(); err != nil {
		b.failed = true
		return fmt.Errorf("%s: %w", what, err)
	}
	return nil
}

// Commit makes what was added durable together with the checkpoint that covers
// it and the problems that were met on the way: at once, or with the sources
// that follow, at the latest by Flush.
func (b *Batch) Commit(cp memory.Checkpoint, problems []memory.Problem) error {
	if err := b.within("commit source", func() error { return b.commit(cp, problems) }); err != nil {
		return err
	}
	g := b.s.group
	b.begun, g.batch = false, nil
	if cp.Stamp != (memory.Stamp{}) {
		g.sources++
	}
	if !g.full() {
		return nil
	}
	return b.s.Flush(b.ctx)
}

func (b *Batch) commit(cp memory.Checkpoint, problems []memory.Problem) error {
	if err := b.sum(); err != nil {
		return fmt.Errorf("sum sessions: %w", err)
	}
	if b.restart && cp.Stamp != (memory.Stamp{}) {
		if err := b.supersede(); err != nil {
			return fmt.Errorf("drop entries that got ids: %w", err)
		}
	}
	st := cp.Stamp
	if err := b.exec(setCheckpoint, st.Size, st.MTime, int64(st.Inode), st.Wal, st.WalAt, cp.Offset, cp.Line, int64(cp.Sum), cp.Session, cp.Prompt, b.source); err != nil {
		return err
	}
	for session, m := range cp.Marks {
		if err := b.exec(setMark, b.source, session, m.Seq, m.Count, m.Generation, m.Prompt); err != nil {
			return err
		}
	}
	for _, p := range problems {
		if err := b.exec(insertProblem, b.s.id, b.src.Path, p.Code, p.Path, p.Line, p.Count, p.Message, p.Hint); err != nil {
			return err
		}
	}
	return b.exec("RELEASE " + savepoint)
}

// noRow says that a look-up found nothing.
func noRow(err error) bool { return errors.Is(err, sql.ErrNoRows) }
