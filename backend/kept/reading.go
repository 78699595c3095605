package kept

import "slices"

// reading is what of a statement is compared.
type reading struct {
	words  []uint32 // concepts and words of scripts with blanks, ascending, each once
	runs   []uint32 // unknown ideographs that stand together, ascending, each once
	order  []uint32 // words, runs, choices and values as they stand
	names  []uint32 // runs and unknown words as they stand
	joined string   // unknown ideographs as they stand
	tokens []uint32 // by which it is found
	hash   uint64   // of the normalised text
	picks  []pick   // choices, by class
	values []value  // ascending
	slots  []slot   // what one thing is
	leaves []uint32 // things that the speaker turns away from

	han      bool // it has Chinese or Japanese characters
	not      bool // it prohibits, or denies
	may      bool // it permits
	only     bool
	except   bool
	cond     bool
	than     bool // sets one thing against another: the order counts
	mark     bool // something is different from before
	now      bool // perhaps
	noMore   bool // … no longer
	strong   int  // how many things tell a subject
	clauses  int
	contrary bool   // clauses prohibit and permit
	denial   uint32 // what stands before a word that prohibits, in its clause
}

// pick is a value of a choice.
type pick struct {
	choice uint8
	many   bool
	id     uint32
}

// finish puts what was read in order.
func (p *reader) finish() {
	r := p.reading
	slices.Sort(r.words)
	slices.Sort(r.runs)
	r.words, r.runs = slices.Compact(r.words), slices.Compact(r.runs)
	slices.SortFunc(r.values, compareValues)
	slices.SortFunc(r.picks, func(a, b pick) int {
		if a.choice != b.choice {
			return int(a.choice) - int(b.choice)
		}
		return int(int64(a.id) - int64(b.id))
	})
	r.picks = slices.Compact(r.picks)
	for i := 1; i < len(r.picks); i++ {
		r.than = r.than || r.picks[i].choice == r.picks[i-1].choice // one of two: which one counts
	}
	r.dropRate()
	r.tokens = append(r.tokens, r.words...)
	last := rune(0)
	for _, c := range string(p.joins) {
		if last != 0 {
			r.tokens = append(r.tokens, uint32(last)<<16^uint32(c)*2654435761)
		}
		last = c
	}
	r.tokens = append(r.tokens, r.runs...)
	for _, s := range r.slots {
		r.tokens = append(r.tokens, s.id*31+s.of)
	}
	slices.Sort(r.tokens)
	r.tokens = slices.Compact(r.tokens)
}

var (
	rated = [...]uint32{conceptID("report.daily"), conceptID("report.weekly"), conceptID("report.monthly")}
	rates = [...]uint32{conceptID("rate daily"), conceptID("rate weekly"), conceptID("rate monthly")}
)

// dropRate takes out how often a daily, weekly or monthly report comes: its name
// says it.
func (r *reading) dropRate() {
	for i, report := range rated {
		if _, ok := slices.BinarySearch(r.words, report); ok {
			id := rates[i]
			r.picks = slices.DeleteFunc(r.picks, func(p pick) bool { return p.id == id })
			r.order = slices.DeleteFunc(r.order, func(o uint32) bool { return o == id })
		}
	}
}
