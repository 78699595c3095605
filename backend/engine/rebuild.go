package engine

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"sync"

	"tidemark/backend/index"
	"tidemark/backend/ingest"
	"tidemark/backend/ledger"
	"tidemark/backend/memory"
)

// rebuild makes the index anew beside the old one, which answers meanwhile,
// and puts it in its place. One that fails or is cancelled changes nothing.
func (e *Engine) rebuild(ctx context.Context) (err error) {
	select {
	case e.rebuilding <- struct{}{}:
		defer func() { <-e.rebuilding }()
	case <-ctx.Done():
		return ctx.Err()
	}
	used := e.installations()
	for n, i := range used {
		if err := i.begin(ctx); err != nil { // nothing is written to the old index from here on
			for _, held := range used[:n] {
				held.end()
			}
			return err
		}
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	for _, i := range used {
		i.work.begin(jobRebuild, cancel)
	}
	defer func() {
		for _, i := range used {
			i.finish(ingest.Result{Gone: 1}, err) // anything may look different
			i.end()
		}
	}()
	fresh := filepath.Join(filepath.Dir(e.dir.Index()), "index.rebuilding.db")
	if err := index.Remove(fresh); err != nil {
		return err
	}
	if err := e.refill(ctx, fresh, used); err != nil {
		return errors.Join(fmt.Errorf("rebuild index: %w", err), index.Remove(fresh))
	}
	filled := map[*installation]bool{}
	for _, i := range used {
		filled[i] = true
	}
	return e.swap(ctx, fresh, filled)
}

// installations gives those that are in use, the default one first.
func (e *Engine) installations() []*installation {
	e.mu.RLock()
	defer e.mu.RUnlock()
	used := make([]*installation, 0, len(e.order))
	for _, id := range e.order {
		used = append(used, e.insts[id])
	}
	return used
}

// refill makes a new index. First everything that the old one knows goes into
// the ledger, so that whatever happens to it nothing is lost.
func (e *Engine) refill(ctx context.Context, fresh string, used []*installation) (err error) {
	e.use.RLock()
	defer e.use.RUnlock()
	if err := e.keepEverything(ctx); err != nil {
		return err
	}
	x, err := index.Open(ctx, fresh)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, x.Close()) }()
	for _, i := range used {
		s, err := x.Installation(ctx, i.ID, i.StateDir)
		if err != nil {
			return err
		}
		if _, err := i.fill(ctx, store{s}, e.dir.Index()); err != nil {
			return err
		}
	}
	return e.takeOthers(ctx, x, used)
}

// keepEverything writes all that the index knows to the ledger. What cannot be
// read of a damaged index is what the rebuild is for.
func (e *Engine) keepEverything(ctx context.Context) error {
	known, err := e.index.Installations(ctx)
	for id, dir := range known {
		var s *index.Store
		if s, err = e.index.Installation(ctx, id, dir); err != nil {
			break
		}
		i := &installation{engine: e, ledger: ledger.Open(e.dir.Ledger(), id)}
		if err = i.keepAll(ctx, store{s}, keeping{all: true}); err != nil {
			break
		}
	}
	if index.Damaged(err) {
		slog.Warn("the index is damaged; what cannot be read of it is not kept", "err", err)
		return nil
	}
	return err
}

// takeOthers takes over installations that are in the old index and not in
// use: they are read anew when they are used again.
func (e *Engine) takeOthers(ctx context.Context, x *index.Index, used []*installation) error {
	known, err := e.index.Installations(ctx)
	for _, i := range used {
		delete(known, i.ID)
	}
	for id, dir := range known {
		var s *index.Store
		if s, err = x.Installation(ctx, id, dir); err != nil {
			return err
		}
		if err = s.Absorb(ctx, e.dir.Index(), memory.MillisOf(e.opts.Now())); err != nil {
			break
		}
	}
	if index.Damaged(err) {
		slog.Warn("the old index is damaged; the ledger stands in for it", "err", err)
		return nil
	}
	return err
}

// swap puts a new index in the place of the one that is open.
func (e *Engine) swap(ctx context.Context, fresh string, filled map[*installation]bool) error {
	ctx = context.WithoutCancel(ctx) // half-way is the one place where not to stop
	e.use.Lock()
	defer e.use.Unlock()
	path := e.dir.Index()
	if err := e.index.Close(); err != nil {
		return fmt.Errorf("close the old index: %w", err)
	}
	moved := index.Move(fresh, path)
	if moved != nil { // the old one is still there
		filled = nil
	}
	x, err := index.Open(ctx, path)
	if err != nil {
		return errors.Join(moved, err)
	}
	return errors.Join(moved, e.adopt(ctx, x, filled))
}

// jobs are what goes on without anybody waiting for it. They end with Run.
type jobs struct {
	mu  sync.Mutex
	ctx context.Context // nil while Run does not run
	all sync.WaitGroup
}

func (j *jobs) open(ctx context.Context) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.ctx = ctx
}

// close waits for the jobs, whose context has ended.
func (j *jobs) close() {
	j.mu.Lock()
	j.ctx = nil
	j.mu.Unlock()
	j.all.Wait()
}

// start runs f as a job. It does nothing while Run does not run.
func (j *jobs) start(f func(context.Context)) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if ctx := j.ctx; ctx != nil {
		j.all.Go(func() { f(ctx) })
	}
}

// startRebuild begins a rebuild unless one runs. Its status tells how it goes.
func (e *Engine) startRebuild() {
	e.jobs.start(func(ctx context.Context) {
		if len(e.rebuilding) > 0 {
			return
		}
		if err := e.rebuild(ctx); err != nil && !errors.Is(err, context.Canceled) {
			slog.Error("the index could not be made anew", "err", err)
		}
	})
}
