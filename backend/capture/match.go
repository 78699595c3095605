package capture

import "slices"

// match is where a pattern fits. Offsets are tokens, clauses are those of the
// sentence, last inclusive.
type match struct {
	rule        int
	from, to    int
	first, last int
}

// matcher fits patterns to one sentence after the other.
type matcher struct {
	*ruleSet
	*words
	sent    sentence
	clauses []clause
	steps   int
	// Marks of what was looked at; a mark counts when it is the current round.
	round    uint32
	classes  []uint32 // by class: it stands in the sentence
	patterns []uint32
	failed   []uint32 // by element and token: the rest of the pattern does not fit there
	fit      uint32   // round of failed
	due      []int32
	bits     []uint64 // by clause: the classes that stand in it, width words each
	width    int
	found    []match
}

const (
	// mostElements is how long a pattern may be.
	mostElements = 24
	// mostSteps bounds the work on one sentence: only text made for it comes
	// near.
	mostSteps = 40000
)

func newMatcher(s *ruleSet) *matcher {
	return &matcher{ruleSet: s, classes: make([]uint32, s.lexicon.count), patterns: make([]uint32, len(s.patterns)),
		failed: make([]uint32, mostElements*(longestSentence+1))}
}

// fits finds where patterns of rules and guards fit in the sentence.
func (m *matcher) fits(w *words, sent sentence, clauses []clause) []match {
	m.words, m.sent, m.clauses, m.steps, m.found = w, sent, clauses, 0, m.found[:0]
	m.round++
	m.collect()
	for _, i := range m.due {
		p := &m.ruleSet.patterns[i]
		if m.may(p) {
			m.tryAll(p)
		}
	}
	return m.found
}

// collect notes the classes that stand in the sentence and in each clause, and
// the patterns whose anchor does.
func (m *matcher) collect() {
	m.due = m.due[:0]
	m.width = (m.lexicon.count + 63) / 64
	m.bits = slices.Grow(m.bits[:0], m.width*len(m.clauses))[:m.width*len(m.clauses)]
	clear(m.bits)
	i := int(m.tokens[m.sent.from].hits)
	for at := range m.clauses {
		bits := m.bits[at*m.width : (at+1)*m.width]
		for end := m.clauses[at].to; i < len(m.hits) && int(m.hits[i].from) < end; i++ {
			m.note(m.hits[i], bits)
		}
	}
}

// note notes the classes of a hit.
func (m *matcher) note(h hit, bits []uint64) {
	node, partly := h.node, false
	if node < 0 {
		node, partly = -node, true
	}
	senses := m.lexicon.nodes[node].senses
	for i := range senses {
		c := senses[i].class
		if partly && !senses[i].prefix {
			continue
		}
		bits[c/64] |= 1 << (c % 64)
		if m.classes[c] == m.round {
			continue
		}
		m.classes[c] = m.round
		for _, p := range m.triggers[c] {
			if m.patterns[p] != m.round {
				m.patterns[p] = m.round
				m.due = append(m.due, p)
			}
		}
	}
}

// within says whether the words that the pattern needs stand in the clause.
func (m *matcher) within(p *pattern, at int) bool {
	bits := m.bits[at*m.width : (at+1)*m.width]
next:
	for _, alternatives := range p.needed {
		for _, c := range alternatives {
			if bits[c/64]&(1<<(c%64)) != 0 {
				continue next
			}
		}
		return false
	}
	return true
}

// may says whether the sentence has the script and all words that the pattern
// needs.
func (m *matcher) may(p *pattern) bool {
	if of := m.rules[p.owner].script; of != scriptLatin && of != m.sent.script {
		return false
	}
	for _, alternatives := range p.needed {
		if &alternatives[0] != &p.anchor[0] && !m.stands(alternatives) {
			return false
		}
	}
	for _, alternatives := range m.rules[p.owner].needs {
		if !m.stands(alternatives) {
			return false
		}
	}
	return true
}

func (m *matcher) stands(alternatives []class) bool {
	for _, c := range alternatives {
		if m.classes[c] == m.round {
			return true
		}
	}
	return false
}

// tryAll fits the pattern once in each clause.
func (m *matcher) tryAll(p *pattern) {
	m.fit++
	r, first := &m.rules[p.owner], &p.elements[0]
	plain := first.op == opWords && !first.optional && !first.not
	for i := range m.clauses {
		c := &m.clauses[i]
		if !p.wide && (!m.within(p, i) || !m.passes(r, match{first: i, last: i})) {
			continue
		}
		if first.op == opStart {
			if peek := m.peek(p, 1); peek != nil && m.word(peek, c.head, c.to) < 0 && (c.head == c.from || m.word(peek, c.from, c.to) < 0) {
				continue
			}
			if !m.try(p, c.head, i) && c.head != c.from {
				m.try(p, c.from, i)
			}
			continue
		}
		for t := c.from; t < c.to; t++ {
			if plain && (m.quick(first, t) || m.word(first, t, c.to) < 0) {
				continue
			}
			if m.try(p, t, i) {
				break
			}
		}
	}
}

// try fits the pattern at a token of a clause.
func (m *matcher) try(p *pattern, tok, at int) bool {
	to := m.fitAt(p, 0, tok, m.clauses[at].to)
	if to < 0 {
		return false
	}
	found := match{rule: p.owner, from: tok, to: to, first: at, last: clauseAt(m.clauses, max(to-1, tok))}
	if p.wide && !m.passes(&m.rules[p.owner], found) {
		return false
	}
	m.found = append(m.found, found)
	return true
}

// passes says whether what a rule excludes and needs allows it in the clauses of
// the match. A pattern that stays within a clause is asked before it is fitted.
func (m *matcher) passes(r *rule, in match) bool {
	for at := in.first; at <= in.last; at++ {
		bits := m.bits[at*m.width : (at+1)*m.width]
		for _, s := range r.stops {
			if bits[s.at]&s.bits != 0 {
				return false
			}
		}
	}
	for _, alternatives := range r.needs {
		if !m.holds(in, alternatives) {
			return false
		}
	}
	return true
}

// holds says whether a word of one of the classes stands in the clauses of the
// match.
func (m *matcher) holds(in match, classes []class) bool {
	for at := in.first; at <= in.last; at++ {
		bits := m.bits[at*m.width : (at+1)*m.width]
		for _, c := range classes {
			if bits[c/64]&(1<<(c%64)) != 0 {
				return true
			}
		}
	}
	return false
}
