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
	store  store // guarded by Engine.use
	ledger *ledger.Ledger
	hist   *history

	pass chan struct{} // holds one while a look runs

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

// begin waits until no look runs, or ctx ends.
func (i *installation) begin(ctx context.Context) error {
	select {
	case i.pass <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (i *installation) end() { <-i.pass }

// look reads what changed since the last look. Looks do not overlap: one that
// is asked for while another runs comes after it.
func (i *installation) look(ctx context.Context) error {
	if err := i.begin(ctx); err != nil {
		return err
	}
	defer i.end()
	x, err := i.fillCurrent(ctx)
	if index.Damaged(err) {
		slog.Error("the index is damaged and is made anew", "err", err)
		if err = i.engine.replaceDamaged(ctx, x, err); err == nil {
			_, err = i.fillCurrent(ctx)
		}
	}
	i.done(err)
	return err
}

// done notes how a look went.
func (i *installation) done(err error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.now.busy, i.now.err, i.now.at, i.now.looked = false, err, i.engine.opts.Now(), true
}

// fillCurrent reads what changed into the index that is open, and gives it.
func (i *installation) fillCurrent(ctx context.Context) (*index.Index, error) {
	e := i.engine
	e.use.RLock()
	defer e.use.RUnlock()
	return e.index, i.fill(ctx, i.store, "")
}

// fill makes a pass into a store, and what follows one: what only the old
// index has where there is one, prices, ledger.
func (i *installation) fill(ctx context.Context, s store, old string) error {
	report := func(p ingest.Progress) {
		i.mu.Lock()
		i.now.busy, i.now.progress = true, p
		i.mu.Unlock()
	}
	now := i.engine.opts.Now
	pass := ingest.Pass{Installation: i.ID, History: i.hist, Store: s, Mask: i.engine.opts.Mask, Now: now, Texts: true, Progress: report,
		Planned: func(ctx context.Context) error { return i.prepare(ctx, s) }}
	res, err := pass.Run(ctx)
	if err != nil {
		return err
	}
	if old != "" {
		if err := i.absorb(ctx, s, old); err != nil {
			return err
		}
	}
	if err := i.reprice(ctx, s); err != nil {
		return err
	}
	if err := i.restore(ctx, s, res); err != nil {
		return err
	}
	return i.keep(ctx, s, now())
}

// absorb takes over what only an old index has. One that is damaged has
// nothing that can be trusted; the ledger stands in for it.
func (i *installation) absorb(ctx context.Context, s store, old string) error {
	err := s.Absorb(ctx, old, memory.MillisOf(i.engine.opts.Now()))
	if index.Damaged(err) {
		slog.Warn("the old index is damaged; the ledger stands in for it", "err", err)
		return nil
	}
	return err
}

// prepare makes a store ready before anything is read into it.
func (i *installation) prepare(ctx context.Context, s store) error {
	if err := i.notePrices(ctx, s); err != nil {
		return err
	}
	return i.recall(ctx, s)
}

// notePrices notes, before anything is priced, by which prices that is done.
func (i *installation) notePrices(ctx context.Context, s store) error {
	for agent := range i.hist.books {
		old, err := s.Meta(ctx, pricesKey+agent)
		if err != nil {
			return err
		}
		if old != "" {
			continue
		}
		if err := s.SetMeta(ctx, pricesKey+agent, i.hist.pricesStamp(agent)); err != nil {
			return err
		}
	}
	return nil
}

// pricesKey begins the key of meta that says by which prices the calls of an
// agent were priced.
const pricesKey = "prices/"

// reprice prices calls again where the person's prices or the embedded table
// changed since they were priced.
func (i *installation) reprice(ctx context.Context, s store) error {
	for agent, book := range i.hist.books {
		old, err := s.Meta(ctx, pricesKey+agent)
		if err != nil {
			return err
		}
		stamp := i.hist.pricesStamp(agent)
		if old == stamp {
			continue
		}
		n, err := s.Reprice(ctx, agent, book.Price)
		if err != nil {
			return fmt.Errorf("price calls anew: %w", err)
		}
		slog.Info("prices changed", "calls", n)
		if err := s.SetMeta(ctx, pricesKey+agent, stamp); err != nil {
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

// ready makes sure that a look was made: now where one is asked for, ever
// otherwise.
func (i *installation) ready(ctx context.Context, refresh bool) error {
	i.mu.Lock()
	looked := i.now.looked
	i.mu.Unlock()
	if looked && !refresh {
		return nil
	}
	return i.look(ctx)
}

// forget makes the next question look first.
func (i *installation) forget() {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.now.looked = false
}
