package openclaw

import (
	"tidemark/backend/memory"
)

// AgentDefaults are the settings under agents.defaults. nil: not set.
type AgentDefaults struct {
	Workspace    string
	UserTimezone string // an IANA name, not checked
	Model        ModelChoice
	// ContextTokens caps the context window of every model, in tokens.
	ContextTokens                             *int64
	BootstrapMaxChars, BootstrapTotalMaxChars *int64
	Compaction                                CompactionConfig
	Pruning                                   PruningConfig
}

// ModelChoice names models as "provider/model". The configuration has it as a
// text or as an object.
type ModelChoice struct {
	Primary   string
	Fallbacks []string
}

// CompactionConfig is agents.defaults.compaction, in tokens unless said
// otherwise. nil and Unknown: not set, or not known to that version.
type CompactionConfig struct {
	Mode                     string
	ReserveTokensFloor       *int64
	ReserveTokens            *int64
	KeepRecentTokens         *int64
	MaxHistoryShare          *float64
	MaxActiveTranscriptBytes *int64
	TruncateAfterCompaction  memory.Tri
	NotifyUser               memory.Tri
	// The rest is memoryFlush.
	FlushEnabled             memory.Tri
	FlushSoftThresholdTokens *int64
	FlushTranscriptBytes     *int64
	FlushModel               string
	FlushOwnPrompt           bool // the person wrote a prompt of their own
}

// PruningConfig is agents.defaults.contextPruning.
type PruningConfig struct {
	Mode, TTL                     string
	KeepLastAssistants            *int64
	SoftTrimRatio, HardClearRatio *float64
	MinPrunableToolChars          *int64
}

// decode fills the fields of c from its tree.
func (c *Config) decode() []memory.Problem {
	s := &settings{path: c.Path}
	root := setting{s: s, v: c.tree}
	s.lookup = c.lookup(root.get("env"))
	c.Version = root.in("meta", "lastTouchedVersion").text()
	c.SessionStore = root.in("session", "store").text()
	c.MemoryBackend = root.in("memory", "backend").text()

	agents := root.get("agents")
	defaults := agents.in("defaults")
	c.Ownership = agents.get("ownership").text()
	c.SystemAgent = defaults.in("systemAgent", "agentId").text()
	c.Agents = c.roster(agents)
	c.Defaults = decodeDefaults(defaults)
	c.memorySearch = decodeMemorySearch(root.in("memory", "search")).
		over(decodeMemorySearch(defaults.get("memorySearch")))
	c.Models = decodeProviders(root.in("models", "providers"))
	c.Models = addModelParams(c.Models, defaults.get("models"))
	return s.problems
}

// lookup gives the variables that ${NAME} stands for: those of the process,
// then those that the configuration itself sets, as in OpenClaw. The .env
// files that OpenClaw reads as well are never opened.
func (c *Config) lookup(env setting) func(string) string {
	own := map[string]string{}
	vars, _ := env.get("vars").v.(map[string]any)
	inline, _ := env.v.(map[string]any)
	for _, block := range []map[string]any{inline, vars} {
		for k, v := range block {
			if t, ok := v.(string); ok {
				own[k] = t
			}
		}
	}
	return func(name string) string {
		if v := c.env.get(name); v != "" {
			return v
		}
		return own[name]
	}
}

func decodeModelChoice(n setting) ModelChoice {
	if _, ok := n.v.(string); ok {
		return ModelChoice{Primary: n.text()}
	}
	n.object()
	return ModelChoice{Primary: n.get("primary").text(), Fallbacks: n.get("fallbacks").texts()}
}

func decodeDefaults(n setting) AgentDefaults {
	return AgentDefaults{
		Workspace:              n.get("workspace").text(),
		UserTimezone:           n.get("userTimezone").text(),
		Model:                  decodeModelChoice(n.get("model")),
		ContextTokens:          n.get("contextTokens").count(),
		BootstrapMaxChars:      n.get("bootstrapMaxChars").count(),
		BootstrapTotalMaxChars: n.get("bootstrapTotalMaxChars").count(),
		Compaction:             decodeCompaction(n.in("compaction")),
		Pruning:                decodePruning(n.in("contextPruning")),
	}
}

func decodeCompaction(n setting) CompactionConfig {
	n.object()
	flush := n.in("memoryFlush")
	flush.object()
	return CompactionConfig{
		Mode:                     n.get("mode").text(),
		ReserveTokensFloor:       n.get("reserveTokensFloor").count(),
		ReserveTokens:            n.get("reserveTokens").count(),
		KeepRecentTokens:         n.get("keepRecentTokens").count(),
		MaxHistoryShare:          n.get("maxHistoryShare").amount(),
		MaxActiveTranscriptBytes: n.get("maxActiveTranscriptBytes").bytes(),
		TruncateAfterCompaction:  n.get("truncateAfterCompaction").flag(),
		NotifyUser:               n.get("notifyUser").flag(),
		FlushEnabled:             flush.get("enabled").flag(),
		FlushSoftThresholdTokens: flush.get("softThresholdTokens").count(),
		FlushTranscriptBytes:     flush.get("forceFlushTranscriptBytes").bytes(),
		FlushModel:               flush.get("model").text(),
		FlushOwnPrompt:           flush.get("prompt").text() != "" || flush.get("systemPrompt").text() != "",
	}
}

func decodePruning(n setting) PruningConfig {
	n.object()
	return PruningConfig{
		Mode:                 n.get("mode").text(),
		TTL:                  n.get("ttl").text(),
		KeepLastAssistants:   n.get("keepLastAssistants").count(),
		SoftTrimRatio:        n.get("softTrimRatio").amount(),
		HardClearRatio:       n.get("hardClearRatio").amount(),
		MinPrunableToolChars: n.get("minPrunableToolChars").count(),
	}
}
