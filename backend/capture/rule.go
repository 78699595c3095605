package capture

import (
	"slices"

	"tidemark/backend/memory"
)

// Rule is one rule that finds statements, as its file has it.
type Rule struct {
	Name     string
	Tag      memory.Tag
	Language string
	Fires    []string // messages in which it finds something
	Not      []string // messages in which it finds nothing
}

// Rules gives all rules, in the order of their files.
func Rules() []Rule {
	var all []Rule
	for _, r := range loaded().rules {
		if r.scope == scopeNone {
			all = append(all, Rule{Name: r.name, Tag: r.tag, Language: r.language, Fires: slices.Clone(r.fires), Not: slices.Clone(r.not)})
		}
	}
	return all
}

// scope says what a guard stops. A rule has none.
type scope uint8

const (
	scopeNone scope = iota
	scopeClause
	scopeOnce
	scopeTask
	scopeOnceRest
	scopeAsk
	scopeRest
	scopeSentence
	scopeNext
	scopeAfter
	scopeMessage
)

var scopes = map[string]scope{"clause": scopeClause, "once": scopeOnce, "task": scopeTask, "once-rest": scopeOnceRest, "ask": scopeAsk, "rest": scopeRest,
	"sentence": scopeSentence, "next": scopeNext, "after": scopeAfter, "message": scopeMessage}

// rule is a rule or a guard.
type rule struct {
	name     string
	language string
	script   script
	tag      memory.Tag // of a rule
	scope    scope      // of a guard
	tags     tagSet     // that a guard stops
	weight   int
	match    bool // the span begins where the match does
	alone    bool // it is not grown
	ask      bool // it may fire in a question
	once     bool // guards of scope once let it pass
	order    bool // guards of scope task stop it
	own      bool // it needs a word for the person beside it, or a short message
	while    bool // a period in it says how long it holds
	unless   []class
	stops    []classBits // the same
	needs    [][]class
	fires    []string // of a guard: stops
	not      []string // of a guard: lets
}

// classBits are classes that share a word of a bit set.
type classBits struct {
	at   int
	bits uint64
}

// bitsOf gathers classes by the word of a bit set that they stand in.
func bitsOf(classes []class) (all []classBits) {
	for _, c := range classes {
		i := slices.IndexFunc(all, func(b classBits) bool { return b.at == int(c/64) })
		if i < 0 {
			i, all = len(all), append(all, classBits{at: int(c / 64)})
		}
		all[i].bits |= 1 << (c % 64)
	}
	return all
}

// tagSet is a set of tags.
type tagSet uint8

const everyTag = tagSet(1<<memory.TagWant | 1<<memory.TagBoundary | 1<<memory.TagDetail)

func (s tagSet) has(t memory.Tag) bool { return s&(1<<t) != 0 }

// weights decide between rules where a file does not.
var weights = map[memory.Tag]int{memory.TagBoundary: 6, memory.TagWant: 5, memory.TagDetail: 4}

// ruleSet is everything that is loaded. It is safe for concurrent use.
type ruleSet struct {
	lexicon  *lexicon
	rules    []rule
	patterns []pattern
	triggers [][]int32 // by class: the patterns that it is the anchor of
	known    reserved
}

// reserved are the classes that the code itself looks for.
type reserved struct {
	filler, brk, lead, tail, coda, apart, subject, iff, tagQuestion, solid, fresh, start, particle class
	period, month, weekday, until, untilAfter, field, own, secret                                  class
}

func (l *lexicon) reserve() reserved {
	return reserved{
		filler: l.open("filler"), brk: l.open("break"), lead: l.open("lead"), tail: l.open("tail"), coda: l.open("coda"),
		apart: l.open("apart"), subject: l.open("subject"), iff: l.open("if"), tagQuestion: l.open("tag-question"),
		period: l.open("period"), month: l.open("month"), weekday: l.open("weekday"), until: l.open("until"),
		untilAfter: l.open("until-after"), field: l.open("field"), own: l.open("own"), secret: l.open("secret"), solid: l.open("solid"), fresh: l.open("fresh"), start: l.open("start"), particle: l.open("particle"),
	}
}
