package capture

// fitAt fits the elements from e on at token t, in the clause that ends at
// limit, and gives where the match ends, -1 where there is none.
func (m *matcher) fitAt(p *pattern, e, t, limit int) int {
	if e == len(p.elements) {
		return t
	}
	memo := e*(longestSentence+1) + t - m.sent.from
	if t < limit && m.failed[memo] == m.fit {
		return -1
	}
	if m.steps++; m.steps > mostSteps {
		return -1
	}
	to := m.fitElement(p, e, t, limit)
	if to < 0 && t < limit {
		m.failed[memo] = m.fit
	}
	return to
}

func (m *matcher) fitElement(p *pattern, e, t, limit int) int {
	el := &p.elements[e]
	if el.op == opGap {
		return m.fitGap(p, e, t, limit)
	}
	next := m.after(el, t, limit)
	if el.not {
		if next >= 0 {
			return -1
		}
		return m.fitAt(p, e+1, t, limit)
	}
	to := -1
	switch el.op {
	case opSeparator, opColon:
		if next >= 0 && next < m.sent.to {
			to = m.fitAt(p, e+1, next, m.clauses[clauseAt(m.clauses, next)].to)
		} else if next > m.sent.to && e+1 == len(p.elements) {
			to = m.sent.to
		}
	case opStart:
		if to = m.rest(p, e+1, next, limit); to < 0 && next > t {
			to = m.fitAt(p, e+1, t, limit)
		}
	case opWords:
		to = m.fitWords(p, e, t, limit)
	default:
		to = m.rest(p, e+1, next, limit)
	}
	if to < 0 && el.optional {
		return m.fitAt(p, e+1, t, limit)
	}
	return to
}

// fitGap tries the lengths of a gap, the shortest first.
func (m *matcher) fitGap(p *pattern, e, t, limit int) int {
	peek := m.peek(p, e+1)
	for next, end := t, t+min(limit-t, p.elements[e].max); next <= end; next++ {
		if peek != nil && (next >= limit || m.quick(peek, next) || m.word(peek, next, limit) < 0) {
			continue
		}
		if to := m.fitAt(p, e+1, next, limit); to >= 0 {
			return to
		}
	}
	return -1
}

// fitWords tries the words that the element takes at t, the longest first.
func (m *matcher) fitWords(p *pattern, e, t, limit int) int {
	el := &p.elements[e]
	for next := m.after(el, t, limit); next >= 0; next = m.shorter(el, t, next) {
		if el.many && next > t {
			if to := m.fitAt(p, e, next, limit); to >= 0 {
				return to
			}
		}
		if to := m.fitAt(p, e+1, next, limit); to >= 0 {
			return to
		}
	}
	return -1
}

// peek gives the element where it is one that a word must stand for.
func (m *matcher) peek(p *pattern, e int) *element {
	if e == len(p.elements) {
		return nil
	}
	if el := &p.elements[e]; el.op == opWords && !el.optional && !el.not {
		return el
	}
	return nil
}

func (m *matcher) rest(p *pattern, e, next, limit int) int {
	if next < 0 {
		return -1
	}
	return m.fitAt(p, e, next, limit)
}

// after gives where the tokens end that the element takes at t, -1 where it
// does not fit.
func (m *matcher) after(el *element, t, limit int) int {
	switch el.op {
	case opGap:
		return t
	case opColon:
		if t == limit && t < len(m.tokens) && m.tokens[t].kind == tokenPart && (m.tokens[t].sign == ':' || m.tokens[t].sign == '：') {
			return t + 1 // also where a line ends with it
		}
		return -1
	case opSeparator:
		if t == limit && t < m.sent.to {
			if m.tokens[t].kind == tokenPart {
				return t + 1
			}
			return t
		}
		return -1
	case opStart:
		c := m.clauses[clauseAt(m.clauses, t)]
		if t == c.from || t == c.head {
			return c.head
		}
		return -1
	case opEnd:
		for ask := []class{m.known.tagQuestion}; t < limit; {
			next := m.at(m.words, t, ask)
			if next == 0 {
				return -1
			}
			t = next
		}
		return t
	}
	if t >= limit {
		return -1
	}
	if el.op == opAny {
		return t + 1
	}
	return m.word(el, t, limit)
}

// quick says that no word at t can be the element's, as far as is seen at once.
func (m *matcher) quick(el *element, t int) bool {
	tok := &m.tokens[t]
	return !tok.classes.meets(el.sum) && (el.sum != everything || tok.kind == tokenHan)
}

// word gives where the longest word ends that the element takes at t, -1 where
// it takes none.
func (m *matcher) word(el *element, t, limit int) int {
	if to := m.longest(el, t, limit); to > 0 {
		return to
	}
	tok := &m.tokens[t]
	if el.number && tok.kind == tokenNumber || el.name && tok.name || el.plural && m.plural(tok) {
		return t + 1
	}
	for _, suffix := range el.suffixes {
		if n := int(tok.to) - len(suffix); tok.kind == tokenWord && n >= int(tok.from)+2 && m.has(n, suffix) {
			return t + 1
		}
	}
	return -1
}

// longest gives where the longest word of the element's classes ends that
// begins at t and ends by limit, 0 where there is none.
func (m *matcher) longest(el *element, t, limit int) (best int) {
	if el.bits == nil || !m.tokens[t].classes.meets(el.sum) {
		return 0
	}
	for i := int(m.tokens[t].hits); i < len(m.hits) && int(m.hits[i].from) == t; i++ {
		if to := int(m.hits[i].to); to > best && to <= limit && m.in(m.hits[i], el) {
			best = to
		}
	}
	return best
}

// in says whether a hit has one of the element's classes.
func (m *matcher) in(h hit, el *element) bool {
	node, partly := h.node, false
	if node < 0 {
		node, partly = -node, true
	}
	senses := m.lexicon.nodes[node].senses
	if few := el.classes; len(few) <= 3 {
		for i := range senses {
			for _, c := range few {
				if c == senses[i].class && (!partly || senses[i].prefix) {
					return true
				}
			}
		}
		return false
	}
	for i := range senses {
		if c := senses[i].class; el.bits[c/64]&(1<<(c%64)) != 0 && (!partly || senses[i].prefix) {
			return true
		}
	}
	return false
}

// shorter gives the next shorter word that the element takes at t, -1 where
// there is none.
func (m *matcher) shorter(el *element, t, than int) int {
	best := -1
	for i := int(m.tokens[t].hits); i < len(m.hits) && int(m.hits[i].from) == t; i++ {
		if to := int(m.hits[i].to); to < than && to > best && el.bits != nil && m.in(m.hits[i], el) {
			best = to
		}
	}
	return best
}

// plural tells an English word that looks like a plural.
func (m *matcher) plural(tok *token) bool {
	if tok.kind != tokenWord || tok.to-tok.from < 4 || m.folded[tok.to-1] != 's' {
		return false
	}
	before := m.folded[tok.to-2]
	return before != 's' && before != 'u' && before != 'i' && before != '\''
}
