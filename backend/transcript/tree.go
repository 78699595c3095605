package transcript

import "tidemark/backend/memory"

// Node is what the shape of a session needs to know of one entry.
type Node struct {
	Kind         memory.Kind
	ID           string
	Parent       string
	HasParent    bool
	Side         bool
	Target       string // of a leaf
	AppendParent string // of a leaf
	FirstKept    string // of a compaction or reset
	FirstKeptIdx int    // of a compaction of version 1, -1 where absent
	// Linear says that the entry comes from a transcript of version 1, which
	// has no tree: its parent is the entry before it.
	Linear bool
}

// NodeOf takes from an event what Shape needs.
func NodeOf(ev *memory.Event) Node {
	return Node{Kind: ev.Kind, ID: ev.ID, Parent: ev.Parent, HasParent: ev.HasParent, Side: ev.Side, Target: ev.Target,
		AppendParent: ev.AppendParent, FirstKept: ev.Compaction.FirstKept, FirstKeptIdx: ev.Compaction.FirstKeptIndex}
}

// Shape is the tree of a session, resolved. Indexes are positions in the list
// of nodes that it was made from.
type Shape struct {
	// Path holds the entries from the root to the visible end.
	Path []int
	// Dropped holds, for each compaction of the list (on the path or not), the
	// entries that were in the context before it and no longer after it.
	// For a compaction that is not on the path, the branch it is on counts.
	Dropped map[int][]int
	// Superseded holds the compactions that are not on the path.
	Superseded map[int]bool
	// Context holds what the agent sees now: the entries of the path behind
	// the last reset, from the first entry that the last compaction kept.
	Context []int
	// Dangling counts entries whose parent is not there.
	Dangling int
}

// ShapeOf resolves the tree of nodes in the order in which they were written.
// leaf, where it is not "", names the visible end as a database has it.
func ShapeOf(nodes []Node, leaf string) Shape {
	t := newTree(nodes)
	end := t.end
	if at, ok := t.byID[leaf]; ok && leaf != "" {
		end = at
	}
	s := Shape{Dropped: map[int][]int{}, Superseded: map[int]bool{}, Dangling: t.dangling}
	s.Path = t.path(end)
	onPath := make(map[int]bool, len(s.Path))
	for _, i := range s.Path {
		onPath[i] = true
	}
	s.Context = t.walk(s.Path, s.Dropped)
	for i, n := range nodes {
		if n.Kind == memory.KindCompaction && !onPath[i] {
			s.Superseded[i] = true
			dropped := map[int][]int{}
			t.walk(t.path(i), dropped)
			s.Dropped[i] = dropped[i]
		}
	}
	return s
}

// tree holds the resolved parents of a list of nodes.
type tree struct {
	nodes    []Node
	byID     map[string]int
	parent   []int // -1 at a root
	end      int   // visible end, -1 in an empty tree
	dangling int
}

// newTree resolves parents as the newest OpenClaw does: an entry that names no
// parent continues from the visible end; a leaf moves that end; what comes
// after a reset hangs below it, even where it names an older parent; an entry
// with appendMode "side" does not move the end.
func newTree(nodes []Node) *tree {
	t := &tree{nodes: nodes, byID: make(map[string]int, len(nodes)), parent: make([]int, len(nodes)), end: -1}
	reset, appendAt := -1, -1
	below := map[int]bool{} // entries below the last reset
	for i, n := range nodes {
		t.parent[i] = t.resolve(i, n, appendAt)
		if n.Kind == memory.KindLeaf {
			target, known := t.byID[n.Target]
			if !known && n.Target != "" || reset >= 0 && !below[target] {
				target = t.end
			} else if n.Target == "" {
				target = -1
			}
			t.end, appendAt = target, target
			if at, ok := t.byID[n.AppendParent]; ok && n.AppendParent != "" {
				appendAt = at
			}
			t.parent[i] = target
		} else {
			if reset >= 0 && !n.Side && !below[t.parent[i]] {
				t.parent[i] = t.end
			}
			if n.Kind == memory.KindReset {
				reset = i
				clear(below)
			}
			appendAt = i
			if !n.Side && n.Kind != memory.KindUnknown {
				t.end = i
			}
		}
		if reset == i || reset >= 0 && below[t.parent[i]] {
			below[i] = true
		}
		if n.ID != "" {
			t.byID[n.ID] = i
		}
	}
	return t
}

// resolve gives the parent of node i, before resets are looked at.
func (t *tree) resolve(i int, n Node, appendAt int) int {
	if n.Linear {
		return i - 1
	}
	if !n.HasParent {
		return t.end
	}
	if n.Parent == "" {
		return -1
	}
	at, ok := t.byID[n.Parent]
	if !ok {
		t.dangling++
		return t.end // its own branch is lost; it was written after the visible end
	}
	if !n.Side && at == appendAt && t.end != appendAt {
		return t.end
	}
	return at
}

// path gives the entries from the root to node end.
func (t *tree) path(end int) []int {
	var up []int
	for i, left := end, len(t.nodes); i >= 0 && left > 0; i, left = t.parent[i], left-1 {
		up = append(up, i)
	}
	for a, b := 0, len(up)-1; a < b; a, b = a+1, b-1 {
		up[a], up[b] = up[b], up[a]
	}
	return up
}

// walk follows a path and notes what each compaction dropped from the context.
// It gives the context at the end of the path: always an unbroken stretch of
// it, since a compaction or reset only moves its beginning.
func (t *tree) walk(path []int, dropped map[int][]int) []int {
	start, floor := 0, 0
	for k, i := range path {
		kind := t.nodes[i].Kind
		if kind != memory.KindCompaction && kind != memory.KindReset {
			continue
		}
		first := t.firstKept(path, floor, k)
		if kind == memory.KindCompaction {
			dropped[i] = nil
			if first > start {
				dropped[i] = append([]int(nil), path[start:first]...)
			}
		} else {
			floor = first
		}
		start = first
	}
	return path[start:]
}

// firstKept gives the position in path of the first entry that stays in the
// context when the compaction or reset at position k is reached: k itself
// where nothing stays, that is where it names itself, or no entry between
// floor and k.
func (t *tree) firstKept(path []int, floor, k int) int {
	n := t.nodes[path[k]]
	if n.FirstKept == "" && n.Kind == memory.KindCompaction && n.FirstKeptIdx >= floor && n.FirstKeptIdx < k {
		return n.FirstKeptIdx
	}
	at, ok := t.byID[n.FirstKept]
	if n.FirstKept == "" || !ok {
		return k
	}
	for j := k; j >= floor; j-- {
		if path[j] == at {
			return j
		}
	}
	return k
}
