package kept

import (
	"hash/maphash"
	"math/bits"
	"slices"
	"sync"
)

// entry is a statement's text in the index.
type entry struct {
	it *item // nil where the text is no longer that of a statement
	*reading
}

// literal is a text that says what an entry says, and the one before it with the
// same hash.
type literal struct {
	*entry
	next int32
}

// textIndex finds statements by their texts: literally, and by rare parts of
// them. Parts are numbers in buckets; the buckets of most texts are packed into
// one slice, those of later ones are kept apart until they are too many.
type textIndex struct {
	exact   map[uint64]int32 // the last of the texts with a hash, plus 1
	texts   []literal
	entries []*entry
	packed  int // how many entries are packed
	mask    uint32
	offsets []uint32
	list    []uint32
	later   map[uint32][]uint32
	bulk    bool // entries come by the thousand: they are packed at last
}

func newTextIndex(n int) textIndex {
	return textIndex{exact: make(map[uint64]int32, n), later: map[uint32][]uint32{}, offsets: make([]uint32, 2)}
}

// worth is how many entries apart make packing worth it.
func (x *textIndex) worth() bool { return len(x.entries)-x.packed > 1024+x.packed/4 }

// add adds the text of a statement, read, and literally other texts that say it.
func (x *textIndex) add(it *item, r *reading, others []string) *entry {
	e := &entry{it: it, reading: r}
	x.literal(e, e.hash)
	for _, o := range others {
		x.literal(e, hashOf(o))
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

// literal notes the hash of another text that says what an entry says.
func (x *textIndex) literal(e *entry, hash uint64) {
	x.texts = append(x.texts, literal{e, x.exact[hash]})
	x.exact[hash] = int32(len(x.texts))
}

// hashOf gives the hash of a text that is the same after normalising.
func hashOf(text string) uint64 { return maphash.String(seed, Normal(text)) }

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

// tallies are at rest: how often each entry occurred, all 0.
var tallies = sync.Pool{New: func() any { return new([]uint16) }}

// best gives those entries that occur most among numbers, measured by how many
// parts they have.
func (x *textIndex) best(r *reading, numbers []uint32) (found []*entry) {
	tally := tallies.Get().(*[]uint16)
	defer tallies.Put(tally)
	if len(*tally) < len(x.entries) {
		*tally = make([]uint16, 2*len(x.entries))
	}
	count := *tally
	var hits []uint64 // likeness above, number below: one order by both
	for _, n := range numbers {
		count[n]++
	}
	for _, n := range numbers {
		e := x.entries[n]
		if count[n] > 0 && e.it != nil {
			hits = append(hits, uint64(2000*int(count[n])/(len(r.tokens)+len(e.tokens)))<<32|uint64(n))
		}
		count[n] = 0
	}
	least := leastOf(hits)
	hits = slices.DeleteFunc(hits, func(h uint64) bool { return h>>32 < least })
	slices.Sort(hits)
	for _, h := range hits[max(len(hits)-mostCompare, 0):] {
		found = append(found, x.entries[uint32(h)])
	}
	return found
}

// leastOf gives the likeness that hits need to be among the best ones.
func leastOf(hits []uint64) uint64 {
	var of [2001]int
	for _, h := range hits {
		of[min(h>>32, 2000)]++
	}
	n := 0
	for likeness := uint64(2000); likeness > 0; likeness-- {
		if n += of[likeness]; n >= mostCompare {
			return likeness
		}
	}
	return 0
}

// literally gives the entries of which a text is one.
func (x *textIndex) literally(hash uint64) (found []*entry) {
	for at := x.exact[hash]; at > 0; at = x.texts[at-1].next {
		found = append(found, x.texts[at-1].entry)
	}
	return found
}
