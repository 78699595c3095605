package transcript_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"tidemark/backend/memory"
	"tidemark/backend/transcript"
)

// sketch builds nodes from short descriptions, one a line:
//
//	u1            a message of a user that continues from the entry before it
//	u2 <u1        one that continues from u1, <- one at the root, <? one that names no parent
//	c1 <u2 kept=u1    a compaction (c…) or reset (r…)
//	l1 to=u1 at=u2    a leaf; to=- before everything
//	x1            an entry of an unknown type, s1 a side entry, h a header, t1 a tool result, a1 an assistant, k1 a custom marker
func sketch(t testing.TB, lines ...string) []transcript.Node {
	t.Helper()
	var nodes []transcript.Node
	last := ""
	for _, line := range lines {
		words := strings.Fields(line)
		n := transcript.Node{ID: words[0], Parent: last, HasParent: true, FirstKeptIdx: -1}
		switch words[0][0] {
		case 'u':
			n.Kind, n.Role = memory.KindMessage, memory.RoleUser
		case 'a':
			n.Kind, n.Role = memory.KindMessage, memory.RoleAssistant
		case 't':
			n.Kind, n.Role = memory.KindMessage, memory.RoleToolResult
		case 's':
			n.Kind, n.Role, n.Side = memory.KindMessage, memory.RoleUser, true
		case 'c':
			n.Kind = memory.KindCompaction
		case 'r':
			n.Kind = memory.KindReset
		case 'l':
			n.Kind = memory.KindLeaf
		case 'k':
			n.Kind = memory.KindCustom
		case 'h':
			n.Kind, n.HasParent = memory.KindSession, false
		case 'x':
		default:
			t.Fatalf("unknown sketch %q", line)
		}
		for _, w := range words[1:] {
			key, value, _ := strings.Cut(w, "=")
			if value == "-" {
				value = ""
			}
			switch {
			case w == "<-":
				n.Parent = ""
			case w == "<?":
				n.Parent, n.HasParent = "", false
			case w == "side":
				n.Side = true
			case strings.HasPrefix(w, "<"):
				n.Parent = w[1:]
			case key == "kept":
				n.FirstKept = value
			case key == "to":
				n.Target = value
			case key == "at":
				n.AppendParent = value
			default:
				t.Fatalf("unknown word %q", w)
			}
		}
		nodes = append(nodes, n)
		if n.Kind != memory.KindSession {
			last = n.ID
		}
	}
	return nodes
}

func names(nodes []transcript.Node, at []int) string {
	out := make([]string, len(at))
	for k, i := range at {
		out[k] = nodes[i].ID
	}
	return strings.Join(out, " ")
}

func TestShapeOf(t *testing.T) {
	tests := []struct {
		name          string
		nodes         []string
		leaf          string
		path, context string // "=" for the same as path
		dropped       map[string]string
		kept          map[string]string
		superseded    string
		dangling      int
	}{
		{name: "nothing"},
		{name: "a header alone", nodes: []string{"h"}},
		{name: "a line", nodes: []string{"h", "u1 <-", "a1", "u2"}, path: "u1 a1 u2", context: "="},
		{name: "a branch: the last entry is the visible end", nodes: []string{"u1 <-", "a1", "a2 <u1", "u2"}, path: "u1 a2 u2", context: "="},
		{name: "two compactions, one is a dead end (D57)", nodes: []string{"u1 <-", "a1", "c1 <a1 kept=a1", "c2 <a1 kept=a1", "u2 <c2"},
			path: "u1 a1 c2 u2", context: "a1 c2 u2", dropped: map[string]string{"c1": "u1", "c2": "u1"}, superseded: "c1"},
		{name: "what the first kept, the second drops (D59)", nodes: []string{"u1 <-", "u2", "u3", "c1 kept=u2", "u4", "c2 kept=u4", "u5"},
			path: "u1 u2 u3 c1 u4 c2 u5", context: "u4 c2 u5", dropped: map[string]string{"c1": "u1", "c2": "u2 u3 c1"}, kept: map[string]string{"c2": "u2 u3"}},
		{name: "the second keeps what the first kept", nodes: []string{"u1 <-", "u2", "c1 kept=u2", "u3", "c2 kept=u2", "u4"},
			path: "u1 u2 c1 u3 c2 u4", context: "u2 c1 u3 c2 u4", dropped: map[string]string{"c1": "u1", "c2": ""}},
		{name: "nothing kept: it names itself", nodes: []string{"u1 <-", "a1", "c1 kept=c1", "u2"}, path: "u1 a1 c1 u2", context: "c1 u2", dropped: map[string]string{"c1": "u1 a1"}},
		{name: "it names what is not there", nodes: []string{"u1 <-", "a1", "c1 kept=gone", "u2"}, path: "u1 a1 c1 u2", context: "c1 u2", dropped: map[string]string{"c1": "u1 a1"}},
		{name: "it names nothing", nodes: []string{"u1 <-", "a1", "c1", "u2"}, path: "u1 a1 c1 u2", context: "c1 u2", dropped: map[string]string{"c1": "u1 a1"}},
		{name: "it names what comes later", nodes: []string{"u1 <-", "c1 kept=u2", "u2"}, path: "u1 c1 u2", context: "c1 u2", dropped: map[string]string{"c1": "u1"}},
		{name: "it names an entry of another branch", nodes: []string{"u1 <-", "u2", "u3 <u1", "c1 kept=u2", "u4"}, path: "u1 u3 c1 u4", context: "c1 u4", dropped: map[string]string{"c1": "u1 u3"}},
		{name: "it keeps everything", nodes: []string{"u1 <-", "u2", "c1 kept=u1", "u3"}, path: "u1 u2 c1 u3", context: "=", dropped: map[string]string{"c1": ""}},
		{name: "a compaction at the root", nodes: []string{"c1 <- kept=x", "u1"}, path: "c1 u1", context: "=", dropped: map[string]string{"c1": ""}},
		{name: "nothing kept twice", nodes: []string{"u1 <-", "c1 kept=c1", "c2 kept=c2"}, path: "u1 c1 c2", context: "c2", dropped: map[string]string{"c1": "u1", "c2": "c1"}},
		{name: "a reset", nodes: []string{"u1 <-", "a1", "r1", "u2"}, path: "u1 a1 r1 u2", context: "r1 u2"},
		{name: "a reset that keeps the last words", nodes: []string{"u1 <-", "a1", "u2", "k1", "t1", "a2", "r1 kept=u2", "u3"}, path: "u1 a1 u2 k1 t1 a2 r1 u3", context: "u2 t1 a2 r1 u3"},
		{name: "a reset that keeps what is not there", nodes: []string{"u1 <-", "r1 kept=gone", "u2"}, path: "u1 r1 u2", context: "r1 u2"},
		{name: "what names an entry before the reset hangs below it", nodes: []string{"u1 <-", "a1", "r1", "u2 <a1", "a2"}, path: "u1 a1 r1 u2 a2", context: "r1 u2 a2"},
		{name: "so does a root", nodes: []string{"u1 <-", "r1", "u2 <-"}, path: "u1 r1 u2", context: "r1 u2"},
		{name: "and what follows a reset that was the first entry", nodes: []string{"r1 <-", "u1 <-", "l1 to=gone", "u2"}, path: "r1 u1 u2", context: "="},
		{name: "a compaction behind a reset", nodes: []string{"u1 <-", "r1", "u2", "u3", "c1 kept=u3", "u4"}, path: "u1 r1 u2 u3 c1 u4", context: "u3 c1 u4", dropped: map[string]string{"c1": "r1 u2"}},
		{name: "a compaction drops what a reset kept", nodes: []string{"u1 <-", "k1", "a1", "r1 kept=u1", "u2", "c1 kept=u2", "u3"}, path: "u1 k1 a1 r1 u2 c1 u3", context: "u2 c1 u3", dropped: map[string]string{"c1": "u1 a1 r1"}},
		{name: "two resets", nodes: []string{"u1 <-", "r1", "u2", "r2", "u3 <u2"}, path: "u1 r1 u2 r2 u3", context: "r2 u3"},
		{name: "a leaf goes back", nodes: []string{"u1 <-", "a1", "u2", "l1 to=u1"}, path: "u1", context: "="},
		{name: "and the conversation goes on from there", nodes: []string{"u1 <-", "a1", "u2", "l1 to=u1", "u3"}, path: "u1 u3", context: "="},
		{name: "naming the target", nodes: []string{"u1 <-", "a1", "u2", "l1 to=u1", "u3 <u1"}, path: "u1 u3", context: "="},
		{name: "a leaf before everything", nodes: []string{"u1 <-", "a1", "l1 to=-"}},
		{name: "and a new beginning", nodes: []string{"u1 <-", "a1", "l1 to=-", "u2 <-", "a2"}, path: "u2 a2", context: "="},
		{name: "a leaf to what is not there moves nothing", nodes: []string{"u1 <-", "a1", "u2", "l1 to=gone", "a2"}, path: "u1 a1 u2 a2", context: "="},
		{name: "nor does one whose place for the next entry is not there", nodes: []string{"u1 <-", "a1", "u2", "l1 to=u1 at=gone", "a2"}, path: "u1 a1 u2 a2", context: "="},
		{name: "nor does one to such a leaf", nodes: []string{"u1 <-", "a1", "l1 to=gone", "l2 to=l1", "u2 <a1"}, path: "u1 a1 u2", context: "="},
		{name: "a leaf without parent is none", nodes: []string{"u1 <-", "a1", "l1 <? to=u1"}, path: "u1 a1", context: "="},
		{name: "a leaf to a leaf", nodes: []string{"u1 <-", "a1", "l1 to=u1", "l2 to=l1", "u2"}, path: "u1 u2", context: "="},
		{name: "a leaf cannot lead behind a reset", nodes: []string{"u1 <-", "r1", "u2", "l1 to=u1", "u3"}, path: "u1 r1 u2 u3", context: "r1 u2 u3"},
		{name: "not even before everything", nodes: []string{"u1 <-", "r1", "u2", "l1 to=-", "u3"}, path: "u1 r1 u2 u3", context: "r1 u2 u3"},
		{name: "but within what follows it", nodes: []string{"u1 <-", "r1", "u2", "u3", "l1 to=u2", "u4"}, path: "u1 r1 u2 u4", context: "r1 u2 u4"},
		{name: "the next entry is attached elsewhere", nodes: []string{"u1 <-", "a1", "s1", "l1 to=a1 at=s1", "u2 <s1"}, path: "u1 a1 u2", context: "="},
		{name: "a side entry does not move the end", nodes: []string{"u1 <-", "a1", "s1"}, path: "u1 a1", context: "="},
		{name: "what follows it hangs where the end is", nodes: []string{"u1 <-", "a1", "s1", "u2"}, path: "u1 a1 u2", context: "="},
		{name: "side entries alone", nodes: []string{"s1 <-", "s2"}},
		{name: "an unknown type does not move the end", nodes: []string{"u1 <-", "x1"}, path: "u1", context: "="},
		{name: "and drops out of the chain", nodes: []string{"u1 <-", "x1", "a1", "u2"}, path: "u1 a1 u2", context: "="},
		{name: "unless something names it later", nodes: []string{"u1 <-", "x1", "u2 <u1", "u3 <x1"}, path: "u1 x1 u3", context: "="},
		{name: "an unknown type without parent is no part of the tree", nodes: []string{"u1 <-", "x1 <?", "u2 <u1"}, path: "u1 u2", context: "="},
		{name: "kept from an unknown type on: from the known one above it", nodes: []string{"u1 <-", "u2", "x1", "u3", "c1 kept=x1", "u4"}, path: "u1 u2 u3 c1 u4", context: "u2 u3 c1 u4", dropped: map[string]string{"c1": "u1"}},
		{name: "or the first one behind it", nodes: []string{"x1 <-", "u1", "u2", "c1 kept=x1", "u3"}, path: "u1 u2 c1 u3", context: "=", dropped: map[string]string{"c1": ""}},
		{name: "no parents at all", nodes: []string{"h", "u1 <?", "a1 <?", "u2 <?"}, path: "u1 a1 u2", context: "="},
		{name: "no parent continues from the visible end", nodes: []string{"u1 <-", "a1", "l1 to=u1", "u2 <?"}, path: "u1 u2", context: "="},
		{name: "a parent that is not there", nodes: []string{"u1 <-", "a1", "u2 <gone", "a2"}, path: "u1 a1 u2 a2", context: "=", dangling: 1},
		{name: "the beginning was cut off", nodes: []string{"u1 <gone", "a1", "u2"}, path: "u1 a1 u2", context: "=", dangling: 1},
		{name: "a side entry whose parent is not there", nodes: []string{"u1 <-", "s1 <gone", "u2 <s1"}, path: "u1 u2", context: "=", dangling: 1},
		{name: "its own parent", nodes: []string{"u1 <-", "u2 <u2", "u3"}, path: "u1 u2 u3", context: "=", dangling: 1},
		{name: "a circle", nodes: []string{"u1 <u3", "u2 <u1", "u3 <u2"}, path: "u2 u3 u1", context: "=", dangling: 1},
		{name: "a child that was sorted before its parent", nodes: []string{"u1 <-", "u2 <a1", "a1 <u1", "a2 <u2"}, path: "u1 a1 u2 a2", context: "="},
		{name: "the database names another branch", nodes: []string{"u1 <-", "a1", "u2", "a2 <u1"}, leaf: "u2", path: "u1 a1 u2", context: "="},
		{name: "the database is older", nodes: []string{"u1 <-", "a1", "u2"}, leaf: "a1", path: "u1 a1 u2", context: "="},
		{name: "the database names what is not there", nodes: []string{"u1 <-", "a1"}, leaf: "gone", path: "u1 a1", context: "="},
		{name: "the database names a leaf", nodes: []string{"u1 <-", "a1", "l1 to=u1"}, leaf: "l1", path: "u1", context: "="},
		{name: "the database names an unknown entry", nodes: []string{"u1 <-", "a1", "x1"}, leaf: "x1", path: "u1 a1", context: "="},
		{name: "the database names where the next entry goes", nodes: []string{"u1 <-", "a1", "u2 <u1", "l1 to=u1 at=a1"}, leaf: "a1", path: "u1", context: "="},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			nodes := sketch(t, tt.nodes...)
			s := transcript.ShapeOf(nodes, tt.leaf)
			if tt.context == "=" {
				tt.context = tt.path
			}
			if got := names(nodes, s.Path); got != tt.path {
				t.Errorf("path: got %q, want %q", got, tt.path)
			}
			if got := names(nodes, s.Context); got != tt.context {
				t.Errorf("context: got %q, want %q", got, tt.context)
			}
			if s.Dangling != tt.dangling {
				t.Errorf("dangling: got %d, want %d", s.Dangling, tt.dangling)
			}
			var superseded []string
			for i, n := range nodes {
				if n.Kind != memory.KindCompaction {
					if len(s.Dropped[i])+len(s.Kept[i]) > 0 || s.Superseded[i] {
						t.Errorf("%s is no compaction", n.ID)
					}
					continue
				}
				if s.Superseded[i] {
					superseded = append(superseded, n.ID)
				}
				if got := names(nodes, s.Dropped[i]); got != tt.dropped[n.ID] {
					t.Errorf("dropped by %s: got %q, want %q", n.ID, got, tt.dropped[n.ID])
				}
				if got := names(nodes, s.Kept[i]); got != tt.kept[n.ID] {
					t.Errorf("kept before %s: got %q, want %q", n.ID, got, tt.kept[n.ID])
				}
			}
			if got := strings.Join(superseded, " "); got != tt.superseded {
				t.Errorf("superseded: got %q, want %q", got, tt.superseded)
			}
		})
	}
}

// Version 1 has no ids and no tree; a compaction names the first entry that it
// keeps by its index in the file, where the header is 0.
func TestShapeOfVersion1(t *testing.T) {
	lines := []string{
		`{"type":"session","id":"s1","timestamp":"2025-11-01T10:00:00.000Z"}`,
		`{"type":"message","timestamp":"2025-11-01T10:00:01.000Z","message":{"role":"user","content":"1"}}`,
		`{"type":"message","timestamp":"2025-11-01T10:00:02.000Z","message":{"role":"assistant","content":"2"}}`,
		`{"type":"message","timestamp":"2025-11-01T10:00:03.000Z","message":{"role":"user","content":"3"}}`,
		`{"type":"compaction","timestamp":"2025-11-01T10:00:04.000Z","summary":"s","firstKeptEntryIndex":%s}`,
		`{"type":"message","timestamp":"2025-11-01T10:00:05.000Z","message":{"role":"assistant","content":"5"}}`,
	}
	for index, want := range map[string][]int{"3": {3, 4, 5}, "1": {1, 2, 3, 4, 5}, "0": {4, 5}, "4": {4, 5}, "5": {4, 5}, "99": {4, 5}, "-1": {4, 5}, "null": {4, 5}, "2.5": {4, 5}, `"3"`: {4, 5}} {
		var nodes []transcript.Node
		for i, line := range lines {
			if i == 4 {
				line = fmt.Sprintf(line, index)
			}
			ev := mustDecode(t, line, false)
			nodes = append(nodes, transcript.NodeOf(&ev))
		}
		s := transcript.ShapeOf(nodes, "")
		if !slices.Equal(s.Path, []int{1, 2, 3, 4, 5}) || !slices.Equal(s.Context, want) {
			t.Errorf("index %s: path %v, context %v, want %v", index, s.Path, s.Context, want)
		}
	}
}

// The entry of a header bears, in the index, the id of the first entry behind
// it.
func TestShapeOfHeaderWithTheIdOfTheFirstEntry(t *testing.T) {
	nodes := sketch(t, "h", "u1 <?", "a1 <u1")
	nodes[0].ID, nodes[0].Linear, nodes[1].Linear = "u1", true, true
	if got := transcript.ShapeOf(nodes, "").Path; !slices.Equal(got, []int{1, 2}) {
		t.Errorf("got %v", got)
	}
}

// What OpenClaw 2026.9.6 itself makes of made-up trees with leaves, resets,
// side entries, unknown types and parents that are not there: the path and, for
// most, the context.
func TestShapeOfAgreesWithOpenClaw(t *testing.T) {
	for n, line := range recorded(t, "trees.jsonl") {
		var c struct {
			Entries       []json.RawMessage
			Path, Context []string
		}
		if err := json.Unmarshal(line, &c); err != nil {
			t.Fatal(err)
		}
		nodes := decodeNodes(t, c.Entries)
		s := transcript.ShapeOf(nodes, "")
		if got, want := names(nodes, s.Path), strings.Join(c.Path, " "); got != want {
			t.Errorf("tree %d: path %q, want %q\n%s", n+1, got, want, line)
		}
		if got, want := names(nodes, s.Context), strings.Join(c.Context, " "); c.Context != nil && got != want {
			t.Errorf("tree %d: context %q, want %q\n%s", n+1, got, want, line)
		}
	}
}

func decodeNodes(t testing.TB, entries []json.RawMessage) (nodes []transcript.Node) {
	t.Helper()
	for _, e := range entries {
		ev := mustDecode(t, string(e), false)
		nodes = append(nodes, transcript.NodeOf(&ev))
	}
	return nodes
}

// The visible path of recorded sessions is what OpenClaw 2026.9.6 noted beside
// them (session_transcript_active_events).
func TestShapeOfRecordedSessions(t *testing.T) {
	for _, line := range recorded(t, "visible.jsonl") {
		var c struct {
			Session, Leaf string
			Active        []string
			Events        []json.RawMessage
		}
		if err := json.Unmarshal(line, &c); err != nil {
			t.Fatal(err)
		}
		nodes := decodeNodes(t, c.Events)
		for _, leaf := range []string{"", c.Leaf} {
			s := transcript.ShapeOf(nodes, leaf)
			if got := names(nodes, s.Path); got != strings.Join(c.Active, " ") {
				t.Errorf("%s: path\n%q, want\n%q", c.Session, got, c.Active)
			}
			if nodes[s.Context[0]].Kind != memory.KindReset || s.Dangling != 0 || len(s.Superseded) != 0 {
				t.Errorf("%s: %d dangling, %d superseded, the context begins with %v", c.Session, s.Dangling, len(s.Superseded), nodes[s.Context[0]])
			}
		}
		// Sorted by time, as a list from several sources is: entries of one turn
		// change places, the path stays.
		events := slices.Clone(c.Events)
		slices.SortStableFunc(events, func(a, b json.RawMessage) int {
			x, y := mustDecode(t, string(a), false), mustDecode(t, string(b), false)
			return int(x.At - y.At)
		})
		sorted := decodeNodes(t, events)
		if got := names(sorted, transcript.ShapeOf(sorted, "").Path); got != strings.Join(c.Active, " ") {
			t.Errorf("%s: another path when sorted by time", c.Session)
		}
	}
}
