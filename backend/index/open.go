package index

import (
	"context"
	"database/sql"
	_ "embed" // the schema
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	_ "modernc.org/sqlite" // the driver "sqlite", without cgo

	"tidemark/backend/memory"
)

//go:embed schema.sql
var schema string

// version is the number of the schema. An index of another version is set
// aside and made anew: it holds nothing that is not elsewhere.
const version = 1

// Index is the open index. Close it.
type Index struct {
	path  string
	write *sql.DB // one connection
	read  *sql.DB

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
	if err == nil {
		return x, nil
	}
	if !damaged(err) {
		return nil, err
	}
	return Replace(ctx, path, err)
}

// Replace sets the index at path aside, since cause says that it is damaged,
// and opens a new one, whose Rebuilt says so. The old one must be closed.
func Replace(ctx context.Context, path string, cause error) (*Index, error) {
	aside := path + ".damaged-" + strconv.FormatInt(time.Now().UnixMilli(), 10)
	if err := setAside(path, aside); err != nil {
		return nil, err
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

// errVersion says that the index is of another version of Tidemark.
var errVersion = errors.New("it is of another version of Tidemark")

func damaged(err error) bool {
	if errors.Is(err, errVersion) {
		return true
	}
	for _, sign := range []string{"malformed", "not a database", "disk image", "no such table", "no such column", "integrity"} {
		if strings.Contains(err.Error(), sign) {
			return true
		}
	}
	return false
}

// Damaged says whether an error of any method means that the index is damaged
// and must be opened anew.
func Damaged(err error) bool { return err != nil && damaged(err) }

// Remove deletes the index at path.
func Remove(path string) error {
	for _, p := range files(path) {
		if err := os.Remove(p); err != nil && !errors.Is(err, os.ErrNotExist) {
			return fmt.Errorf("remove index: %w", err)
		}
	}
	return nil
}

func files(path string) []string { return []string{path, path + "-wal", path + "-shm"} }

func setAside(path, aside string) error {
	for i, p := range files(path) {
		if err := os.Rename(p, files(aside)[i]); err != nil && !errors.Is(err, os.ErrNotExist) {
			return fmt.Errorf("set the damaged index aside: %w", err)
		}
	}
	return nil
}

func open(ctx context.Context, path string) (*Index, error) {
	if f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600); err != nil {
		return nil, fmt.Errorf("open index: %w", err)
	} else if err := f.Close(); err != nil {
		return nil, fmt.Errorf("open index: %w", err)
	}
	x := &Index{path: path}
	if err := x.connect(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("open index: %w", err), x.Close())
	}
	return x, nil
}

func (x *Index) connect(ctx context.Context) (err error) {
	// synchronous(normal) in WAL mode survives a kill of the process at any
	// moment; a power cut may cost the last commits, which are read again.
	if x.write, err = sql.Open("sqlite", uri(x.path, "_pragma=journal_mode(wal)&_pragma=synchronous(normal)&_pragma=busy_timeout(5000)&_pragma=cache_size(-16000)&_txlock=immediate")); err != nil {
		return err
	}
	x.write.SetMaxOpenConns(1)
	if err := x.prepare(ctx); err != nil {
		return err
	}
	if x.read, err = sql.Open("sqlite", uri(x.path, "_pragma=query_only(1)&_pragma=busy_timeout(5000)&_pragma=cache_size(-16000)")); err != nil {
		return err
	}
	x.read.SetMaxOpenConns(4)
	x.read.SetMaxIdleConns(4)
	return nil
}

func uri(path, query string) string {
	slashed := filepath.ToSlash(path)
	if !strings.HasPrefix(slashed, "/") {
		if abs, err := filepath.Abs(path); err == nil {
			slashed = filepath.ToSlash(abs)
		}
		if !strings.HasPrefix(slashed, "/") {
			slashed = "/" + slashed
		}
	}
	return "file://" + (&url.URL{Path: slashed}).EscapedPath() + "?" + query
}

// prepare creates the tables of a new index and checks an old one.
func (x *Index) prepare(ctx context.Context) error {
	var have, tables int
	if err := x.write.QueryRowContext(ctx, "PRAGMA user_version").Scan(&have); err != nil {
		return err
	}
	if err := x.write.QueryRowContext(ctx, "SELECT COUNT(*) FROM sqlite_master").Scan(&tables); err != nil {
		return err
	}
	switch {
	case tables == 0:
		tx, err := x.write.BeginTx(ctx, nil)
		if err != nil {
			return err
		}
		defer tx.Rollback()
		if _, err := tx.ExecContext(ctx, schema+fmt.Sprintf("\nPRAGMA user_version = %d;", version)); err != nil {
			return err
		}
		return tx.Commit()
	case have != version:
		return errVersion
	}
	return nil
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
