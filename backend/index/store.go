package index

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"tidemark/backend/memory"
)

// Store is the part of the index that belongs to one installation.
type Store struct {
	x  *Index
	id int64
}

// Installation gives the part of the index that belongs to the installation
// with this id.
func (x *Index) Installation(ctx context.Context, name, stateDir string) (*Store, error) {
	s := &Store{x: x}
	err := x.read.QueryRowContext(ctx, "SELECT id FROM installation WHERE name = ? AND state_dir = ?", name, stateDir).Scan(&s.id)
	if err == nil {
		return s, nil
	}
	if !errors.Is(err, sql.ErrNoRows) {
		return nil, fmt.Errorf("find installation: %w", err)
	}
	err = x.write.QueryRowContext(ctx, `INSERT INTO installation(name, state_dir) VALUES(?, ?)
		ON CONFLICT(name) DO UPDATE SET state_dir = excluded.state_dir RETURNING id`, name, stateDir).Scan(&s.id)
	if err != nil {
		return nil, fmt.Errorf("add installation: %w", err)
	}
	return s, nil
}

// Begun is what the index knows of a source.
type Begun struct {
	Checkpoint memory.Checkpoint
	Gone       bool
	Kind       memory.SourceKind
}

// Sources gives what is known of the sources of an agent, by path.
func (s *Store) Sources(ctx context.Context, agent string) (map[string]Begun, error) {
	rows, err := s.x.read.QueryContext(ctx, `SELECT s.path, s.kind, s.size, s.mtime, s.inode, s.wal, s.wal_at, s.offset, s.line, s.sum, s.session, s.prompt, s.gone
		FROM source s JOIN agent a ON a.id = s.agent WHERE a.installation = ? AND a.name = ?`, s.id, agent)
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

// SetAgents notes which agents there are now. Agents that are no longer there
// stay in the index.
func (s *Store) SetAgents(ctx context.Context, agents []memory.Agent) error {
	now := make(map[string]memory.Agent, len(agents))
	rows, err := s.x.read.QueryContext(ctx, "SELECT name, title, workspace, shared, configured FROM agent WHERE installation = ? AND present = 1", s.id)
	if err != nil {
		return fmt.Errorf("list agents: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var a memory.Agent
		var shared string
		if err := rows.Scan(&a.ID, &a.Name, &a.Workspace, &shared, &a.Configured); err != nil {
			return fmt.Errorf("list agents: %w", err)
		}
		a.SharedWith = split(shared)
		now[a.ID] = a
	}
	if err := rows.Err(); err != nil {
		return fmt.Errorf("list agents: %w", err)
	}
	if sameAgents(now, agents) {
		return nil
	}
	return s.x.change(ctx, func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, "UPDATE agent SET present = 0 WHERE installation = ?", s.id); err != nil {
			return err
		}
		for _, a := range agents {
			if _, err := tx.ExecContext(ctx, `INSERT INTO agent(installation, name, title, workspace, shared, configured, present) VALUES(?,?,?,?,?,?,1)
				ON CONFLICT(installation, name) DO UPDATE SET title=excluded.title, workspace=excluded.workspace, shared=excluded.shared, configured=excluded.configured, present=1`,
				s.id, a.ID, a.Name, a.Workspace, strings.Join(a.SharedWith, "\n"), a.Configured); err != nil {
				return err
			}
		}
		return nil
	})
}

func split(lines string) []string {
	if lines == "" {
		return nil
	}
	return strings.Split(lines, "\n")
}

func sameAgents(now map[string]memory.Agent, agents []memory.Agent) bool {
	if len(now) != len(agents) {
		return false
	}
	for _, a := range agents {
		b, ok := now[a.ID]
		if !ok || a.Name != b.Name || a.Workspace != b.Workspace || a.Configured != b.Configured || strings.Join(a.SharedWith, "\n") != strings.Join(b.SharedWith, "\n") {
			return false
		}
	}
	return true
}

// SetGone notes that sources are no longer there. What was read of them stays.
func (s *Store) SetGone(ctx context.Context, agent string, paths []string, at memory.Millis) error {
	return s.x.change(ctx, func(tx *sql.Tx) error {
		for _, p := range paths {
			if _, err := tx.ExecContext(ctx, `UPDATE source SET gone = ? WHERE path = ? AND gone = 0 AND agent = (SELECT id FROM agent WHERE installation = ? AND name = ?)`, at, p, s.id, agent); err != nil {
				return err
			}
		}
		return nil
	})
}

// SetNotes notes what OpenClaw says of sessions beside their transcripts. A
// session without entries is left out.
func (s *Store) SetNotes(ctx context.Context, agent string, notes []memory.SessionMeta) error {
	return s.x.change(ctx, func(tx *sql.Tx) error {
		for _, n := range notes {
			body, err := json.Marshal(n)
			if err != nil {
				return err
			}
			if _, err := tx.ExecContext(ctx, `UPDATE session SET key=?, background=?, current=?, leaf=?, previous=?, notes=?
				WHERE sid=? AND agent=(SELECT id FROM agent WHERE installation=? AND name=?)`,
				n.Key, n.Background, n.Current, n.Leaf, n.Previous, string(body), n.SessionID, s.id, agent); err != nil {
				return err
			}
		}
		return nil
	})
}

// change runs f in a transaction of the writer.
func (x *Index) change(ctx context.Context, f func(*sql.Tx) error) error {
	tx, err := x.write.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("write index: %w", err)
	}
	defer tx.Rollback()
	if err := f(tx); err != nil {
		return fmt.Errorf("write index: %w", err)
	}
	if err := tx.Commit(); err != nil {
		return fmt.Errorf("write index: %w", err)
	}
	return nil
}

// Meta gives a value that was kept under key, "" where there is none.
func (s *Store) Meta(ctx context.Context, key string) (value string, err error) {
	err = s.x.read.QueryRowContext(ctx, "SELECT value FROM meta WHERE key = ?", s.metaKey(key)).Scan(&value)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return value, err
}

// SetMeta keeps a value under key.
func (s *Store) SetMeta(ctx context.Context, key, value string) error {
	return s.x.change(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, "INSERT INTO meta(key, value) VALUES(?,?) ON CONFLICT(key) DO UPDATE SET value=excluded.value", s.metaKey(key), value)
		return err
	})
}

func (s *Store) metaKey(key string) string { return fmt.Sprintf("%d/%s", s.id, key) }

// AgentNames lists the agents that the index knows, those that are no longer
// there included.
func (s *Store) AgentNames(ctx context.Context) ([]string, error) {
	agents, err := s.Agents(ctx)
	if err != nil {
		return nil, err
	}
	names := make([]string, len(agents))
	for i, a := range agents {
		names[i] = a.ID
	}
	return names, nil
}

// Agents lists the agents that the index knows in the order in which they were
// found, those that are no longer there included.
func (s *Store) Agents(ctx context.Context) ([]memory.Agent, error) {
	rows, err := s.x.read.QueryContext(ctx, "SELECT name, title, workspace, shared, configured FROM agent WHERE installation = ? ORDER BY id", s.id)
	if err != nil {
		return nil, fmt.Errorf("list agents: %w", err)
	}
	defer rows.Close()
	var found []memory.Agent
	for rows.Next() {
		var a memory.Agent
		var shared string
		if err := rows.Scan(&a.ID, &a.Name, &a.Workspace, &shared, &a.Configured); err != nil {
			return nil, fmt.Errorf("list agents: %w", err)
		}
		a.SharedWith = split(shared)
		found = append(found, a)
	}
	return found, rows.Err()
}
