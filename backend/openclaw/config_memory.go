package openclaw

import (
	"cmp"
	"slices"

	"tidemark/backend/memory"
)

// MemorySearch is how OpenClaw itself searches memory, in either era's place:
// agents.defaults.memorySearch or memory.search. Keys are never kept.
type MemorySearch struct {
	Enabled         memory.Tri
	Provider, Model string
	BaseURL         string
	Fallback        string
	Sources         []string
	ExtraPaths      []string
	StorePath       string // the index of the first era, with {agentId}
	MaxResults      *int64
	MinScore        *float64
	SessionMemory   memory.Tri
}

// over fills what m leaves open from base.
func (m MemorySearch) over(base MemorySearch) MemorySearch {
	m.Enabled = cmp.Or(m.Enabled, base.Enabled)
	m.Provider = cmp.Or(m.Provider, base.Provider)
	m.Model = cmp.Or(m.Model, base.Model)
	m.BaseURL = cmp.Or(m.BaseURL, base.BaseURL)
	m.Fallback = cmp.Or(m.Fallback, base.Fallback)
	m.StorePath = cmp.Or(m.StorePath, base.StorePath)
	m.MaxResults = cmp.Or(m.MaxResults, base.MaxResults)
	m.MinScore = cmp.Or(m.MinScore, base.MinScore)
	m.SessionMemory = cmp.Or(m.SessionMemory, base.SessionMemory)
	if len(m.Sources) == 0 {
		m.Sources = base.Sources
	}
	// OpenClaw searches the paths of both.
	m.ExtraPaths = slices.Concat(base.ExtraPaths, m.ExtraPaths)
	return m
}

// MemorySearch is how OpenClaw searches the memory of an agent: its own
// settings over memory.search over agents.defaults.memorySearch.
func (c *Config) MemorySearch(agentID string) MemorySearch {
	if c == nil {
		return MemorySearch{}
	}
	a, _ := c.Agent(agentID)
	return a.memorySearch.over(c.memorySearch)
}

func decodeMemorySearch(n setting) MemorySearch {
	n.object()
	m := MemorySearch{
		Enabled:       n.get("enabled").flag(),
		Provider:      n.get("provider").text(),
		Model:         n.get("model").text(),
		BaseURL:       n.in("remote", "baseUrl").text(),
		Fallback:      n.get("fallback").text(),
		Sources:       n.get("sources").texts(),
		StorePath:     n.in("store", "path").text(),
		MaxResults:    n.in("query", "maxResults").count(),
		MinScore:      n.in("query", "minScore").amount(),
		SessionMemory: n.in("experimental", "sessionMemory").flag(),
	}
	for _, p := range n.get("extraPaths").list() {
		if _, ok := p.v.(map[string]any); ok {
			p = p.get("path")
		}
		if t := p.text(); t != "" {
			m.ExtraPaths = append(m.ExtraPaths, t)
		}
	}
	return m
}
