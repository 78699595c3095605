package ledger

import (
	"fmt"
	"strconv"
	"strings"

	"tidemark/backend/memory"
)

const (
	compactionFile = "compactions.md"
	compactionHead = `# What compactions left of this agent's conversations

One section for each compaction, with the summary that took the place of what
was said. Written when its day has passed or its source is gone.

` + versionLine
)

// titleMark begins the title of a section.
const titleMark = "## "

// AppendCompactions writes compactions of an agent.
func (l *Ledger) AppendCompactions(agent string, kept []memory.KeptCompaction) error {
	if len(kept) == 0 {
		return nil
	}
	var b strings.Builder
	for _, k := range kept {
		b.WriteString(CompactionText(k))
	}
	return l.append(agent, compactionFile, kind{compactionHead, endLine}, b.String())
}

// CompactionText is the section of the ledger about a compaction.
func CompactionText(k memory.KeptCompaction) string {
	count := func(n int64) string {
		if n <= 0 {
			return unknown
		}
		return strconv.FormatInt(n, 10)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s%s · session %s · entry %s · before %s · after %s\n\n", titleMark, stamp(k.At), quote(k.Session), quote(k.Entry), count(k.TokensBefore), count(k.TokensAfter))
	for _, line := range plainQuotation(k.Summary) {
		b.WriteString(line + "\n")
	}
	b.WriteString("\n")
	return b.String()
}

// plainQuotation gives the lines of a text as they are quoted.
func plainQuotation(text string) []string {
	lines := strings.Split(plainBreaks.Replace(text), "\n")
	for i, line := range lines {
		if lines[i] = quoteMark; line != "" {
			lines[i] += " " + line
		}
	}
	return lines
}

// plainQuoted is the inverse of plainQuotation for one line.
func plainQuoted(line string) string {
	return strings.TrimPrefix(strings.TrimPrefix(line, quoteMark), " ")
}

// plainBreaks makes one kind of line break of all: the ledger is a text file.
var plainBreaks = strings.NewReplacer("\r\n", "\n", "\r", "\n")

// Compactions reads the compactions of an agent; the last section of an entry
// counts. name gives the id that a session has now. bad counts titles that
// cannot be read.
func (l *Ledger) Compactions(agent string, name func(string) string) (found []memory.KeptCompaction, bad int, err error) {
	lines, err := l.read(agent, compactionFile)
	if err != nil {
		return nil, 0, err
	}
	s := sections{at: map[[2]string]int{}}
	for _, line := range lines {
		switch {
		case strings.HasPrefix(line, titleMark):
			s.end()
			k, ok := ParseTitle(strings.TrimRight(line, " \t"))
			if !ok {
				bad++
				continue
			}
			k.Session = name(k.Session)
			s.now = &k
		case strings.HasPrefix(line, quoteMark) && s.now != nil:
			s.text = append(s.text, plainQuoted(line))
		}
	}
	s.end()
	return s.found, bad, nil
}

// sections gathers the sections of a file.
type sections struct {
	found []memory.KeptCompaction
	at    map[[2]string]int
	now   *memory.KeptCompaction // whose summary is being read
	text  []string
}

func (s *sections) end() {
	if s.now == nil {
		return
	}
	s.now.Summary = strings.Join(s.text, "\n")
	key := [2]string{s.now.Session, s.now.Entry}
	if i, seen := s.at[key]; seen {
		s.found[i] = *s.now
	} else {
		s.at[key] = len(s.found)
		s.found = append(s.found, *s.now)
	}
	s.now, s.text = nil, nil
}

// ParseTitle reads the title of a section.
func ParseTitle(line string) (k memory.KeptCompaction, ok bool) {
	line, ok = strings.CutPrefix(line, titleMark)
	values, bare, isLine := fields(line)
	if !ok || !isLine || len(bare) != 1 {
		return k, false
	}
	r := reader{values: values}
	k = memory.KeptCompaction{Session: r.value("session"), Entry: r.value("entry"), TokensBefore: r.countOrUnknown("before"), TokensAfter: r.countOrUnknown("after")}
	k.At, ok = parseStamp(bare[0])
	return k, ok && !r.bad
}
