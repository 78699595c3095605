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
	// Unsummed counts those of Dropped that the compaction before had kept: up
	// to 2026.2 OpenClaw left them out when it wrote the summary.
	Unsummed int
	// NoSummary says that the summary is empty or says itself that there is none.
	NoSummary bool
	FromHook  bool
}

// Compactions lists the compactions of a session in the order of its entries.
func Compactions(s *memory.SessionSummary, entries []memory.Entry) []CompactionRecord {
	return CompactionsIn(s, entries, transcript.ShapeOf(Nodes(entries), s.Leaf))
}

// CompactionsIn is Compactions where the shape of the session is known.
func CompactionsIn(s *memory.SessionSummary, entries []memory.Entry, shape transcript.Shape) []CompactionRecord {
	var found []CompactionRecord
	for i := range entries {
		e := &entries[i]
		if e.Kind != memory.KindCompaction {
			continue
		}
		var c memory.Compaction
		if e.Compaction != nil {
			c = *e.Compaction
		}
		found = append(found, CompactionRecord{Agent: s.Agent, Session: s.Session, Entry: e.ID, At: e.At, TokensBefore: c.TokensBefore, TokensAfter: c.TokensAfter,
			Summary: c.Summary, Superseded: shape.Superseded[i], Dropped: messages(entries, shape.Dropped[i]), Unsummed: messages(entries, shape.Kept[i]),
			FromHook: c.FromHook, NoSummary: NoSummary(c.Summary)})
	}
	return found
}

// messages counts those of some entries that are messages.
func messages(entries []memory.Entry, of []int) (n int) {
	for _, i := range of {
		if entries[i].Kind == memory.KindMessage {
			n++
		}
	}
	return n
}

// longestExcuse bounds a summary that only says that there is none; the
// longest seen has 90 bytes.
const longestExcuse = 400

// NoSummary recognises a summary that is none: an empty one, or one that says
// so itself. The lists of files that OpenClaw appends are no summary.
func NoSummary(s string) bool {
	for _, list := range []string{"<read-files>", "<modified-files>"} {
		s, _, _ = strings.Cut(s, list)
	}
	s = strings.ToLower(strings.TrimSpace(s))
	return s == "" || len(s) < longestExcuse && (strings.Contains(s, "summary unavailable") || strings.TrimRight(s, ".") == "no prior history")
}

// Nodes gives the tree of a list of entries.
func Nodes(entries []memory.Entry) []transcript.Node {
	nodes := make([]transcript.Node, len(entries))
	for i := range entries {
		e := &entries[i]
		n := transcript.Node{Kind: e.Kind, Role: e.Role, ID: e.ID, Parent: e.Parent, HasParent: e.HasParent, Side: e.Side, Target: e.Target,
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
