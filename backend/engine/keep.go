package engine

import (
	"context"
	"fmt"
	"hash/fnv"
	"maps"
	"slices"
	"strings"
	"time"

	"tidemark/backend/index"
	"tidemark/backend/ledger"
	"tidemark/backend/memory"
)

// keep writes to the ledger what the index must not be the only one to know:
// the usage of days that have passed, the summaries of compactions, and both
// of sessions whose source is gone. It does nothing while no day has passed
// and nothing is gone.
func (i *installation) keep(ctx context.Context, s store, now time.Time) error {
	today := now.UTC().Format(time.DateOnly)
	last, err := s.Meta(ctx, index.Kept)
	if err != nil || last == today {
		return err
	}
	if err := i.keepAll(ctx, s, keeping{today: today, daily: strings.TrimLeft(last, "~") != today}); err != nil {
		return err
	}
	return s.SetMeta(ctx, index.Kept, today)
}

// keeping says what is to be kept.
type keeping struct {
	today string // the day that has not passed
	daily bool   // nothing was kept today yet
	all   bool   // that of today too
}

func (i *installation) keepAll(ctx context.Context, s store, k keeping) error {
	agents, err := s.Agents(ctx)
	if err != nil {
		return err
	}
	for _, agent := range agents {
		if err := i.keepAgent(ctx, s, agent, k); err != nil {
			return fmt.Errorf("keep usage of %s: %w", agent, err)
		}
	}
	return nil
}

// keeper writes to the ledger what it does not have of one agent.
type keeper struct {
	keeping
	ledger *ledger.Ledger
	agent  string
	have   map[string]string // digests by subject
	news   map[string]string
	gone   map[string]bool   // sessions of which a source is gone
	names  map[string]string // ids that were replaced
}

func (i *installation) keepAgent(ctx context.Context, s store, agent string, what keeping) error {
	sessions, err := s.Sessions(ctx, index.Filter{Agent: agent})
	if err != nil {
		return err
	}
	k := keeper{keeping: what, ledger: i.ledger, agent: agent, news: map[string]string{}, gone: goneSessions(sessions)}
	if k.have, err = s.Ledgered(ctx, agent); err != nil {
		return err
	}
	if k.names, err = replaced(ctx, s, agent); err != nil {
		return err
	}
	if err := k.sessions(sessions); err != nil {
		return err
	}
	slices, err := s.Usage(ctx, index.Filter{Agent: agent})
	if err != nil {
		return err
	}
	if err := k.usage(dayUsage(slices)); err != nil {
		return err
	}
	compactions, err := s.KeptCompactions(ctx, agent)
	if err != nil {
		return err
	}
	if err := k.compactions(compactions); err != nil {
		return err
	}
	return s.SetLedgered(ctx, agent, k.news)
}

// replaced gives the ids of sessions that were replaced.
func replaced(ctx context.Context, s store, agent string) (map[string]string, error) {
	origins, err := s.Store.Names(ctx, agent)
	if err != nil {
		return nil, err
	}
	found := map[string]string{}
	for _, o := range origins {
		if o.Name != "" {
			found[o.Session] = o.Name
		}
	}
	return found, nil
}

// open says that more may come of a day, of a session that is there.
func (k *keeper) open(day, session string) bool {
	return !k.all && day >= k.today && !k.gone[session]
}

// sessions writes lines about sessions: before anything else, since they say
// which ids the other lines mean.
func (k *keeper) sessions(sessions []memory.SessionSummary) error {
	renamed := map[string]string{}
	for was, now := range k.names {
		if subject := aliasSubject(was); k.have[subject] != digestOf(now) {
			renamed[was], k.news[subject] = now, digestOf(now)
		}
	}
	var lines []memory.SessionSummary
	for _, s := range sessions {
		subject, digest := sessionDigest(s)
		// A session that goes on every day has its line every day.
		if k.have[subject] == digest || !k.daily && k.open(dayOf(s.Updated), s.Session) {
			continue
		}
		lines, k.news[subject] = append(lines, s), digest
	}
	return k.ledger.AppendSessions(k.agent, lines, renamed)
}

// usage writes the usage of days. Usage that turned out to be that of another
// session is taken back.
func (k *keeper) usage(days []memory.DayUsage) error {
	var lines []memory.DayUsage
	now := map[string]bool{}
	for _, u := range days {
		subject, digest := usageDigest(u)
		now[subject] = true
		if k.have[subject] == digest || k.open(u.Day, u.Session) {
			continue
		}
		lines, k.news[subject] = append(lines, u), digest
	}
	for _, subject := range slices.Sorted(maps.Keys(k.have)) {
		key, ok := strings.CutPrefix(subject, usageSubject)
		if u, isUsage := ledger.UsageOf(key); ok && isUsage && !now[subject] {
			if k.names[u.Session] == "" { // else the lines of the new id replace it
				lines = append(lines, u)
			}
			k.news[subject] = ""
		}
	}
	return k.ledger.AppendUsage(k.agent, lines)
}

// compactions writes what compactions left. A section that is there stays as
// it is: what a person changed in it is theirs.
func (k *keeper) compactions(all []memory.KeptCompaction) error {
	var sections []memory.KeptCompaction
	for _, c := range all {
		subject := compactionSubject(c)
		if k.have[subject] != "" || k.open(dayOf(c.At), c.Session) {
			continue
		}
		sections, k.news[subject] = append(sections, c), keptDigest
	}
	return k.ledger.AppendCompactions(k.agent, sections)
}

// What lines of the ledger are about.
const (
	usageSubject = "usage\x00"
	keptDigest   = "kept" // the digest of what never changes
)

func usageDigest(u memory.DayUsage) (subject, digest string) {
	return usageSubject + ledger.UsageKey(u), digestOf(ledger.UsageLine(u))
}

func sessionDigest(s memory.SessionSummary) (subject, digest string) {
	return "session\x00" + s.Session, digestOf(ledger.SessionLine(s))
}

func compactionSubject(k memory.KeptCompaction) string {
	return "compaction\x00" + k.Session + "\x00" + k.Entry
}

func aliasSubject(was string) string { return "alias\x00" + was }

func digestOf(s string) string {
	h := fnv.New64a()
	h.Write([]byte(s))
	return fmt.Sprintf("%016x", h.Sum64())
}

// dayOf gives the day of a moment as the ledger counts days, "" where it is
// not known.
func dayOf(at memory.Millis) string {
	if at == 0 {
		return ""
	}
	return at.Time().Format(time.DateOnly)
}

// goneSessions gives the sessions of which a source is gone.
func goneSessions(sessions []memory.SessionSummary) map[string]bool {
	gone := map[string]bool{}
	for _, one := range sessions {
		for _, src := range one.Sources {
			if src.Gone != 0 && src.Kind != memory.SourceLedger {
				gone[one.Session] = true
			}
		}
	}
	return gone
}

// dayUsage sums up the calls of an agent as the ledger keeps them.
func dayUsage(slices []memory.UsageSlice) (days []memory.DayUsage) {
	at := map[string]int{}
	for _, l := range slices {
		u := memory.DayUsage{Day: dayOf(l.At), Session: l.Session, Provider: l.Provider, Model: l.Model, First: l.At, Last: l.Last}
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
	return days
}
