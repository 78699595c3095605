package index

import (
	"context"
	"database/sql"
)

// Stamp tells whether what was read of the index may have changed since. It
// holds for the life of an Index. Take it before reading: what is read may then
// be newer than it says, never older.
type Stamp struct {
	Revision uint64 // grows with everything that is written
	Epoch    uint64 // grows when entries or calls that were there are altered, not when some are added
}

// Stamp gives the stamp of now.
func (s *Store) Stamp() Stamp {
	return Stamp{Revision: s.x.revision.Load(), Epoch: s.x.epoch.Load()}
}

// written notes, after a commit, that something changed. What is read between
// the commit and this is found out of date once too often, never too seldom.
func (x *Index) written(altered bool) {
	if altered {
		x.epoch.Add(1)
	}
	x.revision.Add(1)
}

// change runs f, which may alter entries and calls, in a transaction of its
// own.
func (s *Store) change(ctx context.Context, f func(*sql.Tx) error) error {
	if err := s.apply(ctx, f); err != nil {
		return err
	}
	s.x.written(true)
	return nil
}

// note runs f, which leaves entries and calls alone, in a transaction of its
// own.
func (s *Store) note(ctx context.Context, f func(*sql.Tx) error) error {
	if err := s.apply(ctx, f); err != nil {
		return err
	}
	s.x.written(false)
	return nil
}
