package kept

import (
	"hash/maphash"
	"strconv"

	"tidemark/backend/memory"
)

// spot is a part of a message that the book knows.
type spot struct {
	start, end int
}

var seed = maphash.MakeSeed()

// spot notes where a line stands. Two things tell its message: the key, and,
// since a key changes where more of a text is masked, the entry and the moment.
// What was forgotten is known by the entry alone: a tombstone's moment is another.
func (b *Book) spot(line *memory.KeptLine) {
	if line.End <= line.Start {
		return
	}
	for _, h := range places(line) {
		b.spots[h] = append(b.spots[h], spot{line.Start, line.End})
	}
}

// places gives numbers for what tells the message of a line.
func places(line *memory.KeptLine) (all []uint64) {
	if line.Key != "" {
		all = append(all, maphash.String(seed, "key "+line.Key))
	}
	switch {
	case line.Entry == "":
	case line.Kind == memory.KeptForget:
		all = append(all, entryPlace(line, ""))
	default:
		all = append(all, entryPlace(line, strconv.FormatInt(int64(line.At), 36)))
	}
	return all
}

func entryPlace(line *memory.KeptLine, at string) uint64 {
	return maphash.String(seed, "entry "+line.Agent+"\x00"+line.Entry+"\x00"+at)
}

// known says whether the book has what stands at the place of a new statement,
// be it found with another rule and so with another span.
func (b *Book) known(line *memory.KeptLine) bool {
	if b.Has(line.ID) {
		return true
	}
	all := places(line)
	if line.Entry != "" {
		all = append(all, entryPlace(line, ""))
	}
	for _, h := range all {
		for _, s := range b.spots[h] {
			shared := min(s.end, line.End) - max(s.start, line.Start)
			if shared > 0 && 2*shared >= min(s.end-s.start, line.End-line.Start) {
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
