package transcript

import (
	"bytes"

	"tidemark/backend/memory"
)

const (
	// maxTries bounds how often recovery starts anew on one line. A line with
	// more openings than that is not a line of spliced records.
	maxTries = 2000
	// maxWork bounds the bytes that recovery may look at, as a multiple of the
	// line: each failed try can walk to the end.
	maxWork = 64
)

// Recover finds whole entries in a line that Decode refused: two records
// without a line feed between them, a record that was cut off with a whole one
// behind it, a run of NULs before a record. It calls yield with each entry,
// in order; the event is overwritten by the next. It gives the number of
// entries found. A part of a cut-off record is never taken for an entry: an
// entry has a type that is known, and an id or a time.
func (d *Decoder) Recover(line []byte, ev *memory.Event, yield func(*memory.Event) error) (found int, err error) {
	work := maxWork * len(line)
	for at, tries := 0, 0; tries < maxTries && work > 0; tries++ {
		n := bytes.IndexByte(line[at:], '{')
		if n < 0 {
			return found, nil
		}
		at += n
		*ev = memory.Event{}
		ev.Compaction.FirstKeptIndex = -1
		d.cur = cursor{b: line, i: at}
		err := d.object(ev)
		work -= d.cur.i - at
		switch {
		case err != nil:
			at++
		case !whole(ev) || d.shape != "":
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
