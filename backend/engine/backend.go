package engine

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"tidemark/backend/api"
	"tidemark/backend/index"
	"tidemark/backend/ingest"
	"tidemark/backend/memory"
	"tidemark/backend/openclaw"
	"tidemark/backend/price"
	"tidemark/backend/stats"
)

var _ api.Backend = (*Engine)(nil)

// Installations lists the installations that are known.
func (e *Engine) Installations(context.Context) ([]api.Installation, error) {
	e.mu.RLock()
	defer e.mu.RUnlock()
	out := []api.Installation{}
	for n, id := range e.order {
		i := e.insts[id]
		out = append(out, api.Installation{ID: i.ID, StateDir: i.StateDir, Profile: i.Profile, Legacy: i.Legacy, Default: n == 0})
	}
	return out, nil
}

// Add makes an installation known.
func (e *Engine) Add(ctx context.Context, stateDir, profile string) (api.Installation, error) {
	inst, err := openclaw.Resolve(e.opts.Env, stateDir, profile)
	if err != nil {
		return api.Installation{}, err
	}
	if _, err := e.Use(ctx, inst); err != nil {
		return api.Installation{}, err
	}
	return api.Installation{ID: inst.ID, StateDir: inst.StateDir, Profile: inst.Profile, Legacy: inst.Legacy}, nil
}

// Status says what the engine is doing.
func (e *Engine) Status(_ context.Context, q api.Query) (api.Status, error) {
	i, err := e.get(q.Installation)
	if err != nil {
		return api.Status{}, err
	}
	return i.status(), nil
}

func zoneName(z *time.Location) string {
	if z == time.Local {
		name, offset := time.Now().Zone()
		return fmt.Sprintf("%s (UTC%+d)", name, offset/3600)
	}
	return z.String()
}

// Scan sums up an installation.
func (e *Engine) Scan(ctx context.Context, q api.Query) (out api.Scan, err error) {
	began := time.Now()
	err = e.ask(ctx, q, func(i *installation, s store) error {
		sums, err := s.AgentSums(ctx)
		if err != nil {
			return err
		}
		out = api.Scan{Agents: []api.ScanAgent{}}
		var cost memory.Money
		for _, a := range sums {
			if !a.Present && a.Sessions == 0 {
				continue
			}
			out.Agents = append(out.Agents, api.ScanAgent{ID: a.ID, Workspace: a.Workspace, Eras: stats.EraNames(a.Eras), Sessions: a.Sessions})
			out.Sessions += a.Sessions
			out.Messages += a.Messages
			out.UserMessages += a.UserMessages
			out.Compactions += a.Compactions
			out.Tokens = addTokens(out.Tokens, a.Usage)
			out.Cost.UnpricedCalls += a.Unpriced
			cost += a.Cost
		}
		out.Cost.USD = cost.Dollars()
		out.Problems, err = e.problems(ctx, i, s)
		return err
	})
	out.ElapsedMs = time.Since(began).Milliseconds()
	return out, err
}

func addTokens(t api.Tokens, u memory.Usage) api.Tokens {
	return api.Tokens{Input: t.Input + u.Input, Output: t.Output + u.Output, CacheRead: t.CacheRead + u.CacheRead, CacheWrite: t.CacheWrite + u.CacheWrite}
}

// problems lists what is wrong, that of Tidemark itself included.
func (e *Engine) problems(ctx context.Context, i *installation, s store) ([]api.Problem, error) {
	found, err := s.Problems(ctx)
	if err != nil {
		return nil, err
	}
	sums, err := s.SumProblems(ctx, stats.BehindBy)
	if err != nil {
		return nil, err
	}
	found = append(found, stats.Problems(sums.Sessions, sums.Models)...)
	found = append(append(found, e.notices()...), append(i.notices(), i.ledgerProblems()...)...)
	ingest.SortProblems(found)
	return problems(found), nil
}

// Agents lists the agents of an installation.
func (e *Engine) Agents(ctx context.Context, q api.Query) (out []api.Agent, err error) {
	err = e.ask(ctx, q, func(_ *installation, s store) error {
		sums, err := s.AgentSums(ctx)
		if err != nil {
			return err
		}
		out = []api.Agent{}
		for _, a := range sums {
			shared := a.SharedWith
			if shared == nil {
				shared = []string{}
			}
			out = append(out, api.Agent{ID: a.ID, Name: a.Name, Workspace: a.Workspace, SharedWith: shared, Configured: a.Configured, Eras: stats.EraNames(a.Eras),
				Sessions: a.Sessions, Messages: a.Messages, Compactions: a.Compactions, USD: a.Cost.Dollars(), UnpricedCalls: a.Unpriced, UpdatedAt: stamp(a.Updated)})
		}
		return nil
	})
	return out, err
}

// Sessions lists sessions, the most recent first.
func (e *Engine) Sessions(ctx context.Context, q api.Query) (out []api.Session, err error) {
	err = e.ask(ctx, q, func(i *installation, s store) error {
		all, err := e.rosters.of(ctx, s, q.Agent)
		if err != nil {
			return err
		}
		out = []api.Session{}
		for n := range all.sessions {
			if one := &all.sessions[n]; q.Session == "" || one.Session == q.Session {
				out = append(out, i.session(one, all.family))
			}
		}
		return nil
	})
	return out, err
}

// Costs sums up what calls cost.
func (e *Engine) Costs(ctx context.Context, q api.Query) (view api.CostView, err error) {
	cq := stats.CostQuery{By: stats.By(q.By), From: q.From, To: q.To, Model: q.Model, Asked: q.Asked, Priced: q.Priced}
	if cq.By == "" {
		cq.By = stats.ByDay
	}
	if err := cq.Check(); err != nil {
		return api.CostView{}, err
	}
	err = e.ask(ctx, q, func(i *installation, s store) (err error) {
		if cq.Zone, err = i.zone(q.Zone); err != nil {
			return err
		}
		slices, err := s.Usage(ctx, index.Filter{Agent: q.Agent, Session: q.Session})
		if err != nil {
			return err
		}
		view = costView(slices, cq)
		return nil
	})
	return view, err
}

func costView(slices []memory.UsageSlice, cq stats.CostQuery) api.CostView {
	rows, total := stats.Costs(slices, cq)
	view := api.CostView{By: string(cq.By), Zone: zoneName(cq.Zone), EstimatedUSD: total.Estimated.Dollars(), UnreportedCalls: total.Unreported,
		PriceTable: price.TableSource + ", " + price.TableDate}
	view.Rows = []api.CostRow{}
	for _, r := range rows {
		view.Rows = append(view.Rows, api.CostRow{Key: r.Key, Calls: r.Calls, Tokens: addTokens(api.Tokens{}, r.Usage), USD: r.Cost.Dollars(), UnpricedCalls: r.Unpriced, BackgroundUSD: r.Background.Dollars()})
	}
	view.Total = api.CostTotal{Calls: total.Calls, Tokens: addTokens(api.Tokens{}, total.Usage), USD: total.Cost.Dollars(), UnpricedCalls: total.Unpriced, BackgroundUSD: total.Background.Dollars()}
	return view
}

// Compactions lists compactions, the latest first.
func (e *Engine) Compactions(ctx context.Context, q api.Query) (out []api.Compaction, err error) {
	err = e.ask(ctx, q, func(_ *installation, s store) error {
		all, err := s.Sessions(ctx, index.Filter{Agent: q.Agent, Session: q.Session})
		if err != nil {
			return err
		}
		var found []stats.CompactionRecord
		for n := range all {
			if all[n].Compactions == 0 {
				continue
			}
			entries, err := s.Entries(ctx, all[n].Row, false)
			if err != nil {
				return err
			}
			found = append(found, stats.Compactions(&all[n], entries)...)
		}
		stats.SortCompactions(found)
		out = []api.Compaction{}
		for _, c := range found {
			out = append(out, compactionOf(c))
		}
		return nil
	})
	return out, err
}

// Problems lists what could not be read or needs attention.
func (e *Engine) Problems(ctx context.Context, q api.Query) (out []api.Problem, err error) {
	err = e.ask(ctx, q, func(i *installation, s store) error {
		out, err = e.problems(ctx, i, s)
		return err
	})
	return out, err
}

// Config gives the configuration of an installation, masked.
func (e *Engine) Config(_ context.Context, q api.Query) (any, error) {
	i, err := e.get(q.Installation)
	if err != nil {
		return nil, err
	}
	cfg, _ := openclaw.LoadConfig(e.opts.Env, i.Installation) // what is wrong with it is among the problems
	return json.RawMessage(mustJSON(cfg.Masked(e.opts.MaskValue))), nil
}

func mustJSON(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil { // a tree of strings and numbers; an infinity cannot be written
		return []byte("null")
	}
	return b
}

// Rebuild makes the index anew and sums up. With q.Start it begins to, and
// sums up what there is.
func (e *Engine) Rebuild(ctx context.Context, q api.Query) (api.Scan, error) {
	if _, err := e.get(q.Installation); err != nil {
		return api.Scan{}, err
	}
	if q.Start {
		e.startRebuild()
	} else if err := e.rebuild(ctx); err != nil {
		return api.Scan{}, err
	}
	q.Refresh = false
	return e.Scan(ctx, q)
}

// Reading pauses, resumes or cancels what is being read.
func (e *Engine) Reading(_ context.Context, q api.Query) (api.Status, error) {
	i, err := e.get(q.Installation)
	if err != nil {
		return api.Status{}, err
	}
	if err := i.work.direct(q.Do); err != nil {
		return api.Status{}, err
	}
	if q.Do == "resume" {
		e.rouse(i)
	}
	s := i.status()
	e.hub.publish(i.ID, &s, nil)
	return s, nil
}

// stamp writes a moment as the API does, nil where it is not known.
func stamp(m memory.Millis) *string {
	if m == 0 {
		return nil
	}
	s := m.Time().Format("2006-01-02T15:04:05.000Z")
	return &s
}

// count gives a count, nil where it was not recorded.
func count(n int64) *int64 {
	if n <= 0 {
		return nil
	}
	return &n
}
