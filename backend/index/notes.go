package index

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"

	"tidemark/backend/memory"
)

// SetNotes notes what OpenClaw says of sessions beside their transcripts. A
// session that is no longer named keeps what was said of it, but is no longer
// the one that its key points at. Notes of sessions without entries are left
// out. Nothing is written where nothing changed.
func (s *Store) SetNotes(ctx context.Context, agent string, notes []memory.SessionMeta) error {
	if err := s.Flush(ctx); err != nil {
		return err
	}
	have, err := s.notes(ctx, agent)
	if err != nil {
		return err
	}
	named := map[string]memory.SessionMeta{} // of two notes of a session the last counts
	for _, n := range notes {
		named[n.SessionID] = n
	}
	var news []memory.SessionMeta
	bodies := map[string]string{}
	for sid, n := range named {
		body, err := json.Marshal(n)
		if err != nil {
			return fmt.Errorf("write notes: %w", err)
		}
		if old, there := have[sid]; there && (old.body != string(body) || old.current != n.Current) {
			news = append(news, n)
			bodies[sid] = string(body)
		}
	}
	var stale []int64
	for sid, h := range have {
		if _, there := named[sid]; h.current && !there {
			stale = append(stale, h.id)
		}
	}
	if len(news)+len(stale) == 0 {
		return nil
	}
	return s.note(ctx, func(tx *sql.Tx) error {
		for _, id := range stale {
			if _, err := tx.ExecContext(ctx, "UPDATE session SET current=0 WHERE id=?", id); err != nil {
				return err
			}
		}
		for _, n := range news {
			if _, err := tx.ExecContext(ctx, `UPDATE session SET key=?, background=?, current=?, leaf=?, previous=?, notes=? WHERE id=?`,
				n.Key, n.Background, n.Current, n.Leaf, n.Previous, bodies[n.SessionID], have[n.SessionID].id); err != nil {
				return err
			}
		}
		return nil
	})
}

// noted is what is known of the notes of a session.
type noted struct {
	id      int64
	current bool
	body    string
}

func (s *Store) notes(ctx context.Context, agent string) (map[string]noted, error) {
	rows, err := s.x.read.QueryContext(ctx, `SELECT s.sid, s.id, s.current, s.notes FROM session s JOIN agent a ON a.id=s.agent WHERE a.installation=? AND a.name=?`, s.id, agent)
	if err != nil {
		return nil, fmt.Errorf("list notes: %w", err)
	}
	defer rows.Close()
	have := map[string]noted{}
	for rows.Next() {
		var sid string
		var n noted
		if err := rows.Scan(&sid, &n.id, &n.current, &n.body); err != nil {
			return nil, fmt.Errorf("list notes: %w", err)
		}
		have[sid] = n
	}
	return have, rows.Err()
}
