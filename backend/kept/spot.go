package kept

import (
	"hash/maphash"

	"tidemark/backend/memory"
)

// spot is a part of a message that the book knows.
type spot struct {
	start, end int32
	next       int32 // the one before it in the same message, plus 1
}

var seed = maphash.MakeSeed()

// spot notes where a line stands. Two things tell its message: the key, and,
// since a key changes where more of a text is masked, the entry and the moment.
// What was forgotten is known by the entry alone: a tombstone's moment is another.
func (b *Book) spot(line *memory.KeptLine) {
	if line.End <= line.Start {
		return
	}
	all, n := places(line)
	for _, h := range all[:n] {
		b.places = append(b.places, spot{int32(line.Start), int32(line.End), b.spots[h]})
		b.spots[h] = int32(len(b.places))
	}
}

// places gives n numbers for what tells the message of a line.
func places(line *memory.KeptLine) (all [3]uint64, n int) {
	if line.Key != "" {
		all[n] = maphash.Comparable(seed, line.Key)
		n++
	}
	if line.Entry != "" {
		place := entryPlace{line.Agent, line.Entry, line.At}
		if line.Kind == memory.KeptForget {
			place.at = forgottenPlace
		}
		all[n] = maphash.Comparable(seed, place)
		n++
	}
	return all, n
}

// entryPlace tells an entry as it was at a moment.
type entryPlace struct {
	agent, entry string
	at           memory.Millis
}

// forgottenPlace stands for any moment.
const forgottenPlace memory.Millis = -1 << 63

// known says whether the book has what stands at the place of a new statement,
// be it found with another rule and so with another span.
func (b *Book) known(line *memory.KeptLine) bool {
	if b.Has(line.ID) {
		return true
	}
	all, n := places(line)
	if line.Entry != "" {
		all[n] = maphash.Comparable(seed, entryPlace{line.Agent, line.Entry, forgottenPlace})
		n++
	}
	for _, h := range all[:n] {
		for at := b.spots[h]; at > 0; at = b.places[at-1].next {
			s := b.places[at-1]
			from, to := int(s.start), int(s.end)
			shared := min(to, line.End) - max(from, line.Start)
			if shared > 0 && 2*shared >= min(to-from, line.End-line.Start) {
				return true
			}
		}
	}
	return false
}

// Has says whether a statement, a repeat or a decision is known by an id, be it
// that it was forgotten.
func (b *Book) Has(id string) bool {
	_, there := b.lines[id]
	_, forgotten := b.stones[id]
	return there || forgotten
}
