package index

import (
	"context"
	"fmt"
	"math"

	"tidemark/backend/memory"
)

// SpanCount is what a session has in a span of time.
type SpanCount struct {
	Agent       string
	Messages    int64
	Compactions int64
	Resets      int64
}

// CountWithin counts, by number of the session, what was written from one
// moment on and before another one; 0 is no bound. Sessions without anything in
// that time are left out, and so is what only the ledger knows.
func (s *Store) CountWithin(ctx context.Context, f Filter, from, to memory.Millis) (map[int64]SpanCount, error) {
	if to == 0 {
		to = math.MaxInt64
	}
	f.Since = from
	where, args := f.where([]any{memory.KindMessage, flagDouble, memory.KindCompaction, memory.KindReset, s.id})
	rows, err := s.x.read.QueryContext(ctx, `SELECT s.id, a.name, COALESCE(SUM(e.kind=? AND e.flags&?=0),0), COALESCE(SUM(e.kind=?),0), COALESCE(SUM(e.kind=?),0)
		FROM agent a JOIN session s ON s.agent = a.id JOIN entry e ON e.session = s.id WHERE a.installation = ?`+where+` AND s.started < ? AND e.at >= ? AND e.at < ? GROUP BY s.id`, append(args, to, from, to)...)
	if err != nil {
		return nil, fmt.Errorf("count what a span holds: %w", err)
	}
	defer rows.Close()
	found := map[int64]SpanCount{}
	for rows.Next() {
		var row int64
		var c SpanCount
		if err := rows.Scan(&row, &c.Agent, &c.Messages, &c.Compactions, &c.Resets); err != nil {
			return nil, fmt.Errorf("count what a span holds: %w", err)
		}
		found[row] = c
	}
	return found, rows.Err()
}

// Summed is a compaction and its summary.
type Summed struct {
	Session int64 // number of its session
	Entry   string
	At      memory.Millis
	Summary string
}

// CompactionsWithin gives the compactions of a span of time, as CountWithin.
func (s *Store) CompactionsWithin(ctx context.Context, f Filter, from, to memory.Millis) ([]Summed, error) {
	if to == 0 {
		to = math.MaxInt64
	}
	f.Since = from
	where, args := f.where([]any{s.id})
	rows, err := s.x.read.QueryContext(ctx, `SELECT s.id, e.eid, k.at, k.summary FROM agent a JOIN session s ON s.agent = a.id JOIN compaction k ON k.session = s.id JOIN entry e ON e.id = k.entry
		WHERE a.installation = ?`+where+` AND k.at >= ? AND k.at < ? ORDER BY k.at DESC, k.entry DESC`, append(args, from, to)...)
	if err != nil {
		return nil, fmt.Errorf("list the compactions of a span: %w", err)
	}
	defer rows.Close()
	var found []Summed
	for rows.Next() {
		var c Summed
		if err := rows.Scan(&c.Session, &c.Entry, &c.At, &c.Summary); err != nil {
			return nil, fmt.Errorf("list the compactions of a span: %w", err)
		}
		found = append(found, c)
	}
	return found, rows.Err()
}

// UsageOfSpan sums up the calls of a span of time, by session alone: days,
// models and where prices come from are not told apart, which is several times
// faster than Usage. It counts as CountWithin does, but what only the ledger
// knows is among it, by the first call of a day. Calls whose time is not known
// count where there is no bound.
func (s *Store) UsageOfSpan(ctx context.Context, f Filter, from, to memory.Millis) ([]memory.UsageSlice, error) {
	within := ""
	if from != 0 || to != 0 {
		if to == 0 {
			to = math.MaxInt64
		}
		within = fmt.Sprintf(" AND c.at >= %d AND c.at < %d AND c.at <> 0", from, to)
	}
	f.Since = from
	where, args := f.where([]any{s.id})
	const tables = "FROM agent a JOIN session s ON s.agent = a.id "
	rows, err := s.x.read.QueryContext(ctx, fmt.Sprintf(`SELECT a.name, s.sid, s.background, COUNT(*), SUM(c.price=%d), SUM(c.flags&%d=0), SUM(c.input), SUM(c.output), SUM(c.cache_read), SUM(c.cache_write), SUM(c.cost),
			SUM(CASE WHEN c.flags&%d THEN c.cost ELSE 0 END) `+tables+`JOIN call c ON c.session = s.id WHERE a.installation = ?`+where+` AND c.copy = 0`+within+` GROUP BY s.id
		UNION ALL SELECT a.name, s.sid, s.background, c.calls, c.unpriced, 0, c.input, c.output, c.cache_read, c.cache_write, c.cost, c.background `+tables+`JOIN carried c ON c.session = s.id WHERE a.installation = ?`+where+within,
		memory.PriceUnknown, callReported, callBackground), append(args, args...)...)
	if err != nil {
		return nil, fmt.Errorf("sum usage of a span: %w", err)
	}
	defer rows.Close()
	var found []memory.UsageSlice
	for rows.Next() {
		var l memory.UsageSlice
		var background memory.Money
		u := &l.Usage
		if err := rows.Scan(&l.Agent, &l.Session, &l.Background, &l.Calls, &l.Unpriced, &l.Unreported, &u.Input, &u.Output, &u.CacheRead, &u.CacheWrite, &l.Cost, &background); err != nil {
			return nil, fmt.Errorf("sum usage of a span: %w", err)
		}
		if !l.Background && background > 0 {
			l.Cost -= background
			found = append(found, memory.UsageSlice{Agent: l.Agent, Session: l.Session, Background: true, Cost: background})
		}
		found = append(found, l)
	}
	return found, rows.Err()
}
