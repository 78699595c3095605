package openclaw

import (
	"bytes"
	"fmt"

	"tidemark/backend/memory"
	"tidemark/backend/transcript"
)

// archiveTables are the tables in which the newest era keeps whole transcripts
// that left transcript_events, as JSONL.
var archiveTables = []string{"session_transcript_archives", "session_transcript_cold_archives"}

// dbArchive names a transcript that a database keeps as one block.
type dbArchive struct {
	row                       int64
	session, generation, name string
	packed                    bool
}

// mark is what an archive that was read goes by among the sessions: their ids
// hold no colon.
func (a dbArchive) mark() string { return "archive:" + a.session + ":" + a.generation }

// archives reads the blocks that were not read yet: they never change.
func (r *dbReading) archives() error {
	for _, table := range archiveTables {
		names, err := r.archiveNames(table)
		if err != nil {
			return fmt.Errorf("list archives: %w", err)
		}
		for _, a := range names {
			if _, seen := r.marks[a.mark()]; seen {
				continue
			}
			if err := r.archive(table, a); err != nil {
				return fmt.Errorf("read archive %s: %w", shorten(a.name), err)
			}
		}
	}
	return nil
}

// archiveNames lists the archives of a table that holds their blocks.
func (r *dbReading) archiveNames(table string) ([]dbArchive, error) {
	columns, err := r.db.columns(r.ctx, table)
	if err != nil || !columns["session_id"] || !columns["archive_blob"] {
		return nil, err
	}
	pick := func(name string) string {
		if columns[name] {
			return name
		}
		return "''"
	}
	rows, err := r.db.all(r.ctx, "SELECT rowid, session_id, "+pick("generation")+", "+pick("archive_name")+", "+pick("encoding")+
		" FROM "+table+" WHERE archive_blob IS NOT NULL ORDER BY 2, 3")
	if err != nil {
		return nil, err
	}
	found := make([]dbArchive, len(rows))
	for i, row := range rows {
		a := dbArchive{row: row[0].number, session: row[1].text(), generation: row[2].text(), name: row[3].text()}
		if a.name == "" {
			a.name = a.session + ".jsonl"
		}
		a.packed = packed(a.name) || row[4].text() == "zstd"
		found[i] = a
	}
	return found, nil
}

// archive reads one block as if it were a file.
func (r *dbReading) archive(table string, a dbArchive) error {
	rows, err := r.db.all(r.ctx, "SELECT archive_blob FROM "+table+" WHERE rowid = ?", a.row)
	if err != nil {
		return err
	}
	if len(rows) == 0 {
		return nil // it was deleted just now
	}
	blob := rows[0][0].bytes
	src := memory.Source{Kind: memory.SourceDBArchive, Agent: r.src.Agent, Path: r.src.Path + "#" + a.name, Base: a.session + ".jsonl"}
	file := reading{ctx: r.ctx, src: src, sink: r, dec: transcript.Decoder{Texts: r.opts.Texts}}
	before := r.pending
	if bytes.HasPrefix(blob, []byte(zstdMagic)) || a.packed && !bytes.HasPrefix(blob, []byte("{")) {
		file.packed = true
		err = file.unpacked(bytes.NewReader(blob), memory.Checkpoint{Session: a.session})
	} else {
		err = file.from(bytes.NewReader(blob), memory.Checkpoint{Session: a.session}, nil)
	}
	if err != nil {
		return err
	}
	r.fresh[a.mark()] = memory.Mark{Count: int64(r.pending - before)}
	if r.pending >= commitEvery {
		return r.commit(memory.Stamp{})
	}
	return nil
}
