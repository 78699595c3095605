package ledger

import (
	"fmt"
	"strings"
	"time"

	"tidemark/backend/memory"
)

// saidWord says in a comment that it ends a message.
const saidWord = "said"

const saidHead = `# What was said in %s

What people said to the agent, word for word; only passwords and the like are
masked. One section for each message.

`

// quoteMark begins a line of a quotation.
const quoteMark = ">"

// SaidText is the section of the ledger about a message: a title for people,
// the text as a quotation, and the comment that ends it. A section without that
// comment was not written whole.
func SaidText(s memory.Said) string {
	var b strings.Builder
	b.WriteString(saidTitle(s) + "\n\n")
	for _, line := range quotation(s.Text) {
		b.WriteString(line + "\n")
	}
	c := newComment(saidWord)
	c.add("at", stamp(s.At))
	addSource(c, s.Speaker, s.Session, s.Entry, s.Key)
	b.WriteString("\n" + c.end() + "\n\n")
	return b.String()
}

// titleForm is how the moments in titles are written.
const titleForm = "2006-01-02 15:04:05 UTC"

func saidTitle(s memory.Said) string {
	at := unknown
	if s.At > earliest && s.At < latest && s.At != 0 {
		at = s.At.Time().Format(titleForm)
	}
	title := titleMark + at + separator + s.Speaker.Kind.String()
	for _, part := range []string{s.Speaker.Name, s.Speaker.Channel, s.Speaker.Chat} {
		if part != "" {
			title += separator + show(part, true)
		}
	}
	return title
}

// quotation gives the lines of a text as they are quoted.
func quotation(text string) []string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if lines[i] = quoteMark; line != "" {
			lines[i] += " " + show(line, false)
		}
	}
	return lines
}

// quoted is the inverse of quotation for one line.
func quoted(line string) (text string, ok bool) {
	line, ok = strings.CutPrefix(line, quoteMark)
	return unshow(strings.TrimPrefix(line, " "), false), ok
}

// AppendSaid writes messages of an agent into the file of a month ("2026-02"),
// all or none.
func (l *Ledger) AppendSaid(agent, month string, said []memory.Said) error {
	if len(said) == 0 {
		return nil
	}
	if _, err := time.Parse("2006-01", month); err != nil {
		return fmt.Errorf("write what was said: %w", err)
	}
	var b strings.Builder
	for _, s := range said {
		if memory.SpeakerKindOf(s.Speaker.Kind.String()) != s.Speaker.Kind {
			return fmt.Errorf("write what was said in entry %q: no such speaker: %d", s.Entry, s.Speaker.Kind)
		}
		b.WriteString(SaidText(s))
	}
	head := fmt.Sprintf(saidHead, month) + versionLine
	return l.append(agent, saidFolder+"/"+month+extension, kind{head, endSaid}, b.String())
}

// endSaid gives what ends an unfinished last line of a file of messages.
func endSaid(tail string) string {
	p := takeApart(tail)
	if !p.open && (p.ours > 0 || p.unfinished || strings.TrimSpace(p.shown) == "") {
		return "\n"
	}
	return unfinishedMark
}

// Said gives the messages of an agent to f, in the order of the files, until f
// says no. Of two with one key, session and entry the later one counts; both
// are given. bad counts messages that cannot be read; those that were not
// written whole are passed over.
func (l *Ledger) Said(agent string, f func(memory.Said) bool) (bad int, err error) {
	err = l.each(agent, saidFolder, func(_, body string) bool {
		wrong, more := eachSaid(body, f)
		bad += wrong
		return more
	})
	return bad, err
}

// FindSaid gives the message with a key, or else that of an entry of a session;
// an empty key finds nothing, nor do an empty session or entry. found is false
// where there is none.
func (l *Ledger) FindSaid(agent, key, session, entry string) (said memory.Said, found bool, err error) {
	if session == "" || entry == "" {
		session, entry = "", ""
	}
	exact := false
	err = l.each(agent, saidFolder, func(_, body string) bool {
		if !(key != "" && strings.Contains(body, hide(key))) && !(entry != "" && strings.Contains(body, hide(entry))) {
			return true // it is not worth the reading
		}
		eachSaid(body, func(s memory.Said) bool {
			byKey := key != "" && s.Key == key
			if byKey || !exact && entry != "" && s.Session == session && s.Entry == entry {
				said, found, exact = s, true, exact || byKey
			}
			return true
		})
		return true
	})
	return said, found, err
}

// eachSaid gives the messages of a file to f until it says no. more is false
// where it did.
func eachSaid(body string, f func(memory.Said) bool) (bad int, more bool) {
	var lines []string
	broken := false // by a loss of power
	for _, s := range segments(strings.TrimPrefix(body, byteOrderMark)) {
		if text, ok := quoted(s.text); ok {
			lines = append(lines, text)
			broken = broken || strings.Contains(s.text, "\x00")
			continue
		}
		said, w := parseSaid(s.text)
		switch {
		case strings.HasPrefix(s.text, titleMark):
		case w == prose:
			continue
		case w == damaged && s.end == "": // a part
		case w == damaged || w == record && broken:
			bad++
		case w == record && len(lines) > 0:
			said.Text = strings.Join(lines, "\n")
			if !f(said) {
				return bad, false
			}
		}
		lines, broken = nil, false
	}
	return bad, true
}

// parseSaid reads the comment that ends a message. The text is not in it.
func parseSaid(line string) (s memory.Said, w what) {
	line = strings.TrimLeft(line, " \t")
	if !strings.HasPrefix(line, commentMark) {
		return s, prose
	}
	p := takeApart(line)
	switch {
	case p.unfinished:
		return s, partLine
	case p.open || p.ours > 1:
		return s, damaged
	case p.ours == 0:
		return s, prose
	}
	values, bare, ok := fields(p.comment)
	if !ok || len(bare) != 1 || bare[0] != saidWord {
		return s, damaged
	}
	r := reader{values: values}
	s.At = r.stampOr("at", 0)
	s.Speaker, s.Session, s.Entry, s.Key = r.source()
	if r.bad {
		return s, damaged
	}
	return s, record
}
