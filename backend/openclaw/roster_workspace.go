package openclaw

import (
	"path/filepath"
	"slices"
	"strings"

	"tidemark/backend/memory"
)

// workspace finds the workspace of an agent, and what the configuration says
// about it. Where the rules of the eras differ, the first directory that is
// there wins, and OpenClaw's own order decides between two that are.
func (r *roster) workspace(c AgentConfig) (path, raw string) {
	if c.Workspace != "" {
		return r.configuredWorkspace(c.ID, c.Workspace), c.Workspace
	}
	old, recent := r.workspacesByFiles(c.ID), r.workspacesByOwner(c.ID)
	candidates := slices.Concat(old, recent)
	if r.newest {
		candidates = slices.Concat(recent, old)
	}
	for _, p := range candidates {
		if isDirectory(p.path) {
			return p.path, p.raw
		}
	}
	first := candidates[0]
	if first.raw != "" {
		return r.configuredWorkspace(c.ID, first.raw), first.raw
	}
	return first.path, first.raw
}

// workspacePath is a directory that may be the one, and the setting that says
// so, if there is one.
type workspacePath struct{ path, raw string }

// workspacesByFiles is the rule up to 2026.7: agents.defaults.workspace is the
// default agent's own and no other's.
func (r *roster) workspacesByFiles(id string) []workspacePath {
	if id == r.defaultID {
		return r.defaultWorkspaces()
	}
	return []workspacePath{{path: r.ownWorkspace(id)}}
}

// workspacesByOwner is the rule of the newest era, which 2026.6 has for the
// list of agents too: others get a folder below agents.defaults.workspace.
func (r *roster) workspacesByOwner(id string) []workspacePath {
	shared := r.cfg.Defaults.Workspace
	switch {
	case id == r.heir:
		return r.defaultWorkspaces()
	case shared != "":
		base, _ := r.locate(shared)
		return []workspacePath{{path: filepath.Join(base, id)}}
	}
	return []workspacePath{{path: r.ownWorkspace(id)}}
}

func (r *roster) ownWorkspace(id string) string {
	return filepath.Join(r.inst.StateDir, "workspace-"+id)
}

// defaultWorkspaces are the places of the workspace of the default agent.
func (r *roster) defaultWorkspaces() []workspacePath {
	if raw := r.cfg.Defaults.Workspace; raw != "" {
		path, _ := r.locate(raw)
		return []workspacePath{{path, raw}}
	}
	own := workspacePath{path: filepath.Join(r.inst.StateDir, "workspace")}
	var out []workspacePath
	if r.cfg.workspaceDir != "" {
		out = append(out, workspacePath{path: r.cfg.workspaceDir})
	}
	home := r.cfg.env.home()
	if home == "" {
		return append(out, own)
	}
	// Up to 2026.7 the default workspace lies below ~/.openclaw, wherever the
	// state directory is.
	common := filepath.Join(home, stateDirName, "workspace")
	switch p := r.inst.Profile; {
	case p != "" && filepath.Base(r.inst.StateDir) != stateDirName+"-"+p:
		out = append(out, workspacePath{path: common + "-" + p}, own)
	case p != "":
		out = append(out, own, workspacePath{path: common + "-" + p})
	case r.cfg.current:
		out = append(out, own, workspacePath{path: common})
	default:
		out = append(out, own)
	}
	if r.inst.Legacy {
		out = append(out, workspacePath{path: filepath.Join(home, "clawd")}) // before the names were changed
	}
	return out
}

// configuredWorkspace finds a workspace that is written down, and reports one
// that is of another machine.
func (r *roster) configuredWorkspace(id, raw string) string {
	path, here := r.locate(raw)
	if !here && r.isOfOtherMachine(raw, path) {
		r.problems = append(r.problems, memory.Problem{Code: memory.ProblemForeignPath, Path: raw, Count: 1,
			Message: "the workspace of agent " + id + " is not on this machine",
			Hint:    "If this state directory was copied here, copy the workspace beside it."})
	}
	return path
}

// locate finds what a path of the configuration names on this machine. A path
// that is not here, as in a state directory that was copied from another
// machine, is looked for below this state directory by its tail; here says
// that something was found. Otherwise the path is what was written, expanded,
// and "" where that means nothing on this system.
func (r *roster) locate(raw string) (path string, here bool) {
	switch {
	case isElsewhere(raw):
		path = ""
	case isRooted(raw):
		path = r.cfg.env.expand(raw)
	default: // OpenClaw's working directory is not known: this is the likeliest
		path = filepath.Join(r.inst.StateDir, filepath.FromSlash(raw))
	}
	if path != "" && (isDirectory(path) || isRegular(path)) {
		return path, true
	}
	parts := pathElements(raw)
	for i := len(parts) - 1; i > 0; i-- {
		// What follows the state directory, whatever that was called there.
		above := parts[i-1]
		if strings.HasPrefix(above, ".") && above != ".." || i == len(parts)-1 && strings.HasPrefix(parts[i], "workspace") {
			tail := filepath.Join(parts[i:]...)
			found := filepath.Join(r.inst.StateDir, tail)
			if filepath.IsLocal(tail) && (isDirectory(found) || isRegular(found)) {
				return found, true
			}
		}
	}
	return path, false
}

// isOfOtherMachine says that a path that is not here never was: one made by
// this account or below this state directory is merely not there yet.
func (r *roster) isOfOtherMachine(raw, path string) bool {
	if isElsewhere(raw) {
		return true
	}
	home := r.cfg.env.home()
	return isRooted(raw) && !strings.HasPrefix(raw, "~") && !insideOf(r.inst.StateDir, path) && (home == "" || !insideOf(home, path))
}

// isElsewhere says that a path has the form of another operating system, so
// that it means nothing on this one.
func isElsewhere(path string) bool {
	return isRooted(path) && !filepath.IsAbs(path) && !strings.HasPrefix(path, "~")
}

// isRooted says that a path does not depend on a working directory, in the
// form of any operating system.
func isRooted(path string) bool {
	switch {
	case path == "":
		return false
	case path[0] == '/' || path[0] == '\\' || path == "~":
		return true
	case path[0] == '~':
		return path[1] == '/' || path[1] == '\\'
	}
	return len(path) >= 3 && path[1] == ':' && (path[2] == '\\' || path[2] == '/') && isLetter(path[0])
}

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

// pathElements splits a path of any operating system into its elements.
func pathElements(path string) []string {
	parts := strings.FieldsFunc(path, func(r rune) bool { return r == '/' || r == '\\' })
	return slices.DeleteFunc(parts, func(p string) bool { return p == "." })
}

// lastElement is the last element of a path of any operating system, "" where
// it has none.
func lastElement(path string) string {
	parts := pathElements(path)
	if len(parts) == 0 {
		return ""
	}
	return parts[len(parts)-1]
}
