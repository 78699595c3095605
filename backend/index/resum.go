package index

import (
	"context"
	"database/sql"
	"fmt"

	"tidemark/backend/memory"
)

// resumSession sums a session up anew from what it holds: what batches do step
// by step must always give the same. The order of two entries of one moment is
// that in which they were read.
var resumSession = fmt.Sprintf(`UPDATE session SET
	entries = (SELECT COUNT(*) FROM entry e WHERE e.session=session.id),
	messages = (SELECT COUNT(*) FROM entry e WHERE e.session=session.id AND e.kind=%[1]d AND e.flags&%[2]d=0) + COALESCE((SELECT k.messages FROM carried_session k WHERE k.session=session.id),0),
	user_messages = (SELECT COUNT(*) FROM entry e WHERE e.session=session.id AND e.kind=%[1]d AND e.role=%[3]d AND e.flags&%[2]d=0) + COALESCE((SELECT k.user_messages FROM carried_session k WHERE k.session=session.id),0),
	compactions = (SELECT COUNT(*) FROM compaction k WHERE k.session=session.id) + (SELECT COUNT(*) FROM carried_compaction k WHERE k.session=session.id),
	(calls, unreported, unpriced, input, output, cache_read, cache_write, cost) = (
		SELECT COALESCE(SUM(n),0), COALESCE(SUM(r),0), COALESCE(SUM(u),0), COALESCE(SUM(i),0), COALESCE(SUM(o),0), COALESCE(SUM(cr),0), COALESCE(SUM(cw),0), COALESCE(SUM(c),0) FROM (
			SELECT 1 AS n, flags&%[4]d=0 AS r, price=%[5]d AS u, input AS i, output AS o, cache_read AS cr, cache_write AS cw, cost AS c FROM call WHERE call.session=session.id AND copy=0
			UNION ALL SELECT calls, 0, unpriced, input, output, cache_read, cache_write, cost FROM carried WHERE carried.session=session.id)),
	(started, updated) = (SELECT COALESCE(MIN(t),0), COALESCE(MAX(t),0) FROM (
		SELECT at AS t FROM entry e WHERE e.session=session.id AND at>0 UNION ALL SELECT session.header_at WHERE session.header_at>0 UNION ALL SELECT session.header_last WHERE session.header_last>0
		UNION ALL SELECT k.started FROM carried_session k WHERE k.session=session.id AND k.started>0 UNION ALL SELECT k.updated FROM carried_session k WHERE k.session=session.id AND k.updated>0)),
	(context_used, context_at) = (SELECT NULLIF(MAX(0,used),0), MAX(0,at) FROM (
		SELECT c.at AS at, c.entry AS id, c.input+c.cache_read+c.cache_write AS used FROM call c WHERE c.session=session.id AND c.input+c.cache_read+c.cache_write>0
		UNION ALL SELECT k.at, k.entry, k.tokens_after FROM compaction k WHERE k.session=session.id
		UNION ALL SELECT e.at, e.id, 0 FROM entry e WHERE e.session=session.id AND e.kind=%[6]d
		UNION ALL SELECT -1, -1, 0 ORDER BY 1 DESC, 2 DESC LIMIT 1)),
	(provider, model, model_at) = (SELECT provider, name, at FROM (
		SELECT m.provider AS provider, m.name AS name, c.at AS at, c.entry AS id FROM call c JOIN model m ON m.id=c.model WHERE c.session=session.id
		UNION ALL SELECT m.provider, m.name, c.last, -1 FROM carried c JOIN model m ON m.id=c.model WHERE c.session=session.id
		UNION ALL SELECT '', '', 0, -2 ORDER BY 3 DESC, 4 DESC LIMIT 1))
	WHERE id = ?`, memory.KindMessage, flagDouble, memory.RoleUser, callReported, memory.PriceUnknown, memory.KindReset)

// resum sums a session up anew within the batch. What the batch gathered of it
// so far must have been added to its sums, or be dropped.
func (b *Batch) resum(session int64) error { return b.exec(resumSession, session) }

// resumWhere sums up the sessions anew that a query names.
func resumWhere(ctx context.Context, tx *sql.Tx, query string, args ...any) error {
	rows, err := tx.QueryContext(ctx, query, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	var ids []int64
	for rows.Next() {
		var id int64
		if err := rows.Scan(&id); err != nil {
			return err
		}
		ids = append(ids, id)
	}
	if err := rows.Err(); err != nil {
		return err
	}
	rows.Close()
	st, err := tx.PrepareContext(ctx, resumSession)
	if err != nil {
		return err
	}
	defer st.Close()
	for _, id := range ids {
		if _, err := st.ExecContext(ctx, id); err != nil {
			return err
		}
	}
	return nil
}

// Verify compares the sums that are kept of every session with what its rows
// add up to, and gives a line for each that differs. It is slow; tests use it.
func (x *Index) Verify(ctx context.Context) (wrong []string, err error) {
	tx, err := x.write.BeginTx(ctx, nil)
	if err != nil {
		return nil, fmt.Errorf("verify index: %w", err)
	}
	defer tx.Rollback()
	before, err := sumLines(ctx, tx)
	if err != nil {
		return nil, fmt.Errorf("verify index: %w", err)
	}
	if err := resumWhere(ctx, tx, "SELECT id FROM session"); err != nil {
		return nil, fmt.Errorf("verify index: %w", err)
	}
	after, err := sumLines(ctx, tx)
	if err != nil {
		return nil, fmt.Errorf("verify index: %w", err)
	}
	for sid, have := range before {
		if want := after[sid]; have != want {
			wrong = append(wrong, fmt.Sprintf("session %s\n  has  %s\n  sums %s", sid, have, want))
		}
	}
	var twice int
	if err := tx.QueryRowContext(ctx, "SELECT COUNT(*) FROM call WHERE copy=1 AND NOT EXISTS(SELECT 1 FROM call o WHERE o.once=call.once AND o.copy=0)").Scan(&twice); err != nil {
		return nil, fmt.Errorf("verify index: %w", err)
	}
	if twice > 0 {
		wrong = append(wrong, fmt.Sprintf("%d copies of calls count nowhere", twice))
	}
	return wrong, nil
}

func sumLines(ctx context.Context, tx *sql.Tx) (map[string]string, error) {
	rows, err := tx.QueryContext(ctx, `SELECT agent||'/'||sid, json_array(entries, messages, user_messages, compactions, calls, unreported, unpriced, input, output, cache_read, cache_write, cost,
		started, updated, context_used, context_at, provider, model, model_at) FROM session`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	found := map[string]string{}
	for rows.Next() {
		var sid, line string
		if err := rows.Scan(&sid, &line); err != nil {
			return nil, err
		}
		found[sid] = line
	}
	return found, rows.Err()
}
