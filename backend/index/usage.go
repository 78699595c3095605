package index

import (
	"context"
	"fmt"

	"tidemark/backend/memory"
)

// quarter is the length of the stretch within which calls are summed up: every
// zone of the world is a whole number of them away from UTC.
const quarter = 15 * 60 * 1000

// Usage sums up calls finely enough to be added up by day in any zone, agent,
// session or model. What only the ledger still knows is among them.
func (s *Store) Usage(ctx context.Context, f Filter) ([]memory.UsageSlice, error) {
	where, args := f.where([]any{s.id})
	where2, args2 := f.where([]any{s.id})
	where3, args3 := f.where([]any{s.id})
	rows, err := s.x.read.QueryContext(ctx, fmt.Sprintf(`SELECT a.name, s.sid, s.background, m.provider, m.name, g.* FROM (
			SELECT c.session, c.model, MIN(c.at), MAX(c.at), c.flags&%d, c.price, COUNT(*), SUM(c.price=%d), SUM(c.flags&%d=0), SUM(c.flags&%d<>0), SUM(c.input), SUM(c.output), SUM(c.cache_read), SUM(c.cache_write), SUM(c.cost)
			FROM call c GROUP BY c.session, c.model, c.at/%d, c.flags&%d, c.price) g
		JOIN session s ON s.id = g.session JOIN agent a ON a.id = s.agent JOIN model m ON m.id = g.model WHERE a.installation = ?`+where+`
		UNION ALL SELECT a.name, s.sid, s.background, m.provider, m.name, c.session, c.model, c.at, c.at, 0, %d, c.calls, c.unpriced, 0, 0, c.input, c.output, c.cache_read, c.cache_write, c.cost-c.background
		FROM carried c JOIN session s ON s.id = c.session JOIN agent a ON a.id = s.agent JOIN model m ON m.id = c.model WHERE a.installation = ?`+where2+`
		UNION ALL SELECT a.name, s.sid, s.background, m.provider, m.name, c.session, c.model, c.at, c.at, %d, %d, 0, 0, 0, 0, 0, 0, 0, 0, c.background
		FROM carried c JOIN session s ON s.id = c.session JOIN agent a ON a.id = s.agent JOIN model m ON m.id = c.model WHERE c.background > 0 AND a.installation = ?`+where3,
		callBackground, memory.PriceUnknown, callReported, callInvalid, quarter, callBackground, memory.PriceRecorded, callBackground, memory.PriceRecorded), append(append(args, args2...), args3...)...)
	if err != nil {
		return nil, fmt.Errorf("sum usage: %w", err)
	}
	defer rows.Close()
	var found []memory.UsageSlice
	for rows.Next() {
		var l memory.UsageSlice
		var session, model int64
		var background int64
		u := &l.Usage
		if err := rows.Scan(&l.Agent, &l.Session, &l.Background, &l.Provider, &l.Model, &session, &model, &l.At, &l.Last, &background, &l.Price, &l.Calls, &l.Unpriced, &l.Unreported, &l.Damaged,
			&u.Input, &u.Output, &u.CacheRead, &u.CacheWrite, &l.Cost); err != nil {
			return nil, fmt.Errorf("sum usage: %w", err)
		}
		l.Background = l.Background || background != 0
		found = append(found, l)
	}
	return found, rows.Err()
}
