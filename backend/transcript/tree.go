package transcript

import "tidemark/backend/memory"

// Node is what the shape of a session needs to know of one entry.
type Node struct {
	Kind         memory.Kind
	Role         memory.Role // of a message
	ID           string
	Parent       string
	HasParent    bool
	Side         bool
	Target       string // of a leaf
	AppendParent string // of a leaf
	FirstKept    string // of a compaction or reset
	FirstKeptIdx int    // of a compaction of version 1, -1 where absent
	// Linear says that the entry comes from a transcript of version 1, which
	// has no tree: it continues from the entry before it.
	Linear bool
}

// NodeOf takes from an event what ShapeOf needs. An event without id counts as
// one of version 1.
func NodeOf(ev *memory.Event) Node {
	return Node{Kind: ev.Kind, Role: ev.Message.Role, ID: ev.ID, Parent: ev.Parent, HasParent: ev.HasParent, Side: ev.Side, Target: ev.Target,
		AppendParent: ev.AppendParent, FirstKept: ev.Compaction.FirstKept, FirstKeptIdx: ev.Compaction.FirstKeptIndex,
		Linear: ev.ID == "" && ev.Kind != memory.KindSession}
}

// none stands for "no entry" where a position in the list is meant.
const none = -1

// tree holds the resolved parents of a list of nodes. A parent always stands
// before its children in order, and only a leaf has a leaf as its parent.
type tree struct {
	nodes    []Node
	order    []int          // positions in the order in which they are looked at
	byID     map[string]int // of the last entry that was given the id
	parent   []int          // none at a root
	depth    []int          // 0 at a root
	first    []int32        // position among the first and the number of entries at and below it,
	size     []int32        // so that "is an ancestor" is a comparison
	end      int            // visible end, none in an empty tree
	dangling int

	// While the tree grows:
	appendAt   int   // where the next entry is attached; differs from end after a leaf, a side entry or an unknown one
	reset      int   // last reset
	last       int   // last entry that has an id
	resetAbove []int // last reset that an entry hangs below, or is
	badLeaf    map[int]bool
}

// newTree resolves parents as OpenClaw 2026.9.6 does when it looks for the
// visible path: an entry that names no parent continues from the visible end,
// and so does one whose parent is not there; a leaf moves that end, unless it
// names what is not there; what comes after a reset hangs below it, even where
// it names an older parent; an entry with appendMode "side", and one of a type
// that is not known, does not move the end.
func newTree(nodes []Node) *tree {
	order := make([]int, len(nodes))
	for i := range order {
		order[i] = i
	}
	t := grow(nodes, order)
	if t.dangling > 0 && t.anyLater() {
		t = grow(nodes, writeOrder(nodes))
	}
	t.number()
	return t
}

// grow attaches the nodes one after the other.
func grow(nodes []Node, order []int) *tree {
	n := len(nodes)
	t := &tree{nodes: nodes, order: order, byID: make(map[string]int, n), parent: make([]int, n), depth: make([]int, n), resetAbove: make([]int, n),
		end: none, appendAt: none, reset: none, last: none}
	for _, i := range order {
		node := &nodes[i]
		t.parent[i], t.resetAbove[i] = none, none
		switch {
		case node.Kind == memory.KindSession, node.Kind == memory.KindUnknown && !node.HasParent:
			continue // a header, and what is no part of a tree
		case node.Kind == memory.KindLeaf:
			t.leaf(i, node)
		default:
			t.add(i, node)
		}
		if p := t.parent[i]; p >= 0 {
			t.depth[i] = t.depth[p] + 1
		}
		if node.ID != "" {
			t.byID[node.ID] = i
			t.last = i
		}
	}
	return t
}

// anyLater says that a parent which was not there stands later in the list.
func (t *tree) anyLater() bool {
	for i := range t.nodes {
		if at, ok := t.byID[t.nodes[i].Parent]; ok && at > i {
			return true
		}
	}
	return false
}

// lookUp gives the entry of an id among those that were attached.
func (t *tree) lookUp(id string) (at int, ok bool) {
	if t.last >= 0 && t.nodes[t.last].ID == id { // as nearly always
		return t.last, true
	}
	at, ok = t.byID[id]
	return at, ok
}

// add attaches an entry.
func (t *tree) add(i int, n *Node) {
	p := t.resolve(n)
	t.parent[i] = p
	switch {
	case n.Kind == memory.KindReset:
		t.reset, t.resetAbove[i] = i, i
	case p >= 0:
		t.resetAbove[i] = t.resetAbove[p]
	}
	t.appendAt = i
	if moves(n) {
		t.end = i
	}
}

// moves says that an entry moves the visible end.
func moves(n *Node) bool { return n.Kind != memory.KindUnknown && !n.Side }

// resolve gives the parent of an entry.
func (t *tree) resolve(n *Node) int {
	if n.Linear || !n.HasParent {
		return t.end
	}
	at, known := none, true
	if n.Parent != "" {
		if at, known = t.lookUp(n.Parent); !known {
			t.dangling++
			at = none
		}
	}
	switch {
	case !moves(n):
	case !known, // its own branch is lost; it was written after the visible end
		!t.belowReset(at),
		at == t.appendAt && t.end != t.appendAt:
		return t.end
	}
	return t.aboveLeaf(at)
}

// belowReset says that an entry may hang below i: that i is the last reset or
// hangs below it, or that there was none.
func (t *tree) belowReset(i int) bool {
	return t.reset == none || i >= 0 && t.resetAbove[i] == t.reset
}

// aboveLeaf gives what a leaf at i stands for, i itself where it is none.
func (t *tree) aboveLeaf(i int) int {
	for i >= 0 && t.nodes[i].Kind == memory.KindLeaf {
		i = t.parent[i]
	}
	return i
}

// leaf moves the visible end.
func (t *tree) leaf(i int, n *Node) {
	if !n.HasParent {
		t.discard(i, n)
		return
	}
	target, ok := t.named(n.Target)
	at := target
	if n.AppendParent != "" {
		var known bool
		at, known = t.named(n.AppendParent)
		ok = ok && known
	}
	switch {
	case t.end >= 0 && t.reset >= 0 && !t.belowReset(target):
		target, at = t.end, t.end // it cannot lead back behind a reset
	case !ok:
		t.discard(i, n)
		return
	}
	t.parent[i], t.end, t.appendAt = target, t.aboveLeaf(target), at
	if target >= 0 {
		t.resetAbove[i] = t.resetAbove[target]
	}
}

// discard keeps a leaf that cannot be followed: it moves nothing, and what
// names it as parent continues from the leaf's own.
func (t *tree) discard(i int, n *Node) {
	if at, ok := t.lookUp(n.Parent); ok && n.HasParent {
		t.parent[i] = at
	}
	if t.badLeaf == nil {
		t.badLeaf = map[int]bool{}
	}
	t.badLeaf[i] = true
}

// named gives the entry of an id that a leaf names; "" names the place before
// the first entry.
func (t *tree) named(id string) (at int, ok bool) {
	if id == "" {
		return none, true
	}
	at, ok = t.lookUp(id)
	if !ok || t.badLeaf[at] {
		return none, false
	}
	return at, true
}

// number prepares isAbove: it numbers the entries so that those below one
// follow it without a gap.
func (t *tree) number() {
	t.first, t.size = make([]int32, len(t.nodes)), make([]int32, len(t.nodes))
	for k := len(t.order) - 1; k >= 0; k-- {
		i := t.order[k]
		t.size[i]++
		if p := t.parent[i]; p >= 0 {
			t.size[p] += t.size[i]
		}
	}
	var roots int32
	next := make([]int32, len(t.nodes)) // where the next child goes
	for _, i := range t.order {
		from := &roots
		if p := t.parent[i]; p >= 0 {
			from = &next[p]
		}
		t.first[i] = *from
		*from += t.size[i]
		next[i] = t.first[i] + 1
	}
}

// isAbove says that a is b or an ancestor of b.
func (t *tree) isAbove(a, b int) bool {
	return t.first[a] <= t.first[b] && t.first[b] < t.first[a]+t.size[a]
}

// branch gives the entries from the root to end, leaves left out.
func (t *tree) branch(end int) []int {
	if end < 0 {
		return nil
	}
	path := make([]int, 0, t.depth[end]+1)
	for i := end; i >= 0; i = t.parent[i] {
		if t.nodes[i].Kind != memory.KindLeaf {
			path = append(path, i)
		}
	}
	for a, b := 0, len(path)-1; a < b; a, b = a+1, b-1 {
		path[a], path[b] = path[b], path[a]
	}
	return path
}

// writeOrder gives the positions of nodes in the order in which they can have
// been written: as they stand in the list, but no child before its parent. A
// list that was put together from several sources by time may need that.
func writeOrder(nodes []Node) []int {
	at := make(map[string]int, len(nodes))
	for i, n := range nodes {
		if _, again := at[n.ID]; n.ID != "" && !again && n.Kind != memory.KindSession {
			at[n.ID] = i
		}
	}
	order, placed := make([]int, 0, len(nodes)), make([]bool, len(nodes))
	var waiting []int
	for i := range nodes {
		// The entry, then its parent, and so on, until one that is placed; an
		// entry that is met twice on the way ends a circle.
		for j, ok := i, true; ok && !placed[j]; {
			placed[j] = true
			waiting = append(waiting, j)
			if nodes[j].Parent == "" {
				break
			}
			j, ok = at[nodes[j].Parent]
		}
		for k := len(waiting) - 1; k >= 0; k-- {
			order = append(order, waiting[k])
		}
		waiting = waiting[:0]
	}
	return order
}
