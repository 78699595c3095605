package engine

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"

	"tidemark/backend/memory"
	"tidemark/backend/openclaw"
)

// notes are the places where OpenClaw notes things about an agent's sessions,
// the oldest first: later ones win.
type notes struct {
	inst     openclaw.Installation
	agent    openclaw.Agent
	stores   []string
	database string
}

func notesOf(inst openclaw.Installation, a openclaw.Agent) notes {
	n := notes{inst: inst, agent: a, database: a.Database}
	for _, dir := range []string{filepath.Dir(a.SessionsDir), a.SessionsDir} {
		moved, _ := filepath.Glob(filepath.Join(escapeGlob(dir), openclaw.ImportFolder, "*sessions.json.imported-*")) // the pattern is well-formed
		sort.Strings(moved)
		n.stores = append(n.stores, moved...)
	}
	n.stores = append(n.stores, a.SessionsFile)
	return n
}

// escapeGlob keeps the characters of a path from being taken for a pattern.
func escapeGlob(path string) string {
	if os.PathSeparator == '\\' {
		return path // there is no escape character; such paths are rare
	}
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(path)
}

func (n notes) stamp() string {
	var b strings.Builder
	for _, p := range append(append([]string(nil), n.stores...), n.database) {
		if st, err := openclaw.StampOf(p, p == n.database); err == nil {
			fmt.Fprintf(&b, "%s %+v\n", filepath.Base(p), st)
		}
	}
	sum := sha256.Sum256([]byte(b.String()))
	return hex.EncodeToString(sum[:8])
}

func (n notes) read(ctx context.Context) (found []memory.SessionMeta, problems []memory.Problem) {
	for _, p := range n.stores {
		rows, more := openclaw.ReadRowsFile(p)
		problems = append(problems, more...)
		for _, r := range rows {
			found = append(found, n.meta(r))
		}
	}
	windows, more := openclaw.ReadWindows(ctx, n.database)
	problems = append(problems, more...)
	for _, w := range windows {
		m := memory.SessionMeta{SessionID: w.SessionID, Key: w.Key, UpdatedAt: w.UpdatedAt, StartedAt: w.CreatedAt}
		if w.Row != nil {
			m = n.meta(*w.Row)
			m.Base = ""
		}
		m.SessionID, m.Key, m.Previous, m.Leaf, m.Current = w.SessionID, w.Key, w.Previous, w.Leaf, w.Row != nil
		m.Background = openclaw.ParseKey(w.Key).Background()
		found = append(found, m)
	}
	return found, problems
}

func (n notes) meta(r openclaw.Row) memory.SessionMeta {
	base := ""
	if f := r.File(n.inst.StateDir, n.agent.SessionsDir); f != "" {
		base = filepath.Base(f)
	}
	return memory.SessionMeta{SessionID: r.SessionID, Key: r.Key, Base: base, Current: true, UpdatedAt: r.UpdatedAt, StartedAt: r.StartedAt,
		ContextTokens: r.ContextTokens, TotalTokens: r.TotalTokens, TotalTokensFresh: r.TotalTokensFresh, CompactionCount: r.CompactionCount,
		FlushAt: r.MemoryFlushAt, FlushCompaction: r.MemoryFlushCompactionCount, Provider: r.Provider, Model: r.Model, Channel: r.Channel,
		ChatType: r.ChatType, Label: r.Label, DisplayName: r.DisplayName, SpawnedBy: r.SpawnedBy, ParentKey: r.ParentKey,
		Background: openclaw.ParseKey(r.Key).Background()}
}
