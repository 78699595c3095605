package openclaw

import (
	"fmt"
	"math"

	"tidemark/backend/memory"
)

// dbSession is a session as the database counts it now.
type dbSession struct {
	id string
	memory.Mark
}

// start is the mark of a session of which nothing was read.
var start = memory.Mark{Seq: math.MinInt64}

// changed reads the sessions that are not as their marks say.
func (r *dbReading) changed() error {
	now, err := r.sessions()
	if err != nil {
		return fmt.Errorf("list sessions: %w", err)
	}
	for _, s := range now {
		err := r.session(s)
		if damaged(err) && r.db.settled() == nil {
			r.problem(memory.ProblemBadDatabase, fmt.Sprintf("session %s cannot be read to its end: %v", shorten(s.id), err),
				"Let OpenClaw check it (openclaw doctor). The other sessions were read; what was read of this one before is kept.")
			continue
		}
		if err != nil {
			return fmt.Errorf("read transcript %s: %w", s.id, err)
		}
	}
	return nil
}

// session reads what is new in a session.
func (r *dbReading) session(s dbSession) error {
	old, seen := r.marks[s.id]
	if seen && s.Seq == old.Seq && s.Count == old.Count && s.Generation == old.Generation {
		return nil
	}
	if !seen || rewritten(old, s.Mark) {
		return r.behind(s, start)
	}
	if err := r.behind(s, old); err != nil {
		return err
	}
	if at := r.mark(s.id); at.Count < s.Count || at.Seq == s.Seq && at.Count != s.Count {
		return r.behind(s, start) // rows came before those that were read
	}
	return nil
}

// rewritten says that a session is not the one that was read with rows
// appended to it.
func rewritten(old, now memory.Mark) bool {
	return now.Generation != old.Generation || now.Seq < old.Seq || now.Count < old.Count || now.Count > old.Count && now.Seq == old.Seq
}

// mark gives how far a session has been read.
func (r *dbReading) mark(session string) memory.Mark {
	if m, ok := r.fresh[session]; ok {
		return m
	}
	return r.marks[session]
}

// sessions counts the rows of each session.
func (r *dbReading) sessions() ([]dbSession, error) {
	generations, err := r.generations()
	if err != nil {
		return nil, err
	}
	rows, err := r.db.all(r.ctx, "SELECT session_id, MAX(seq), COUNT(*) FROM transcript_events GROUP BY session_id ORDER BY session_id")
	if err != nil {
		return nil, err
	}
	found := make([]dbSession, len(rows))
	for i, row := range rows {
		id := row[0].text()
		found[i] = dbSession{id, memory.Mark{Seq: row[1].number, Count: row[2].number, Generation: generations[id]}}
	}
	return found, nil
}

// generations gives what changes when the history of a session is rewritten.
func (r *dbReading) generations() (map[string]string, error) {
	columns, err := r.db.columns(r.ctx, "transcript_rewrite_watermarks")
	if err != nil || !columns["session_id"] || !columns["generation"] {
		return nil, err
	}
	rows, err := r.db.all(r.ctx, "SELECT session_id, generation FROM transcript_rewrite_watermarks")
	if err != nil {
		return nil, err
	}
	found := make(map[string]string, len(rows))
	for _, row := range rows {
		found[row[0].text()] = row[1].text()
	}
	return found, nil
}

// behind reads the rows of a session behind at.
func (r *dbReading) behind(s dbSession, at memory.Mark) error {
	at.Generation = s.Generation
	query := "SELECT seq, " + payload(r.columns) + fmt.Sprintf(" FROM transcript_events WHERE session_id = ? AND seq > ? ORDER BY seq LIMIT %d", commitEvery)
	for {
		rows, more, err := r.db.fetch(r.ctx, query, []any{s.id, at.Seq}, nil)
		if err != nil {
			return err
		}
		for _, row := range rows {
			seq := row[0].number
			if seq <= at.Seq {
				return fmt.Errorf("row %d does not follow row %d", seq, at.Seq)
			}
			at.Seq = seq
			at.Count++
			if err := r.yield(s.id, seq, r.decode(row[1].bytes), &at.Prompt); err != nil {
				return err
			}
		}
		r.fresh[s.id] = at
		if r.pending >= commitEvery {
			if err := r.commit(memory.Stamp{}); err != nil {
				return err
			}
		}
		if !more && len(rows) < commitEvery {
			return nil
		}
	}
}
