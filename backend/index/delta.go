package index

import (
	"database/sql"

	"tidemark/backend/memory"
)

// sessionDelta is what a batch adds to the sums of a session.
type sessionDelta struct {
	id       int64
	sid      string
	headerAt memory.Millis
	kinds    map[memory.SourceKind]bool
	kin      bool // it is known where its calls were copied from
	touched  bool

	entries, messages, userMessages, compactions int64
	calls, unreported, unpriced                  int64
	input, output, cacheRead, cacheWrite         int64
	cost                                         memory.Money
	started, updated                             memory.Millis
	context                                      sql.NullInt64
	contextAt                                    memory.Millis
	contextSet                                   bool
	provider, model, title                       string
	modelAt                                      memory.Millis
	modelSet                                     bool
}

func (d *sessionDelta) time(at memory.Millis) {
	if at == 0 {
		return
	}
	if d.started == 0 || at < d.started {
		d.started = at
	}
	d.updated = max(d.updated, at)
}

// count adds an entry that was new.
func (d *sessionDelta) count(e *memory.Entry, double bool) {
	d.touched = true
	d.entries++
	d.time(e.At)
	if d.title == "" {
		d.title = e.Title
	}
	switch e.Kind {
	case memory.KindMessage:
		if double {
			return
		}
		d.messages++
		if e.Role == memory.RoleUser {
			d.userMessages++
		}
	case memory.KindCompaction:
		d.compactions++
		d.setContext(e.At, e.Compaction.TokensAfter)
	case memory.KindReset:
		d.setContext(e.At, 0)
	}
}

// setContext notes the size of the context after an entry, 0 where it is not
// known.
func (d *sessionDelta) setContext(at memory.Millis, tokens int64) {
	if at < d.contextAt {
		return
	}
	d.touched, d.contextSet, d.contextAt = true, true, at
	d.context = sql.NullInt64{Int64: tokens, Valid: tokens > 0}
}

// setModel notes which model a call went to.
func (d *sessionDelta) setModel(at memory.Millis, provider, model string) {
	if at < d.modelAt {
		return
	}
	d.touched, d.modelSet, d.modelAt, d.provider, d.model = true, true, at, provider, model
}

// usage adds a call to the sums, or with n = -1 takes it off.
func (d *sessionDelta) usage(n int64, u memory.Usage, cost memory.Money, unpriced, unreported bool) {
	d.touched = true
	d.calls += n
	d.input, d.output, d.cacheRead, d.cacheWrite = d.input+n*u.Input, d.output+n*u.Output, d.cacheRead+n*u.CacheRead, d.cacheWrite+n*u.CacheWrite
	d.cost += memory.Money(n) * cost
	if unpriced {
		d.unpriced += n
	}
	if unreported {
		d.unreported += n
	}
}

// sum adds what the batch gathered to the sums of its sessions.
func (b *Batch) sum() error {
	for _, d := range b.sessions {
		if err := b.sumOne(d); err != nil {
			return err
		}
	}
	return nil
}

func (b *Batch) sumOne(d *sessionDelta) error {
	if !d.touched {
		return nil
	}
	err := b.exec(sumSession, d.entries, d.messages, d.userMessages, d.compactions,
		d.calls, d.unreported, d.unpriced, d.input, d.output, d.cacheRead, d.cacheWrite, d.cost,
		d.started, d.started, d.started, d.updated,
		d.contextSet, d.contextAt, d.context, d.contextSet, d.contextAt,
		d.modelSet, d.modelAt, d.provider, d.modelSet, d.modelAt, d.model, d.modelSet, d.modelAt, d.title, d.id)
	*d = sessionDelta{id: d.id, sid: d.sid, headerAt: d.headerAt, kinds: d.kinds, kin: d.kin}
	return err
}
