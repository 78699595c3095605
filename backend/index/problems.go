package index

import (
	"context"
	"database/sql"
	"fmt"

	"tidemark/backend/memory"
)

// SetProblems replaces the problems of a scope: a part of a pass, as opposed
// to a source, whose problems come with its batch.
func (s *Store) SetProblems(ctx context.Context, scope string, problems []memory.Problem) error {
	same, err := s.sameProblems(ctx, scope, problems)
	if err != nil || same {
		return err
	}
	return s.note(ctx, func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, forgetProblems, s.id, scope); err != nil {
			return err
		}
		for _, p := range problems {
			if _, err := tx.ExecContext(ctx, insertProblem, s.id, scope, p.Code, p.Path, p.Line, p.Count, p.Message, p.Hint); err != nil {
				return err
			}
		}
		return nil
	})
}

// SetUnread notes that a source could not be read to its end now. Reading it,
// or its end, takes the problem away.
func (s *Store) SetUnread(ctx context.Context, p memory.Problem) error {
	return s.SetProblems(ctx, unreadScope+p.Path, []memory.Problem{p})
}

// sameProblems says whether the problems of a scope are these already.
func (s *Store) sameProblems(ctx context.Context, scope string, problems []memory.Problem) (bool, error) {
	var have int
	if err := s.x.read.QueryRowContext(ctx, "SELECT COUNT(*) FROM problem WHERE installation=? AND scope=?", s.id, scope).Scan(&have); err != nil {
		return false, fmt.Errorf("count problems: %w", err)
	}
	if have != len(problems) {
		return false, nil
	}
	for _, p := range problems {
		var n int
		err := s.x.read.QueryRowContext(ctx, `SELECT COUNT(*) FROM problem WHERE installation=? AND scope=? AND code=? AND path=? AND line=? AND message=? AND count=? AND hint=?`,
			s.id, scope, p.Code, p.Path, p.Line, p.Message, p.Count, p.Hint).Scan(&n)
		if err != nil {
			return false, fmt.Errorf("compare problems: %w", err)
		}
		if n == 0 {
			return false, nil
		}
	}
	return true, nil
}

// Problems lists what is known to be wrong, by code, path and line. Those of
// sources that are gone are left out: there is nothing to be done about them.
func (s *Store) Problems(ctx context.Context) ([]memory.Problem, error) {
	rows, err := s.x.read.QueryContext(ctx, `WITH gone(path) AS (SELECT s.path FROM source s JOIN agent a ON a.id=s.agent WHERE a.installation=?1 AND s.gone<>0 AND s.kind<>?2)
		SELECT code, path, line, SUM(count), message, hint FROM problem WHERE installation=?1
		AND scope NOT IN (SELECT path FROM gone) AND scope NOT IN (SELECT ?3||path FROM gone)
		GROUP BY code, path, line, message ORDER BY code, path, line, message`, s.id, memory.SourceLedger, unreadScope)
	if err != nil {
		return nil, fmt.Errorf("list problems: %w", err)
	}
	defer rows.Close()
	var found []memory.Problem
	for rows.Next() {
		var p memory.Problem
		if err := rows.Scan(&p.Code, &p.Path, &p.Line, &p.Count, &p.Message, &p.Hint); err != nil {
			return nil, fmt.Errorf("list problems: %w", err)
		}
		found = append(found, p)
	}
	return found, rows.Err()
}
