package ingest

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"tidemark/backend/memory"
)

// Named is what a store knows of a session's origin. A session may have
// several: one for each header that it was found behind.
type Named struct {
	Session    string
	HeaderAt   memory.Millis
	FirstEntry string
	InDatabase bool
	Parent     string // session that this one continues, as its header names it
	// Root is the session that its calls were told apart for; "" means itself.
	Root string
	// Key is its key as far as it was noted, and Background says that the key
	// names something that nobody speaks in.
	Key        string
	Background bool
	// Told says that nothing of it was read by this store.
	Told bool
	// Name is not "" where Session is an id that was replaced by this one; then
	// nothing else is filled.
	Name string
}

// origin tells two sessions of the same history: the time of the header and
// the id of the first entry behind it.
type origin struct {
	at    memory.Millis
	first string
}

// names knows which ids mean the same session of an agent, and which session
// continues which. An upgrade can give a session a new id when it moves it
// into the database, and leave the file with the old one in an archive: the
// database's id is the name of both.
type names struct {
	alias   map[string]string
	origins map[origin]Named
	open    map[string]Named  // sessions whose header is known and no entry behind it
	settled map[string]bool   // sessions of which both are known
	parent  map[string]string // session → what its header names as parent
	base    map[string]string // transcript file → session
	roots   map[string]string // session → root that its calls were told apart for
	keys    map[string]sessionKey
}

// sessionKey is the key of a session; background says that it names something
// that nobody speaks in.
type sessionKey struct {
	key        string
	background bool
}

func newNames(known []Named) *names {
	n := &names{alias: map[string]string{}, origins: map[origin]Named{}, open: map[string]Named{}, settled: map[string]bool{}, parent: map[string]string{}, base: map[string]string{}, roots: map[string]string{}, keys: map[string]sessionKey{}}
	for _, k := range known {
		if k.Name != "" {
			n.alias[k.Session] = k.Name
			continue
		}
		n.note(k)
		if k.Key != "" {
			n.keys[k.Session] = sessionKey{k.Key, k.Background}
		}
		if !k.Told {
			n.roots[k.Session] = cmp.Or(k.Root, k.Session)
		}
	}
	return n
}

func (n *names) note(k Named) {
	if k.Parent != "" && n.parent[k.Session] == "" {
		n.parent[k.Session] = k.Parent
	}
	switch {
	case k.HeaderAt == 0 || n.settled[k.Session] && k.FirstEntry == "":
	case k.FirstEntry == "":
		n.open[k.Session] = k
	default:
		delete(n.open, k.Session)
		n.settled[k.Session] = true
		at := origin{k.HeaderAt, k.FirstEntry}
		if old, ok := n.origins[at]; ok && old.Session == k.Session {
			k.InDatabase = k.InDatabase || old.InDatabase
		}
		n.origins[at] = k
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
// known. was is the id that it has to be renamed from, "" where nothing
// changes.
func (n *names) settle(k Named) (name, was string) {
	if name, ok := n.alias[k.Session]; ok {
		return name, ""
	}
	twin, ok := n.origins[origin{k.HeaderAt, k.FirstEntry}]
	if k.HeaderAt == 0 || k.FirstEntry == "" || !ok || twin.Session == k.Session || twin.InDatabase == k.InDatabase {
		if !ok || k.InDatabase || twin.Session == k.Session {
			n.note(k)
		}
		return k.Session, ""
	}
	if !twin.InDatabase {
		n.replace(twin.Session, k.Session)
		n.note(k)
		return k.Session, twin.Session
	}
	n.replace(k.Session, twin.Session)
	return twin.Session, k.Session
}

// replace notes that an id means another session.
func (n *names) replace(was, name string) {
	for id, to := range n.alias {
		if to == was {
			n.alias[id] = name
		}
	}
	n.alias[was] = name
	delete(n.open, was)
	for file, s := range n.base {
		if s == was {
			n.base[file] = name
		}
	}
	if p := n.parent[was]; p != "" && n.parent[name] == "" {
		n.parent[name] = p
	}
	if r, ok := n.roots[was]; ok {
		if _, there := n.roots[name]; !there {
			n.roots[name] = r
		}
		delete(n.roots, was)
	}
}

// root gives the session at the beginning of a chain of rotated or forked
// transcripts, as far as it is known now.
func (n *names) root(session string) string {
	seen := []string{session}
	for {
		p, ok := n.parent[session]
		if !ok {
			return session
		}
		next := n.parentSession(p)
		switch {
		case next == "" || next == session:
			return session
		case slices.Contains(seen, next): // files that name each other
			return slices.Min(seen[slices.Index(seen, next):])
		}
		session = next
		seen = append(seen, next)
	}
}

// rootOf gives the root that the calls of a session are told apart for. It
// stays the same during a pass.
func (n *names) rootOf(session string) string {
	if r, ok := n.roots[session]; ok {
		return r
	}
	r := n.root(session)
	n.roots[session] = r
	return r
}

// moved gives the sessions whose root turned out to be another one than their
// calls were told apart for, in a fixed order.
func (n *names) moved() (sessions []string) {
	for session, used := range n.roots {
		if n.root(session) != used {
			sessions = append(sessions, session)
		}
	}
	slices.Sort(sessions)
	return sessions
}

// parentSession gives the session that a header names as its parent, by path
// or by id.
func (n *names) parentSession(p string) string {
	base := path.Base(strings.ReplaceAll(p, `\`, "/"))
	if at := strings.Index(base, ".jsonl"); at > 0 {
		if s, ok := n.base[base[:at+len(".jsonl")]]; ok {
			return n.canonical(s)
		}
		base = base[:at]
	}
	return n.canonical(base)
}
