package index

import (
	"context"
	"database/sql"
	"fmt"

	"tidemark/backend/memory"
)

// Reroot tells the calls of a session apart anew, since it became known that
// the session continues another one than was thought: once gives what is equal
// for copies of the call of an entry.
func (s *Store) Reroot(ctx context.Context, agent, session, root string, once func(id string, at memory.Millis) uint64) error {
	return s.change(ctx, func(tx *sql.Tx) error {
		var row int64
		err := tx.QueryRowContext(ctx, `UPDATE session SET root=? WHERE sid=? AND agent=(SELECT id FROM agent WHERE installation=? AND name=?) RETURNING id`, root, session, s.id, agent).Scan(&row)
		if noRow(err) {
			return nil
		}
		if err != nil {
			return err
		}
		calls, err := callsOf(ctx, tx, row)
		if err != nil {
			return err
		}
		touched := map[int64]bool{row: true}
		for _, c := range calls {
			if err := c.move(ctx, tx, int64(once(c.id, c.at)), touched); err != nil {
				return err
			}
		}
		if err := kinOf(ctx, tx, row); err != nil {
			return err
		}
		for id := range touched {
			if err := resumWhere(ctx, tx, "SELECT ?", id); err != nil {
				return err
			}
		}
		_, err = tx.ExecContext(ctx, doubtKept, s.metaKey(Kept))
		return err
	})
}

// movable is a call whose identity may change.
type movable struct {
	entry, once int64
	id, session string
	at          memory.Millis
	headerAt    memory.Millis
}

func callsOf(ctx context.Context, tx *sql.Tx, session int64) ([]movable, error) {
	rows, err := tx.QueryContext(ctx, `SELECT c.entry, c.once, e.eid, e.at, s.sid, s.header_at FROM call c JOIN entry e ON e.id=c.entry JOIN session s ON s.id=c.session WHERE c.session=? ORDER BY c.entry`, session)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var found []movable
	for rows.Next() {
		var m movable
		if err := rows.Scan(&m.entry, &m.once, &m.id, &m.at, &m.session, &m.headerAt); err != nil {
			return nil, err
		}
		found = append(found, m)
	}
	return found, rows.Err()
}

// move gives a call another identity. Where that counts already, the session
// that began first keeps it.
func (m movable) move(ctx context.Context, tx *sql.Tx, once int64, touched map[int64]bool) error {
	if once == m.once {
		return nil
	}
	if _, err := tx.ExecContext(ctx, "UPDATE call SET once=?, copy=1 WHERE entry=?", once, m.entry); err != nil {
		return err
	}
	// Somebody else's copy of the old identity may count now.
	var heir, heirSession int64
	err := tx.QueryRowContext(ctx, "SELECT entry, session FROM call WHERE once=?1 AND copy=1 AND NOT EXISTS(SELECT 1 FROM call WHERE once=?1 AND copy=0) ORDER BY entry LIMIT 1", m.once).Scan(&heir, &heirSession)
	if err == nil {
		touched[heirSession] = true
		_, err = tx.ExecContext(ctx, "UPDATE call SET copy=0 WHERE entry=?", heir)
	}
	if err != nil && !noRow(err) {
		return err
	}
	var entry, session int64
	var sid string
	var headerAt memory.Millis
	err = tx.QueryRowContext(ctx, "SELECT c.entry, s.id, s.sid, s.header_at FROM call c JOIN session s ON s.id=c.session WHERE c.once=? AND c.copy=0", once).Scan(&entry, &session, &sid, &headerAt)
	switch {
	case noRow(err):
	case err != nil:
		return err
	case !began(m.session, m.headerAt, sid, headerAt):
		return nil
	default:
		touched[session] = true
		if _, err := tx.ExecContext(ctx, "UPDATE call SET copy=1 WHERE entry=?", entry); err != nil {
			return err
		}
	}
	_, err = tx.ExecContext(ctx, "UPDATE call SET copy=0 WHERE entry=?", m.entry)
	return err
}

// kinOf notes for a session whose calls turned out to be copies where they
// count.
func kinOf(ctx context.Context, tx *sql.Tx, session int64) error {
	_, err := tx.ExecContext(ctx, `UPDATE session SET kin=COALESCE((SELECT o.sid FROM call c JOIN call f ON f.once=c.once AND f.copy=0 JOIN session o ON o.id=f.session
		WHERE c.session=?1 AND c.copy=1 LIMIT 1), kin) WHERE id=?1 AND kin=''`, session)
	if err != nil {
		return fmt.Errorf("note kin: %w", err)
	}
	return nil
}
