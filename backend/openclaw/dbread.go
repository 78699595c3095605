package openclaw

import (
	"bytes"
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"strings"

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
	// tries is how often a database that changes while it is read is read
	// anew before the pass gives up; the next pass tries again.
	tries = 5
)

// readDatabase yields the rows that came since cp, session by session.
func readDatabase(ctx context.Context, src memory.Source, cp memory.Checkpoint, opts Options, sink Sink) (err error) {
	marks := map[string]memory.Mark{}
	for k, v := range cp.Marks {
		marks[k] = v
	}
	for range tries {
		r := dbReading{ctx: ctx, src: src, opts: opts, sink: sink, marks: marks}
		if err = r.pass(); !errors.Is(err, errChanged) {
			break
		}
	}
	if err == nil || ctx.Err() != nil || !isSQLite(err) {
		return err
	}
	sink.Problem(badDatabase(src.Path, err))
	return sink.Commit(memory.Checkpoint{Stamp: src.Stamp})
}

// sqliteError marks an error that SQLite gave, apart from those of the sink.
type sqliteError struct{ err error }

func (e sqliteError) Error() string { return e.err.Error() }
func (e sqliteError) Unwrap() error { return e.err }

func isSQLite(err error) bool {
	var e sqliteError
	return errors.As(err, &e)
}

// dbReading is one pass over a database.
type dbReading struct {
	ctx   context.Context
	src   memory.Source
	opts  Options
	sink  Sink
	marks map[string]memory.Mark // committed

	db      *database
	columns map[string]bool
	dec     transcript.Decoder
	zip     *zstd.Decoder
	buf     []byte
	ev      memory.Event
	fresh   map[string]memory.Mark // read, not yet committed
	pending int
	unknown map[string]int
	again   []rowAt // rows to be read whole
}

// rowAt names a row.
type rowAt struct {
	session string
	seq     int64
}

// errHeadOnly says that what stands for a row does not tell enough about it.
var errHeadOnly = errors.New("the beginning of the row is not enough")

func (r *dbReading) pass() error {
	db, err := openDatabase(r.ctx, r.src.Path)
	if err != nil {
		return sqliteError{err}
	}
	defer db.close()
	r.db, r.dec, r.fresh = db, transcript.Decoder{Texts: r.opts.Texts}, map[string]memory.Mark{}
	columns, err := db.columns(r.ctx, "transcript_events")
	if err != nil {
		return sqliteError{err}
	}
	if r.zip, err = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxRow)); err != nil {
		return fmt.Errorf("start unpacking: %w", err)
	}
	defer r.zip.Close()
	if columns["session_id"] && columns["seq"] {
		r.columns = columns
		if err := r.transcripts(); err != nil {
			return err
		}
	}
	if err := r.archives(); err != nil {
		return err
	}
	if v := db.version(r.ctx); v > knownSchema {
		r.sink.Problem(memory.Problem{Code: memory.ProblemNewSchema, Path: r.src.Path, Count: 1,
			Message: fmt.Sprintf("has schema %d; this version knows up to %d and reads what it recognises", v, knownSchema),
			Hint:    "Look for a newer version of Tidemark and compare the totals with OpenClaw's own."})
	}
	reportUnknown(r.sink, r.src.Path, r.unknown)
	return r.commit(db.stamp)
}

// commit hands over what was read, if it can be trusted.
func (r *dbReading) commit(stamp memory.Stamp) error {
	if err := r.db.settled(); err != nil {
		return err
	}
	if err := r.sink.Commit(memory.Checkpoint{Stamp: stamp, Marks: r.fresh}); err != nil {
		return err
	}
	for k, v := range r.fresh {
		r.marks[k] = v
	}
	r.fresh, r.pending = map[string]memory.Mark{}, 0
	return r.ctx.Err()
}

// transcripts reads the rows of every session that changed.
func (r *dbReading) transcripts() error {
	if len(r.marks) == 0 && len(r.fresh) == 0 {
		return r.bulk()
	}
	now, err := r.sessions()
	if err != nil {
		return err
	}
	for _, s := range now {
		old, seen := r.marks[s.id]
		if seen && old == (memory.Mark{Seq: s.Seq, Count: s.Count, Generation: s.Generation, Prompt: old.Prompt}) {
			continue
		}
		if !seen || s.Generation != old.Generation || s.Seq < old.Seq || s.Count < old.Count || s.Count > old.Count && s.Seq == old.Seq {
			old = memory.Mark{Seq: -1}
		}
		if err := r.session(s, old); err != nil {
			return err
		}
	}
	return nil
}

// dbSession is a session as the database counts it now.
type dbSession struct {
	id string
	memory.Mark
}

func (r *dbReading) sessions() ([]dbSession, error) {
	generation, join := "''", ""
	if columns, err := r.db.columns(r.ctx, "transcript_rewrite_watermarks"); err == nil && columns["generation"] {
		generation, join = "COALESCE(w.generation,'')", " LEFT JOIN transcript_rewrite_watermarks w ON w.session_id=e.session_id"
	}
	rows, err := r.db.db.QueryContext(r.ctx, "SELECT e.session_id, e.seq, e.n, "+generation+
		" FROM (SELECT session_id, MAX(seq) AS seq, COUNT(*) AS n FROM transcript_events GROUP BY session_id) e"+join+" ORDER BY e.session_id")
	if err != nil {
		return nil, sqliteError{fmt.Errorf("list sessions: %w", err)}
	}
	defer rows.Close()
	var found []dbSession
	for rows.Next() {
		var s dbSession
		if err := rows.Scan(&s.id, &s.Seq, &s.Count, &s.Generation); err != nil {
			return nil, sqliteError{fmt.Errorf("list sessions: %w", err)}
		}
		found = append(found, s)
	}
	if err := rows.Err(); err != nil {
		return nil, sqliteError{fmt.Errorf("list sessions: %w", err)}
	}
	return found, nil
}

// Marks of the first byte of a payload that is no event as it stands.
const (
	markNavigation = 'N' // what the database keeps beside a compressed row
	zstdMagic      = "\x28\xb5\x2f\xfd"
)

// headLength is how much of a long row tells whether it is a tool result:
// type, ids, time and role take a third of it.
const headLength = 400

// payload is the expression for what a row holds, in one column since each
// costs: the event as JSON, or compressed. Without texts, long tool results,
// which hold neither usage nor anything else that is counted, come as their
// beginning, or as what the database keeps beside a compressed row.
func payload(columns map[string]bool, texts bool) string {
	plain, packed := "event_json", "event_zstd"
	if !texts {
		plain = fmt.Sprintf(`CASE WHEN octet_length(event_json) > %d AND instr(substr(event_json, 1, %d), '"toolResult"') > 0 THEN substr(event_json, 1, %d) ELSE event_json END`,
			4*headLength, headLength, headLength)
		if columns["navigation_json"] {
			packed = `CASE WHEN instr(navigation_json, '"toolResult"') > 0 THEN 'N' || navigation_json ELSE event_zstd END`
		}
	}
	switch {
	case columns["event_json"] && columns["event_zstd"]:
		return "CASE WHEN event_json IS NOT NULL THEN " + plain + " ELSE " + packed + " END"
	case columns["event_zstd"]:
		return "event_zstd"
	default:
		return plain
	}
}

// whole reads the rows that what stands for them did not tell enough about.
func (r *dbReading) whole(prompt func(session string) *uint8) error {
	again := r.again
	r.again = nil
	query := "SELECT " + payload(r.columns, true) + " FROM transcript_events WHERE session_id = ? AND seq = ?"
	for _, a := range again {
		err := r.db.each(r.ctx, query, []any{a.session, a.seq}, func(row []driver.Value) error {
			return r.row(a.session, a.seq, bytesOf(row[0]), prompt(a.session))
		})
		if err != nil {
			return fmt.Errorf("read transcript %s: %w", a.session, err)
		}
	}
	return nil
}

// session reads the rows of a session behind old.
func (r *dbReading) session(s dbSession, old memory.Mark) error {
	at := old
	at.Generation = s.Generation
	if old.Seq < 0 {
		at.Count = 0
	}
	query := "SELECT seq, " + payload(r.columns, r.opts.Texts) + fmt.Sprintf(" FROM transcript_events WHERE session_id = ? AND seq > ? ORDER BY seq LIMIT %d", commitEvery)
	for {
		n := 0
		err := r.db.each(r.ctx, query, []any{s.id, at.Seq}, func(row []driver.Value) error {
			n++
			at.Seq = intOf(row[0])
			return r.row(s.id, at.Seq, bytesOf(row[1]), &at.Prompt)
		})
		if err == nil && len(r.again) > 0 {
			err = r.whole(func(string) *uint8 { return &at.Prompt })
		}
		if err != nil {
			return fmt.Errorf("read transcript %s: %w", s.id, err)
		}
		at.Count += int64(n)
		r.fresh[s.id] = at
		if r.pending += n; r.pending >= commitEvery {
			if err := r.commit(memory.Stamp{}); err != nil {
				return err
			}
		}
		if n < commitEvery {
			return nil
		}
	}
}

// bulk reads a whole database in the order in which it was written, which is
// cheaper than session by session. What it misses because rows were not
// written in the order of their sessions shows in the counts of the next pass.
func (r *dbReading) bulk() error {
	generations, err := r.generations()
	if err != nil {
		return err
	}
	b := bulkReading{dbReading: r, generations: generations, all: map[string]*memory.Mark{}}
	query := "SELECT session_id, " + payload(r.columns, r.opts.Texts) + ", seq" + fmt.Sprintf(" FROM transcript_events WHERE rowid > ? ORDER BY rowid LIMIT %d", commitEvery)
	var last int64
	for {
		n, err := b.stretch(query, last)
		if err != nil {
			return fmt.Errorf("read transcripts: %w", err)
		}
		if n < commitEvery {
			return nil
		}
		err = r.db.each(r.ctx, "SELECT rowid FROM transcript_events WHERE session_id = ? AND seq = ?", []any{b.id, b.seq}, func(row []driver.Value) error {
			last = intOf(row[0])
			return nil
		})
		if err == nil {
			err = r.commit(memory.Stamp{})
		}
		if err != nil {
			return err
		}
	}
}

// bulkReading is what bulk keeps between rows.
type bulkReading struct {
	*dbReading
	generations map[string]string
	all         map[string]*memory.Mark
	id          string // of the last row
	seq         int64
}

// stretch reads the rows behind rowid last and gives their number.
func (b *bulkReading) stretch(query string, last int64) (n int, err error) {
	touched := map[string]*memory.Mark{}
	var at *memory.Mark
	err = b.db.each(b.ctx, query, []any{last}, func(row []driver.Value) error {
		n++
		if id := textOf(row[0]); id != b.id || at == nil {
			b.id = id
			if at = b.all[id]; at == nil {
				at = &memory.Mark{Generation: b.generations[id]}
				b.all[id] = at
			}
			touched[id] = at
		}
		at.Count++
		b.seq = intOf(row[2])
		at.Seq = max(at.Seq, b.seq)
		return b.row(b.id, b.seq, bytesOf(row[1]), &at.Prompt)
	})
	if err == nil && len(b.again) > 0 {
		err = b.whole(func(session string) *uint8 { return &b.all[session].Prompt })
	}
	for id, at := range touched {
		b.fresh[id] = *at
	}
	return n, err
}

func (r *dbReading) generations() (map[string]string, error) {
	found := map[string]string{}
	columns, err := r.db.columns(r.ctx, "transcript_rewrite_watermarks")
	if err != nil || !columns["generation"] {
		return found, err
	}
	return found, r.db.each(r.ctx, "SELECT session_id, generation FROM transcript_rewrite_watermarks", nil, func(row []driver.Value) error {
		found[textOf(row[0])] = textOf(row[1])
		return nil
	})
}

// row decodes one row and yields its entry.
func (r *dbReading) row(session string, seq int64, data []byte, prompt *uint8) error {
	err := r.decode(data)
	switch {
	case errors.Is(err, errHeadOnly):
		r.again = append(r.again, rowAt{session, seq})
		return nil
	case err == nil:
	case errors.Is(err, transcript.ErrShape) && r.ev.Type != "":
		r.problem(session, seq, memory.ProblemBadEntry, trimCode(err))
	default:
		r.problem(session, seq, memory.ProblemBadEntry, "cannot be read: "+err.Error())
		return nil
	}
	ev := &r.ev
	if ev.ID == "" && ev.Kind != memory.KindSession {
		ev.ID = fmt.Sprintf("~%016x", fnv(data))
	}
	note(prompt, ev)
	if ev.Kind == memory.KindUnknown {
		if r.unknown == nil {
			r.unknown = map[string]int{}
		}
		r.unknown[ev.Type]++
	}
	if ev.Message.Usage.Invalid {
		p := badUsage(r.src.Path, 0)
		p.Message = rowName(session, seq) + " " + p.Message
		r.sink.Problem(p)
	}
	return r.sink.Entry(session, ev, memory.Place{Kind: memory.SourceDatabase, Path: r.src.Path, Offset: seq, Prompt: *prompt})
}

func (r *dbReading) decode(data []byte) (err error) {
	switch {
	case len(data) == 0:
		return errors.New("the row is empty")
	case data[0] == markNavigation:
		if r.dec.DecodeNavigation(data[1:], &r.ev) != nil || r.ev.Message.Role != memory.RoleToolResult {
			return errHeadOnly
		}
		return nil
	case bytes.HasPrefix(data, []byte(zstdMagic)):
		if r.buf, err = r.zip.DecodeAll(data, r.buf[:0]); err != nil {
			return fmt.Errorf("unpack: %w", err)
		}
		return r.dec.Decode(r.buf, &r.ev)
	}
	err = r.dec.Decode(data, &r.ev)
	if err == nil || r.opts.Texts || len(data) < headLength || len(data) > 4*headLength {
		return err
	}
	if !r.dec.DecodeHead(data, &r.ev) || r.ev.Message.Role != memory.RoleToolResult {
		return errHeadOnly
	}
	return nil
}

func rowName(session string, seq int64) string {
	return fmt.Sprintf("row %d of session %s", seq, shorten(session))
}

func (r *dbReading) problem(session string, seq int64, code memory.Code, what string) {
	r.sink.Problem(memory.Problem{Code: code, Path: r.src.Path, Count: 1, Message: rowName(session, seq) + ": " + what,
		Hint: "The row was skipped or kept as far as it could be read; OpenClaw's database is unchanged."})
}

// archiveTables are the tables in which the newest era keeps whole transcripts
// that left transcript_events, as JSONL.
var archiveTables = []string{"session_transcript_archives", "session_transcript_cold_archives"}

// archives reads transcripts that the database keeps as one block each.
func (r *dbReading) archives() error {
	for _, table := range archiveTables {
		columns, err := r.db.columns(r.ctx, table)
		if err != nil {
			return sqliteError{err}
		}
		if !columns["archive_blob"] || !columns["archive_name"] {
			continue
		}
		names, err := r.archiveNames(table)
		if err != nil {
			return err
		}
		for _, a := range names {
			if _, seen := r.marks[a.mark()]; seen {
				continue
			}
			if err := r.archive(table, a); err != nil {
				return err
			}
		}
	}
	return nil
}

type dbArchive struct{ session, generation, name string }

func (a dbArchive) mark() string { return "archive:" + a.session + ":" + a.generation }

func (r *dbReading) archiveNames(table string) ([]dbArchive, error) {
	rows, err := r.db.db.QueryContext(r.ctx, "SELECT session_id, generation, archive_name FROM "+table+" WHERE archive_blob IS NOT NULL ORDER BY 1, 2")
	if err != nil {
		return nil, sqliteError{fmt.Errorf("list archives: %w", err)}
	}
	defer rows.Close()
	var found []dbArchive
	for rows.Next() {
		var a dbArchive
		if err := rows.Scan(&a.session, &a.generation, &a.name); err != nil {
			return nil, sqliteError{fmt.Errorf("list archives: %w", err)}
		}
		found = append(found, a)
	}
	if err := rows.Err(); err != nil {
		return nil, sqliteError{fmt.Errorf("list archives: %w", err)}
	}
	return found, nil
}

// archive reads one block as if it were a file.
func (r *dbReading) archive(table string, a dbArchive) error {
	var blob []byte
	err := r.db.db.QueryRowContext(r.ctx, "SELECT archive_blob FROM "+table+" WHERE session_id = ? AND generation = ?", a.session, a.generation).Scan(&blob)
	if err != nil {
		return sqliteError{fmt.Errorf("read archive %s: %w", a.name, err)}
	}
	src := memory.Source{Kind: memory.SourceDBArchive, Agent: r.src.Agent, Path: r.src.Path + "#" + a.name, Base: a.session + ".jsonl"}
	in := io.Reader(bytes.NewReader(blob))
	if bytes.HasPrefix(blob, []byte(zstdMagic)) {
		src.Path = strings.TrimSuffix(src.Path, ".zst") + ".zst"
		z, err := unpack(in)
		if err != nil {
			return fmt.Errorf("open archive: %w", err)
		}
		defer z.Close()
		in = z
	}
	inner := &blockSink{Sink: r.sink}
	file := reading{ctx: r.ctx, src: src, sink: inner, dec: transcript.Decoder{Texts: r.opts.Texts}, session: a.session}
	if err := file.from(in, memory.Checkpoint{Session: a.session}); err != nil {
		return err
	}
	r.fresh[a.mark()] = memory.Mark{Count: int64(inner.n)}
	if r.pending += inner.n; r.pending >= commitEvery {
		return r.commit(memory.Stamp{})
	}
	return nil
}

// blockSink passes entries on and keeps commits of the inner reading back.
type blockSink struct {
	Sink
	n int
}

func (s *blockSink) Entry(session string, ev *memory.Event, at memory.Place) error {
	s.n++
	return s.Sink.Entry(session, ev, at)
}

func (s *blockSink) Commit(memory.Checkpoint) error { return nil }

// HoldsTranscripts says whether a database holds transcripts: the ones of the
// newest era do, older ones of the same name hold a search index alone.
func HoldsTranscripts(path string) bool {
	ctx := context.Background()
	db, err := openDatabase(ctx, path)
	if err != nil {
		return false
	}
	defer db.close()
	columns, err := db.columns(ctx, "transcript_events")
	return err == nil && columns["session_id"]
}
