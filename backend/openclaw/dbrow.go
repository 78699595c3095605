package openclaw

import (
	"bytes"
	"errors"
	"fmt"

	"tidemark/backend/memory"
	"tidemark/backend/transcript"
)

const (
	// A payload that begins with one of these stands for the row: what the
	// database keeps beside a compressed one, or the beginning of a long one.
	// Neither JSON nor a frame begins so.
	markBeside    = 1
	markBeginning = 2

	zstdMagic = "\x28\xb5\x2f\xfd"
	// headLength is how much of a long row tells whether it is a tool result:
	// type, ids, time and role take a third of it.
	headLength = 400
	// longRow is the length from which looking at the beginning first pays.
	longRow = 4 * headLength
)

var toolResult = []byte(`"toolResult"`)

// payload is the expression for what a row holds, in one column since each
// costs: the event as JSON, or compressed.
func payload(columns map[string]bool) string {
	switch {
	case columns["event_json"] && columns["event_zstd"]:
		return "CASE WHEN event_json IS NOT NULL THEN event_json ELSE event_zstd END"
	case columns["event_zstd"]:
		return "event_zstd"
	default:
		return "event_json"
	}
}

// shortPayload is payload where texts are not asked for. Tool results hold
// neither usage nor anything else that is counted: for a compressed one comes
// what stands beside it, for each long row a mark alone.
func shortPayload(columns map[string]bool) string {
	plain, packed := fmt.Sprintf("CASE WHEN octet_length(event_json) > %d THEN char(%d) ELSE event_json END", longRow, markBeginning), "event_zstd"
	if columns["navigation_json"] {
		packed = fmt.Sprintf("CASE WHEN instr(navigation_json, '%s') > 0 THEN char(%d) || navigation_json ELSE event_zstd END", toolResult, markBeside)
	}
	switch {
	case columns["event_json"] && columns["event_zstd"]:
		return "CASE WHEN event_json IS NOT NULL THEN " + plain + " ELSE " + packed + " END"
	case columns["event_zstd"]:
		return packed
	default:
		return plain
	}
}

// row decodes what a row holds, or what stands for it, and yields its entry.
func (r *dbReading) row(session string, seq int64, data []byte, prompt *uint8) error {
	if r.opts.Texts || len(data) == 0 || data[0] != markBeside && data[0] != markBeginning {
		return r.yield(session, seq, r.decode(data), prompt)
	}
	if data[0] == markBeside && r.beside(data[1:]) || data[0] == markBeginning && r.beginning(data[1:]) {
		return r.yield(session, seq, nil, prompt)
	}
	rows, err := r.db.all(r.ctx, "SELECT "+payload(r.columns)+" FROM "+eventsTable+" WHERE session_id = ? AND seq = ?", session, seq)
	if err != nil {
		return fmt.Errorf("read row: %w", err)
	}
	if len(rows) == 0 {
		return nil // it was deleted just now
	}
	return r.yield(session, seq, r.decode(rows[0][0].bytes), prompt)
}

// beginning decodes the beginning of a tool result.
func (r *dbReading) beginning(head []byte) bool {
	return r.dec.DecodeHead(head, &r.ev) && r.ev.Message.Role == memory.RoleToolResult
}

// beside decodes what the database keeps beside a compressed tool result.
func (r *dbReading) beside(navigation []byte) bool {
	return r.dec.DecodeNavigation(navigation, &r.ev) == nil && r.ev.Message.Role == memory.RoleToolResult && r.ev.ID != "" && r.ev.At != 0
}

// decode decodes a whole row.
func (r *dbReading) decode(data []byte) (err error) {
	if len(data) == 0 {
		return errors.New("the row is empty")
	}
	if bytes.HasPrefix(data, []byte(zstdMagic)) {
		if r.buf, err = r.zip.DecodeAll(data, r.buf[:0]); err != nil {
			return fmt.Errorf("unpack: %w", err)
		}
		data = r.buf
	}
	err = r.dec.Decode(data, &r.ev)
	if (err == nil || errors.Is(err, transcript.ErrShape)) && r.ev.ID == "" && r.ev.Kind != memory.KindSession {
		r.ev.ID = contentID(data)
	}
	return err
}

// yield hands on the entry that was decoded, or says why it was not.
func (r *dbReading) yield(session string, seq int64, err error, prompt *uint8) error {
	r.pending++
	ev := &r.ev
	if err != nil {
		kept := errors.Is(err, transcript.ErrShape) && ev.Type != ""
		what := "cannot be read: " + err.Error()
		if kept {
			what = trimCode(err)
		}
		r.problem(memory.ProblemBadEntry, rowName(session, seq)+" "+what, "The row was skipped or kept as far as it could be read; OpenClaw's database is unchanged.")
		if !kept {
			return nil
		}
	}
	note(prompt, ev)
	if ev.Kind == memory.KindUnknown {
		countUnknown(&r.unknown, ev.Type)
	}
	if ev.Message.Usage.Invalid {
		r.problem(memory.ProblemBadUsage, rowName(session, seq)+" "+badUsage, badUsageHint)
	}
	return r.sink.Entry(session, ev, memory.Place{Kind: memory.SourceDatabase, Path: r.src.Path, Offset: seq, Prompt: *prompt})
}

func rowName(session string, seq int64) string {
	return fmt.Sprintf("row %d of session %s", seq, shorten(session))
}
