package engine

import (
	"cmp"
	"context"
	"slices"

	"tidemark/backend/api"
	"tidemark/backend/index"
	"tidemark/backend/memory"
	"tidemark/backend/stats"
)

const (
	// nearlyFull is the part of the threshold, in hundredths, from which a
	// person may want to act before OpenClaw compacts.
	nearlyFull = 85
	// stillActive is how long ago a session may have been used to count.
	stillActive = memory.Millis(2 * 24 * 60 * 60 * 1000)
)

// needs lists what a person should look at: contexts that are nearly full, the
// fullest first, compactions without a summary, files that cannot be read.
func (d *day) needs(ctx context.Context) ([]api.Need, error) {
	found := d.full()
	lost, err := d.lost(ctx)
	if err != nil {
		return nil, err
	}
	problems, err := d.unread(ctx)
	return append(append(found, lost...), problems...), err
}

func (d *day) full() []api.Need {
	found := []api.Need{}
	since := memory.MillisOf(d.now) - stillActive
	for n := range d.all.sessions {
		s := &d.all.sessions[n]
		if !s.Current || s.Updated < since || s.ContextUsed == nil {
			continue
		}
		_, _, limit := d.i.limits(s)
		if limit == nil || *s.ContextUsed*100 < *limit*nearlyFull {
			continue
		}
		found = append(found, api.Need{Kind: "full", Agent: s.Agent, SessionID: s.Session, Count: 1, Used: s.ContextUsed, Limit: limit, At: stamp(s.Updated)})
	}
	slices.SortStableFunc(found, func(a, b api.Need) int { return cmp.Compare(*b.Used**a.Limit, *a.Used**b.Limit) })
	return found
}

// lost lists the compactions of the span whose summary says nothing. One that
// another took the place of lost nothing.
func (d *day) lost(ctx context.Context) (found []api.Need, err error) {
	all, err := d.s.CompactionsWithin(ctx, index.Filter{Agent: d.q.Agent}, d.span.From, d.span.To)
	if err != nil {
		return nil, err
	}
	for _, k := range all {
		if !stats.NoSummary(k.Summary) {
			continue
		}
		n := slices.IndexFunc(d.all.sessions, func(s memory.SessionSummary) bool { return s.Row == k.Session })
		if n < 0 {
			continue
		}
		sum := &d.all.sessions[n]
		c, err := d.e.courses.of(ctx, d.s, sum)
		if err != nil {
			return nil, err
		}
		at := slices.IndexFunc(c.Entries, func(e memory.Entry) bool { return e.ID == k.Entry })
		if at < 0 || c.shape.Superseded[at] {
			continue
		}
		found = append(found, api.Need{Kind: "compaction", Agent: sum.Agent, SessionID: sum.Session, EntryID: k.Entry, Count: 1, At: stamp(k.At)})
	}
	return found, nil
}

// severe are the problems because of which something of an agent is not shown.
var severe = []memory.Code{memory.ProblemUnreadable, memory.ProblemBadDatabase, memory.ProblemNewSchema, memory.ProblemBadArchive, memory.ProblemBadStore, memory.ProblemBadConfig}

// unread lists the problems that are severe, one for each code.
func (d *day) unread(ctx context.Context) (found []api.Need, err error) {
	all, err := d.s.Problems(ctx)
	if err != nil {
		return nil, err
	}
	for _, code := range severe {
		n := api.Need{Kind: "problem", Code: string(code)}
		for _, p := range all {
			if p.Code == code {
				n.Count += int64(p.Count)
			}
		}
		if n.Count > 0 {
			found = append(found, n)
		}
	}
	return found, nil
}
