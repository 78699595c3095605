package index

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"slices"

	"tidemark/backend/memory"
)

// Entries gives the entries of a session, in the order in which they were
// written: as they came from one source, by time where there are several.
// Texts are filled where they are asked for. Of a call that counts in another
// session the entry shows none.
func (s *Store) Entries(ctx context.Context, session int64, texts bool) ([]memory.Entry, error) {
	text := "NULL"
	if texts {
		text = "e.text"
	}
	rows, err := s.x.read.QueryContext(ctx, `SELECT `+entryColumns(text)+` FROM `+entryTables+` AND c.copy = 0 LEFT JOIN model m ON m.id = c.model
		WHERE e.session = ? ORDER BY e.id`, session)
	if err != nil {
		return nil, fmt.Errorf("list entries: %w", err)
	}
	defer rows.Close()
	var found []memory.Entry
	for rows.Next() {
		e, err := scanEntry(rows)
		if err != nil {
			return nil, fmt.Errorf("list entries: %w", err)
		}
		found = append(found, e)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("list entries: %w", err)
	}
	rows.Close()
	kept, err := s.carriedEntries(ctx, session)
	if err != nil {
		return nil, err
	}
	return inOrder(append(kept, found...)), nil
}

// entryTables joins what belongs to an entry; a condition on its call and the
// model follow.
const entryTables = `entry e JOIN source src ON src.id = e.source LEFT JOIN compaction k ON k.entry = e.id LEFT JOIN call c ON c.entry = e.id`

// entryColumns are the columns that scanEntry reads; text is the expression
// that gives the text.
func entryColumns(text string) string {
	return `e.eid, e.parent, e.kind, e.role, e.flags, e.at, e.line, e.offset, e.tokens, ` + text + `, e.more, src.path, src.kind,
			k.tokens_before, k.tokens_after, k.from_hook, k.summary, c.flags, c.input, c.output, c.cache_read, c.cache_write, c.cost, c.price, m.provider, m.name`
}

// inOrder puts entries of several sources, or of one that was replaced, into
// the order of their times.
func inOrder(entries []memory.Entry) []memory.Entry {
	order := orderOf(entries)
	if order == nil {
		return entries
	}
	return picked(entries, order)
}

// orderOf gives the order in which entries are to stand, nil where they stand
// so. One whose time is not known stays behind the one that was read before it
// from its source.
func orderOf(entries []memory.Entry) []int {
	type place struct {
		line   int
		offset int64
		at     memory.Millis
	}
	last := map[string]place{}
	times := make([]memory.Millis, len(entries))
	plain := true
	for i := range entries {
		e := &entries[i]
		before, seen := last[e.Place.Path]
		plain = plain && (!seen || e.Place.Line > before.line || e.Place.Line == before.line && e.Place.Offset >= before.offset)
		if times[i] = e.At; e.At == 0 {
			times[i] = before.at
		}
		last[e.Place.Path] = place{e.Place.Line, e.Place.Offset, times[i]}
	}
	if plain && len(last) < 2 {
		return nil
	}
	order := make([]int, len(entries))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(times[a], times[b]) })
	return order
}

// picked gives the elements of a list in another order.
func picked[T any](from []T, order []int) []T {
	out := make([]T, len(order))
	for i, n := range order {
		out[i] = from[n]
	}
	return out
}

// carriedEntries gives the compactions of a session that only the ledger still
// knows, as entries.
func (s *Store) carriedEntries(ctx context.Context, session int64) ([]memory.Entry, error) {
	rows, err := s.x.read.QueryContext(ctx, `SELECT k.eid, k.at, k.tokens_before, k.tokens_after, k.summary FROM carried_compaction k WHERE k.session = ? ORDER BY k.at, k.eid`, session)
	if err != nil {
		return nil, fmt.Errorf("list kept compactions: %w", err)
	}
	defer rows.Close()
	var found []memory.Entry
	for rows.Next() {
		c := memory.Compaction{FirstKeptIndex: -1}
		e := memory.Entry{Kind: memory.KindCompaction, Type: memory.KindCompaction.String(), Compaction: &c, Place: memory.Place{Kind: memory.SourceLedger}}
		if err := rows.Scan(&e.ID, &e.At, &c.TokensBefore, &c.TokensAfter, &c.Summary); err != nil {
			return nil, fmt.Errorf("list kept compactions: %w", err)
		}
		found = append(found, e)
	}
	return found, rows.Err()
}

// callColumns are the columns of a call, NULL where an entry made none.
type callColumns struct {
	flags, input, output, read, write, cost, price sql.NullInt64
	provider, model                                sql.NullString
}

// scanEntry reads a row of entryColumns, and into more what follows them.
func scanEntry(rows *sql.Rows, more ...any) (e memory.Entry, err error) {
	var parent, extra, summary sql.NullString
	var flags int
	var text []byte
	var before, after sql.NullInt64
	var hook sql.NullBool
	var c callColumns
	if err = rows.Scan(append([]any{&e.ID, &parent, &e.Kind, &e.Role, &flags, &e.At, &e.Place.Line, &e.Place.Offset, &e.TextTokens, &text, &extra, &e.Place.Path, &e.Place.Kind,
		&before, &after, &hook, &summary, &c.flags, &c.input, &c.output, &c.read, &c.write, &c.cost, &c.price, &c.provider, &c.model}, more...)...); err != nil {
		return e, err
	}
	e.Parent, e.HasParent = parent.String, parent.Valid
	e.Side, e.IsError = flags&flagSide != 0, flags&flagError != 0
	switch {
	case flags&flagOwner != 0:
		e.Owner = memory.Yes
	case flags&flagNotOwner != 0:
		e.Owner = memory.No
	}
	if e.Text, err = unpackText(text, flags&flagPacked != 0 && len(text) > 0); err != nil {
		return e, err
	}
	var m entryMore
	if extra.Valid {
		if err := json.Unmarshal([]byte(extra.String), &m); err != nil {
			return e, fmt.Errorf("%w: an entry: %w", errContent, err)
		}
	}
	m.fill(&e)
	if e.Kind == memory.KindCompaction || e.Kind == memory.KindReset {
		e.Compaction = &memory.Compaction{Summary: summary.String, FirstKept: m.FirstKept, FirstKeptIndex: -1, TokensBefore: before.Int64, TokensAfter: after.Int64, FromHook: hook.Bool}
		if m.FirstKeptIdx != nil {
			e.Compaction.FirstKeptIndex = *m.FirstKeptIdx
		}
	}
	e.Call = c.call()
	return e, nil
}

// fill is the inverse of more.
func (m entryMore) fill(e *memory.Entry) {
	e.Type, e.Target, e.AppendParent, e.Tool, e.ToolCallID, e.StopReason = m.Type, m.Target, m.AppendParent, m.Tool, m.ToolCallID, m.Stop
	e.Images, e.ImageBytes, e.Mirror = m.Images, m.ImageBytes, m.Mirror
	if e.Type == "" {
		e.Type = e.Kind.String()
	}
}

func (c callColumns) call() *memory.Call {
	if !c.flags.Valid {
		return nil
	}
	f := c.flags.Int64
	return &memory.Call{Provider: c.provider.String, Model: c.model.String, Cost: memory.Money(c.cost.Int64), Price: memory.PriceSource(c.price.Int64),
		Background: f&callBackground != 0, Failed: f&callFailed != 0, Reported: f&callReported != 0,
		Usage: memory.Usage{Present: true, Invalid: f&callInvalid != 0, Input: c.input.Int64, Output: c.output.Int64, CacheRead: c.read.Int64, CacheWrite: c.write.Int64, HasCost: f&callRecorded != 0}}
}
