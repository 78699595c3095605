package openclaw

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"tidemark/backend/memory"
)

// listFolders finds the folders under agents/ that hold something of an agent.
func (r *roster) listFolders() map[string]string {
	root := filepath.Join(r.inst.StateDir, "agents")
	entries, err := os.ReadDir(root)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		r.problems = append(r.problems, unreadable(root, err))
	}
	folders := map[string]string{}
	// Names that are ids come first, so that no other folder takes their place.
	for _, plain := range []bool{true, false} {
		for _, e := range entries {
			name := e.Name()
			id := NormalizeAgentID(name)
			if (name == id) != plain || !r.isAgentFolder(name) {
				continue
			}
			if folders[id] != "" || !strings.EqualFold(id, name) {
				id = name // a name that is no id stands for itself
			}
			folders[id] = name
		}
	}
	return folders
}

// isAgentFolder says that a folder under agents/ holds something of an agent.
func (r *roster) isAgentFolder(name string) bool {
	return !strings.HasPrefix(name, ".") && slices.ContainsFunc([]string{"sessions", "agent", ImportFolder}, func(sub string) bool {
		return isDirectory(filepath.Join(r.inst.StateDir, "agents", name, sub))
	})
}

// unlisted are the ids that only the disk or the shared database tells of.
func (r *roster) unlisted() []string {
	known := func(id string) bool {
		return slices.ContainsFunc(r.agents, func(a Agent) bool { return a.ID == id })
	}
	var ids []string
	for id := range r.folders {
		ids = append(ids, id)
	}
	for _, d := range r.reg {
		if id := NormalizeAgentID(d.AgentID); r.folders[id] == "" && r.registered(id) != "" {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return slices.DeleteFunc(slices.Compact(ids), known)
}

// registered is the database that OpenClaw registered for an agent and saw
// last, among those that are on this machine; "" where there is none.
func (r *roster) registered(id string) string {
	var best string
	var seen memory.Millis
	for _, d := range r.reg {
		if NormalizeAgentID(d.AgentID) != id || strings.HasPrefix(lastElement(d.Path), incognitoPrefix) {
			continue
		}
		path := filepath.Join(append([]string{r.inst.StateDir}, pathElements(d.Path)...)...)
		if isRooted(d.Path) {
			path, _ = r.locate(d.Path)
		}
		if isRegular(path) && (best == "" || d.LastSeen > seen) {
			best, seen = path, d.LastSeen
		}
	}
	return best
}

// sessionsFile is the store of an agent: what session.store says, if its folder
// is there, else usual. Transcripts lie beside the store.
func (r *roster) sessionsFile(id, usual string) string {
	store := strings.ReplaceAll(r.cfg.SessionStore, "{agentId}", id)
	folder := store[:max(strings.LastIndexAny(store, `/\`), 0)]
	if folder == "" || lastElement(store) == "" {
		return usual // not set, or relative to a working directory that is not known
	}
	dir, here := r.locate(folder)
	if here || dir != "" && !isDirectory(filepath.Dir(usual)) && !r.isOfOtherMachine(folder, dir) {
		return filepath.Join(dir, lastElement(store))
	}
	return usual
}
