package index

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"strings"

	"tidemark/backend/memory"
)

// Filter narrows a query; its zero value does not.
type Filter struct {
	Agent   string
	Session string
	// Since leaves out sessions without an entry at or after it.
	Since memory.Millis
}

func (f Filter) where(args []any) (string, []any) {
	var b strings.Builder
	if f.Agent != "" {
		b.WriteString(" AND a.name = ?")
		args = append(args, f.Agent)
	}
	if f.Session != "" {
		b.WriteString(" AND s.sid = ?")
		args = append(args, f.Session)
	}
	if f.Since != 0 {
		b.WriteString(" AND s.updated >= ?")
		args = append(args, f.Since)
	}
	return b.String(), args
}

// Sessions lists sessions, the most recent first.
func (s *Store) Sessions(ctx context.Context, f Filter) ([]memory.SessionSummary, error) {
	where, args := f.where([]any{s.id})
	rows, err := s.x.read.QueryContext(ctx, `SELECT s.id, a.name, s.sid, s.key, s.background, s.current, CASE WHEN s.header_parent='' THEN s.kin ELSE s.header_parent END, s.previous, s.leaf, s.notes, s.started, s.updated,
		s.entries, s.messages, s.user_messages, s.compactions, s.calls, s.unreported, s.unpriced, s.input, s.output, s.cache_read, s.cache_write, s.cost, s.context_used, s.provider, s.model, s.title
		FROM session s JOIN agent a ON a.id = s.agent WHERE a.installation = ?`+where+` ORDER BY s.updated DESC, a.name, s.sid`, args...)
	if err != nil {
		return nil, fmt.Errorf("list sessions: %w", err)
	}
	defer rows.Close()
	var found []memory.SessionSummary
	at := map[int64]int{}
	for rows.Next() {
		m, err := scanSession(rows)
		if err != nil {
			return nil, fmt.Errorf("list sessions: %w", err)
		}
		at[m.Row] = len(found)
		found = append(found, m)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("list sessions: %w", err)
	}
	rows.Close()
	return found, s.sourcesOf(ctx, f, found, at)
}

func scanSession(rows *sql.Rows) (m memory.SessionSummary, err error) {
	var notes string
	var used sql.NullInt64
	u := &m.Usage
	if err := rows.Scan(&m.Row, &m.Agent, &m.Session, &m.Key, &m.Background, &m.Current, &m.Parent, &m.Previous, &m.Leaf, &notes, &m.Started, &m.Updated,
		&m.Entries, &m.Messages, &m.UserMessages, &m.Compactions, &m.Calls, &m.Unreported, &m.Unpriced, &u.Input, &u.Output, &u.CacheRead, &u.CacheWrite, &m.Cost, &used, &m.Provider, &m.Model, &m.Title); err != nil {
		return m, err
	}
	if err := json.Unmarshal([]byte(notes), &m.Notes); err != nil {
		return m, fmt.Errorf("%w: notes of a session: %w", errContent, err)
	}
	if used.Valid {
		m.ContextUsed = &used.Int64
	}
	return m, nil
}

func (s *Store) sourcesOf(ctx context.Context, f Filter, found []memory.SessionSummary, at map[int64]int) error {
	where, args := f.where([]any{s.id})
	rows, err := s.x.read.QueryContext(ctx, `SELECT ss.session, src.path, ss.kind, src.gone FROM session_source ss JOIN source src ON src.id = ss.source
		JOIN session s ON s.id = ss.session JOIN agent a ON a.id = s.agent WHERE a.installation = ?`+where+` ORDER BY ss.session, ss.kind, src.path`, args...)
	if err != nil {
		return fmt.Errorf("list sources of sessions: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var session int64
		var src memory.SourceOf
		if err := rows.Scan(&session, &src.Path, &src.Kind, &src.Gone); err != nil {
			return fmt.Errorf("list sources of sessions: %w", err)
		}
		if i, ok := at[session]; ok {
			found[i].Sources = append(found[i].Sources, src)
		}
	}
	return rows.Err()
}
