package openclaw

import (
	"context"
	"fmt"
	"path/filepath"

	"tidemark/backend/memory"
)

// Window is what the newest era's database knows of one session beside its
// transcript.
type Window struct {
	SessionID string
	Key       string
	Previous  string // session that this one followed, "" if none
	Reason    string // initial, reset, fork, compaction, …
	CreatedAt memory.Millis
	UpdatedAt memory.Millis
	Leaf      string // entry at the visible end of the tree, "" if not known
	// Row is the session's row where it is the current one of its key.
	Row *Row
}

// ReadWindows reads the sessions that a database names. A database without
// these tables (an older era) gives none. Tables that hold credentials are
// never named in a query.
func ReadWindows(ctx context.Context, path string) (found []Window, problems []memory.Problem) {
	err := readAnew(ctx, path, func(d *database) (err error) {
		found, problems, err = d.windows(ctx)
		return err
	})
	return found, append(problems, missingOr(path, err)...)
}

// pick gives the expression for a column that may not be there or hold NULL.
func pick(columns map[string]bool, name, otherwise string) string {
	if columns[name] {
		return "COALESCE(" + name + "," + otherwise + ")"
	}
	return otherwise
}

func (d *database) windows(ctx context.Context) ([]Window, []memory.Problem, error) {
	columns, err := d.columns(ctx, "session_windows")
	if err != nil || !columns["session_id"] || !columns["session_key"] {
		return nil, nil, err
	}
	rows, err := d.all(ctx, "SELECT session_id, session_key, "+pick(columns, "previous_session_id", "''")+", "+pick(columns, "reason", "''")+", "+
		pick(columns, "created_at", "0")+", "+pick(columns, "updated_at", "0")+" FROM session_windows ORDER BY session_id")
	if err != nil {
		return nil, nil, fmt.Errorf("list sessions: %w", err)
	}
	leaves, err := d.leaves(ctx)
	if err != nil {
		return nil, nil, fmt.Errorf("list leaves: %w", err)
	}
	nodes, problems, err := d.nodes(ctx)
	if err != nil {
		return nil, problems, fmt.Errorf("list session keys: %w", err)
	}
	found := make([]Window, len(rows))
	for i, row := range rows {
		w := Window{SessionID: row[0].text(), Key: row[1].text(), Previous: row[2].text(), Reason: row[3].text(),
			CreatedAt: memory.Millis(row[4].number), UpdatedAt: memory.Millis(row[5].number)}
		w.Leaf = leaves[w.SessionID]
		if n, ok := nodes[w.Key]; ok && n.SessionID == w.SessionID {
			w.Row = &n
		}
		found[i] = w
	}
	return found, problems, nil
}

// leaves gives the visible end of each session whose index is up to date.
func (d *database) leaves(ctx context.Context) (map[string]string, error) {
	columns, err := d.columns(ctx, "session_transcript_index_state")
	if err != nil || !columns["session_id"] || !columns["leaf_event_id"] {
		return nil, err
	}
	rebuild := ""
	if columns["needs_rebuild"] {
		rebuild = " AND needs_rebuild = 0"
	}
	rows, err := d.all(ctx, "SELECT session_id, leaf_event_id FROM session_transcript_index_state WHERE leaf_event_id IS NOT NULL"+rebuild)
	if err != nil {
		return nil, err
	}
	found := make(map[string]string, len(rows))
	for _, row := range rows {
		found[row[0].text()] = row[1].text()
	}
	return found, nil
}

// nodes gives the row of each session key. Rows hold up to a megabyte each:
// few are held at a time.
func (d *database) nodes(ctx context.Context) (found map[string]Row, problems []memory.Problem, err error) {
	columns, err := d.columns(ctx, "session_nodes")
	if err != nil || !columns["session_key"] || !columns["entry_json"] {
		return nil, nil, err
	}
	found = map[string]Row{}
	for last, more := "", true; more; {
		var rows [][]column
		rows, more, err = d.fetch(ctx, "SELECT session_key, entry_json FROM session_nodes WHERE session_key > ? ORDER BY session_key", []any{last}, nil)
		if err != nil {
			return nil, problems, err
		}
		for _, row := range rows {
			last = row[0].text()
			r, err := DecodeRow(last, row[1].bytes)
			if err != nil {
				problems = append(problems, memory.Problem{Code: memory.ProblemBadStore, Path: d.path, Count: 1,
					Message: "the row of a session cannot be read: " + err.Error(), Hint: "Its transcript is read all the same."})
				continue
			}
			found[last] = r
		}
	}
	return found, problems, nil
}

// registryFile is the shared database in which the newer eras note where each
// agent's database lies, relative to the state directory.
const registryFile = "state/openclaw.sqlite"

// ReadRegistry reads which agent databases an installation has registered.
// An installation without a registry has none.
func ReadRegistry(ctx context.Context, stateDir string) (found []RegisteredDatabase, problems []memory.Problem) {
	path := filepath.Join(stateDir, filepath.FromSlash(registryFile))
	err := readAnew(ctx, path, func(d *database) (err error) {
		found, err = d.registered(ctx)
		return err
	})
	return found, missingOr(path, err)
}

func (d *database) registered(ctx context.Context) ([]RegisteredDatabase, error) {
	columns, err := d.columns(ctx, "agent_databases")
	if err != nil || !columns["agent_id"] || !columns["path"] {
		return nil, err
	}
	rows, err := d.all(ctx, "SELECT agent_id, path, "+pick(columns, "schema_version", "0")+", "+pick(columns, "last_seen_at", "0")+" FROM agent_databases ORDER BY agent_id, path")
	if err != nil {
		return nil, fmt.Errorf("list registered databases: %w", err)
	}
	var found []RegisteredDatabase
	for _, row := range rows {
		found = append(found, RegisteredDatabase{AgentID: row[0].text(), Path: row[1].text(), SchemaVersion: int(row[2].number), LastSeen: memory.Millis(row[3].number)})
	}
	return found, nil
}
