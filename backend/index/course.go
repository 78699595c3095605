package index

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"slices"

	"tidemark/backend/memory"
)

// Course is a session without its texts, in the order of Entries. Its slices
// have one element an entry and are to be read only.
type Course struct {
	Entries []memory.Entry // Text is filled for resets alone: their reason
	Rows    []int64        // number of the entry in the index, 0 where only the ledger knows it
	// Copied are the calls that count in another session, of which Entries show
	// none; nil elsewhere. The context was as full all the same.
	Copied []*memory.Call

	last int64 // highest of Rows
}

// Course reads the course of a session. Where more was added since an older
// one was read, and nothing was altered, only that is read; old is not changed
// and may be nil.
func (s *Store) Course(ctx context.Context, session int64, old *Course) (*Course, error) {
	c := &Course{}
	if old != nil {
		c = old.asRead()
	} else if err := c.carried(ctx, s, session); err != nil {
		return nil, err
	}
	if err := c.read(ctx, s, session); err != nil {
		return nil, fmt.Errorf("list entries: %w", err)
	}
	if order := orderOf(c.Entries); order != nil {
		c.pick(order)
	}
	return c, nil
}

// asRead gives a copy in the order in which entries are read.
func (c *Course) asRead() *Course {
	order := make([]int, len(c.Rows))
	for i := range order {
		order[i] = i
	}
	if !slices.IsSorted(c.Rows) {
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(c.Rows[a], c.Rows[b]) })
	}
	again := *c
	again.pick(order)
	return &again
}

func (c *Course) pick(order []int) {
	c.Entries, c.Rows, c.Copied = picked(c.Entries, order), picked(c.Rows, order), picked(c.Copied, order)
}

// carried adds what only the ledger knows.
func (c *Course) carried(ctx context.Context, s *Store, session int64) (err error) {
	c.Entries, err = s.carriedEntries(ctx, session)
	c.Rows, c.Copied = make([]int64, len(c.Entries)), make([]*memory.Call, len(c.Entries))
	return err
}

// read adds the entries behind the last one.
func (c *Course) read(ctx context.Context, s *Store, session int64) error {
	rows, err := s.x.read.QueryContext(ctx, `SELECT `+entryColumns(fmt.Sprintf("CASE WHEN e.kind=%d THEN e.text END", memory.KindReset))+`, e.id, c.copy
		FROM `+entryTables+` LEFT JOIN model m ON m.id = c.model WHERE e.session = ? AND e.id > ? ORDER BY e.id`, session, c.last)
	if err != nil {
		return err
	}
	defer rows.Close()
	var known shared
	for rows.Next() {
		var row int64
		var copied sql.NullInt64
		e, err := scanEntry(rows, &row, &copied)
		if err != nil {
			return err
		}
		known.share(&e)
		var call *memory.Call
		if copied.Int64 != counts {
			call, e.Call = e.Call, nil
		}
		c.Entries, c.Rows, c.Copied = append(c.Entries, e), append(c.Rows, row), append(c.Copied, call)
		c.last = max(c.last, row)
	}
	return rows.Err()
}

// shared lets entries that say the same hold one text of it: a long session is
// kept in memory while it is looked at.
type shared struct{ path, id, provider, model string }

func (k *shared) share(e *memory.Entry) {
	same := func(text, old *string) {
		if *text == *old {
			*text = *old
		} else {
			*old = *text
		}
	}
	same(&e.Place.Path, &k.path)
	if e.Parent == k.id {
		e.Parent = k.id
	}
	k.id = e.ID
	if e.Call != nil {
		same(&e.Call.Provider, &k.provider)
		same(&e.Call.Model, &k.model)
	}
}

// Texts gives the texts of some entries by their number in the index. One that
// is not there, or has none, is left out.
func (s *Store) Texts(ctx context.Context, entries []int64) (map[int64]string, error) {
	names, err := json.Marshal(entries)
	if err != nil {
		return nil, fmt.Errorf("read texts: %w", err)
	}
	rows, err := s.x.read.QueryContext(ctx, `SELECT id, text, flags FROM entry WHERE id IN (SELECT value FROM json_each(?)) AND text IS NOT NULL`, string(names))
	if err != nil {
		return nil, fmt.Errorf("read texts: %w", err)
	}
	defer rows.Close()
	found := make(map[int64]string, len(entries))
	for rows.Next() {
		var row int64
		var text []byte
		var flags int
		if err := rows.Scan(&row, &text, &flags); err != nil {
			return nil, fmt.Errorf("read texts: %w", err)
		}
		if found[row], err = unpackText(text, flags&flagPacked != 0 && len(text) > 0); err != nil {
			return nil, fmt.Errorf("read texts: %w", err)
		}
	}
	return found, rows.Err()
}
