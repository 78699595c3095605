package engine

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"tidemark/backend/index"
	"tidemark/backend/ingest"
	"tidemark/backend/ledger"
	"tidemark/backend/memory"
)

// How far restoring from the ledger is, as kept under index.Restored.
const (
	restoredNothing = "nothing" // the files have all that the ledger has
	restoredCarried = "carried" // something is carried
)

// restore brings back from the ledger what an index that was made anew could
// not find in OpenClaw's files. What both know counts once: of each day,
// session and model only what the ledger has more than the files is carried.
// It is done once for an index, and again where a pass read something of a
// session of which something is carried, since it may have been just that.
func (i *installation) restore(ctx context.Context, s store, res ingest.Result) error {
	state, err := s.Meta(ctx, index.Restored)
	if err != nil || state == restoredNothing {
		return err
	}
	agents, err := i.ledger.Agents()
	if err != nil {
		return err
	}
	now := restoredNothing
	for _, agent := range agents {
		if state == "" || touchesCarried(ctx, s, agent, res) {
			if err := i.restoreAgent(ctx, s, agent); err != nil {
				return fmt.Errorf("restore what is kept of %s: %w", agent, err)
			}
		}
		carried, err := s.CarriedSessions(ctx, agent)
		if err != nil {
			return err
		}
		if len(carried) > 0 {
			now = restoredCarried
		}
	}
	if now == state {
		return nil
	}
	return s.SetMeta(ctx, index.Restored, now)
}

// wasKnown says that the ledger knows of the installation and the index does
// not yet have what it knows.
func (i *installation) wasKnown(ctx context.Context) bool {
	state, err := i.store.Meta(ctx, index.Restored)
	if err != nil || state != "" {
		return false
	}
	agents, err := i.ledger.Agents()
	return err == nil && len(agents) > 0
}

// recall tells an index that was made anew which ids OpenClaw replaced and
// which session continued which: the files that show it may be gone, and those
// with the old id, or with copies, still there.
func (i *installation) recall(ctx context.Context, s store) error {
	state, err := s.Meta(ctx, index.Restored)
	if err != nil || state != "" {
		return err
	}
	agents, err := i.ledger.Agents()
	if err != nil {
		return err
	}
	for _, agent := range agents {
		sessions, renamed, _, err := i.ledger.Sessions(agent, nil)
		if err != nil {
			return err
		}
		for was := range renamed {
			renamed[was] = ledger.Name(renamed, was)
		}
		parents := map[string]string{}
		for _, one := range sessions {
			if one.Parent != "" {
				parents[one.Session] = one.Parent
			}
		}
		if err := s.SetOrigins(ctx, agent, renamed, parents); err != nil {
			return err
		}
	}
	return nil
}

// touchesCarried says that a pass read something of a session of which
// something is carried, or of one that may be the same under another id.
func touchesCarried(ctx context.Context, s store, agent string, res ingest.Result) bool {
	touched := res.Touched[agent]
	if len(touched) == 0 {
		return false
	}
	carried, err := s.CarriedSessions(ctx, agent)
	if err != nil {
		return true // restoring meets the same error and reports it
	}
	if len(carried) == 0 {
		return false
	}
	origins, err := s.Store.Names(ctx, agent)
	if err != nil {
		return true
	}
	for _, o := range origins {
		if touched[cmp.Or(o.Name, o.Session)] && (carried[o.Session] || o.Name != "" || o.Parent != "") {
			return true
		}
	}
	return false
}

// restorer finds what the ledger has more than the files, of one agent.
type restorer struct {
	s       store
	agent   string
	names   map[string]string // ids that were replaced
	family  family
	members map[string][]string // sessions of the index by family
	out     index.Carried
	digests map[string]string
	bad     int
}

func (r *restorer) name(session string) string { return ledger.Name(r.names, session) }

func (i *installation) restoreAgent(ctx context.Context, s store, agent string) error {
	r := restorer{s: s, agent: agent, digests: map[string]string{}, members: map[string][]string{}}
	known, err := replaced(ctx, s, agent)
	if err != nil {
		return err
	}
	sessions, names, bad, err := i.ledger.Sessions(agent, known)
	if err != nil {
		return err
	}
	r.names, r.bad = names, bad
	for was, now := range names {
		r.digests[aliasSubject(was)] = digestOf(now)
	}
	if err := r.families(ctx, sessions); err != nil {
		return err
	}
	if err := r.usage(ctx, i.ledger); err != nil {
		return err
	}
	if err := r.compactions(ctx, i.ledger); err != nil {
		return err
	}
	if err := r.sessions(ctx, sessions); err != nil {
		return err
	}
	if err := s.Carry(ctx, agent, i.ledger.Path(agent), r.out); err != nil {
		return err
	}
	if err := r.report(ctx, i.ledger.Path(agent)); err != nil {
		return err
	}
	return s.SetLedgered(ctx, agent, r.digests)
}

// report says so where lines of the ledger could not be read.
func (r *restorer) report(ctx context.Context, path string) error {
	var problems []memory.Problem
	if r.bad > 0 {
		problems = []memory.Problem{{Code: memory.ProblemBadLine, Path: path, Count: r.bad,
			Message: fmt.Sprintf("%d lines of the ledger cannot be read", r.bad), Hint: "They may have been edited. The rest of the ledger was used."}}
	}
	return r.s.SetProblems(ctx, "ledger/"+r.agent, problems)
}

// families finds out which sessions were made from each other: they hold
// copies of the same calls, so what one has lost another may still have.
func (r *restorer) families(ctx context.Context, kept []memory.SessionSummary) error {
	origins, err := r.s.Store.Names(ctx, r.agent)
	if err != nil {
		return err
	}
	r.family = family{}
	for _, k := range kept {
		r.family.note(k.Session, r.name(parentID(k.Parent)))
	}
	for _, o := range origins {
		if o.Name == "" {
			r.family.note(o.Session, r.name(parentID(o.Parent)))
		}
	}
	for _, o := range origins {
		if o.Name == "" && !o.Told {
			root := r.family.root(o.Session)
			r.members[root] = append(r.members[root], o.Session)
		}
	}
	return nil
}

// parentID gives the session that a header names as its parent, by path or id.
func parentID(parent string) string {
	if parent == "" {
		return ""
	}
	base := path.Base(strings.ReplaceAll(parent, `\`, "/"))
	if at := strings.Index(base, ".jsonl"); at > 0 {
		base = base[:at]
	}
	return base
}

// family holds for each session another one of its family; those that lead to
// the same one are of one family.
type family map[string]string

func (f family) root(session string) string {
	for {
		next, ok := f[session]
		if !ok {
			return session
		}
		session = next
	}
}

// note joins the families of a session and its parent.
func (f family) note(session, parent string) {
	if parent == "" {
		return
	}
	if a, b := f.root(session), f.root(parent); a != b {
		f[a] = b
	}
}

// usage finds the usage that the files do not have any more.
func (r *restorer) usage(ctx context.Context, l *ledger.Ledger) error {
	lines, bad, err := l.Usage(r.agent, r.name)
	if err != nil {
		return err
	}
	r.bad += bad
	groups := map[[3]string][]memory.DayUsage{}
	var order [][3]string
	for _, u := range lines {
		if u.Calls == 0 { // it was taken back
			continue
		}
		subject, digest := usageDigest(u)
		r.digests[subject] = digest
		key := [3]string{r.family.root(u.Session), u.Provider, u.Model}
		if _, ok := groups[key]; !ok {
			order = append(order, key)
		}
		groups[key] = append(groups[key], u)
	}
	for _, key := range order {
		slices.SortStableFunc(groups[key], func(a, b memory.DayUsage) int { return cmp.Compare(a.First, b.First) })
		for _, stretch := range overlapping(groups[key]) {
			if err := r.stretch(ctx, key[0], stretch); err != nil {
				return err
			}
		}
	}
	return nil
}

// overlapping cuts lines, in the order of their beginnings, into stretches
// whose times do not overlap.
func overlapping(lines []memory.DayUsage) (stretches [][]memory.DayUsage) {
	begin, end := 0, memory.Millis(0)
	for n, u := range lines {
		if n > begin && u.First > end {
			stretches = append(stretches, lines[begin:n])
			begin = n
		}
		end = max(end, u.Last)
	}
	return append(stretches, lines[begin:])
}

// stretch finds what the files lack of lines of one family and model whose
// times overlap. Each session lacks what its line says beyond its own calls;
// together they lack no more than the lines say beyond the calls of the whole
// family, since a call may have been kept in a copy.
func (r *restorer) stretch(ctx context.Context, root string, lines []memory.DayUsage) error {
	members := r.members[root]
	whole := memory.DayUsage{Provider: lines[0].Provider, Model: lines[0].Model, First: lines[0].First}
	own := make([]memory.DayUsage, len(lines))
	for n, u := range lines {
		add(&whole, u, 1)
		whole.Last = max(whole.Last, u.Last)
		now, err := r.s.UsageWithin(ctx, r.agent, []string{u.Session}, u)
		if err != nil {
			return err
		}
		own[n] = now
	}
	now := own[0]
	if len(lines) > 1 || len(members) > 1 || len(members) == 1 && members[0] != lines[0].Session {
		var err error
		if now, err = r.s.UsageWithin(ctx, r.agent, members, whole); err != nil {
			return err
		}
	}
	left := beyond(whole, now)
	for n, u := range lines {
		more := least(beyond(u, own[n]), left)
		if more.Calls == 0 {
			continue // the same calls, priced otherwise
		}
		add(&left, more, -1)
		more.Day, more.Session, more.Provider, more.Model, more.First, more.Last = u.Day, u.Session, u.Provider, u.Model, u.First, u.Last
		r.out.Usage = append(r.out.Usage, more)
	}
	return nil
}

// amounts gives the numbers of a line, to be compared and summed one by one.
func amounts(u *memory.DayUsage) [8]*int64 {
	return [8]*int64{&u.Calls, &u.Unpriced, &u.Usage.Input, &u.Usage.Output, &u.Usage.CacheRead, &u.Usage.CacheWrite, (*int64)(&u.Cost), (*int64)(&u.Background)}
}

// add adds n times b to a.
func add(a *memory.DayUsage, b memory.DayUsage, n int64) {
	to, from := amounts(a), amounts(&b)
	for i := range to {
		*to[i] += n * *from[i]
	}
}

// beyond gives what a has more than b.
func beyond(a, b memory.DayUsage) memory.DayUsage {
	to, from := amounts(&a), amounts(&b)
	for i := range to {
		*to[i] = max(*to[i]-*from[i], 0)
	}
	return a
}

// least gives the smaller numbers of two.
func least(a, b memory.DayUsage) memory.DayUsage {
	to, from := amounts(&a), amounts(&b)
	for i := range to {
		*to[i] = min(*to[i], *from[i])
	}
	return a
}

// compactions finds the compactions that the files do not have any more.
func (r *restorer) compactions(ctx context.Context, l *ledger.Ledger) error {
	all, bad, err := l.Compactions(r.agent, r.name)
	if err != nil {
		return err
	}
	r.bad += bad
	known, err := r.s.KeptCompactions(ctx, r.agent)
	if err != nil {
		return err
	}
	there := map[string]bool{}
	for _, k := range known {
		there[compactionSubject(k)] = true
	}
	for _, k := range all {
		subject := compactionSubject(k)
		r.digests[subject] = keptDigest
		if !there[subject] {
			r.out.Compactions = append(r.out.Compactions, k)
		}
	}
	return nil
}
