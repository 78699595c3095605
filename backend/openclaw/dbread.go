package openclaw

import (
	"context"
	"errors"
	"fmt"
	"maps"

	"github.com/klauspost/compress/zstd"

	"tidemark/backend/memory"
	"tidemark/backend/transcript"
)

const (
	// knownSchema is the newest agent schema whose tables were seen. A newer
	// one is read as far as its columns are known, with a notice.
	knownSchema = 23
	// maxRow bounds a row after unpacking: OpenClaw's own bound is 4 MiB.
	maxRow = 64 << 20
)

// readDatabase yields the rows that came since cp, session by session.
func readDatabase(ctx context.Context, src memory.Source, cp memory.Checkpoint, opts Options, sink Sink) error {
	zip, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxRow))
	if err != nil {
		return fmt.Errorf("start unpacking: %w", err)
	}
	defer zip.Close()
	marks := map[string]memory.Mark{}
	maps.Copy(marks, cp.Marks)
	err = readAnew(ctx, src.Path, func(d *database) error {
		r := dbReading{ctx: ctx, src: src, opts: opts, sink: sink, marks: marks, db: d, zip: zip,
			dec: transcript.Decoder{Texts: opts.Texts}, fresh: map[string]memory.Mark{}}
		return r.pass()
	})
	if !damaged(err) {
		return err
	}
	sink.Problem(badDatabase(src.Path, err))
	return sink.Commit(memory.Checkpoint{Stamp: src.Stamp})
}

// dbReading is one pass over a database.
type dbReading struct {
	ctx   context.Context
	src   memory.Source
	opts  Options
	sink  Sink
	marks map[string]memory.Mark // committed

	db      *database
	columns map[string]bool // of transcript_events
	dec     transcript.Decoder
	zip     *zstd.Decoder
	buf     []byte
	ev      memory.Event
	fresh   map[string]memory.Mark // read, not yet committed
	pending int

	problems []memory.Problem // not yet committed
	reported int
	unknown  map[string]int
}

// pass reads everything that is new.
func (r *dbReading) pass() (err error) {
	if r.columns, err = r.db.columns(r.ctx, "transcript_events"); err != nil {
		return err
	}
	if r.columns["session_id"] && r.columns["seq"] && (r.columns["event_json"] || r.columns["event_zstd"]) {
		if err := r.transcripts(); err != nil {
			return err
		}
	} else if len(r.columns) > 0 {
		r.problem(memory.ProblemNewSchema, "keeps transcripts in a table that this version cannot read", "Look for a newer version of Tidemark.")
	}
	if err := r.archives(); err != nil {
		return err
	}
	v, err := r.db.version(r.ctx)
	if err != nil {
		return err
	}
	if v > knownSchema {
		r.problem(memory.ProblemNewSchema, fmt.Sprintf("has schema %d; this version knows up to %d and reads what it recognises", v, knownSchema),
			"Look for a newer version of Tidemark and compare the totals with OpenClaw's own.")
	}
	reportUnknown(r, r.src.Path, r.unknown)
	stamp := r.db.stamp
	if r.db.young {
		stamp = memory.Stamp{} // a change just now may not show in it: look again
	}
	return r.commit(stamp)
}

// commit hands over what was read, if it can be trusted.
func (r *dbReading) commit(stamp memory.Stamp) error {
	if err := errors.Join(r.ctx.Err(), r.db.settled()); err != nil {
		return err
	}
	for _, p := range r.problems {
		r.sink.Problem(p)
	}
	r.problems = nil
	if err := r.sink.Commit(memory.Checkpoint{Stamp: stamp, Marks: r.fresh}); err != nil {
		return err
	}
	maps.Copy(r.marks, r.fresh)
	r.fresh, r.pending = map[string]memory.Mark{}, 0
	return nil
}

// Problem keeps a problem until what it was met in is committed: a database
// that changed meanwhile is read again, and may have none.
func (r *dbReading) Problem(p memory.Problem) { r.problems = append(r.problems, p) }

// Entry and Commit make a dbReading a Sink for what an archive holds.
func (r *dbReading) Entry(session string, ev *memory.Event, at memory.Place) error {
	r.pending++
	return r.sink.Entry(session, ev, at)
}

// Commit does nothing: an archive is committed as a whole.
func (r *dbReading) Commit(memory.Checkpoint) error { return nil }

func (r *dbReading) problem(code memory.Code, message, hint string) {
	if r.reported++; r.reported > maxReported {
		message = "has more damage than is listed row by row"
	}
	r.Problem(memory.Problem{Code: code, Path: r.src.Path, Count: 1, Message: message, Hint: hint})
}

// transcripts reads the rows of every session that changed. A damage that
// SQLite meets costs the session that it is in, not the others.
func (r *dbReading) transcripts() error {
	if len(r.marks) > 0 {
		return r.changed()
	}
	err := r.bulk()
	if !damaged(err) || r.db.settled() != nil {
		return err
	}
	r.fresh = map[string]memory.Mark{}
	return r.changed()
}

// HoldsTranscripts says whether a database holds transcripts: the ones of the
// newest era do, older ones of the same name hold a search index alone.
func HoldsTranscripts(path string) bool {
	holds := false
	err := readAnew(context.Background(), path, func(d *database) error {
		columns, err := d.columns(context.Background(), "transcript_events")
		holds = columns["session_id"]
		return err
	})
	return err == nil && holds
}
