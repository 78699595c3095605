package stats

import (
	"fmt"
	"sort"

	"tidemark/backend/memory"
)

// BehindBy is how much later than its transcript's last entry a session's row
// may be changed before the transcript counts as behind: OpenClaw touches rows
// for minutes after a turn.
const BehindBy = memory.Millis(10 * 60 * 1000)

// Problems lists what only sums show: providers that report no usage, models
// without a price, transcripts that stopped growing.
func Problems(sessions []memory.SessionSummary, slices []memory.UsageSlice) []memory.Problem {
	var found []memory.Problem
	type counts struct{ unreported, unpriced int64 }
	by := map[string]*counts{}
	for _, s := range slices {
		name := ModelName(s.Provider, s.Model)
		c, ok := by[name]
		if !ok {
			c = &counts{}
			by[name] = c
		}
		c.unreported += s.Unreported
		if s.Price == memory.PriceUnknown {
			c.unpriced += s.Unpriced - min(s.Unpriced, s.Unreported)
		}
	}
	names := make([]string, 0, len(by))
	for name := range by {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		if c := by[name]; c.unreported > 0 {
			found = append(found, memory.Problem{Code: memory.ProblemNoUsage, Path: name, Count: int(c.unreported),
				Message: fmt.Sprintf("%d calls of %s have no usage: the provider reports none, so their tokens and cost are unknown", c.unreported, name),
				Hint:    "Turn usage reporting on at the provider or proxy, if it has it."})
		}
		if c := by[name]; c.unpriced > 0 {
			found = append(found, memory.Problem{Code: memory.ProblemNoPrice, Path: name, Count: int(c.unpriced),
				Message: fmt.Sprintf("the cost of %d calls of %s is unknown", c.unpriced, name),
				Hint:    "Set the model's price (models.providers.<provider>.models[].cost) in openclaw.json; Tidemark then prices them."})
		}
	}
	for i := range sessions {
		if p, behind := transcriptBehind(&sessions[i]); behind {
			found = append(found, p)
		}
	}
	return found
}

// transcriptBehind recognises a session whose row moves on while its
// transcript does not: another program keeps the conversation.
func transcriptBehind(s *memory.SessionSummary) (memory.Problem, bool) {
	if !s.Current || s.Updated == 0 || s.Notes.UpdatedAt-s.Updated < BehindBy || Archived(s) {
		return memory.Problem{}, false
	}
	at := s.Sources[0].Path
	return memory.Problem{Code: memory.ProblemBehind, Path: at, Count: 1,
		Message: fmt.Sprintf("session %s was last active %d minutes after the last entry of its transcript", s.Session, (s.Notes.UpdatedAt-s.Updated)/60000),
		Hint:    "The conversation may be kept by another program (a CLI backend). What it says is not in OpenClaw's transcript."}, true
}
