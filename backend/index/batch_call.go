package index

import (
	"tidemark/backend/memory"
)

// Flags of a call row.
const (
	callBackground = 1 << iota
	callFailed
	callInvalid  // its cost is unknown for good
	callReported // the provider reported usage
	callRecorded // a cost was recorded, be it zero
)

// Values of the column copy.
const (
	counts = 0 // the call counts here
	copied = 1 // the call counts in another session
)

func callFlags(c *memory.Call) (flags int) {
	for _, f := range []struct {
		bit int
		set bool
	}{{callBackground, c.Background}, {callFailed, c.Failed}, {callInvalid, c.Usage.Invalid}, {callReported, c.Reported}, {callRecorded, c.Usage.HasCost}} {
		if f.set {
			flags |= f.bit
		}
	}
	return flags
}

// call adds the call of an entry that was new. A call that is in several
// sessions counts in the one that began first.
func (b *Batch) call(d *sessionDelta, e *memory.Entry, row int64) error {
	c := e.Call
	model, err := b.model(c.Provider, c.Model)
	if err != nil {
		return err
	}
	if p := c.Usage.Prompt(); p > 0 {
		d.setContext(e.At, p)
	}
	d.setModel(e.At, c.Provider, c.Model)
	fresh, err := b.insertCall(d, e, row, model, counts)
	if err != nil {
		return err
	}
	if !fresh {
		return b.shared(d, e, row, model)
	}
	d.usage(1, c.Usage, c.Cost, c.Price == memory.PriceUnknown, !c.Reported)
	return nil
}

// insertCall gives whether the call was not yet counted.
func (b *Batch) insertCall(d *sessionDelta, e *memory.Entry, row, model int64, as int) (fresh bool, err error) {
	c, u := e.Call, e.Call.Usage
	res, err := b.run(insertCall, row, d.id, int64(c.Once), as, e.At, model, callFlags(c), u.Input, u.Output, u.CacheRead, u.CacheWrite, u.CacheWrite1h, c.Cost, c.Price)
	if err != nil {
		return false, err
	}
	n, err := res.RowsAffected()
	return n > 0, err
}

// counted is a call that counts, and where.
type counted struct {
	entry    int64
	session  string
	headerAt memory.Millis
	flags    int
	usage    memory.Usage
	cost     memory.Money
	price    memory.PriceSource
}

func (b *Batch) counted(once uint64) (c counted, err error) {
	u := &c.usage
	err = b.row(`SELECT c.entry, s.sid, s.header_at, c.flags, c.input, c.output, c.cache_read, c.cache_write, c.cost, c.price FROM call c JOIN session s ON s.id=c.session
		WHERE c.once=? AND c.copy=0`, []any{int64(once)}, &c.entry, &c.session, &c.headerAt, &c.flags, &u.Input, &u.Output, &u.CacheRead, &u.CacheWrite, &c.cost, &c.price)
	return c, err
}

// began says that session a, with its header's time, began before session b.
// One whose header is not known began last.
func began(a string, at memory.Millis, b string, bt memory.Millis) bool {
	switch {
	case at == bt:
		return a < b
	case at == 0:
		return false
	default:
		return bt == 0 || at < bt
	}
}

// shared adds a call that counts already: as a copy, or in its place where
// this session began earlier.
func (b *Batch) shared(d *sessionDelta, e *memory.Entry, row, model int64) error {
	old, err := b.counted(e.Call.Once)
	if err != nil {
		return err
	}
	if !began(d.sid, d.headerAt, old.session, old.headerAt) {
		if err := b.related(d, old.session); err != nil {
			return err
		}
		_, err := b.insertCall(d, e, row, model, copied)
		return err
	}
	owner, err := b.session(old.session)
	if err != nil {
		return err
	}
	if err := b.related(owner, d.sid); err != nil {
		return err
	}
	b.s.group.altered = true
	if err := b.exec("UPDATE call SET copy=1 WHERE entry=?", old.entry); err != nil {
		return err
	}
	owner.usage(-1, old.usage, old.cost, old.price == memory.PriceUnknown, old.flags&callReported == 0)
	if _, err := b.insertCall(d, e, row, model, counts); err != nil {
		return err
	}
	d.usage(1, e.Call.Usage, e.Call.Cost, e.Call.Price == memory.PriceUnknown, !e.Call.Reported)
	return nil
}

// related notes that a session holds calls copied from another one.
func (b *Batch) related(d *sessionDelta, from string) error {
	if d.kin || d.sid == from {
		return nil
	}
	d.kin = true
	return b.exec("UPDATE session SET kin=? WHERE id=? AND kin=''", from, d.id)
}

func (b *Batch) model(provider, name string) (int64, error) {
	key := [2]string{provider, name}
	if id, ok := b.s.models[key]; ok {
		return id, nil
	}
	var id int64
	if err := b.row(addModel, []any{provider, name}, &id); err != nil {
		return 0, err
	}
	b.s.models[key] = id
	return id, nil
}
