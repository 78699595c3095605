package index

import (
	"context"
	"database/sql"
	_ "embed" // the schema
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	_ "modernc.org/sqlite" // the driver "sqlite", without cgo

	"tidemark/backend/memory"
)

//go:embed schema.sql
var schema string

// version is the number of the schema. An index of another version is set
// aside and made anew: it holds nothing that is not elsewhere.
const version = 3

const (
	// synchronous(normal) in WAL mode survives a kill of the process at any
	// moment; a power cut may cost the last commits, which are read again.
	writing = "_pragma=journal_mode(wal)&_pragma=synchronous(normal)&_pragma=busy_timeout(5000)&_pragma=cache_size(-16000)&_txlock=immediate"
	reading = "_pragma=query_only(1)&_pragma=busy_timeout(5000)&_pragma=cache_size(-8000)"
	// readers is how many queries run at once: the window asks for a screen
	// with a few.
	readers = 4
)

// Index is the open index. Close it.
type Index struct {
	path  string
	write *sql.DB // one connection
	read  *sql.DB

	revision, epoch atomic.Uint64 // see Stamp

	once     sync.Mutex
	prepared map[string]*sql.Stmt // by their text
	// Rebuilt says why the index begins empty although there was one; nil
	// where it does not.
	Rebuilt *memory.Problem
}

// Open opens the index at path, creating it where there is none. A damaged one
// or one of another version is renamed beside itself, and Index.Rebuilt says so.
func Open(ctx context.Context, path string) (*Index, error) {
	x, err := open(ctx, path)
	if err == nil || !damaged(err) {
		return x, err
	}
	return Replace(ctx, path, err)
}

// Replace sets the index at path aside, since cause says that it is damaged,
// and opens a new one, whose Rebuilt says so. The old one must be closed.
func Replace(ctx context.Context, path string, cause error) (*Index, error) {
	aside := path + ".damaged-" + strconv.FormatInt(time.Now().UnixMilli(), 10)
	for i, p := range files(path) {
		if err := os.Rename(p, files(aside)[i]); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("set the damaged index aside: %w", err)
		}
	}
	x, err := open(ctx, path)
	if err != nil {
		return nil, err
	}
	x.Rebuilt = &memory.Problem{Code: memory.ProblemIndexRebuilt, Path: path, Count: 1,
		Message: "Tidemark's own index could not be used (" + cause.Error() + ") and is made anew; the old one was kept as " + filepath.Base(aside),
		Hint:    "Nothing was lost: it is made from OpenClaw's files and the ledger. The old file may be deleted."}
	return x, nil
}

// Remove deletes the index at path, which must not be open.
func Remove(path string) error {
	for _, p := range files(path) {
		if err := os.Remove(p); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("remove index: %w", err)
		}
	}
	return nil
}

// Move puts the index at from in the place of the one at to. Neither may be
// open. Until it is done the one at to is whole.
func Move(from, to string) error {
	for _, p := range files(to)[1:] { // a log belongs to its own file
		if err := os.Remove(p); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("put the new index in place: %w", err)
		}
	}
	if err := os.Rename(from, to); err != nil {
		return fmt.Errorf("put the new index in place: %w", err)
	}
	return nil
}

// files are the database and what SQLite keeps beside it.
func files(path string) []string { return []string{path, path + "-wal", path + "-shm"} }

func open(ctx context.Context, path string) (*Index, error) {
	switch info, err := os.Stat(path); {
	case errors.Is(err, fs.ErrNotExist):
		if err := create(ctx, path); err != nil {
			return nil, fmt.Errorf("create index: %w", err)
		}
	case err != nil:
		return nil, fmt.Errorf("open index: %w", err)
	case info.Size() == 0:
		return nil, errEmpty
	}
	x := &Index{path: path}
	if err := x.connect(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("open index: %w", err), x.Close())
	}
	return x, nil
}

// connect opens the connections of an index that is there.
func (x *Index) connect(ctx context.Context) (err error) {
	if x.write, err = connect(x.path, writing, 1); err != nil {
		return err
	}
	var have int
	if err := x.write.QueryRowContext(ctx, "PRAGMA user_version").Scan(&have); err != nil {
		return err
	}
	if have != version {
		return errVersion
	}
	if err := x.whole(ctx); err != nil {
		return err
	}
	x.read, err = connect(x.path, reading, readers)
	return err
}

// created finds what the schema creates.
var created = regexp.MustCompile(`(?m)^CREATE (?:UNIQUE )?(?:TABLE|INDEX) (\w+)`)

// whole checks that everything that the schema creates is there.
func (x *Index) whole(ctx context.Context) error {
	rows, err := x.write.QueryContext(ctx, "SELECT name FROM sqlite_master")
	if err != nil {
		return err
	}
	defer rows.Close()
	there := map[string]bool{}
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return err
		}
		there[name] = true
	}
	if err := rows.Err(); err != nil {
		return err
	}
	for _, m := range created.FindAllStringSubmatch(schema, -1) {
		if !there[m[1]] {
			return fmt.Errorf("%w: no %s", errContent, m[1])
		}
	}
	return nil
}

// create makes an empty index. It appears under its name with all its tables,
// so that an empty file of that name is always damage.
func create(ctx context.Context, path string) (err error) {
	making := path + ".making"
	for _, p := range []string{making, path} {
		if err := Remove(p); err != nil {
			return err
		}
	}
	f, err := os.OpenFile(making, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	db, err := connect(making, writing, 1)
	if err != nil {
		return err
	}
	_, err = db.ExecContext(ctx, "BEGIN;"+schema+fmt.Sprintf("PRAGMA user_version = %d; COMMIT;", version))
	if err := errors.Join(err, db.Close()); err != nil {
		return err
	}
	return os.Rename(making, path)
}

func connect(path, query string, most int) (*sql.DB, error) {
	db, err := sql.Open("sqlite", uri(path, query))
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(most)
	db.SetMaxIdleConns(most)
	return db, nil
}

func uri(path, query string) string {
	slashed := filepath.ToSlash(path)
	if abs, err := filepath.Abs(path); err == nil {
		slashed = filepath.ToSlash(abs)
	}
	if !strings.HasPrefix(slashed, "/") { // a drive letter
		slashed = "/" + slashed
	}
	return "file://" + (&url.URL{Path: slashed}).EscapedPath() + "?" + query
}

// Close closes the index.
func (x *Index) Close() error {
	var errs []error
	for _, db := range []*sql.DB{x.read, x.write} {
		if db != nil {
			errs = append(errs, db.Close())
		}
	}
	return errors.Join(errs...)
}
