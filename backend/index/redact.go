package index

import (
	"context"
	"database/sql"
	"fmt"

	"tidemark/backend/memory"
)

// Redact changes texts of the installation for good: redact gives what a text
// becomes, and whether that is another one. role and at are those of the entry
// that holds the text; at is 0 for texts of no entry. What was there is
// overwritten in the file. It gives how many texts changed.
func (s *Store) Redact(ctx context.Context, redact func(text string, role memory.Role, at memory.Millis) (string, bool)) (changed int, err error) {
	if err := s.Flush(ctx); err != nil {
		return 0, err
	}
	conn, err := s.x.write.Conn(ctx)
	if err != nil {
		return 0, fmt.Errorf("redact index: %w", err)
	}
	defer conn.Close()
	if _, err := conn.ExecContext(ctx, "PRAGMA secure_delete = ON"); err != nil {
		return 0, fmt.Errorf("redact index: %w", err)
	}
	tx, err := conn.BeginTx(ctx, nil)
	if err != nil {
		return 0, fmt.Errorf("redact index: %w", err)
	}
	defer tx.Rollback()
	if changed, err = s.redact(ctx, tx, redact); err != nil {
		return 0, fmt.Errorf("redact index: %w", err)
	}
	if err := tx.Commit(); err != nil {
		return 0, fmt.Errorf("redact index: %w", err)
	}
	s.x.written(true)
	// The log still holds the pages as they were; a reader that is at work keeps
	// it from being emptied now, and the next checkpoint does it.
	_, err = conn.ExecContext(context.WithoutCancel(ctx), "PRAGMA wal_checkpoint(TRUNCATE)")
	return changed, err
}

// redactable are the columns that hold texts of an installation, beside the
// entries' own: what is selected are the row, the role and time, and the text.
var redactable = []struct{ find, set string }{
	{`SELECT c.entry, 0, c.at, c.summary FROM compaction c JOIN session s ON s.id = c.session JOIN agent a ON a.id = s.agent WHERE a.installation = ?`, `UPDATE compaction SET summary = ? WHERE entry = ?`},
	{`SELECT s.id, 1, s.started, s.title FROM session s JOIN agent a ON a.id = s.agent WHERE a.installation = ? AND s.title <> ''`, `UPDATE session SET title = ? WHERE id = ?`},
	{`SELECT s.id, 0, 0, s.notes FROM session s JOIN agent a ON a.id = s.agent WHERE a.installation = ? AND s.notes <> '{}'`, `UPDATE session SET notes = ? WHERE id = ?`},
	{`SELECT p.id, 0, 0, p.message FROM problem p WHERE p.installation = ?`, `UPDATE problem SET message = ? WHERE id = ?`},
	{`SELECT o.id, 1, 0, o.line FROM outbox o WHERE o.installation = ?`, `UPDATE outbox SET line = ? WHERE id = ?`},
}

func (s *Store) redact(ctx context.Context, tx *sql.Tx, redact func(string, memory.Role, memory.Millis) (string, bool)) (changed int, err error) {
	if changed, err = s.redactEntries(ctx, tx, redact); err != nil {
		return changed, err
	}
	for _, column := range redactable {
		n, err := replaceTexts(ctx, tx, s.id, column.find, column.set, redact)
		if changed += n; err != nil {
			return changed, err
		}
	}
	n, err := s.redactCarried(ctx, tx, redact)
	return changed + n, err
}

// replacedText is a row whose text changes.
type replacedText struct {
	row  int64
	text string
}

func replaceTexts(ctx context.Context, tx *sql.Tx, installation int64, find, set string, redact func(string, memory.Role, memory.Millis) (string, bool)) (int, error) {
	rows, err := tx.QueryContext(ctx, find, installation)
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	var todo []replacedText
	for rows.Next() {
		var row int64
		var role memory.Role
		var at memory.Millis
		var text string
		if err := rows.Scan(&row, &role, &at, &text); err != nil {
			return 0, err
		}
		if now, yes := redact(text, role, at); yes {
			todo = append(todo, replacedText{row, now})
		}
	}
	if err := rows.Err(); err != nil {
		return 0, err
	}
	for _, t := range todo {
		if _, err := tx.ExecContext(ctx, set, t.text, t.row); err != nil {
			return 0, err
		}
	}
	return len(todo), nil
}

// redactEntries does it for the texts of entries, which may be compressed.
func (s *Store) redactEntries(ctx context.Context, tx *sql.Tx, redact func(string, memory.Role, memory.Millis) (string, bool)) (int, error) {
	rows, err := tx.QueryContext(ctx, `SELECT e.id, e.role, e.at, e.flags, e.text FROM entry e JOIN session s ON s.id = e.session JOIN agent a ON a.id = s.agent WHERE a.installation = ? AND e.text IS NOT NULL`, s.id)
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	type change struct {
		row   int64
		flags int
		text  any
	}
	var todo []change
	for rows.Next() {
		var c change
		var role memory.Role
		var at memory.Millis
		var stored []byte
		if err := rows.Scan(&c.row, &role, &at, &c.flags, &stored); err != nil {
			return 0, err
		}
		text, err := unpackText(stored, c.flags&flagPacked != 0 && len(stored) > 0)
		if err != nil {
			return 0, err
		}
		now, yes := redact(text, role, at)
		if !yes {
			continue
		}
		packed := false
		c.text, packed = pack(now)
		if c.flags &^= flagPacked; packed {
			c.flags |= flagPacked
		}
		todo = append(todo, c)
	}
	if err := rows.Err(); err != nil {
		return 0, err
	}
	for _, c := range todo {
		if _, err := tx.ExecContext(ctx, "UPDATE entry SET text = ?, flags = ? WHERE id = ?", c.text, c.flags, c.row); err != nil {
			return 0, err
		}
	}
	return len(todo), nil
}

// redactCarried does it for the summaries that only the ledger knows.
func (s *Store) redactCarried(ctx context.Context, tx *sql.Tx, redact func(string, memory.Role, memory.Millis) (string, bool)) (changed int, err error) {
	rows, err := tx.QueryContext(ctx, `SELECT k.session, k.eid, k.at, k.summary FROM carried_compaction k JOIN session s ON s.id = k.session JOIN agent a ON a.id = s.agent WHERE a.installation = ?`, s.id)
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	type row struct {
		session   int64
		eid, text string
	}
	var todo []row
	for rows.Next() {
		var r row
		var at memory.Millis
		if err := rows.Scan(&r.session, &r.eid, &at, &r.text); err != nil {
			return 0, err
		}
		if now, yes := redact(r.text, memory.RoleOther, at); yes {
			r.text = now
			todo = append(todo, r)
		}
	}
	if err := rows.Err(); err != nil {
		return 0, err
	}
	for _, r := range todo {
		if _, err := tx.ExecContext(ctx, "UPDATE carried_compaction SET summary = ? WHERE session = ? AND eid = ?", r.text, r.session, r.eid); err != nil {
			return 0, err
		}
	}
	return len(todo), nil
}
