package openclaw

import (
	"database/sql"
	_ "embed"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	_ "modernc.org/sqlite" // the driver with which tests write
)

//go:embed testdata/db/agent-23.sql
var agentSchema string

// testDB is an agent database that a test builds, open for writing.
type testDB struct {
	t    testing.TB
	path string
	db   *sql.DB
	seq  map[string]int64
	full bool // has the columns of compressed rows
}

// buildDB makes an agent database of a schema version and leaves it open. Its
// write-ahead log goes when it is closed.
func buildDB(t testing.TB, path string, version int) *testDB {
	t.Helper()
	d := openDB(t, path)
	d.full = version >= 23
	d.exec("PRAGMA auto_vacuum=INCREMENTAL")
	d.exec("PRAGMA journal_mode=WAL")
	text := agentSchema
	if !d.full { // until then an event was always there as JSON
		text = strings.Replace(text, "event_json TEXT,", "event_json TEXT NOT NULL,", 1)
		from, to := strings.Index(text, "  event_zstd BLOB"), strings.Index(text, "  PRIMARY KEY (session_id, seq)")
		text = text[:from] + text[to:]
	}
	d.exec(text)
	d.exec(fmt.Sprintf("PRAGMA user_version=%d", version))
	return d
}

// openDB opens a database for writing.
func openDB(t testing.TB, path string) *testDB {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	if _, err := db.Exec("PRAGMA synchronous=OFF"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return &testDB{t: t, path: path, db: db, seq: map[string]int64{}, full: true}
}

func (d *testDB) exec(query string, args ...any) {
	d.t.Helper()
	if _, err := d.db.Exec(query, args...); err != nil {
		d.t.Fatalf("%s: %v", query[:min(len(query), 80)], err)
	}
}

func (d *testDB) close() {
	d.t.Helper()
	if err := d.db.Close(); err != nil {
		d.t.Fatal(err)
	}
}

// row adds a row with whatever it is to hold.
func (d *testDB) row(session string, seq int64, event, packed, navigation any) {
	d.t.Helper()
	if d.full {
		d.exec("INSERT INTO transcript_events(session_id, seq, event_json, created_at, event_zstd, navigation_json) VALUES(?,?,?,1,?,?)", session, seq, event, packed, navigation)
	} else {
		d.exec("INSERT INTO transcript_events(session_id, seq, event_json, created_at) VALUES(?,?,?,1)", session, seq, event)
	}
}

func (d *testDB) next(session string) int64 {
	d.seq[session]++
	return d.seq[session] - 1
}

// plain appends events as JSON.
func (d *testDB) plain(session string, records ...string) {
	d.t.Helper()
	for _, r := range records {
		d.row(session, d.next(session), strings.TrimSpace(r), nil, nil)
	}
}

// zstd appends events compressed.
func (d *testDB) zstd(session string, records ...string) {
	d.t.Helper()
	for _, r := range records {
		r = strings.TrimSpace(r)
		d.row(session, d.next(session), nil, []byte(frame(d.t, r)), navigationOf(d.t, r))
	}
}

// navigationOf gives what the newest OpenClaw keeps beside a compressed row.
func navigationOf(t testing.TB, record string) string {
	t.Helper()
	var r struct {
		Type      string          `json:"type"`
		ID        string          `json:"id,omitempty"`
		ParentID  json.RawMessage `json:"parentId,omitempty"`
		Timestamp string          `json:"timestamp,omitempty"`
		Message   *struct {
			Role      string `json:"role,omitempty"`
			Timestamp int64  `json:"timestamp,omitempty"`
			Content   []int  `json:"content"`
		} `json:"message,omitempty"`
	}
	// The content is left out in the navigation; here its kind does not matter.
	if err := json.Unmarshal([]byte(record), &r); err != nil && r.Type == "" {
		t.Fatal(err)
	}
	if r.Message != nil {
		r.Message.Content = []int{}
	}
	model, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf(`{"version":1,"report":{"kind":"canonical"},"navigation":%s,"reset":%s,"model":%s,"modelBytes":1,"modelWithoutCheckpointBytes":1,"withoutCustomDataBytes":1}`, model, model, model)
}

// archive adds a transcript as one block.
func (d *testDB) archive(session, generation, encoding, name, blob string) {
	d.t.Helper()
	d.exec("INSERT INTO session_transcript_archives VALUES(?,?,?,'deleted',?,?,'',?,1,NULL)", session, generation, "agent:main:"+session, encoding, []byte(blob), name)
}

// cold adds a transcript to cold storage.
func (d *testDB) cold(session, generation, name string, blob any) {
	d.t.Helper()
	storage := "sqlite"
	if blob == nil {
		storage = "file"
	}
	d.exec("INSERT INTO session_transcript_cold_archives VALUES(?,?,?,'',1,1,1,1,1,?,?)", session, generation, name, storage, blob)
}
