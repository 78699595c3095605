package openclaw

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"unsafe"
)

// each runs a query and calls f with the values of each row: int64, string,
// []byte or nil. It speaks to the driver below database/sql, whose conversions
// cost as much as reading a transcript row; values are valid until f returns.
// The query is not interrupted by ctx: callers ask for a bounded number of rows.
func (d *database) each(ctx context.Context, query string, args []any, f func(row []driver.Value) error) error {
	conn, err := d.db.Conn(ctx)
	if err != nil {
		return sqliteError{err}
	}
	defer conn.Close()
	return conn.Raw(func(dc any) error {
		q, ok := dc.(driver.QueryerContext)
		if !ok {
			return sqliteError{errors.New("the SQLite driver cannot query")}
		}
		named := make([]driver.NamedValue, len(args))
		for i, a := range args {
			named[i] = driver.NamedValue{Ordinal: i + 1, Value: a}
		}
		rows, err := q.QueryContext(context.Background(), query, named)
		if err != nil {
			return sqliteError{err}
		}
		defer rows.Close()
		vals := make([]driver.Value, len(rows.Columns()))
		for {
			switch err := rows.Next(vals); {
			case errors.Is(err, io.EOF):
				return nil
			case err != nil:
				return sqliteError{err}
			}
			if err := f(vals); err != nil {
				return err
			}
		}
	})
}

// bytesOf gives the bytes of a text or blob without copying; they must not be
// changed.
func bytesOf(v driver.Value) []byte {
	switch v := v.(type) {
	case string:
		return unsafe.Slice(unsafe.StringData(v), len(v))
	case []byte:
		return v
	}
	return nil
}

func intOf(v driver.Value) int64 {
	n, _ := v.(int64) // anything else reads as 0
	return n
}

func textOf(v driver.Value) string {
	switch v := v.(type) {
	case string:
		return v
	case []byte:
		return string(v)
	case nil:
		return ""
	default:
		return fmt.Sprint(v)
	}
}
