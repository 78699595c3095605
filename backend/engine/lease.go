package engine

import (
	"context"
	"errors"
	"log/slog"

	"tidemark/backend/api"
	"tidemark/backend/index"
	"tidemark/backend/memory"
)

// ask answers a question about an installation: f reads from its store, which
// stays open until f returns. Damage that shows while it reads costs a rebuild
// and no answer.
func (e *Engine) ask(ctx context.Context, q api.Query, f func(*installation, store) error) error {
	i, err := e.get(q.Installation)
	if err != nil {
		return err
	}
	if err := i.ready(ctx, q.Refresh); err != nil {
		return err
	}
	x, err := e.read(i, f)
	if !index.Damaged(err) {
		return err
	}
	slog.Error("the index is damaged and is made anew", "err", err)
	if err := e.replaceDamaged(ctx, x, err); err != nil {
		return err
	}
	if err := i.ready(ctx, false); err != nil {
		return err
	}
	_, err = e.read(i, f)
	return err
}

// read lets f read from the index that is open, and gives it.
func (e *Engine) read(i *installation, f func(*installation, store) error) (*index.Index, error) {
	e.use.RLock()
	defer e.use.RUnlock()
	return e.index, f(i, i.store)
}

// replaceDamaged sets a damaged index aside and opens a new one for every
// installation, unless somebody else did so already.
func (e *Engine) replaceDamaged(ctx context.Context, damaged *index.Index, cause error) error {
	e.use.Lock()
	defer e.use.Unlock()
	if e.index != damaged {
		return nil
	}
	if err := e.index.Close(); err != nil {
		slog.Warn("the damaged index could not be closed", "err", err)
	}
	x, err := index.Replace(ctx, e.dir.Index(), cause)
	if err != nil {
		return err
	}
	return e.adopt(ctx, x, nil)
}

// adopt makes an index the one that is open. Installations that are not among
// filled are read before the next answer. e.use is held.
func (e *Engine) adopt(ctx context.Context, x *index.Index, filled map[*installation]bool) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.index = x
	if x.Rebuilt != nil {
		e.notice = append(e.notice, *x.Rebuilt)
	}
	var errs []error
	for _, i := range e.insts {
		s, err := x.Installation(ctx, i.ID, i.StateDir)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		i.store = store{s}
		if !filled[i] {
			i.lost.Store(true)
			i.work.forget()
			e.rouse(i)
		}
	}
	return errors.Join(errs...)
}

// notices are problems of Tidemark itself.
func (e *Engine) notices() []memory.Problem {
	e.mu.RLock()
	defer e.mu.RUnlock()
	return append([]memory.Problem(nil), e.notice...)
}
