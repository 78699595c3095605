package demo

import (
	"maps"
	"slices"
	"time"

	"tidemark/backend/memory"
)

// Sum counts what a reader must find. Tokens are counts; a call whose price
// nobody knows is in Unpriced and adds nothing to Cost.
type Sum struct {
	Sessions, Messages, UserMessages, Compactions int64
	Calls, Unpriced                               int64
	Input, Output, CacheRead, CacheWrite          int64
	Cost                                          memory.Money
	Background                                    memory.Money // part of Cost that nobody asked for
}

func (s *Sum) add(o Sum) {
	s.Sessions, s.Messages, s.UserMessages, s.Compactions = s.Sessions+o.Sessions, s.Messages+o.Messages, s.UserMessages+o.UserMessages, s.Compactions+o.Compactions
	s.Calls, s.Unpriced = s.Calls+o.Calls, s.Unpriced+o.Unpriced
	s.Input, s.Output, s.CacheRead, s.CacheWrite = s.Input+o.Input, s.Output+o.Output, s.CacheRead+o.CacheRead, s.CacheWrite+o.CacheWrite
	s.Cost, s.Background = s.Cost+o.Cost, s.Background+o.Background
}

// Kinds of statements.
const (
	Preference = "preference"
	Rule       = "rule" // something that must never happen, or always
	Fact       = "fact"
)

// Statement is something that a person said about themselves, and where.
type Statement struct {
	Agent, Session, Entry string
	Speaker               string // a customer, or the owner
	Kind, Text            string // without what OpenClaw puts around it
	At                    time.Time
	// Lost is the entry of the compaction whose summary leaves it out, "" where
	// none does.
	Lost string
}

// Truth is what is in an invented installation.
type Truth struct {
	Sum
	Agents map[string]Sum
	// Days holds what calls used, by the day in UTC ("2026-05-31").
	Days       map[string]Sum
	Statements []Statement
	Superseded int64 // compactions that another one replaced
	NoSummary  int64 // compactions without a summary
	Resets     int64 // entries of the newest era
	Longest    int64 // entries of the longest session
	// Problems are those that were put there on purpose, and how many of each.
	Problems map[memory.Code]int
}

func newTruth() Truth {
	return Truth{Agents: map[string]Sum{}, Days: map[string]Sum{}, Problems: map[memory.Code]int{}}
}

// Add adds what was said since, as a Talker counts it.
func (t *Truth) Add(o Truth) {
	t.Sum.add(o.Sum)
	for _, id := range slices.Sorted(maps.Keys(o.Agents)) {
		s := t.Agents[id]
		s.add(o.Agents[id])
		t.Agents[id] = s
	}
	for _, day := range slices.Sorted(maps.Keys(o.Days)) {
		s := t.Days[day]
		s.add(o.Days[day])
		t.Days[day] = s
	}
	t.Statements = append(t.Statements, o.Statements...)
	t.Superseded, t.NoSummary, t.Resets = t.Superseded+o.Superseded, t.NoSummary+o.NoSummary, t.Resets+o.Resets
	for code, n := range o.Problems {
		t.Problems[code] += n
	}
}

// count adds to the sums of an agent. Of a call the day counts too.
func (t *Truth) count(agent string, at time.Time, s Sum) {
	t.Sum.add(s)
	of := t.Agents[agent]
	of.add(s)
	t.Agents[agent] = of
	if s.Calls > 0 {
		day := at.UTC().Format(time.DateOnly)
		on := t.Days[day]
		on.add(Sum{Calls: s.Calls, Unpriced: s.Unpriced, Input: s.Input, Output: s.Output, CacheRead: s.CacheRead, CacheWrite: s.CacheWrite, Cost: s.Cost, Background: s.Background})
		t.Days[day] = on
	}
}
