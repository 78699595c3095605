package stats

import (
	"path"
	"strings"

	"tidemark/backend/memory"
)

// Family knows which session another one came from. It is read only and safe
// for concurrent use.
type Family struct {
	byID   map[[2]string]bool   // agent, id
	byKey  map[string]string    // key → id of its session
	byFile map[[2]string]string // agent, name of the live transcript → id
}

// FamilyOf prepares the search for parents among all sessions.
func FamilyOf(all []memory.SessionSummary) *Family {
	f := &Family{byID: map[[2]string]bool{}, byKey: map[string]string{}, byFile: map[[2]string]string{}}
	for i := range all {
		s := &all[i]
		f.byID[[2]string{s.Agent, s.Session}] = true
		if s.Key != "" && (s.Current || f.byKey[s.Key] == "") {
			f.byKey[s.Key] = s.Session
		}
		for _, src := range s.Sources {
			if name, ok := liveName(src.Path); ok {
				f.byFile[[2]string{s.Agent, name}] = s.Session
			}
		}
	}
	return f
}

// Parent gives the session that started s or that s was made from, "" where
// there is none: by its header, by what its row says, by the session it
// followed. It need not be a session that is still known.
func (f *Family) Parent(s *memory.SessionSummary) string {
	if id := f.named(s.Agent, s.Parent); id != "" && id != s.Session {
		return id
	}
	for _, key := range []string{s.Notes.SpawnedBy, s.Notes.ParentKey} {
		if id := f.byKey[key]; key != "" && id != "" && id != s.Session {
			return id
		}
	}
	if s.Previous != s.Session {
		return s.Previous
	}
	return ""
}

// named gives the session that a header names: by the path of its transcript,
// written on any system, by what the newest versions write in the place of a
// path, or by its id.
func (f *Family) named(agent, parent string) string {
	if locator, ok := strings.CutPrefix(parent, "sqlite:"); ok { // sqlite:<agent>:<session>:<path>
		if parts := strings.SplitN(locator, ":", 3); len(parts) > 1 {
			return parts[1]
		}
		return ""
	}
	name, ok := liveName(parent)
	if !ok {
		if strings.ContainsAny(parent, `/\`) {
			return ""
		}
		return parent
	}
	if id, ok := f.byFile[[2]string{agent, name}]; ok {
		return id
	}
	id := strings.TrimSuffix(name, transcriptExt)
	if stem, _, ok := strings.Cut(id, "-topic-"); ok && !f.byID[[2]string{agent, id}] {
		return stem
	}
	return id
}

const transcriptExt = ".jsonl"

// liveName gives the name that a transcript had while it was written to:
// archives have something behind it. ok is false for what is no transcript, a
// database for one.
func liveName(p string) (name string, ok bool) {
	name = path.Base(strings.ReplaceAll(p, `\`, "/"))
	at := strings.Index(name, transcriptExt)
	if at <= 0 {
		return "", false
	}
	return name[:at+len(transcriptExt)], true
}
