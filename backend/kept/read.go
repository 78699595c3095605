package kept

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// reading is what of a statement is compared.
type reading struct {
	words  []uint32 // concepts and words of scripts with blanks, ascending, each once
	runs   []uint32 // unknown ideographs that stand together, ascending, each once
	order  []uint32 // words, runs, choices and values as they stand
	names  []uint32 // runs and unknown words as they stand
	joined string   // unknown ideographs as they stand
	tokens []uint32 // by which it is found
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
	vague    bool // a time may be before or after noon
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

// slot says what the one thing of a name is.
type slot struct {
	id     uint32
	of     uint32 // what narrows the thing: the supplier for clay
	what   uint32
	direct bool
	name   bool // what it is is surely a name
}

// naming says how surely something is a name.
type naming uint8

const (
	noName  naming = iota // a bound
	mayName               // a word
	isName                // unknown ideographs, or a capital
	isValue               // a number or time
)

// maxAtoms bounds how much of a statement is read: longer ones are compared
// literally alone.
const maxAtoms = 400

// read reads a statement.
func read(text string) *reading {
	var s scanner
	s.scan(text)
	r := &reading{}
	if len(s.atoms) > maxAtoms {
		return r
	}
	p := reader{x: words(), atoms: s.atoms, reading: r, leave: -1}
	p.run()
	r.finish()
	return r
}

// reader goes over the atoms of a statement.
type reader struct {
	*reading
	x     *lexicon
	atoms []atom
	at    int

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

// openSlot is a thing of which the value has not been said yet.
type openSlot struct {
	id     uint32
	of     uint32
	what   uint32
	direct bool
	filled bool // a word between thing and value was there
	first  naming
	named  bool // something in it is surely a name
	some   bool
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

// closeSlots keeps what the things of a clause are. Values are compared by
// themselves.
func (p *reader) closeSlots() {
	for _, s := range p.open {
		isSlot := s.some && (s.first == mayName || s.first == isName || s.first == isValue && s.named)
		if s.filled && isSlot && p.nots == 0 {
			p.slots = append(p.slots, slot{id: s.id, of: s.of, what: s.what, direct: s.direct, name: s.first != mayName})
		}
		if s.id == callMe && !isSlot {
			p.phone()
		}
	}
	p.open = p.open[:0]
}

var callMe, phoneMe = conceptID("callme"), conceptID("phoneme")

// phone makes a "call me" that no name follows one of another kind.
func (p *reader) phone() {
	for _, ids := range [][]uint32{p.words, p.order} {
		for i, id := range ids {
			if id == callMe {
				ids[i] = phoneMe
			}
		}
	}
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

// take takes what follows a thing: what it is, or what narrows it.
func (s *openSlot) take(id uint32, name naming) {
	if s.filled {
		if !s.some {
			s.first = name
		}
		s.named = s.named || name == isName
		s.what, s.some = s.what*31+id, true
	} else {
		s.of += id // in any order
	}
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
	text := strings.Join(p.chars, "")
	p.chars = p.chars[:0]
	p.endPart()
	p.days = 0
	id := hashID(text)
	p.joined += text
	begin := p.begin
	p.begin = p.runAt
	p.runs = append(p.runs, id)
	if utf8.RuneCountInString(text) > 1 { // one alone is a verb more often than a name
		p.names = append(p.names, id)
	}
	p.thing(id, isName, utf8.RuneCountInString(text) > 1)
	p.begin = begin
}

// endPart makes a part of the day that no time followed a thing.
func (p *reader) endPart() {
	if p.part != partNone {
		part := p.part
		p.part = partNone
		p.known(hashID("part "+string(rune('0'+part))), false)
	}
}

// word takes a word of the list.
func (p *reader) word(w word, n int) {
	p.flush()
	switch w.role {
	case roleNot:
		p.nots++
		p.denial += p.before
		p.noLonger(n)
	case roleEnd:
		p.nots++
		p.denial += p.before
		p.noMore = true
	case roleMay:
		p.may = true
	case roleMark:
		if p.nots > 0 && !w.to && p.atoms[p.at+n-1].han != 0 || p.nots > 0 && n == 1 && p.atoms[p.at].text != "anymore" { // don't change
			p.unknown(n)
			return
		}
		p.mark, p.turned = true, true
		if strings.HasSuffix(p.atoms[p.at+n-1].text, "off") || p.atoms[p.at].text == "left" {
			p.leave = p.at + n + 2
		}
	case roleNow:
		p.now = true
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
			p.known(conceptID("after"), false)
		}
	}
	if w.is || w.to || p.turned && p.atoms[p.at].text == "to" {
		for i := range p.open {
			p.open[i].filled = true
		}
	}
	if w.role != roleDrop {
		p.endPart()
		p.days = 0
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

// finish puts what was read in order.
func (r *reading) finish() {
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
	for i, p := range r.picks[min(1, len(r.picks)):] {
		r.than = r.than || p.choice == r.picks[i].choice // one of two: which one counts
	}
	r.dropRate()
	r.tokens = append(r.tokens, r.words...)
	last := rune(0)
	for _, c := range r.joined {
		if last != 0 {
			r.tokens = append(r.tokens, uint32(last)<<16^uint32(c)*2654435761)
		}
		last = c
	}
	r.tokens = append(r.tokens, r.runs...)
	slices.Sort(r.tokens)
	r.tokens = slices.Compact(r.tokens)
}

// dropRate takes out how often a daily, weekly or monthly report comes: its name
// says it.
func (r *reading) dropRate() {
	for _, rate := range []string{"daily", "weekly", "monthly"} {
		if _, ok := slices.BinarySearch(r.words, conceptID("report."+rate)); ok {
			id := conceptID("rate " + rate)
			r.picks = slices.DeleteFunc(r.picks, func(p pick) bool { return p.id == id })
			r.order = slices.DeleteFunc(r.order, func(o uint32) bool { return o == id })
		}
	}
}
