package capture

// hit is a word of the lexicon in the text.
type hit struct {
	from, to int32 // tokens
	node     int32
}

// tag finds the words of the lexicon that begin at each token. The hits of a
// token stand together, token.hits is the first.
func (s *ruleSet) tag(w *words) {
	for i := range w.sentences {
		sent := &w.sentences[i]
		for t := sent.from; t < sent.to; t++ {
			w.tokens[t].hits = int32(len(w.hits))
			if k := w.tokens[t].kind; k != tokenQuote && k != tokenPart {
				s.walk(w, t, sent.to)
				s.sum(w, t)
				t = s.skipSolid(w, t)
			}
		}
	}
}

// skipSolid gives the last token of the longest word of class solid at a token:
// no other word begins within it, and shorter ones at the token are dropped.
// Without one it is the token itself.
func (s *ruleSet) skipSolid(w *words, tok int) int {
	first := int(w.tokens[tok].hits)
	end := int32(0)
	for _, h := range w.hits[first:] {
		if h.node > 0 && h.to > end && s.lexicon.nodes[h.node].solid {
			end = h.to
		}
	}
	if end == 0 {
		return tok
	}
	kept := w.hits[:first]
	for _, h := range w.hits[first:] {
		if h.to >= end {
			kept = append(kept, h)
		}
	}
	w.hits = kept
	for t := tok + 1; t < int(end); t++ {
		w.tokens[t].hits = int32(len(w.hits))
	}
	return int(end) - 1
}

// sum notes in a token which classes begin there, so that most questions for
// others are answered at once.
func (s *ruleSet) sum(w *words, tok int) {
	t := &w.tokens[tok]
	for _, h := range w.hits[t.hits:] {
		for _, m := range s.lexicon.nodes[max(h.node, -h.node)].senses {
			t.classes.add(m.class)
		}
	}
}

// walk follows the trie from a token on.
func (s *ruleSet) walk(w *words, from, end int) {
	l := s.lexicon
	node, inside := int32(0), from
	tok := w.tokens[from]
	for at := tok.from; ; at++ {
		c := w.folded[at]
		if c == '’' {
			c = '\''
		}
		if node = l.child(node, c); node == 0 {
			return
		}
		n := &l.nodes[node]
		switch {
		case at+1 == tok.to:
			if len(n.senses) > 0 {
				w.hits = append(w.hits, hit{int32(from), int32(inside + 1), node})
			}
			if inside++; inside == end {
				return
			}
			tok = w.tokens[inside]
			if tok.kind == tokenQuote || tok.kind == tokenPart {
				return
			}
			if at+1 < tok.from {
				if node = l.child(node, ' '); node == 0 {
					return
				}
				at = tok.from - 1
			}
		case n.prefix && tok.kind == tokenWord:
			w.hits = append(w.hits, hit{int32(from), int32(inside + 1), -node})
		}
	}
}

// senses gives the meanings of a hit. Where it is the beginning of a word
// only those count that any ending may follow.
func (s *ruleSet) each(h hit, yield func(sense) bool) {
	node, partly := h.node, false
	if node < 0 {
		node, partly = -node, true
	}
	for _, m := range s.lexicon.nodes[node].senses {
		if partly && !m.prefix {
			continue
		}
		if !yield(m) {
			return
		}
	}
}

// at gives where a word of one of the classes that begins at the token ends,
// the longest, 0 where none does.
func (s *ruleSet) at(w *words, tok int, classes []class) int {
	best, any := 0, signature{}
	for _, c := range classes {
		any.add(c)
	}
	if !w.tokens[tok].classes.meets(any) {
		return 0
	}
	for i := int(w.tokens[tok].hits); i < len(w.hits) && int(w.hits[i].from) == tok; i++ {
		h := w.hits[i]
		if int(h.to) <= best || !s.means(h, classes) {
			continue
		}
		best = int(h.to)
	}
	return best
}

func (s *ruleSet) means(h hit, classes []class) bool {
	node, partly := h.node, false
	if node < 0 {
		node, partly = -node, true
	}
	for i := range s.lexicon.nodes[node].senses {
		m := &s.lexicon.nodes[node].senses[i]
		if partly && !m.prefix {
			continue
		}
		for _, c := range classes {
			if m.class == c {
				return true
			}
		}
	}
	return false
}

// any says whether a word of one of the classes stands in the tokens.
func (s *ruleSet) any(w *words, from, to int, classes []class) bool {
	if from >= to {
		return false
	}
	for i := int(w.tokens[from].hits); i < len(w.hits) && int(w.hits[i].from) < to; i++ {
		if int(w.hits[i].to) <= to && s.means(w.hits[i], classes) {
			return true
		}
	}
	return false
}
