package stats

import (
	"fmt"
	"maps"
	"slices"

	"tidemark/backend/memory"
)

// BehindBy is how much later than its transcript's last entry a session's row
// may be changed before the transcript counts as behind: OpenClaw touches rows
// for minutes after a turn.
const BehindBy = memory.Millis(10 * 60 * 1000)

// Problems lists what only sums show: providers that report no usage, models
// without a price, transcripts that stopped growing. Models come first, by name.
func Problems(sessions []memory.SessionSummary, usage []memory.UsageSlice) []memory.Problem {
	by := map[string]*modelCalls{}
	for _, s := range usage {
		name := ModelName(s.Provider, s.Model)
		if by[name] == nil {
			by[name] = &modelCalls{name: name}
		}
		by[name].add(s)
	}
	var found []memory.Problem
	for _, name := range slices.Sorted(maps.Keys(by)) {
		found = append(found, by[name].problems()...)
	}
	for i := range sessions {
		if p, behind := transcriptBehind(&sessions[i]); behind {
			found = append(found, p)
		}
	}
	return found
}

// modelCalls counts the calls of one model.
type modelCalls struct {
	name                        string
	calls, unreported, unpriced int64
}

func (c *modelCalls) add(s memory.UsageSlice) {
	if s.Price == memory.PriceNone { // calls that failed before anything was used
		return
	}
	c.calls += s.Calls
	c.unreported += s.Unreported
	if s.Price == memory.PriceUnknown { // what only the ledger knows can be priced no more
		c.unpriced += max(s.Unpriced-s.Unreported-s.Damaged, 0)
	}
}

func (c *modelCalls) problems() (found []memory.Problem) {
	if c.unreported > 0 {
		message := fmt.Sprintf("%d of %d calls of %s have no usage, so their tokens and cost are unknown", c.unreported, c.calls, c.name)
		if c.unreported >= c.calls {
			message = fmt.Sprintf("%d calls of %s have no usage: the provider reports none, so their tokens and cost are unknown", c.unreported, c.name)
		}
		found = append(found, memory.Problem{Code: memory.ProblemNoUsage, Path: c.name, Count: int(c.unreported), Message: message,
			Hint: "Turn usage reporting on at the provider or proxy, if it has it."})
	}
	if c.unpriced > 0 {
		found = append(found, memory.Problem{Code: memory.ProblemNoPrice, Path: c.name, Count: int(c.unpriced),
			Message: fmt.Sprintf("the cost of %d calls of %s is unknown", c.unpriced, c.name),
			Hint:    "Set the model's price (models.providers.<provider>.models[].cost) in openclaw.json; Tidemark then prices them."})
	}
	return found
}

// transcriptBehind recognises a session whose row moves on while its
// transcript does not: another program keeps the conversation.
func transcriptBehind(s *memory.SessionSummary) (memory.Problem, bool) {
	if !s.Current || s.Updated == 0 || s.Notes.UpdatedAt-s.Updated < BehindBy || Archived(s) {
		return memory.Problem{}, false
	}
	return memory.Problem{Code: memory.ProblemBehind, Path: livePath(s), Count: 1,
		Message: fmt.Sprintf("session %s was last active %d minutes after the last entry of its transcript", s.Session, (s.Notes.UpdatedAt-s.Updated)/60000),
		Hint:    "The conversation may be kept by another program (a CLI backend). What it says is not in OpenClaw's transcript."}, true
}

// livePath gives where the part of a session lies that OpenClaw still writes to.
func livePath(s *memory.SessionSummary) string {
	for _, src := range s.Sources {
		if !src.Kind.Archived() && src.Gone == 0 {
			return src.Path
		}
	}
	return ""
}
