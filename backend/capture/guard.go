package capture

// stopping is what guards of earlier sentences stop.
type stopping struct {
	next  tagSet // in the next sentence
	after tagSet // in all that follow
	task  bool   // what follows is about a task
}

// guard marks the clauses of a sentence that state nothing. It gives what holds
// for the sentences behind, and whether the whole message states nothing.
func (s *ruleSet) guard(w *words, sent sentence, clauses []clause, found []match, was stopping) (now stopping, nothing bool) {
	now = stopping{after: was.after, task: was.task}
	stop(clauses, was.next|was.after)
	for i := range clauses {
		clauses[i].task = was.task
	}
	for _, m := range found {
		if s.rules[m.rule].scope == scopeMessage {
			return now, true
		}
		s.apply(w, clauses, m, &now)
	}
	s.question(w, sent, clauses)
	return now, false
}

// apply does what one guard says.
func (s *ruleSet) apply(w *words, clauses []clause, m match, now *stopping) {
	g := &s.rules[m.rule]
	touched := clauses[m.first : m.last+1]
	switch g.scope {
	case scopeClause:
		stop(touched, g.tags)
	case scopeOnce:
		for i := range touched {
			touched[i].once = true
		}
	case scopeOnceRest:
		for i := m.first; i < s.end(w, clauses, m, 0); i++ {
			clauses[i].once = true
		}
	case scopeTask:
		for i := m.first; i < len(clauses); i++ {
			clauses[i].task = true
		}
		now.task = true
	case scopeAsk:
		for i := range touched {
			touched[i].asks = true
		}
	case scopeRest:
		stop(clauses[m.first:s.end(w, clauses, m, 1)], g.tags)
	case scopeSentence:
		stop(around(clauses, m), g.tags)
	case scopeNext:
		stop(clauses, g.tags)
		now.next |= g.tags
	case scopeAfter:
		stop(clauses[m.first:], g.tags)
		now.after |= g.tags
	}
}

// end gives the clause at which what a guard says of the rest of a sentence
// ends: one behind the match that begins anew, or that mere space parts from the
// one before. The first ones are not ended by space.
func (s *ruleSet) end(w *words, clauses []clause, m match, first int) int {
	anew := []class{s.known.brk, s.known.fresh}
	for i := m.last + 1; i < len(clauses); i++ {
		c := &clauses[i]
		if s.at(w, c.from, anew) > 0 || s.at(w, c.head, anew) > 0 || i > m.last+first && c.sign == ' ' {
			return i
		}
	}
	return len(clauses)
}

// around gives the clauses about a match between which no mere space stands.
func around(clauses []clause, m match) []clause {
	from, to := m.first, m.last+1
	for from > 0 && clauses[from].sign != ' ' {
		from--
	}
	for to < len(clauses) && clauses[to].sign != ' ' {
		to++
	}
	return clauses[from:to]
}

func stop(clauses []clause, tags tagSet) {
	if tags == 0 {
		return
	}
	for i := range clauses {
		clauses[i].stopped |= tags
	}
}

// question marks what a sentence asks: its last clause where a question mark
// ends it, all of it where it begins as a question, and a condition together
// with the question behind it.
func (s *ruleSet) question(w *words, sent sentence, clauses []clause) {
	last := len(clauses) - 1
	switch sent.end {
	case mask:
		clauses[last].stopped = everyTag
	case '🙄': // means the opposite
		stop(clauses, everyTag)
	}
	if isQuestion(sent.end) && !s.tagQuestion(w, clauses[last]) {
		if clauses[0].asks {
			for i := range clauses {
				clauses[i].asks = true
			}
		}
		clauses[last].asks = true
	}
	s.secrets(w, sent, clauses)
	condition := -1
	for i := range clauses {
		c := &clauses[i]
		if c.sign == ' ' && !c.asks {
			condition = -1
		}
		if condition < 0 && s.any(w, c.from, c.to, []class{s.known.iff}) {
			condition = i
		}
		if c.asks && condition >= 0 {
			stop(clauses[condition:], everyTag)
			return
		}
	}
}

// shortSecret is how many characters a word with a digit has at least that may
// be a credential.
const shortSecret = 4

// farSecret is how many tokens may stand between a word for a credential and a
// Latin word in another script's sentence that is taken for it.
const farSecret = 4

// secrets stops clauses in which something stands beside a word for a credential
// that looks like one: it may be one that was not masked.
func (s *ruleSet) secrets(w *words, sent sentence, clauses []clause) {
	word := -1 // the last such word
	for i := range clauses {
		c := &clauses[i]
		before := false // something that may be a credential stands before the word
		for t := c.from; t < c.to; t++ {
			if s.at(w, t, []class{s.known.secret}) > 0 {
				word = t
				if before {
					c.stopped = everyTag
				}
				continue
			}
			tok := w.tokens[t]
			if tok.kind == tokenHan || tok.kind == tokenPart || tok.to-tok.from < shortSecret {
				continue
			}
			before = before || w.digits(tok)
			if word >= 0 && (w.digits(tok) || sent.script != scriptLatin && t-word <= farSecret) {
				c.stopped = everyTag
			}
		}
	}
}

// digits says that a token holds a digit.
func (w *words) digits(t token) bool {
	for _, r := range w.folded[t.from:t.to] {
		if isDigit(r) {
			return true
		}
	}
	return false
}

// tagQuestion says that the clause ends by asking only whether that is all
// right.
func (s *ruleSet) tagQuestion(w *words, c clause) bool {
	ask := []class{s.known.tagQuestion}
	for t := max(c.from, c.to-4); t < c.to; t++ {
		if s.at(w, t, ask) == c.to {
			return true
		}
	}
	return false
}

// shortMessage is how many tokens a message may have to be taken for the
// person's own words throughout.
const shortMessage = 60

// ownWords says that a sentence tells of the person, or stands in a message so
// short that nobody pasted it.
func (s *ruleSet) ownWords(w *words, sent sentence) bool {
	return len(w.tokens) <= shortMessage || s.any(w, sent.from, sent.to, []class{s.known.own})
}

// lets says whether the guards let a rule fire in the clauses.
func (r *rule) lets(clauses []clause) bool {
	for i := range clauses {
		c := &clauses[i]
		if c.taken || c.stopped.has(r.tag) || c.asks && !r.ask || c.once && !r.once && r.tag != detail || c.task && r.order {
			return false
		}
	}
	return true
}
