package kept

import (
	"slices"

	"tidemark/backend/memory"
)

// settle works out what a new line changes.
func (b *Book) settle(r record) {
	if b.again(r.line()) {
		return
	}
	var changed []*item
	for id := range b.around(r.line().ID) {
		line, there := b.lines[id]
		_, forgotten := b.stones[id]
		isStatement := there && line.line().Kind == memory.KeptStatement
		if forgotten {
			b.bury(id)
		}
		it := b.items[id]
		if it == nil && isStatement {
			it = &item{}
			b.items[id] = it
		}
		if it == nil {
			continue
		}
		b.unlist(it)
		b.resolve(id, it)
		changed = append(changed, it)
	}
	for _, it := range changed {
		b.succeed(it)
	}
	for _, it := range changed {
		if it.entry != nil {
			it.entry.it, it.entry = nil, nil
		}
		if it.State != memory.StatementForgotten {
			b.index(it, read(it.Text))
			b.list(it)
		}
	}
}

// again takes the plain case of a statement that was said once more, later than
// before. It is all that happens to some statements, and happens to them often.
func (b *Book) again(line *memory.KeptLine) bool {
	it := b.items[line.Of]
	if line.Kind != memory.KeptRepeat || it == nil || it.State == memory.StatementForgotten || len(b.refs[line.ID]) > 0 || b.stones[line.ID] != "" {
		return false
	}
	last := memory.Occasion{ID: it.ID, At: it.At}
	if n := len(it.Repeats); n > 0 {
		last = it.Repeats[n-1]
	}
	if line.At == 0 || it.At == 0 || earlier(last, occasionOf(line)) >= 0 || !before(&it.History[len(it.History)-1], line) {
		return false
	}
	it.Repeats = append(it.Repeats, occasionOf(line))
	it.History = append(it.History, *line)
	if !it.Edited {
		b.texts.literal(it.entry, hashOf(line.Text))
	}
	return true
}

// around gives the ids that are connected with an id.
func (b *Book) around(id string) map[string]bool {
	seen := map[string]bool{id: true}
	todo := []string{id}
	visit := func(id string) {
		if id != "" && !seen[id] {
			seen[id] = true
			todo = append(todo, id)
		}
	}
	for len(todo) > 0 {
		id := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if r, ok := b.lines[id]; ok {
			visit(r.line().Of)
			visit(r.line().By)
		}
		for _, ref := range b.refs[id] {
			visit(ref)
		}
	}
	return seen
}

// index puts the text of a statement into the index of texts, and literally the
// other words in which it was said.
func (b *Book) index(it *item, r *reading) {
	var others []string
	for i := range it.History {
		k := it.History[i].Kind
		if isSaid := k == memory.KeptStatement || k == memory.KeptRepeat; isSaid && it.History[i].Text != it.Text {
			others = append(others, it.History[i].Text)
		}
	}
	if it.Edited { // it says something else now
		others = nil
	}
	it.entry = b.texts.add(it, r, others)
}

// list puts a statement in its place among the newest first.
func (b *Book) list(it *item) {
	at, _ := slices.BinarySearchFunc(b.order, it, newestFirst)
	b.order = slices.Insert(b.order, at, it)
}

func (b *Book) unlist(it *item) {
	if at, found := slices.BinarySearchFunc(b.order, it, newestFirst); found && b.order[at] == it {
		b.order = slices.Delete(b.order, at, at+1)
	}
}
