package kept

import (
	"hash/maphash"
	"slices"
	"sync"
)

// maxAtoms bounds how much of a statement is read: longer ones are compared
// literally alone.
const maxAtoms = 400

// readers are at rest. Reading a text needs much room for a moment.
var readers = sync.Pool{New: func() any { return &reader{x: words(), reading: &reading{}} }}

// read reads a statement.
func read(text string) *reading {
	p := readers.Get().(*reader)
	defer readers.Put(p)
	p.reset()
	p.hash = maphash.String(seed, p.scanner.scan(text))
	if p.atoms = p.scanner.atoms; len(p.atoms) <= maxAtoms {
		p.run()
	}
	p.finish()
	return p.compact()
}

// reset makes a reader ready for the next text. It keeps its room.
func (p *reader) reset() {
	r := p.reading
	*r = reading{words: r.words[:0], runs: r.runs[:0], order: r.order[:0], names: r.names[:0], tokens: r.tokens[:0], picks: r.picks[:0], values: r.values[:0], slots: r.slots[:0], leaves: r.leaves[:0]}
	*p = reader{x: p.x, reading: r, scanner: p.scanner, chars: p.chars[:0], open: p.open[:0], joins: p.joins[:0], leave: -1}
}

// compact gives what was read in a reading of its own.
func (p *reader) compact() *reading {
	r := *p.reading
	r.joined = string(p.joins)
	room := make([]uint32, 0, len(r.words)+len(r.runs)+len(r.order)+len(r.names)+len(r.tokens)+len(r.leaves))
	for _, list := range []*[]uint32{&r.words, &r.runs, &r.order, &r.names, &r.tokens, &r.leaves} {
		from := len(room)
		room = append(room, *list...)
		*list = room[from:len(room):len(room)]
	}
	r.picks, r.values, r.slots = slices.Clone(r.picks), slices.Clone(r.values), slices.Clone(r.slots)
	return &r
}

// reader goes over the atoms of a statement.
type reader struct {
	*reading
	x       *lexicon
	scanner scanner
	atoms   []atom
	at      int
	joins   []byte // joined, so far

	chars    []string // ideographs that no word has, so far
	runAt    int      // the first of them
	part     int      // of the day, said just before
	days     int64    // days said just before, in digits
	nots     int      // in this clause
	seen     int      // things in this clause
	side     bool     // this clause makes a condition or an exception
	open     []openSlot
	leave    int    // the last atom of what is left, -1 where nothing is
	begin    int    // the atom at which a thing begins
	before   uint32 // the things of this clause so far
	turned   bool   // this clause says that something is different
	last     string
	numbered bool // a value was taken just now
	numberAt int  // behind the last value
}

func (p *reader) run() {
	for p.at < len(p.atoms) {
		if p.atoms[p.at].apart {
			p.clause()
		}
		p.begin = p.at
		p.han = p.han || isCJK(firstRune(&p.atoms[p.at]))
		w, n := p.x.match(p.atoms[p.at:])
		if m := p.number(w, n); m > 0 {
			p.advance(m)
			continue
		}
		if n == 0 || w.role == rolePlain {
			p.unknown(max(n, 1))
			p.advance(max(n, 1))
			continue
		}
		p.word(w, n)
		p.advance(n)
	}
	p.clause()
}

func (p *reader) advance(n int) {
	p.last = p.atoms[p.at+n-1].text
	p.at += n
	if p.numbered {
		p.numberAt, p.numbered = p.at, false
	}
}

// clause ends a clause.
func (p *reader) clause() {
	p.flush()
	p.endPart()
	if p.seen > 0 || p.nots > 0 {
		not := p.nots%2 == 1
		if p.clauses > 0 && not != p.not && !p.side {
			p.contrary = true
		}
		p.not = p.clauses == 0 && not || p.clauses > 0 && p.not
		p.clauses++
	}
	p.closeSlots()
	p.nots, p.seen, p.days, p.before, p.leave, p.side, p.turned = 0, 0, 0, 0, -1, false, false
}

// thing adds something that the statement is about.
func (p *reader) thing(id uint32, name naming, telling bool) {
	p.order = append(p.order, id)
	p.seen++
	if telling {
		p.strong++
	}
	for i := range p.open {
		p.open[i].take(id, name)
	}
	p.before += id
	if p.begin <= p.leave {
		p.leaves = append(p.leaves, id)
	}
}

// known adds something that the list of words has.
func (p *reader) known(id uint32, telling bool) {
	p.words = append(p.words, id)
	name := noName
	if telling {
		name = mayName
	}
	p.thing(id, name, telling)
}

// unknown takes n atoms that say something that no word of the list says.
func (p *reader) unknown(n int) {
	for i := range n {
		a := &p.atoms[p.at+i]
		if isCJK(firstRune(a)) {
			if len(p.chars) == 0 {
				p.runAt = p.at + i
			}
			p.chars = append(p.chars, a.text)
			continue
		}
		p.flush()
		p.endPart()
		p.days = 0
		id := hashID(stem(a.text))
		p.words, p.names = append(p.words, id), append(p.names, id)
		name := mayName
		if a.name {
			name = isName
		}
		p.thing(id, name, len(a.text) > 1)
	}
}

// flush ends a run of unknown ideographs.
func (p *reader) flush() {
	if len(p.chars) == 0 {
		return
	}
	from := len(p.joins)
	for _, c := range p.chars {
		p.joins = append(p.joins, c...)
	}
	id, n := hashID(p.joins[from:]), len(p.chars)
	p.chars = p.chars[:0]
	p.endPart()
	p.days = 0
	begin := p.begin
	p.begin = p.runAt
	p.runs = append(p.runs, id)
	if n > 1 { // one alone is a verb more often than a name
		p.names = append(p.names, id)
	}
	p.thing(id, isName, n > 1)
	p.begin = begin
}

// endPart makes a part of the day that no time followed a thing.
func (p *reader) endPart() {
	if p.part != partNone {
		part := p.part
		p.part = partNone
		p.known(partID+uint32(part), false)
	}
}

var partID = hashID("part")

// word takes a word of the list.
func (p *reader) word(w word, n int) {
	p.flush()
	switch w.role {
	case roleNot, roleEnd, roleMay, roleMark, roleNow:
		p.stance(w, n)
	case roleOnly:
		p.only = true
	case roleExcept:
		p.except, p.side = true, true
	case roleIf:
		p.cond, p.side = true, true
		p.known(hashID(stem(p.atoms[p.at].text)), false)
	case roleThan:
		p.takeThan(n)
	case rolePart:
		if p.atoms[p.at].text == "am" { // no number before it: I am
			return
		}
		p.endPart()
		p.part = int(w.number)
		return
	case roleConcept:
		p.concept(w)
	case roleUnit:
		if w.unit != moneyUnit && w.unit != euroUnit && w.unit != poundUnit {
			p.unknown(n)
		}
	case roleTimes:
		p.unknown(n)
	case roleDrop:
		if p.numberAt == p.at && p.at > 0 && p.atoms[p.at].text == "以" && n == 2 { // 十点以后
			p.known(afterID, false)
		}
	}
	p.fill(w)
	if w.role != roleDrop {
		p.endPart()
		p.days = 0
	}
}

var afterID = conceptID("after")

// stance takes a word that prohibits, permits, or speaks of a change.
func (p *reader) stance(w word, n int) {
	switch w.role {
	case roleNot, roleEnd:
		p.nots++
		p.denial += p.before
		if p.noMore = p.noMore || w.role == roleEnd; w.role == roleNot {
			p.noLonger(n)
		}
	case roleMay:
		p.may = true
	case roleNow:
		p.now = true
	case roleMark:
		if p.nots > 0 && !w.to && (n == 1 || p.atoms[p.at].han != 0) && p.atoms[p.at].text != "anymore" { // don't change
			p.unknown(n)
			return
		}
		p.mark, p.turned = true, true
		if p.atoms[p.at+n-1].text == "off" {
			p.leave = p.at + n + 2
		}
	}
}

// takeThan takes what sets one thing against another. 从 and "first" do so only
// loosely.
func (p *reader) takeThan(n int) {
	switch text := p.atoms[p.at].text; {
	case text == "从" || text == "off":
		p.leave = p.at + n + 3
	default:
		p.than = true
	}
}

// noLonger notes whether a word that prohibits ends something: 不喝咖啡了. What
// is no longer used is left.
func (p *reader) noLonger(n int) {
	if firstRune(&p.atoms[p.at]) != '不' {
		return
	}
	for i := p.at + n; i < len(p.atoms) && !p.atoms[i].apart; i++ {
		if last := i+1 == len(p.atoms) || p.atoms[i+1].apart; last && p.atoms[i].text == "了" {
			p.noMore = true
			if p.atoms[p.at+n-1].text == "用" {
				p.mark, p.leave = true, i
			}
		}
	}
}

func (p *reader) concept(w word) {
	if w.choice != 0 {
		p.picks = append(p.picks, pick{w.choice, w.many, w.id})
		p.seen++
		p.order = append(p.order, w.id)
		p.before += w.id
		if w.tells {
			p.strong++
		}
		for i := range p.open {
			p.open[i].take(w.id, isName)
		}
		return
	}
	of := p.before
	p.known(w.id, w.tells)
	if w.single && len(p.open) < 4 {
		p.open = append(p.open, openSlot{id: w.id, of: of, direct: w.direct, filled: w.direct})
	}
}
