package demo

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// How a compaction came out.
type outcome int

const (
	summed    outcome = iota
	excused           // the summary says that there is none
	byHand            // the person asked for it
	withATwin         // it was made twice; the first is a dead end
)

// settle compacts where the context is full.
func (t *thread) settle() {
	if t.held || t.tokens <= t.limit() || len(t.people) < 4 {
		return
	}
	how := summed
	switch next := t.compacted + 1; {
	case t.era == eraSidecars && next%3 == 1:
		how = withATwin
	case next%7 == 3:
		how = excused
	}
	t.compact(how)
}

// limit is the level above which the context is compacted.
func (t *thread) limit() int64 {
	if t.era != eraDatabase {
		return t.model.window - reserve
	}
	return t.model.window - min(reserve, t.model.window/4)
}

// compact replaces all but the last few turns by a summary.
func (t *thread) compact(how outcome) {
	if t.era == eraFiles && how != byHand {
		t.flush()
	}
	t.pass(20*time.Second, 70*time.Second)
	kept := t.people[len(t.people)-min(len(t.people), 3)]
	before, parent := t.tokens, t.last
	after := bootTokens + 2_000 + t.rng.Int64N(9_000)
	summary, lost := t.summary(how)
	s := &summaryShape{Summary: summary, FirstKept: kept, TokensBefore: before, FromHook: t.era != eraSidecars,
		Details: map[string]any{"readFiles": []string{"kiln/schedule.md", "stock/goods.csv"}, "modifiedFiles": []string{"MEMORY.md"}}}
	if t.era == eraDatabase {
		s.TokensAfter = after
	}
	if t.era == eraFiles && how == byHand {
		s.TokensBefore = 0 // 2026.2 does not know it there
	}
	if how == withATwin {
		t.truth.count(t.who.id, t.at, Sum{Compactions: 1})
		t.truth.Superseded++
		t.addBelow(parent, entryShape{Type: "compaction", summaryShape: s})
		t.pass(5*time.Second, 20*time.Second)
	}
	t.truth.count(t.who.id, t.at, Sum{Compactions: 1})
	id := t.addBelow(parent, entryShape{Type: "compaction", summaryShape: s})
	for _, n := range lost {
		t.truth.Statements[n].Lost = id
	}
	t.tokens, t.sent, t.topics = after, 0, nil
	t.compacted++
	t.stated = without(t.stated, lost)
}

// flush is the turn in which 2026.2 asks for notes before it compacts.
func (t *thread) flush() {
	t.background = true
	t.pass(2*time.Second, 8*time.Second)
	t.say("Pre-compaction memory flush. Store durable memories now (use memory/YYYY-MM-DD.md; create memory/ if needed). IMPORTANT: If the file already exists, APPEND new content only and do not overwrite existing entries. If nothing to store, reply with NO_REPLY.", 0, nil)
	t.people = t.people[:len(t.people)-1]
	name := "memory/" + t.at.In(zone).Format(time.DateOnly) + ".md"
	t.use("write", string(encode(map[string]string{"path": name, "content": "- " + strings.Join(t.topics, "\n- ") + "\n"})), "Successfully wrote to "+name, false)
	t.answer(text("NO_REPLY"), "stop")
}

// summary writes what a model would, and gives which statements it leaves out.
func (t *thread) summary(how outcome) (summary string, lost []int) {
	if how == excused {
		t.truth.NoSummary++
		return "Summary unavailable due to context limits. Older messages were truncated.", append([]int(nil), t.stated...)
	}
	h := headings[t.lang]
	var b strings.Builder
	fmt.Fprintf(&b, "## Goal\n%s\n\n## Constraints & Preferences\n", h.goal)
	kept := 0
	for _, n := range t.stated {
		// A summary of a long talk forgets some of what was said in passing.
		if t.forgets(n) {
			lost = append(lost, n)
			continue
		}
		fmt.Fprintf(&b, "- %s\n", t.truth.Statements[n].Text)
		kept++
	}
	if kept == 0 {
		b.WriteString("- (none)\n")
	}
	b.WriteString("\n## Progress\n### Done\n")
	for i, topic := range t.topics {
		if i == len(t.topics)-1 {
			fmt.Fprintf(&b, "### In Progress\n- [ ] %s\n", topic)
		} else if i >= len(t.topics)-14 { // older ones are said in one line
			fmt.Fprintf(&b, "- [x] %s\n", topic)
		}
	}
	fmt.Fprintf(&b, "\n## Key Decisions\n- %s\n\n## Next Steps\n1. %s\n\n<read-files>\nkiln/schedule.md\nstock/goods.csv\n</read-files>\n\n<modified-files>\nMEMORY.md\n</modified-files>", h.decision, h.next)
	return b.String(), lost
}

var headings = map[string]struct{ goal, decision, next string }{
	"zh": {"帮林砚打理青螺窑：排窑、订单、客人和账目，不替她报价。", "**报价先问本人**：任何价格都由林砚确认后再说。", "等林砚确认草稿，再继续排下一窑。"},
	"en": {"Help Lin Yan run the Qingluo kiln: firings, orders, customers and books, without quoting prices for her.", "**Prices go through Lin Yan**: nothing is quoted before she says so.", "Wait for her word on the open drafts, then plan the next firing."},
}

// forgets says whether a summary leaves a statement out: by chance, unless the
// script says which.
func (t *thread) forgets(n int) bool {
	if t.scripted {
		return slices.Contains(t.doomed, n)
	}
	return t.rng.IntN(4) == 0
}

func without(all, drop []int) (rest []int) {
	gone := map[int]bool{}
	for _, n := range drop {
		gone[n] = true
	}
	for _, n := range all {
		if !gone[n] {
			rest = append(rest, n)
		}
	}
	return rest
}

// branch abandons what follows: it plays a scene, goes back to where it began
// and goes on from there.
func (v *voice) branch(t *thread, end time.Time) {
	back, tokens, people, topics, stated := t.last, t.tokens, len(t.people), len(t.topics), len(t.stated)
	if tokens > t.limit()/2 || people > 6 {
		return
	}
	v.play(t, end)
	if t.last == back {
		return
	}
	t.pass(time.Minute, 3*time.Minute)
	t.add(entryShape{Type: "leaf", TargetID: back, AppendParent: back})
	t.last, t.tokens, t.sent = back, tokens, 0
	t.people, t.topics, t.stated = t.people[:people], t.topics[:topics], t.stated[:stated]
	v.play(t, end)
}
