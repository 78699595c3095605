package ledger

import (
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"strings"
	"time"
	"unicode"

	"tidemark/backend/memory"
)

// Rewrite removes what is to be forgotten from the ledger of an agent: the one
// exception to its being appended to only. redact gives a text without the
// words in question, and whether they stood in it; it is asked about every text
// of the ledger, and about lines as they stand in the files, so that the words
// go from a person's notes too. drop says which kept lines go altogether. Both
// must answer the same for the same. Parts of lines and messages that were
// never written whole go as well: words that were cut are found by nobody. All
// other lines keep their bytes.
//
// The tombstones, which must have a time, are written and synced first; then
// the file of each month, the compactions, the sessions and the kept files
// are put anew in the place of the old ones, each in one step; kept lines that
// go altogether go last of all. Stopped at any moment, or by an error, it leaves
// whole files; where a kept line that a tombstone is about still stands it did
// not finish, and calling it again does. Tombstones that are there already are
// not written twice.
func (l *Ledger) Rewrite(agent string, redact func(text string) (string, bool), drop func(memory.KeptLine) bool, tombstones []memory.KeptLine) error {
	if err := l.Tidy(agent); err != nil {
		return err
	}
	if err := l.bury(agent, tombstones); err != nil {
		return err
	}
	l.step("tombstones")
	f := newForgetting(agent, redact, drop, tombstones)
	if err := l.replaceAll(agent, saidFolder, func(_, body string) string { return f.messages(body) }); err != nil {
		return err
	}
	if err := l.replace(l.path(agent, compactionFile), f.summaries); err != nil {
		return err
	}
	if err := l.replace(l.path(agent, sessionFile), f.sessions); err != nil {
		return err
	}
	first := f
	first.spare = true
	if err := l.replaceAll(agent, keptFolder, first.kept); err != nil {
		return err
	}
	return l.replaceAll(agent, keptFolder, f.kept)
}

// replaceAll is replace for every file of a folder; change is told its name. A
// file that cannot be replaced does not keep the others from it.
func (l *Ledger) replaceAll(agent, folder string, change func(name, body string) string) error {
	names, failed := l.names(agent, folder)
	for _, name := range names {
		failed = errors.Join(failed, l.replace(l.path(agent, filepath.Join(folder, name)), func(body string) string { return change(name, body) }))
	}
	return failed
}

// bury appends the tombstones that are not there yet, each into the file of its
// day in UTC.
func (l *Ledger) bury(agent string, tombstones []memory.KeptLine) error {
	kept, err := l.Kept(agent)
	if err != nil {
		return err
	}
	there := map[string]bool{}
	for _, k := range kept.Lines {
		there[k.ID] = true
	}
	for _, t := range tombstones {
		if t.At == 0 || t.At < earliest || t.At > latest {
			return fmt.Errorf("write tombstone %q: it has no time", t.ID)
		}
		if there[t.ID] {
			continue
		}
		if err := l.AppendKept(agent, t.At.Time().Format(time.DateOnly), []memory.KeptLine{t}); err != nil {
			return err
		}
	}
	return nil
}

// sumField begins the field with the checksum.
const sumField = separator + "sum "

// forgetting rewrites the contents of files.
type forgetting struct {
	agent  string
	redact func(text string) (string, bool)
	drop   func(memory.KeptLine) bool
	tombs  map[string]bool // ids of lines that stay
	spare  bool            // leaves the lines that drop is about as they are
}

func newForgetting(agent string, redact func(string) (string, bool), drop func(memory.KeptLine) bool, tombstones []memory.KeptLine) forgetting {
	f := forgetting{agent: agent, drop: drop, tombs: map[string]bool{}}
	f.redact = func(text string) (string, bool) {
		if redact != nil {
			if next, found := redact(text); found {
				return next, true
			}
		}
		return text, false
	}
	if drop == nil {
		f.drop = func(memory.KeptLine) bool { return false }
	}
	for _, t := range tombstones {
		f.tombs[t.ID] = true
	}
	return f
}

// line takes the words out of a line as it stands in the file, also where they
// are written with escapes.
func (f forgetting) line(text string) string {
	if strings.TrimSpace(text) == strings.TrimSpace(versionLine) {
		return text
	}
	if next, found := f.redact(text); found {
		text = oneLine.Replace(next)
	}
	if plain := unshow(text, true); plain != text {
		if next, found := f.redact(plain); found {
			text = show(next, true)
		}
	}
	return text
}

// rawLine takes the words out of a line that says something to us, where it
// says the same without them: a short word may also be the name of a field.
func (f forgetting) rawLine(text string, same func(next string) bool) string {
	next, found := f.redact(text)
	if next = oneLine.Replace(next); found && same(next) {
		return next
	}
	return text
}

// oneLine makes one line of a text.
var oneLine = strings.NewReplacer("\r\n", " ", "\n", " ", "\r", " ")

// kept rewrites a kept file.
func (f forgetting) kept(name, body string) string {
	var out []segment
	for _, s := range segments(body) {
		if s.end == "" && isPart(s.text) {
			continue
		}
		text, stays := f.keptLine(s.text, dayOf(name))
		if stays {
			out = append(out, segment{text, s.end})
		}
	}
	return join(out)
}

func (f forgetting) keptLine(line string, day memory.Millis) (text string, stays bool) {
	k, p, w := parseKept(line, day)
	k.Agent = f.agent
	switch {
	case w == partLine:
		return "", false
	case w == damaged:
		return line, f.line(line) == line && f.line(p.shown) == p.shown
	case w == prose:
		return f.line(line), true
	case k.Kind == memory.KeptForget && f.tombs[k.ID]:
		return line, true
	case f.drop(k):
		return line, f.spare
	}
	next, found := f.redact(k.Text)
	if !found {
		return f.rawLine(line, func(next string) bool { // a person's note may stand in a comment of its own
			again, _, w := parseKept(next, day)
			again.Agent = f.agent
			return w == record && reflect.DeepEqual(again, k)
		}), true
	}
	if blank(next) && (k.Kind == memory.KeptStatement || k.Kind == memory.KeptRepeat || k.Kind == memory.KeptCorrect) {
		return "", false
	}
	k.Text = next
	return reworded(k, p.comment), true
}

// reworded is a line with other words and the comment that it had, so that what
// a later version of the ledger wrote there stays.
func reworded(k memory.KeptLine, comment string) string {
	if comment == "" { // by hand
		return "- " + letter(k.Tag) + tagMark + " " + show(k.Text, true)
	}
	if !k.Edited {
		comment = resummed(comment, checksum(k.Tag, k.Text))
	}
	return "- " + wording(k) + " " + commentMark + " " + comment + " " + commentEnd
}

// resummed is a comment with another checksum.
func resummed(comment, sum string) string {
	parts := strings.Split(comment, "`") // every other one is a quoted value
	for i := 0; i < len(parts); i += 2 {
		before, rest, ok := strings.Cut(parts[i], sumField)
		if !ok {
			continue
		}
		_, later, more := strings.Cut(rest, separator)
		if parts[i] = before + sumField + sum; more {
			parts[i] += separator + later
		}
	}
	return strings.Join(parts, "`")
}

// blank says that a text has no words.
func blank(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
}
