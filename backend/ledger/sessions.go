package ledger

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"tidemark/backend/memory"
)

const (
	sessionFile = "sessions.md"
	sessionHead = `# The conversations of this agent

One line for each session: what OpenClaw called it and how many messages it
holds. A later line about the same session replaces an earlier one. A line with
"formerly" says that OpenClaw gave a session another id.

` + versionLine
)

// SessionLine is the line of the ledger about a session, without line feed.
func SessionLine(s memory.SessionSummary) string {
	var b strings.Builder
	fmt.Fprintf(&b, "- session %s · key %s", quote(s.Session), quote(s.Key))
	for _, f := range []struct{ name, value string }{{"label", s.Notes.Label}, {"name", s.Notes.DisplayName}, {"channel", s.Notes.Channel}, {"parent", s.Parent},
		{"follows", s.Previous}, {"spawnedBy", s.Notes.SpawnedBy}, {"parentKey", s.Notes.ParentKey}} {
		if f.value != "" {
			b.WriteString(separator + f.name + " " + quote(f.value))
		}
	}
	fmt.Fprintf(&b, " · messages %d · user %d · from %s · to %s", s.Messages, s.UserMessages, stamp(s.Started), stamp(s.Updated))
	return b.String()
}

// AppendSessions writes lines about sessions of an agent, and about ids that
// were replaced (old id → new id).
func (l *Ledger) AppendSessions(agent string, sessions []memory.SessionSummary, renamed map[string]string) error {
	if len(sessions)+len(renamed) == 0 {
		return nil
	}
	var b strings.Builder
	for _, was := range slices.Sorted(maps.Keys(renamed)) {
		fmt.Fprintf(&b, "- session %s · formerly %s\n", quote(renamed[was]), quote(was))
	}
	for _, s := range sessions {
		b.WriteString(SessionLine(s) + "\n")
	}
	return l.append(agent, sessionFile, kind{sessionHead, endLine}, b.String())
}

// Sessions reads the lines about sessions of an agent: the last one for each,
// under the id that it has now, in the order of the file, and the ids that
// were replaced. known are ids whose replacement is known otherwise. bad
// counts lines that cannot be read.
func (l *Ledger) Sessions(agent string, known map[string]string) (found []memory.SessionSummary, renamed map[string]string, bad int, err error) {
	var all []memory.SessionSummary
	renamed = maps.Clone(known)
	if renamed == nil {
		renamed = map[string]string{}
	}
	bad, err = l.list(agent, sessionFile, func(line string) bool {
		s, was, ok := ParseSession(line)
		switch {
		case !ok:
			return false
		case was == "":
			all = append(all, s)
		case renamed[was] == "" && was != s.Session:
			renamed[was] = s.Session
		}
		return true
	})
	at := map[string]int{}
	for _, s := range all {
		s.Session = Name(renamed, s.Session)
		if i, seen := at[s.Session]; seen {
			found[i] = s
			continue
		}
		at[s.Session] = len(found)
		found = append(found, s)
	}
	return found, renamed, bad, err
}

// Name follows replaced ids (old id → new id) to the one that a session has
// now.
func Name(renamed map[string]string, session string) string {
	for range len(renamed) { // ids that replace each other end here
		next, ok := renamed[session]
		if !ok {
			break
		}
		session = next
	}
	return session
}

// ParseSession reads a line about a session, or about an id that was replaced:
// then was is the old id and s has the new one alone.
func ParseSession(line string) (s memory.SessionSummary, was string, ok bool) {
	line, ok = strings.CutPrefix(line, "- ")
	values, bare, isLine := fields(line)
	if !ok || !isLine || len(bare) != 0 {
		return s, "", false
	}
	r := reader{values: values}
	s.Session = r.value("session")
	if was, ok := values["formerly"]; ok {
		return s, was, !r.bad && was != "" && s.Session != ""
	}
	s.Key = r.value("key")
	s.Messages, s.UserMessages = r.count("messages"), r.count("user")
	s.Started, s.Updated = r.stamp("from"), r.stamp("to")
	s.Parent, s.Previous = values["parent"], values["follows"]
	s.Notes = memory.SessionMeta{Key: s.Key, Label: values["label"], DisplayName: values["name"], Channel: values["channel"],
		SpawnedBy: values["spawnedBy"], ParentKey: values["parentKey"], Previous: s.Previous}
	return s, "", !r.bad
}
