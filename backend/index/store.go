package index

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"tidemark/backend/memory"
)

// Store is the part of the index that belongs to one installation.
type Store struct {
	x  *Index
	id int64

	group  *group // of batches, nil between passes
	models map[[2]string]int64
	agents map[string]int64

	// Before, where set, is called before entries are made durable: what must be
	// written elsewhere first is written then. What it puts is kept in the outbox
	// with the entries. An error throws the entries away: they are read again.
	Before func(ctx context.Context, put func(line string) error) error
}

// Installation gives the part of the index that belongs to the installation
// with this id.
func (x *Index) Installation(ctx context.Context, name, stateDir string) (*Store, error) {
	s := &Store{x: x}
	s.forgetRows()
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

// Installations lists the names and state directories that the index knows.
func (x *Index) Installations(ctx context.Context) (map[string]string, error) {
	rows, err := x.read.QueryContext(ctx, "SELECT name, state_dir FROM installation")
	if err != nil {
		return nil, fmt.Errorf("list installations: %w", err)
	}
	defer rows.Close()
	found := map[string]string{}
	for rows.Next() {
		var name, dir string
		if err := rows.Scan(&name, &dir); err != nil {
			return nil, fmt.Errorf("list installations: %w", err)
		}
		found[name] = dir
	}
	return found, rows.Err()
}

// Meta gives a value that was kept under key, "" where there is none.
func (s *Store) Meta(ctx context.Context, key string) (value string, err error) {
	err = s.x.read.QueryRowContext(ctx, "SELECT value FROM meta WHERE key = ?", s.metaKey(key)).Scan(&value)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return "", nil
	case err != nil:
		return "", fmt.Errorf("read %s: %w", key, err)
	}
	return value, nil
}

// SetMeta keeps a value under key.
func (s *Store) SetMeta(ctx context.Context, key, value string) error {
	return s.note(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, "INSERT INTO meta(key, value) VALUES(?,?) ON CONFLICT(key) DO UPDATE SET value=excluded.value", s.metaKey(key), value)
		return err
	})
}

func (s *Store) metaKey(key string) string { return fmt.Sprintf("%d/%s", s.id, key) }

// SetAgents notes which agents there are now. Agents that are no longer there
// stay in the index.
func (s *Store) SetAgents(ctx context.Context, agents []memory.Agent) error {
	now, err := s.agentRows(ctx, " AND present = 1")
	if err != nil {
		return err
	}
	if sameAgents(now, agents) {
		return nil
	}
	return s.note(ctx, func(tx *sql.Tx) error {
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

func sameAgents(now, agents []memory.Agent) bool {
	if len(now) != len(agents) {
		return false
	}
	known := make(map[string]memory.Agent, len(now))
	for _, a := range now {
		known[a.ID] = a
	}
	for _, a := range agents {
		b, ok := known[a.ID]
		if !ok || a.Name != b.Name || a.Workspace != b.Workspace || a.Configured != b.Configured || strings.Join(a.SharedWith, "\n") != strings.Join(b.SharedWith, "\n") {
			return false
		}
	}
	return true
}

// Agents lists the ids of the agents that the index knows in the order in
// which they were found, those that are no longer there included.
func (s *Store) Agents(ctx context.Context) ([]string, error) {
	agents, err := s.agentRows(ctx, "")
	if err != nil {
		return nil, err
	}
	names := make([]string, len(agents))
	for i, a := range agents {
		names[i] = a.ID
	}
	return names, nil
}

func (s *Store) agentRows(ctx context.Context, where string) ([]memory.Agent, error) {
	rows, err := s.x.read.QueryContext(ctx, "SELECT name, title, workspace, shared, configured FROM agent WHERE installation = ?"+where+" ORDER BY id", s.id)
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
