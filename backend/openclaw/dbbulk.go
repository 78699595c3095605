package openclaw

import (
	"bytes"
	"fmt"

	"tidemark/backend/memory"
)

// bulkReading reads a whole database in the order in which it was written,
// which is cheaper than session by session.
type bulkReading struct {
	*dbReading
	generations map[string]string
	all         map[string]*memory.Mark
	touched     map[string]*memory.Mark // since the last commit
	id          string                  // of the session of the last row
	at          *memory.Mark            // of that session
	last        int64                   // rowid of the last row
	plain       part                    // of long rows
}

// eventsTable holds the entries of all sessions, one a row.
const eventsTable = "transcript_events"

// firstRow is below every rowid.
const firstRow = int64(-1 << 63)

// bulk reads every row.
func (r *dbReading) bulk() error {
	generations, err := r.generations()
	if err != nil {
		return err
	}
	ordered, err := r.db.hasRowid(r.ctx, eventsTable)
	if err != nil {
		return err
	}
	if !ordered {
		return r.changed()
	}
	b := bulkReading{dbReading: r, generations: generations, all: map[string]*memory.Mark{}, touched: map[string]*memory.Mark{}, last: firstRow,
		plain: part{direct: r.db.direct, table: eventsTable, column: "event_json"}}
	what := payload(b.columns)
	if !b.opts.Texts {
		what = shortPayload(b.columns)
	}
	query := "SELECT session_id, seq, " + what + ", rowid" + fmt.Sprintf(" FROM %s WHERE rowid > ? ORDER BY rowid LIMIT %d", eventsTable, commitEvery)
	for more := true; more; {
		if more, err = b.stretch(query); err != nil {
			return fmt.Errorf("read transcripts: %w", err)
		}
		if err := b.flush(!more); err != nil {
			return err
		}
	}
	return nil
}

// stretch reads the rows behind the last one, and says whether there may be
// more. The query is closed before anything is done with its rows, so that a
// sink that takes its time does not hold a writer up, and what was read while
// the files changed goes nowhere.
func (b *bulkReading) stretch(query string) (more bool, err error) {
	rows, early, err := b.db.fetch(b.ctx, query, []any{b.last}, b.complete)
	b.plain.close()
	if err != nil {
		return false, err
	}
	for _, row := range rows {
		b.take(row)
		if err := b.row(b.id, row[1].number, row[2].bytes, &b.at.Prompt); err != nil {
			return false, err
		}
	}
	return early || len(rows) == commitEvery, nil
}

// complete puts the beginning of a long row, or all of it, in the place of the
// mark that stands for it.
func (b *bulkReading) complete(row []column) error {
	data := row[2].bytes
	if b.opts.Texts || len(data) != 1 || data[0] != markBeginning {
		return nil
	}
	n, err := b.plain.size(row[3].number)
	if err != nil {
		return queryError{err}
	}
	data, err = b.plain.read(markBeginning, min(n, headLength))
	if err == nil && !bytes.Contains(data, toolResult) {
		data, err = b.plain.read(0, n)
		data = data[min(1, len(data)):]
	}
	if err != nil {
		return queryError{err}
	}
	row[2].bytes = data
	return nil
}

// take counts a row before it is yielded.
func (b *bulkReading) take(row []column) {
	b.last = row[3].number
	if b.at == nil || string(row[0].bytes) != b.id {
		b.enter(row[0].text())
	}
	if seq := row[1].number; b.at.Count == 0 || seq > b.at.Seq {
		b.at.Seq = seq
	}
	b.at.Count++
}

// enter makes id the session that rows belong to.
func (b *bulkReading) enter(id string) {
	b.id = id
	if b.at = b.all[id]; b.at == nil {
		b.at = &memory.Mark{Generation: b.generations[id]}
		b.all[id] = b.at
	}
	b.touched[id] = b.at
}

// flush notes how far the sessions have been read, and commits that now and
// then.
func (b *bulkReading) flush(last bool) error {
	if !last && b.pending < commitEvery {
		return nil
	}
	for id, at := range b.touched {
		b.fresh[id] = *at
	}
	clear(b.touched)
	if b.at != nil {
		b.touched[b.id] = b.at
	}
	if last {
		return nil
	}
	return b.commit(memory.Stamp{})
}
