package openclaw

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"tidemark/backend/memory"
	"tidemark/backend/transcript"
)

// Sink takes what a source yields. An error from it ends the reading.
type Sink interface {
	// Entry takes one entry of a session. The event is overwritten by the next.
	Entry(session string, ev *memory.Event, at memory.Place) error
	// Commit says that everything up to cp was yielded, so that reading can go
	// on from there.
	Commit(cp memory.Checkpoint) error
	// Problem takes something that could not be read.
	Problem(memory.Problem)
}

// Options say what a reading is for.
type Options struct {
	// Texts asks for message texts; without them reading is several times
	// faster and rows that hold no usage are not unpacked.
	Texts bool
}

// commitEvery is the number of entries between two commits: a tenth of a
// second of work that a crash may cost.
const commitEvery = 4000

// Read yields the entries of a source from cp on. What cannot be read is
// reported to the sink and costs only itself; an error means that the source
// as a whole could not be read to its end now, or that the sink or ctx ended
// it. Where the source was replaced or cut since cp it is read from its
// beginning: entries may come twice.
func Read(ctx context.Context, src memory.Source, cp memory.Checkpoint, opts Options, sink Sink) error {
	if src.Kind == memory.SourceDatabase {
		return readDatabase(ctx, src, cp, opts, sink)
	}
	f, err := os.Open(src.Path)
	if err != nil {
		return fmt.Errorf("open transcript: %w", err)
	}
	defer f.Close()
	r := reading{ctx: ctx, src: src, sink: sink, dec: transcript.Decoder{Texts: opts.Texts}}
	if packed(src.Path) {
		z, err := unpack(f)
		if err != nil {
			return fmt.Errorf("open archive: %w", err)
		}
		defer z.Close()
		return r.from(z, memory.Checkpoint{})
	}
	if cp.Offset > 0 && !stillThere(f, cp) {
		r.problem(memory.ProblemRewritten, 0, "was replaced or shortened since it was last read; what was read before is kept", "Nothing needs to be done. OpenClaw does this when it truncates or repairs a transcript.")
		cp = memory.Checkpoint{}
	}
	if _, err := f.Seek(cp.Offset, io.SeekStart); err != nil {
		return fmt.Errorf("seek in transcript: %w", err)
	}
	return r.from(f, cp)
}

// stillThere says whether the bytes before a checkpoint are those that were
// read then.
func stillThere(f *os.File, cp memory.Checkpoint) bool {
	from := max(cp.Offset-tailBytes, 0)
	b := make([]byte, cp.Offset-from)
	if _, err := f.ReadAt(b, from); err != nil {
		return false
	}
	var t tailSum
	return t.with(b) == cp.Sum
}

// reading is one pass over a file.
type reading struct {
	ctx  context.Context
	src  memory.Source
	sink Sink
	dec  transcript.Decoder
	ev   memory.Event

	session  string
	prompt   uint8
	blank    int
	unknown  map[string]int
	pending  int // entries since the last commit
	reported int
}

// from reads r, which begins at cp.
func (r *reading) from(in io.Reader, cp memory.Checkpoint) error {
	r.session, r.prompt = cp.Session, cp.Prompt
	l := newLines(in, cp.Offset, cp.Line)
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
			if err := r.ctx.Err(); err != nil {
				return err
			}
			if err := r.commit(l, memory.Stamp{}); err != nil {
				return err
			}
		}
	}
}

func (r *reading) commit(l *lines, stamp memory.Stamp) error {
	at := l.position()
	r.pending = 0
	return r.sink.Commit(memory.Checkpoint{Stamp: stamp, Offset: at.offset, Line: at.number, Sum: at.sum, Session: r.session, Prompt: r.prompt})
}

// broken ends a file that could not be read further. A damaged archive does
// not get better: what was read of it stands. Anything else is tried again.
func (r *reading) broken(l *lines, err error) error {
	if !packed(r.src.Path) {
		return fmt.Errorf("read transcript: %w", err)
	}
	r.problem(memory.ProblemBadArchive, 0, fmt.Sprintf("is damaged or cut off behind line %d: %v", l.number, err),
		"What stands before the damage was read. Look for another copy of this archive in a backup.")
	r.summary()
	return r.commit(l, r.src.Stamp)
}

// line reads one line.
func (r *reading) line(ln line) error {
	b := ln.bytes
	if ln.number == 1 {
		b = bytes.TrimPrefix(b, []byte("\ufeff"))
	}
	if len(bytes.TrimSpace(b)) == 0 && !ln.tooLong {
		if ln.complete {
			r.blank++
		}
		return nil
	}
	if ln.tooLong {
		r.problem(memory.ProblemLineTooLong, ln.number, "is longer than Tidemark reads even with its images left out", "The line was skipped; OpenClaw's file is unchanged.")
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
	if !ln.complete && r.src.Kind == memory.SourceLive {
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
	if ev.Kind == memory.KindSession {
		if ev.Header.ID != "" {
			r.session = ev.Header.ID
		}
	} else if r.session == "" {
		r.session = strings.TrimSuffix(r.src.Base, ".jsonl")
		r.problem(memory.ProblemNoHeader, ln.number, "does not begin with a session header; the file's name was taken for the session's id", "Nothing needs to be done. OpenClaw drops the header when it truncates a transcript.")
	}
	if ev.ID == "" && ev.Kind != memory.KindSession {
		ev.ID = fmt.Sprintf("~%016x", fnv(b))
	}
	note(&r.prompt, ev)
	r.judge(ln.number)
	r.pending++
	return r.sink.Entry(r.session, ev, memory.Place{Kind: r.src.Kind, Path: r.src.Path, Line: ln.number, Offset: ln.offset, Prompt: r.prompt})
}

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
		if r.unknown == nil {
			r.unknown = map[string]int{}
		}
		r.unknown[ev.Type]++
	}
	if ev.Message.Usage.Invalid {
		r.sink.Problem(badUsage(r.src.Path, number))
	}
}

func badUsage(path string, number int) memory.Problem {
	return memory.Problem{Code: memory.ProblemBadUsage, Path: path, Line: number, Count: 1,
		Message: "records a negative count or cost, or one that is not a number; that field reads as nothing and the cost of the call is unknown",
		Hint:    "Nothing needs to be done. Compare with your provider's bill."}
}

// summary reports what was counted over the whole file.
func (r *reading) summary() {
	if r.blank > 0 {
		r.sink.Problem(memory.Problem{Code: memory.ProblemBlankLine, Path: r.src.Path, Count: r.blank, Message: "has empty lines between records", Hint: "Nothing needs to be done."})
	}
	reportUnknown(r.sink, r.src.Path, r.unknown)
}

func reportUnknown(sink Sink, path string, unknown map[string]int) {
	for kind, n := range unknown {
		sink.Problem(memory.Problem{Code: memory.ProblemUnknownType, Path: path, Count: n,
			Message: fmt.Sprintf("has entries of type %q, which this version does not know; they are kept and counted", shorten(kind)),
			Hint:    "Look for a newer version of Tidemark."})
	}
}

// maxReported bounds the problems of one file that are listed one by one.
const maxReported = 200

func (r *reading) problem(code memory.Code, number int, message, hint string) {
	if r.reported++; r.reported > maxReported {
		number, message = 0, "has more damage than is listed line by line"
	}
	r.sink.Problem(memory.Problem{Code: code, Path: r.src.Path, Line: number, Count: 1, Message: message, Hint: hint})
}

// trimCode gives the part of a shape error that says what is wrong.
func trimCode(err error) string {
	return strings.TrimPrefix(err.Error(), transcript.ErrShape.Error()+": ")
}

// shorten bounds a name taken from a file for a message.
func shorten(s string) string {
	if r := []rune(s); len(r) > 60 {
		return string(r[:60]) + "…"
	}
	return s
}
