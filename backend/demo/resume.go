package demo

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"time"

	"github.com/klauspost/compress/zstd"
)

// outlet is where the entries of a thread go. Close it.
type outlet interface {
	put(ctx context.Context, r *record) error
	// note renews what stands beside the transcript.
	note(ctx context.Context, t *thread) error
	close() error
}

// tailSize is how much of a conversation is read to go on with it.
const tailSize = 60

// seen is what matters of an entry that was written before.
type seen struct {
	Type        string    `json:"type"`
	ID          string    `json:"id"`
	Timestamp   time.Time `json:"timestamp"`
	TargetID    string    `json:"targetId"`
	TokensAfter int64     `json:"tokensAfter"`
	Message     struct {
		Role     string `json:"role"`
		Provider string `json:"provider"`
		Model    string `json:"model"`
		Usage    struct {
			TotalTokens int64 `json:"totalTokens"`
		} `json:"usage"`
	} `json:"message"`
}

// resume takes up the conversation of a place where it ended. The error is
// fs.ErrNotExist where there is none.
func (t *Talker) resume(ctx context.Context, who *persona, where place, rng *rand.Rand) (*thread, outlet, error) {
	th := &thread{truth: &t.truth, rng: rng, who: who, where: where, era: who.era, lang: "en", model: who.models[len(who.models)-1], tokens: bootTokens, quick: true}
	find := t.fromFile
	if who.era == eraDatabase {
		find = t.fromDatabase
	}
	out, tail, err := find(ctx, th)
	if err != nil {
		return nil, nil, err
	}
	if err := th.recall(tail); err != nil {
		return nil, nil, errors.Join(err, out.close())
	}
	return th, out, nil
}

// recall sets a thread to where its last entries left it.
func (t *thread) recall(tail [][]byte) error {
	for _, line := range tail {
		var e seen
		if err := json.Unmarshal(line, &e); err != nil {
			return fmt.Errorf("read what was said: %w", err)
		}
		t.last, t.at = e.ID, e.Timestamp
		switch {
		case e.Type == "leaf":
			t.last = e.TargetID
		case e.Type == "compaction":
			t.tokens, t.sent = max(e.TokensAfter, bootTokens+6_000), 0
		case e.Type == "reset":
			t.tokens, t.sent, t.people = bootTokens, 0, nil
		case e.Message.Role == "user":
			t.people = append(t.people, e.ID)
		case e.Message.Role == "assistant" && e.Message.Usage.TotalTokens > 0:
			t.tokens = e.Message.Usage.TotalTokens
			t.sent, t.sentAt = t.tokens, e.Timestamp
		}
	}
	if t.last == "" {
		return fs.ErrNotExist
	}
	if len(t.people) > 12 {
		t.people = t.people[len(t.people)-12:]
	}
	return nil
}

// fileOutlet appends to a transcript as a gateway does: now and then a line
// comes in two writes.
type fileOutlet struct {
	dir   folder
	store string // sessions.json
	file  *os.File
	split func() bool
	pause func(ctx context.Context) // the other half follows however it ends
}

// halfway is how long half a line may stand alone.
const halfway = 30 * time.Millisecond

func (t *Talker) fromFile(_ context.Context, th *thread) (outlet, [][]byte, error) {
	folderName := "agents/" + th.who.id + "/sessions/"
	body, err := os.ReadFile(t.dir.path(folderName + "sessions.json"))
	if err != nil {
		return nil, nil, err
	}
	var rows map[string]struct {
		SessionID   string `json:"sessionId"`
		Compactions int    `json:"compactionCount"`
	}
	if err := json.Unmarshal(body, &rows); err != nil {
		return nil, nil, fmt.Errorf("read sessions.json: %w", err)
	}
	if th.id = rows[th.where.key].SessionID; th.id == "" {
		return nil, nil, fs.ErrNotExist
	}
	th.compacted = rows[th.where.key].Compactions
	f, err := os.OpenFile(t.dir.path(folderName+th.id+".jsonl"), os.O_RDWR|os.O_APPEND, fileMode)
	if err != nil {
		return nil, nil, err
	}
	all, err := io.ReadAll(f) // an invented transcript is small
	if err != nil {
		return nil, nil, errors.Join(err, f.Close())
	}
	tail := bytes.Split(bytes.TrimSpace(all), []byte("\n"))
	out := &fileOutlet{dir: t.dir, store: folderName + "sessions.json", file: f, split: func() bool { return th.rng.IntN(3) == 0 },
		pause: func(ctx context.Context) { _ = t.o.Wait(ctx, halfway) }}
	return out, tail[max(0, len(tail)-tailSize):], nil
}

func (o *fileOutlet) put(ctx context.Context, r *record) error {
	line := append(bytes.Clone(r.body), '\n')
	if o.split() {
		if _, err := o.file.Write(line[:len(line)/2]); err != nil {
			return fmt.Errorf("append half a line: %w", err)
		}
		o.pause(ctx)
		line = line[len(line)/2:]
	}
	if _, err := o.file.Write(line); err != nil {
		return fmt.Errorf("append a line: %w", err)
	}
	return nil
}

// note renews sessions.json, which OpenClaw replaces as a whole.
func (o *fileOutlet) note(_ context.Context, t *thread) error {
	path := o.dir.path(o.store)
	body, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("read sessions.json: %w", err)
	}
	rows := map[string]json.RawMessage{}
	if err := json.Unmarshal(body, &rows); err != nil {
		return fmt.Errorf("read sessions.json: %w", err)
	}
	rows[t.where.key] = encode(t.row())
	if err := os.WriteFile(path+".tmp", encode(rows), fileMode); err != nil {
		return fmt.Errorf("write sessions.json: %w", err)
	}
	return os.Rename(path+".tmp", path)
}

func (o *fileOutlet) close() error { return o.file.Close() }

// baseOutlet appends rows to an agent's database.
type baseOutlet struct {
	*store
	session string
	seq     int64 // of the next row
}

func (t *Talker) fromDatabase(ctx context.Context, th *thread) (outlet, [][]byte, error) {
	path := t.dir.path(databaseOf(th.who.id))
	if _, err := os.Stat(path); err != nil {
		return nil, nil, err
	}
	s, err := openStore(ctx, path)
	if err != nil {
		return nil, nil, err
	}
	out := &baseOutlet{store: s}
	tail, err := out.tail(ctx, th)
	if err != nil {
		return nil, nil, errors.Join(err, s.close())
	}
	return out, tail, nil
}

// tail reads the end of the conversation of a place.
func (o *baseOutlet) tail(ctx context.Context, th *thread) ([][]byte, error) {
	var created int64
	err := o.db.QueryRowContext(ctx, "SELECT w.session_id, w.created_at, COALESCE(json_extract(n.entry_json, '$.compactionCount'), 0) FROM session_nodes n JOIN session_windows w ON w.session_id = n.current_session_id WHERE n.session_key = ?", th.where.key).Scan(&th.id, &created, &th.compacted)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, fs.ErrNotExist
	}
	if err != nil {
		return nil, fmt.Errorf("find session: %w", err)
	}
	th.started, o.session = time.UnixMilli(created), th.id
	rows, err := o.db.QueryContext(ctx, "SELECT seq, event_json, event_zstd FROM (SELECT * FROM transcript_events WHERE session_id = ? ORDER BY seq DESC LIMIT ?) ORDER BY seq", th.id, tailSize)
	if err != nil {
		return nil, fmt.Errorf("read rows: %w", err)
	}
	defer rows.Close()
	unpack, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1))
	if err != nil {
		return nil, err
	}
	defer unpack.Close()
	var tail [][]byte
	for rows.Next() {
		var plain, packed []byte
		if err := rows.Scan(&o.seq, &plain, &packed); err != nil {
			return nil, fmt.Errorf("read rows: %w", err)
		}
		if plain == nil {
			if plain, err = unpack.DecodeAll(packed, nil); err != nil {
				return nil, fmt.Errorf("unpack a row: %w", err)
			}
		}
		tail = append(tail, plain)
	}
	o.seq++
	return tail, rows.Err()
}

func (o *baseOutlet) put(ctx context.Context, r *record) error {
	tx, err := o.db.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("begin: %w", err)
	}
	defer tx.Rollback()
	if err := o.append(ctx, tx, o.session, o.seq, []record{*r}); err != nil {
		return fmt.Errorf("append a row: %w", err)
	}
	o.seq++
	return tx.Commit()
}

func (o *baseOutlet) note(ctx context.Context, t *thread) error {
	tx, err := o.db.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("begin: %w", err)
	}
	defer tx.Rollback()
	if err := o.store.note(ctx, tx, t, true); err != nil {
		return fmt.Errorf("note session: %w", err)
	}
	return tx.Commit()
}
