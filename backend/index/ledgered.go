package index

import (
	"context"
	"database/sql"
	"fmt"

	"tidemark/backend/memory"
)

// Ledgered gives, for an agent, the digest of what was written to the ledger
// for each subject.
func (s *Store) Ledgered(ctx context.Context, agent string) (map[string]string, error) {
	rows, err := s.x.read.QueryContext(ctx, `SELECT l.what, l.digest FROM ledgered l JOIN agent a ON a.id = l.agent WHERE a.installation = ? AND a.name = ?`, s.id, agent)
	if err != nil {
		return nil, fmt.Errorf("list what the ledger has: %w", err)
	}
	defer rows.Close()
	found := map[string]string{}
	for rows.Next() {
		var what, digest string
		if err := rows.Scan(&what, &digest); err != nil {
			return nil, fmt.Errorf("list what the ledger has: %w", err)
		}
		found[what] = digest
	}
	return found, rows.Err()
}

// SetLedgered notes what was written to the ledger. A digest of "" forgets the
// subject.
func (s *Store) SetLedgered(ctx context.Context, agent string, digests map[string]string) error {
	if len(digests) == 0 {
		return nil
	}
	return s.note(ctx, func(tx *sql.Tx) error {
		var row int64
		if err := tx.QueryRowContext(ctx, addAgent, s.id, agent).Scan(&row); err != nil {
			return err
		}
		put, err := tx.PrepareContext(ctx, "INSERT INTO ledgered(agent, what, digest) VALUES(?,?,?) ON CONFLICT(agent, what) DO UPDATE SET digest = excluded.digest")
		if err != nil {
			return err
		}
		defer put.Close()
		for what, digest := range digests {
			if digest == "" {
				_, err = tx.ExecContext(ctx, "DELETE FROM ledgered WHERE agent=? AND what=?", row, what)
			} else {
				_, err = put.ExecContext(ctx, row, what, digest)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// KeptCompactions gives the compactions of an agent as the ledger keeps them,
// without those that only the ledger knows.
func (s *Store) KeptCompactions(ctx context.Context, agent string) ([]memory.KeptCompaction, error) {
	rows, err := s.x.read.QueryContext(ctx, `SELECT s.sid, e.eid, c.at, c.tokens_before, c.tokens_after, c.summary FROM compaction c JOIN entry e ON e.id = c.entry
		JOIN session s ON s.id = c.session JOIN agent a ON a.id = s.agent WHERE a.installation = ? AND a.name = ? ORDER BY c.at, e.id`, s.id, agent)
	if err != nil {
		return nil, fmt.Errorf("list compactions: %w", err)
	}
	defer rows.Close()
	var found []memory.KeptCompaction
	for rows.Next() {
		var k memory.KeptCompaction
		if err := rows.Scan(&k.Session, &k.Entry, &k.At, &k.TokensBefore, &k.TokensAfter, &k.Summary); err != nil {
			return nil, fmt.Errorf("list compactions: %w", err)
		}
		found = append(found, k)
	}
	return found, rows.Err()
}
