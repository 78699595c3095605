package ledger

import (
	"strings"
	"time"

	"tidemark/backend/memory"
)

// Kept is what the kept files of an agent hold.
type Kept struct {
	// Lines are in the order of the files and in them of the lines. Of several
	// with one id there is the last, in the place of the first; a statement
	// goes before a line of another kind.
	Lines []memory.KeptLine
	Files []string // of each line, the name of the file it stands in
	Bad   int      // lines that cannot be read
	// Torn says that the last line of a file is only a part: whoever wrote it
	// was stopped, and has it still to write.
	Torn bool
}

// Kept reads what is kept of an agent.
func (l *Ledger) Kept(agent string) (Kept, error) {
	g := keptReader{agent: agent, at: map[string]int{}}
	err := l.each(agent, keptFolder, func(name, body string) bool {
		g.read(name, body)
		return true
	})
	if err != nil {
		return Kept{}, err
	}
	return g.Kept, nil
}

// keptReader gathers lines.
type keptReader struct {
	Kept
	agent string
	at    map[string]int // index of a line, by its id
}

func (g *keptReader) read(name, body string) {
	day := dayOf(name)
	for _, s := range segments(body) {
		if s.end == "" && isPart(s.text) {
			g.Torn = true
			continue
		}
		switch k, _, w := parseKept(s.text, day); w {
		case record:
			g.add(k, name)
		case damaged:
			g.Bad++
		}
	}
}

func (g *keptReader) add(k memory.KeptLine, file string) {
	k.Agent = g.agent
	i, seen := g.at[k.ID]
	switch {
	case !seen:
		g.at[k.ID] = len(g.Lines)
		g.Lines = append(g.Lines, k)
		g.Files = append(g.Files, file)
	case k.Kind == memory.KeptStatement || g.Lines[i].Kind != memory.KeptStatement:
		g.Lines[i], g.Files[i] = k, file
	}
}

// dayOf gives the beginning of the day that a file is named after, in UTC, 0
// where it has another name.
func dayOf(file string) memory.Millis {
	t, err := time.Parse(time.DateOnly, strings.TrimSuffix(file, extension))
	if err != nil {
		return 0
	}
	return memory.MillisOf(t)
}

// isPart says that a line without an end is a part of one of ours, not what a
// person typed without ending the line.
func isPart(tail string) bool {
	switch p := takeApart(tail); {
	case p.open || strings.Contains(tail, "\x00"): // what a loss of power may leave
		return true
	case p.ours > 0 || p.unfinished:
		return false
	}
	for _, o := range openings {
		if strings.HasPrefix(tail, o) || strings.HasPrefix(o, tail) {
			return true
		}
	}
	return false
}

// openings are the beginnings of all lines that KeptLine gives.
var openings = allOpenings()

func allOpenings() (all []string) {
	for t := memory.Tag(0); t <= memory.TagDetail; t++ {
		all = append(all, "- "+letter(t)+tagMark+gap)
	}
	for _, v := range append(verbs[:], scopeVerbs[:]...) {
		if v != "" {
			all = append(all, "- "+v+":"+gap, "- "+v+" "+commentMark)
		}
	}
	return all
}

// endKept gives what ends an unfinished last line of a kept file.
func endKept(tail string) string {
	if isPart(tail) {
		return unfinishedMark
	}
	return "\n"
}
