package engine

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"tidemark/backend/index"
	"tidemark/backend/memory"
	"tidemark/backend/stats"
	"tidemark/backend/transcript"
)

// keptEntries bounds how many entries of sessions that were looked at stay in
// memory; each takes some 600 bytes. The session looked at last stays whatever
// its length.
const keptEntries = 30_000

// course is a session without its texts, resolved. It is to be read only.
type course struct {
	*index.Course
	shape     transcript.Shape
	onPath    []bool
	inContext []bool
	list      []int // positions of the entries that are shown

	// What it was read from, and when.
	store   *index.Store
	row     int64
	epoch   uint64
	entries int64
	leaf    string
}

// courses keeps the courses that were asked for last. Its zero value is empty.
// Safe for concurrent use.
type courses struct {
	mu   sync.Mutex
	kept []*course // the last one asked for first
}

// forget drops all of them: their entries are others now.
func (c *courses) forget() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.kept = nil
}

// of gives the course of a session as it is now.
func (c *courses) of(ctx context.Context, s store, sum *memory.SessionSummary) (*course, error) {
	epoch := s.Stamp().Epoch
	old := c.find(s.Store, sum.Row)
	if old != nil && old.epoch != epoch {
		old = nil
	}
	if old != nil && old.entries >= sum.Entries && old.leaf == sum.Leaf {
		return old, nil
	}
	var before *index.Course
	if old != nil {
		before = old.Course
	}
	read, err := s.Course(ctx, sum.Row, before)
	if err != nil {
		return nil, err
	}
	now := resolve(read, sum)
	now.store, now.row, now.epoch = s.Store, sum.Row, epoch
	c.keep(now)
	return now, nil
}

// resolve finds the shape of a course.
func resolve(read *index.Course, sum *memory.SessionSummary) *course {
	c := &course{Course: read, entries: sum.Entries, leaf: sum.Leaf, shape: transcript.ShapeOf(stats.Nodes(read.Entries), sum.Leaf)}
	c.onPath, c.inContext = marked(len(read.Entries), c.shape.Path), marked(len(read.Entries), c.shape.Context)
	c.list = shown(read.Entries, c.onPath)
	return c
}

func marked(n int, of []int) []bool {
	marks := make([]bool, n)
	for _, i := range of {
		marks[i] = true
	}
	return marks
}

// find gives what is kept of a session, nil for nothing.
func (c *courses) find(s *index.Store, row int64) *course {
	c.mu.Lock()
	defer c.mu.Unlock()
	i := slices.IndexFunc(c.kept, func(k *course) bool { return k.store == s && k.row == row })
	if i < 0 {
		return nil
	}
	found := c.kept[i]
	copy(c.kept[1:i+1], c.kept[:i])
	c.kept[0] = found
	return found
}

// keep puts a course first and lets go of what is too much.
func (c *courses) keep(now *course) {
	c.mu.Lock()
	defer c.mu.Unlock()
	kept, sum := []*course{now}, len(now.Entries)
	for _, k := range c.kept {
		if k.store == now.store && k.row == now.row || sum+len(k.Entries) > keptEntries {
			continue
		}
		kept, sum = append(kept, k), sum+len(k.Entries)
	}
	c.kept = kept
}

// rosters keeps the lists of sessions as they were read last, by agent. Its
// zero value is empty. Safe for concurrent use.
type rosters struct {
	mu   sync.Mutex
	kept map[rosterKey]*roster
}

type rosterKey struct {
	store *index.Store
	agent string
}

// roster is the sessions of an agent, or of all, the most recent first. It is
// to be read only.
type roster struct {
	sessions []memory.SessionSummary
	family   *stats.Family
	revision uint64
}

// maxRosters bounds the lists that are kept: one an agent, and that of all.
const maxRosters = 16

// of gives the sessions of an agent, of all agents for "".
func (r *rosters) of(ctx context.Context, s store, agent string) (*roster, error) {
	key := rosterKey{s.Store, agent}
	revision := s.Stamp().Revision
	r.mu.Lock()
	old := r.kept[key]
	r.mu.Unlock()
	if old != nil && old.revision == revision {
		return old, nil
	}
	all, err := s.Sessions(ctx, index.Filter{Agent: agent})
	if err != nil {
		return nil, err
	}
	now := &roster{sessions: all, family: stats.FamilyOf(all), revision: revision}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.kept == nil || len(r.kept) >= maxRosters {
		r.kept = map[rosterKey]*roster{}
	}
	r.kept[key] = now
	return now, nil
}

// session gives one of them.
func (r *roster) session(agent, id string) (*memory.SessionSummary, error) {
	n := slices.IndexFunc(r.sessions, func(s memory.SessionSummary) bool { return s.Session == id })
	if n < 0 {
		return nil, &memory.Error{Code: memory.CodeNotFound, Op: fmt.Sprintf("agent %q has no session %q", agent, id)}
	}
	return &r.sessions[n], nil
}
