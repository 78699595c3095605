package kept

import (
	"cmp"
	"slices"

	"tidemark/backend/memory"
)

// about gives the lines about a statement that are in the book: its own, its
// repeats, and the decisions about all of them.
func (b *Book) about(id string) (all []*memory.KeptLine) {
	seen := map[string]bool{id: true}
	if r, ok := b.lines[id]; ok {
		all = append(all, r.line())
	}
	for todo := []string{id}; len(todo) > 0; {
		of := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, ref := range b.refs[of] {
			line := b.lines[ref].line()
			if line.Of == of && line.Kind != memory.KeptStatement && !seen[ref] {
				seen[ref] = true
				all = append(all, line)
				todo = append(todo, ref)
			}
		}
	}
	slices.SortFunc(all, compareMoments)
	return all
}

// resolve works out a statement from the lines about it, but for what other
// statements say.
func (b *Book) resolve(id string, it *item) {
	old := it.entry
	*it = item{entry: old}
	r, there := b.lines[id]
	if stone, ok := b.stones[id]; ok {
		it.Statement = tombstone(id, b.lines[stone].line())
		return
	}
	if there && len(b.refs[id]) == 0 { // most have nothing but their line
		it.Statement = statementOf(r.line())
		it.History = r
		return
	}
	lines := b.about(id)
	it.Statement = b.told(id, lines)
	it.History = make([]memory.KeptLine, len(lines))
	for i, line := range lines {
		it.History[i] = *line
	}
	for _, line := range holding(lines) {
		b.decided(&it.Statement, line)
	}
}

// tombstone is what is left of a forgotten statement.
func tombstone(id string, stone *memory.KeptLine) memory.Statement {
	return memory.Statement{ID: id, Tag: stone.Tag, Agent: stone.Agent, Session: stone.Session, Entry: stone.Entry, Start: stone.Start, End: stone.End,
		State: memory.StatementForgotten, History: []memory.KeptLine{*stone}}
}

func statementOf(k *memory.KeptLine) memory.Statement {
	return memory.Statement{ID: k.ID, Tag: k.Tag, Text: k.Text, Scope: k.Scope, Agent: k.Agent, Speaker: k.Speaker, At: k.At, Until: k.Until,
		Session: k.Session, Entry: k.Entry, Start: k.Start, End: k.End, Rule: k.Rule, Edited: k.Edited, ByHand: k.ByHand}
}

// told gives a statement with all the times that it was said. The first of them
// is where it stands, whichever was found first.
func (b *Book) told(id string, lines []*memory.KeptLine) memory.Statement {
	st := statementOf(b.lines[id].line())
	var times []memory.Occasion
	for _, line := range lines {
		isSaid := line.Kind == memory.KeptRepeat || line.Kind == memory.KeptStatement
		if _, forgotten := b.stones[line.ID]; isSaid && !forgotten {
			times = append(times, occasionOf(line))
		}
	}
	slices.SortFunc(times, earlier)
	first := times[0]
	if len(times) > 1 {
		st.Repeats = times[1:]
	}
	if first.ID == id {
		return st
	}
	st.Agent, st.Speaker, st.At, st.Session, st.Entry, st.Start, st.End = first.Agent, first.Speaker, first.At, first.Session, first.Entry, first.Start, first.End
	if !st.Edited {
		st.Text = first.Text
	}
	return st
}

func occasionOf(k *memory.KeptLine) memory.Occasion {
	return memory.Occasion{ID: k.ID, Agent: k.Agent, Session: k.Session, Entry: k.Entry, At: k.At, Start: k.Start, End: k.End, Text: k.Text, Speaker: k.Speaker}
}

// earlier puts times in order, those that are not known last.
func earlier(a, b memory.Occasion) int {
	known := func(o memory.Occasion) int {
		if o.At == 0 {
			return 1
		}
		return 0
	}
	return cmp.Or(cmp.Compare(known(a), known(b)), cmp.Compare(a.At, b.At), cmp.Compare(a.ID, b.ID))
}

// holding gives the decisions among lines in order that were not taken back.
func holding(lines []*memory.KeptLine) (hold []*memory.KeptLine) {
	undos := map[string][]*memory.KeptLine{}
	for _, line := range lines {
		if line.Kind == memory.KeptUndo {
			undos[line.Of] = append(undos[line.Of], line)
		}
	}
	if len(undos) == 0 {
		return lines
	}
	known := map[string]bool{}
	var holds func(line *memory.KeptLine) bool
	holds = func(line *memory.KeptLine) bool {
		if h, ok := known[line.ID]; ok {
			return h
		}
		h := true
		for _, u := range undos[line.ID] {
			h = h && !(before(line, u) && holds(u))
		}
		known[line.ID] = h
		return h
	}
	for i := len(lines) - 1; i >= 0; i-- { // the last first: an undo never waits for a deep one
		holds(lines[i])
	}
	for _, line := range lines {
		if known[line.ID] {
			hold = append(hold, line)
		}
	}
	return hold
}

// decided applies a decision that holds. Those of later come later.
func (b *Book) decided(st *memory.Statement, line *memory.KeptLine) {
	switch line.Kind {
	case memory.KeptPin, memory.KeptUnpin:
		st.Pinned = line.Kind == memory.KeptPin
	case memory.KeptCorrect:
		st.Text, st.Edited = line.Text, true
		if line.Tag != 0 {
			st.Tag = line.Tag
		}
	case memory.KeptScope:
		st.Scope = line.Scope
	case memory.KeptSupersede:
		by := b.root(line.By)
		if _, forgotten := b.stones[by]; by != "" && by != st.ID && !forgotten {
			st.By, st.State = by, memory.StatementSuperseded
		}
	}
}

// succeed tells the successor of a statement about it.
func (b *Book) succeed(it *item) {
	if by := b.items[it.By]; by != nil {
		at, found := slices.BinarySearch(by.Replaces, it.ID)
		if !found {
			by.Replaces = slices.Insert(slices.Clip(by.Replaces), at, it.ID)
		}
	}
}
