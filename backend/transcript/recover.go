package transcript

import (
	"bytes"

	"tidemark/backend/memory"
)

// maxWork bounds the bytes that recovery may look at, as a multiple of the
// line: each failed try can walk to the end. OpenClaw nests fewer than twenty
// objects, so that a cut-off record costs at most twenty such tries.
const maxWork = 64

// Recover finds whole entries in a line that Decode refused: two records
// without a line feed between them, a record that was cut off with a whole one
// behind it, a run of NULs before a record. It calls yield with each entry,
// in order; the event is overwritten by the next. It gives the number of
// entries found, and the first error of yield, after which it stops.
//
// A part of a record is never taken for an entry: an entry has a type that is
// known, an id and a time, and does not stand where a value of an object or
// an array stands.
func (d *Decoder) Recover(line []byte, ev *memory.Event, yield func(*memory.Event) error) (found int, err error) {
	for at, work := 0, maxWork*len(line); work > 0; {
		n := bytes.IndexByte(line[at:], '{')
		if n < 0 {
			return found, nil
		}
		at += n
		clean(ev)
		d.cur = cursor{b: line, i: at}
		err := d.object(ev)
		work -= max(d.cur.i-at, 1)
		switch {
		case err != nil:
			at++
		case d.rec.shape != "" || !whole(ev) || inside(line, at, d.cur.i):
			at = d.cur.i // a complete object, but a part of something else
		default:
			found++
			at = d.cur.i
			if err := yield(ev); err != nil {
				return found, err
			}
		}
	}
	return found, nil
}

// whole says that an object found inside a damaged line is an entry.
func whole(ev *memory.Event) bool {
	switch ev.Kind {
	case memory.KindUnknown:
		return false
	case memory.KindSession:
		return ev.Header.ID != ""
	default:
		return ev.ID != "" && ev.At != 0
	}
}

// inside says that the object from start to end of a damaged line stands where
// a value stands: behind a colon, a bracket or a comma, and before a comma or
// the end of an object or array. The arguments of a tool call, say, may look
// like an entry.
func inside(line []byte, start, end int) bool {
	before := bytes.TrimRight(line[:start], " \t")
	behind := bytes.TrimLeft(line[end:], " \t")
	return len(before) > 0 && len(behind) > 0 &&
		bytes.IndexByte([]byte(":,["), before[len(before)-1]) >= 0 &&
		bytes.IndexByte([]byte(",}]"), behind[0]) >= 0
}
