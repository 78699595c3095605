package ledger

import (
	"reflect"
	"strings"
	"time"
)

// rewriter rewrites a file of sections, each a title and a quotation.
type rewriter struct {
	forgetting
	out    []segment
	title  int   // index of the title of a section that must be ended, -1
	quotes []int // indices of the quotation
	read   func(line string) string
	write  func(text string) []string
}

// settle rewrites the quotation that was gathered. Where it belongs to a
// section that must be ended and was not, it removes it with its title.
func (r *rewriter) settle(ended bool) {
	if !ended && r.title >= 0 {
		for _, i := range append(r.quotes, r.title) {
			r.out[i] = segment{}
		}
	} else if len(r.quotes) > 0 {
		r.requote()
	}
	r.title, r.quotes = -1, nil
}

// requote takes the words out of the quotation.
func (r *rewriter) requote() {
	lines := make([]string, len(r.quotes))
	for n, i := range r.quotes {
		lines[n] = r.read(r.out[i].text)
	}
	text, found := r.redact(strings.Join(lines, "\n"))
	if !found {
		return
	}
	first, last := r.quotes[0], r.quotes[len(r.quotes)-1]
	end := r.out[last].end
	between := r.out[first].end
	for _, i := range r.quotes {
		r.out[i] = segment{}
	}
	r.out[first] = segment{strings.Join(r.write(text), between), end}
}

// messages rewrites a file of messages.
func (f forgetting) messages(body string) string {
	r := rewriter{forgetting: f, title: -1, write: quotation, read: func(line string) string {
		text, _ := quoted(line)
		return text
	}}
	for i, s := range segments(body) {
		r.out = append(r.out, s)
		if _, ok := quoted(s.text); ok {
			r.quotes = append(r.quotes, i)
			continue
		}
		switch said, w := parseSaid(s.text); {
		case strings.HasPrefix(s.text, titleMark):
			r.settle(false)
			if r.out[i].text = f.line(s.text); isSaidTitle(s.text) {
				r.title = i
			}
		case w == partLine || w == damaged && s.end == "":
			r.settle(false)
			r.out[i] = segment{}
		case w == record:
			r.settle(true)
			r.out[i].text = f.rawLine(s.text, func(next string) bool {
				again, w := parseSaid(next)
				return w == record && again == said
			})
		case w == damaged:
			r.settle(true)
			r.out[i].text = f.line(s.text)
		default:
			r.out[i].text = f.line(s.text)
		}
	}
	r.settle(false)
	return join(r.out)
}

// isSaidTitle says that a line is a title as saidTitle writes it.
func isSaidTitle(line string) bool {
	at, _, ok := strings.Cut(strings.TrimPrefix(line, titleMark), separator)
	_, err := time.Parse(titleForm, at)
	return ok && (err == nil || at == unknown)
}

// summaries rewrites the file of compactions.
func (f forgetting) summaries(body string) string {
	r := rewriter{forgetting: f, title: -1, write: plainQuotation, read: plainQuoted}
	for i, s := range segments(body) {
		r.out = append(r.out, s)
		switch k, ok := ParseTitle(s.text); {
		case strings.HasPrefix(s.text, quoteMark):
			r.quotes = append(r.quotes, i)
		case ok:
			r.settle(true)
			r.out[i].text = f.rawLine(s.text, func(next string) bool {
				again, ok := ParseTitle(next)
				return ok && again == k
			})
		default:
			if strings.HasPrefix(s.text, titleMark) {
				r.settle(true)
			}
			r.out[i].text = f.line(s.text)
		}
	}
	r.settle(true)
	return join(r.out)
}

// sessions rewrites the file of sessions: their names may be words of a person.
func (f forgetting) sessions(body string) string {
	all := segments(body)
	for i := range all {
		all[i].text = f.session(all[i].text)
	}
	return join(all)
}

func (f forgetting) session(line string) string {
	s, was, ok := ParseSession(strings.TrimRight(line, " \t"))
	if !ok {
		return f.line(line)
	}
	label, found := f.redact(s.Notes.Label)
	name, too := f.redact(s.Notes.DisplayName)
	if was == "" && (found || too) {
		s.Notes.Label, s.Notes.DisplayName = label, name
		line = SessionLine(s)
	}
	return f.rawLine(line, func(next string) bool {
		again, before, ok := ParseSession(strings.TrimRight(next, " \t"))
		return ok && before == was && reflect.DeepEqual(again, s)
	})
}
