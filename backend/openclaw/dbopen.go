package openclaw

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"tidemark/backend/memory"
)

// errChanged says that a database changed while it was read without locks:
// what was read since the last commit must be thrown away and read again.
var errChanged = errors.New("the database changed while it was read")

// dbMode is how a foreign database is opened without leaving a trace.
type dbMode int

const (
	// modeStill reads the main file alone: there is no write-ahead log, so
	// nothing is missed, and SQLite touches no file.
	modeStill dbMode = iota
	// modeLeft reads a write-ahead log that nobody holds open, without locks
	// and without the shared memory file: SQLite touches no file.
	modeLeft
	// modeLive reads beside a writer under SQLite's own locks, with the shared
	// memory file open for reading: no byte of any file changes.
	modeLive
	// modeShared is modeLive with the shared memory file open for writing, as
	// every other reader has it: bytes of it change. It is the last resort.
	modeShared
)

const (
	// tries is how often a database that changes while it is read is read anew
	// before the pass gives up; the next pass tries again.
	tries = 5
	// trustOwner is the try from which a database counts as held open by its
	// owner even if nothing shows that it is.
	trustOwner = 2
	// lastResort is the try from which the shared memory file is written to.
	lastResort = 3
	// tick is how coarse file systems note the time of a change: two changes
	// within it can leave the same time.
	tick = 10 * time.Millisecond
)

// database is somebody else's SQLite database, open for reading.
type database struct {
	direct *direct
	path   string
	mode   dbMode
	stamp  memory.Stamp // before it was opened
	young  bool         // it was still changing when it was opened
	slot   *slot
}

// openDatabase opens a database of OpenClaw. It is closed between two passes:
// a connection that stays would pin the write-ahead log. try counts from 0 how
// often this failed because the database changed.
func openDatabase(ctx context.Context, path string, try int) (*database, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("look at database: %w", err)
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("look at database: %w", errNotRegular)
	}
	d := &database{path: path}
	if d.slot, err = takeSlot(ctx, info); err != nil {
		return nil, err
	}
	if err := d.open(ctx, try); err != nil {
		d.slot.release()
		return nil, fmt.Errorf("open database: %w", err)
	}
	return d, nil
}

func (d *database) open(ctx context.Context, try int) (err error) {
	if err := d.calm(ctx); err != nil {
		return err
	}
	d.mode = chooseMode(d.path, d.stamp, try)
	if d.direct, err = openDirect(d.uri(), d.setup()...); err != nil {
		return queryError{err}
	}
	// The first question opens the files that belong to it.
	if _, err = d.version(ctx); err != nil {
		d.direct.close()
	}
	return err
}

// calm notes what the files look like. Where they changed just now it waits a
// moment, once, so that the next change will show in their times.
func (d *database) calm(ctx context.Context) (err error) {
	if d.stamp, d.young, err = stampNow(d.path); err != nil || !d.young {
		return err
	}
	t := time.NewTimer(tick)
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
		return ctx.Err()
	}
	d.stamp, d.young, err = stampNow(d.path)
	return err
}

// stampNow stamps a database. young says that a change that comes now might
// leave the same stamp.
func stampNow(path string) (s memory.Stamp, young bool, err error) {
	now := time.Now().UnixNano()
	if s, err = StampOf(path, true); err != nil {
		return s, false, err
	}
	age := now - max(s.MTime, s.WalAt)
	return s, age < int64(tick) && age > -int64(time.Second), nil
}

// chooseMode decides how to read a database. Each failed try assumes less. A
// file that is not there is never made: without a shared memory file nobody
// else uses the log.
func chooseMode(path string, stamp memory.Stamp, try int) dbMode {
	if journal, err := os.Stat(path + "-journal"); err == nil && journal.Size() > 0 {
		return modeLive // of the older kind: SQLite knows whether it is in use
	}
	if stamp.Wal == 0 {
		return modeStill
	}
	_, err := os.Stat(path + "-shm")
	switch shared := err == nil; {
	case shared && try >= lastResort:
		return modeShared
	case shared && try >= trustOwner, heldOpen(path):
		return modeLive
	}
	return modeLeft
}

// setup gives the statements that a connection begins with. What SQLite sorts
// stays in memory.
func (d *database) setup() []string {
	s := []string{"PRAGMA query_only=1", "PRAGMA trusted_schema=0", "PRAGMA temp_store=memory"}
	if d.mode == modeLeft {
		s = append(s, "PRAGMA locking_mode=exclusive") // without it the shared memory file is needed
	}
	return s
}

// uri is the database's name for SQLite, with what the mode needs.
func (d *database) uri() string {
	q := "mode=ro"
	switch d.mode {
	case modeStill:
		q += "&immutable=1"
	case modeLeft:
		q += "&vfs=" + noLockVFS
	case modeLive:
		q += "&readonly_shm=1"
	}
	path := filepath.ToSlash(d.path)
	if !strings.HasPrefix(path, "/") {
		if abs, err := filepath.Abs(d.path); err == nil {
			path = filepath.ToSlash(abs)
		}
		if !strings.HasPrefix(path, "/") { // a drive letter
			path = "/" + path
		}
	}
	return "file://" + (&url.URL{Path: path}).EscapedPath() + "?" + q
}

// locked says that SQLite's own locks keep what is read from changing.
func (d *database) locked() bool { return d.mode == modeLive || d.mode == modeShared }

// settled says whether what was read so far can be trusted: read without
// locks, it can only if the files are as they were.
func (d *database) settled() error {
	if d.locked() {
		return nil
	}
	now, err := StampOf(d.path, true)
	if err != nil || now != d.stamp {
		return errChanged
	}
	return nil
}

// judge gives the reason of a failure: an error that SQLite gives while the
// files change under it is none of the database's.
func (d *database) judge(err error) error {
	if sqliteCode(err) == 0 {
		return err
	}
	if changed := d.settled(); changed != nil {
		return changed
	}
	return err
}

func (d *database) close() {
	d.direct.close()
	d.slot.release()
}

// readAnew runs f with a database that it opens, again where the database
// changed meanwhile. try counts from 0.
func readAnew(ctx context.Context, path string, f func(d *database) error) (err error) {
	for try := range tries {
		if err = readOnce(ctx, path, try, f); !errors.Is(err, errChanged) && !notYet(err) {
			return err
		}
	}
	return err
}

func readOnce(ctx context.Context, path string, try int, f func(d *database) error) error {
	d, err := openDatabase(ctx, path, try)
	if err != nil {
		return err
	}
	defer d.close()
	if err := f(d); err != nil {
		return d.judge(err)
	}
	return d.settled()
}
