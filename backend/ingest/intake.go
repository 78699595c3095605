package ingest

import (
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

	problems []memory.Problem
	failed   error // of the store, as opposed to the source
}

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
		if id := ev.Header.ID; id != "" {
			in.headers[session] = heldHeader{*ev, at}
		}
		in.raw = ""
		return nil
	}
	if len(in.headers) > 0 {
		if err := in.release(session, ev.ID); err != nil {
			return err
		}
	}
	return in.add(in.canonical(session), ev, at)
}

func (in *intake) canonical(session string) string {
	if session != in.raw || in.name == "" {
		in.raw, in.name = session, in.ap.fold.names.canonical(session)
	}
	return in.name
}

// release hands the header of a session on, now that the first entry behind it
// is known ("" where none came).
func (in *intake) release(session, first string) error {
	held, ok := in.headers[session]
	if !ok {
		return nil
	}
	delete(in.headers, session)
	names := in.ap.fold.names
	name, old := names.settle(Named{Session: session, HeaderAt: held.ev.At, FirstEntry: first,
		InDatabase: held.at.Kind == memory.SourceDatabase, Parent: held.ev.Header.Parent})
	if old != "" {
		if err := in.batch.Rename(old, name); err != nil {
			return in.fail(err)
		}
	}
	if p := held.ev.Header.Parent; p != "" && names.parent[name] == "" {
		names.parent[name] = p
	}
	if in.src.Base != "" && names.base[in.src.Base] == "" {
		names.base[in.src.Base] = name
	}
	held.ev.ID = first
	return in.add(name, &held.ev, held.at)
}

func (in *intake) add(session string, ev *memory.Event, at memory.Place) error {
	return in.fail(in.batch.Add(in.ap.fold.entry(session, ev, at)))
}

func (in *intake) fail(err error) error {
	if err != nil && in.failed == nil {
		in.failed = err
	}
	return err
}

// Commit makes what was taken durable.
func (in *intake) Commit(cp memory.Checkpoint) error {
	for session := range in.headers {
		if err := in.release(session, ""); err != nil {
			return err
		}
	}
	if cp.Session != "" {
		cp.Session = in.ap.fold.names.canonical(cp.Session)
	}
	problems := in.problems
	in.problems = nil
	return in.fail(in.batch.Commit(cp, problems))
}

// Problem takes a problem; the same one again raises its count.
func (in *intake) Problem(p memory.Problem) {
	p.Message = in.ap.Mask(p.Message)
	for i := range in.problems {
		q := &in.problems[i]
		if q.Code == p.Code && q.Path == p.Path && q.Line == p.Line && q.Message == p.Message {
			q.Count += p.Count
			return
		}
	}
	in.problems = append(in.problems, p)
}
