package capture

// clause is a part of a sentence. Offsets are tokens.
type clause struct {
	from, to int
	head     int  // the first token that is no filler
	sign     rune // that stands before it, 0 where a word parts it from the one before
	asks     bool
	once     bool
	task     bool
	stopped  tagSet
	taken    bool // a statement has it
}

// split cuts a sentence into clauses, at signs and before words of class break.
func (s *ruleSet) split(w *words, sent sentence) []clause {
	first := len(w.clauses)
	brk := []class{s.known.brk}
	from, sign := sent.from, rune(0)
	for t := sent.from; t < sent.to; t++ {
		if w.tokens[t].kind == tokenPart {
			s.part(w, from, t, sign)
			from, sign = t+1, w.tokens[t].sign
			continue
		}
		if t == from || s.at(w, t, brk) == 0 {
			continue
		}
		if value, _ := s.value(w, t, s.known.brk); value != "no" {
			s.part(w, from, t, sign)
			from, sign = t, 0
		}
	}
	s.part(w, from, sent.to, sign)
	return w.clauses[first:]
}

// shortPart is how many tokens of a long clause stay together at least.
const shortPart = 5

// part adds a clause. A long one is taken for speech without punctuation: it is
// cut behind words of class particle and before words of class start, as if
// spaces stood there.
func (s *ruleSet) part(w *words, from, to int, sign rune) {
	if to-from <= longClause {
		s.close(w, from, to, sign)
		return
	}
	start, particle := []class{s.known.start}, []class{s.known.particle}
	for t := from; t < to; t++ {
		cut := t
		if next := s.at(w, t, start); next > 0 {
			if value, _ := s.value(w, t, s.known.start); value == "no" {
				t = next - 1
				continue
			}
		} else if cut = s.at(w, t, particle); cut == 0 {
			continue
		}
		if cut-from >= shortPart && cut < to {
			s.close(w, from, cut, sign)
			from, sign = cut, ' '
		}
		t = max(t, cut-1)
	}
	s.close(w, from, to, sign)
}

// mostFillers bounds how many words that say nothing are skipped.
const mostFillers = 6

func (s *ruleSet) close(w *words, from, to int, sign rune) {
	if from >= to {
		return
	}
	c := clause{from: from, to: to, head: from, sign: sign}
	filler := []class{s.known.filler}
	for range mostFillers {
		next := s.at(w, c.head, filler)
		if next == 0 || next >= to {
			break
		}
		c.head = next
	}
	w.clauses = append(w.clauses, c)
}

// clauseAt gives the index of the clause that holds a token.
func clauseAt(clauses []clause, tok int) int {
	for i := range clauses {
		if tok < clauses[i].to {
			return i
		}
	}
	return len(clauses) - 1
}
