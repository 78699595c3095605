package capture

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"

	"tidemark/backend/memory"
)

// Labelled is a message with what a person says is stated in it.
type Labelled struct {
	ID     string     `json:"id"`
	Lang   string     `json:"lang"`
	Text   string     `json:"text"`
	Expect []Expected `json:"expect"`
	// Note says which other tags are fair ("alt=O", "first alt=O", "second item
	// alt=B"), that neighbours "may be merged", and that a "secret" is in it.
	Note string `json:"note"`
	// Secrets are parts of Text that no item may hold, beside those that a note
	// tells of.
	Secrets []string `json:"secrets,omitempty"`
}

// Expected is a statement that is to be found.
type Expected struct {
	Tag  string `json:"tag"`
	Span string `json:"span"`
}

// longestLabelled bounds a line of a file of labelled messages, in bytes.
const longestLabelled = 4 << 20

// ReadLabelled reads messages, one JSON object a line. Empty lines are skipped;
// an error names the line.
func ReadLabelled(r io.Reader) ([]Labelled, error) {
	var all []Labelled
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, longestLabelled)
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(strings.TrimPrefix(lines.Text(), "\ufeff"))
		if line == "" {
			continue
		}
		var l Labelled
		if err := json.Unmarshal([]byte(line), &l); err != nil {
			return nil, fmt.Errorf("read labelled messages: line %d: %w", n, err)
		}
		if err := l.check(); err != nil {
			return nil, fmt.Errorf("read labelled messages: line %d: %w", n, err)
		}
		all = append(all, l)
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("read labelled messages: %w", err)
	}
	return all, nil
}

func (l *Labelled) check() error {
	if l.ID == "" {
		return errors.New("no id")
	}
	for _, e := range l.Expect {
		if _, ok := memory.TagOf(e.Tag); !ok {
			return fmt.Errorf("tag %q is none", e.Tag)
		}
		if e.Span == "" || !strings.Contains(l.Text, e.Span) {
			return fmt.Errorf("span %q is not in the text", e.Span)
		}
	}
	return nil
}

var (
	altNote = regexp.MustCompile(`(?:\b(first|second|third|fourth)(?: item)? )?alt=([WBO](?:[/,|][WBO])*)(?: for the (first|second|third|fourth))?`)
	places  = map[string]int{"first": 0, "second": 1, "third": 2, "fourth": 3}
	// secretShape finds what the labelled secrets look like: they are invented
	// and say so, or are codes of digits behind the word.
	secretShape = regexp.MustCompile(`(?i)[\w-]*(?:example|not-real|fake|demo)[\w-]*\d[\w-]*|\b\d{6}\b`)
)

// accepts gives the tags that are fair for the expected statement i.
func (l *Labelled) accepts(i int) string {
	tags := l.Expect[i].Tag
	for _, m := range altNote.FindAllStringSubmatch(l.Note, -1) {
		if place := m[1] + m[3]; place == "" || places[place] == i {
			tags += m[2]
		}
	}
	return tags
}

// merges says that neighbours of different tags may be one item.
func (l *Labelled) merges() bool { return strings.Contains(l.Note, "may be merged") }

// secrets gives what no item may hold.
func (l *Labelled) secrets() []string {
	list := l.Secrets
	if strings.Contains(l.Note, "secret") {
		list = append(list[:len(list):len(list)], secretShape.FindAllString(l.Text, -1)...)
	}
	return list
}
