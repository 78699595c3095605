package kept

import (
	"cmp"
	"slices"

	"tidemark/backend/memory"
)

// Statements gives all statements that were not forgotten, newest first.
func (b *Book) Statements(now memory.Millis) []memory.Statement {
	all := make([]memory.Statement, len(b.order))
	for i, it := range b.order {
		all[i] = it.at(now)
	}
	return all
}

// at gives a statement as it is at a moment.
func (it *item) at(now memory.Millis) memory.Statement {
	st := it.Statement
	if st.State == memory.StatementLive && st.Until != 0 && st.Until <= now {
		st.State = memory.StatementExpired
	}
	return st
}

// Statement gives the statement that an id belongs to: its own, that of a repeat
// or of a decision. Of a forgotten one only where it stood is left.
func (b *Book) Statement(id string, now memory.Millis) (memory.Statement, bool) {
	it := b.items[b.root(id)]
	if it == nil {
		return memory.Statement{}, false
	}
	return it.at(now), true
}

// OfSession gives every time that something was stated in a session, in order.
// Agent, Session, Entry, At, Start, End, Speaker and Text are of that time, the
// rest is of the statement.
func (b *Book) OfSession(session string, now memory.Millis) (all []memory.Statement) {
	for _, id := range b.said[session] {
		line := b.lines[id].line()
		_, forgotten := b.stones[id]
		st, ok := b.Statement(id, now)
		if !ok || forgotten || st.State == memory.StatementForgotten {
			continue
		}
		st.Agent, st.Session, st.Entry, st.At, st.Start, st.End = line.Agent, line.Session, line.Entry, line.At, line.Start, line.End
		st.Speaker, st.Text = line.Speaker, line.Text
		all = append(all, st)
	}
	slices.SortFunc(all, func(a, b memory.Statement) int {
		return cmp.Or(cmp.Compare(a.At, b.At), cmp.Compare(a.Entry, b.Entry), cmp.Compare(a.Start, b.Start), cmp.Compare(a.ID, b.ID))
	})
	return all
}

// OfEntry is OfSession for one entry.
func (b *Book) OfEntry(session, entry string, now memory.Millis) []memory.Statement {
	return slices.DeleteFunc(b.OfSession(session, now), func(s memory.Statement) bool { return s.Entry != entry })
}

// Occasions gives all times that a statement was said, the first one first, in
// the words of that time.
func Occasions(s *memory.Statement) (all []memory.Occasion) {
	for i := range s.History {
		if k := s.History[i].Kind; k == memory.KeptStatement || k == memory.KeptRepeat {
			all = append(all, occasionOf(&s.History[i]))
		}
	}
	slices.SortFunc(all, earlier)
	return all
}

// Forgotten gives what must not be kept again.
func (b *Book) Forgotten() (all []Forgotten) {
	for _, r := range b.lines {
		if line := r.line(); line.Kind == memory.KeptForget {
			for _, f := range line.Forgotten {
				all = append(all, Forgotten{ForgottenText: f, At: line.At})
			}
		}
	}
	slices.SortFunc(all, func(a, b Forgotten) int { return cmp.Or(cmp.Compare(a.At, b.At), cmp.Compare(a.Sum, b.Sum)) })
	return all
}

// IsForgotten says whether a line holds what was forgotten, and so must go from
// the ledger. Tombstones stay.
func (b *Book) IsForgotten(line memory.KeptLine) bool {
	id := line.ID
	switch {
	case line.Kind == memory.KeptForget:
		return false
	case line.ByHand:
		id = b.handID(&line)
	case line.Kind != memory.KeptStatement && b.stones[id] == "":
		id = line.Of
	}
	return b.stones[id] != "" || b.stones[b.root(id)] != ""
}
