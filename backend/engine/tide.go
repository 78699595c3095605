package engine

import (
	"context"
	"slices"
	"sort"

	"tidemark/backend/api"
	"tidemark/backend/memory"
	"tidemark/backend/stats"
)

// Tide gives the course of a session's context. It reads no texts.
func (e *Engine) Tide(ctx context.Context, q api.Query) (out api.Tide, err error) {
	err = e.ask(ctx, q, func(i *installation, s store) error {
		_, sum, c, err := e.course(ctx, s, q)
		if err != nil {
			return err
		}
		t := stats.TideOf(c.Entries, c.Copied, c.shape)
		out = i.tide(sum, t)
		out.Statements, err = i.tideStatements(ctx, s, sum, t)
		return err
	})
	return out, err
}

// tideStatements gives the statements that were made in a session, by time.
func (i *installation) tideStatements(ctx context.Context, s store, sum *memory.SessionSummary, t stats.Tide) ([]api.TideStatement, error) {
	byEntry, err := i.ofSession(ctx, s, sum.Agent, sum.Session)
	if err != nil {
		return nil, err
	}
	var all []memory.Statement
	for _, found := range byEntry {
		all = append(all, found...)
	}
	slices.SortFunc(all, byTime)
	out := make([]api.TideStatement, 0, len(all))
	for _, st := range all {
		call := sort.Search(len(t.Points), func(n int) bool { return t.Points[n].At >= st.At })
		out = append(out, api.TideStatement{ID: st.ID, At: int64(st.At), Tag: st.Tag.String(), State: st.State.String(), Text: st.Text, Entry: st.Entry, Call: call})
	}
	return out, nil
}

// tide gives a tide as the API shows it, with the lines to draw in it.
func (i *installation) tide(s *memory.SessionSummary, t stats.Tide) api.Tide {
	out := columns(t, s.Background)
	out.Used = s.ContextUsed
	out.Window, out.WindowSource, out.Threshold = i.limits(s)
	return out
}

// limits gives a session's window, why that is taken for it, and the level at
// which OpenClaw compacts.
func (i *installation) limits(s *memory.SessionSummary) (window *int64, why string, threshold *int64) {
	w, ok := stats.WindowOf(s, i.hist)
	if !ok {
		return nil, "", nil
	}
	var r stats.Reserve
	if cfg := i.hist.config(); cfg != nil {
		r = stats.Reserve{Tokens: cfg.Defaults.Compaction.ReserveTokens, Floor: cfg.Defaults.Compaction.ReserveTokensFloor}
	}
	if n, ok := stats.ThresholdOf(s, w.Tokens, r); ok {
		threshold = &n
	}
	return &w.Tokens, w.Why, threshold
}

// columns gives a tide in columns; none of them is null. background says that
// nobody asked for any call of the session.
func columns(t stats.Tide, background bool) api.Tide {
	n := len(t.Points)
	out := api.Tide{At: make([]int64, n), Input: make([]int64, n), CacheRead: make([]int64, n), CacheWrite: make([]int64, n), Output: make([]int64, n),
		USD: make([]*float64, n), Background: make([]bool, n), Entry: make([]string, n), Falls: make([]api.TideFall, 0, len(t.Falls)), Statements: []api.TideStatement{}}
	usd := make([]float64, n)
	for k, p := range t.Points {
		c := p.Call
		out.At[k], out.Entry[k], out.Background[k] = int64(p.At), p.Entry, background || c.Background
		out.Input[k], out.CacheRead[k], out.CacheWrite[k], out.Output[k] = -1, -1, -1, -1
		if c.Reported {
			out.Input[k], out.CacheRead[k], out.CacheWrite[k], out.Output[k] = c.Usage.Input, c.Usage.CacheRead, c.Usage.CacheWrite, c.Usage.Output
		}
		if c.Price != memory.PriceUnknown {
			usd[k] = c.Cost.Dollars()
			out.USD[k] = &usd[k]
		}
	}
	for _, f := range t.Falls {
		kind := memory.KindCompaction
		if f.Reset {
			kind = memory.KindReset
		}
		out.Falls = append(out.Falls, api.TideFall{At: int64(f.At), Kind: kind.String(), Entry: f.Entry, Before: count(f.Before), After: count(f.After),
			Superseded: f.Superseded, Reason: f.Reason, Call: f.Call})
	}
	return out
}
