package engine

import (
	"context"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"tidemark/backend/api"
	"tidemark/backend/index"
	"tidemark/backend/ingest"
	"tidemark/backend/ledger"
	"tidemark/backend/memory"
	"tidemark/backend/openclaw"
	"tidemark/backend/stats"
	"tidemark/backend/watch"
)

// installation is one state directory of OpenClaw and what is known of it.
type installation struct {
	openclaw.Installation
	engine *Engine
	store  store // guarded by Engine.use
	ledger *ledger.Ledger
	hist   *history
	said   *statements

	pass    chan struct{} // holds one while a look runs
	work    work
	watcher *watch.Watcher
	due     atomic.Bool  // there is something to look at
	lost    atomic.Bool  // more was known once than an index that is made anew has yet
	rev     atomic.Int64 // grows with each look that found something
	told    string       // what was last told of the ledger, in a look
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
// is asked for while another runs comes after it. One that the person cancels
// gives an error that is context.Canceled.
func (i *installation) look(ctx context.Context) error {
	if err := i.begin(ctx); err != nil {
		return err
	}
	defer i.end()
	if i.work.idle() {
		return context.Canceled
	}
	ctx, cancel := i.work.start(ctx, jobReading)
	defer cancel(nil)
	x, res, err := i.fillCurrent(ctx)
	if index.Damaged(err) {
		slog.Error("the index is damaged and is made anew", "err", err)
		if err = i.engine.replaceDamaged(ctx, x, err); err == nil {
			_, res, err = i.fillCurrent(ctx)
		}
	}
	i.finish(res, err)
	return err
}

// finish notes how a look went and tells who listens.
func (i *installation) finish(res ingest.Result, err error) {
	before := i.status()
	changed := changedBy(res)
	i.work.done(err, changed != nil)
	if err == nil {
		i.lost.Store(false)
	}
	if changed != nil {
		changed.Installation, changed.Revision = i.ID, i.rev.Add(1)
	}
	after := i.status()
	if changed != nil || before.Job != "" || before.Error != after.Error || i.told != after.LedgerError || before.UpdatedAt == nil {
		i.engine.hub.publish(i.ID, &after, changed)
	}
	i.told = after.LedgerError
}

// changedBy says what a pass found, nil where that is nothing.
func changedBy(res ingest.Result) *api.Changed {
	c := api.Changed{Sessions: []api.SessionRef{}, All: res.Gone > 0}
	for agent, sessions := range res.Touched {
		for id := range sessions {
			c.Sessions = append(c.Sessions, api.SessionRef{Agent: agent, SessionID: id})
		}
	}
	if len(c.Sessions) == 0 && !c.All && !res.Noted {
		return nil
	}
	if len(c.Sessions) > maxNamed {
		c.All, c.Sessions = true, []api.SessionRef{}
	}
	return &c
}

// report hands on how far a pass is.
func (i *installation) report(p ingest.Progress) {
	tell, show := i.work.report(p)
	if !tell {
		return
	}
	s := i.status()
	var changed *api.Changed
	if show && s.Job == jobReading {
		changed = &api.Changed{Installation: i.ID, Revision: i.rev.Add(1), Sessions: []api.SessionRef{}, All: true}
	}
	i.engine.hub.publish(i.ID, &s, changed)
}

// status says what the installation is doing.
func (i *installation) status() api.Status {
	e := i.engine
	s := api.Status{Version: e.opts.Version, StateDir: i.StateDir, DataDir: e.dir.Path(), Demo: e.opts.Demo != "" && e.opts.Demo == i.StateDir, Watching: string(i.watcher.State().Mode)}
	i.work.status(&s, e.opts.Mask)
	waiting, failed := i.said.trouble()
	if s.LedgerWaiting = waiting; failed != nil {
		s.LedgerError = reasonOf(failed)
	}
	zone, err := i.zone("")
	switch {
	case err == nil:
		s.Zone = zoneName(zone)
	case s.Error == "":
		s.Error = err.Error()
	}
	return s
}

// fillCurrent reads what changed into the index that is open, and gives it.
func (i *installation) fillCurrent(ctx context.Context) (*index.Index, ingest.Result, error) {
	e := i.engine
	e.use.RLock()
	defer e.use.RUnlock()
	res, err := i.fill(ctx, i.store, "")
	return e.index, res, err
}

// fill makes a pass into a store, and what follows one: what only the old
// index has where there is one, prices, ledger.
func (i *installation) fill(ctx context.Context, s store, old string) (ingest.Result, error) {
	now := i.engine.opts.Now
	pass := ingest.Pass{Listener: i.said, Redact: i.said.redactText, Installation: i.ID, History: i.hist, Store: s, Mask: i.engine.opts.Mask, Now: now, Texts: true, Progress: i.report, Hold: i.work.hold,
		Planned: func(ctx context.Context, sources int) error { return i.prepare(ctx, s, sources) }}
	res, err := pass.Run(ctx)
	if err != nil {
		return res, err
	}
	if old != "" {
		if err := i.absorb(ctx, s, old); err != nil {
			return res, err
		}
	}
	if err := i.keptSaid(ctx, s, res); err != nil {
		return res, err
	}
	if err := i.reprice(ctx, s); err != nil {
		return res, err
	}
	if err := i.restore(ctx, s, res); err != nil {
		return res, err
	}
	return res, i.keep(ctx, s, now())
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
func (i *installation) prepare(ctx context.Context, s store, sources int) error {
	if err := i.prepareStatements(ctx, s, sources > 0); err != nil {
		return err
	}
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

// zone gives the zone in which days are counted, see stats.Zone.
func (i *installation) zone(asked string) (*time.Location, error) {
	configured := ""
	if cfg := i.hist.config(); cfg != nil {
		configured = cfg.Defaults.UserTimezone
	}
	return stats.Zone(asked, i.engine.preferences().Timezone, configured, i.engine.opts.Local)
}

// ready makes sure that there is something to answer from. A question that
// asks for a look waits for it. Before the first look is over the others do
// so too, unless Run is making it and there was no index before: then the
// answer is what was read so far, which is never less than it was.
func (i *installation) ready(ctx context.Context, refresh bool) error {
	if refresh {
		i.work.ask()
		return i.look(ctx)
	}
	if i.work.ready() || i.engine.running.Load() && !i.lost.Load() {
		return nil
	}
	return i.look(ctx)
}
