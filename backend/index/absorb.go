package index

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"tidemark/backend/memory"
)

// Absorb takes over from another index, at path, what it holds of this
// installation and this one does not: entries of sources that are gone or were
// replaced since, and what was noted of their sessions. It changes nothing in
// the other index, which may be open. at is the time to note for sources that
// are gone.
func (s *Store) Absorb(ctx context.Context, path string, at memory.Millis) (err error) {
	if err := s.Flush(ctx); err != nil {
		return err
	}
	conn, err := s.x.write.Conn(ctx)
	if err != nil {
		return fmt.Errorf("take over the old index: %w", err)
	}
	defer func() { err = errors.Join(err, conn.Close()) }()
	if _, err := conn.ExecContext(ctx, "ATTACH DATABASE ? AS old", uri(path, "mode=ro")); err != nil {
		return fmt.Errorf("take over the old index: %w", err)
	}
	defer func() {
		_, gone := conn.ExecContext(context.WithoutCancel(ctx), "DETACH DATABASE old")
		err = errors.Join(err, gone)
	}()
	tx, err := conn.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("take over the old index: %w", err)
	}
	defer tx.Rollback()
	if err := s.absorb(ctx, tx, at); err != nil {
		return fmt.Errorf("take over the old index: %w", err)
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	s.x.written(true)
	return nil
}

func (s *Store) absorb(ctx context.Context, tx *sql.Tx, at memory.Millis) error {
	var have int
	if err := tx.QueryRowContext(ctx, "PRAGMA old.user_version").Scan(&have); err != nil {
		return err
	}
	if have != version {
		return errVersion
	}
	var last int64
	if err := tx.QueryRowContext(ctx, "SELECT COALESCE(MAX(id),0) FROM entry").Scan(&last); err != nil {
		return err
	}
	for _, q := range absorbing {
		if _, err := tx.ExecContext(ctx, q, sql.Named("inst", s.id), sql.Named("now", at), sql.Named("last", last), sql.Named("message", memory.KindMessage)); err != nil {
			return err
		}
	}
	if err := resumWhere(ctx, tx, "SELECT new FROM temp.took UNION SELECT session FROM temp.tookcall"); err != nil {
		return err
	}
	for _, t := range []string{"took", "tookagent", "tooksource", "tookentry", "tookonce", "tookcall"} {
		if _, err := tx.ExecContext(ctx, "DROP TABLE temp."+t); err != nil {
			return err
		}
	}
	return nil
}

// absorbing are the steps of absorb. Named parameters that a step does not use
// are ignored.
var absorbing = []string{
	`INSERT OR IGNORE INTO agent(installation, name, title, workspace, shared, configured, present) SELECT @inst, o.name, o.title, o.workspace, o.shared, o.configured, 0
		FROM old.agent o JOIN old.installation oi ON oi.id=o.installation JOIN installation i ON i.name=oi.name WHERE i.id=@inst`,
	`CREATE TEMP TABLE tookagent AS SELECT o.id AS old, n.id AS new FROM old.agent o JOIN old.installation oi ON oi.id=o.installation JOIN installation i ON i.name=oi.name AND i.id=@inst
		JOIN agent n ON n.installation=i.id AND n.name=o.name`,
	`INSERT OR IGNORE INTO alias(agent, was, sid) SELECT a.new, o.was, o.sid FROM old.alias o JOIN temp.tookagent a ON a.old=o.agent`,
	// Sessions under the name that they have now.
	`CREATE TEMP TABLE took AS SELECT o.id AS old, 0 AS new, a.new AS agent, COALESCE((SELECT l.sid FROM alias l WHERE l.agent=a.new AND l.was=o.sid), o.sid) AS sid
		FROM old.session o JOIN temp.tookagent a ON a.old=o.agent WHERE o.entries>0 OR o.header_at>0`,
	`INSERT OR IGNORE INTO session(agent, sid, header_at, header_last, header_parent, version, cwd, root, kin)
		SELECT t.agent, t.sid, o.header_at, o.header_last, o.header_parent, o.version, o.cwd, o.root, o.kin FROM temp.took t JOIN old.session o ON o.id=t.old`,
	`UPDATE temp.took SET new = (SELECT s.id FROM session s WHERE s.agent=took.agent AND s.sid=took.sid)`,
	`UPDATE session SET (key, background, previous, notes) = (SELECT o.key, o.background, o.previous, o.notes FROM temp.took t JOIN old.session o ON o.id=t.old WHERE t.new=session.id AND o.key<>'' LIMIT 1)
		WHERE key='' AND id IN (SELECT t.new FROM temp.took t JOIN old.session o ON o.id=t.old WHERE o.key<>'')`,
	`UPDATE session SET kin = (SELECT o.kin FROM temp.took t JOIN old.session o ON o.id=t.old WHERE t.new=session.id LIMIT 1) WHERE kin='' AND id IN (SELECT t.new FROM temp.took t JOIN old.session o ON o.id=t.old WHERE o.kin<>'')`,
	`INSERT OR IGNORE INTO origin(session, header_at, first_entry, in_database) SELECT t.new, o.header_at, o.first_entry, o.in_database FROM old.origin o JOIN temp.took t ON t.old=o.session`,
	// Sources that are not there any more.
	`INSERT OR IGNORE INTO source(agent, path, kind, gone) SELECT a.new, o.path, o.kind, CASE WHEN o.gone=0 THEN @now ELSE o.gone END
		FROM old.source o JOIN temp.tookagent a ON a.old=o.agent WHERE o.kind<>8`,
	`CREATE TEMP TABLE tooksource AS SELECT o.id AS old, n.id AS new FROM old.source o JOIN temp.tookagent a ON a.old=o.agent JOIN source n ON n.agent=a.new AND n.path=o.path`,
	`INSERT OR IGNORE INTO session_source(session, source, kind) SELECT t.new, s.new, o.kind FROM old.session_source o JOIN temp.took t ON t.old=o.session JOIN temp.tooksource s ON s.old=o.source`,
	// Entries and what hangs on them.
	`INSERT OR IGNORE INTO entry(session, hash, eid, parent, kind, role, flags, at, source, line, offset, tokens, text, more)
		SELECT t.new, o.hash, o.eid, o.parent, o.kind, o.role, o.flags, o.at, s.new, CASE WHEN n.gone THEN o.line ELSE 0 END, CASE WHEN n.gone THEN o.offset ELSE 0 END, o.tokens, o.text, o.more
		FROM old.entry o JOIN temp.took t ON t.old=o.session JOIN temp.tooksource s ON s.old=o.source JOIN source n ON n.id=s.new ORDER BY o.id`,
	`CREATE TEMP TABLE tookentry AS SELECT o.id AS old, n.id AS new, n.session AS session FROM entry n JOIN temp.took t ON t.new=n.session JOIN old.entry o ON o.session=t.old AND o.hash=n.hash WHERE n.id>@last`,
	`INSERT OR IGNORE INTO model(provider, name) SELECT provider, name FROM old.model`,
	`INSERT OR IGNORE INTO call(entry, session, once, copy, at, model, flags, input, output, cache_read, cache_write, hour, cost, price)
		SELECT e.new, e.session, c.once, c.copy, c.at, n.id, c.flags, c.input, c.output, c.cache_read, c.cache_write, c.hour, c.cost, c.price
		FROM temp.tookentry e JOIN old.call c ON c.entry=e.old JOIN old.model m ON m.id=c.model JOIN model n ON n.provider=m.provider AND n.name=m.name`,
	`INSERT OR IGNORE INTO call(entry, session, once, copy, at, model, flags, input, output, cache_read, cache_write, hour, cost, price)
		SELECT e.new, e.session, c.once, 1, c.at, n.id, c.flags, c.input, c.output, c.cache_read, c.cache_write, c.hour, c.cost, c.price
		FROM temp.tookentry e JOIN old.call c ON c.entry=e.old JOIN old.model m ON m.id=c.model JOIN model n ON n.provider=m.provider AND n.name=m.name`,
	// A call counts in the session that began first, of those that hold it now.
	`CREATE TEMP TABLE tookonce AS SELECT DISTINCT c.once AS once FROM temp.tookentry e JOIN call c ON c.entry=e.new`,
	`CREATE TEMP TABLE tookcall AS SELECT entry, session, ROW_NUMBER() OVER (PARTITION BY once ORDER BY late, at, sid) AS place FROM (
		SELECT c.entry AS entry, c.session AS session, c.once AS once, s.header_at=0 AS late, s.header_at AS at, s.sid AS sid FROM temp.tookonce t JOIN call c ON c.once=t.once AND c.copy=0 JOIN session s ON s.id=c.session
		UNION ALL SELECT c.entry, c.session, c.once, s.header_at=0, s.header_at, s.sid FROM temp.tookonce t JOIN call c ON c.once=t.once AND c.copy=1 JOIN session s ON s.id=c.session)`,
	`UPDATE call SET copy=1 WHERE entry IN (SELECT entry FROM temp.tookcall WHERE place>1)`,
	`UPDATE call SET copy=0 WHERE entry IN (SELECT entry FROM temp.tookcall WHERE place=1)`,
	`INSERT OR IGNORE INTO compaction(entry, session, at, tokens_before, tokens_after, from_hook, summary)
		SELECT e.new, e.session, k.at, k.tokens_before, k.tokens_after, k.from_hook, k.summary FROM temp.tookentry e JOIN old.compaction k ON k.entry=e.old`,
	`INSERT OR IGNORE INTO mirror(session, name, hash) SELECT t.new, m.name, m.hash FROM old.mirror m JOIN temp.took t ON t.old=m.session`,
	redouble + ` WHERE id IN (SELECT new FROM temp.tookentry) AND json_extract(more,'$.mirror') IS NOT NULL AND kind=@message`,
}
