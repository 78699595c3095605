package ledger

import (
	"fmt"
	"strings"
	"time"

	"tidemark/backend/memory"
)

const (
	usageFile = "usage.md"
	usageHead = `# What the calls of this agent used

One line for each day (in UTC), session and model, written when the day has
passed or what OpenClaw kept of the session is gone. A later line about the same
replaces an earlier one. Tokens are counts; usd is what priced calls cost, and
background how much of it nobody asked for (heartbeats, scheduled jobs,
subagents).

` + versionLine
)

// UsageKey names what a line of usage is about.
func UsageKey(u memory.DayUsage) string {
	return strings.Join([]string{u.Day, u.Session, u.Provider, u.Model}, "\x00")
}

// UsageOf is the inverse of UsageKey: a line that says that nothing was used.
func UsageOf(key string) (u memory.DayUsage, ok bool) {
	parts := strings.Split(key, "\x00")
	if len(parts) != 4 {
		return u, false
	}
	return memory.DayUsage{Day: parts[0], Session: parts[1], Provider: parts[2], Model: parts[3]}, true
}

// UsageLine is the line of the ledger, without line feed.
func UsageLine(u memory.DayUsage) string {
	day := u.Day
	if day == "" {
		day = unknown
	}
	return fmt.Sprintf("- %s · session %s · model %s of %s · calls %d · unpriced %d · input %d · output %d · cacheRead %d · cacheWrite %d · usd %s · background %s · from %s · to %s",
		day, quote(u.Session), quote(u.Model), quote(u.Provider), u.Calls, u.Unpriced, u.Usage.Input, u.Usage.Output, u.Usage.CacheRead, u.Usage.CacheWrite,
		dollars(u.Cost), dollars(u.Background), stamp(u.First), stamp(u.Last))
}

// AppendUsage writes lines of an agent.
func (l *Ledger) AppendUsage(agent string, lines []memory.DayUsage) error {
	if len(lines) == 0 {
		return nil
	}
	var b strings.Builder
	for _, u := range lines {
		b.WriteString(UsageLine(u))
		b.WriteByte('\n')
	}
	return l.append(agent, usageFile, kind{usageHead, endLine}, b.String())
}

// Usage reads the lines of an agent, the last one for each key, in the order
// of the file. name gives the id that a session has now. bad counts lines that
// look like usage and cannot be read.
func (l *Ledger) Usage(agent string, name func(string) string) (found []memory.DayUsage, bad int, err error) {
	at := map[string]int{}
	bad, err = l.list(agent, usageFile, func(line string) bool {
		u, ok := ParseUsage(line)
		if !ok {
			return false
		}
		u.Session = name(u.Session)
		key := UsageKey(u)
		if i, seen := at[key]; seen {
			found[i] = u
			return true
		}
		at[key] = len(found)
		found = append(found, u)
		return true
	})
	return found, bad, err
}

// ParseUsage is the inverse of UsageLine.
func ParseUsage(line string) (u memory.DayUsage, ok bool) {
	line, ok = strings.CutPrefix(line, "- ")
	values, bare, isLine := fields(line)
	if !ok || !isLine || len(bare) != 1 {
		return u, false
	}
	if bare[0] != unknown {
		if _, err := time.Parse(time.DateOnly, bare[0]); err != nil {
			return u, false
		}
		u.Day = bare[0]
	}
	r := reader{values: values}
	u.Session, u.Model, u.Provider = r.value("session"), r.value("model"), r.value("of")
	u.Calls, u.Unpriced = r.count("calls"), r.count("unpriced")
	u.Usage = memory.Usage{Input: r.count("input"), Output: r.count("output"), CacheRead: r.count("cacheRead"), CacheWrite: r.count("cacheWrite")}
	u.Cost, u.Background = r.dollars("usd"), r.dollars("background")
	u.First, u.Last = r.stamp("from"), r.stamp("to")
	return u, !r.bad
}
