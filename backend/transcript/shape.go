package transcript

import "tidemark/backend/memory"

// Shape is the tree of a session, resolved. Indexes are positions in the list
// of nodes that it was made from. Its slices are to be read only.
type Shape struct {
	// Path holds the entries from the root to the visible end. Headers and
	// leaves are no part of it.
	Path []int
	// Dropped holds, for each compaction of the list (on the path or not), the
	// entries that were in the context before it and no longer after it.
	// For a compaction that is not on the path, the branch it is on counts.
	Dropped map[int][]int
	// Kept holds those of Dropped that the compaction before had kept. Up to
	// 2026.2 OpenClaw did not show them to the model that wrote the summary.
	Kept map[int][]int
	// Stayed holds, for each compaction that kept anything, the entries before it
	// that were in the context after it.
	Stayed map[int][]int
	// Superseded holds the compactions that are not on the path.
	Superseded map[int]bool
	// Context holds what the agent sees now: the last compaction or reset of
	// the path, what it kept and what came after it.
	Context []int
	// Dangling counts entries whose parent is not there.
	Dangling int
}

// ShapeOf resolves the tree of nodes, which stand in the order in which they
// were written. leaf, where it is not "", is the entry that a database names as
// the end of the tree. It decides between branches, but not against the entries
// where they tell more: where it lies on the path that they give it is older
// than they are, and where the next entry is to be attached to it, or it is no
// entry that a person sees, it is not meant as the visible end.
//
// The time it takes grows with the number of nodes.
func ShapeOf(nodes []Node, leaf string) Shape {
	t := newTree(nodes)
	end := t.end
	if at, ok := t.byID[leaf]; ok && leaf != "" && at != t.appendAt && t.visible(at) && (end < 0 || !t.isAbove(at, end)) {
		end = at
	}
	s := Shape{Path: t.branch(end), Dropped: map[int][]int{}, Kept: map[int][]int{}, Stayed: map[int][]int{}, Superseded: map[int]bool{}, Dangling: t.dangling}
	c := newContexts(t, s.Path)
	for _, i := range t.order {
		c.enter(i)
		if nodes[i].Kind != memory.KindCompaction {
			continue
		}
		s.Dropped[i], s.Kept[i] = c.dropped(i)
		if k := c.kept[i]; k != i {
			s.Stayed[i] = c.stretch(k, c.parent[i])
		}
		if !c.onPath[i] {
			s.Superseded[i] = true
		}
	}
	s.Context = c.at(end)
	return s
}

// visible says that an entry can be the visible end.
func (t *tree) visible(i int) bool {
	n := &t.nodes[i]
	return n.Kind != memory.KindUnknown && n.Kind != memory.KindLeaf && n.Kind != memory.KindSession && !n.Side
}

// contexts tells for each entry what the agent saw when it was reached. That
// is always a stretch of its branch, since a compaction or reset only moves the
// beginning; what a reset kept is thinned out (see replayed).
type contexts struct {
	*tree
	path   []int // the visible path
	onPath []bool
	root   []int // the first entry of an entry's branch
	bound  []int // the last compaction or reset at or above an entry, none without
	kept   []int // of a compaction or reset: the first entry that stayed, itself where none did
	linear []int // entries of version 1 by their index, which counts the header as 0
	// beside is the branch to besideEnd, the last one off the path that was asked for.
	beside    []int
	besideEnd int
}

func newContexts(t *tree, path []int) *contexts {
	n := len(t.nodes)
	c := &contexts{tree: t, path: path, onPath: make([]bool, n), root: make([]int, n), bound: make([]int, n), kept: make([]int, n),
		linear: []int{none}, besideEnd: none}
	for _, i := range path {
		c.onPath[i] = true
	}
	return c
}

// enter notes what entry i changes. Its parent was entered before.
func (c *contexts) enter(i int) {
	n := &c.nodes[i]
	c.root[i], c.bound[i] = i, none
	if p := c.parent[i]; p >= 0 {
		c.root[i], c.bound[i] = c.root[p], c.bound[p]
	}
	if n.Linear && n.Kind != memory.KindSession {
		c.linear = append(c.linear, i)
	}
	if n.Kind == memory.KindCompaction || n.Kind == memory.KindReset {
		c.bound[i], c.kept[i] = i, c.firstKept(i, n)
	}
}

// firstKept gives the first entry that stays in the context when compaction or
// reset i is reached: i itself where nothing stays, that is where it names
// itself or nothing above it.
func (c *contexts) firstKept(i int, n *Node) int {
	at := none
	if n.FirstKept != "" {
		if named, ok := c.byID[n.FirstKept]; ok {
			at = named
		}
	} else if n.Kind == memory.KindCompaction && n.FirstKeptIdx > 0 && n.FirstKeptIdx < len(c.linear) {
		at = c.linear[n.FirstKeptIdx]
	}
	p := c.parent[i]
	switch {
	case at < 0 || p < 0 || at == i:
		return i
	case c.isAbove(at, p):
		return at
	case c.nodes[at].Kind != memory.KindUnknown:
		return i
	}
	return c.nearUnknown(at, p, i)
}

// nearUnknown finds what an entry of an unknown type, which is not on the
// branch to p, stands for: the known one above it, else the first one written
// after it, else otherwise.
func (c *contexts) nearUnknown(at, p, otherwise int) int {
	up := at
	for up >= 0 && c.nodes[up].Kind == memory.KindUnknown {
		up = c.parent[up]
	}
	if up >= 0 {
		if c.isAbove(up, p) {
			return up
		}
		return otherwise
	}
	for _, j := range c.stretch(c.root[p], p) {
		if j > at {
			return j
		}
	}
	return otherwise
}

// from gives where the context at entry i begins.
func (c *contexts) from(i int) int {
	if b := c.bound[i]; b >= 0 {
		return c.kept[b]
	}
	return c.root[i]
}

// dropped gives what compaction i took out of the context, and that part of
// it that the compaction before had kept.
func (c *contexts) dropped(i int) (all, kept []int) {
	p := c.parent[i]
	if p < 0 {
		return nil, nil
	}
	last := p
	if k := c.kept[i]; k != i {
		last = c.parent[k]
	}
	start := c.from(p)
	if last < 0 || c.depth[last] < c.depth[start] {
		return nil, nil
	}
	all = c.stretch(start, last)
	b := c.bound[p]
	switch {
	case b < 0 || b == start:
	case c.nodes[b].Kind == memory.KindReset:
		all = c.replayed(all, b)
	default:
		kept = all[:min(len(all), c.depth[b]-c.depth[start])]
	}
	return all, kept
}

// at gives the context at entry i.
func (c *contexts) at(i int) []int {
	if i < 0 {
		return nil
	}
	start := c.from(i)
	seen := c.stretch(start, i)
	if b := c.bound[i]; b >= 0 && b != start && c.nodes[b].Kind == memory.KindReset {
		return c.replayed(seen, b)
	}
	return seen
}

// replayed thins out what reset b kept: of what stands before it only messages
// of people, models and tools come again.
func (c *contexts) replayed(entries []int, b int) []int {
	var found []int
	for _, i := range entries {
		if c.depth[i] < c.depth[b] && !isReplayed(&c.nodes[i]) {
			continue
		}
		found = append(found, i)
	}
	return found
}

func isReplayed(n *Node) bool {
	return n.Kind == memory.KindMessage && (n.Role == memory.RoleUser || n.Role == memory.RoleAssistant || n.Role == memory.RoleToolResult)
}

// stretch gives the entries from first to last, which stands at or below it.
func (c *contexts) stretch(first, last int) []int {
	branch := c.path
	if !c.onPath[last] {
		if c.besideEnd != last {
			c.beside, c.besideEnd = c.branch(last), last
		}
		branch = c.beside
	}
	a, z := c.depth[first], c.depth[last]+1
	return branch[a:z:z]
}
