package watch

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"
)

// mail gathers paths and hands them over in batches. It is safe for concurrent
// use; add never waits for the callback.
type mail struct {
	quiet, most time.Duration
	now         func() time.Time
	ready       chan struct{} // holds one when there may be something new

	mu    sync.Mutex // of what follows
	paths map[string]struct{}
	all   bool
	first time.Time // when the oldest of paths came
	last  time.Time // when something came last, handed over or not
	due   time.Time // when paths go out
}

func newMail(quiet, most time.Duration, now func() time.Time) *mail {
	return &mail{quiet: quiet, most: most, now: now, ready: make(chan struct{}, 1), paths: map[string]struct{}{}}
}

// add takes paths, or that everything may have changed. What comes after a pause
// goes out at once; the rest waits for quiet, but no longer than the most.
func (m *mail) add(paths map[string]struct{}, all bool) {
	if len(paths) == 0 && !all {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	now := m.now()
	empty := len(m.paths) == 0 && !m.all
	if empty {
		m.first = now
	}
	switch {
	case empty && now.Sub(m.last) >= m.quiet:
		m.due = now
	case empty || m.due.After(m.first):
		m.due = now.Add(min(m.quiet, m.first.Add(m.most).Sub(now)))
	}
	maps.Copy(m.paths, paths)
	m.all, m.last = m.all || all, now
	select {
	case m.ready <- struct{}{}:
	default:
	}
}

// take gives what is due, or how long there is to wait for it; 0 where there is
// nothing to wait for.
func (m *mail) take() (b Batch, due bool, wait time.Duration) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.paths) == 0 && !m.all {
		return Batch{}, false, 0
	}
	now := m.now()
	if wait := m.due.Sub(now); wait > 0 {
		return Batch{}, false, wait
	}
	if b.All = m.all; !b.All {
		b.Paths = slices.Sorted(maps.Keys(m.paths))
	}
	m.paths, m.all, m.last = map[string]struct{}{}, false, now
	return b, true, 0
}

// run calls changed with each batch until ctx ends.
func (m *mail) run(ctx context.Context, changed func(Batch)) {
	timer := time.NewTimer(time.Hour)
	defer timer.Stop()
	for ctx.Err() == nil {
		b, due, wait := m.take()
		if due {
			changed(b)
			continue
		}
		if wait == 0 {
			wait = time.Hour // nothing is there: ready says when
		}
		timer.Reset(wait)
		select {
		case <-ctx.Done():
		case <-m.ready:
		case <-timer.C:
		}
	}
}
