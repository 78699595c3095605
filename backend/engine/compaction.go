package engine

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"tidemark/backend/api"
	"tidemark/backend/markup"
	"tidemark/backend/memory"
	"tidemark/backend/stats"
	"tidemark/backend/transcript"
)

const (
	// maxLeft is how many of the entries are sent that left the context: more
	// than a person reads, and the page of the session has them all.
	maxLeft = 500
	// leftText is how much is sent of the text of each, in characters.
	leftText = 600
	// justBefore is how many entries above a compaction are looked at for what
	// led to it: the command or the error, and what is noted beside it.
	justBefore = 6
)

// Compaction gives one compaction and all that is known of it.
func (e *Engine) Compaction(ctx context.Context, q api.Query) (out api.CompactionDetail, err error) {
	err = e.ask(ctx, q, func(i *installation, s store) error {
		for range retries {
			epoch := s.Stamp().Epoch
			if out, err = e.compaction(ctx, i, s, q); err != nil || s.Stamp().Epoch == epoch {
				return err
			}
		}
		return nil
	})
	return out, err
}

func (e *Engine) compaction(ctx context.Context, i *installation, s store, q api.Query) (out api.CompactionDetail, err error) {
	all, sum, c, err := e.course(ctx, s, q)
	if err != nil {
		return out, err
	}
	records := stats.CompactionsIn(sum, c.Entries, c.shape)
	n := slices.IndexFunc(records, func(r stats.CompactionRecord) bool { return r.Entry == q.Entry })
	if n < 0 {
		return out, &memory.Error{Code: memory.CodeNotFound, Op: fmt.Sprintf("session %q has no compaction %q", q.Session, q.Entry)}
	}
	r := records[n]
	out = api.CompactionDetail{Compaction: compactionOf(r), Title: i.session(sum, all.family).Title, NoSummary: r.NoSummary, FromHook: r.FromHook,
		Flush: string(stats.FlushBefore(sum.Notes, records, n))}
	if n > 0 {
		out.Previous = records[n-1].Entry
	}
	if n+1 < len(records) {
		out.Next = records[n+1].Entry
	}
	out.Window, _, out.Threshold = i.limits(sum)
	at := slices.IndexFunc(c.Entries, func(e memory.Entry) bool { return e.Kind == memory.KindCompaction && e.ID == q.Entry })
	out.LastCallAt = stamp(c.lastCall(at))
	out.KeptTotal = c.messages(c.shape.Stayed[at])
	if out.Why, out.WhyFrom, err = c.why(ctx, s, at, out.Threshold); err != nil {
		return out, err
	}
	found, err := i.ofSession(ctx, s, sum.Agent, sum.Session)
	if err != nil {
		return out, err
	}
	return out, c.left(ctx, s, at, found, &out)
}

// compactionOf gives a compaction as the API shows it.
func compactionOf(c stats.CompactionRecord) api.Compaction {
	return api.Compaction{CompactionRow: api.CompactionRow{Agent: c.Agent, SessionID: c.Session, EntryID: c.Entry, At: stamp(c.At), TokensBefore: count(c.TokensBefore),
		TokensAfter: count(c.TokensAfter), Summary: c.Summary, Superseded: c.Superseded, DroppedMessages: c.Dropped}, HTML: markup.HTML(c.Summary)}
}

// lastCall gives the time of the last call above an entry, 0 where there is none.
func (c *course) lastCall(at int) memory.Millis {
	for n := at - 1; n >= 0; n-- {
		if c.Entries[n].Call != nil || c.Copied[n] != nil {
			return c.Entries[n].At
		}
	}
	return 0
}

func (c *course) messages(of []int) (n int) {
	for _, i := range of {
		if c.Entries[i].Kind == memory.KindMessage {
			n++
		}
	}
	return n
}

// why tells what led to a compaction, and how that is known. OpenClaw does not
// write it down; a person's command stands in the transcript.
func (c *course) why(ctx context.Context, s store, at int, threshold *int64) (why, from string, err error) {
	before := c.above(at, justBefore)
	texts, err := s.Texts(ctx, c.rows(before))
	if err != nil {
		return "", "", err
	}
	for _, n := range before {
		e, text := &c.Entries[n], texts[c.Rows[n]]
		switch {
		case e.Role == memory.RoleUser && isCompactCommand(text):
			return "manual", "recorded", nil
		case e.Role == memory.RoleAssistant && isOverflow(e, text):
			return "overflow", "inferred", nil
		}
	}
	if k := c.Entries[at].Compaction; threshold != nil && k != nil && k.TokensBefore >= *threshold {
		return "threshold", "inferred", nil
	}
	return "unknown", "", nil
}

// above gives up to n entries above another one in the tree, down to the
// compaction before it, the nearest first; in the list where the tree does not
// say.
func (c *course) above(at, n int) (found []int) {
	want := c.Entries[at].Parent
	for i := at - 1; i >= 0 && len(found) < n; i-- {
		e := &c.Entries[i]
		if want != "" && e.ID != want {
			continue
		}
		if e.Kind == memory.KindCompaction { // what is above led to that one
			break
		}
		found, want = append(found, i), e.Parent
	}
	return found
}

// isCompactCommand says that a person told OpenClaw to compact.
func isCompactCommand(text string) bool {
	words := strings.Fields(transcript.Unwrap(text))
	return len(words) > 0 && strings.EqualFold(words[0], "/compact")
}

// overflows are what providers say of a prompt that is too long, in lower case.
var overflows = []string{"context overflow", "context length", "context window", "prompt is too long", "context_length_exceeded", "input is too long", "too many tokens", "request_too_large"}

// isOverflow says that a call failed because its prompt was too long.
func isOverflow(e *memory.Entry, text string) bool {
	if e.StopReason != "error" {
		return false
	}
	text = strings.ToLower(text)
	return slices.ContainsFunc(overflows, func(said string) bool { return strings.Contains(text, said) })
}

// left fills in what left the context.
func (c *course) left(ctx context.Context, s store, at int, found map[string][]memory.Statement, out *api.CompactionDetail) error {
	var of []int
	for _, n := range c.shape.Dropped[at] {
		switch c.Entries[n].Kind {
		case memory.KindMessage, memory.KindCustomMessage, memory.KindBranchSummary, memory.KindCompaction:
			of = append(of, n)
			out.LeftTokens += c.Entries[n].TextTokens
		}
	}
	out.LeftTotal = len(of)
	of = of[:min(len(of), maxLeft)]
	var err error
	out.Left, err = c.read(ctx, s, of, leftText, found)
	return err
}

// firstChars cuts a text to n characters, with a mark.
func firstChars(text string, n int) string {
	if len(text) <= n {
		return text
	}
	if r := []rune(text); len(r) > n {
		return string(r[:n]) + "…"
	}
	return text
}
