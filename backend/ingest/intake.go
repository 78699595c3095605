package ingest

import (
	"context"
	"maps"
	"slices"

	"tidemark/backend/memory"
)

// intake takes what one source yields and hands it to a batch. It holds the
// header of a session back until the first entry behind it is known, since the
// two together tell which session it is.
type intake struct {
	ap    *agentPass
	src   memory.Source
	batch Batch

	headers map[string]heldHeader // by the id they came with
	raw     string                // id that the last entry came with
	name    string                // its canonical name

	ctx      context.Context
	from     int64 // where reading began, in bytes
	rows     int64 // of a database, an estimate of what was taken in bytes
	problems []memory.Problem
	failed   error // of the store, as opposed to the source
}

// rowSize is what a row of a database has beside its text, in bytes, about.
const rowSize = 600

// heldHeader is a header whose session has shown no entry yet.
type heldHeader struct {
	ev memory.Event
	at memory.Place
}

// Entry takes one entry.
func (in *intake) Entry(session string, ev *memory.Event, at memory.Place) error {
	if ev.Kind == memory.KindSession {
		if in.headers == nil {
			in.headers = map[string]heldHeader{}
		}
		if ev.Header.ID != "" {
			in.headers[session] = heldHeader{*ev, at}
		}
		in.raw = ""
		return nil
	}
	if err := in.identify(session, ev.ID, at); err != nil {
		return in.fail(err)
	}
	return in.add(in.canonical(session), ev, at)
}

func (in *intake) canonical(session string) string {
	if session != in.raw || in.name == "" {
		in.raw, in.name = session, in.ap.fold.names.canonical(session)
	}
	return in.name
}

// identify settles which session an entry belongs to where it is the first one
// behind its header: the one that is held, or one of an earlier pass.
func (in *intake) identify(session, first string, at memory.Place) error {
	if held, ok := in.headers[session]; ok {
		return in.release(session, first, held)
	}
	names := in.ap.fold.names
	if len(names.open) == 0 || session == in.raw {
		return nil
	}
	open, ok := names.open[in.ap.fold.names.canonical(session)]
	if !ok {
		return nil
	}
	header := memory.Event{Kind: memory.KindSession, At: open.HeaderAt, Header: memory.Header{ID: session, Parent: open.Parent}}
	return in.release(session, first, heldHeader{header, memory.Place{Kind: at.Kind, Path: at.Path}})
}

// release hands the header of a session on, now that the first entry behind it
// is known ("" where none came).
func (in *intake) release(session, first string, held heldHeader) error {
	delete(in.headers, session)
	in.raw = ""
	names := in.ap.fold.names
	parent := held.ev.Header.Parent
	name, was := names.settle(Named{Session: session, HeaderAt: held.ev.At, FirstEntry: first,
		InDatabase: held.at.Kind == memory.SourceDatabase, Parent: parent})
	if was != "" {
		if err := in.batch.Rename(was, name); err != nil {
			return err
		}
	}
	if parent != "" && names.parent[name] == "" {
		names.parent[name] = parent
	}
	if in.src.Base != "" {
		names.base[in.src.Base] = name
	}
	if names.parent[name] != "" {
		if err := in.batch.Root(name, names.rootOf(name)); err != nil {
			return err
		}
	}
	held.ev.ID = first
	return in.add(name, &held.ev, held.at)
}

func (in *intake) add(session string, ev *memory.Event, at memory.Place) error {
	in.ap.touch(session)
	in.rows += rowSize + int64(len(ev.Message.Text))
	e := in.ap.fold.entry(session, ev, at)
	if err := in.heard(e, ev); err != nil {
		return in.fail(err)
	}
	return in.fail(in.batch.Add(e))
}

func (in *intake) fail(err error) error {
	if err != nil && in.failed == nil {
		in.failed = err
	}
	return err
}

// Commit makes what was taken durable.
func (in *intake) Commit(cp memory.Checkpoint) error {
	for _, session := range slices.Sorted(maps.Keys(in.headers)) {
		if err := in.release(session, "", in.headers[session]); err != nil {
			return in.fail(err)
		}
	}
	if cp.Session != "" {
		cp.Session = in.ap.fold.names.canonical(cp.Session)
	}
	problems := in.problems
	in.problems = nil
	if err := in.fail(in.batch.Commit(cp, problems)); err != nil {
		return err
	}
	return in.progress(cp)
}

// progress tells how far into its source the pass is. A database is not held
// open while the pass is: OpenClaw could not tidy its log meanwhile.
func (in *intake) progress(cp memory.Checkpoint) error {
	within := cp.Offset - in.from
	if in.src.Kind == memory.SourceDatabase {
		in.ap.tell(min(in.rows, in.ap.news(in.src)))
		return nil
	}
	return in.fail(in.ap.report(in.ctx, max(within, 0)))
}

// restart begins anew with another file in the place of one that was read up
// to cp. That it is shorter is worth a notice.
func (in *intake) restart(cp memory.Checkpoint) {
	_ = in.fail(in.batch.Restart()) // the next entry or commit gives the error
	if in.src.Stamp.Size < cp.Offset {
		in.Problem(memory.Problem{Code: memory.ProblemRewritten, Path: in.src.Path, Count: 1,
			Message: "was replaced by a shorter file since it was last read; what was read before is kept",
			Hint:    "Nothing needs to be done. OpenClaw does this when it truncates or repairs a transcript."})
	}
}

// Problem takes a problem; the same one again raises its count. That a source
// was replaced makes what was wrong with it before void.
func (in *intake) Problem(p memory.Problem) {
	p.Message = in.ap.Mask(p.Message)
	if p.Code == memory.ProblemRewritten {
		in.problems = nil
		_ = in.fail(in.batch.Restart()) // the next entry or commit gives the error
	}
	for i := range in.problems {
		q := &in.problems[i]
		if q.Code == p.Code && q.Path == p.Path && q.Line == p.Line && q.Message == p.Message {
			q.Count += p.Count
			return
		}
	}
	in.problems = append(in.problems, p)
}
