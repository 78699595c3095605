package ledger

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"tidemark/backend/memory"
)

const (
	compactionFile = "compactions.md"
	compactionHead = `# What compactions left of this agent's conversations

One section for each compaction, with the summary that took the place of what
was said. Written when its day has passed or its source is gone.

`
)

var compactionTitle = regexp.MustCompile("^## (\\S+) · session `([^`]*)` · entry `([^`]*)` · before (\\d+|unknown) · after (\\d+|unknown)$")

// AppendCompactions writes compactions of an agent.
func (l *Ledger) AppendCompactions(agent string, kept []memory.KeptCompaction) error {
	if len(kept) == 0 {
		return nil
	}
	var b strings.Builder
	for _, k := range kept {
		b.WriteString(compactionText(k))
	}
	return l.append(agent, compactionFile, compactionHead, b.String())
}

func compactionText(k memory.KeptCompaction) string {
	count := func(n int64) string {
		if n <= 0 {
			return "unknown"
		}
		return strconv.FormatInt(n, 10)
	}
	at := "unknown"
	if k.At != 0 {
		at = k.At.Time().Format("2006-01-02T15:04:05.000Z")
	}
	var b strings.Builder
	fmt.Fprintf(&b, "## %s · session %s · entry %s · before %s · after %s\n\n", at, quote(k.Session), quote(k.Entry), count(k.TokensBefore), count(k.TokensAfter))
	for _, line := range strings.Split(strings.ReplaceAll(k.Summary, "\r", ""), "\n") {
		b.WriteString(strings.TrimRight("> "+line, " ") + "\n")
	}
	b.WriteString("\n")
	return b.String()
}

// Compactions reads the compactions of an agent; the last section of an entry
// counts. bad counts titles that cannot be read.
func (l *Ledger) Compactions(agent string) (found []memory.KeptCompaction, bad int, err error) {
	lines, err := l.read(agent, compactionFile)
	if err != nil {
		return nil, 0, err
	}
	at := map[string]int{}
	var now *memory.KeptCompaction
	var text []string
	end := func() {
		if now == nil {
			return
		}
		now.Summary = strings.Join(text, "\n")
		key := now.Session + "\x00" + now.Entry
		if i, seen := at[key]; seen {
			found[i] = *now
		} else {
			at[key] = len(found)
			found = append(found, *now)
		}
		now, text = nil, nil
	}
	for _, line := range lines {
		switch {
		case strings.HasPrefix(line, "## "):
			end()
			k, ok := parseTitle(strings.TrimRight(line, " \t"))
			if !ok {
				bad++
				continue
			}
			now = &k
		case strings.HasPrefix(line, ">") && now != nil:
			text = append(text, strings.TrimPrefix(strings.TrimPrefix(line, ">"), " "))
		}
	}
	end()
	return found, bad, nil
}

func parseTitle(line string) (k memory.KeptCompaction, ok bool) {
	m := compactionTitle.FindStringSubmatch(line)
	if m == nil {
		return k, false
	}
	count := func(s string) int64 {
		n, err := strconv.ParseInt(s, 10, 64)
		if err != nil {
			return 0 // "unknown"
		}
		return n
	}
	k = memory.KeptCompaction{Session: m[2], Entry: m[3], TokensBefore: count(m[4]), TokensAfter: count(m[5])}
	if m[1] != "unknown" {
		t, err := parseStamp(m[1])
		if err != nil {
			return k, false
		}
		k.At = t
	}
	return k, true
}
