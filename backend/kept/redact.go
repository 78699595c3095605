package kept

import (
	"slices"
	"strings"

	"tidemark/backend/memory"
)

// forgottenMark stands where a forgotten text stood.
const forgottenMark = "[forgotten]"

func isMark(text string) bool { return strings.HasPrefix(text, forgottenMark) }

// shortest is how many normalised runes a text needs to be looked for within
// others: fewer stand everywhere by chance.
const shortest = 4

// Redactor takes forgotten texts out of others. The nil Redactor takes out
// nothing. Safe for concurrent use.
type Redactor struct {
	prints
	lengths []ofLength // ascending
}

// ofLength are the forgotten texts of one length.
type ofLength struct {
	runes int
	power uint64     // the base to the power of runes
	maybe [16]uint64 // by ten bits of the fingerprint: whether there is one
	by    map[uint64][]Forgotten
}

// NewRedactor makes a Redactor of tombstones that were made with the same key.
func NewRedactor(key []byte, texts []Forgotten) *Redactor {
	r := &Redactor{prints: newPrints(key)}
	byRunes := map[int]*ofLength{}
	for _, t := range texts {
		if t.Runes <= 0 {
			continue
		}
		l := byRunes[t.Runes]
		if l == nil {
			l = &ofLength{runes: t.Runes, power: 1, by: map[uint64][]Forgotten{}}
			for range t.Runes {
				l.power = mulMod(l.power, r.base)
			}
			byRunes[t.Runes] = l
		}
		h := t.Print ^ r.pad(t.Sum)
		l.by[h] = append(l.by[h], t)
		l.maybe[h>>6&15] |= 1 << (h & 63)
	}
	for _, l := range byRunes {
		r.lengths = append(r.lengths, *l)
	}
	slices.SortFunc(r.lengths, func(a, b ofLength) int { return a.runes - b.runes })
	return r
}

// Redact puts "[forgotten]" in every place of a text whose normal form is a
// forgotten text: whole words, and where it has fewer than four runes, the whole
// text or a whole line. It says whether there was one.
func (r *Redactor) Redact(text string) (string, bool) { return r.RedactAt(text, 0) }

// RedactAt is Redact for a text that was written at a moment: what was forgotten
// before it is not taken out. 0 stands for any time.
func (r *Redactor) RedactAt(text string, at memory.Millis) (string, bool) {
	if r == nil || len(r.lengths) == 0 {
		return text, false
	}
	found := false
	for { // what is left reads anew: a dash before a number is a sign where no word stands before it
		left, some := r.once(text, at)
		if !some {
			return text, found
		}
		text, found = left, true
	}
}

// once goes over a text once.
func (r *Redactor) once(text string, at memory.Millis) (string, bool) {
	n := normaliser{places: true, out: make([]rune, 0, len(text)), at: make([]span, 0, len(text))}
	n.run(text)
	found := r.find(&n, text, at)
	if len(found) == 0 {
		return text, false
	}
	var b strings.Builder
	end := 0
	for _, s := range merge(found) {
		b.WriteString(text[end:n.at[s.from].from])
		b.WriteString(forgottenMark)
		end = int(n.at[s.to-1].to)
	}
	b.WriteString(text[end:])
	return b.String(), true
}

// stretch is a part of normalised text, to exclusive.
type stretch struct{ from, to int }

// merge joins stretches that overlap.
func merge(all []stretch) []stretch {
	slices.SortFunc(all, func(a, b stretch) int { return a.from - b.from })
	merged := all[:1]
	for _, s := range all[1:] {
		if last := &merged[len(merged)-1]; s.from < last.to {
			last.to = max(last.to, s.to)
		} else {
			merged = append(merged, s)
		}
	}
	return merged
}

// find gives the places of forgotten texts.
func (r *Redactor) find(n *normaliser, text string, at memory.Millis) (found []stretch) {
	sums := make([]uint64, len(n.out)+1) // fingerprints of what stands before each rune
	for i, c := range n.out {
		sums[i+1] = addMod(mulMod(sums[i], r.base), uint64(uint32(c)+1))
	}
	starts := beginnings(n)
	for i := range r.lengths {
		found = r.findLength(found, &r.lengths[i], sums, starts, n, text, at)
	}
	return found
}

// beginnings gives where forgotten texts may begin: not within a word.
func beginnings(n *normaliser) []int32 {
	starts := make([]int32, 0, len(n.out))
	within := false // the rune before is of a word
	for i, r := range n.out {
		word := inWord(r)
		if r != ' ' && r != barrier && !(within && word) {
			starts = append(starts, int32(i))
		}
		within = word
	}
	return starts
}

// findLength adds the places of forgotten texts of one length.
func (r *Redactor) findLength(found []stretch, l *ofLength, sums []uint64, starts []int32, n *normaliser, text string, at memory.Millis) []stretch {
	if l.runes >= len(sums) {
		return found
	}
	ends := sums[l.runes:]
	for _, from := range starts {
		if int(from) >= len(ends) {
			break
		}
		h := ends[from] + prime - mulMod(sums[from], l.power)
		if h >= prime {
			h -= prime
		}
		if l.maybe[h>>6&15]>>(h&63)&1 == 0 {
			continue
		}
		if to := int(from) + l.runes; r.holds(l, h, n, int(from), to, at) && fits(n, text, int(from), to) {
			found = append(found, stretch{int(from), to})
		}
	}
	return found
}

// holds says whether a stretch is a text that is forgotten for a moment.
func (r *Redactor) holds(l *ofLength, h uint64, n *normaliser, from, to int, at memory.Millis) bool {
	texts := l.by[h]
	if len(texts) == 0 || n.out[to-1] == ' ' || slices.Contains(n.out[from:to], barrier) {
		return false
	}
	sum := r.sum(n.out[from:to])
	return slices.ContainsFunc(texts, func(t Forgotten) bool { return t.Sum == sum && (at == 0 || t.At == 0 || at <= t.At) })
}

// fits says whether a stretch stands for itself: it does not end within a word,
// and a short one is a whole line.
func fits(n *normaliser, text string, from, to int) bool {
	if to < len(n.out) && joined(n.out[to-1], n.out[to]) {
		return false
	}
	if to-from >= shortest {
		return true
	}
	return lineEnds(n, text, from-1) && lineEnds(n, text, to-1)
}

// lineEnds says whether a line, or the text, ends between a rune of normalised
// text and the next one.
func lineEnds(n *normaliser, text string, at int) bool {
	if at >= 0 && n.out[at] == ' ' {
		at--
	}
	if at < 0 {
		return true
	}
	next := at + 1
	if next < len(n.out) && n.out[next] == ' ' {
		next++
	}
	return next >= len(n.out) || strings.ContainsAny(text[n.at[at].to:n.at[next].from], "\r\n")
}

// joined says whether two runes that stand side by side are of one word.
func joined(a, b rune) bool { return inWord(a) && inWord(b) }

func inWord(r rune) bool {
	return r >= 'a' && r <= 'z' || isDigit(r) || inNumber(r) || r > 0x7f && !isCJK(r) && isWord(r)
}
