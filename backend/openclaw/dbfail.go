package openclaw

import (
	"errors"
	"io/fs"

	"tidemark/backend/memory"
)

// Primary result codes of SQLite that are told apart here. They are part of
// its file format's documentation and never change.
const (
	sqliteReadOnly = 8
	sqliteCorrupt  = 11
	sqliteCantOpen = 14
	sqliteNotADB   = 26
)

// queryError marks an error of a query to OpenClaw's database, apart from those
// of a sink, which may be a database too.
type queryError struct{ err error }

func (e queryError) Error() string { return e.err.Error() }
func (e queryError) Unwrap() error { return e.err }

// sqliteCode gives the primary result code of an error that SQLite gave for
// OpenClaw's database, 0 where it comes from elsewhere.
func sqliteCode(err error) int {
	var q queryError
	var e sqliteError
	if errors.As(err, &q) && errors.As(q.err, &e) {
		return e.code & 0xff
	}
	return 0
}

// damaged says that a database is no database or broken: reading it again
// changes nothing until its file changes.
func damaged(err error) bool {
	code := sqliteCode(err)
	return code == sqliteCorrupt || code == sqliteNotADB
}

// notYet says that the files beside a database cannot be used as they are at
// this moment. Another way to open it may do.
func notYet(err error) bool {
	code := sqliteCode(err)
	return code == sqliteReadOnly || code == sqliteCantOpen
}

// badDatabase turns a failure into a problem that a person can act on.
func badDatabase(path string, err error) memory.Problem {
	if code := sqliteCode(err); errors.Is(err, fs.ErrPermission) || errors.Is(err, errNotRegular) || code == sqliteCantOpen || code == sqliteReadOnly {
		return unreadable(path, err)
	}
	if errors.Is(err, errChanged) {
		return memory.Problem{Code: memory.ProblemUnreadable, Path: path, Count: 1, Message: "could not be read: it kept changing",
			Hint: "Nothing needs to be done: it is tried again at the next look."}
	}
	return memory.Problem{Code: memory.ProblemBadDatabase, Path: path, Count: 1, Message: "cannot be read as a database: " + err.Error(),
		Hint: "Let OpenClaw check it (openclaw doctor). Tidemark keeps what it read before and tries again."}
}

// missingOr gives the problem of a database that may just not be there.
func missingOr(path string, err error) []memory.Problem {
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return []memory.Problem{badDatabase(path, err)}
}
