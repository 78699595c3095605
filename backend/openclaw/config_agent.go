package openclaw

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strings"

	"tidemark/backend/memory"
)

// AgentConfig is one agent as the configuration lists it. Paths are as
// written, with ${VARIABLES} replaced; Agents resolves them.
type AgentConfig struct {
	ID        string // normalised
	RawID     string // as written
	Name      string // identity.name, else name; "" where neither is set
	Default   bool
	Workspace string
	AgentDir  string
	Model     ModelChoice
	// The limits of what is injected into a prompt, in characters; nil: the
	// defaults apply.
	BootstrapMaxChars, BootstrapTotalMaxChars *int64

	memorySearch MemorySearch
}

// roster reads the list of agents in whichever form it has.
func (c *Config) roster(agents setting) []AgentConfig {
	if entries := agents.get("entries"); !entries.absent() {
		c.HasRoster, c.Keyed = true, true
		obj := entries.object()
		var out []AgentConfig
		for _, id := range slices.Sorted(maps.Keys(obj)) {
			out = appendAgent(out, entries.get(id), id)
		}
		return out
	}
	list := agents.get("list")
	if list.absent() {
		return nil
	}
	var out []AgentConfig
	for _, entry := range list.list() {
		out = appendAgent(out, entry, entry.get("id").text())
	}
	c.HasRoster = len(out) > 0 // an empty list is no list, as in OpenClaw
	return out
}

// appendAgent adds an agent unless it is no object or its id was there before.
func appendAgent(agents []AgentConfig, entry setting, rawID string) []AgentConfig {
	if entry.object() == nil {
		return agents
	}
	id := NormalizeAgentID(rawID)
	if slices.ContainsFunc(agents, func(a AgentConfig) bool { return a.ID == id }) {
		entry.s.complain(entry.at, "has the id of another agent, "+id)
		return agents
	}
	name := entry.in("identity", "name").text()
	if name == "" {
		name = entry.get("name").text()
	}
	search := entry.in("memory", "search")
	if search.absent() {
		search = entry.get("memorySearch")
	}
	return append(agents, AgentConfig{
		ID: id, RawID: rawID, Name: name,
		Default:                entry.get("default").flag() == memory.Yes,
		Workspace:              entry.get("workspace").text(),
		AgentDir:               entry.get("agentDir").text(),
		Model:                  decodeModelChoice(entry.get("model")),
		BootstrapMaxChars:      entry.get("bootstrapMaxChars").count(),
		BootstrapTotalMaxChars: entry.get("bootstrapTotalMaxChars").count(),
		memorySearch:           decodeMemorySearch(search),
	})
}

// Agent is the entry of an agent, false where the configuration has none.
func (c *Config) Agent(id string) (AgentConfig, bool) {
	if c != nil {
		for _, a := range c.Agents {
			if a.ID == id {
				return a, true
			}
		}
	}
	return AgentConfig{}, false
}

// DefaultAgentID is the agent that OpenClaw has where none is configured.
const DefaultAgentID = "main"

// agentIDMax is the length of the longest id that OpenClaw makes.
const agentIDMax = 64

var (
	agentIDValid   = regexp.MustCompile(`^[a-z0-9][a-z0-9_-]{0,63}$`)
	agentIDInvalid = regexp.MustCompile(`[^a-z0-9_-]+`)
)

// NormalizeAgentID is the id that OpenClaw makes of what a person wrote: lower
// case, with - for what is no letter, digit, - or _ of ASCII; DefaultAgentID
// where nothing is left.
func NormalizeAgentID(id string) string {
	id = strings.ToLower(strings.TrimSpace(id))
	if agentIDValid.MatchString(id) {
		return id
	}
	id = strings.Trim(agentIDInvalid.ReplaceAllString(id, "-"), "-")
	return cmp.Or(id[:min(len(id), agentIDMax)], DefaultAgentID)
}
