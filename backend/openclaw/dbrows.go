package openclaw

import (
	"context"
	"errors"
	"io/fs"
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
func ReadWindows(ctx context.Context, path string) ([]Window, []memory.Problem) {
	db, err := openDatabase(ctx, path)
	if err != nil {
		return nil, missingOr(path, err)
	}
	defer db.close()
	found, problems, err := db.windows(ctx)
	if err != nil {
		problems = append(problems, badDatabase(path, err))
	}
	return found, problems
}

func missingOr(path string, err error) []memory.Problem {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return []memory.Problem{badDatabase(path, err)}
}

func (d *database) windows(ctx context.Context) ([]Window, []memory.Problem, error) {
	columns, err := d.columns(ctx, "session_windows")
	if err != nil || !columns["session_id"] || !columns["session_key"] {
		return nil, nil, err
	}
	pick := func(name, otherwise string) string {
		if columns[name] {
			return "COALESCE(" + name + "," + otherwise + ")"
		}
		return otherwise
	}
	rows, err := d.db.QueryContext(ctx, "SELECT session_id, session_key, "+pick("previous_session_id", "''")+", "+pick("reason", "''")+", "+
		pick("created_at", "0")+", "+pick("updated_at", "0")+" FROM session_windows ORDER BY session_id")
	if err != nil {
		return nil, nil, err
	}
	defer rows.Close()
	var found []Window
	for rows.Next() {
		var w Window
		if err := rows.Scan(&w.SessionID, &w.Key, &w.Previous, &w.Reason, &w.CreatedAt, &w.UpdatedAt); err != nil {
			return found, nil, err
		}
		found = append(found, w)
	}
	if err := rows.Err(); err != nil {
		return found, nil, err
	}
	rows.Close()
	leaves, err := d.leaves(ctx)
	if err != nil {
		return found, nil, err
	}
	nodes, problems, err := d.nodes(ctx)
	for i := range found {
		found[i].Leaf = leaves[found[i].SessionID]
		if r, ok := nodes[found[i].Key]; ok && r.SessionID == found[i].SessionID {
			found[i].Row = &r
		}
	}
	return found, problems, err
}

// leaves gives the visible end of each session whose index is up to date.
func (d *database) leaves(ctx context.Context) (map[string]string, error) {
	columns, err := d.columns(ctx, "session_transcript_index_state")
	if err != nil || !columns["leaf_event_id"] {
		return nil, err
	}
	rebuild := ""
	if columns["needs_rebuild"] {
		rebuild = " AND needs_rebuild = 0"
	}
	rows, err := d.db.QueryContext(ctx, "SELECT session_id, leaf_event_id FROM session_transcript_index_state WHERE leaf_event_id IS NOT NULL"+rebuild)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	found := map[string]string{}
	for rows.Next() {
		var session, leaf string
		if err := rows.Scan(&session, &leaf); err != nil {
			return nil, err
		}
		found[session] = leaf
	}
	return found, rows.Err()
}

// nodes gives the row of each session key.
func (d *database) nodes(ctx context.Context) (map[string]Row, []memory.Problem, error) {
	columns, err := d.columns(ctx, "session_nodes")
	if err != nil || !columns["entry_json"] {
		return nil, nil, err
	}
	rows, err := d.db.QueryContext(ctx, "SELECT session_key, entry_json FROM session_nodes")
	if err != nil {
		return nil, nil, err
	}
	defer rows.Close()
	found := map[string]Row{}
	var problems []memory.Problem
	for rows.Next() {
		var key string
		var entry []byte
		if err := rows.Scan(&key, &entry); err != nil {
			return found, problems, err
		}
		row, err := DecodeRow(key, entry)
		if err != nil {
			problems = append(problems, memory.Problem{Code: memory.ProblemBadStore, Path: d.path, Count: 1,
				Message: "the row of a session cannot be read: " + err.Error(), Hint: "Its transcript is read all the same."})
			continue
		}
		found[key] = row
	}
	return found, problems, rows.Err()
}

// registryFile is the shared database in which the newer eras note where each
// agent's database lies, relative to the state directory.
const registryFile = "state/openclaw.sqlite"

// ReadRegistry reads which agent databases an installation has registered.
// An installation without a registry has none.
func ReadRegistry(ctx context.Context, stateDir string) ([]RegisteredDatabase, []memory.Problem) {
	path := filepath.Join(stateDir, filepath.FromSlash(registryFile))
	db, err := openDatabase(ctx, path)
	if err != nil {
		return nil, missingOr(path, err)
	}
	defer db.close()
	columns, err := db.columns(ctx, "agent_databases")
	if err != nil {
		return nil, []memory.Problem{badDatabase(path, err)}
	}
	if !columns["agent_id"] || !columns["path"] {
		return nil, nil
	}
	found, err := db.registered(ctx, columns)
	if err != nil {
		return found, []memory.Problem{badDatabase(path, err)}
	}
	return found, nil
}

func (d *database) registered(ctx context.Context, columns map[string]bool) ([]RegisteredDatabase, error) {
	version, seen := "0", "0"
	if columns["schema_version"] {
		version = "schema_version"
	}
	if columns["last_seen_at"] {
		seen = "last_seen_at"
	}
	rows, err := d.db.QueryContext(ctx, "SELECT agent_id, path, "+version+", "+seen+" FROM agent_databases ORDER BY agent_id, path")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var found []RegisteredDatabase
	for rows.Next() {
		var r RegisteredDatabase
		if err := rows.Scan(&r.AgentID, &r.Path, &r.SchemaVersion, &r.LastSeen); err != nil {
			return found, err
		}
		found = append(found, r)
	}
	return found, rows.Err()
}
