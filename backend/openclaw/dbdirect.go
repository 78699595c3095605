package openclaw

import (
	"fmt"
	"unsafe"

	"modernc.org/libc"
	sqlite3 "modernc.org/sqlite/lib"
)

// direct is a connection that speaks to SQLite below database/sql, whose locks,
// copies and conversions cost as much as reading a transcript row does. It
// reads only, is used by one goroutine, and sees its rows where SQLite has
// them.
type direct struct {
	tls *libc.TLS
	db  uintptr
}

// busyMillis is how long a read waits for a lock. Reads beside a writer in WAL
// mode never wait; the time is for a database in another mode.
const busyMillis = 2000

// openDirect opens a database by SQLite's own URI and runs statements that set
// the connection up.
func openDirect(uri string, setup ...string) (*direct, error) {
	d := &direct{tls: libc.NewTLS()}
	name, err := libc.CString(uri)
	if err != nil {
		d.tls.Close()
		return nil, fmt.Errorf("open: %w", err)
	}
	defer libc.Xfree(d.tls, name)
	rc := d.out(&d.db, func(into uintptr) int32 {
		return sqlite3.Xsqlite3_open_v2(d.tls, name, into, sqlite3.SQLITE_OPEN_READONLY|sqlite3.SQLITE_OPEN_URI|sqlite3.SQLITE_OPEN_NOMUTEX, 0)
	})
	if rc != sqlite3.SQLITE_OK {
		err := d.failure(rc)
		d.close()
		return nil, err
	}
	sqlite3.Xsqlite3_busy_timeout(d.tls, d.db, busyMillis)
	for _, sql := range setup {
		if err := d.each(sql, nil, func([]column) error { return nil }); err != nil {
			d.close()
			return nil, err
		}
	}
	return d, nil
}

func (d *direct) close() {
	if d.db != 0 {
		sqlite3.Xsqlite3_close_v2(d.tls, d.db)
	}
	d.tls.Close()
}

// sqliteError is a failure in SQLite's own words.
type sqliteError struct {
	code int // extended result code
	text string
}

func (e sqliteError) Error() string { return fmt.Sprintf("%s (%d)", e.text, e.code) }

func (d *direct) failure(rc int32) error {
	e := sqliteError{code: int(rc)}
	if d.db != 0 {
		e.code = int(sqlite3.Xsqlite3_extended_errcode(d.tls, d.db))
		e.text = libc.GoString(sqlite3.Xsqlite3_errmsg(d.tls, d.db))
	}
	return e
}

// column is one value of a row. Its bytes are SQLite's own: they are valid
// until the function that was given the row returns, and must not be changed.
type column struct {
	number int64  // an integer; 0 for any other type
	bytes  []byte // a text or blob; nil for any other type
}

// text gives the value as text, "" where it is none.
func (c column) text() string { return string(c.bytes) }

// each runs a query and calls f with each row. The row is overwritten by the
// next. An error of f comes back as it is.
func (d *direct) each(query string, args []any, f func(row []column) error) error {
	sql, err := libc.CString(query)
	if err != nil {
		return fmt.Errorf("prepare: %w", err)
	}
	defer libc.Xfree(d.tls, sql)
	var stmt uintptr
	rc := d.out(&stmt, func(into uintptr) int32 { return sqlite3.Xsqlite3_prepare_v2(d.tls, d.db, sql, -1, into, 0) })
	if rc != sqlite3.SQLITE_OK {
		return d.failure(rc)
	}
	defer sqlite3.Xsqlite3_finalize(d.tls, stmt)
	free, err := d.bind(stmt, args)
	defer free()
	if err != nil {
		return err
	}
	row := make([]column, sqlite3.Xsqlite3_column_count(d.tls, stmt))
	for {
		switch rc := sqlite3.Xsqlite3_step(d.tls, stmt); rc {
		case sqlite3.SQLITE_ROW:
		case sqlite3.SQLITE_DONE:
			return nil
		default:
			return d.failure(rc)
		}
		for i := range row {
			row[i] = d.column(stmt, int32(i))
		}
		if err := f(row); err != nil {
			return err
		}
	}
}

func (d *direct) column(stmt uintptr, i int32) column {
	var at uintptr
	switch sqlite3.Xsqlite3_column_type(d.tls, stmt, i) {
	case sqlite3.SQLITE_INTEGER:
		return column{number: sqlite3.Xsqlite3_column_int64(d.tls, stmt, i)}
	case sqlite3.SQLITE_TEXT:
		at = sqlite3.Xsqlite3_column_text(d.tls, stmt, i)
	case sqlite3.SQLITE_BLOB:
		at = sqlite3.Xsqlite3_column_blob(d.tls, stmt, i)
	default:
		return column{}
	}
	n := sqlite3.Xsqlite3_column_bytes(d.tls, stmt, i)
	if at == 0 || n <= 0 {
		return column{bytes: []byte{}}
	}
	return column{bytes: memoryAt(at, int(n))}
}

// bind sets the parameters of a statement, texts and integers. The texts must
// stay until free is called.
func (d *direct) bind(stmt uintptr, args []any) (free func(), err error) {
	var texts []uintptr
	free = func() {
		for _, t := range texts {
			libc.Xfree(d.tls, t)
		}
	}
	for i, a := range args {
		rc := int32(sqlite3.SQLITE_MISUSE)
		switch a := a.(type) {
		case int64:
			rc = sqlite3.Xsqlite3_bind_int64(d.tls, stmt, int32(i+1), a)
		case string:
			text, err := libc.CString(a)
			if err != nil {
				return free, fmt.Errorf("bind: %w", err)
			}
			texts = append(texts, text)
			rc = sqlite3.Xsqlite3_bind_text(d.tls, stmt, int32(i+1), text, int32(len(a)), 0) // 0: SQLITE_STATIC, it stays ours
		}
		if rc != sqlite3.SQLITE_OK {
			return free, d.failure(rc)
		}
	}
	return free, nil
}

// out calls f with the address of a word in SQLite's memory and gives what it
// wrote there. A variable of ours will not do: Go moves stacks.
func (d *direct) out(v *uintptr, f func(into uintptr) int32) int32 {
	const word = 8 // bytes, enough for a pointer on every platform
	at := libc.Xcalloc(d.tls, 1, word)
	if at == 0 {
		return sqlite3.SQLITE_NOMEM
	}
	defer libc.Xfree(d.tls, at)
	rc := f(at)
	*v = *(*uintptr)(unsafe.Pointer(&memoryAt(at, word)[0]))
	return rc
}

// memoryAt gives n bytes of SQLite's memory, which Go does not manage.
func memoryAt(at uintptr, n int) []byte {
	return unsafe.Slice(*(**byte)(unsafe.Pointer(&at)), n)
}
