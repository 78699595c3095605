package ingest

import (
	"path"
	"strings"

	"tidemark/backend/memory"
)

// Named is what a store knows of a session's origin.
type Named struct {
	Session    string
	HeaderAt   memory.Millis
	FirstEntry string
	InDatabase bool
	Parent     string // as its header names it
}

// origin tells two sessions of the same history: the time of the header and
// the id of the first entry behind it.
type origin struct {
	at    memory.Millis
	first string
}

// names knows which ids mean the same session of an agent. An upgrade can give
// a session a new id when it moves it into the database, and leave the file
// with the old one in an archive: the database's id is the name of both.
type names struct {
	alias   map[string]string
	origins map[origin]Named
	parent  map[string]string // session → what its header names as parent
	base    map[string]string // transcript file → session
}

func newNames(known []Named) *names {
	n := &names{alias: map[string]string{}, origins: map[origin]Named{}, parent: map[string]string{}, base: map[string]string{}}
	for _, k := range known {
		n.note(k)
	}
	return n
}

func (n *names) note(k Named) {
	if k.HeaderAt != 0 && k.FirstEntry != "" {
		n.origins[origin{k.HeaderAt, k.FirstEntry}] = k
	}
	if k.Parent != "" && n.parent[k.Session] == "" {
		n.parent[k.Session] = k.Parent
	}
}

// canonical gives the name under which a session is kept.
func (n *names) canonical(session string) string {
	if name, ok := n.alias[session]; ok {
		return name
	}
	return session
}

// settle decides the name of a session when its header and first entry are
// known. renamed is the name it had until now, "" where nothing changes.
func (n *names) settle(k Named) (name, renamed string) {
	twin, ok := n.origins[origin{k.HeaderAt, k.FirstEntry}]
	if k.HeaderAt == 0 || k.FirstEntry == "" || !ok || twin.Session == k.Session || twin.InDatabase == k.InDatabase {
		if !ok || k.InDatabase {
			n.note(k)
		}
		return n.canonical(k.Session), ""
	}
	if twin.InDatabase {
		n.alias[k.Session] = twin.Session
		return twin.Session, ""
	}
	n.alias[twin.Session] = k.Session
	n.note(k)
	return k.Session, twin.Session
}

// root gives the session at the beginning of a chain of rotated or forked
// transcripts.
func (n *names) root(session string) string {
	for range 1000 { // a chain of files that name each other ends here
		p, ok := n.parent[session]
		if !ok {
			return session
		}
		next := n.parentSession(p)
		if next == "" || next == session {
			return session
		}
		session = next
	}
	return session
}

// parentSession gives the session that a header names as its parent, by path
// or by id.
func (n *names) parentSession(p string) string {
	base := path.Base(strings.ReplaceAll(p, `\`, "/"))
	if s, ok := n.base[base]; ok {
		return n.canonical(s)
	}
	if at := strings.Index(base, ".jsonl"); at > 0 {
		base = base[:at]
	}
	return n.canonical(base)
}
