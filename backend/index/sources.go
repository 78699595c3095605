package index

import (
	"context"
	"database/sql"
	"fmt"

	"tidemark/backend/memory"
)

// Begun is what the index knows of a source.
type Begun struct {
	Checkpoint memory.Checkpoint
	Gone       bool
	Kind       memory.SourceKind
}

// Sources gives what is known of the sources of an agent, by path.
func (s *Store) Sources(ctx context.Context, agent string) (map[string]Begun, error) {
	rows, err := s.x.read.QueryContext(ctx, `SELECT s.path, s.kind, s.size, s.mtime, s.inode, s.wal, s.wal_at, s.offset, s.line, s.sum, s.session, s.prompt, s.gone
		FROM source s JOIN agent a ON a.id = s.agent WHERE a.installation = ? AND a.name = ? AND s.kind <> ?`, s.id, agent, memory.SourceLedger)
	if err != nil {
		return nil, fmt.Errorf("list sources: %w", err)
	}
	defer rows.Close()
	known := map[string]Begun{}
	for rows.Next() {
		var b Begun
		var path string
		var inode, sum, gone int64
		c := &b.Checkpoint
		if err := rows.Scan(&path, &b.Kind, &c.Stamp.Size, &c.Stamp.MTime, &inode, &c.Stamp.Wal, &c.Stamp.WalAt, &c.Offset, &c.Line, &sum, &c.Session, &c.Prompt, &gone); err != nil {
			return nil, fmt.Errorf("list sources: %w", err)
		}
		c.Stamp.Inode, c.Sum, b.Gone = uint64(inode), uint64(sum), gone != 0
		known[path] = b
	}
	return known, rows.Err()
}

// Marks gives how far each session of a database was read.
func (s *Store) Marks(ctx context.Context, agent, path string) (map[string]memory.Mark, error) {
	rows, err := s.x.read.QueryContext(ctx, `SELECT m.session, m.seq, m.count, m.generation, m.prompt FROM mark m
		JOIN source s ON s.id = m.source JOIN agent a ON a.id = s.agent WHERE a.installation = ? AND a.name = ? AND s.path = ?`, s.id, agent, path)
	if err != nil {
		return nil, fmt.Errorf("list marks: %w", err)
	}
	defer rows.Close()
	marks := map[string]memory.Mark{}
	for rows.Next() {
		var session string
		var m memory.Mark
		if err := rows.Scan(&session, &m.Seq, &m.Count, &m.Generation, &m.Prompt); err != nil {
			return nil, fmt.Errorf("list marks: %w", err)
		}
		marks[session] = m
	}
	return marks, rows.Err()
}

// Kept is the key of meta under which it is kept that everything is in the
// ledger. The index puts a tilde before the value, in the same transaction,
// where that may no longer be so: when a source is gone, when a session gets
// another name, when calls turn out to be copies.
const Kept = "kept"

// SetGone notes that sources are no longer there. What was read of them stays.
func (s *Store) SetGone(ctx context.Context, agent string, paths []string, at memory.Millis) error {
	return s.note(ctx, func(tx *sql.Tx) error {
		for _, p := range paths {
			if _, err := tx.ExecContext(ctx, `UPDATE source SET gone = ? WHERE path = ? AND gone = 0 AND agent = (SELECT id FROM agent WHERE installation = ? AND name = ?)`, at, p, s.id, agent); err != nil {
				return err
			}
		}
		_, err := tx.ExecContext(ctx, doubtKept, s.metaKey(Kept))
		return err
	})
}

// Move notes that a source has another name and is of another kind now: what
// was read of it stays read. Nothing happens where the new name is known.
func (s *Store) Move(ctx context.Context, agent, from, to string, kind memory.SourceKind) error {
	return s.change(ctx, func(tx *sql.Tx) error {
		var id int64
		err := tx.QueryRowContext(ctx, `UPDATE OR IGNORE source SET path=?, kind=? WHERE path=? AND agent=(SELECT id FROM agent WHERE installation=? AND name=?) RETURNING id`, to, kind, from, s.id, agent).Scan(&id)
		if noRow(err) {
			return nil
		}
		if err != nil {
			return err
		}
		for _, step := range []struct {
			query string
			args  []any
		}{
			{"UPDATE OR IGNORE session_source SET kind=? WHERE source=?", []any{kind, id}},
			{"DELETE FROM session_source WHERE kind<>? AND source=?", []any{kind, id}},
			{"UPDATE OR IGNORE problem SET scope=?1, path=?1 WHERE installation=?3 AND scope=?2 AND path=?2", []any{to, from, s.id}},
			{"DELETE FROM problem WHERE installation=?2 AND scope=?1", []any{from, s.id}},
		} {
			if _, err := tx.ExecContext(ctx, step.query, step.args...); err != nil {
				return err
			}
		}
		return nil
	})
}
