package watch

import (
	"regexp"
	"strings"
)

// skipped are folders that hold no memory and many files.
var skipped = map[string]bool{
	"node_modules": true, ".git": true, ".hg": true, ".svn": true, ".venv": true, "venv": true, "dist": true, "__pycache__": true,
}

// passing matches names of files that are another one, or none, in a moment,
// and of SQLite's shared memory, which changes only with the log beside it.
// OpenClaw's lock of a session is among them, whether its key was made a safe
// name or kept its colons: agent:main:main.jsonl.lock.
var passing = regexp.MustCompile(`(\.(tmp|temp|lock|part|partial|swp|swx)|-shm|~)$|^\.#`)

// beside matches what lies beside transcripts and is none: traces of runs,
// copies from before a compaction, backups.
var beside = regexp.MustCompile(`\.trajectory\.jsonl|\.checkpoint\.[0-9a-f-]{8,}\.jsonl|\.jsonl\.bak\.`)

// configured matches OpenClaw's configuration under its old and new names, with
// the copies that it keeps.
var configured = regexp.MustCompile(`^(openclaw|clawdbot|moldbot|moltbot)\.json`)

// split parts a path into its folder and the last name. Windows has two
// separators; elsewhere a backslash is part of a name.
func split(path, goos string) (dir, name string) {
	separators := "/"
	if goos == "windows" {
		separators = `/\`
	}
	at := strings.LastIndexAny(path, separators)
	if at < 0 {
		return "", path
	}
	dir, name = path[:at], path[at+1:]
	if dir == "" || goos == "windows" && strings.HasSuffix(dir, ":") {
		dir = path[:at+1] // a root keeps its separator
	}
	return dir, name
}

// spoken gives the name that a change is told under: the database's for its
// log or journal, "" for what never matters.
func spoken(name string) string {
	if passing.MatchString(strings.ToLower(name)) {
		return ""
	}
	for _, log := range []string{"-wal", "-journal"} {
		if base, ok := strings.CutSuffix(name, log); ok && strings.Contains(base, ".") {
			return base
		}
	}
	return name
}

// matters tells whether a file of that name in a folder of that name is one of
// OpenClaw's that are read: transcripts with their archives, databases, session
// stores, configuration, schedules, memory.
func matters(folder, name string) bool {
	name = strings.ToLower(name)
	switch {
	case strings.Contains(name, ".jsonl"):
		return !beside.MatchString(name)
	case strings.HasSuffix(name, ".sqlite"), strings.HasSuffix(name, ".md"):
		return true
	case name == "sessions.json", configured.MatchString(name):
		return true
	default:
		return strings.EqualFold(folder, "cron") && strings.Contains(name, ".json")
	}
}
