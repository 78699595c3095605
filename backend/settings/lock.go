package settings

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/gofrs/flock"

	"tidemark/backend/memory"
)

// lockTries is how often Lock starts anew when somebody removes the file
// between opening and locking it; twice in a row is no accident.
const lockTries = 3

// holder is what the lock file says about the process that holds the lock. It
// is for people to read; the lock itself is the kernel's.
type holder struct {
	PID     int       `json:"pid"`
	Started time.Time `json:"started"`
}

// Lock is the ownership of a data directory. The system takes it back when the
// process ends in whatever way; child processes do not inherit it.
type Lock struct {
	file *flock.Flock
	once sync.Once
	err  error
}

// Lock makes this process the owner of the data directory. It does not wait:
// while another process, or another Lock of this one, is the owner, the error
// has CodeBusy and a hint that names the process. The caller releases it.
func (d *Dir) Lock() (*Lock, error) {
	for range lockTries {
		file := flock.New(d.LockFile(), flock.SetFlag(os.O_CREATE|os.O_RDWR|noFollow), flock.SetPermissions(fileMode))
		got, err := file.TryLock()
		if err != nil {
			return nil, &memory.Error{
				Code: memory.CodeUnavailable, Op: "lock data directory", Err: errors.Join(err, file.Close()),
				Hint: "Choose a data directory on a local disk with --data-dir: some network drives have no locks.",
			}
		}
		if !got {
			return nil, errors.Join(d.held(), file.Close())
		}
		if !stillNamed(file, d.LockFile()) {
			if err := file.Close(); err != nil {
				return nil, &memory.Error{Code: memory.CodeUnavailable, Op: "lock data directory", Err: err}
			}
			continue
		}
		if err := d.sign(); err != nil {
			return nil, errors.Join(err, file.Close())
		}
		return &Lock{file: file}, nil
	}
	return nil, &memory.Error{
		Code: memory.CodeBusy, Op: "lock data directory", Err: errors.New("the lock file is removed again and again"),
		Hint: "End the program that removes " + d.LockFile() + ".",
	}
}

// Release gives the ownership up. The file stays: to remove it would let two
// processes lock two files of one name. A second call does nothing.
func (l *Lock) Release() error {
	l.once.Do(func() {
		if err := l.file.Close(); err != nil {
			l.err = fmt.Errorf("release lock of data directory: %w", err)
		}
	})
	return l.err
}

// stillNamed says whether the locked file is the one that path names.
func stillNamed(file *flock.Flock, path string) bool {
	locked, err := file.Stat()
	if err != nil {
		return false
	}
	named, err := os.Lstat(path)
	return err == nil && os.SameFile(locked, named)
}

// sign writes the holder into the lock file. The caller holds the lock.
//
// It begins at the second byte, behind a line feed: on Windows the first one
// is what is locked, and no other handle can read or write it.
func (d *Dir) sign() error {
	text, err := json.Marshal(holder{PID: os.Getpid(), Started: d.now().UTC().Truncate(time.Second)})
	if err != nil {
		return fmt.Errorf("describe owner: %w", err)
	}
	text = append(text, '\n')
	f, err := os.OpenFile(d.LockFile(), os.O_RDWR|noFollow, fileMode)
	if err != nil {
		return &memory.Error{Code: memory.CodeUnavailable, Op: "write lock file", Err: err}
	}
	_, _ = f.WriteAt([]byte{'\n'}, 0) // fails on Windows, where it only looks less tidy
	_, err = f.WriteAt(text, 1)
	if err == nil {
		err = f.Truncate(int64(len(text)) + 1)
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return &memory.Error{Code: memory.CodeUnavailable, Op: "write lock file", Err: err}
	}
	return nil
}

// held is the error of a data directory that has an owner.
func (d *Dir) held() error {
	who := "another process"
	if h, ok := d.holder(); ok {
		who = fmt.Sprintf("process %d, since %s,", h.PID, h.Started.Local().Format(time.DateTime))
	}
	return &memory.Error{
		Code: memory.CodeBusy, Op: "lock data directory", Err: fmt.Errorf("%s owns %s", who, d.root),
		Hint: "Tidemark is already running for this data directory. Use that one, or end it first.",
	}
}

// holder reads what the lock file says; ok is false where it says nothing.
func (d *Dir) holder() (h holder, ok bool) {
	f, err := os.OpenFile(d.LockFile(), os.O_RDONLY|noFollow, 0)
	if err != nil {
		return h, false
	}
	defer func() { _ = f.Close() }() // only read
	// The text of a holder is far shorter than this.
	text, err := io.ReadAll(io.NewSectionReader(f, 1, 1<<10))
	if err != nil || json.Unmarshal(text, &h) != nil {
		return holder{}, false
	}
	return h, h.PID > 0
}
