package kept

import (
	"cmp"
	"fmt"
	"runtime"
	"slices"
	"sync"

	"tidemark/backend/memory"
)

// Book is the state of one installation's statements: what the lines of all its
// agents together say. What it answers depends on the lines alone, not on their
// order. Methods that only ask may be called at once, Load and Add only alone.
// What is answered must not be changed.
//
// A statement is what a line of kind statement says, with the lines about it: a
// repeat is about the statement that its Of leads to, a decision too. Lines
// about something that is not there wait for it: a person may have deleted its
// line, and with it the statement.
//
// Decisions count by their moment, and by id where moments are equal. The last
// one of a kind that holds decides.
//
// An undo says that the decision named by its Of does not hold, be it a pin, an
// unpin, a correction, a scope, a supersede, or another undo, which makes what
// that one took back hold again. Only a decision from before the undo is taken
// back. Forgetting cannot be undone: there is nothing left.
//
// A supersede holds while its successor is there: if that is forgotten or its
// line deleted, the older statement is live again.
type Book struct {
	lines  map[string]record   // by id
	refs   map[string][]string // ids of the lines about an id, and of those that name it as successor
	stones map[string]string   // ids of tombstones by what they stand for
	said   map[string][]string // ids of statements and repeats by session
	spots  map[uint64]int32    // the last of the spans in a message, plus 1
	places []spot

	items map[string]*item // by the id of the statement
	order []*item          // those that are not forgotten, newest first
	texts textIndex
}

// record is a slice of one line: the history of most statements.
type record []memory.KeptLine

func (r record) line() *memory.KeptLine { return &r[0] }

// item is a statement in the book.
type item struct {
	memory.Statement
	entry *entry // in the index of texts, nil where it is in none
}

// NewBook gives a book without lines.
func NewBook() *Book {
	b := &Book{}
	b.reset(0)
	return b
}

func (b *Book) reset(n int) {
	b.lines = make(map[string]record, n)
	b.clear(n)
}

// clear forgets what follows from the lines.
func (b *Book) clear(n int) {
	b.refs, b.stones, b.said = map[string][]string{}, map[string]string{}, map[string][]string{}
	b.spots, b.places, b.items, b.order = make(map[uint64]int32, 2*n), make([]spot, 0, 2*n), make(map[string]*item, n), nil
	b.texts = newTextIndex(n)
}

// Load adds lines of any agents, in any order.
func (b *Book) Load(lines []memory.KeptLine) {
	if len(b.lines) == 0 {
		b.reset(len(lines))
	}
	own := slices.Clone(lines)
	for i := range own {
		b.store(record(own[i : i+1 : i+1]))
	}
	b.rebuild()
}

// Add adds one more line. Load of all lines gives the same.
func (b *Book) Add(line memory.KeptLine) {
	r := record{line}
	id, isNew := b.store(r)
	switch {
	case id == "":
	case !isNew:
		b.rebuild()
	default:
		b.link(r)
		b.settle(r)
	}
}

// store puts a line in its place and gives its id there, "" where the book has
// it already. isNew says that no other line had to give way.
func (b *Book) store(r record) (id string, isNew bool) {
	line := r.line()
	old, taken := b.lines[line.ID]
	switch {
	case !taken:
		b.lines[line.ID] = r
		return line.ID, true
	case line.ByHand && old.line().ByHand && line.Agent != old.line().Agent:
		// The same words, typed into the ledgers of two agents: two statements.
		if line.Agent < old.line().Agent {
			b.lines[line.ID] = r
			r = old
		}
		r.line().ID = otherHand(r.line())
		b.store(r)
		return r.line().ID, false
	case compareLines(line, old.line()) >= 0:
		return "", false
	}
	b.lines[line.ID] = r
	return line.ID, false
}

// otherHand is the id of a line by hand where another agent's ledger has the same
// words.
func otherHand(line *memory.KeptLine) string { return line.ID + "-" + digest(4, line.Agent) }

// handID gives the id under which the book has a line by hand.
func (b *Book) handID(line *memory.KeptLine) string {
	if r, ok := b.lines[line.ID]; ok && r.line().Agent != line.Agent {
		return otherHand(line)
	}
	return line.ID
}

// compareLines puts lines with the same id in an order that is always the same:
// the first one counts.
func compareLines(a, b *memory.KeptLine) int {
	said := func(k *memory.KeptLine) int { return min(int(k.Kind), int(memory.KeptPin)) }
	return cmp.Or(cmp.Compare(said(a), said(b)), cmp.Compare(a.At, b.At), cmp.Compare(a.Agent, b.Agent),
		cmp.Compare(a.Text, b.Text), cmp.Compare(fmt.Sprintf("%+v", *a), fmt.Sprintf("%+v", *b)))
}

// rebuild works out everything from the lines.
func (b *Book) rebuild() {
	b.clear(len(b.lines))
	b.texts.bulk = true
	for _, r := range b.lines {
		b.link(r)
	}
	statements := make([]item, 0, len(b.lines))
	for id, r := range b.lines {
		if r.line().Kind == memory.KeptStatement {
			statements = append(statements, item{})
			b.items[id] = &statements[len(statements)-1]
		}
	}
	for id := range b.stones {
		b.bury(id)
	}
	for id, it := range b.items {
		b.resolve(id, it)
	}
	for _, it := range b.items {
		b.succeed(it)
		if it.State != memory.StatementForgotten {
			b.order = append(b.order, it)
		}
	}
	slices.SortFunc(b.order, newestFirst)
	readings := readAll(b.order)
	for i, it := range slices.Backward(b.order) {
		b.index(it, readings[i])
	}
	b.texts.pack()
}

// readAll reads the texts of statements, on all cores: it is most of the work.
func readAll(items []*item) []*reading {
	readings := make([]*reading, len(items))
	var done sync.WaitGroup
	size := len(items)/runtime.GOMAXPROCS(0) + 1
	for from := 0; from < len(items); from += size {
		done.Go(func() {
			for i := from; i < min(from+size, len(items)); i++ {
				readings[i] = read(items[i].Text)
			}
		})
	}
	done.Wait()
	return readings
}

// link notes what a line refers to.
func (b *Book) link(r record) {
	line := r.line()
	if line.Of != "" {
		b.refs[line.Of] = append(b.refs[line.Of], line.ID)
	}
	if line.By != "" && line.Kind == memory.KeptSupersede {
		b.refs[line.By] = append(b.refs[line.By], line.ID)
	}
	switch line.Kind {
	case memory.KeptStatement, memory.KeptRepeat:
		b.spot(line)
		if line.Session != "" {
			b.said[line.Session] = append(b.said[line.Session], line.ID)
		}
	case memory.KeptForget:
		b.spot(line)
		if old, ok := b.stones[line.Of]; !ok || before(line, b.lines[old].line()) {
			b.stones[line.Of] = line.ID
		}
	}
}

// before says which of two lines comes first: by moment, then by id.
func before(a, b *memory.KeptLine) bool { return compareMoments(a, b) < 0 }

func compareMoments(a, b *memory.KeptLine) int {
	return cmp.Or(cmp.Compare(a.At, b.At), cmp.Compare(a.ID, b.ID))
}

func newestFirst(a, b *item) int { return cmp.Or(cmp.Compare(b.At, a.At), cmp.Compare(b.ID, a.ID)) }

// bury makes an item for a forgotten statement whose line is gone.
func (b *Book) bury(id string) {
	stone := b.lines[b.stones[id]].line()
	if _, ok := b.lines[id]; !ok && stone.By == "" && b.items[id] == nil {
		b.items[id] = &item{}
	}
}

// root gives the id of the statement that an id belongs to: its own, that of
// one of its repeats, or of a decision about either. "" where there is none.
func (b *Book) root(id string) string {
	for range maxChain {
		r, ok := b.lines[id]
		switch {
		case !ok:
			stone, forgotten := b.stones[id]
			if !forgotten {
				return ""
			}
			if by := b.lines[stone].line().By; by != "" {
				id = by
				continue
			}
			return id
		case r.line().Kind == memory.KeptStatement:
			return id
		}
		id = r.line().Of
	}
	return ""
}

// maxChain bounds how far ids are followed: a person may have made a circle.
const maxChain = 64
