package index

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"

	"tidemark/backend/memory"
)

// Carried is what the ledger knows of an agent and OpenClaw's files do not say
// any more.
type Carried struct {
	Usage       []memory.DayUsage
	Compactions []memory.KeptCompaction
	// Sessions have the counts of messages and the times that are missing.
	Sessions []memory.SessionSummary
	// Notes are what was noted of sessions beside their transcripts. They are
	// used for sessions of which OpenClaw's files say nothing.
	Notes []memory.SessionMeta
}

// Carry sets what is carried of an agent, in the place of what was carried
// before. Sessions that are not there are added. ledger is the folder that it
// comes from.
func (s *Store) Carry(ctx context.Context, agent, ledger string, of Carried) error {
	return s.change(ctx, func(tx *sql.Tx) error {
		c := &carrier{ctx: ctx, tx: tx, touched: map[int64]bool{}}
		if err := tx.QueryRowContext(ctx, addAgentGone, s.id, agent).Scan(&c.agent); err != nil {
			return err
		}
		if err := tx.QueryRowContext(ctx, `INSERT INTO source(agent, path, kind, gone) VALUES(?,?,?,1) ON CONFLICT(agent, path) DO UPDATE SET kind=excluded.kind RETURNING id`, c.agent, ledger, memory.SourceLedger).Scan(&c.source); err != nil {
			return err
		}
		for _, step := range []func() error{c.drop, func() error { return c.usage(of.Usage) }, func() error { return c.compactions(of.Compactions) },
			func() error { return c.sessions(of.Sessions) }, func() error { return c.notes(of.Notes) }, c.end} {
			if err := step(); err != nil {
				return err
			}
		}
		return nil
	})
}

// addAgentGone adds an agent that only the ledger tells of.
const addAgentGone = `INSERT INTO agent(installation, name, present) VALUES(?,?,0) ON CONFLICT(installation, name) DO UPDATE SET name=excluded.name RETURNING id`

// carrier sets what is carried of an agent within a transaction.
type carrier struct {
	ctx           context.Context
	tx            *sql.Tx
	agent, source int64
	touched       map[int64]bool
}

func (c *carrier) exec(query string, args ...any) error {
	_, err := c.tx.ExecContext(c.ctx, query, args...)
	return err
}

// drop removes what was carried before.
func (c *carrier) drop() error {
	rows, err := c.tx.QueryContext(c.ctx, "SELECT session FROM session_source WHERE source=?", c.source)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var id int64
		if err := rows.Scan(&id); err != nil {
			return err
		}
		c.touched[id] = true
	}
	if err := rows.Err(); err != nil {
		return err
	}
	rows.Close()
	for _, table := range []string{"carried", "carried_compaction", "carried_session"} {
		if err := c.exec("DELETE FROM "+table+" WHERE session IN (SELECT id FROM session WHERE agent=?)", c.agent); err != nil {
			return err
		}
	}
	return c.exec("DELETE FROM session_source WHERE source=?", c.source)
}

// session gives the row of a session of which something is carried.
func (c *carrier) session(sid string) (id int64, err error) {
	if err := c.tx.QueryRowContext(c.ctx, `INSERT INTO session(agent, sid) VALUES(?,?) ON CONFLICT(agent, sid) DO UPDATE SET sid=excluded.sid RETURNING id`, c.agent, sid).Scan(&id); err != nil {
		return 0, err
	}
	c.touched[id] = true
	return id, c.exec(addSessionSource, id, c.source, memory.SourceLedger)
}

func (c *carrier) usage(lines []memory.DayUsage) error {
	for _, u := range lines {
		session, err := c.session(u.Session)
		if err != nil {
			return err
		}
		var model int64
		if err := c.tx.QueryRowContext(c.ctx, addModel, u.Provider, u.Model).Scan(&model); err != nil {
			return err
		}
		if err := c.exec(`INSERT INTO carried(session, model, at, last, calls, unpriced, input, output, cache_read, cache_write, cost, background) VALUES(?,?,?,?,?,?,?,?,?,?,?,?)
			ON CONFLICT(session, model, at, last) DO UPDATE SET calls=calls+excluded.calls, unpriced=unpriced+excluded.unpriced, input=input+excluded.input, output=output+excluded.output,
			cache_read=cache_read+excluded.cache_read, cache_write=cache_write+excluded.cache_write, cost=cost+excluded.cost, background=background+excluded.background`,
			session, model, u.First, u.Last, u.Calls, u.Unpriced, u.Usage.Input, u.Usage.Output, u.Usage.CacheRead, u.Usage.CacheWrite, u.Cost, u.Background); err != nil {
			return err
		}
	}
	return nil
}

func (c *carrier) compactions(kept []memory.KeptCompaction) error {
	for _, k := range kept {
		session, err := c.session(k.Session)
		if err != nil {
			return err
		}
		if err := c.exec("INSERT OR REPLACE INTO carried_compaction(session, eid, at, tokens_before, tokens_after, summary) VALUES(?,?,?,?,?,?)",
			session, k.Entry, k.At, k.TokensBefore, k.TokensAfter, k.Summary); err != nil {
			return err
		}
	}
	return nil
}

func (c *carrier) sessions(kept []memory.SessionSummary) error {
	for _, k := range kept {
		session, err := c.session(k.Session)
		if err != nil {
			return err
		}
		if err := c.exec("INSERT OR REPLACE INTO carried_session(session, messages, user_messages, started, updated) VALUES(?,?,?,?,?)",
			session, k.Messages, k.UserMessages, k.Started, k.Updated); err != nil {
			return err
		}
		if err := c.exec("UPDATE session SET header_parent=? WHERE id=? AND header_parent='' AND header_at=0", k.Parent, session); err != nil {
			return err
		}
	}
	return nil
}

func (c *carrier) notes(notes []memory.SessionMeta) error {
	for _, n := range notes {
		body, err := json.Marshal(n)
		if err != nil {
			return fmt.Errorf("write notes: %w", err)
		}
		if err := c.exec("UPDATE session SET key=?, background=?, previous=?, notes=? WHERE agent=? AND sid=? AND key=''", n.Key, n.Background, n.Previous, string(body), c.agent, n.SessionID); err != nil {
			return err
		}
	}
	return nil
}

// end sums up what was touched, and drops sessions of which nothing is left:
// they turned out to be others.
func (c *carrier) end() error {
	const empty = "SELECT id FROM session WHERE agent=? AND NOT EXISTS(SELECT 1 FROM session_source ss WHERE ss.session=session.id)"
	for _, q := range []string{"DELETE FROM origin WHERE session IN (" + empty + ")", "DELETE FROM session WHERE id IN (" + empty + ")"} {
		if err := c.exec(q, c.agent); err != nil {
			return err
		}
	}
	for id := range c.touched {
		if err := c.exec(resumSession, id); err != nil {
			return err
		}
	}
	return nil
}

// CarriedSessions gives the sessions of an agent of which something is carried.
func (s *Store) CarriedSessions(ctx context.Context, agent string) (map[string]bool, error) {
	rows, err := s.x.read.QueryContext(ctx, `SELECT s.sid FROM session s JOIN agent a ON a.id=s.agent JOIN session_source ss ON ss.session=s.id WHERE a.installation=? AND a.name=? AND ss.kind=?`, s.id, agent, memory.SourceLedger)
	if err != nil {
		return nil, fmt.Errorf("list carried sessions: %w", err)
	}
	defer rows.Close()
	found := map[string]bool{}
	for rows.Next() {
		var sid string
		if err := rows.Scan(&sid); err != nil {
			return nil, fmt.Errorf("list carried sessions: %w", err)
		}
		found[sid] = true
	}
	return found, rows.Err()
}

// Counted gives what was read, and is not carried, of the messages of the
// sessions of an agent, by id.
func (s *Store) Counted(ctx context.Context, agent string) (map[string]memory.SessionSummary, error) {
	rows, err := s.x.read.QueryContext(ctx, `SELECT s.sid, s.key, s.messages-COALESCE(k.messages,0), s.user_messages-COALESCE(k.user_messages,0), s.entries FROM session s JOIN agent a ON a.id=s.agent
		LEFT JOIN carried_session k ON k.session=s.id WHERE a.installation=? AND a.name=?`, s.id, agent)
	if err != nil {
		return nil, fmt.Errorf("count messages: %w", err)
	}
	defer rows.Close()
	found := map[string]memory.SessionSummary{}
	for rows.Next() {
		var m memory.SessionSummary
		if err := rows.Scan(&m.Session, &m.Key, &m.Messages, &m.UserMessages, &m.Entries); err != nil {
			return nil, fmt.Errorf("count messages: %w", err)
		}
		found[m.Session] = m
	}
	return found, rows.Err()
}
