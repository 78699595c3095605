package stats

import "tidemark/backend/memory"

// Flush says whether OpenClaw's memory flush ran before a compaction.
type Flush string

// What can be told of it.
const (
	FlushRan     Flush = "ran"
	FlushNot     Flush = "not"
	FlushUnknown Flush = "unknown"
)

// FlushBefore tells it for the n-th of a session's compactions, counted from 0,
// from what the session's row notes: when the last flush was, and in which cycle
// (memoryFlushAt, memoryFlushCompactionCount). The row knows of the last flush
// alone, and OpenClaw's own count of compactions is often too low: what a later
// flush has overwritten is unknown.
func FlushBefore(notes memory.SessionMeta, compactions []CompactionRecord, n int) Flush {
	var previous memory.Millis
	if n > 0 {
		previous = compactions[n-1].At
	}
	at := compactions[n].At
	switch flushed := notes.FlushAt; {
	case flushed != 0 && at != 0 && flushed > at:
		return FlushUnknown
	case flushed != 0 && at != 0 && (n == 0 || previous != 0 && flushed > previous):
		return FlushRan
	case flushed != 0 && at != 0 && previous != 0:
		return FlushNot
	}
	cycle := notes.FlushCompaction
	switch {
	case cycle == nil || int64(n) < *cycle:
		return FlushUnknown
	case int64(n) == *cycle:
		return FlushRan
	}
	return FlushNot
}
