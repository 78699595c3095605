package index

import (
	"context"
	"database/sql"
	"fmt"

	"tidemark/backend/memory"
)

// repriced is a call whose price changed.
type repriced struct {
	entry int64
	cost  memory.Money
	price memory.PriceSource
}

// Reprice prices again every call whose price did not come with the record,
// after prices changed, and sums the sessions up anew. It gives the number of
// calls that changed.
func (s *Store) Reprice(ctx context.Context, agent string, price func(provider, model string, u memory.Usage, failed bool) (memory.Money, memory.PriceSource)) (changed int, err error) {
	if err := s.Flush(ctx); err != nil {
		return 0, err
	}
	todo, err := s.repriced(ctx, agent, price)
	if err != nil || len(todo) == 0 {
		return 0, err
	}
	return len(todo), s.change(ctx, func(tx *sql.Tx) error {
		for _, up := range todo {
			if _, err := tx.ExecContext(ctx, "UPDATE call SET cost=?, price=? WHERE entry=?", up.cost, up.price, up.entry); err != nil {
				return err
			}
		}
		_, err := tx.ExecContext(ctx, `UPDATE session SET (cost, unpriced) = (SELECT COALESCE(SUM(c.cost),0) + COALESCE((SELECT SUM(k.cost) FROM carried k WHERE k.session=session.id),0),
				COALESCE(SUM(c.price=?),0) + COALESCE((SELECT SUM(k.unpriced) FROM carried k WHERE k.session=session.id),0) FROM call c WHERE c.session=session.id AND c.copy=0)
			WHERE agent=(SELECT id FROM agent WHERE installation=? AND name=?)`, memory.PriceUnknown, s.id, agent)
		return err
	})
}

func (s *Store) repriced(ctx context.Context, agent string, price func(provider, model string, u memory.Usage, failed bool) (memory.Money, memory.PriceSource)) ([]repriced, error) {
	rows, err := s.x.read.QueryContext(ctx, `SELECT c.entry, m.provider, m.name, c.flags, c.input, c.output, c.cache_read, c.cache_write, c.hour, c.cost, c.price FROM call c
		JOIN session s ON s.id = c.session JOIN agent a ON a.id = s.agent JOIN model m ON m.id = c.model
		WHERE a.installation = ? AND a.name = ? AND c.price <> ?`, s.id, agent, memory.PriceRecorded)
	if err != nil {
		return nil, fmt.Errorf("list calls: %w", err)
	}
	defer rows.Close()
	var todo []repriced
	for rows.Next() {
		var up, old repriced
		var provider, model string
		var flags int
		u := memory.Usage{Present: true}
		if err := rows.Scan(&up.entry, &provider, &model, &flags, &u.Input, &u.Output, &u.CacheRead, &u.CacheWrite, &u.CacheWrite1h, &old.cost, &old.price); err != nil {
			return nil, fmt.Errorf("list calls: %w", err)
		}
		u.Invalid, u.HasCost = flags&callInvalid != 0, flags&callRecorded != 0
		if up.cost, up.price = price(provider, model, u, flags&callFailed != 0); up.cost != old.cost || up.price != old.price {
			todo = append(todo, up)
		}
	}
	return todo, rows.Err()
}
