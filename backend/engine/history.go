package engine

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"tidemark/backend/ingest"
	"tidemark/backend/memory"
	"tidemark/backend/openclaw"
	"tidemark/backend/price"
	"tidemark/backend/watch"
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
	dirs   []watch.Root
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
	h.dirs = nil
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
		h.dirs = append(h.dirs, placesOf(a)...)
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

// placesOf gives where the history of an agent is written.
func placesOf(a openclaw.Agent) (places []watch.Root) {
	for _, p := range []watch.Root{{Path: a.Database, Reach: watch.File}, {Path: a.SessionsFile, Reach: watch.File}, {Path: a.SessionsDir, Reach: watch.Tree}} {
		if p.Path != "" {
			places = append(places, p)
		}
	}
	return places
}

// places gives where the agents of the last roster write.
func (h *history) places() []watch.Root {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.dirs
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
	text := []byte(price.TableDate + price.TableSource)
	for _, m := range h.models[agent] {
		text = fmt.Appendf(text, "\n%q %q %q %t %+v", m.Provider, m.Model, m.BaseURL, m.HasCost, m.Rates)
	}
	sum := sha256.Sum256(text)
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

// local says whether a model runs on this machine, by where an agent's
// configuration says that its provider is.
func (h *history) local(agent, provider, model string) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	url := ""
	for _, m := range h.models[agent] {
		if strings.EqualFold(m.Provider, provider) && m.BaseURL != "" {
			url = m.BaseURL
			break
		}
	}
	return price.Local(provider, model, url)
}
