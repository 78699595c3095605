package engine

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"sync"

	"tidemark/backend/ingest"
	"tidemark/backend/memory"
	"tidemark/backend/openclaw"
	"tidemark/backend/price"
)

// history finds and reads what one installation of OpenClaw left on disk. It
// remembers the configuration of the last roster.
type history struct {
	env  openclaw.Env
	inst openclaw.Installation

	mu     sync.Mutex // of what follows
	cfg    *openclaw.Config
	models map[string][]openclaw.ModelPrice // by agent, the person's own first
	books  map[string]*price.Book
}

// Roster looks at configuration, agents and sources. It opens no transcript.
func (h *history) Roster(ctx context.Context) (ingest.Roster, error) {
	if info, err := os.Stat(h.inst.StateDir); err != nil || !info.IsDir() {
		return ingest.Roster{}, &memory.Error{Code: memory.CodeStateMissing, Op: "look at " + h.inst.StateDir,
			Hint: "Start OpenClaw once, or name its state directory with --state-dir.", Err: err}
	}
	cfg, problems := openclaw.LoadConfig(h.env, h.inst)
	registered, more := openclaw.ReadRegistry(ctx, h.inst.StateDir)
	problems = append(problems, more...)
	agents, more := h.inst.Agents(cfg, registered)
	problems = append(problems, more...)
	problems = append(problems, h.cron()...)
	h.mu.Lock()
	defer h.mu.Unlock()
	h.cfg, h.models, h.books = cfg, map[string][]openclaw.ModelPrice{}, map[string]*price.Book{}
	var roster ingest.Roster
	taken := map[string]bool{} // agents may share one store of sessions: it counts once
	for _, a := range agents {
		one, more := h.agent(a)
		one.Sources = slices.DeleteFunc(one.Sources, func(src memory.Source) bool {
			was := taken[src.Path]
			taken[src.Path] = true
			return was
		})
		problems = append(problems, more...)
		roster.Agents = append(roster.Agents, one)
	}
	roster.Problems = problems
	return roster, nil
}

func (h *history) agent(a openclaw.Agent) (ingest.AgentHistory, []memory.Problem) {
	sources, problems := a.Sources()
	models, more := openclaw.ModelsFile(filepath.Join(a.Dir, "models.json"))
	problems = append(problems, more...)
	h.models[a.ID] = append(append([]openclaw.ModelPrice(nil), h.cfg.Models...), models...)
	h.books[a.ID] = bookOf(h.models[a.ID])
	workspace := a.Workspace
	if workspace == "" {
		workspace = a.WorkspaceRaw
	}
	notes := notesOf(h.inst, a)
	return ingest.AgentHistory{
		Agent:      memory.Agent{ID: a.ID, Name: a.Name, Workspace: workspace, SharedWith: a.SharedWith, Configured: a.Configured},
		Sources:    sources,
		Prices:     h.books[a.ID],
		NotesStamp: notes.stamp(),
		Notes:      notes.read,
	}, append(problems, bothStores(a, sources)...)
}

// bookOf makes a price book of the person's own prices. The first price of a
// model counts: the configuration's before the merged catalogue's.
func bookOf(models []openclaw.ModelPrice) *price.Book {
	b := new(price.Book)
	for _, m := range models {
		if m.BaseURL != "" {
			b.SetProvider(m.Provider, m.BaseURL)
		}
		if m.HasCost {
			b.SetOwn(m.Provider, m.Model, m.Rates)
		}
	}
	return b
}

// pricesStamp changes when a call may be priced differently.
func (h *history) pricesStamp(agent string) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s %+v", price.TableDate, h.models[agent]))
	return hex.EncodeToString(sum[:8])
}

// config gives the configuration of the last roster, nil before the first.
func (h *history) config() *openclaw.Config {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.cfg
}

// Read reads a source.
func (h *history) Read(ctx context.Context, src memory.Source, cp memory.Checkpoint, texts bool, sink ingest.Sink) error {
	return openclaw.Read(ctx, src, cp, openclaw.Options{Texts: texts}, sink)
}

// cron says so where an upgrade moved the store of scheduled jobs, so that
// nobody takes its absence for having none.
func (h *history) cron() []memory.Problem {
	moved := filepath.Join(h.inst.StateDir, "cron", "jobs.json.migrated")
	if _, err := os.Stat(moved); err != nil {
		return nil
	}
	if _, err := os.Stat(filepath.Join(h.inst.StateDir, "cron", "jobs.json")); err == nil {
		return nil
	}
	return []memory.Problem{{Code: memory.ProblemCronMoved, Path: moved, Count: 1,
		Message: "the store of scheduled jobs was moved into OpenClaw's database by an upgrade",
		Hint:    "Nothing needs to be done. List them with: openclaw cron list"}}
}

// bothStores notes transcripts that are still live files beside a database:
// an upgrade has not taken them over, or stopped half-way.
func bothStores(a openclaw.Agent, sources []memory.Source) []memory.Problem {
	files, database := 0, ""
	for _, s := range sources {
		switch s.Kind {
		case memory.SourceLive:
			files++
		case memory.SourceDatabase:
			database = s.Path
		}
	}
	if files == 0 || database == "" || !openclaw.HoldsTranscripts(database) {
		return nil
	}
	return []memory.Problem{{Code: memory.ProblemBothStores, Path: a.SessionsDir, Count: files,
		Message: fmt.Sprintf("%d transcripts are still files although this agent has a database; both are read and each entry counts once", files),
		Hint:    "Let OpenClaw finish its migration (openclaw doctor). Do not delete the files yourself."}}
}

// Configured gives the context window that the person's configuration names,
// and the one that Ollama is asked for.
func (h *history) Configured(agent, provider, model string) (window, asked int64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, m := range h.models[agent] {
		if !strings.EqualFold(m.Provider, provider) || m.Model != model {
			continue
		}
		if window == 0 {
			window = m.ContextWindow
		}
		if m.ContextTokens > 0 && (window == 0 || m.ContextTokens < window) {
			window = m.ContextTokens
		}
		if asked == 0 {
			asked = m.NumCtx
		}
	}
	return window, asked
}

// Listed gives the context window that the embedded table names.
func (h *history) Listed(provider, model string) int64 {
	n, _ := price.ContextWindow(provider, model)
	return n
}

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
