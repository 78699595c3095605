package stats

import (
	"sort"
	"strings"

	"tidemark/backend/memory"
	"tidemark/backend/transcript"
)

// CompactionRecord is one compaction and what it did to the context.
type CompactionRecord struct {
	Agent        string
	Session      string
	Entry        string
	At           memory.Millis
	TokensBefore int64 // 0: not recorded
	TokensAfter  int64 // 0: not recorded
	Summary      string
	Superseded   bool // another one took its place: it is not on the visible path
	// Dropped counts messages that were in the context before it and not after.
	Dropped int
	// NoSummary says that the summary is empty or says itself that there is none.
	NoSummary bool
	FromHook  bool
}

// Compactions lists the compactions of a session in the order of its entries.
func Compactions(s *memory.SessionSummary, entries []memory.Entry) []CompactionRecord {
	shape := transcript.ShapeOf(Nodes(entries), s.Leaf)
	var found []CompactionRecord
	for i := range entries {
		e := &entries[i]
		if e.Kind != memory.KindCompaction {
			continue
		}
		r := CompactionRecord{Agent: s.Agent, Session: s.Session, Entry: e.ID, At: e.At, TokensBefore: e.Compaction.TokensBefore,
			TokensAfter: e.Compaction.TokensAfter, Summary: e.Compaction.Summary, Superseded: shape.Superseded[i], FromHook: e.Compaction.FromHook,
			NoSummary: noSummary(e.Compaction.Summary)}
		for _, d := range shape.Dropped[i] {
			if entries[d].Kind == memory.KindMessage {
				r.Dropped++
			}
		}
		found = append(found, r)
	}
	return found
}

// noSummary recognises a summary that is none.
func noSummary(s string) bool {
	s = strings.TrimSpace(s)
	return s == "" || len(s) < 400 && strings.Contains(strings.ToLower(s), "summary unavailable")
}

// Nodes gives the tree of a list of entries.
func Nodes(entries []memory.Entry) []transcript.Node {
	nodes := make([]transcript.Node, len(entries))
	for i := range entries {
		e := &entries[i]
		n := transcript.Node{Kind: e.Kind, ID: e.ID, Parent: e.Parent, HasParent: e.HasParent, Side: e.Side, Target: e.Target,
			AppendParent: e.AppendParent, FirstKeptIdx: -1, Linear: strings.HasPrefix(e.ID, "~")}
		if e.Compaction != nil {
			n.FirstKept, n.FirstKeptIdx = e.Compaction.FirstKept, e.Compaction.FirstKeptIndex
		}
		nodes[i] = n
	}
	return nodes
}

// SortCompactions orders compactions by time, the latest first.
func SortCompactions(c []CompactionRecord) {
	sort.SliceStable(c, func(i, j int) bool { return c[i].At > c[j].At })
}
