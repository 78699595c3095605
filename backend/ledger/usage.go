package ledger

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"tidemark/backend/memory"
)

const (
	usageFile = "usage.md"
	usageHead = `# What the calls of this agent used

One line for each day (in UTC), session and model, written when the day has
passed or what OpenClaw kept of the session is gone. A later line about the same
replaces an earlier one. Tokens are counts; usd is what priced calls cost, and
how much of it nobody asked for (heartbeats, scheduled jobs, subagents).

`
)

// usageLine reads what UsageLine writes.
var usageLine = regexp.MustCompile("^- (\\d{4}-\\d\\d-\\d\\d|unknown) · session `([^`]*)` · model `([^`]*)` of `([^`]*)` · calls (\\d+) · unpriced (\\d+) · input (\\d+) · output (\\d+) · cacheRead (\\d+) · cacheWrite (\\d+) · usd (\\d+\\.\\d{9}) · background (\\d+\\.\\d{9}) · from (\\S+) · to (\\S+)$")

// UsageKey names what a line of usage is about.
func UsageKey(u memory.DayUsage) string {
	return strings.Join([]string{u.Day, u.Session, u.Provider, u.Model}, "\x00")
}

// UsageLine is the line of the ledger, without line feed.
func UsageLine(u memory.DayUsage) string {
	stamp := func(m memory.Millis) string {
		if m == 0 {
			return "unknown"
		}
		return m.Time().Format("2006-01-02T15:04:05.000Z")
	}
	day := u.Day
	if day == "" {
		day = "unknown"
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
	return l.append(agent, usageFile, usageHead, b.String())
}

// Usage reads the lines of an agent, the last one for each key, in the order
// of the file. bad counts lines that look like usage and cannot be read.
func (l *Ledger) Usage(agent string) (found []memory.DayUsage, bad int, err error) {
	lines, err := l.read(agent, usageFile)
	if err != nil {
		return nil, 0, err
	}
	at := map[string]int{}
	for _, line := range lines {
		if !strings.HasPrefix(line, "- ") {
			continue
		}
		u, ok := ParseUsage(strings.TrimRight(line, " \t"))
		if !ok {
			bad++
			continue
		}
		if i, seen := at[UsageKey(u)]; seen {
			found[i] = u
			continue
		}
		at[UsageKey(u)] = len(found)
		found = append(found, u)
	}
	return found, bad, nil
}

// ParseUsage is the inverse of UsageLine.
func ParseUsage(line string) (u memory.DayUsage, ok bool) {
	m := usageLine.FindStringSubmatch(line)
	if m == nil {
		return u, false
	}
	ok = true
	number := func(s string) int64 {
		n, err := strconv.ParseInt(s, 10, 64)
		ok = ok && err == nil
		return n
	}
	stamp := func(s string) memory.Millis {
		if s == "unknown" {
			return 0
		}
		m, err := parseStamp(s)
		ok = ok && err == nil
		return m
	}
	u = memory.DayUsage{Day: m[1], Session: m[2], Model: m[3], Provider: m[4], Calls: number(m[5]), Unpriced: number(m[6]),
		Usage: memory.Usage{Input: number(m[7]), Output: number(m[8]), CacheRead: number(m[9]), CacheWrite: number(m[10])}, First: stamp(m[13]), Last: stamp(m[14])}
	if u.Day == "unknown" {
		u.Day = ""
	}
	money := func(s string) memory.Money {
		whole, rest, _ := strings.Cut(s, ".")
		w := number(whole)
		if w > maxDollars {
			ok = false
			return 0
		}
		return memory.Money(w)*memory.Dollar + memory.Money(number(rest))
	}
	u.Cost, u.Background = money(m[11]), money(m[12])
	return u, ok
}

// maxDollars keeps an edited line from overflowing an amount.
const maxDollars = 1_000_000_000

// dollars writes an amount to the last unit.
func dollars(m memory.Money) string {
	return fmt.Sprintf("%d.%09d", m/memory.Dollar, m%memory.Dollar)
}
