package kept

import "slices"

// same says whether two statements surely say the same: the same things, values
// and choices, with the same bounds, none prohibiting what the other does not.
func same(a, b *reading) bool {
	switch {
	case a.han != b.han || len(a.words)+len(a.runs)+len(a.picks) == 0:
		return false
	case a.not != b.not || a.only != b.only || a.except != b.except || a.cond != b.cond || a.contrary != b.contrary:
		return false
	case !slices.Equal(a.values, b.values) || !slices.Equal(a.picks, b.picks) || !sameThings(a, b):
		return false
	case a.denial != b.denial && a.denial != 0 && b.denial != 0: // use A not B, use B not A
		return false
	case a.than || b.than || a.contrary:
		return slices.Equal(a.order, b.order)
	}
	return a.joined == b.joined && a.joined != "" || slices.Equal(a.names, b.names)
}

// sameThings says whether two statements name the same things.
func sameThings(a, b *reading) bool {
	return slices.Equal(a.words, b.words) && (a.joined == b.joined || slices.Equal(a.runs, b.runs))
}

// follows says whether a statement surely takes the place of an earlier one: it
// is about the same, and says otherwise.
func follows(later, earlier *reading) bool {
	switch {
	case same(later, earlier) || later.han != earlier.han && !later.mark:
		return false
	case otherSlot(later, earlier) || left(later, earlier):
		return true
	case later.except || later.cond || later.contrary || earlier.except != later.except || earlier.cond != later.cond || earlier.contrary:
		return false
	case later.than || earlier.than:
		return false
	}
	about := aboutSame(later, earlier)
	if !about.equal && !(about.within && later.changes()) {
		return false
	}
	if later.not != earlier.not {
		return flips(later, earlier, about)
	}
	return otherValue(later, earlier, about) || otherPick(later, earlier, about)
}

// changes says whether a statement speaks of a change.
func (r *reading) changes() bool { return r.mark || r.noMore || r.now }

// overlap says how the subjects of two statements lie.
type overlap struct {
	equal  bool // they name the same things
	within bool // one names some of the other's, and something that tells
	more   bool // the first one names more
}

func aboutSame(a, b *reading) (o overlap) {
	if sameThings(a, b) {
		return overlap{equal: len(a.words)+len(a.runs)+len(a.picks) > 0}
	}
	x, y := all(a), all(b)
	if o.more = len(x) > len(y); o.more {
		x, y, a = y, x, b
	}
	o.within = len(x) > 0 && a.strong > 0 && subset(x, y)
	return o
}

// subset says whether all of x is in y; both are ascending.
func subset(x, y []uint32) bool {
	for _, v := range x {
		if _, found := slices.BinarySearch(y, v); !found {
			return false
		}
	}
	return true
}

// flips says whether a statement permits what an earlier one prohibits, or the
// other way round. Where they do not name quite the same, the later one has to
// speak of a change, and one that says more than the earlier to permit it.
func flips(later, earlier *reading, about overlap) bool {
	switch {
	case !slices.Equal(later.picks, earlier.picks) && !(about.equal && later.changes() && len(later.picks) == 0):
		return false
	case !about.equal && about.more && (later.not || !later.mark):
		return false
	case slices.Equal(later.values, earlier.values):
		return about.equal || later.mark || later.noMore || later.may
	}
	return later.changes() && (len(later.values) == 0 || len(earlier.values) == 0 && later.noMore)
}

func subsetPicks(a, b *reading) bool {
	if len(a.picks) > len(b.picks) {
		a, b = b, a
	}
	for _, p := range a.picks {
		if !slices.Contains(b.picks, p) {
			return false
		}
	}
	return true
}

// otherValue says whether two statements about the same name other values, of
// which there can be one alone.
func otherValue(later, earlier *reading, about overlap) bool {
	if !slices.Equal(later.picks, earlier.picks) && !(later.mark && subsetPicks(later, earlier)) || len(later.values) == 0 || len(later.values) != len(earlier.values) || slices.Equal(later.values, earlier.values) {
		return false
	}
	for i, v := range later.values {
		old := earlier.values[i]
		if v.class != old.class || v.unit != old.unit {
			return false
		}
		if later.mark || v == old {
			continue
		}
		switch {
		case !about.equal || later.not != earlier.not:
			return false
		case v.class == classDays && !(later.only && earlier.only) && !later.now:
			return false
		case v.class == classDays && later.not:
			return false
		case v.class == classClock && (v.number >= dayMinutes/2) != (old.number >= dayMinutes/2):
			return false
		}
	}
	return true
}

// otherPick says whether two statements about the same make another choice.
func otherPick(later, earlier *reading, about overlap) bool {
	if !slices.Equal(later.values, earlier.values) || len(later.words)+len(later.runs) == 0 || len(later.picks) == 0 || len(later.picks) != len(earlier.picks) || later.not || slices.Equal(later.picks, earlier.picks) {
		return false
	}
	for i, p := range later.picks {
		old := earlier.picks[i]
		if p.choice != old.choice {
			return false
		}
		if p.id != old.id && !later.changes() && (!about.equal || p.many) {
			return false
		}
	}
	return true
}

// otherSlot says whether a statement gives the one thing of a name another value.
func otherSlot(later, earlier *reading) bool {
	if !slices.Equal(later.picks, earlier.picks) && !(later.mark && subsetPicks(later, earlier)) {
		return false
	}
	for _, s := range later.slots {
		for _, old := range earlier.slots {
			if s.id == old.id && s.of == old.of && s.what != old.what && (s.direct || s.name && old.name || later.mark && (old.name || len(earlier.words) < 3 && len(earlier.values) == 0)) {
				return true
			}
		}
	}
	return false
}

// left says whether a statement turns away from what an earlier one says is in
// use: "moved off X", "from X to Y". It has to name all else that the earlier one
// is about.
func left(later, earlier *reading) bool {
	if !later.mark || earlier.not || earlier.except || earlier.cond || len(later.leaves) == 0 {
		return false
	}
	found := false
	for _, id := range all(earlier) {
		isLeft := slices.Contains(later.leaves, id) && slices.Contains(earlier.names, id)
		found = found || isLeft
		if !isLeft && !slices.Contains(later.words, id) && !slices.Contains(later.runs, id) {
			return false
		}
	}
	return found
}

// all gives all things of a statement, ascending.
func all(r *reading) []uint32 {
	both := append(slices.Clone(r.words), r.runs...)
	slices.Sort(both)
	return both
}
