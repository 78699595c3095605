package transcript

import (
	"fmt"

	"tidemark/backend/memory"
)

// DecodeNavigation reads an entry from the summary that the newest database
// keeps beside a compressed row (navigation_json, version 1): its type, id,
// parent, time and role. It is enough for rows that hold neither usage nor
// text that is asked for. The error is as that of Decode.
func (d *Decoder) DecodeNavigation(nav []byte, ev *memory.Event) error {
	*ev = memory.Event{}
	ev.Compaction.FirstKeptIndex = -1
	d.cur = cursor{b: nav}
	found := false
	err := d.cur.fields(0, func(key []byte) error {
		if string(key) != "model" || d.cur.space() != '{' {
			return d.cur.skip()
		}
		found = true
		return d.object(ev)
	})
	switch {
	case err != nil:
		return err
	case !found || ev.Type == "" || d.shape != "":
		return fmt.Errorf("%w: no navigation", ErrShape)
	}
	return nil
}

// DecodeHead reads an entry from the beginning of its JSON. ok says that its
// type, id, time and role stood there; the rest is not looked at.
func (d *Decoder) DecodeHead(head []byte, ev *memory.Event) (ok bool) {
	*ev = memory.Event{}
	ev.Compaction.FirstKeptIndex = -1
	d.cur = cursor{b: head}
	d.ev, d.entry, d.shape = ev, memory.Usage{}, ""
	if d.cur.space() != '{' || d.cur.fields(0, d.field) == nil {
		return false
	}
	d.finish()
	return ev.Type != "" && ev.ID != "" && ev.At != 0 && ev.Message.RoleName != ""
}
