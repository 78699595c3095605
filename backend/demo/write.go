package demo

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/klauspost/compress/zstd"

	"tidemark/backend/memory"
)

const (
	dirMode  = 0o700 // as OpenClaw makes its folders
	fileMode = 0o600
)

// folder is the installation on disk.
type folder struct{ root string }

func (f folder) path(name string) string { return filepath.Join(f.root, filepath.FromSlash(name)) }

// put writes a file that was last changed at a time.
func (f folder) put(name string, body []byte, at time.Time) error {
	path := f.path(name)
	if err := os.MkdirAll(filepath.Dir(path), dirMode); err != nil {
		return err
	}
	if err := os.WriteFile(path, body, fileMode); err != nil {
		return err
	}
	return os.Chtimes(path, at, at)
}

func (s *story) write(ctx context.Context, dir string) error {
	f := folder{dir}
	if err := s.configure(f); err != nil {
		return err
	}
	for _, l := range s.lives {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := l.write(ctx, f); err != nil {
			return fmt.Errorf("write agent %s: %w", l.who.id, err)
		}
		if err := l.workspace(f); err != nil {
			return fmt.Errorf("write workspace of %s: %w", l.who.id, err)
		}
	}
	return s.register(ctx, f)
}

// write puts the sessions of an agent where its era keeps them.
func (l *life) write(ctx context.Context, f folder) error {
	gone := map[*thread]ending{}
	for _, e := range l.ended {
		gone[e.thread] = e
	}
	var rows []*thread
	for _, t := range l.threads {
		end, ended := gone[t]
		switch {
		case ended:
			name := fmt.Sprintf("%s.jsonl.%s.%s", t.id, end.reason, strings.ReplaceAll(stamp(end.at), ":", "-"))
			if err := f.put(l.sessions(name), l.flawed(t, lines(t.records)), end.at); err != nil {
				return err
			}
		case t.era == eraDatabase:
			rows = append(rows, t)
		default:
			if err := f.put(l.sessions(t.id+".jsonl"), lines(t.records), t.lastAt()); err != nil {
				return err
			}
		}
	}
	for _, step := range []func(folder) error{l.sidecars, l.imported, l.store, l.torn} {
		if err := step(f); err != nil {
			return err
		}
	}
	if len(rows) == 0 {
		return nil
	}
	return writeDatabase(ctx, f.path(databaseOf(l.who.id)), l.who.id, l.current, rows)
}

// sessions names a file among the sessions of the agent.
func (l *life) sessions(name string) string { return "agents/" + l.who.id + "/sessions/" + name }

func databaseOf(agent string) string { return "agents/" + agent + "/agent/openclaw-agent.sqlite" }

func lines(records []record) []byte {
	var b bytes.Buffer
	for i := range records {
		b.Write(records[i].body)
		b.WriteByte('\n')
	}
	return b.Bytes()
}

// flawed puts half a line into the first archive of the mail agent, as a
// machine leaves that lost its power.
func (l *life) flawed(t *thread, body []byte) []byte {
	if l.who.id != "mail" || t != l.ended[0].thread {
		return body
	}
	at := bytes.IndexByte(body[len(body)/2:], '\n') + len(body)/2 + 1
	half := `{"type":"message","id":"5f0c","parentId":"77","timestamp":"` + stamp(t.started) + `","message":{"role":"assistant","content":[{"type":"text","te` + "\n"
	l.truth.Problems[memory.ProblemBadLine]++
	return slices.Concat(body[:at], []byte(half), body[at:])
}

// torn leaves a compressed archive of the shop that was cut off: nothing in it
// can be read, and no other place tells of it.
func (l *life) torn(f folder) error {
	if !l.Damaged {
		return nil
	}
	if l.who.id != "shop" {
		return nil
	}
	enc, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1))
	if err != nil {
		return err
	}
	id := uuid(l.rng)
	body := enc.EncodeAll(lines(l.threads[0].records[:min(len(l.threads[0].records), 30)]), nil)
	l.truth.Problems[memory.ProblemBadArchive]++
	name := fmt.Sprintf("%s.jsonl.deleted.%s.zst", id, strings.ReplaceAll(stamp(l.begin.Add(50*time.Hour)), ":", "-"))
	return f.put(l.sessions(name), body[:len(body)/2], l.begin.Add(50*time.Hour))
}

// sidecars are what 2026.6 leaves beside a transcript: traces of runs, and a
// whole copy from before a compaction. None of it is history.
func (l *life) sidecars(f folder) error {
	if l.who.era != eraSidecars {
		return nil
	}
	for _, t := range l.threads {
		trace := encode(map[string]any{"traceSchema": "openclaw-trajectory", "schemaVersion": 1, "traceId": t.id, "source": "runtime", "type": "session.started", "ts": stamp(t.started),
			"seq": 1, "sessionId": t.id, "sessionKey": t.where.key, "provider": t.model.provider, "modelId": t.model.id})
		if err := f.put(l.sessions(t.id+".trajectory.jsonl"), append(trace, '\n'), t.lastAt()); err != nil {
			return err
		}
		n := slices.IndexFunc(t.records, func(r record) bool { return r.kind == "compaction" })
		if n < 0 {
			continue
		}
		if err := f.put(l.sessions(t.id+".checkpoint."+uuid(l.rng)+".jsonl"), lines(t.records[:n]), t.records[n].at); err != nil {
			return err
		}
	}
	return nil
}

// imported is where the upgrade to a database put the transcript that it moved.
func (l *life) imported(f folder) error {
	if l.moved == 0 {
		return nil
	}
	for _, t := range l.threads {
		if t.era != eraDatabase || len(t.records) <= l.moved || !t.started.Before(l.upgrade) {
			continue
		}
		ms := l.upgrade.UnixMilli()
		name := fmt.Sprintf("agents/%s/session-sqlite-import-archive/%s.%s.jsonl.imported-%d", l.who.id, strings.ReplaceAll(t.where.key, ":", "_"), t.id, ms)
		if err := f.put(name, lines(t.records[:l.moved]), l.upgrade); err != nil {
			return err
		}
		return f.put(fmt.Sprintf("agents/%s/session-sqlite-import-archive/legacy-store.sessions.json.imported-%d", l.who.id, ms+112), encode(map[string]any{t.where.key: t.row()}), l.upgrade)
	}
	return nil
}

// store is sessions.json, which the eras of files have.
func (l *life) store(f folder) error {
	if l.who.era == eraDatabase {
		return nil
	}
	rows := map[string]any{}
	last := l.begin
	for _, key := range slices.Sorted(maps.Keys(l.current)) {
		rows[key] = l.current[key].row()
		last = later(last, l.current[key].lastAt())
	}
	return f.put(l.sessions("sessions.json"), encode(rows), last)
}

// row is what OpenClaw notes of a session beside its transcript.
func (t *thread) row() map[string]any {
	chat := "direct"
	if t.where.channel != "" {
		chat = "group"
	}
	row := map[string]any{"sessionId": t.id, "updatedAt": t.lastAt().UnixMilli(), "systemSent": true, "abortedLastRun": false, "chatType": chat, "modelProvider": t.model.provider,
		"model": t.model.id, "contextTokens": t.model.window, "totalTokens": t.sent, "totalTokensFresh": t.sent > 0, "compactionCount": t.compacted}
	if t.where.subject != "" {
		row["subject"], row["displayName"], row["channel"] = t.where.subject, t.where.subject, t.where.channel
	}
	if strings.Contains(t.where.key, ":subagent:") {
		row["spawnedBy"], row["spawnDepth"] = "agent:main:main", 1
	}
	if t.where.label != "" {
		row["label"] = t.where.label
	}
	if t.era != eraDatabase {
		row["sessionFile"] = home + "/agents/" + t.who.id + "/sessions/" + t.id + ".jsonl"
	}
	return row
}
