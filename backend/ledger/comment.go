package ledger

import "strings"

const (
	commentMark    = "<!--"
	commentEnd     = "-->"
	unfinished     = "unfinished" // all that stands in the comment behind a part of a line
	unfinishedMark = " " + commentMark + " " + unfinished + " " + commentEnd + "\n"
)

// parts are those of a line that is read by people and, in a comment, by us.
type parts struct {
	shown      string // what a viewer shows, still escaped
	comment    string // the inside of our comment, the last one where there are more
	ours       int    // how many of our comments there are
	open       bool   // a comment does not end
	unfinished bool   // the line was never written whole
}

// takeApart finds the comments of a line as a Markdown viewer does: they do not
// nest, and one whose first mark is escaped is none. Comments that are not ours
// are taken out and forgotten: a person may note something.
func takeApart(line string) (p parts) {
	var shown strings.Builder
	for {
		i := commentAt(line)
		if i < 0 {
			break
		}
		shown.WriteString(strings.TrimSuffix(line[:i], " "))
		line = line[i+len(commentMark):]
		end := strings.Index(line, commentEnd)
		if end < 0 {
			p.open, p.shown = true, shown.String()
			return p
		}
		switch inside := innermost(line[:end]); {
		case inside == unfinished:
			p.unfinished = true
		case isOurs(inside):
			p.comment = inside
			p.ours++
		}
		line = line[end+len(commentEnd):]
	}
	shown.WriteString(line)
	p.shown = shown.String()
	return p
}

// innermost gives what stands behind the last mark within a comment: one that
// was never ended, or that a person typed, is no part of ours.
func innermost(inside string) string {
	if i := strings.LastIndex(inside, commentMark); i >= 0 {
		inside = inside[i+len(commentMark):]
	}
	return strings.Trim(inside, " \t")
}

// commentAt finds the first comment of a line, -1 where there is none.
func commentAt(line string) int {
	for from := 0; ; {
		i := strings.Index(line[from:], commentMark)
		if i < 0 {
			return -1
		}
		i += from
		back := i
		for back > from && line[back-1] == '\\' {
			back--
		}
		if (i-back)%2 == 0 {
			return i
		}
		from = i + len(commentMark)
	}
}

// isOurs says that the inside of a comment begins as those of the ledger do:
// with what the line is and a separator. What a later version writes is ours
// too and must not be taken for a person's note.
func isOurs(inside string) bool {
	what, _, ok := strings.Cut(inside, separator)
	return ok && what != "" && strings.Trim(what, "abcdefghijklmnopqrstuvwxyz") == ""
}

// comment writes a comment field by field.
type comment struct {
	strings.Builder
}

func newComment(what string) *comment {
	c := &comment{}
	c.WriteString(commentMark + " " + what)
	return c
}

// add writes a field, if its value is there.
func (c *comment) add(name, value string) {
	if value != "" {
		c.WriteString(separator + name + " " + value)
	}
}

// addText writes a field whose value may be any text.
func (c *comment) addText(name, value string) {
	if value != "" {
		c.add(name, hide(value))
	}
}

func (c *comment) end() string { return c.String() + " " + commentEnd }
