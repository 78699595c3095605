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
	clean(ev)
	d.cur = cursor{b: nav}
	d.rec = record{}
	found := false
	err := d.cur.fields(0, func(key []byte) error {
		if string(key) != "model" || d.cur.space() != '{' {
			return d.cur.skip()
		}
		found = true
		return d.object(ev)
	})
	if err == nil {
		err = d.cur.ended()
	}
	switch {
	case err != nil:
		return err
	case !found || ev.Type == "" || d.rec.shape != "":
		return fmt.Errorf("%w: no navigation", ErrShape)
	}
	return nil
}

// DecodeHead reads an entry from the beginning of its JSON. ok says that its
// type, id, parent, time and role stood there; the rest is not looked at. A
// whole record is no head: ok is false.
func (d *Decoder) DecodeHead(head []byte, ev *memory.Event) (ok bool) {
	clean(ev)
	d.cur = cursor{b: withoutLiteral(head)}
	d.ev, d.rec = ev, record{}
	if d.cur.space() != '{' || d.cur.fields(0, d.field) == nil {
		return false
	}
	if d.rec.content = 0; d.finish() != nil {
		return false
	}
	return ev.Type != "" && ev.ID != "" && ev.HasParent && ev.At != 0 && ev.Message.RoleName != ""
}

// withoutLiteral takes off the end of a head what may be the first half of a
// number: read as a whole one it would be another moment.
func withoutLiteral(head []byte) []byte {
	n := len(head)
	for n > 0 && head[n-1] >= '0' && head[n-1] <= '9' {
		n--
	}
	return head[:n]
}
