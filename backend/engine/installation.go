package engine

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"tidemark/backend/index"
	"tidemark/backend/ingest"
	"tidemark/backend/ledger"
	"tidemark/backend/memory"
	"tidemark/backend/openclaw"
	"tidemark/backend/stats"
)

// installation is one state directory of OpenClaw and what is known of it.
type installation struct {
	openclaw.Installation
	engine *Engine
	store  store // guarded by Engine.mu
	ledger *ledger.Ledger
	hist   *history

	pass sync.Mutex // one look at a time

	mu  sync.Mutex // of what follows
	now lookState
}

// lookState says how the last look went, or how far the current one is.
type lookState struct {
	busy     bool
	progress ingest.Progress
	at       time.Time
	err      error
	looked   bool
}

// look reads what changed since the last look. Looks do not overlap: one that
// is asked for while another runs comes after it.
func (i *installation) look(ctx context.Context, progress func(ingest.Progress)) error {
	i.pass.Lock()
	defer i.pass.Unlock()
	err := i.fill(ctx, i.current(), progress)
	if index.Damaged(err) {
		slog.Error("the index is damaged and is made anew", "err", err)
		if err = i.engine.replaceDamaged(ctx, err); err == nil {
			err = i.fill(ctx, i.current(), progress)
		}
	}
	i.mu.Lock()
	i.now.busy, i.now.err, i.now.at, i.now.looked = false, err, i.engine.opts.Now(), true
	i.mu.Unlock()
	return err
}

// fill makes a pass into a store, and what follows one: prices, ledger.
func (i *installation) fill(ctx context.Context, s store, progress func(ingest.Progress)) error {
	report := func(p ingest.Progress) {
		i.mu.Lock()
		i.now.busy, i.now.progress = true, p
		i.mu.Unlock()
		if progress != nil {
			progress(p)
		}
	}
	pass := ingest.Pass{Installation: i.ID, History: i.hist, Store: s, Mask: i.engine.opts.Mask, Now: i.engine.opts.Now, Texts: true, Progress: report}
	res, err := pass.Run(ctx)
	if err != nil {
		return err
	}
	if err := i.reprice(ctx, s); err != nil {
		return err
	}
	if err := i.restore(ctx, s, res.Changed > 0); err != nil {
		return err
	}
	return i.keep(ctx, s, res, i.engine.opts.Now())
}

// reprice prices calls again where the person's prices or the embedded table
// changed since they were priced.
func (i *installation) reprice(ctx context.Context, s store) error {
	for agent, book := range i.hist.books {
		key := "prices/" + agent
		old, err := s.Meta(ctx, key)
		if err != nil {
			return err
		}
		stamp := i.hist.pricesStamp(agent)
		if old == stamp {
			continue
		}
		if old != "" {
			n, err := s.Reprice(ctx, agent, book.Price)
			if err != nil {
				return fmt.Errorf("price calls anew: %w", err)
			}
			slog.Info("prices changed", "calls", n)
		}
		if err := s.SetMeta(ctx, key, stamp); err != nil {
			return err
		}
	}
	return nil
}

// zone gives the zone in which days are counted: the person's own where the
// configuration names it, else the machine's.
func (i *installation) zone(asked string) (*time.Location, error) {
	configured := ""
	if cfg := i.hist.config(); cfg != nil {
		configured = cfg.Defaults.UserTimezone
	}
	return stats.Zone(asked, configured, i.engine.opts.Local)
}

// ready gives the store to read from, after a look where one is asked for or
// none was made yet.
func (i *installation) ready(ctx context.Context, refresh bool) (store, error) {
	i.mu.Lock()
	looked := i.now.looked
	i.mu.Unlock()
	if refresh || !looked {
		if err := i.look(ctx, nil); err != nil {
			return store{}, err
		}
	}
	return i.current(), nil
}

// current gives the store of the index that is open now.
func (i *installation) current() store {
	i.engine.mu.RLock()
	defer i.engine.mu.RUnlock()
	return i.store
}

// heal makes a damaged index anew and gives its store.
func (i *installation) heal(ctx context.Context, cause error) (store, error) {
	i.pass.Lock()
	slog.Error("the index is damaged and is made anew", "err", cause)
	err := i.engine.replaceDamaged(ctx, cause)
	i.pass.Unlock()
	if err != nil {
		return store{}, err
	}
	if err := i.look(ctx, nil); err != nil {
		return store{}, err
	}
	return i.current(), nil
}

// replaceDamaged sets a damaged index aside and opens a new one for every
// installation.
func (e *Engine) replaceDamaged(ctx context.Context, cause error) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if err := e.index.Close(); err != nil {
		slog.Warn("the damaged index could not be closed", "err", err)
	}
	x, err := index.Replace(ctx, e.dir.Index(), cause)
	if err != nil {
		return err
	}
	e.index = x
	e.notice = append(e.notice, *x.Rebuilt)
	for _, i := range e.insts {
		s, err := x.Installation(ctx, i.ID, i.StateDir)
		if err != nil {
			return err
		}
		i.store = store{s}
	}
	return nil
}

// notices are problems of Tidemark itself.
func (e *Engine) notices() []memory.Problem {
	e.mu.RLock()
	defer e.mu.RUnlock()
	return append([]memory.Problem(nil), e.notice...)
}
