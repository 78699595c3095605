package openclaw

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// rowLocator begins the sessionFile of a session that lies in a database.
const rowLocator = "sqlite:"

// transcriptExt is in the name of every transcript. A row that names anything
// else is damaged, or wants something read that is none.
const transcriptExt = ".jsonl"

// safeSessionID is what OpenClaw takes for a session id in a file name.
var safeSessionID = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$`)

// File is the path of the session's transcript on this machine, always below
// sessionsDir; "" where it lies in a database or nothing tells its name. The
// file need not exist. A path of another machine, or one that leads outside,
// stands for the file of its last element in sessionsDir, as when a state
// directory was moved.
func (r Row) File(stateDir, sessionsDir string) string {
	written := strings.TrimSpace(r.SessionFile)
	if strings.HasPrefix(written, rowLocator) {
		return ""
	}
	if strings.ContainsRune(written, 0) {
		written = "" // no system has such a name
	}
	sessionsDir = absolutePath(sessionsDir)
	for _, path := range r.fileCandidates(written, absolutePath(stateDir), sessionsDir) {
		if strings.Contains(filepath.Base(path), transcriptExt) && insideOf(sessionsDir, path) && !leadsOutside(sessionsDir, path) {
			return path
		}
	}
	return ""
}

// fileCandidates are the paths that a row may mean, the most literal first.
func (r Row) fileCandidates(written, stateDir, sessionsDir string) []string {
	var paths []string
	if parts := pathElements(written); len(parts) > 0 {
		name := parts[len(parts)-1]
		switch {
		case filepath.IsAbs(written):
			paths = append(paths, filepath.Clean(written))
		case !isRooted(written):
			local := filepath.Join(parts...)
			paths = append(paths, filepath.Join(sessionsDir, local))
			if len(parts) > 1 {
				paths = append([]string{filepath.Join(stateDir, local)}, paths...)
			}
		}
		if isFileName(name) {
			paths = append(paths, filepath.Join(sessionsDir, name))
		}
	}
	if safeSessionID.MatchString(r.SessionID) {
		paths = append(paths, filepath.Join(sessionsDir, r.SessionID+transcriptExt))
	}
	return paths
}

func isFileName(name string) bool {
	return name != "" && name != "." && name != ".." && filepath.IsLocal(name)
}

// leadsOutside says that a symbolic link takes path out of dir. Most rows name
// a plain file right in dir, for which one look is enough.
func leadsOutside(dir, path string) bool {
	if filepath.Dir(path) == dir {
		info, err := os.Lstat(path)
		if err != nil || info.Mode()&os.ModeSymlink == 0 {
			return false
		}
	}
	return !insideOf(resolvedPath(dir), resolvedPath(path))
}
