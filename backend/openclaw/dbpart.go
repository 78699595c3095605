package openclaw

import (
	"fmt"

	"modernc.org/libc"
	sqlite3 "modernc.org/sqlite/lib"
)

// part reads the beginning of one column of a table, row by row: SQLite does
// not even look at the pages that hold the rest of a long value. It belongs to
// the query that it is used in and is closed with it, since it keeps the
// database open as long.
type part struct {
	direct        *direct
	table, column string

	handle uintptr
	memory uintptr // SQLite's, where values are put
	room   int
}

// size moves to a row and gives the length of its value, which must be a text
// or blob.
func (p *part) size(rowid int64) (int, error) {
	d := p.direct
	if p.handle != 0 {
		if rc := sqlite3.Xsqlite3_blob_reopen(d.tls, p.handle, rowid); rc != sqlite3.SQLITE_OK {
			return 0, d.failure(rc)
		}
	} else if err := p.open(rowid); err != nil {
		return 0, err
	}
	return int(sqlite3.Xsqlite3_blob_bytes(d.tls, p.handle)), nil
}

func (p *part) open(rowid int64) error {
	d := p.direct
	var names [3]uintptr
	for i, name := range []string{"main", p.table, p.column} {
		c, err := libc.CString(name)
		if err != nil {
			return fmt.Errorf("open value: %w", err)
		}
		defer libc.Xfree(d.tls, c)
		names[i] = c
	}
	rc := d.out(&p.handle, func(into uintptr) int32 {
		return sqlite3.Xsqlite3_blob_open(d.tls, d.db, names[0], names[1], names[2], rowid, 0, into)
	})
	if rc != sqlite3.SQLITE_OK {
		return d.failure(rc)
	}
	return nil
}

// read gives the first n bytes of the row's value behind a byte that the
// caller chooses. They are valid until the next call.
func (p *part) read(mark byte, n int) ([]byte, error) {
	d := p.direct
	if p.room < n+1 {
		libc.Xfree(d.tls, p.memory)
		p.memory, p.room = libc.Xmalloc(d.tls, libc.Tsize_t(n+1)), n+1
		if p.memory == 0 {
			p.room = 0
			return nil, sqliteError{code: sqlite3.SQLITE_NOMEM, text: "out of memory"}
		}
	}
	if rc := sqlite3.Xsqlite3_blob_read(d.tls, p.handle, p.memory+1, int32(n), 0); rc != sqlite3.SQLITE_OK {
		return nil, d.failure(rc)
	}
	b := memoryAt(p.memory, n+1)
	b[0] = mark
	return b, nil
}

// close ends the use in this query. The part can be used in another one.
func (p *part) close() {
	if p.handle != 0 {
		sqlite3.Xsqlite3_blob_close(p.direct.tls, p.handle)
	}
	libc.Xfree(p.direct.tls, p.memory)
	p.handle, p.memory, p.room = 0, 0, 0
}
