package stats

import (
	"cmp"
	"slices"

	"tidemark/backend/memory"
	"tidemark/backend/transcript"
)

// TidePoint is one call of a session. At is its time or, where that is not
// known, the time of what stands before it.
type TidePoint struct {
	At    memory.Millis
	Entry string
	Call  *memory.Call
}

// TideFall is a compaction or a reset.
type TideFall struct {
	At         memory.Millis
	Entry      string
	Reset      bool
	Reason     string // of a reset, "" where not known
	Before     int64  // tokens, 0: not recorded
	After      int64  // likewise
	Superseded bool   // not on the visible path
	Call       int    // position of the first call behind it, the number of calls where there is none
}

// Tide is the course of a context: its calls and falls in the order of time.
type Tide struct {
	Points []TidePoint
	Falls  []TideFall
}

// TideOf gives the tide of a session. copied holds, by position, calls that
// count elsewhere and are not in entries; shape is that of the entries.
func TideOf(entries []memory.Entry, copied []*memory.Call, shape transcript.Shape) (t Tide) {
	onPath := make([]bool, len(entries))
	for _, i := range shape.Path {
		onPath[i] = true
	}
	for _, m := range moments(entries, copied) {
		e := &entries[m.entry]
		if m.call != nil {
			t.Points = append(t.Points, TidePoint{At: m.at, Entry: e.ID, Call: m.call})
			continue
		}
		f := TideFall{At: m.at, Entry: e.ID, Superseded: !onPath[m.entry], Call: len(t.Points)}
		if f.Reset = e.Kind == memory.KindReset; f.Reset {
			f.Reason = e.Text
		} else if c := e.Compaction; c != nil {
			f.Before, f.After = c.TokensBefore, c.TokensAfter
		}
		t.Falls = append(t.Falls, f)
	}
	return t
}

// moment is a call, or a fall where call is nil.
type moment struct {
	entry int
	at    memory.Millis
	call  *memory.Call
}

// moments gives calls and falls in the order of time.
func moments(entries []memory.Entry, copied []*memory.Call) []moment {
	found := make([]moment, 0, len(entries))
	var last memory.Millis
	for i := range entries {
		e := &entries[i]
		if e.At != 0 {
			last = e.At
		}
		call := e.Call
		if call == nil && i < len(copied) {
			call = copied[i]
		}
		if call != nil || e.Kind == memory.KindCompaction || e.Kind == memory.KindReset {
			found = append(found, moment{i, last, call})
		}
	}
	slices.SortStableFunc(found, func(a, b moment) int { return cmp.Compare(a.at, b.at) })
	return found
}

// Level gives how full the context was when a call was made, -1 where no usage
// was reported.
func (p TidePoint) Level() int64 {
	if !p.Call.Reported {
		return -1
	}
	return p.Call.Usage.Prompt()
}
