package engine

import (
	"database/sql"
	"os"
	"path/filepath"
	"testing"

	"github.com/klauspost/compress/zstd"
	_ "modernc.org/sqlite" // the driver "sqlite"
)

// database is an agent database of the newest era, as OpenClaw writes it.
type database struct {
	t    *testing.T
	db   *sql.DB
	next map[string]int // seq of the next row of a session
}

// databaseFile is where an agent's database lies.
func databaseFile(agent string) string { return "agents/" + agent + "/agent/openclaw-agent.sqlite" }

// database opens an agent's database, creating it. Close it before Tidemark
// looks, unless that is the point of the test.
func (w *world) database(agent string) *database {
	w.t.Helper()
	path := w.path(databaseFile(agent))
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		w.t.Fatal(err)
	}
	db, err := sql.Open("sqlite", "file://"+path+"?_pragma=journal_mode(wal)&_pragma=busy_timeout(5000)")
	if err != nil {
		w.t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	d := &database{t: w.t, db: db, next: map[string]int{}}
	d.run(`CREATE TABLE IF NOT EXISTS session_windows(session_id TEXT PRIMARY KEY, session_key TEXT NOT NULL, previous_session_id TEXT, reason TEXT, model TEXT, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL)`)
	d.run(`CREATE TABLE IF NOT EXISTS session_nodes(session_key TEXT PRIMARY KEY, current_session_id TEXT, entry_json TEXT, updated_at INTEGER)`)
	d.run(`CREATE TABLE IF NOT EXISTS transcript_events(session_id TEXT NOT NULL, seq INTEGER NOT NULL, event_json TEXT, created_at INTEGER NOT NULL, event_zstd BLOB, event_utf8_bytes INTEGER, navigation_json TEXT, PRIMARY KEY(session_id,seq))`)
	d.run(`CREATE TABLE IF NOT EXISTS transcript_rewrite_watermarks(session_id TEXT PRIMARY KEY, generation TEXT, updated_at INTEGER)`)
	d.run(`CREATE TABLE IF NOT EXISTS session_transcript_fts_rows(session_id TEXT, text TEXT)`)
	rows, err := db.Query("SELECT session_id, MAX(seq) FROM transcript_events GROUP BY 1")
	if err != nil {
		w.t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var id string
		var seq int
		if err := rows.Scan(&id, &seq); err != nil {
			w.t.Fatal(err)
		}
		d.next[id] = seq + 1
	}
	return d
}

func (d *database) run(query string, args ...any) {
	d.t.Helper()
	if _, err := d.db.Exec(query, args...); err != nil {
		d.t.Fatal(query, err)
	}
}

// window adds what the newest era notes of a session beside its rows.
func (d *database) window(session, key string) {
	d.t.Helper()
	d.run("INSERT OR REPLACE INTO session_windows VALUES(?,?,NULL,'initial','m',1789034400000,1789034400000)", session, key)
}

// plain and packed append rows to a session.
func (d *database) plain(session string, events ...string) {
	d.t.Helper()
	for _, e := range events {
		d.run("INSERT INTO transcript_events VALUES(?,?,?,1789034400000,NULL,NULL,NULL)", session, d.next[session], e)
		d.next[session]++
	}
}

func (d *database) packed(session string, events ...string) {
	d.t.Helper()
	for _, e := range events {
		d.run("INSERT INTO transcript_events VALUES(?,?,NULL,1789034400000,?,?,'{}')", session, d.next[session], zstdOf(d.t, e), len(e))
		d.next[session]++
	}
}

func (d *database) close() {
	d.t.Helper()
	if err := d.db.Close(); err != nil {
		d.t.Fatal(err)
	}
}

func zstdOf(t *testing.T, text string) []byte {
	t.Helper()
	enc, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest))
	if err != nil {
		t.Fatal(err)
	}
	defer enc.Close()
	return enc.EncodeAll([]byte(text), nil)
}

// registry writes the shared database in which the newer eras note where the
// databases of agents are.
func (w *world) registry(agent, path string) {
	w.t.Helper()
	file := w.path("state/openclaw.sqlite")
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		w.t.Fatal(err)
	}
	db, err := sql.Open("sqlite", "file://"+file+"?_pragma=journal_mode(wal)")
	if err != nil {
		w.t.Fatal(err)
	}
	defer db.Close()
	for _, q := range []string{"CREATE TABLE IF NOT EXISTS agent_databases(agent_id TEXT, path TEXT, schema_version INTEGER, last_seen_at INTEGER, size_bytes INTEGER)",
		"INSERT INTO agent_databases VALUES('" + agent + "','" + path + "',23,1789034400000,1)"} {
		if _, err := db.Exec(q); err != nil {
			w.t.Fatal(err)
		}
	}
}
