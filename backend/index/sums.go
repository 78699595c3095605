package index

import (
	"context"
	"fmt"

	"tidemark/backend/memory"
)

// AgentSum is what the index holds of one agent.
type AgentSum struct {
	memory.Agent
	Present      bool // it was there at the last look
	Eras         map[string]bool
	Sessions     int64
	Messages     int64
	UserMessages int64
	Compactions  int64
	Unpriced     int64
	Usage        memory.Usage
	Cost         memory.Money
	Updated      memory.Millis
}

// AgentSums sums up every agent, in the order in which they were found.
func (s *Store) AgentSums(ctx context.Context) ([]AgentSum, error) {
	rows, err := s.x.read.QueryContext(ctx, `SELECT a.name, a.title, a.workspace, a.shared, a.configured, a.present, COUNT(s.id), COALESCE(SUM(s.messages),0), COALESCE(SUM(s.user_messages),0),
		COALESCE(SUM(s.compactions),0), COALESCE(SUM(s.unpriced),0), COALESCE(SUM(s.input),0), COALESCE(SUM(s.output),0), COALESCE(SUM(s.cache_read),0), COALESCE(SUM(s.cache_write),0), COALESCE(SUM(s.cost),0), COALESCE(MAX(s.updated),0)
		FROM agent a LEFT JOIN session s ON s.agent = a.id WHERE a.installation = ? GROUP BY a.id ORDER BY a.id`, s.id)
	if err != nil {
		return nil, fmt.Errorf("sum up agents: %w", err)
	}
	defer rows.Close()
	var found []AgentSum
	at := map[string]int{}
	for rows.Next() {
		a := AgentSum{Eras: map[string]bool{}}
		var shared string
		u := &a.Usage
		if err := rows.Scan(&a.ID, &a.Name, &a.Workspace, &shared, &a.Configured, &a.Present, &a.Sessions, &a.Messages, &a.UserMessages, &a.Compactions, &a.Unpriced,
			&u.Input, &u.Output, &u.CacheRead, &u.CacheWrite, &a.Cost, &a.Updated); err != nil {
			return nil, fmt.Errorf("sum up agents: %w", err)
		}
		a.SharedWith = split(shared)
		at[a.ID] = len(found)
		found = append(found, a)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("sum up agents: %w", err)
	}
	rows.Close()
	kinds, err := s.x.read.QueryContext(ctx, `SELECT DISTINCT a.name, ss.kind FROM session_source ss JOIN session s ON s.id = ss.session JOIN agent a ON a.id = s.agent WHERE a.installation = ?`, s.id)
	if err != nil {
		return nil, fmt.Errorf("list eras: %w", err)
	}
	defer kinds.Close()
	for kinds.Next() {
		var agent string
		var kind memory.SourceKind
		if err := kinds.Scan(&agent, &kind); err != nil {
			return nil, fmt.Errorf("list eras: %w", err)
		}
		if n, ok := at[agent]; ok && kind.Era() != "" {
			found[n].Eras[kind.Era()] = true
		}
	}
	return found, kinds.Err()
}

// ProblemSums is what problems that only sums show are found in.
type ProblemSums struct {
	// Sessions are those whose row moved on long after their transcript.
	Sessions []memory.SessionSummary
	// Models sum up the calls of each model that have no price or no usage.
	Models []memory.UsageSlice
}

// SumProblems gathers sums that show a problem; a session shows one when its
// row is later than its last entry by more than late. It costs little where
// there is none.
func (s *Store) SumProblems(ctx context.Context, late memory.Millis) (ProblemSums, error) {
	var out ProblemSums
	var unpriced, unreported int64
	if err := s.x.read.QueryRowContext(ctx, `SELECT COALESCE(SUM(s.unpriced),0), COALESCE(SUM(s.unreported),0) FROM session s JOIN agent a ON a.id = s.agent WHERE a.installation = ?`, s.id).Scan(&unpriced, &unreported); err != nil {
		return out, fmt.Errorf("sum up problems: %w", err)
	}
	if unpriced+unreported > 0 {
		slices, err := s.Usage(ctx, Filter{})
		if err != nil {
			return out, err
		}
		out.Models = slices
	}
	var behind int64
	if err := s.x.read.QueryRowContext(ctx, `SELECT COUNT(*) FROM session s JOIN agent a ON a.id = s.agent WHERE a.installation = ? AND s.current = 1 AND json_extract(s.notes, '$.UpdatedAt') > s.updated + ?`, s.id, late).Scan(&behind); err != nil {
		return out, fmt.Errorf("sum up problems: %w", err)
	}
	if behind > 0 {
		sessions, err := s.Sessions(ctx, Filter{})
		if err != nil {
			return out, err
		}
		out.Sessions = sessions
	}
	return out, nil
}
