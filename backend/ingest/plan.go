package ingest

import (
	"context"
	"slices"
	"sort"
	"strings"

	"tidemark/backend/memory"
)

// agentPass is the part of a pass that looks at one agent.
type agentPass struct {
	*Pass
	agent   AgentHistory
	known   map[string]Known
	changed []memory.Source
	gone    []string
	moved   []move
	fold    fold
	touched map[string]bool
	keys    keys // of who hears what people say

	notesRead     []memory.SessionMeta
	notesProblems []memory.Problem
	readAlready   bool
}

// touch notes that something was read of a session.
func (ap *agentPass) touch(session string) { ap.touched[session] = true }

// plan finds out what has to be read, and what is gone. An agent that is not
// there any more has no sources.
func (p *Pass) plan(ctx context.Context, agents []AgentHistory) ([]*agentPass, error) {
	stored, err := p.Store.Agents(ctx)
	if err != nil {
		return nil, err
	}
	for _, id := range stored {
		if !slices.ContainsFunc(agents, func(a AgentHistory) bool { return a.ID == id }) {
			agents = append(agents, AgentHistory{Agent: memory.Agent{ID: id}})
		}
	}
	known := make([]map[string]Known, len(agents))
	for i, a := range agents {
		if known[i], err = p.Store.Known(ctx, a.ID); err != nil {
			return nil, err
		}
	}
	settleOwners(agents, known)
	todo := make([]*agentPass, len(agents))
	for i, a := range agents {
		todo[i] = p.planAgent(a, known[i])
	}
	return todo, nil
}

// settleOwners leaves a source with the agent that it was read for first.
// Agents can share a folder of sessions, and which of them comes first depends
// on the order of the configuration: what was counted for one must not be
// counted for another as well.
func settleOwners(agents []AgentHistory, known []map[string]Known) {
	owner := map[string]int{}
	for i := range agents {
		for path, k := range known[i] {
			if !k.Gone {
				owner[path] = i
			}
		}
	}
	moved := map[int][]memory.Source{}
	for i := range agents {
		agents[i].Sources = slices.DeleteFunc(slices.Clone(agents[i].Sources), func(src memory.Source) bool {
			to, ok := owner[src.Path]
			if !ok || to == i {
				return false
			}
			src.Agent = agents[to].ID
			if agents[to].Prices == nil { // it is not there any more
				agents[to].Prices = agents[i].Prices
			}
			moved[to] = append(moved[to], src)
			return true
		})
	}
	for to, sources := range moved {
		agents[to].Sources = append(agents[to].Sources, sources...)
	}
}

func (p *Pass) planAgent(a AgentHistory, known map[string]Known) *agentPass {
	ap := &agentPass{Pass: p, agent: a, known: known, touched: map[string]bool{}}
	here := map[string]bool{}
	for _, src := range a.Sources {
		here[src.Path] = true
		if k, ok := known[src.Path]; ok && k.Checkpoint.Stamp == src.Stamp && !k.Gone {
			continue
		}
		ap.changed = append(ap.changed, src)
	}
	for path, k := range known {
		if !here[path] && !k.Gone {
			ap.gone = append(ap.gone, path)
		}
	}
	sort.Strings(ap.gone)
	ap.follow()
	for _, src := range ap.changed {
		p.progress.Sources++
		p.progress.Bytes += ap.news(src)
	}
	sort.SliceStable(ap.changed, func(i, j int) bool { return earlier(ap.changed[i], ap.changed[j]) })
	ap.fold = fold{scope: p.Installation + "/" + a.ID, texts: p.Texts, mask: p.Mask, redact: p.Redact, prices: a.Prices}
	return ap
}

// move is a source that has another name now.
type move struct {
	from string
	to   memory.Source
}

// follow finds files that were renamed, as OpenClaw does to archive them: they
// are read on from where they were. What stands before that place is compared
// when they are read. What an upgrade moved away is read from its beginning:
// that shows which session of the database it is.
func (ap *agentPass) follow() {
	at := map[uint64]string{} // gone paths by inode
	for _, path := range ap.gone {
		if st := ap.known[path].Checkpoint.Stamp; st.Inode != 0 {
			at[st.Inode] = path
		}
	}
	for _, src := range ap.changed {
		from, ok := at[src.Stamp.Inode]
		_, known := ap.known[src.Path]
		if !ok || known || src.Kind == memory.SourceDatabase || src.Kind == memory.SourceImported || src.Stamp.Size < ap.known[from].Checkpoint.Offset || packed(src.Path) != packed(from) {
			continue
		}
		delete(at, src.Stamp.Inode)
		ap.known[src.Path] = ap.known[from]
		ap.moved = append(ap.moved, move{from, src})
		ap.gone = slices.DeleteFunc(ap.gone, func(path string) bool { return path == from })
	}
}

// packed says whether a source is compressed, by its name.
func packed(path string) bool { return strings.HasSuffix(path, ".zst") }

// earlier orders sources: the database first, since its ids and rows win, then
// files by age, so that a transcript comes before those made from it.
func earlier(a, b memory.Source) bool {
	if da, db := a.Kind == memory.SourceDatabase, b.Kind == memory.SourceDatabase; da != db {
		return da
	}
	if a.Stamp.MTime != b.Stamp.MTime {
		return a.Stamp.MTime < b.Stamp.MTime
	}
	return a.Path < b.Path
}
