package ledger

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// file is what append needs of an open file.
type file interface {
	io.Writer
	io.ReaderAt
	io.Closer
	Stat() (fs.FileInfo, error)
	Sync() error
}

func openFile(path string) (file, error) {
	return os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600)
}

// kind is what differs between the kinds of files when they are appended to.
type kind struct {
	head string
	// end gives what ends an unfinished last line.
	end func(tail string) string
}

// ending gives what ends a line, of which tail is what stands behind the last
// line feed. Readers that know a carriage return as an end need no other.
func (k kind) ending(tail string) string {
	switch rest := tail[strings.LastIndexByte(tail, '\r')+1:]; {
	case tail == "":
		return ""
	case rest == "":
		return "\n"
	default:
		return k.end(rest)
	}
}

func endLine(string) string { return "\n" }

// append writes text behind what is there, in one call and with a head before
// it where the file is new, and syncs it. A last line that is not finished is
// ended first, so that it damages nothing else. Where the disk takes only a
// part of the text, the part is taken back.
func (l *Ledger) append(agent, name string, k kind, text string) error {
	path := l.path(agent, name)
	if err := makeFolder(filepath.Dir(path)); err != nil {
		return fmt.Errorf("open ledger: %w", err)
	}
	f, err := l.open(path)
	if err != nil {
		return fmt.Errorf("open ledger: %w", err)
	}
	size, n, err := write(f, k, text)
	err = errors.Join(err, f.Close())
	switch {
	case err != nil && n > 0:
		return errors.Join(err, l.takeBack(path, size, int64(n)))
	case err == nil && size == 0:
		return syncDir(filepath.Dir(path))
	}
	return err
}

// write appends to f, which had size bytes. n counts the bytes of a text that
// was not written whole.
func write(f file, k kind, text string) (size int64, n int, err error) {
	info, err := f.Stat()
	if err != nil {
		return 0, 0, fmt.Errorf("open ledger: %w", err)
	}
	size = info.Size()
	before := k.head
	if size > 0 {
		tail, err := lastLine(f, size)
		if err != nil {
			return size, 0, fmt.Errorf("read ledger: %w", err)
		}
		before = k.ending(tail)
	}
	if n, err = io.WriteString(f, before+text); err != nil {
		return size, n, fmt.Errorf("write ledger: %w", err)
	}
	if err := f.Sync(); err != nil {
		return size, 0, fmt.Errorf("sync ledger: %w", err)
	}
	return size, 0, nil
}

// takeBack removes n bytes that were written at the end of a file of size
// bytes, if nobody has written to it since. Where that fails, the reader and
// the next append deal with what is left.
func (l *Ledger) takeBack(path string, size, n int64) error {
	info, err := os.Stat(path)
	if err == nil && info.Size() == size+n {
		err = l.cut(path, size)
	}
	if err != nil {
		return fmt.Errorf("take back a part of a line: %w", err)
	}
	return nil
}

// tailStep is how much of the end of a file is read at first.
const tailStep = 4096

// lastLine gives what stands behind the last line feed of a file of size bytes.
func lastLine(f io.ReaderAt, size int64) (string, error) {
	for step := int64(tailStep); ; step *= 2 {
		from := max(0, size-step)
		part := make([]byte, size-from)
		if _, err := f.ReadAt(part, from); err != nil && err != io.EOF {
			return "", err
		}
		if i := bytes.LastIndexByte(part, '\n'); i >= 0 || from == 0 {
			return string(part[i+1:]), nil
		}
	}
}

// makeFolder makes a folder that nobody else enters, with those above it, and
// makes their names durable.
func makeFolder(dir string) error {
	var without []string // folders that get a new name
	for d := dir; ; d = filepath.Dir(d) {
		if _, err := os.Stat(d); err == nil || filepath.Dir(d) == d {
			break
		}
		without = append(without, filepath.Dir(d))
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	for _, d := range without {
		if err := syncDir(d); err != nil {
			return err
		}
	}
	return nil
}

// syncDir makes a new name in a folder durable, where the platform can.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return fmt.Errorf("sync ledger folder: %w", err)
	}
	defer d.Close()
	_ = d.Sync() // some platforms cannot sync a folder; the file itself is synced
	return nil
}
