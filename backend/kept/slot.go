package kept

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

// fill notes that what comes is what the things before it are.
func (p *reader) fill(w word) {
	if w.is || w.to || p.turned && p.atoms[p.at].text == "to" {
		for i := range p.open {
			p.open[i].filled = true
		}
	}
}
