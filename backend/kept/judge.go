package kept

import (
	"slices"

	"tidemark/backend/memory"
)

// Judge takes new statements of one message, filled but for Kind and Of, and
// gives the lines to append. It does not change the book.
//
// A statement that the book has, be it as forgotten, gives none. One that says
// the same as a live statement becomes its repeat. Any other is kept, with a
// supersede line for each live statement that it surely contradicts; where that
// one was said later, for itself. Pinned statements are not superseded, nor is
// anything by what holds for a while or by what nobody knows who said.
//
// Statements join where the speaker is the same: the owner's within an agent, or
// with one that holds for all; those of a contact, or of somebody unknown, by
// name, within an agent.
func (b *Book) Judge(candidates []memory.KeptLine) (lines []memory.KeptLine) {
	j := judge{book: b}
	for i := range candidates {
		c := candidates[i]
		if !b.known(&c) && !slices.ContainsFunc(lines, func(l memory.KeptLine) bool { return l.ID == c.ID }) {
			lines = append(lines, j.judge(&c)...)
		}
	}
	return lines
}

// judge judges the statements of one message.
type judge struct {
	book *Book
	new  []*entry // statements of the message that were judged to be new
}

func (j *judge) judge(c *memory.KeptLine) []memory.KeptLine {
	own := read(c.Text)
	var near []*entry
	if own.strong > 0 {
		near = j.book.texts.near(own)
	}
	near = append(near, j.new...)
	if e := j.same(c, own, near); e != nil {
		c.Kind, c.Of = memory.KeptRepeat, e.it.ID
		return []memory.KeptLine{*c}
	}
	c.Kind, c.Of = memory.KeptStatement, ""
	found := j.successions(c, own, near)
	st := statementOf(c)
	j.new = append(j.new, &entry{it: &item{Statement: st}, reading: own})
	return append([]memory.KeptLine{*c}, found...)
}

// same gives the first live statement that says the same.
func (j *judge) same(c *memory.KeptLine, own *reading, near []*entry) (first *entry) {
	consider := func(e *entry) {
		if e.it != nil && joins(c, &e.it.Statement) && (first == nil || newestFirst(e.it, first.it) > 0) {
			first = e
		}
	}
	for _, e := range j.book.texts.literally(own.hash) {
		consider(e)
	}
	for _, e := range j.new {
		if e.hash == own.hash {
			consider(e)
		}
	}
	if first != nil {
		return first
	}
	for _, e := range near {
		if e.it != nil && same(own, e.reading) {
			consider(e)
		}
	}
	return first
}

// joins says whether a new statement may be a repeat of one, as far as it is not
// about the words.
func joins(c *memory.KeptLine, st *memory.Statement) bool {
	return st.State == memory.StatementLive && c.Until == st.Until && (st.Until == 0 || c.At < st.Until) &&
		sameSpeaker(c, st) && (c.Agent == st.Agent || st.Scope == memory.ScopeAll && c.Speaker.Kind == memory.SpeakerOwner)
}

// sameSpeaker says whether a new statement and an old one are surely of the same
// person.
func sameSpeaker(c *memory.KeptLine, st *memory.Statement) bool {
	a, b := c.Speaker, st.Speaker
	switch {
	case a.Kind != b.Kind:
		return false
	case a.Kind == memory.SpeakerOwner:
		return true
	case a.Kind == memory.SpeakerContact:
		return a.Name == b.Name && a.Name != "" && (a.Channel == b.Channel || a.Channel == "" || b.Channel == "")
	}
	return a == b
}

// successions gives the lines for what a new statement takes the place of, or
// what has taken its own.
func (j *judge) successions(c *memory.KeptLine, own *reading, near []*entry) (lines []memory.KeptLine) {
	if c.Until != 0 || c.At == 0 || c.Speaker.Kind == memory.SpeakerUnknown {
		return nil
	}
	var by *memory.Statement
	for _, e := range near {
		if e.it == nil || e.it.State != memory.StatementLive || e.it.Until != 0 || e.it.At == 0 || !sameSpeaker(c, &e.it.Statement) {
			continue
		}
		st := &e.it.Statement
		switch {
		case st.At <= c.At && !st.Pinned && replaces(c, own, st) && follows(own, e.reading):
			lines = append(lines, superseded(c, st.ID, c.ID))
			if st.Scope == memory.ScopeAll {
				c.Scope = memory.ScopeAll
			}
		case st.At > c.At && c.Agent == st.Agent && follows(e.reading, own):
			if by == nil || st.At < by.At || st.At == by.At && st.ID < by.ID {
				by = st
			}
		}
	}
	if by != nil {
		lines = append(lines, superseded(c, c.ID, by.ID))
	}
	slices.SortFunc(lines, func(a, b memory.KeptLine) int { return compareMoments(&a, &b) })
	return lines
}

// replaces says whether a new statement may take the place of an old one, as far
// as it is about for whom they hold. What holds for all agents is replaced by
// what another agent was told only where that speaks of a change.
func replaces(c *memory.KeptLine, own *reading, st *memory.Statement) bool {
	return c.Agent == st.Agent || st.Scope == memory.ScopeAll && c.Speaker.Kind == memory.SpeakerOwner && (own.mark || c.Scope == memory.ScopeAll)
}

func superseded(c *memory.KeptLine, of, by string) memory.KeptLine {
	return memory.KeptLine{Kind: memory.KeptSupersede, ID: supersedeID(of, by), At: c.At, Agent: c.Agent, Of: of, By: by}
}
