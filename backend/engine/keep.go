package engine

import (
	"context"
	"fmt"
	"hash/fnv"
	"strings"
	"time"

	"tidemark/backend/index"
	"tidemark/backend/ingest"
	"tidemark/backend/ledger"
	"tidemark/backend/memory"
)

// keep writes to the ledger what the index must not be the only one to know:
// the usage of days that have passed and the summaries of compactions, and
// both of sessions whose source is gone. It does nothing while no day has
// passed and nothing is gone.
func (i *installation) keep(ctx context.Context, s store, res ingest.Result, now time.Time) error {
	today := now.UTC().Format(time.DateOnly)
	last, err := s.Meta(ctx, "kept")
	if err != nil || last == today && res.Gone == 0 {
		return err
	}
	agents, err := s.AgentNames(ctx)
	if err != nil {
		return err
	}
	for _, agent := range agents {
		if err := i.keepAgent(ctx, s, agent, today); err != nil {
			return fmt.Errorf("keep usage of %s: %w", agent, err)
		}
	}
	return s.SetMeta(ctx, "kept", today)
}

func (i *installation) keepAgent(ctx context.Context, s store, agent, today string) error {
	gone, err := goneSessions(ctx, s, agent)
	if err != nil {
		return err
	}
	have, err := s.Ledgered(ctx, agent)
	if err != nil {
		return err
	}
	usage, err := dayUsage(ctx, s, agent)
	if err != nil {
		return err
	}
	news := map[[2]string]string{}
	var lines []memory.DayUsage
	for _, u := range usage {
		if u.Day >= today && !gone[u.Session] {
			continue
		}
		if key, digest := usageDigest(u); have[key] != digest {
			lines = append(lines, u)
			news[key] = digest
		}
	}
	if err := i.ledger.AppendUsage(agent, lines); err != nil {
		return err
	}
	compactions, err := s.KeptCompactions(ctx, agent)
	if err != nil {
		return err
	}
	var sections []memory.KeptCompaction
	for _, k := range compactions {
		if k.At.Time().Format(time.DateOnly) >= today && !gone[k.Session] {
			continue
		}
		if key, digest := compactionDigest(k); have[key] != digest {
			sections = append(sections, k)
			news[key] = digest
		}
	}
	if err := i.ledger.AppendCompactions(agent, sections); err != nil {
		return err
	}
	return s.SetLedgered(ctx, agent, news)
}

func usageDigest(u memory.DayUsage) (key [2]string, digest string) {
	return [2]string{u.Session, "usage\x00" + ledger.UsageKey(u)}, digestOf(ledger.UsageLine(u))
}

func compactionDigest(k memory.KeptCompaction) (key [2]string, digest string) {
	return [2]string{k.Session, "compaction\x00" + k.Entry}, digestOf(fmt.Sprint(k.At, k.TokensBefore, k.TokensAfter, strings.TrimSpace(k.Summary)))
}

func digestOf(s string) string {
	h := fnv.New64a()
	h.Write([]byte(s))
	return fmt.Sprintf("%016x", h.Sum64())
}

// goneSessions gives the sessions of an agent of which a source is gone.
func goneSessions(ctx context.Context, s store, agent string) (map[string]bool, error) {
	sessions, err := s.Sessions(ctx, index.Filter{Agent: agent})
	if err != nil {
		return nil, err
	}
	gone := map[string]bool{}
	for _, one := range sessions {
		for _, src := range one.Sources {
			if src.Gone != 0 && src.Kind != memory.SourceLedger {
				gone[one.Session] = true
			}
		}
	}
	return gone, nil
}

// dayUsage sums up the calls of an agent as the ledger keeps them.
func dayUsage(ctx context.Context, s store, agent string) ([]memory.DayUsage, error) {
	slices, err := s.Usage(ctx, index.Filter{Agent: agent})
	if err != nil {
		return nil, err
	}
	at := map[string]int{}
	var days []memory.DayUsage
	for _, l := range slices {
		u := memory.DayUsage{Session: l.Session, Provider: l.Provider, Model: l.Model, First: l.At, Last: l.Last}
		if l.At != 0 {
			u.Day = l.At.Time().Format(time.DateOnly)
		}
		key := ledger.UsageKey(u)
		n, ok := at[key]
		if !ok {
			n = len(days)
			at[key] = n
			days = append(days, u)
		}
		d := &days[n]
		d.Calls += l.Calls
		d.Unpriced += l.Unpriced
		d.Cost += l.Cost
		if l.Background {
			d.Background += l.Cost
		}
		d.Usage.Input += l.Usage.Input
		d.Usage.Output += l.Usage.Output
		d.Usage.CacheRead += l.Usage.CacheRead
		d.Usage.CacheWrite += l.Usage.CacheWrite
		d.First, d.Last = min(d.First, l.At), max(d.Last, l.Last)
	}
	return days, nil
}

// restore brings back from the ledger what an index that was made anew could
// not find in OpenClaw's files. What both know counts once: of each day,
// session and model only what the ledger has more than the files is carried.
// It is done once for an index, and again after a pass that read something
// while anything is carried, since it may have been just that.
func (i *installation) restore(ctx context.Context, s store, changed bool) error {
	done, err := s.Meta(ctx, "restored")
	if err != nil || done == "nothing" || done == "carried" && !changed {
		return err
	}
	agents, err := i.ledger.Agents()
	if err != nil {
		return err
	}
	state := "nothing"
	for _, agent := range agents {
		carried, err := i.restoreAgent(ctx, s, agent)
		if err != nil {
			return fmt.Errorf("restore usage of %s: %w", agent, err)
		}
		if carried {
			state = "carried"
		}
	}
	return s.SetMeta(ctx, "restored", state)
}

func (i *installation) restoreAgent(ctx context.Context, s store, agent string) (anything bool, err error) {
	kept, bad, err := i.ledger.Usage(agent)
	if err != nil {
		return false, err
	}
	digests := map[[2]string]string{}
	var carried []memory.DayUsage
	for _, u := range kept {
		key, digest := usageDigest(u)
		digests[key] = digest
		now, err := s.UsageWithin(ctx, agent, u)
		if err != nil {
			return false, err
		}
		if more, ok := beyond(u, now); ok {
			carried = append(carried, more)
		}
	}
	compactions, badToo, err := i.ledger.Compactions(agent)
	if err != nil {
		return false, err
	}
	name := i.ledger.Path(agent)
	if len(carried) > 0 || len(kept) > 0 {
		if err := s.Carry(ctx, agent, name, carried); err != nil {
			return false, err
		}
	}
	if err := carryCompactions(ctx, s, agent, name, compactions, digests); err != nil {
		return false, err
	}
	if n := bad + badToo; n > 0 {
		err := s.SetProblems(ctx, "ledger/"+agent, []memory.Problem{{Code: memory.ProblemBadLine, Path: name, Count: n,
			Message: fmt.Sprintf("%d lines of the ledger cannot be read", n), Hint: "They may have been edited. The rest of the ledger was used."}})
		if err != nil {
			return false, err
		}
	}
	return len(carried) > 0, s.SetLedgered(ctx, agent, digests)
}

// carryCompactions adds the compactions that the index does not know.
func carryCompactions(ctx context.Context, s store, agent, name string, kept []memory.KeptCompaction, digests map[[2]string]string) error {
	known, err := s.KeptCompactions(ctx, agent)
	if err != nil {
		return err
	}
	there := map[[2]string]bool{}
	for _, k := range known {
		there[[2]string{k.Session, k.Entry}] = true
	}
	var missing []memory.KeptCompaction
	for _, k := range kept {
		key, digest := compactionDigest(k)
		digests[key] = digest
		if !there[[2]string{k.Session, k.Entry}] {
			missing = append(missing, k)
		}
	}
	return s.CarryCompactions(ctx, agent, name, missing)
}

// beyond gives what the ledger has more than the files, and whether that is
// anything.
func beyond(kept, now memory.DayUsage) (more memory.DayUsage, any bool) {
	more = kept
	less := func(a *int64, b int64) {
		*a = max(*a-b, 0)
		any = any || *a > 0
	}
	less(&more.Calls, now.Calls)
	if more.Calls == 0 {
		return more, false // the same calls, priced otherwise
	}
	less(&more.Unpriced, now.Unpriced)
	less(&more.Usage.Input, now.Usage.Input)
	less(&more.Usage.Output, now.Usage.Output)
	less(&more.Usage.CacheRead, now.Usage.CacheRead)
	less(&more.Usage.CacheWrite, now.Usage.CacheWrite)
	more.Cost = max(kept.Cost-now.Cost, 0)
	more.Background = min(kept.Background, more.Cost)
	return more, true
}
