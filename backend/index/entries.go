package index

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"

	"tidemark/backend/memory"
)

// Entries gives the entries of a session, in the order in which they were
// written: as they came from one source, by time where there are several.
// Texts are filled where they are asked for.
func (s *Store) Entries(ctx context.Context, session int64, texts bool) ([]memory.Entry, error) {
	order := "e.id"
	var sources int
	if err := s.x.read.QueryRowContext(ctx, "SELECT COUNT(*) FROM session_source WHERE session = ?", session).Scan(&sources); err != nil {
		return nil, fmt.Errorf("count sources: %w", err)
	}
	if sources > 1 {
		order = "e.at, e.id"
	}
	text := "NULL"
	if texts {
		text = "e.text"
	}
	rows, err := s.x.read.QueryContext(ctx, `SELECT e.eid, e.parent, e.kind, e.role, e.flags, e.at, e.line, e.offset, e.tokens, `+text+`, e.more, src.path, src.kind,
			k.tokens_before, k.tokens_after, k.from_hook, k.summary, c.flags, c.input, c.output, c.cache_read, c.cache_write, c.cost, c.price, m.provider, m.name
		FROM entry e JOIN source src ON src.id = e.source LEFT JOIN compaction k ON k.entry = e.id LEFT JOIN call c ON c.entry = e.id LEFT JOIN model m ON m.id = c.model
		WHERE e.session = ? ORDER BY `+order, session)
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
	return found, rows.Err()
}

// callColumns are the columns of a call, NULL where an entry made none.
type callColumns struct {
	flags, input, output, read, write, cost, price sql.NullInt64
	provider, model                                sql.NullString
}

func scanEntry(rows *sql.Rows) (e memory.Entry, err error) {
	var parent, extra, summary sql.NullString
	var flags int
	var text []byte
	var before, after sql.NullInt64
	var hook sql.NullBool
	var c callColumns
	if err = rows.Scan(&e.ID, &parent, &e.Kind, &e.Role, &flags, &e.At, &e.Place.Line, &e.Place.Offset, &e.TextTokens, &text, &extra, &e.Place.Path, &e.Place.Kind,
		&before, &after, &hook, &summary, &c.flags, &c.input, &c.output, &c.read, &c.write, &c.cost, &c.price, &c.provider, &c.model); err != nil {
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
			return e, err
		}
	}
	e.Type, e.Target, e.AppendParent, e.Tool, e.ToolCallID, e.StopReason = m.Type, m.Target, m.AppendParent, m.Tool, m.ToolCallID, m.Stop
	e.Images, e.ImageBytes, e.Mirror = m.Images, m.ImageBytes, m.Mirror
	if e.Type == "" {
		e.Type = e.Kind.String()
	}
	if e.Kind == memory.KindCompaction || e.Kind == memory.KindReset {
		e.Compaction = &memory.Compaction{Summary: summary.String, FirstKept: m.FirstKept, FirstKeptIndex: -1, TokensBefore: before.Int64, TokensAfter: after.Int64, FromHook: hook.Bool}
		if m.FirstKeptIdx != nil {
			e.Compaction.FirstKeptIndex = *m.FirstKeptIdx
		}
	}
	e.Call = c.call()
	return e, nil
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

// Reprice prices again every call whose price did not come with the record,
// after prices changed, and sums the sessions up anew. It gives the number of
// calls that changed.
func (s *Store) Reprice(ctx context.Context, agent string, price func(provider, model string, u memory.Usage, failed bool) (memory.Money, memory.PriceSource)) (changed int, err error) {
	type update struct {
		entry int64
		cost  memory.Money
		price memory.PriceSource
	}
	rows, err := s.x.read.QueryContext(ctx, `SELECT c.entry, m.provider, m.name, c.flags, c.input, c.output, c.cache_read, c.cache_write, c.hour, c.cost, c.price FROM call c
		JOIN session s ON s.id = c.session JOIN agent a ON a.id = s.agent JOIN model m ON m.id = c.model
		WHERE a.installation = ? AND a.name = ? AND c.price <> ?`, s.id, agent, memory.PriceRecorded)
	if err != nil {
		return 0, fmt.Errorf("list calls: %w", err)
	}
	defer rows.Close()
	var todo []update
	for rows.Next() {
		var up, old update
		var provider, model string
		var flags int
		u := memory.Usage{Present: true}
		if err := rows.Scan(&up.entry, &provider, &model, &flags, &u.Input, &u.Output, &u.CacheRead, &u.CacheWrite, &u.CacheWrite1h, &old.cost, &old.price); err != nil {
			return 0, fmt.Errorf("list calls: %w", err)
		}
		u.Invalid, u.HasCost = flags&callInvalid != 0, flags&callRecorded != 0
		if up.cost, up.price = price(provider, model, u, flags&callFailed != 0); up.cost != old.cost || up.price != old.price {
			todo = append(todo, up)
		}
	}
	if err := rows.Err(); err != nil || len(todo) == 0 {
		return 0, err
	}
	rows.Close()
	return len(todo), s.x.change(ctx, func(tx *sql.Tx) error {
		for _, up := range todo {
			if _, err := tx.ExecContext(ctx, "UPDATE call SET cost=?, price=? WHERE entry=?", up.cost, up.price, up.entry); err != nil {
				return err
			}
		}
		_, err := tx.ExecContext(ctx, `UPDATE session SET (cost, unpriced) = (SELECT COALESCE(SUM(c.cost),0) + COALESCE((SELECT SUM(k.cost) FROM carried k WHERE k.session=session.id),0),
				COALESCE(SUM(c.price=?),0) + COALESCE((SELECT SUM(k.unpriced) FROM carried k WHERE k.session=session.id),0) FROM call c WHERE c.session=session.id)
			WHERE agent=(SELECT id FROM agent WHERE installation=? AND name=?)`, memory.PriceUnknown, s.id, agent)
		return err
	})
}
