package capture

import (
	"cmp"
	"slices"
	"time"

	"tidemark/backend/memory"
)

const detail = memory.TagDetail

// claim is a statement on its way: what it covers, in tokens and clauses.
type claim struct {
	rule        *rule
	from, to    int
	first, last int
}

// choose gives the matches that become statements, at most one a clause, in
// the order of the text.
func (s *ruleSet) choose(w *words, sent sentence, clauses []clause, found []match) []claim {
	slices.SortStableFunc(found, func(a, b match) int {
		return cmp.Or(cmp.Compare(s.rules[b.rule].weight, s.rules[a.rule].weight), cmp.Compare(b.to-b.from, a.to-a.from),
			cmp.Compare(a.from, b.from), cmp.Compare(a.rule, b.rule))
	})
	var claims []claim
	for _, m := range found {
		r := &s.rules[m.rule]
		if r.scope != scopeNone || !r.lets(clauses[m.first:m.last+1]) || r.own && !s.ownWords(w, sent) {
			continue
		}
		for i := m.first; i <= m.last; i++ {
			clauses[i].taken = true
		}
		claims = append(claims, s.claim(w, clauses, m))
	}
	slices.SortFunc(claims, func(a, b claim) int { return cmp.Compare(a.from, b.from) })
	return claims
}

const (
	// longClause is from how many tokens on a clause is taken for speech
	// without punctuation: only the part around the match is the statement.
	longClause = 34
	partBefore = 8
	partBehind = 24
)

func (s *ruleSet) claim(w *words, clauses []clause, m match) claim {
	c := claim{rule: &s.rules[m.rule], first: m.first, last: m.last, from: clauses[m.first].head, to: clauses[m.last].to}
	if c.rule.match || m.from < c.from || clauses[m.first].to-clauses[m.first].from > longClause && m.from-c.from > partBefore {
		c.from = m.from
	}
	if clauses[m.last].to-clauses[m.last].from > longClause {
		c.to = min(c.to, m.to+partBehind)
	}
	return c
}

// grow takes the clauses into a statement that belong to it.
func (s *ruleSet) grow(w *words, clauses []clause, c *claim) {
	if c.rule.alone {
		return
	}
	lead := []class{s.known.lead}
	for i := c.first - 1; i >= 0 && s.free(&clauses[i], c) && s.at(w, clauses[i].head, lead) > 0; i-- {
		c.first, c.from = i, clauses[i].head
		clauses[i].taken = true
	}
	for i := c.last + 1; i < len(clauses) && s.free(&clauses[i], c) && s.joins(w, &clauses[i]); i++ {
		c.last, c.to = i, clauses[i].to
		clauses[i].taken = true
	}
}

func (s *ruleSet) free(c *clause, of *claim) bool {
	return !c.taken && !c.asks && c.stopped&everyTag == 0
}

// longestJoin is how many tokens a clause may have that is joined although it
// has a subject of its own.
const longestJoin = 14

// joins says whether a clause belongs to the statement before it: what follows
// in a sentence mostly goes on with it, or gives its reason.
func (s *ruleSet) joins(w *words, c *clause) bool {
	if tail := []class{s.known.tail}; s.at(w, c.from, tail) > 0 || s.at(w, c.head, tail) > 0 {
		return true
	}
	if c.sign == ' ' {
		return false
	}
	if c.to-c.from > longestJoin && s.any(w, c.from, c.to, []class{s.known.subject}) {
		return false
	}
	apart := []class{s.known.apart}
	return s.at(w, c.from, apart) == 0 && s.at(w, c.head, apart) == 0
}

// merge joins neighbours in a sentence: wants, and boundaries, with their like;
// facts where only a word stands between them or the second only goes on.
func (s *ruleSet) merge(w *words, clauses []clause, claims []claim) []claim {
	out := claims[:0]
	for _, c := range claims {
		if n := len(out); n > 0 && out[n-1].rule.tag == c.rule.tag && out[n-1].last+1 == c.first && !c.rule.alone && !out[n-1].rule.alone &&
			(c.rule.tag != detail || clauses[c.first].sign == 0 || s.goesOn(w, &clauses[c.first], c.rule)) {
			out[n-1].last, out[n-1].to = c.last, c.to
			continue
		}
		out = append(out, c)
	}
	return out
}

// goesOn says that a clause in which a fact was found goes on with the fact
// before it: its first word says so, or in Chinese that it does not begin with
// whom it tells of.
func (s *ruleSet) goesOn(w *words, c *clause, r *rule) bool {
	return s.at(w, c.head, []class{s.known.tail}) > 0 ||
		r.language == "zh" && c.to-c.from <= longestJoin && s.at(w, c.head, []class{s.known.subject}) == 0
}

// longestCoda is how many tokens a sentence has at most that only strengthens
// the one before it.
const longestCoda = 5

// coda says whether a sentence only strengthens the one before it.
func (s *ruleSet) coda(w *words, sent sentence) bool {
	if sent.gap || sent.to-sent.from > longestCoda {
		return false
	}
	word := []class{s.known.coda}
	for t := sent.from; t < sent.to; {
		next := s.at(w, t, word)
		if next == 0 {
			return false
		}
		t = next
	}
	return true
}

// item gives a statement as it is told.
func (s *ruleSet) item(w *words, c claim, at time.Time) memory.Item {
	span := w.stressed(stretch{int(w.tokens[c.from].from), int(w.tokens[c.to-1].to)})
	it := memory.Item{Tag: c.rule.tag, Text: w.part(span), Start: span.from, End: span.to, Rule: c.rule.name}
	until, short := s.until(w, c, at)
	if !until.IsZero() {
		it.Until = memory.Millis(until.UnixMilli())
		if short {
			it.Tag = detail
		}
	}
	return it
}
