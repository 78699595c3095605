package index

import (
	"context"
	"database/sql"
	"fmt"
)

// First notes what tells a message of a person, and says whether it was not
// noted yet. It is noted with the batch, or not at all.
func (b *Batch) First(key int64) (first bool, err error) {
	err = b.within("note what was said", func() error {
		res, err := b.run(addSaid, b.s.id, key)
		if err != nil {
			return err
		}
		n, err := res.RowsAffected()
		first = n > 0
		return err
	})
	return first, err
}

// SetSaid notes what tells the messages that the ledger has.
func (s *Store) SetSaid(ctx context.Context, keys []int64) error {
	if len(keys) == 0 {
		return nil
	}
	return s.note(ctx, func(tx *sql.Tx) error {
		st, err := tx.PrepareContext(ctx, addSaid)
		if err != nil {
			return err
		}
		defer st.Close()
		for _, key := range keys {
			if _, err := st.ExecContext(ctx, s.id, key); err != nil {
				return err
			}
		}
		return nil
	})
}

// Waiting is a line of the outbox.
type Waiting struct {
	ID   int64
	Line string
}

// Outbox gives what could not be written to the ledger yet, oldest first.
func (s *Store) Outbox(ctx context.Context) ([]Waiting, error) {
	rows, err := s.x.read.QueryContext(ctx, "SELECT id, line FROM outbox WHERE installation = ? ORDER BY id", s.id)
	if err != nil {
		return nil, fmt.Errorf("read outbox: %w", err)
	}
	defer rows.Close()
	var found []Waiting
	for rows.Next() {
		var w Waiting
		if err := rows.Scan(&w.ID, &w.Line); err != nil {
			return nil, fmt.Errorf("read outbox: %w", err)
		}
		found = append(found, w)
	}
	return found, rows.Err()
}

// EmptyOutbox removes what was written to the ledger since, up to a line.
func (s *Store) EmptyOutbox(ctx context.Context, last int64) error {
	return s.note(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, "DELETE FROM outbox WHERE installation = ? AND id <= ?", s.id, last)
		return err
	})
}
