package main

import (
	"bufio"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/klauspost/compress/zstd"
	_ "modernc.org/sqlite" // the driver "sqlite"
)

// layout is how a history is stored.
type layout int

const (
	files  layout = iota // JSONL
	plain                // SQLite, every row as JSON
	packed               // SQLite, long rows compressed as the newest OpenClaw does
)

// corpus is a history to make.
type corpus struct {
	name   string
	mb     int
	number int // of sessions
	layout layout
}

var words = strings.Fields("invoice deploy client draft review schedule customer price report update login retry budget email weekly plan server backup domain photo quote contract 偏好 记住 报告 客户 价格")

var models = [][2]string{{"anthropic", "claude-sonnet-4-6"}, {"openai", "gpt-5.2"}, {"ollama", "qwen3:8b"}, {"moonshot", "kimi-k2.5"}}

var agents = []string{"main", "sales", "writer", "ops"}

// make writes the history below dir, where it is not there yet.
func (c corpus) make(dir string) error {
	done := filepath.Join(dir, "complete")
	if _, err := os.Stat(done); err == nil {
		return nil
	}
	stores := map[string]store{}
	for _, agent := range agents {
		s, err := c.open(dir, agent)
		if err != nil {
			return err
		}
		stores[agent] = s
	}
	rng := rand.New(rand.NewPCG(7, 7))
	for i := range c.number {
		if err := session(rng, i, c.mb*1_000_000/c.number, stores[agents[i%len(agents)]]); err != nil {
			return err
		}
	}
	for _, s := range stores {
		if err := s.close(); err != nil {
			return err
		}
	}
	return os.WriteFile(done, nil, 0o644)
}

// store takes the records of an agent.
type store interface {
	begin(session string) error
	record(session string, seq int, id, kind, parent string, text []byte) error
	end() error
	close() error
}

func (c corpus) open(dir, agent string) (store, error) {
	if c.layout == files {
		dir = filepath.Join(dir, "agents", agent, "sessions")
		return &fileStore{dir: dir}, os.MkdirAll(dir, 0o755)
	}
	return openDatabase(filepath.Join(dir, "agents", agent, "agent"), c.layout == packed)
}

type fileStore struct {
	dir string
	f   *os.File
	w   *bufio.Writer
}

func (s *fileStore) begin(session string) (err error) {
	if s.f, err = os.Create(filepath.Join(s.dir, session+".jsonl")); err != nil {
		return err
	}
	s.w = bufio.NewWriterSize(s.f, 1<<20)
	return nil
}

func (s *fileStore) record(_ string, _ int, _, _, _ string, text []byte) error {
	if _, err := s.w.Write(text); err != nil {
		return err
	}
	return s.w.WriteByte('\n')
}

func (s *fileStore) end() error {
	if err := s.w.Flush(); err != nil {
		return err
	}
	return s.f.Close()
}

func (s *fileStore) close() error { return nil }

type dbStore struct {
	db   *sql.DB
	tx   *sql.Tx
	pack *zstd.Encoder
}

// The columns that readers use, as OpenClaw 2026.9 declares them.
const tables = `
CREATE TABLE session_windows(session_id TEXT PRIMARY KEY, session_key TEXT NOT NULL, previous_session_id TEXT, reason TEXT, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL) STRICT;
CREATE TABLE transcript_events(session_id TEXT NOT NULL, seq INTEGER NOT NULL, event_json TEXT, created_at INTEGER NOT NULL, event_zstd BLOB, event_utf8_bytes INTEGER, navigation_json TEXT, PRIMARY KEY(session_id, seq)) STRICT;
CREATE TABLE transcript_event_identities(session_id TEXT NOT NULL, event_id TEXT NOT NULL, seq INTEGER NOT NULL, event_type TEXT, parent_id TEXT, message_idempotency_key TEXT, created_at INTEGER NOT NULL, PRIMARY KEY(session_id, event_id)) STRICT;`

func openDatabase(dir string, pack bool) (*dbStore, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	db, err := sql.Open("sqlite", "file:"+filepath.Join(dir, "openclaw-agent.sqlite")+"?_pragma=auto_vacuum(2)&_pragma=journal_mode(wal)&_pragma=synchronous(off)")
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	s := &dbStore{db: db}
	if pack {
		if s.pack, err = zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderCRC(true)); err != nil {
			return nil, err
		}
	}
	_, err = db.Exec(tables)
	return s, err
}

func (s *dbStore) begin(session string) (err error) {
	if s.tx, err = s.db.BeginTx(context.Background(), nil); err != nil {
		return err
	}
	_, err = s.tx.Exec("INSERT INTO session_windows VALUES(?,?,NULL,'initial',1,1)", session, "agent:x:"+session)
	return err
}

func (s *dbStore) record(session string, seq int, id, kind, parent string, text []byte) error {
	if id != "" {
		if _, err := s.tx.Exec("INSERT INTO transcript_event_identities VALUES(?,?,?,?,?,NULL,1)", session, id, seq, kind, parent); err != nil {
			return err
		}
	}
	if s.pack != nil && len(text) >= 1024 { // OpenClaw's own rule: a kilobyte that shrinks by a tenth
		if small := s.pack.EncodeAll(text, nil); len(small) <= len(text)-64 && len(small)*10 <= len(text)*9 {
			_, err := s.tx.Exec("INSERT INTO transcript_events VALUES(?,?,NULL,1,?,?,?)", session, seq, small, len(text), navigation(text))
			return err
		}
	}
	_, err := s.tx.Exec("INSERT INTO transcript_events VALUES(?,?,?,1,NULL,NULL,NULL)", session, seq, string(text))
	return err
}

// navigation is what OpenClaw keeps beside a compressed row.
func navigation(text []byte) string {
	var e struct {
		Type      string `json:"type"`
		ID        string `json:"id"`
		Parent    any    `json:"parentId"`
		Timestamp string `json:"timestamp"`
		Message   struct {
			Role string `json:"role"`
		} `json:"message"`
	}
	if json.Unmarshal(text, &e) != nil {
		return ""
	}
	entry := map[string]any{"type": e.Type, "id": e.ID, "parentId": e.Parent, "timestamp": e.Timestamp}
	model := map[string]any{"type": e.Type, "id": e.ID, "parentId": e.Parent, "timestamp": e.Timestamp, "message": map[string]any{"role": e.Message.Role, "content": []any{}}}
	out, err := json.Marshal(map[string]any{"version": 1, "report": map[string]any{"kind": "canonical", "hasParentId": true, "entry": entry}, "navigation": model, "reset": model, "model": model})
	if err != nil {
		return ""
	}
	return string(out)
}

func (s *dbStore) end() error   { return s.tx.Commit() }
func (s *dbStore) close() error { return s.db.Close() }

// session writes one conversation of about size bytes: a person's words, an
// answer with usage, a tool's output of some hundred to some thousand words.
func session(rng *rand.Rand, number, size int, to store) error {
	id := fmt.Sprintf("%08x-0000-4000-8000-%012x", rng.Uint32(), number)
	if err := to.begin(id); err != nil {
		return err
	}
	at := time.Date(2026, 5, 1, number%24, 0, 0, 0, time.UTC).AddDate(0, 0, number%90)
	model := models[rng.IntN(len(models))]
	seq, written, parent := 0, 0, ""
	put := func(entry, kind string, v map[string]any) error {
		text, err := json.Marshal(v)
		if err != nil {
			return err
		}
		written += len(text) + 1
		seq++
		return to.record(id, seq-1, entry, kind, parent, text)
	}
	if err := put("", "session", map[string]any{"type": "session", "version": 3, "id": id, "timestamp": at.Format(stamp), "cwd": "/home/u/.openclaw/workspace"}); err != nil {
		return err
	}
	for written < size {
		for _, role := range []string{"user", "assistant", "toolResult"} {
			at = at.Add(time.Duration(1+rng.IntN(40)) * time.Second)
			entry := fmt.Sprintf("%08x", rng.Uint32())
			v := map[string]any{"type": "message", "id": entry, "parentId": orNull(parent), "timestamp": at.Format(stamp), "message": message(rng, role, model, at)}
			if err := put(entry, "message", v); err != nil {
				return err
			}
			parent = entry
		}
	}
	return to.end()
}

const stamp = "2006-01-02T15:04:05.000Z"

func orNull(s string) any {
	if s == "" {
		return nil
	}
	return s
}

func message(rng *rand.Rand, role string, model [2]string, at time.Time) map[string]any {
	n := 40
	if role == "toolResult" {
		n = []int{60, 400, 2500}[rng.IntN(3)]
	}
	text := make([]string, n)
	for i := range text {
		text[i] = words[rng.IntN(len(words))]
	}
	m := map[string]any{"role": role, "content": []any{map[string]any{"type": "text", "text": strings.Join(text, " ")}}, "timestamp": at.UnixMilli()}
	if role == "assistant" {
		in, out, read, write := 10+rng.IntN(3000), 5+rng.IntN(900), rng.IntN(90000), rng.IntN(4000)
		m["api"], m["provider"], m["model"], m["stopReason"] = "x", model[0], model[1], "stop"
		m["usage"] = map[string]any{"input": in, "output": out, "cacheRead": read, "cacheWrite": write, "totalTokens": in + out + read + write,
			"cost": map[string]any{"input": 0, "output": 0, "cacheRead": 0, "cacheWrite": 0, "total": float64(in+out) / 100_000}}
	}
	return m
}
