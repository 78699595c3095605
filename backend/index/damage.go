package index

import (
	"errors"
	"strings"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

var (
	// errVersion says that the index is of another version of Tidemark.
	errVersion = errors.New("it is of another version of Tidemark")
	// errEmpty says that the index is a file without content.
	errEmpty = errors.New("it is empty")
	// errContent says that what is in the index is not what was written.
	errContent = errors.New("it holds something that cannot be read")
)

// Damaged says whether an error of any function means that the index is
// damaged and must be opened anew.
func Damaged(err error) bool { return err != nil && damaged(err) }

// damaged knows SQLite's codes, and the messages of what has none of its own:
// a table that is not there, a value of another type.
func damaged(err error) bool {
	if errors.Is(err, errVersion) || errors.Is(err, errEmpty) || errors.Is(err, errContent) {
		return true
	}
	var e *sqlite.Error
	if errors.As(err, &e) {
		switch code := e.Code(); {
		case code == sqlite3.SQLITE_IOERR_SHORT_READ:
			return true
		case code&0xff == sqlite3.SQLITE_CORRUPT, code&0xff == sqlite3.SQLITE_NOTADB:
			return true
		}
	}
	for _, sign := range []string{"no such table", "no such column", "sql: Scan error", "malformed database schema", "malformed JSON"} {
		if strings.Contains(err.Error(), sign) {
			return true
		}
	}
	return false
}
