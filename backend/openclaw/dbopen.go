package openclaw

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"

	_ "modernc.org/sqlite" // the driver "sqlite", without cgo

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
	// modeLive reads beside a writer under SQLite's own locks. At most bytes
	// of the shared memory file change.
	modeLive
)

// openOnce keeps a second connection away from a database that is being
// opened: deciding how to open it and opening it are one step.
var openOnce sync.Mutex

// database is somebody else's SQLite database, open for reading.
type database struct {
	db    *sql.DB
	path  string
	mode  dbMode
	stamp memory.Stamp // before it was opened
}

// openDatabase opens a database of OpenClaw. It is closed between two passes:
// a connection that stays would pin the write-ahead log.
func openDatabase(ctx context.Context, path string) (*database, error) {
	openOnce.Lock()
	defer openOnce.Unlock()
	stamp, err := StampOf(path, true)
	if err != nil {
		return nil, fmt.Errorf("look at database: %w", err)
	}
	d := &database{path: path, stamp: stamp}
	d.mode = modeStill
	if stamp.Wal > 0 {
		d.mode = modeLeft
		if heldOpen(path) {
			d.mode = modeLive
		}
	}
	if d.db, err = sql.Open("sqlite", d.uri()); err != nil {
		return nil, fmt.Errorf("open database: %w", err)
	}
	d.db.SetMaxOpenConns(1)
	if err := d.db.PingContext(ctx); err != nil {
		d.db.Close()
		return nil, fmt.Errorf("open database: %w", err)
	}
	return d, nil
}

// uri is the database's name for SQLite, with what the mode needs. Reads never
// wait for a writer in WAL mode; the timeout is for a database in another mode.
func (d *database) uri() string {
	q := "mode=ro&_pragma=query_only(1)&_pragma=busy_timeout(2000)"
	switch d.mode {
	case modeStill:
		q += "&immutable=1"
	case modeLeft:
		q += "&vfs=" + noLockVFS + "&_pragma=locking_mode(exclusive)"
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

// settled says whether what was read so far can be trusted: read without
// locks, it can only if the files are as they were.
func (d *database) settled() error {
	if d.mode == modeLive {
		return nil
	}
	now, err := StampOf(d.path, true)
	if err != nil || now != d.stamp {
		return errChanged
	}
	return nil
}

func (d *database) close() { d.db.Close() }

// columns gives the columns of a table, none where there is no such table.
func (d *database) columns(ctx context.Context, table string) (map[string]bool, error) {
	rows, err := d.db.QueryContext(ctx, "SELECT name FROM pragma_table_info(?)", table)
	if err != nil {
		return nil, fmt.Errorf("look at table %s: %w", table, err)
	}
	defer rows.Close()
	names := map[string]bool{}
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return nil, err
		}
		names[name] = true
	}
	return names, rows.Err()
}

// version gives the schema version that the writer noted.
func (d *database) version(ctx context.Context) (v int) {
	// A database that does not answer this fails in the next query, with a
	// message that says more.
	_ = d.db.QueryRowContext(ctx, "PRAGMA user_version").Scan(&v)
	return v
}

// badDatabase turns a failure into a problem that a person can act on.
func badDatabase(path string, err error) memory.Problem {
	if errors.Is(err, os.ErrPermission) || strings.Contains(err.Error(), "unable to open database file") {
		return unreadable(path, err)
	}
	return memory.Problem{Code: memory.ProblemBadDatabase, Path: path, Count: 1, Message: "cannot be read as a database: " + err.Error(),
		Hint: "Let OpenClaw check it (openclaw doctor). Tidemark keeps what it read before and tries again."}
}
