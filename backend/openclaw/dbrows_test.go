package openclaw

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"tidemark/backend/memory"
)

func TestReadWindows(t *testing.T) {
	db := buildDB(t, dbPath(t), 23)
	for _, n := range []struct{ key, session, entry string }{
		{"agent:main:main", "s2", `{"sessionId":"s2","updatedAt":5,"label":"now"}`},
		{"agent:main:cron:job", "s3", `{"sessionId":"s9"}`},
		{"agent:main:bad", "s4", `no JSON`},
	} {
		db.exec("INSERT INTO session_nodes(session_key, current_session_id, entry_json, updated_at) VALUES(?,?,?,1)", n.key, n.session, n.entry)
	}
	for _, w := range [][]any{{"s1", "agent:main:main", nil, "initial", 10, 20}, {"s2", "agent:main:main", "s1", "reset", 30, 40}, {"s3", "agent:main:cron:job", nil, nil, 1, 2}, {"s4", "agent:main:bad", nil, nil, 1, 2}} {
		db.exec("INSERT INTO session_windows(session_id, session_key, previous_session_id, reason, created_at, updated_at) VALUES(?,?,?,?,?,?)", w...)
	}
	db.exec("INSERT INTO session_transcript_index_state(session_id, indexed_seq, leaf_event_id, needs_rebuild, updated_at) VALUES('s1', 1, 'leaf1', 0, 1), ('s2', 1, 'leaf2', 1, 1), ('s3', 1, NULL, 0, 1)")
	db.close()
	found, problems := ReadWindows(context.Background(), db.path)
	if len(problems) != 1 || problems[0].Code != memory.ProblemBadStore || len(found) != 4 {
		t.Fatalf("%d windows, problems %v", len(found), problems)
	}
	if w := found[0]; w.SessionID != "s1" || w.Key != "agent:main:main" || w.Previous != "" || w.Reason != "initial" || w.CreatedAt != 10 || w.UpdatedAt != 20 || w.Leaf != "leaf1" || w.Row != nil {
		t.Errorf("first window %+v", w)
	}
	if w := found[1]; w.Previous != "s1" || w.Reason != "reset" || w.Leaf != "" || w.Row == nil || w.Row.Label != "now" {
		t.Errorf("second window %+v", w)
	}
	if found[2].Row != nil || found[3].Row != nil {
		t.Error("a row of another session is taken for the window's")
	}
}

// Rows of sessions are large; reading them takes them some at a time.
func TestReadWindowsOfManyLargeRows(t *testing.T) {
	db := buildDB(t, dbPath(t), 23)
	for i := range 300 {
		id := fmt.Sprintf("s%03d", i)
		db.exec("INSERT INTO session_nodes(session_key, current_session_id, entry_json, updated_at) VALUES(?,?,?,1)", "agent:main:"+id, id, `{"sessionId":"`+id+`","skillsSnapshot":"`+strings.Repeat("x", 60_000)+`"}`)
		db.exec("INSERT INTO session_windows(session_id, session_key, created_at, updated_at) VALUES(?,?,1,1)", id, "agent:main:"+id)
	}
	db.close()
	found, problems := ReadWindows(context.Background(), db.path)
	if len(found) != 300 || len(problems) > 0 {
		t.Fatalf("%d windows, problems %v", len(found), problems)
	}
	for _, w := range found {
		if w.Row == nil {
			t.Fatalf("%s has no row", w.SessionID)
		}
	}
}

func TestReadWindowsWithoutTheirTables(t *testing.T) {
	db := openDB(t, dbPath(t))
	db.exec("CREATE TABLE session_windows(session_id TEXT, session_key TEXT)")
	db.exec("INSERT INTO session_windows VALUES('s', 'k')")
	db.close()
	found, problems := ReadWindows(context.Background(), db.path)
	if len(found) != 1 || found[0].Key != "k" || len(problems) > 0 {
		t.Errorf("%+v, %v", found, problems)
	}
	for _, path := range []string{filepath.Join(t.TempDir(), "none.sqlite"), put(t, dbPath(t), "")} {
		if found, problems := ReadWindows(context.Background(), path); len(found) > 0 || len(problems) > 0 {
			t.Errorf("%s: %v, %v", path, found, problems)
		}
	}
	if _, problems := ReadWindows(context.Background(), put(t, dbPath(t), strings.Repeat("text ", 1000))); len(problems) != 1 || problems[0].Code != memory.ProblemBadDatabase {
		t.Errorf("problems %v", problems)
	}
}

func TestReadRegistry(t *testing.T) {
	dir := t.TempDir()
	if found, problems := ReadRegistry(context.Background(), dir); len(found) > 0 || len(problems) > 0 {
		t.Errorf("without a registry: %v, %v", found, problems)
	}
	db := openDB(t, filepath.Join(dir, "state", "openclaw.sqlite"))
	db.exec("CREATE TABLE agent_databases (agent_id TEXT NOT NULL, path TEXT NOT NULL, schema_version INTEGER NOT NULL, last_seen_at INTEGER NOT NULL, size_bytes INTEGER, PRIMARY KEY (agent_id, path)) STRICT")
	db.exec("INSERT INTO agent_databases VALUES('main', 'agents/main/agent/openclaw-agent.sqlite', 23, 77, 1), ('helper', '/elsewhere/a.sqlite', 19, 78, NULL)")
	db.close()
	found, problems := ReadRegistry(context.Background(), dir)
	want := []RegisteredDatabase{{"helper", "/elsewhere/a.sqlite", 19, 78}, {"main", "agents/main/agent/openclaw-agent.sqlite", 23, 77}}
	if len(problems) > 0 || len(found) != 2 || found[0] != want[0] || found[1] != want[1] {
		t.Errorf("%+v, %v", found, problems)
	}
}
