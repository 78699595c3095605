package engine

import (
	"context"
	"time"

	"tidemark/backend/api"
	"tidemark/backend/ingest"
	"tidemark/backend/memory"
	"tidemark/backend/openclaw"
	"tidemark/backend/stats"
)

// ScanOnce reads everything of an installation and keeps nothing: no index is
// read or written. Rows that hold no usage are not even unpacked.
func ScanOnce(ctx context.Context, env openclaw.Env, inst openclaw.Installation, mask func(string) string, progress func(ingest.Progress)) (api.Scan, error) {
	began := time.Now()
	tally := ingest.NewTally()
	pass := ingest.Pass{Installation: inst.ID, History: &history{env: env, inst: inst}, Store: tally, Mask: mask, Now: time.Now, Progress: progress}
	if _, err := pass.Run(ctx); err != nil {
		return api.Scan{}, err
	}
	out := api.Scan{Agents: []api.ScanAgent{}}
	var cost memory.Money
	for _, a := range tally.Sums() {
		out.Agents = append(out.Agents, api.ScanAgent{ID: a.ID, Workspace: a.Workspace, Eras: stats.EraNames(a.Eras), Sessions: a.Sessions})
		out.Sessions += a.Sessions
		out.Messages += a.Messages
		out.UserMessages += a.UserMessages
		out.Compactions += a.Compactions
		out.Tokens.Input += a.Usage.Input
		out.Tokens.Output += a.Usage.Output
		out.Tokens.CacheRead += a.Usage.CacheRead
		out.Tokens.CacheWrite += a.Usage.CacheWrite
		out.Cost.UnpricedCalls += a.Unpriced
		cost += a.Cost
	}
	out.Cost.USD = cost.Dollars()
	found := append(tally.Problems, stats.Problems(tally.Noted(), tally.Models())...)
	ingest.SortProblems(found)
	out.Problems = problems(found)
	out.ElapsedMs = time.Since(began).Milliseconds()
	return out, nil
}

func problems(found []memory.Problem) []api.Problem {
	out := make([]api.Problem, 0, len(found))
	for _, p := range found {
		out = append(out, api.Problem{Code: string(p.Code), Path: p.Path, Line: p.Line, Count: p.Count, Message: p.Message, Hint: p.Hint})
	}
	return out
}
