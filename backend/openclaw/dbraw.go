package openclaw

import (
	"context"
	"errors"
	"fmt"
	"time"
)

const (
	// holdBytes bounds what is held of a query's rows, so that a table of
	// large rows needs no more memory than one of small ones.
	holdBytes = 8 << 20
	// holdTime bounds how long a query is open beside a writer: as long as it
	// is, the writer cannot begin its log anew.
	holdTime = 20 * time.Millisecond
	// holdCheck is the number of rows after which the time is looked at.
	holdCheck = 64
)

// query runs a query and calls f with each row while the query is open. It
// gives errChanged where the files changed since the database was opened, so
// that rows count only once it has returned. The query is not interrupted by
// ctx: callers ask for a bounded number of rows.
func (d *database) query(ctx context.Context, query string, args []any, f func(row []column) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	var own error
	err := d.direct.each(query, args, func(row []column) error {
		own = f(row)
		return own
	})
	switch {
	case own != nil && !errors.Is(own, errHeld):
		return own
	case own == nil && err != nil:
		return queryError{err}
	}
	return d.settled()
}

// errHeld ends a query because enough rows are held.
var errHeld = errors.New("enough rows")

// fetch runs a query and keeps its rows until it is closed, so that nothing
// that is done with them holds the database up. It stops early where they are
// too many to hold, or beside a writer take too long: then more is true and the
// caller asks for what stands behind the last one. change, where it is not
// nil, may exchange values of a row before they are kept.
func (d *database) fetch(ctx context.Context, query string, args []any, change func(row []column) error) (found [][]column, more bool, err error) {
	began := time.Now()
	var h holder
	err = d.query(ctx, query, args, func(row []column) error {
		if change != nil {
			if err := change(row); err != nil {
				return err
			}
		}
		found = append(found, h.keep(row))
		if h.bytes >= holdBytes || d.locked() && len(found)%holdCheck == 0 && time.Since(began) >= holdTime {
			more = true
			return errHeld
		}
		return nil
	})
	return found, more, err
}

// all is fetch for what is small by nature: it gives every row.
func (d *database) all(ctx context.Context, query string, args ...any) (found [][]column, err error) {
	var h holder
	err = d.query(ctx, query, args, func(row []column) error {
		found = append(found, h.keep(row))
		return nil
	})
	return found, err
}

// holder copies rows out of SQLite's memory, many into one piece of ours.
type holder struct {
	columns []column
	piece   []byte
	bytes   int
}

// holdPiece is the size of such a piece; a longer value gets its own.
const holdPiece = 256 << 10

func (h *holder) keep(row []column) []column {
	if len(h.columns) < len(row) {
		h.columns = make([]column, holdCheck*len(row))
	}
	kept := h.columns[:len(row):len(row)]
	h.columns = h.columns[len(row):]
	for i, c := range row {
		kept[i] = column{number: c.number}
		if c.bytes != nil {
			kept[i].bytes = h.copy(c.bytes)
		}
	}
	return kept
}

func (h *holder) copy(b []byte) []byte {
	h.bytes += len(b)
	if len(b) > holdPiece/4 {
		return append([]byte{}, b...)
	}
	if cap(h.piece)-len(h.piece) < len(b) {
		h.piece = make([]byte, 0, holdPiece)
	}
	at := len(h.piece)
	h.piece = append(h.piece, b...)
	return h.piece[at:len(h.piece):len(h.piece)]
}

// columns gives the columns of a table, none where there is no such table.
func (d *database) columns(ctx context.Context, table string) (map[string]bool, error) {
	rows, err := d.all(ctx, "SELECT name FROM pragma_table_info(?)", table)
	if err != nil {
		return nil, fmt.Errorf("look at table %s: %w", table, err)
	}
	names := make(map[string]bool, len(rows))
	for _, row := range rows {
		names[row[0].text()] = true
	}
	return names, nil
}

// hasRowid says whether a table is one whose rows have a rowid.
func (d *database) hasRowid(ctx context.Context, table string) (bool, error) {
	rows, err := d.all(ctx, "SELECT 1 FROM pragma_table_list(?) WHERE schema = 'main' AND type = 'table' AND wr = 0", table)
	return len(rows) > 0, err
}

// version gives the schema version that the writer noted.
func (d *database) version(ctx context.Context) (int, error) {
	rows, err := d.all(ctx, "PRAGMA user_version")
	if err != nil || len(rows) == 0 {
		return 0, err
	}
	return int(rows[0][0].number), nil
}
