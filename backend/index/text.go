package index

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
)

// EntryText gives the text of an entry. found is false where the index does not
// have it.
func (s *Store) EntryText(ctx context.Context, agent, session, entry string) (text string, found bool, err error) {
	var stored []byte
	var flags int
	err = s.x.read.QueryRowContext(ctx, `SELECT e.text, e.flags FROM entry e JOIN session s ON s.id = e.session JOIN agent a ON a.id = s.agent
		WHERE a.installation = ? AND a.name = ? AND s.sid = COALESCE((SELECT l.sid FROM alias l WHERE l.agent = a.id AND l.was = ?3), ?3) AND e.hash = ?4 AND e.eid = ?5`,
		s.id, agent, session, hashOf(entry), entry).Scan(&stored, &flags)
	if errors.Is(err, sql.ErrNoRows) {
		return "", false, nil
	}
	if err == nil {
		text, err = unpackText(stored, flags&flagPacked != 0 && len(stored) > 0)
	}
	if err != nil {
		return "", false, fmt.Errorf("read entry: %w", err)
	}
	return text, true, nil
}

// Renamed gives the ids of sessions that were replaced by others, by agent.
func (s *Store) Renamed(ctx context.Context) (map[string]map[string]string, error) {
	rows, err := s.x.read.QueryContext(ctx, `SELECT a.name, l.was, l.sid FROM alias l JOIN agent a ON a.id = l.agent WHERE a.installation = ?`, s.id)
	if err != nil {
		return nil, fmt.Errorf("list replaced ids: %w", err)
	}
	defer rows.Close()
	found := map[string]map[string]string{}
	for rows.Next() {
		var agent, was, now string
		if err := rows.Scan(&agent, &was, &now); err != nil {
			return nil, fmt.Errorf("list replaced ids: %w", err)
		}
		if found[agent] == nil {
			found[agent] = map[string]string{}
		}
		found[agent][was] = now
	}
	return found, rows.Err()
}
