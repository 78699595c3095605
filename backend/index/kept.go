package index

import (
	"context"
	"database/sql"
	"fmt"

	"tidemark/backend/memory"
)

// Ledgered gives, for an agent, the digest of what was written to the ledger
// for each session and subject.
func (s *Store) Ledgered(ctx context.Context, agent string) (map[[2]string]string, error) {
	rows, err := s.x.read.QueryContext(ctx, `SELECT s.sid, l.what, l.digest FROM ledgered l JOIN session s ON s.id = l.session JOIN agent a ON a.id = s.agent
		WHERE a.installation = ? AND a.name = ?`, s.id, agent)
	if err != nil {
		return nil, fmt.Errorf("list what the ledger has: %w", err)
	}
	defer rows.Close()
	found := map[[2]string]string{}
	for rows.Next() {
		var session, what, digest string
		if err := rows.Scan(&session, &what, &digest); err != nil {
			return nil, fmt.Errorf("list what the ledger has: %w", err)
		}
		found[[2]string{session, what}] = digest
	}
	return found, rows.Err()
}

// SetLedgered notes what was written to the ledger.
func (s *Store) SetLedgered(ctx context.Context, agent string, digests map[[2]string]string) error {
	if len(digests) == 0 {
		return nil
	}
	return s.x.change(ctx, func(tx *sql.Tx) error {
		st, err := tx.PrepareContext(ctx, `INSERT INTO ledgered(session, what, digest) SELECT s.id, ?, ? FROM session s JOIN agent a ON a.id = s.agent
			WHERE a.installation = ? AND a.name = ? AND s.sid = ? ON CONFLICT(session, what) DO UPDATE SET digest = excluded.digest`)
		if err != nil {
			return err
		}
		defer st.Close()
		for key, digest := range digests {
			if _, err := st.ExecContext(ctx, key[1], digest, s.id, agent, key[0]); err != nil {
				return err
			}
		}
		return nil
	})
}

// KeptCompactions gives the compactions of an agent as the ledger keeps them.
func (s *Store) KeptCompactions(ctx context.Context, agent string) ([]memory.KeptCompaction, error) {
	rows, err := s.x.read.QueryContext(ctx, `SELECT s.sid, e.eid, c.at, c.tokens_before, c.tokens_after, c.summary FROM compaction c JOIN entry e ON e.id = c.entry
		JOIN session s ON s.id = c.session JOIN agent a ON a.id = s.agent WHERE a.installation = ? AND a.name = ? ORDER BY c.at, e.id`, s.id, agent)
	if err != nil {
		return nil, fmt.Errorf("list compactions: %w", err)
	}
	defer rows.Close()
	var found []memory.KeptCompaction
	for rows.Next() {
		var k memory.KeptCompaction
		if err := rows.Scan(&k.Session, &k.Entry, &k.At, &k.TokensBefore, &k.TokensAfter, &k.Summary); err != nil {
			return nil, fmt.Errorf("list compactions: %w", err)
		}
		found = append(found, k)
	}
	return found, rows.Err()
}

// Carry sets what only the ledger still knows of an agent's calls, in the
// place of what was set before. Sessions that are not there are added.
func (s *Store) Carry(ctx context.Context, agent, ledger string, lines []memory.DayUsage) error {
	return s.x.change(ctx, func(tx *sql.Tx) error {
		c, err := s.carrier(ctx, tx, agent, ledger)
		if err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, "DELETE FROM carried WHERE session IN (SELECT id FROM session WHERE agent = ?)", c.agent); err != nil {
			return err
		}
		for _, u := range lines {
			session, err := c.session(u.Session, u.First, u.Last)
			if err != nil {
				return err
			}
			var model int64
			if err := tx.QueryRowContext(ctx, `INSERT INTO model(provider, name) VALUES(?,?) ON CONFLICT(provider, name) DO UPDATE SET name=excluded.name RETURNING id`, u.Provider, u.Model).Scan(&model); err != nil {
				return err
			}
			if _, err := tx.ExecContext(ctx, `INSERT INTO carried(session, model, at, calls, unpriced, input, output, cache_read, cache_write, cost, background) VALUES(?,?,?,?,?,?,?,?,?,?,?)
				ON CONFLICT(session, model, at) DO UPDATE SET calls=calls+excluded.calls, unpriced=unpriced+excluded.unpriced, input=input+excluded.input, output=output+excluded.output,
				cache_read=cache_read+excluded.cache_read, cache_write=cache_write+excluded.cache_write, cost=cost+excluded.cost, background=background+excluded.background`,
				session, model, u.First, u.Calls, u.Unpriced, u.Usage.Input, u.Usage.Output, u.Usage.CacheRead, u.Usage.CacheWrite, u.Cost, u.Background); err != nil {
				return err
			}
		}
		return c.resum()
	})
}

// CarryCompactions adds compactions that only the ledger still knows.
func (s *Store) CarryCompactions(ctx context.Context, agent, ledger string, kept []memory.KeptCompaction) error {
	if len(kept) == 0 {
		return nil
	}
	return s.x.change(ctx, func(tx *sql.Tx) error {
		c, err := s.carrier(ctx, tx, agent, ledger)
		if err != nil {
			return err
		}
		for _, k := range kept {
			session, err := c.session(k.Session, k.At, k.At)
			if err != nil {
				return err
			}
			res, err := tx.ExecContext(ctx, insertEntry, session, hashOf(k.Entry), k.Entry, nil, memory.KindCompaction, memory.RoleOther, 0, k.At, c.source, 0, 0, 0, nil, nil)
			if err != nil {
				return err
			}
			if n, err := res.RowsAffected(); err != nil || n == 0 {
				if err != nil {
					return err
				}
				continue
			}
			row, err := res.LastInsertId()
			if err != nil {
				return err
			}
			if _, err := tx.ExecContext(ctx, `INSERT INTO compaction(entry, session, at, tokens_before, tokens_after, from_hook, summary) VALUES(?,?,?,?,?,0,?)`,
				row, session, k.At, k.TokensBefore, k.TokensAfter, k.Summary); err != nil {
				return err
			}
		}
		return c.resum()
	})
}

// carrier adds what the ledger knows within a transaction.
type carrier struct {
	ctx           context.Context
	tx            *sql.Tx
	agent, source int64
}

func (s *Store) carrier(ctx context.Context, tx *sql.Tx, agent, ledger string) (*carrier, error) {
	c := &carrier{ctx: ctx, tx: tx}
	if err := tx.QueryRowContext(ctx, `INSERT INTO agent(installation, name, present) VALUES(?,?,0) ON CONFLICT(installation, name) DO UPDATE SET name=excluded.name RETURNING id`, s.id, agent).Scan(&c.agent); err != nil {
		return nil, err
	}
	err := tx.QueryRowContext(ctx, `INSERT INTO source(agent, path, kind, gone) VALUES(?,?,?,1) ON CONFLICT(agent, path) DO UPDATE SET kind=excluded.kind RETURNING id`, c.agent, ledger, memory.SourceLedger).Scan(&c.source)
	return c, err
}

func (c *carrier) session(sid string, first, last memory.Millis) (id int64, err error) {
	err = c.tx.QueryRowContext(c.ctx, `INSERT INTO session(agent, sid, started, updated) VALUES(?,?,?,?) ON CONFLICT(agent, sid) DO UPDATE SET
		started=CASE WHEN started=0 OR (excluded.started>0 AND excluded.started<started) THEN excluded.started ELSE started END, updated=MAX(updated, excluded.updated) RETURNING id`,
		c.agent, sid, first, last).Scan(&id)
	if err != nil {
		return 0, err
	}
	_, err = c.tx.ExecContext(c.ctx, "INSERT OR IGNORE INTO session_source(session, source, kind) VALUES(?,?,?)", id, c.source, memory.SourceLedger)
	return id, err
}

// resum sums up the sessions of the agent anew, from entries, calls and what
// is carried.
func (c *carrier) resum() error {
	_, err := c.tx.ExecContext(c.ctx, `UPDATE session SET
		compactions = (SELECT COUNT(*) FROM compaction k WHERE k.session = session.id),
		(calls, unpriced, input, output, cache_read, cache_write, cost) = (
			SELECT COALESCE(SUM(n),0), COALESCE(SUM(u),0), COALESCE(SUM(i),0), COALESCE(SUM(o),0), COALESCE(SUM(r),0), COALESCE(SUM(w),0), COALESCE(SUM(c),0) FROM (
				SELECT 1 AS n, price=? AS u, input AS i, output AS o, cache_read AS r, cache_write AS w, cost AS c FROM call WHERE call.session = session.id
				UNION ALL SELECT calls, unpriced, input, output, cache_read, cache_write, cost FROM carried WHERE carried.session = session.id))
		WHERE agent = ? AND id IN (SELECT session FROM session_source WHERE source = ?)`, memory.PriceUnknown, c.agent, c.source)
	return err
}

// UsageWithin sums up the calls of a session and model that were made between
// two moments, both included. What is carried from the ledger is not among them.
func (s *Store) UsageWithin(ctx context.Context, agent string, of memory.DayUsage) (memory.DayUsage, error) {
	now := of
	u := &now.Usage
	err := s.x.read.QueryRowContext(ctx, `SELECT COUNT(*), COALESCE(SUM(c.price=?),0), COALESCE(SUM(c.input),0), COALESCE(SUM(c.output),0), COALESCE(SUM(c.cache_read),0), COALESCE(SUM(c.cache_write),0), COALESCE(SUM(c.cost),0)
		FROM call c JOIN session s ON s.id = c.session JOIN agent a ON a.id = s.agent JOIN model m ON m.id = c.model
		WHERE a.installation = ? AND a.name = ? AND s.sid = ? AND m.provider = ? AND m.name = ? AND c.at BETWEEN ? AND ?`,
		memory.PriceUnknown, s.id, agent, of.Session, of.Provider, of.Model, of.First, of.Last).Scan(&now.Calls, &now.Unpriced, &u.Input, &u.Output, &u.CacheRead, &u.CacheWrite, &now.Cost)
	if err != nil {
		return now, fmt.Errorf("sum usage of a day: %w", err)
	}
	return now, nil
}
