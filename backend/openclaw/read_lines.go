package openclaw

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"tidemark/backend/memory"
	"tidemark/backend/transcript"
)

// reading is one pass over a file, or over an archive that a database holds.
type reading struct {
	ctx    context.Context
	src    memory.Source
	sink   Sink
	dec    transcript.Decoder
	ev     memory.Event
	packed bool

	session  string // that entries belong to
	known    string // id that the file's entries had before it was rewritten
	prompt   uint8
	blank    int
	unknown  map[string]int
	pending  int // entries since the last commit
	reported int
}

// unpacked reads a compressed file. It is always read from its beginning, and
// checkpoints name no place in it.
func (r *reading) unpacked(in io.Reader, cp memory.Checkpoint) error {
	z, err := unpack(in)
	if err != nil {
		return fmt.Errorf("open archive: %w", err)
	}
	defer z.Close()
	return r.from(z, cp, nil)
}

// from reads in, which begins at cp, behind the bytes before.
func (r *reading) from(in io.Reader, cp memory.Checkpoint, before []byte) error {
	r.session, r.prompt = cp.Session, cp.Prompt
	l := newLines(canceled{r.ctx, in}, cp.Offset, cp.Line, before)
	defer l.done()
	for {
		ln, err := l.next()
		if errors.Is(err, io.EOF) {
			r.summary()
			return r.commit(l, r.src.Stamp)
		}
		if err != nil {
			return r.broken(l, err)
		}
		if err := r.line(ln); err != nil {
			return err
		}
		if r.pending >= commitEvery {
			if err := r.commit(l, memory.Stamp{}); err != nil {
				return err
			}
		}
	}
}

// commit hands over what was read.
func (r *reading) commit(l *lines, stamp memory.Stamp) error {
	if err := r.ctx.Err(); err != nil {
		return err
	}
	r.pending = 0
	cp := memory.Checkpoint{Stamp: stamp, Session: r.session, Prompt: r.prompt}
	if !r.packed {
		at := l.position()
		cp.Offset, cp.Line, cp.Sum = at.offset, at.number, at.sum
	}
	return r.sink.Commit(cp)
}

// waits says that a line is the end of a file that is still written: the rest
// of it may come.
func (r *reading) waits(ln line) bool { return !ln.complete && r.src.Kind == memory.SourceLive }

// line reads one line.
func (r *reading) line(ln line) error {
	b := ln.bytes
	if ln.number == 1 {
		b = bytes.TrimPrefix(b, []byte("\ufeff"))
	}
	switch {
	case ln.tooLong:
		if !r.waits(ln) {
			r.problem(memory.ProblemLineTooLong, ln.number, "is longer than Tidemark reads even with its images left out", "The line was skipped; OpenClaw's file is unchanged.")
		}
		return nil
	case len(bytes.TrimSpace(b)) == 0:
		if ln.complete {
			r.blank++
		}
		return nil
	}
	err := r.dec.Decode(b, &r.ev)
	switch {
	case err == nil:
		return r.entry(b, ln)
	case errors.Is(err, transcript.ErrShape) && r.ev.Type != "":
		r.problem(memory.ProblemBadEntry, ln.number, trimCode(err), "The entry was kept as far as it could be read.")
		return r.entry(b, ln)
	case errors.Is(err, transcript.ErrShape):
		r.problem(memory.ProblemBadEntry, ln.number, "is JSON but not an entry of a transcript", "The line was skipped; OpenClaw's file is unchanged.")
		return nil
	default:
		return r.recover(b, ln)
	}
}

// recover looks for whole records in a line that is no record. A last line
// without end is left for later, but not in an archive, where no more comes.
func (r *reading) recover(b []byte, ln line) error {
	if r.waits(ln) {
		return nil
	}
	found, err := r.dec.Recover(b, &r.ev, func(*memory.Event) error { return r.entry(nil, ln) })
	switch {
	case err != nil:
		return err
	case found > 0:
		r.problem(memory.ProblemSplicedLine, ln.number, fmt.Sprintf("holds damaged or several records; %d whole ones were recovered", found), "Nothing needs to be done. It happens when OpenClaw is stopped while it writes.")
	case !ln.complete:
		r.problem(memory.ProblemPartialLine, ln.number, "is the last line and was not finished", "Nothing needs to be done: OpenClaw was stopped while it wrote it.")
	default:
		r.problem(memory.ProblemBadLine, ln.number, "is no record", "The line was skipped; OpenClaw's file is unchanged.")
	}
	return nil
}

// entry hands the decoded event on.
func (r *reading) entry(b []byte, ln line) error {
	ev := &r.ev
	if ev.Kind == memory.KindSession && ev.Header.ID != "" {
		r.header(ev.Header.ID, ln.number)
	}
	if r.session == "" {
		r.headless(ln.number)
	}
	if ev.ID == "" && ev.Kind != memory.KindSession {
		ev.ID = contentID(b)
	}
	note(&r.prompt, ev)
	r.judge(ln.number)
	r.pending++
	return r.sink.Entry(r.session, ev, memory.Place{Kind: r.src.Kind, Path: r.src.Path, Line: ln.number, Offset: ln.offset, Prompt: r.prompt})
}

// header begins a session. The name of a live file that says something else
// is worth a remark: a person looks for files by their names.
func (r *reading) header(id string, number int) {
	r.session = id
	stem := r.stem()
	if number == 1 && r.src.Kind == memory.SourceLive && stem != id && !strings.HasPrefix(stem, id+"-topic-") {
		r.problem(memory.ProblemHeaderName, number, fmt.Sprintf("names session %q; it is shown under that id", shorten(id)), "Nothing needs to be done. OpenClaw finds the file through sessions.json.")
	}
}

// headless finds a name for a session whose file does not begin with one.
func (r *reading) headless(number int) {
	what := "the id that the session had before was kept"
	if r.session = r.known; r.session == "" {
		r.session, what = r.stem(), "the file's name was taken for the session's id"
	}
	r.problem(memory.ProblemNoHeader, number, "does not begin with a session header; "+what, "Nothing needs to be done. OpenClaw drops the header when it truncates a transcript.")
}

// stem is the session's id by the name of its file.
func (r *reading) stem() string {
	base := r.src.Base
	if base == "" {
		base = filepath.Base(r.src.Path)
	}
	return strings.TrimSuffix(base, ".jsonl")
}

// contentID stands for the id of an entry that has none: the oldest
// transcripts give none. Copies of an entry get the same one.
func contentID(record []byte) string { return fmt.Sprintf("~%016x", fnv(record)) }

// note keeps the kind of the last thing said to the model.
func note(prompt *uint8, ev *memory.Event) {
	if ev.Kind == memory.KindMessage && ev.Message.Role == memory.RoleUser {
		*prompt = uint8(transcript.PromptOf(ev.Message.Text))
	}
}

// judge reports what is odd about an entry that could be read.
func (r *reading) judge(number int) {
	ev := &r.ev
	if ev.Kind == memory.KindUnknown {
		countUnknown(&r.unknown, ev.Type)
	}
	if ev.Message.Usage.Invalid {
		r.problem(memory.ProblemBadUsage, number, badUsage, badUsageHint)
	}
}

// summary reports what was counted over the whole file.
func (r *reading) summary() {
	if r.blank > 0 {
		r.sink.Problem(memory.Problem{Code: memory.ProblemBlankLine, Path: r.src.Path, Count: r.blank, Message: "has empty lines between records", Hint: "Nothing needs to be done."})
	}
	reportUnknown(r.sink, r.src.Path, r.unknown)
}

func (r *reading) problem(code memory.Code, number int, message, hint string) {
	if r.reported++; r.reported > maxReported {
		number, message = 0, "has more damage than is listed line by line"
	}
	r.sink.Problem(memory.Problem{Code: code, Path: r.src.Path, Line: number, Count: 1, Message: message, Hint: hint})
}
