package ingest

import (
	"context"
	"errors"
	"fmt"

	"tidemark/backend/memory"
)

// run reads what changed of an agent and notes what is gone.
func (ap *agentPass) run(ctx context.Context, res *Result) error {
	res.Touched[ap.agent.ID] = ap.touched
	if err := ap.sources(ctx, res); err != nil {
		return err
	}
	if len(ap.gone) > 0 {
		res.Gone += len(ap.gone)
		if err := ap.Store.SetGone(ctx, ap.agent.ID, ap.gone, memory.MillisOf(ap.Now())); err != nil {
			return err
		}
	}
	noted, err := ap.notes(ctx)
	res.Noted = res.Noted || noted
	return err
}

// sources reads the sources that changed.
func (ap *agentPass) sources(ctx context.Context, res *Result) error {
	unrooted, err := ap.Store.Meta(ctx, Unrooted+ap.agent.ID)
	if err != nil || len(ap.changed) == 0 && unrooted == "" {
		return err
	}
	for _, m := range ap.moved {
		if err := ap.Store.Move(ctx, ap.agent.ID, m.from, m.to.Path, m.to.Kind); err != nil {
			return err
		}
	}
	if err := ap.name(ctx); err != nil {
		return err
	}
	if ap.Listener != nil {
		ap.readKeys(ctx)
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
		ap.done += ap.news(src)
		if err := ap.report(ctx, 0); err != nil {
			return err
		}
	}
	if err := ap.Store.Flush(ctx); err != nil {
		return err
	}
	return ap.reroot(ctx)
}

// Unrooted begins the key of meta that a store sets with Batch.Root and with
// Batch.Rename, and that is cleared when all calls are told apart as the chain
// of sessions asks for.
const Unrooted = "unrooted/"

// reroot corrects what was read before it was known what it continues.
func (ap *agentPass) reroot(ctx context.Context) error {
	names := ap.fold.names
	for _, session := range names.moved() {
		root := names.root(session)
		err := ap.Store.Reroot(ctx, ap.agent.ID, session, root, func(id string, at memory.Millis) uint64 { return once(ap.fold.scope, root, id, at) })
		if err != nil {
			return fmt.Errorf("tell calls apart anew: %w", err)
		}
		ap.touch(session)
	}
	left, err := ap.Store.Meta(ctx, Unrooted+ap.agent.ID)
	if err != nil || left == "" {
		return err
	}
	return ap.Store.SetMeta(ctx, Unrooted+ap.agent.ID, "")
}

// news gives how much of a source there is to read, in bytes.
func (ap *agentPass) news(src memory.Source) int64 {
	cp := ap.known[src.Path].Checkpoint
	switch {
	case src.Kind == memory.SourceDatabase && cp.Stamp != (memory.Stamp{}):
		return src.Stamp.Wal
	case packed(src.Path) || replaced(src, cp) || src.Stamp.Size < cp.Offset:
		return src.Stamp.Size + src.Stamp.Wal
	}
	return src.Stamp.Size + src.Stamp.Wal - cp.Offset
}

// tell tells how far the pass is, within bytes into a source.
func (ap *agentPass) tell(within int64) {
	ap.progress.Agent, ap.progress.BytesDone = ap.agent.ID, ap.done+within
	if ap.Progress != nil {
		ap.Progress(ap.progress)
	}
}

// report tells how far the pass is, within bytes into a source, and waits while
// it is held. Nothing may be uncommitted.
func (ap *agentPass) report(ctx context.Context, within int64) error {
	ap.tell(within)
	if ap.Hold == nil {
		return nil
	}
	for held := ap.Hold(); held != nil; held = ap.Hold() {
		if err := ap.Store.Flush(ctx); err != nil {
			return err
		}
		select {
		case <-held:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
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
	another := replaced(src, cp)
	// A compressed file is always read from its beginning.
	fresh := cp.Offset == 0 && len(cp.Marks) == 0 || packed(src.Path)
	batch, err := ap.Store.Begin(ctx, ap.agent.ID, src, fresh)
	if err != nil {
		return false, err
	}
	in := &intake{ap: ap, src: src, batch: batch, ctx: ctx}
	if another {
		in.restart(cp)
		cp = memory.Checkpoint{}
	}
	in.from = cp.Offset
	err = ap.History.Read(ctx, src, cp, ap.Texts, in)
	batch.Close()
	if in.failed != nil || ctx.Err() != nil {
		return false, errors.Join(in.failed, ctx.Err())
	}
	if err != nil {
		return false, ap.unread(ctx, src, err)
	}
	return true, nil
}

// replaced says that there is another file under the name of one that was read.
// Its end alone may be that of the old one.
func replaced(src memory.Source, cp memory.Checkpoint) bool {
	was, is := cp.Stamp.Inode, src.Stamp.Inode
	return src.Kind != memory.SourceDatabase && cp.Offset > 0 && was != 0 && is != 0 && was != is
}

// unread notes a source that could not be read to its end. It is tried again
// in the next pass.
func (ap *agentPass) unread(ctx context.Context, src memory.Source, err error) error {
	return ap.Store.SetUnread(ctx, memory.Problem{Code: memory.ProblemUnreadable, Path: src.Path, Count: 1,
		Message: ap.Mask("could not be read to its end: " + err.Error()), Hint: "It is tried again at the next look. If it stays, check its permissions."})
}
