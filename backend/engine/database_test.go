package engine

import (
	"database/sql"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	_ "modernc.org/sqlite" // the driver "sqlite"
)

const databaseTables = `
CREATE TABLE IF NOT EXISTS session_nodes(session_key TEXT PRIMARY KEY, current_session_id TEXT NOT NULL, entry_json TEXT NOT NULL, updated_at INTEGER NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS session_windows(session_id TEXT PRIMARY KEY, session_key TEXT NOT NULL, previous_session_id TEXT, reason TEXT, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS transcript_events(session_id TEXT NOT NULL, seq INTEGER NOT NULL, event_json TEXT, created_at INTEGER NOT NULL, event_zstd BLOB, event_utf8_bytes INTEGER, navigation_json TEXT, PRIMARY KEY(session_id, seq)) STRICT;`

// database writes sessions to the newest era's database of an agent, long
// records compressed. It leaves no write-ahead log behind.
func database(t *testing.T, s *state, agent string, sessions map[string][]string) {
	t.Helper()
	dir := filepath.Join(s.dir, "agents", agent, "agent")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", "file:"+filepath.ToSlash(filepath.Join(dir, "openclaw-agent.sqlite"))+"?_pragma=journal_mode(wal)")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	exec := func(query string, args ...any) {
		t.Helper()
		if _, err := db.Exec(query, args...); err != nil {
			t.Fatal(err)
		}
	}
	exec(databaseTables)
	for id, lines := range sessions {
		key := "agent:" + agent + ":main"
		entry, err := json.Marshal(map[string]any{"sessionId": id, "updatedAt": 1778407200000, "contextTokens": 200000})
		if err != nil {
			t.Fatal(err)
		}
		exec("INSERT OR REPLACE INTO session_nodes VALUES(?,?,?,1)", key, id, string(entry))
		exec("INSERT OR REPLACE INTO session_windows VALUES(?,?,NULL,'initial',1,1)", id, key)
		exec("DELETE FROM transcript_events WHERE session_id = ?", id)
		for seq, line := range lines {
			if len(line) >= 1024 {
				exec("INSERT INTO transcript_events VALUES(?,?,NULL,1,?,?,'{}')", id, seq, []byte(pack(t, line)), len(line))
				continue
			}
			exec("INSERT INTO transcript_events VALUES(?,?,?,1,NULL,NULL,NULL)", id, seq, line)
		}
	}
}
