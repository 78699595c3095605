package index

import (
	"context"
	"database/sql"
)

// The statements of a batch. They are prepared once for the life of the index:
// there is a batch for every source, and preparing costs more than running.
const (
	addAgent         = `INSERT INTO agent(installation, name) VALUES(?,?) ON CONFLICT(installation, name) DO UPDATE SET name=excluded.name RETURNING id`
	addSource        = `INSERT INTO source(agent, path, kind) VALUES(?,?,?) ON CONFLICT(agent, path) DO UPDATE SET kind=excluded.kind, gone=0 RETURNING id`
	forgetProblems   = `DELETE FROM problem WHERE installation=? AND scope=?`
	addSession       = `INSERT INTO session(agent, sid) VALUES(?,?) ON CONFLICT(agent, sid) DO UPDATE SET sid=excluded.sid RETURNING id, header_at`
	addSessionSource = `INSERT OR IGNORE INTO session_source(session, source, kind) VALUES(?,?,?)`
	setHeader        = `UPDATE session SET header_at=CASE WHEN header_at=0 OR ?1>0 AND ?1<header_at THEN ?1 ELSE header_at END, header_last=MAX(header_last, ?1), header_parent=CASE WHEN header_parent='' THEN ?2 ELSE header_parent END,
		version=MAX(version, ?3), cwd=CASE WHEN cwd='' THEN ?4 ELSE cwd END WHERE id=?5 RETURNING header_at`
	addOrigin        = `INSERT INTO origin(session, header_at, first_entry, in_database) VALUES(?,?,?,?) ON CONFLICT DO UPDATE SET in_database=MAX(in_database, excluded.in_database)`
	insertEntry      = `INSERT OR IGNORE INTO entry(session, hash, eid, parent, kind, role, flags, at, source, line, offset, tokens, text, more) VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?)`
	insertCompaction = `INSERT INTO compaction(entry, session, at, tokens_before, tokens_after, from_hook, summary) VALUES(?,?,?,?,?,?,?)`
	insertCall       = `INSERT OR IGNORE INTO call(entry, session, once, copy, at, model, flags, input, output, cache_read, cache_write, hour, cost, price) VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?)`
	addModel         = `INSERT INTO model(provider, name) VALUES(?,?) ON CONFLICT(provider, name) DO UPDATE SET name=excluded.name RETURNING id`
	addMirror        = `INSERT OR IGNORE INTO mirror(session, name, hash) VALUES(?,?,?)`
	findMirror       = `SELECT hash FROM mirror WHERE session=? AND name=?`
	insertProblem    = `INSERT INTO problem(installation, scope, code, path, line, count, message, hint) VALUES(?,?,?,?,?,?,?,?)
		ON CONFLICT(installation, scope, code, path, line, message) DO UPDATE SET count=count+excluded.count, hint=excluded.hint`
	sumSession = `UPDATE session SET entries=entries+?, messages=messages+?, user_messages=user_messages+?, compactions=compactions+?,
		calls=calls+?, unreported=unreported+?, unpriced=unpriced+?, input=input+?, output=output+?, cache_read=cache_read+?, cache_write=cache_write+?, cost=cost+?,
		started=CASE WHEN ?>0 AND (started=0 OR ?<started) THEN ? ELSE started END, updated=MAX(updated, ?),
		context_used=CASE WHEN ? AND ?>=context_at THEN ? ELSE context_used END, context_at=CASE WHEN ? THEN MAX(context_at, ?) ELSE context_at END,
		provider=CASE WHEN ? AND ?>=model_at THEN ? ELSE provider END, model=CASE WHEN ? AND ?>=model_at THEN ? ELSE model END, model_at=CASE WHEN ? THEN MAX(model_at, ?) ELSE model_at END,
		title=CASE WHEN title='' THEN ? ELSE title END WHERE id=?`
	setCheckpoint = `UPDATE source SET size=?, mtime=?, inode=?, wal=?, wal_at=?, offset=?, line=?, sum=?, session=?, prompt=? WHERE id=?`
	setMark       = `INSERT INTO mark(source, session, seq, count, generation, prompt) VALUES(?,?,?,?,?,?)
		ON CONFLICT(source, session) DO UPDATE SET seq=excluded.seq, count=excluded.count, generation=excluded.generation, prompt=excluded.prompt`
	addSaid   = `INSERT OR IGNORE INTO said(installation, key) VALUES(?,?)`
	addOutbox = `INSERT INTO outbox(installation, line) VALUES(?,?)`
	dropMeta  = `DELETE FROM meta WHERE key=?`
	doubtKept = `UPDATE meta SET value='~'||ltrim(value,'~') WHERE key=?`
)

// prepareBatch prepares the statements of batches, once. It must not be called
// by whoever holds a transaction: there is one connection that writes.
func (x *Index) prepareBatch(ctx context.Context) error {
	x.once.Lock()
	defer x.once.Unlock()
	if x.prepared != nil {
		return nil
	}
	ready := map[string]*sql.Stmt{}
	for _, q := range []string{addAgent, addSource, forgetProblems, addSession, addSessionSource, setHeader, addOrigin, insertEntry, insertCompaction, insertCall, addModel,
		addMirror, findMirror, insertProblem, sumSession, setCheckpoint, setMark, addSaid, addOutbox} {
		st, err := x.write.PrepareContext(ctx, q)
		if err != nil {
			return err
		}
		ready[q] = st
	}
	x.prepared = ready
	return nil
}
