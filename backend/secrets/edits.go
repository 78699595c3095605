package secrets

import (
	"slices"
	"sort"
)

// Edit is a mark that took the place of a credential. All offsets count bytes.
type Edit struct {
	From, To int // the credential, in the text as it was given
	At, End  int // the mark, in the masked text
}

// Edits are the marks of one text in its order. Outside of them the text and
// the masked text are the same, byte for byte.
type Edits []Edit

// Masked is Mask and says what was replaced. Where nothing is masked, edits is
// nil and nothing is allocated.
func Masked(text string) (masked string, edits Edits) {
	masked, _, edits = maskRounds(text, true)
	return masked, edits
}

// Original gives where a place in the masked text stands in the text as it was
// given. Places inside of a mark have none of their own: they give the
// beginning of what the mark replaced.
func (e Edits) Original(at int) int {
	i := sort.Search(len(e), func(i int) bool { return e[i].End > at })
	switch {
	case i < len(e) && e[i].At <= at:
		return e[i].From
	case i == 0:
		return at
	}
	return e[i-1].To + at - e[i-1].End
}

// Masked is the way back: it gives where a place in the text as it was given
// stands in the masked text. Places inside of a credential give the beginning
// of its mark.
func (e Edits) Masked(at int) int {
	i := sort.Search(len(e), func(i int) bool { return e[i].To > at })
	switch {
	case i < len(e) && e[i].From <= at:
		return e[i].At
	case i == 0:
		return at
	}
	return e[i-1].End + at - e[i-1].To
}

// Marked says whether a mark covers any of masked[from:to].
func (e Edits) Marked(from, to int) bool {
	i := sort.Search(len(e), func(i int) bool { return e[i].End > from })
	return i < len(e) && e[i].At < to
}

// then gives the edits of two rounds in one. Those of next were made in the
// text that came out of e; a mark of e that next replaced again is gone.
func (e Edits) then(next Edits) Edits {
	if len(e) == 0 || len(next) == 0 {
		return append(e, next...)
	}
	all := make(Edits, 0, len(e)+len(next))
	for _, n := range next {
		all = append(all, Edit{e.Original(n.From), e.Original(n.To), n.At, n.End})
	}
	for _, old := range e {
		i := sort.Search(len(next), func(i int) bool { return next[i].To > old.At })
		if i == len(next) || next[i].From > old.At {
			all = append(all, Edit{old.From, old.To, next.Masked(old.At), next.Masked(old.End)})
		}
	}
	slices.SortFunc(all, func(a, b Edit) int { return a.At - b.At })
	return all
}
