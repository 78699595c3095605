package openclaw

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

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
	f, err := openTranscript(src.Path)
	if err != nil {
		return fmt.Errorf("open transcript: %w", err)
	}
	defer f.Close()
	r := reading{ctx: ctx, src: src, sink: sink, dec: transcript.Decoder{Texts: opts.Texts}, packed: packed(src.Path)}
	if r.packed {
		return r.unpacked(f, memory.Checkpoint{})
	}
	before, ok := stillThere(f, cp)
	if !ok {
		r.problem(memory.ProblemRewritten, 0, "was replaced or shortened since it was last read; what was read before is kept", "Nothing needs to be done. OpenClaw does this when it truncates or repairs a transcript.")
		r.known = cp.Session
		cp = memory.Checkpoint{}
	}
	if _, err := f.Seek(cp.Offset, io.SeekStart); err != nil {
		return fmt.Errorf("seek in transcript: %w", err)
	}
	return r.from(f, cp, before)
}

// openTranscript opens a file of a sessions folder. A link that leads to a
// file of credentials is not followed, and what is no regular file is not
// opened: a named pipe would make the reader wait.
func openTranscript(path string) (*os.File, error) {
	info, err := os.Lstat(path)
	if err == nil && info.Mode()&os.ModeSymlink != 0 {
		if isCredentialFile(resolvedPath(path)) {
			return nil, errCredentials
		}
		info, err = os.Stat(path)
	}
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, errNotRegular
	}
	return os.Open(path)
}

// stillThere says whether the bytes before a checkpoint are those that were
// read then, and gives the last of them.
func stillThere(f *os.File, cp memory.Checkpoint) (before []byte, ok bool) {
	if cp.Offset <= 0 {
		return nil, true
	}
	from := max(cp.Offset-tailBytes, 0)
	b := make([]byte, cp.Offset-from)
	if _, err := f.ReadAt(b, from); err != nil {
		return nil, false
	}
	var t tailSum
	if t.with(b) != cp.Sum {
		return nil, false
	}
	return b, true
}

// canceled ends a reading at the next read once its context has ended, however
// long the line is that is being read.
type canceled struct {
	ctx context.Context
	r   io.Reader
}

func (c canceled) Read(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	return c.r.Read(p)
}

// broken says that an archive ends the reading of itself alone: it is damaged
// and does not get better, so what was read of it stands.
func (r *reading) broken(l *lines, err error) error {
	if cause := r.ctx.Err(); cause != nil {
		return cause
	}
	if !r.packed {
		return fmt.Errorf("read transcript: %w", err)
	}
	what := fmt.Sprintf("is damaged or cut off behind line %d: %v", l.number, err)
	if errors.Is(err, errArchiveSize) {
		what = fmt.Sprintf("%v; what stands behind line %d was not read", err, l.number)
	}
	r.problem(memory.ProblemBadArchive, 0, what, "What stands before the damage was read. Look for another copy of this archive in a backup.")
	r.summary()
	return r.commit(l, r.src.Stamp)
}
