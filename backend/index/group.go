package index

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"
)

// A transaction takes the sources that come one after another until one of
// these is reached. Each source is in one whole with its checkpoint, or not at
// all, so that a kill costs time and nothing else.
const (
	groupEntries = 4000                   // a tenth of a second of work
	groupSources = 100                    // small ones
	groupTime    = 250 * time.Millisecond // what readers may lag behind
)

// group is an open transaction of a store.
type group struct {
	conn    *sql.Conn
	tx      *sql.Tx
	stmts   map[string]*sql.Stmt
	began   time.Time
	entries int
	sources int
	altered bool   // entries or calls that were there before were changed
	batch   *Batch // that wrote something and has not committed it
}

// open gives the group that is open, opening one. Waiting for another writer
// ends with ctx; what is written does not, so that what was committed by then
// can be kept.
func (s *Store) open(ctx context.Context) (*group, error) {
	if s.group != nil {
		return s.group, nil
	}
	if err := s.x.prepareBatch(ctx); err != nil {
		return nil, fmt.Errorf("write index: %w", err)
	}
	conn, err := s.x.write.Conn(ctx)
	if err != nil {
		return nil, fmt.Errorf("write index: %w", err)
	}
	tx, err := conn.BeginTx(context.WithoutCancel(ctx), nil)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("write index: %w", err), conn.Close())
	}
	s.group = &group{conn: conn, tx: tx, stmts: map[string]*sql.Stmt{}, began: time.Now()}
	return s.group, nil
}

// full says that it is time to make the group durable.
func (g *group) full() bool {
	return g.entries >= groupEntries || g.sources >= groupSources || time.Since(g.began) >= groupTime
}

// stmt gives one of the prepared statements for use in the group.
func (g *group) stmt(ctx context.Context, x *Index, query string) (*sql.Stmt, error) {
	if st, ok := g.stmts[query]; ok {
		return st, nil
	}
	var st *sql.Stmt
	var err error
	if ready, ok := x.prepared[query]; ok {
		st = g.tx.StmtContext(ctx, ready)
	} else if st, err = g.tx.PrepareContext(ctx, query); err != nil {
		return nil, err
	}
	g.stmts[query] = st
	return st, nil
}

// Flush makes durable what batches committed; what one has not committed is
// thrown away. Nothing happens where nothing was written.
func (s *Store) Flush(context.Context) error {
	if s.group != nil && s.group.batch != nil {
		s.group.batch.Close()
	}
	g := s.group
	if g == nil {
		return nil
	}
	if err := s.before(); err != nil {
		s.abandon()
		return err
	}
	s.group = nil
	err := g.tx.Commit()
	s.x.written(g.altered)
	if err != nil {
		s.forgetRows()
		err = fmt.Errorf("write index: %w", err)
	}
	return errors.Join(err, g.conn.Close())
}

// before has done what must be done before the open group is made durable.
func (s *Store) before() error {
	if s.Before == nil {
		return nil
	}
	ctx, g := context.Background(), s.group // half-way is where not to stop
	return s.Before(ctx, func(line string) error {
		st, err := g.stmt(ctx, s.x, addOutbox)
		if err != nil {
			return fmt.Errorf("write index: %w", err)
		}
		if _, err := st.ExecContext(ctx, s.id, line); err != nil {
			return fmt.Errorf("write index: %w", err)
		}
		return nil
	})
}

// abandon throws the open group away: its sources are read again.
func (s *Store) abandon() {
	g := s.group
	if g == nil {
		return
	}
	s.group = nil
	s.forgetRows()
	_ = g.tx.Rollback() // SQLite may have rolled back by itself; the error that led here is the one that counts
	_ = g.conn.Close()
}

// forgetRows drops what is remembered of rows that may not have been kept.
func (s *Store) forgetRows() {
	s.models = map[[2]string]int64{}
	s.agents = map[string]int64{}
}

// apply runs f in a transaction of its own.
func (s *Store) apply(ctx context.Context, f func(*sql.Tx) error) error {
	if err := s.Flush(ctx); err != nil {
		return err
	}
	tx, err := s.x.write.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("write index: %w", err)
	}
	defer tx.Rollback()
	if err := f(tx); err != nil {
		return fmt.Errorf("write index: %w", err)
	}
	if err := tx.Commit(); err != nil {
		return fmt.Errorf("write index: %w", err)
	}
	return nil
}
