package kept

import (
	"cmp"
	"hash/maphash"
	"math/bits"
	"slices"
)

// entry is a statement's text in the index.
type entry struct {
	it   *item // nil where the text is no longer that of a statement
	text string
	*reading
}

// textIndex finds statements by their texts: literally, and by rare parts of
// them. Parts are numbers in buckets; the buckets of most texts are packed into
// one slice, those of later ones are kept apart until they are too many.
type textIndex struct {
	exact   map[uint64][]*entry
	entries []*entry
	packed  int // how many entries are packed
	mask    uint32
	offsets []uint32
	list    []uint32
	later   map[uint32][]uint32
	bulk    bool // entries come by the thousand: they are packed at last
}

func newTextIndex(n int) textIndex {
	return textIndex{exact: make(map[uint64][]*entry, n), later: map[uint32][]uint32{}, offsets: make([]uint32, 2)}
}

// worth is how many entries apart make packing worth it.
func (x *textIndex) worth() bool { return len(x.entries)-x.packed > 1024+x.packed/4 }

// add adds the text of a statement, and literally other texts that say it.
func (x *textIndex) add(it *item, others []string) *entry {
	e := &entry{it: it, text: it.Text, reading: read(it.Text)}
	x.literal(e, it.Text)
	for _, o := range others {
		x.literal(e, o)
	}
	number := uint32(len(x.entries))
	x.entries = append(x.entries, e)
	if x.bulk {
		return e
	}
	for _, t := range e.tokens {
		x.later[t&x.mask] = append(x.later[t&x.mask], number)
	}
	if x.worth() {
		x.pack()
	}
	return e
}

// literal notes another text that says what an entry says.
func (x *textIndex) literal(e *entry, text string) {
	h := maphash.String(seed, Normal(text))
	if !slices.Contains(x.exact[h], e) {
		x.exact[h] = append(x.exact[h], e)
	}
}

// pack packs all entries anew.
func (x *textIndex) pack() {
	n := 16
	if len(x.entries) > 0 {
		n = max(n, bits.Len(uint(len(x.entries)))+2)
	}
	x.mask = 1<<min(n, 20) - 1
	x.offsets = make([]uint32, x.mask+2)
	total := 0
	for _, e := range x.entries {
		for _, t := range e.tokens {
			x.offsets[t&x.mask+1]++
			total++
		}
	}
	for i := range x.offsets[1:] {
		x.offsets[i+1] += x.offsets[i]
	}
	x.list = make([]uint32, total)
	fill := slices.Clone(x.offsets)
	for number, e := range x.entries {
		for _, t := range e.tokens {
			x.list[fill[t&x.mask]] = uint32(number)
			fill[t&x.mask]++
		}
	}
	x.packed, x.later, x.bulk = len(x.entries), map[uint32][]uint32{}, false
}

// Bounds of what is looked at for one text.
const (
	mostHits    = 3000 // entries that share a part
	mostCompare = 96   // entries that are compared
)

// hit is an entry and how many parts it shares.
type hit struct {
	number uint32
	shared int
}

// near gives the entries that share most with a text, those with rare parts
// before others.
func (x *textIndex) near(r *reading) []*entry {
	var numbers []uint32
	buckets := make([][2][]uint32, 0, len(r.tokens))
	for _, t := range r.tokens {
		bucket := t & x.mask
		buckets = append(buckets, [2][]uint32{x.list[x.offsets[bucket]:x.offsets[bucket+1]], x.later[bucket]})
	}
	slices.SortFunc(buckets, func(a, b [2][]uint32) int { return len(a[0]) + len(a[1]) - len(b[0]) - len(b[1]) })
	for _, b := range buckets {
		for _, part := range [2][]uint32{b[1], b[0]} {
			room := mostHits - len(numbers)
			numbers = append(numbers, part[max(len(part)-room, 0):]...) // the newest of too many
		}
	}
	return x.best(r, numbers)
}

// best gives those entries that occur most among numbers.
func (x *textIndex) best(r *reading, numbers []uint32) (found []*entry) {
	slices.Sort(numbers)
	var hits []hit
	for i, n := range numbers {
		switch {
		case x.entries[n].it == nil:
		case i > 0 && numbers[i-1] == n:
			hits[len(hits)-1].shared++
		default:
			hits = append(hits, hit{n, 1})
		}
	}
	likeness := func(h hit) int { return 2000 * h.shared / (len(r.tokens) + len(x.entries[h.number].tokens)) }
	if len(hits) > mostCompare {
		slices.SortFunc(hits, func(a, b hit) int { return cmp.Or(likeness(b)-likeness(a), int(b.number)-int(a.number)) })
		hits = hits[:mostCompare]
	}
	for _, h := range hits {
		found = append(found, x.entries[h.number])
	}
	return found
}

// literally gives the entries of which a text is one.
func (x *textIndex) literally(text string) []*entry {
	return x.exact[maphash.String(seed, Normal(text))]
}
