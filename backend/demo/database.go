package demo

import (
	"context"
	"database/sql"
	_ "embed"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/klauspost/compress/zstd"
	_ "modernc.org/sqlite" // the driver "sqlite"
)

//go:embed schema.sql
var schema string

// schemaVersion is that of OpenClaw 2026.9.6.
const (
	schemaVersion = 23
	appVersion    = "2026.9.6"
)

const (
	// OpenClaw compresses an entry from this size on, where it saves enough.
	packFrom = 1 << 10
	packSave = 64
)

// store is an agent's database, open for writing. Close it.
type store struct {
	db   *sql.DB
	pack *zstd.Encoder
}

func openStore(ctx context.Context, path string) (*store, error) {
	if err := os.MkdirAll(filepath.Dir(path), dirMode); err != nil {
		return nil, err
	}
	// SQLite would make a file that others can read.
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, fileMode)
	if err == nil {
		err = f.Close()
	}
	if err != nil {
		return nil, err
	}
	db, err := sql.Open("sqlite", uri(path)+"?_pragma=busy_timeout(5000)&_pragma=synchronous(off)")
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	pack, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1))
	if err == nil {
		err = db.PingContext(ctx)
	}
	if err != nil {
		db.Close()
		return nil, err
	}
	return &store{db, pack}, nil
}

// uri names a file for SQLite, whatever characters its path has.
func uri(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		path = abs
	}
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") { // a drive letter
		path = "/" + path
	}
	return "file://" + (&url.URL{Path: path}).EscapedPath()
}

func (s *store) close() error { return s.db.Close() }

// writeDatabase makes the database of an agent with the threads that are in
// it, and leaves it as OpenClaw does: with a write-ahead log once it is used.
func writeDatabase(ctx context.Context, path, agent string, current map[string]*thread, threads []*thread) (err error) {
	s, err := openStore(ctx, path)
	if err != nil {
		return fmt.Errorf("open database: %w", err)
	}
	defer func() {
		if failed := s.close(); err == nil {
			err = failed
		}
	}()
	if _, err := s.db.ExecContext(ctx, "PRAGMA journal_mode=OFF;"+schema+fmt.Sprintf("PRAGMA user_version=%d", schemaVersion)); err != nil {
		return fmt.Errorf("make tables: %w", err)
	}
	if err := s.fill(ctx, agent, current, threads); err != nil {
		return err
	}
	_, err = s.db.ExecContext(ctx, "PRAGMA journal_mode=WAL")
	if err != nil {
		return fmt.Errorf("switch on the write-ahead log: %w", err)
	}
	return nil
}

func (s *store) fill(ctx context.Context, agent string, current map[string]*thread, threads []*thread) error {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("begin: %w", err)
	}
	defer tx.Rollback()
	at := threads[0].started.UnixMilli()
	if _, err := tx.ExecContext(ctx, "INSERT INTO schema_meta VALUES('primary','agent',?,?,?,?,?)", schemaVersion, agent, appVersion, at, at); err != nil {
		return fmt.Errorf("note schema: %w", err)
	}
	for _, t := range threads {
		if err := s.note(ctx, tx, t, current[t.where.key] == t); err != nil {
			return fmt.Errorf("note session: %w", err)
		}
		if err := s.append(ctx, tx, t.id, 0, t.records); err != nil {
			return fmt.Errorf("write session: %w", err)
		}
	}
	return tx.Commit()
}

// note writes what the database has of a session beside its entries.
func (s *store) note(ctx context.Context, tx *sql.Tx, t *thread, current bool) error {
	at, parent := t.lastAt().UnixMilli(), any(nil)
	row := t.row()
	if by, ok := row["spawnedBy"]; ok {
		parent = by
	}
	var channel, name any
	scope := "shared-main"
	if t.where.channel != "" {
		channel, name, scope = t.where.channel, t.where.subject, "group"
	}
	if current {
		if _, err := tx.ExecContext(ctx, `INSERT INTO session_nodes(session_key,current_session_id,entry_json,entry_valid,updated_at,status,created_at,created_via,parent_session_key,spawned_by,label,display_name,last_interaction_at,last_activity_at)
			VALUES(?,?,?,1,?,'done',?,?,?,?,?,?,?,?) ON CONFLICT(session_key) DO UPDATE SET entry_json=excluded.entry_json, updated_at=excluded.updated_at, last_activity_at=excluded.last_activity_at`,
			t.where.key, t.id, string(encode(row)), at, t.started.UnixMilli(), "operator", parent, parent, orNull(t.where.label), name, at, at); err != nil {
			return err
		}
	}
	_, err := tx.ExecContext(ctx, `INSERT INTO session_windows(session_id,session_key,reason,session_scope,created_at,updated_at,transcript_updated_at,started_at,status,chat_type,channel,model_provider,model,parent_session_key,spawned_by,display_name)
		VALUES(?,?,'initial',?,?,?,?,?,'done',?,?,?,?,?,?,?) ON CONFLICT(session_id) DO UPDATE SET updated_at=excluded.updated_at, transcript_updated_at=excluded.transcript_updated_at, model=excluded.model`,
		t.id, t.where.key, scope, t.started.UnixMilli(), at, at, t.started.UnixMilli(), row["chatType"], channel, t.model.provider, t.model.id, parent, parent, name)
	return err
}

// append adds entries to a session, the first of them as row seq.
func (s *store) append(ctx context.Context, tx *sql.Tx, session string, seq int64, records []record) error {
	event, err := tx.PrepareContext(ctx, "INSERT INTO transcript_events(session_id,seq,event_json,created_at,event_zstd,event_utf8_bytes,navigation_json) VALUES(?,?,?,?,?,?,?)")
	if err != nil {
		return err
	}
	defer event.Close()
	identity, err := tx.PrepareContext(ctx, "INSERT OR IGNORE INTO transcript_event_identities VALUES(?,?,?,?,?,?,?)")
	if err != nil {
		return err
	}
	defer identity.Close()
	for i := range records {
		r := &records[i]
		plain, packed, navigation := s.packed(r)
		if _, err := event.ExecContext(ctx, session, seq, plain, r.at.UnixMilli(), packed, len(r.body), navigation); err != nil {
			return err
		}
		if _, err := identity.ExecContext(ctx, session, r.id, seq, r.kind, orNull(r.parent), orNull(r.key), r.at.UnixMilli()); err != nil {
			return err
		}
		seq++
	}
	if len(records) == 0 {
		return nil
	}
	last := records[len(records)-1]
	_, err = tx.ExecContext(ctx, "INSERT OR REPLACE INTO session_transcript_index_state VALUES(?,?,?,0,?,?,?)", session, seq-1, last.id, seq, seq, last.at.UnixMilli())
	return err
}

// packed gives an entry as the row has it: as JSON, or compressed with what
// OpenClaw needs to know of it without unpacking.
func (s *store) packed(r *record) (plain, packed, navigation any) {
	if len(r.body) < packFrom {
		return string(r.body), nil, nil
	}
	z := s.pack.EncodeAll(r.body, nil)
	if saved := len(r.body) - len(z); saved < packSave || saved*10 < len(r.body) {
		return string(r.body), nil, nil
	}
	what := map[string]any{"id": r.id, "parentId": orNull(r.parent), "timestamp": stamp(r.at), "type": r.kind}
	return nil, z, string(encode(map[string]any{"version": 1, "report": map[string]any{"kind": "canonical", "hasParentId": true, "entry": what}, "navigation": what, "reset": what, "model": what,
		"modelBytes": len(r.body), "modelWithoutCheckpointBytes": len(r.body), "withoutCustomDataBytes": len(r.body)}))
}

func orNull(s string) any {
	if s == "" {
		return nil
	}
	return s
}

// register is the shared database, in which the newest era notes where the
// databases of agents are.
func (s *story) register(ctx context.Context, f folder) (err error) {
	r, err := openStore(ctx, f.path("state/openclaw.sqlite"))
	if err != nil {
		return fmt.Errorf("open registry: %w", err)
	}
	defer func() {
		if failed := r.close(); err == nil {
			err = failed
		}
	}()
	if _, err := r.db.ExecContext(ctx, "PRAGMA journal_mode=OFF; CREATE TABLE agent_databases(agent_id TEXT NOT NULL, path TEXT NOT NULL, schema_version INTEGER, last_seen_at INTEGER, size_bytes INTEGER, PRIMARY KEY(agent_id, path)) STRICT"); err != nil {
		return fmt.Errorf("make registry: %w", err)
	}
	for _, l := range s.lives {
		info, err := os.Stat(f.path(databaseOf(l.who.id)))
		if err != nil { // an agent of an older era has none
			continue
		}
		if _, err := r.db.ExecContext(ctx, "INSERT INTO agent_databases VALUES(?,?,?,?,?)", l.who.id, databaseOf(l.who.id), schemaVersion, s.end.Truncate(time.Second).UnixMilli(), info.Size()); err != nil {
			return fmt.Errorf("register database: %w", err)
		}
	}
	return nil
}
