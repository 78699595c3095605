package index

import "fmt"

// Rename gives a session of the agent another id: an upgrade of OpenClaw did
// so when it moved the session. Where both ids have a session they become one.
// The old id is remembered (Names gives it). It is part of what is committed.
func (b *Batch) Rename(from, to string) error {
	return b.within("rename session", func() error {
		b.s.group.altered = true
		return b.rename(from, to)
	})
}

func (b *Batch) rename(from, to string) error {
	// What was gathered under either name goes into the sums first.
	for _, sid := range []string{from, to} {
		if d, ok := b.sessions[sid]; ok {
			if err := b.sumOne(d); err != nil {
				return err
			}
			delete(b.sessions, sid)
		}
	}
	for _, step := range []struct {
		query string
		args  []any
	}{
		{"UPDATE alias SET sid=? WHERE agent=? AND sid=?", []any{to, b.agentRow, from}},
		{"INSERT OR REPLACE INTO alias(agent, was, sid) VALUES(?,?,?)", []any{b.agentRow, from, to}},
		{"UPDATE source SET session=? WHERE agent=? AND session=?", []any{to, b.agentRow, from}},
		{"UPDATE session SET kin=? WHERE agent=? AND kin=?", []any{to, b.agentRow, from}},
		{doubtKept, []any{b.s.metaKey(Kept)}},
	} {
		if err := b.exec(step.query, step.args...); err != nil {
			return err
		}
	}
	if err := b.unrooted(); err != nil {
		return err
	}
	var old, into int64
	if err := b.row("SELECT id FROM session WHERE agent=? AND sid=?", []any{b.agentRow, from}, &old); err != nil {
		if noRow(err) {
			return nil
		}
		return err
	}
	err := b.row("SELECT id FROM session WHERE agent=? AND sid=?", []any{b.agentRow, to}, &into)
	switch {
	case noRow(err):
		return b.exec("UPDATE session SET sid=? WHERE id=?", to, old)
	case err != nil:
		return err
	}
	return b.merge(old, into)
}

// merge moves everything of one session into another. ?1 is the old one, ?2
// the one that stays.
func (b *Batch) merge(old, into int64) error {
	for _, q := range []string{
		// What both hold is that of the one that stays.
		"UPDATE OR IGNORE entry SET session=?2 WHERE session=?1",
		"DELETE FROM call WHERE entry IN (SELECT id FROM entry WHERE session=?1) AND ?2=?2",
		"DELETE FROM compaction WHERE entry IN (SELECT id FROM entry WHERE session=?1) AND ?2=?2",
		"DELETE FROM entry WHERE session=?1 AND ?2=?2",
		"UPDATE call SET session=?2 WHERE session=?1",
		"UPDATE compaction SET session=?2 WHERE session=?1",
		promoteCopies + " WHERE session=?2 AND ?1=?1 AND " + uncounted,
		"UPDATE OR IGNORE mirror SET session=?2 WHERE session=?1",
		"DELETE FROM mirror WHERE session=?1 AND ?2=?2",
		redouble + " WHERE session=?2 AND ?1=?1 AND json_extract(more,'$.mirror') IS NOT NULL",
		"INSERT OR IGNORE INTO session_source(session, source, kind) SELECT ?2, source, kind FROM session_source WHERE session=?1",
		"DELETE FROM session_source WHERE session=?1 AND ?2=?2",
		"DELETE FROM carried WHERE session IN (?1, ?2)",
		"DELETE FROM carried_compaction WHERE session IN (?1, ?2)",
		"DELETE FROM carried_session WHERE session IN (?1, ?2)",
		`UPDATE session SET (key, background, current, leaf, previous, notes) = (SELECT o.key, o.background, o.current, o.leaf, o.previous, o.notes FROM session o WHERE o.id=?1)
			WHERE id=?2 AND key=''`,
		`UPDATE session SET (header_at, header_last, header_parent) = (SELECT
			CASE WHEN session.header_at=0 OR o.header_at>0 AND o.header_at<session.header_at THEN o.header_at ELSE session.header_at END, MAX(session.header_last, o.header_last),
			CASE WHEN session.header_parent='' THEN o.header_parent ELSE session.header_parent END FROM session o WHERE o.id=?1) WHERE id=?2`,
		"UPDATE OR IGNORE origin SET session=?2 WHERE session=?1",
		"DELETE FROM origin WHERE session=?1 AND ?2=?2",
		"DELETE FROM session WHERE id=?1 AND ?2=?2",
	} {
		if err := b.exec(q, old, into); err != nil {
			return err
		}
	}
	if err := b.exec(dropMeta, b.s.metaKey(Restored)); err != nil { // what is carried is found anew
		return err
	}
	return b.resum(into)
}

// Restored is the key of meta under which it is kept that the ledger's surplus
// is carried. The index drops the value where that must be found anew.
const Restored = "restored"

const (
	// promoteCopies makes calls count that count nowhere else any more.
	promoteCopies = "UPDATE OR IGNORE call SET copy=0"
	uncounted     = "copy=1 AND NOT EXISTS(SELECT 1 FROM call o WHERE o.once=call.once AND o.copy=0)"
)

// redouble marks the second rows of messages that are stored twice.
var redouble = fmt.Sprintf("UPDATE entry SET flags = (flags & ~%[1]d) | (CASE WHEN hash <> COALESCE((SELECT m.hash FROM mirror m WHERE m.session=entry.session AND m.name=json_extract(entry.more,'$.mirror')), hash) THEN %[1]d ELSE 0 END)", flagDouble)
