package openclaw

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"sort"
	"strings"

	"tidemark/backend/memory"
)

// ImportFolder is where an upgrade to the newest era puts the transcripts that
// it moved into the database.
const ImportFolder = "session-sqlite-import-archive"

// coldFolder, inside the sessions folder, holds transcripts that the newest
// era took out of its database, named by their checksum.
const coldFolder = "cold"

// archiveSuffix is what OpenClaw puts behind "<session>.jsonl" when it archives
// a transcript: the reason, a time, now and then a word that makes the name
// unique, and .zst in the newest era.
var archiveSuffix = regexp.MustCompile(`^\.(reset|deleted)\.[^/\\]*?(\.zst)?$`)

// transient matches names of files that a program is still writing, or that
// only say that it is: they are another file, or nothing, in a moment.
var transient = regexp.MustCompile(`(?i)(\.(tmp|temp|lock|part|partial)|~)$`)

// copySuffix matches names that are no transcripts although they look like
// one: snapshots before a compaction (whole copies) and run traces.
var copySuffix = regexp.MustCompile(`(?i)\.(checkpoint\.[0-9a-f-]{8,}|trajectory)$`)

// classify tells what a file in a sessions folder is by its name. base is the
// name of the live file it was made from.
func classify(name string, imported bool) (kind memory.SourceKind, base string, ok bool) {
	at := strings.Index(name, ".jsonl")
	if at <= 0 {
		return 0, "", false
	}
	stem, suffix := name[:at], name[at+len(".jsonl"):]
	if copySuffix.MatchString(stem) || transient.MatchString(name) {
		return 0, "", false
	}
	base = stem + ".jsonl"
	switch m := archiveSuffix.FindStringSubmatch(suffix); {
	case suffix == "" && !imported:
		return memory.SourceLive, base, true
	case suffix == ".zst" && !imported:
		return memory.SourcePacked, base, true
	case m != nil && m[1] == "reset":
		return memory.SourceReset, base, true
	case m != nil:
		return memory.SourceDeleted, base, true
	case imported && (suffix == "" || suffix == ".zst" || strings.HasPrefix(suffix, ".imported-")):
		return memory.SourceImported, importBase(base), true
	}
	return 0, "", false
}

// importBase takes the session key off the name that an upgrade gives:
// "agent_main_main.<session>.jsonl" was "<session>.jsonl".
func importBase(base string) string {
	if !strings.HasPrefix(base, "agent_") {
		return base
	}
	if _, rest, ok := strings.Cut(base, "."); ok && rest != "jsonl" {
		return rest
	}
	return base
}

// Sources lists the files that hold history of an agent, most authoritative
// first: the database, live files, archives, what an upgrade moved away. A
// folder that is not there is no problem; one that cannot be read is. It opens
// no file.
func (a Agent) Sources() ([]memory.Source, []memory.Problem) {
	l := lister{agent: a.ID, seen: map[string]bool{}}
	l.database(a.Database)
	if a.SessionsDir != "" {
		l.folder(a.SessionsDir, false)
		l.folder(filepath.Join(a.SessionsDir, coldFolder), false)
		l.folder(filepath.Join(filepath.Dir(a.SessionsDir), ImportFolder), true)
		l.folder(filepath.Join(a.SessionsDir, ImportFolder), true)
	}
	sort.SliceStable(l.found, func(i, j int) bool {
		return rank(l.found[i]) < rank(l.found[j]) || rank(l.found[i]) == rank(l.found[j]) && l.found[i].Path < l.found[j].Path
	})
	return l.found, l.problems
}

// rank orders sources: where two hold the same entry, the first one counts.
func rank(s memory.Source) int {
	switch s.Kind {
	case memory.SourceDatabase:
		return 0
	case memory.SourceLive:
		return 1
	default:
		return 2
	}
}

type lister struct {
	agent    string
	seen     map[string]bool
	found    []memory.Source
	problems []memory.Problem
}

func (l *lister) database(path string) {
	if path != "" {
		l.file(memory.Source{Kind: memory.SourceDatabase, Agent: l.agent, Path: path})
	}
}

func (l *lister) folder(dir string, imported bool) {
	if l.seen[dir] {
		return
	}
	l.seen[dir] = true
	names, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		l.problems = append(l.problems, unreadable(dir, err))
	}
	cold := filepath.Base(dir) == coldFolder
	for _, e := range names {
		kind, base, ok := classify(e.Name(), imported)
		if !ok || e.IsDir() {
			continue
		}
		if cold {
			kind = memory.SourceCold
		}
		l.file(memory.Source{Kind: kind, Agent: l.agent, Path: filepath.Join(dir, e.Name()), Base: base})
	}
}

// file adds a file, or the one that a link leads to.
func (l *lister) file(src memory.Source) {
	info, err := os.Stat(src.Path)
	switch {
	case errors.Is(err, fs.ErrNotExist): // it may have been archived just now
		return
	case err == nil && info.IsDir():
		return
	case err == nil && !info.Mode().IsRegular():
		err = errNotRegular
	}
	if err != nil {
		l.problems = append(l.problems, unreadable(src.Path, err))
		return
	}
	src.Stamp = stampOf(src.Path, info, src.Kind == memory.SourceDatabase)
	l.found = append(l.found, src)
}

// StampOf looks at a file without opening it. For a database the write-ahead
// log beside it counts too.
func StampOf(path string, database bool) (memory.Stamp, error) {
	info, err := os.Stat(path)
	if err != nil {
		return memory.Stamp{}, err
	}
	return stampOf(path, info, database), nil
}

func stampOf(path string, info fs.FileInfo, database bool) memory.Stamp {
	s := memory.Stamp{Size: info.Size(), MTime: info.ModTime().UnixNano(), Inode: inode(info)}
	if database {
		if wal, err := os.Stat(path + "-wal"); err == nil {
			s.Wal, s.WalAt = wal.Size(), wal.ModTime().UnixNano()
		}
	}
	return s
}
