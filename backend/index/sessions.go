package index

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"strings"

	"tidemark/backend/memory"
)

// Origin is what the index knows of where a session comes from.
type Origin struct {
	Session    string
	HeaderAt   memory.Millis
	FirstEntry string
	InDatabase bool
	Parent     string
}

// Names gives the origin of every session of an agent.
func (s *Store) Names(ctx context.Context, agent string) ([]Origin, error) {
	rows, err := s.x.read.QueryContext(ctx, `SELECT s.sid, s.header_at, s.first_entry, s.in_database, s.header_parent FROM session s
		JOIN agent a ON a.id = s.agent WHERE a.installation = ? AND a.name = ?`, s.id, agent)
	if err != nil {
		return nil, fmt.Errorf("list sessions: %w", err)
	}
	defer rows.Close()
	var found []Origin
	for rows.Next() {
		var o Origin
		if err := rows.Scan(&o.Session, &o.HeaderAt, &o.FirstEntry, &o.InDatabase, &o.Parent); err != nil {
			return nil, fmt.Errorf("list sessions: %w", err)
		}
		found = append(found, o)
	}
	return found, rows.Err()
}

// Rename gives a session of an agent another id: an upgrade of OpenClaw did so
// when it moved the session. Within a batch it is part of what is committed.
func (b *Batch) Rename(from, to string) error {
	if err := b.begin(); err != nil {
		return err
	}
	res, err := b.exec("UPDATE OR IGNORE session SET sid=? WHERE agent=? AND sid=?", to, b.agent, from)
	if err != nil {
		return fmt.Errorf("rename session: %w", err)
	}
	delete(b.sessions, to)
	if n, err := res.RowsAffected(); err != nil || n > 0 {
		return err
	}
	// Both are there: what the old name holds is read again under the new one.
	return b.forget(from)
}

// forget removes a session, and how far its sources were read, so that they
// are read again.
func (b *Batch) forget(sid string) error {
	var id int64
	st, err := b.stmt("SELECT id FROM session WHERE agent=? AND sid=?")
	if err != nil {
		return err
	}
	if err := st.QueryRowContext(b.ctx, b.agent, sid).Scan(&id); err != nil {
		if err == sql.ErrNoRows {
			return nil
		}
		return fmt.Errorf("forget session: %w", err)
	}
	for _, q := range []string{
		"UPDATE source SET size=-1, offset=0, line=0, sum=0, session='' WHERE id IN (SELECT source FROM session_source WHERE session=?)",
		"DELETE FROM mark WHERE source IN (SELECT source FROM session_source WHERE session=?)",
		"DELETE FROM call WHERE session=?", "DELETE FROM compaction WHERE session=?", "DELETE FROM entry WHERE session=?", "DELETE FROM mirror WHERE session=?",
		"DELETE FROM carried WHERE session=?", "DELETE FROM ledgered WHERE session=?", "DELETE FROM session_source WHERE session=?", "DELETE FROM session WHERE id=?",
	} {
		if _, err := b.exec(q, id); err != nil {
			return fmt.Errorf("forget session: %w", err)
		}
	}
	delete(b.sessions, sid)
	return nil
}

// SetProblems replaces the problems of a scope: a part of a pass, as opposed
// to a source, whose problems come with its batch.
func (s *Store) SetProblems(ctx context.Context, scope string, problems []memory.Problem) error {
	var have int
	if err := s.x.read.QueryRowContext(ctx, "SELECT COUNT(*) FROM problem WHERE installation=? AND scope=?", s.id, scope).Scan(&have); err != nil {
		return fmt.Errorf("count problems: %w", err)
	}
	if have == 0 && len(problems) == 0 {
		return nil
	}
	if have == len(problems) {
		same, err := s.sameProblems(ctx, scope, problems)
		if err != nil || same {
			return err
		}
	}
	return s.x.change(ctx, func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, "DELETE FROM problem WHERE installation=? AND scope=?", s.id, scope); err != nil {
			return err
		}
		for _, p := range problems {
			if _, err := tx.ExecContext(ctx, insertProblem, s.id, scope, p.Code, p.Path, p.Line, p.Count, p.Message, p.Hint); err != nil {
				return err
			}
		}
		return nil
	})
}

func (s *Store) sameProblems(ctx context.Context, scope string, problems []memory.Problem) (bool, error) {
	for _, p := range problems {
		var n int
		err := s.x.read.QueryRowContext(ctx, `SELECT COUNT(*) FROM problem WHERE installation=? AND scope=? AND code=? AND path=? AND line=? AND message=? AND count=?`,
			s.id, scope, p.Code, p.Path, p.Line, p.Message, p.Count).Scan(&n)
		if err != nil {
			return false, fmt.Errorf("compare problems: %w", err)
		}
		if n == 0 {
			return false, nil
		}
	}
	return true, nil
}

// Problems lists what is known to be wrong, the gravest kinds in no special
// order: by code, path and line.
func (s *Store) Problems(ctx context.Context) ([]memory.Problem, error) {
	rows, err := s.x.read.QueryContext(ctx, `SELECT code, path, line, SUM(count), message, hint FROM problem WHERE installation=?
		AND NOT (scope LIKE 'unread:%' AND path IN (SELECT s.path FROM source s JOIN agent a ON a.id=s.agent WHERE a.installation=problem.installation AND s.size > 0))
		GROUP BY code, path, line, message ORDER BY code, path, line, message`, s.id)
	if err != nil {
		return nil, fmt.Errorf("list problems: %w", err)
	}
	defer rows.Close()
	var found []memory.Problem
	for rows.Next() {
		var p memory.Problem
		if err := rows.Scan(&p.Code, &p.Path, &p.Line, &p.Count, &p.Message, &p.Hint); err != nil {
			return nil, fmt.Errorf("list problems: %w", err)
		}
		found = append(found, p)
	}
	return found, rows.Err()
}

// Filter narrows a query; its zero value does not.
type Filter struct {
	Agent   string
	Session string
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
	return b.String(), args
}

// Sessions lists sessions that hold anything, the most recent first.
func (s *Store) Sessions(ctx context.Context, f Filter) ([]memory.SessionSummary, error) {
	where, args := f.where([]any{s.id})
	rows, err := s.x.read.QueryContext(ctx, `SELECT s.id, a.name, s.sid, s.key, s.background, s.current, s.header_parent, s.previous, s.leaf, s.notes, s.started, s.updated,
		s.entries, s.messages, s.user_messages, s.compactions, s.calls, s.unreported, s.unpriced, s.input, s.output, s.cache_read, s.cache_write, s.cost, s.context_used, s.provider, s.model, s.title
		FROM session s JOIN agent a ON a.id = s.agent WHERE a.installation = ?`+where+` ORDER BY s.updated DESC, a.name, s.sid`, args...)
	if err != nil {
		return nil, fmt.Errorf("list sessions: %w", err)
	}
	defer rows.Close()
	var found []memory.SessionSummary
	at := map[int64]int{}
	for rows.Next() {
		var m memory.SessionSummary
		var notes string
		var used sql.NullInt64
		u := &m.Usage
		if err := rows.Scan(&m.Row, &m.Agent, &m.Session, &m.Key, &m.Background, &m.Current, &m.Parent, &m.Previous, &m.Leaf, &notes, &m.Started, &m.Updated,
			&m.Entries, &m.Messages, &m.UserMessages, &m.Compactions, &m.Calls, &m.Unreported, &m.Unpriced, &u.Input, &u.Output, &u.CacheRead, &u.CacheWrite, &m.Cost, &used, &m.Provider, &m.Model, &m.Title); err != nil {
			return nil, fmt.Errorf("list sessions: %w", err)
		}
		if err := json.Unmarshal([]byte(notes), &m.Notes); err != nil {
			return nil, fmt.Errorf("read notes of a session: %w", err)
		}
		if used.Valid {
			m.ContextUsed = &used.Int64
		}
		at[m.Row] = len(found)
		found = append(found, m)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("list sessions: %w", err)
	}
	return found, s.sourcesOf(ctx, f, found, at)
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
