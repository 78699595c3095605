package index

import (
	"context"
	"database/sql"
	"fmt"

	"tidemark/backend/memory"
)

// Origin is what the index knows of where a session comes from.
type Origin struct {
	Session    string
	HeaderAt   memory.Millis
	FirstEntry string
	InDatabase bool
	// Parent is the session that this one continues, as its header names it or
	// as copied calls show.
	Parent string
	Root   string // session that its calls were told apart for, "" for itself
	// Key is its key as far as it was noted; Background says that the key names
	// something nobody speaks in.
	Key        string
	Background bool
	// Told says that only the ledger tells of it: nothing of it was read.
	Told bool
	// Name is not "" where Session is an id that was replaced by this one; then
	// nothing else is filled.
	Name string
}

// Names gives the origins of every session of an agent, of which one may have
// several, and ids that were replaced.
func (s *Store) Names(ctx context.Context, agent string) ([]Origin, error) {
	rows, err := s.x.read.QueryContext(ctx, `SELECT s.sid, COALESCE(o.header_at, s.header_at), COALESCE(o.first_entry, ''), COALESCE(o.in_database, 0), CASE WHEN s.header_parent='' THEN s.kin ELSE s.header_parent END, s.root, s.key, s.background, 0, '' FROM session s
		JOIN agent a ON a.id = s.agent LEFT JOIN origin o ON o.session = s.id WHERE a.installation = ?1 AND a.name = ?2
		UNION ALL SELECT l.was, 0, '', 0, '', '', '', 0, 0, l.sid FROM alias l JOIN agent a ON a.id = l.agent WHERE a.installation = ?1 AND a.name = ?2
		UNION ALL SELECT l.sid, 0, '', 0, l.parent, '', '', 0, 1, '' FROM lineage l JOIN agent a ON a.id = l.agent WHERE a.installation = ?1 AND a.name = ?2
			AND NOT EXISTS(SELECT 1 FROM session s WHERE s.agent=a.id AND s.sid=l.sid)`, s.id, agent)
	if err != nil {
		return nil, fmt.Errorf("list sessions: %w", err)
	}
	defer rows.Close()
	var found []Origin
	for rows.Next() {
		var o Origin
		if err := rows.Scan(&o.Session, &o.HeaderAt, &o.FirstEntry, &o.InDatabase, &o.Parent, &o.Root, &o.Key, &o.Background, &o.Told, &o.Name); err != nil {
			return nil, fmt.Errorf("list sessions: %w", err)
		}
		found = append(found, o)
	}
	return found, rows.Err()
}

// SetOrigins notes, before anything is read, what is known of sessions that
// may be gone: ids that were replaced (old id → new id), and what sessions
// continued (session → parent, as its header named it).
func (s *Store) SetOrigins(ctx context.Context, agent string, replaced, parents map[string]string) error {
	if len(replaced)+len(parents) == 0 {
		return nil
	}
	return s.note(ctx, func(tx *sql.Tx) error {
		var row int64
		if err := tx.QueryRowContext(ctx, addAgentGone, s.id, agent).Scan(&row); err != nil {
			return err
		}
		for query, pairs := range map[string]map[string]string{"INSERT OR IGNORE INTO alias(agent, was, sid) VALUES(?,?,?)": replaced, "INSERT OR REPLACE INTO lineage(agent, sid, parent) VALUES(?,?,?)": parents} {
			for from, to := range pairs {
				if _, err := tx.ExecContext(ctx, query, row, from, to); err != nil {
					return err
				}
			}
		}
		return nil
	})
}
