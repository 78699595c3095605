package openclaw

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"

	"tidemark/backend/memory"
)

const (
	agentDatabaseName = "openclaw-agent.sqlite"
	sessionsFileName  = "sessions.json"
	// incognitoPrefix marks the database of private conversations, which
	// OpenClaw promises to forget: it is nobody's history.
	incognitoPrefix = "incognito-"
	// newestEraSchema is above every schema of an agent database that holds
	// memory alone (1) and at most that of the first that holds transcripts.
	newestEraSchema = 2
)

// Agent is one agent of an installation, whether the configuration lists it,
// a folder of it is there, or OpenClaw has registered a database of it. Paths
// are absolute and clean; what they name need not exist.
type Agent struct {
	ID           string
	Dir          string // the agent directory: models.json and the database
	SessionsDir  string // transcripts
	SessionsFile string // sessions.json, usually in SessionsDir
	Database     string
	// Workspace is where the agent's memory files are on this machine.
	// WorkspaceRaw is the path that the configuration gives, as written; ""
	// where the workspace follows from OpenClaw's rules. Workspace is "" where
	// the configuration gives a path of another operating system of which
	// nothing is here.
	Workspace, WorkspaceRaw string
	Configured              bool // listed, or OpenClaw's implicit "main"
	Default                 bool
	SharedWith              []string // other agents with the same workspace
	Name                    string   // as the person calls it, "" if it has no name
}

// RegisteredDatabase is a row of agent_databases in OpenClaw's shared
// database. Path may be relative to the state directory.
type RegisteredDatabase struct {
	AgentID, Path string
	SchemaVersion int
	LastSeen      memory.Millis
}

// Agents lists the agents of the installation: those configured in their
// order, then those that only a folder or a registered database tells of, by
// id. It looks at the disk and opens no file. reg may be empty, cfg nil.
func (inst Installation) Agents(cfg *Config, reg []RegisteredDatabase) ([]Agent, []memory.Problem) {
	if cfg == nil {
		cfg = &Config{env: Env{Home: filepath.Dir(inst.StateDir)}}
	}
	r := &roster{inst: inst, cfg: cfg, reg: reg, newest: isNewestEra(cfg, reg)}
	r.folders = r.listFolders()
	r.defaultID, r.heir = cfg.defaultAgent(r.newest)
	for _, a := range cfg.Agents {
		r.add(a, true)
	}
	if !cfg.HasRoster {
		r.add(AgentConfig{ID: DefaultAgentID}, true)
	}
	for _, id := range r.unlisted() {
		r.add(AgentConfig{ID: id}, false)
	}
	r.share()
	return r.agents, r.problems
}

// roster gathers the agents of one installation.
type roster struct {
	inst      Installation
	cfg       *Config
	reg       []RegisteredDatabase
	newest    bool              // the rules of the newest era hold
	folders   map[string]string // id to the name of its folder under agents/
	defaultID string
	heir      string // the agent that agents.defaults.workspace is meant for
	agents    []Agent
	problems  []memory.Problem
}

// isNewestEra tells which era's rules for workspaces come first.
func isNewestEra(cfg *Config, reg []RegisteredDatabase) bool {
	return cfg.Keyed || slices.ContainsFunc(reg, func(d RegisteredDatabase) bool { return d.SchemaVersion >= newestEraSchema })
}

// defaultAgent is the agent that is meant where none is named, and the one
// that uses agents.defaults.workspace itself. Either may be "".
func (c *Config) defaultAgent(newest bool) (id, heir string) {
	if !c.HasRoster {
		return DefaultAgentID, DefaultAgentID
	}
	var marked []string
	for _, a := range c.Agents {
		if a.Default {
			marked = append(marked, a.ID)
		}
	}
	sole := ""
	if len(c.Agents) == 1 {
		sole = c.Agents[0].ID
	}
	switch {
	case !newest && len(marked) > 0:
		return marked[0], marked[0]
	case !newest && len(c.Agents) > 0:
		return c.Agents[0].ID, c.Agents[0].ID
	case c.Ownership == "explicit":
		if system := NormalizeAgentID(c.SystemAgent); c.SystemAgent != "" {
			if _, ok := c.Agent(system); ok {
				return system, sole
			}
		}
	case len(marked) == 1:
		return marked[0], marked[0]
	}
	return sole, sole
}

func (r *roster) add(c AgentConfig, configured bool) {
	a := Agent{ID: c.ID, Name: c.Name, Configured: configured, Default: configured && c.ID == r.defaultID}
	if a.Name == "" && !strings.EqualFold(strings.TrimSpace(c.RawID), c.ID) {
		a.Name = strings.TrimSpace(c.RawID)
	}
	home := filepath.Join(r.inst.StateDir, "agents", cmp.Or(r.folders[c.ID], c.ID))
	a.Dir = filepath.Join(home, "agent")
	if dir, _ := r.locate(c.AgentDir); c.AgentDir != "" && dir != "" {
		a.Dir = dir
	}
	a.SessionsFile = r.sessionsFile(c.ID, filepath.Join(home, "sessions", sessionsFileName))
	a.SessionsDir = filepath.Dir(a.SessionsFile)
	a.Database = filepath.Join(a.Dir, agentDatabaseName)
	for _, p := range []string{r.registered(c.ID), a.Database, filepath.Join(home, "agent", agentDatabaseName)} {
		if p != "" && isRegular(p) {
			a.Database = p
			break
		}
	}
	a.Workspace, a.WorkspaceRaw = r.workspace(c)
	r.agents = append(r.agents, a)
	if !configured && r.cfg.Path != "" {
		r.problems = append(r.problems, memory.Problem{Code: memory.ProblemUnconfigured, Path: home, Count: 1,
			Message: "agent " + a.ID + " has a folder but is not in the configuration",
			Hint:    "Its history is shown all the same. Add it to the configuration, or remove it with OpenClaw, if that is not meant."})
	}
}

// share tells agents with one workspace of each other.
func (r *roster) share() {
	groups := map[string][]int{}
	var order []string
	for i, a := range r.agents {
		key := a.WorkspaceRaw
		if a.Workspace != "" {
			key = resolvedPath(a.Workspace)
		}
		if key == "" || !a.Configured && !isDirectory(a.Workspace) {
			continue
		}
		if r.cfg.env.OS == "windows" {
			key = strings.ToLower(key)
		}
		if groups[key] = append(groups[key], i); len(groups[key]) == 2 {
			order = append(order, key)
		}
	}
	for _, key := range order {
		var ids []string
		for _, i := range groups[key] {
			ids = append(ids, r.agents[i].ID)
		}
		for _, i := range groups[key] {
			self := r.agents[i].ID
			r.agents[i].SharedWith = slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return id == self })
		}
		r.problems = append(r.problems, memory.Problem{Code: memory.ProblemSharedWorkspace, Path: key, Count: 1,
			Message: "one workspace is used by " + strings.Join(ids, " and "),
			Hint:    "What one of them writes down all of them remember. Removing one agent in OpenClaw can remove the memory of all."})
	}
}
