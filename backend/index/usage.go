package index

import (
	"context"
	"encoding/json"
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
			FROM call c WHERE c.copy=0 GROUP BY c.session, c.model, c.at/%d, c.flags&%d, c.price) g
		JOIN session s ON s.id = g.session JOIN agent a ON a.id = s.agent JOIN model m ON m.id = g.model WHERE a.installation = ?`+where+`
		UNION ALL SELECT a.name, s.sid, s.background, m.provider, m.name, c.session, c.model, c.at, c.last, 0, %d, c.calls, c.unpriced, 0, 0, c.input, c.output, c.cache_read, c.cache_write, c.cost-c.background
		FROM carried c JOIN session s ON s.id = c.session JOIN agent a ON a.id = s.agent JOIN model m ON m.id = c.model WHERE a.installation = ?`+where2+`
		UNION ALL SELECT a.name, s.sid, s.background, m.provider, m.name, c.session, c.model, c.at, c.last, %d, %d, 0, 0, 0, 0, 0, 0, 0, 0, c.background
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

// UsageWithin sums up the calls of some sessions of an agent that went to one
// model and were made between two moments, both included. What is carried from
// the ledger is not among them.
func (s *Store) UsageWithin(ctx context.Context, agent string, sessions []string, of memory.DayUsage) (memory.DayUsage, error) {
	names, err := json.Marshal(sessions)
	if err != nil {
		return of, fmt.Errorf("sum usage of a day: %w", err)
	}
	now := of
	u := &now.Usage
	err = s.x.read.QueryRowContext(ctx, `SELECT COUNT(*), COALESCE(SUM(c.price=?),0), COALESCE(SUM(c.input),0), COALESCE(SUM(c.output),0), COALESCE(SUM(c.cache_read),0), COALESCE(SUM(c.cache_write),0), COALESCE(SUM(c.cost),0),
			COALESCE(SUM(CASE WHEN s.background OR c.flags&? THEN c.cost ELSE 0 END),0)
		FROM agent a JOIN session s ON s.agent = a.id JOIN call c ON c.session = s.id JOIN model m ON m.id = c.model
		WHERE a.installation = ? AND a.name = ? AND s.sid IN (SELECT value FROM json_each(?)) AND m.provider = ? AND m.name = ? AND c.at BETWEEN ? AND ? AND c.copy = 0`,
		memory.PriceUnknown, callBackground, s.id, agent, string(names), of.Provider, of.Model, of.First, of.Last).Scan(&now.Calls, &now.Unpriced, &u.Input, &u.Output, &u.CacheRead, &u.CacheWrite, &now.Cost, &now.Background)
	if err != nil {
		return now, fmt.Errorf("sum usage of a day: %w", err)
	}
	return now, nil
}
