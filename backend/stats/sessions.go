package stats

import (
	"sort"

	"tidemark/backend/memory"
)

// Window says how large a model's context is, in tokens, and why that is
// taken for it.
type Window struct {
	Tokens int64
	Why    string // "session", "config", "num_ctx", "table"
}

// Windows finds the context window of a model by name.
type Windows interface {
	// Configured gives what the person's configuration says: the window of the
	// model and, for Ollama, the window that it is asked for. 0: nothing.
	Configured(agent, provider, model string) (window, asked int64)
	// Listed gives what the embedded table says, 0: nothing.
	Listed(provider, model string) int64
}

// WindowOf gives the effective window of a session: the smallest of what is
// known, but the session's own value instead of what is listed elsewhere.
func WindowOf(s *memory.SessionSummary, w Windows) (Window, bool) {
	provider, model := s.Provider, s.Model
	if model == "" {
		provider, model = s.Notes.Provider, s.Notes.Model
	}
	configured, asked := w.Configured(s.Agent, provider, model)
	var best Window
	switch {
	case s.Notes.ContextTokens != nil && *s.Notes.ContextTokens > 0:
		best = Window{*s.Notes.ContextTokens, "session"}
	case configured > 0:
		best = Window{configured, "config"}
	case w.Listed(provider, model) > 0:
		best = Window{w.Listed(provider, model), "table"}
	}
	if asked > 0 && (best.Tokens == 0 || asked < best.Tokens) {
		best = Window{asked, "num_ctx"}
	}
	return best, best.Tokens > 0
}

// Archived says that OpenClaw no longer writes to a session: what is left of
// it are archives, or nothing.
func Archived(s *memory.SessionSummary) bool {
	for _, src := range s.Sources {
		if !src.Kind.Archived() && src.Gone == 0 {
			return false
		}
	}
	return true
}

// Gone says that nothing of a session is left but what Tidemark keeps.
func Gone(s *memory.SessionSummary) bool {
	for _, src := range s.Sources {
		if src.Gone == 0 && src.Kind != memory.SourceLedger {
			return false
		}
	}
	return true
}

// Eras lists the storage eras that an agent's sessions were read from, the
// oldest first.
func Eras(sessions []memory.SessionSummary, agent string) []string {
	seen := map[string]bool{}
	for i := range sessions {
		if sessions[i].Agent != agent {
			continue
		}
		for _, src := range sessions[i].Sources {
			if era := src.Kind.Era(); era != "" {
				seen[era] = true
			}
		}
	}
	return EraNames(seen)
}

// EraNames gives the names of a set of eras, the oldest first.
func EraNames(seen map[string]bool) []string {
	eras := make([]string, 0, len(seen))
	for era := range seen {
		eras = append(eras, era)
	}
	sort.Strings(eras) // "jsonl" is the older one and sorts first
	return eras
}
