package ledger

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"time"

	"tidemark/backend/memory"
)

// A line of the kept files is read by people before its comment and by us in
// it:
//
//   - W ·  prices with tax <!-- statement · id `…` · at … · sum 1a2b3c4d -->
//   - pinned:  prices with tax <!-- pin · id `…` · at … · of `…` -->
//
// Two blanks stand before the words. Viewers show them as one; where a last
// line has no end and no comment, they tell a part of a line of ours from a
// line that a person typed.
const gap = "  "

// tagMark stands behind a tag's letter, noTag in the place of one.
const (
	tagMark = " ·"
	noTag   = "?"
)

// verbs are what the lines say to a person, by kind. A statement has its tag.
var verbs = [...]string{memory.KeptStatement: "", memory.KeptRepeat: "said again", memory.KeptPin: "pinned", memory.KeptUnpin: "no longer pinned",
	memory.KeptCorrect: "corrected", memory.KeptScope: "", memory.KeptSupersede: "replaced", memory.KeptForget: "forgotten", memory.KeptUndo: "undone"}

// scopeVerbs are those of KeptScope.
var scopeVerbs = [...]string{memory.ScopeAgent: "for this agent", memory.ScopeAll: "for all agents", memory.ScopeContact: "for this contact"}

// verb is what a line says to a person, "" for a statement.
func verb(k memory.KeptLine) string {
	if k.Kind == memory.KeptScope {
		return scopeVerbs[k.Scope]
	}
	return verbs[k.Kind]
}

// wording is the part of a line that people read, behind the bullet.
func wording(k memory.KeptLine) string {
	switch v := verb(k); {
	case v != "" && k.Text == "":
		return v
	case v != "":
		return v + ":" + gap + show(k.Text, true)
	}
	return letter(k.Tag) + tagMark + gap + show(k.Text, true)
}

func letter(t memory.Tag) string {
	if t == 0 {
		return noTag
	}
	return t.String()
}

// checksum tells whether a person changed the words of a line.
func checksum(t memory.Tag, text string) string {
	sum := sha256.Sum256([]byte(t.String() + "\x00" + text))
	return hex.EncodeToString(sum[:4])
}

// KeptLine is the line of the ledger, without line feed. The kind, tag, scope
// and speaker must be ones that there are, and the id must not be empty. Agent,
// Edited and ByHand are not written.
func KeptLine(k memory.KeptLine) string { return "- " + wording(k) + " " + keptComment(k) }

func keptComment(k memory.KeptLine) string {
	c := newComment(k.Kind.String())
	c.addText("id", k.ID)
	c.add("at", stamp(k.At))
	c.add("tag", k.Tag.String())
	if k.Until != 0 {
		c.add("until", stamp(k.Until))
	}
	if k.Scope != 0 || k.Kind == memory.KeptStatement || k.Kind == memory.KeptScope {
		c.add("scope", k.Scope.String())
	}
	addSource(c, k.Speaker, k.Session, k.Entry, k.Key)
	if k.Start != 0 || k.End != 0 {
		c.add("span", fmt.Sprintf("%d..%d", k.Start, k.End))
	}
	c.addText("rule", k.Rule)
	c.addText("of", k.Of)
	c.addText("by", k.By)
	for i, f := range k.Forgotten {
		c.addText(forgottenField(i), fmt.Sprintf("%d %016x %s", f.Runes, f.Print, f.Sum))
	}
	c.add("sum", checksum(k.Tag, k.Text))
	return c.end()
}

// addSource writes who said something and where.
func addSource(c *comment, s memory.Speaker, session, entry, key string) {
	if s.Kind != 0 {
		c.add("speaker", s.Kind.String())
	}
	c.addText("name", s.Name)
	c.addText("channel", s.Channel)
	c.addText("chat", s.Chat)
	c.addText("session", session)
	c.addText("entry", entry)
	c.addText("key", key)
}

func forgottenField(i int) string { return fmt.Sprintf("words%d", i+1) }

const keptHead = `# What is kept of %s

What was said that day and is to be kept, and what was decided about it: one line
each. Edit, move or delete lines as you like. A line of your own counts too: begin
it with a dash, and where you can with W (a want), B (a boundary) or O (a fact),
like the lines below.

`

// AppendKept writes lines of an agent into the file of a day ("2026-02-24"),
// all or none. Lines that cannot be written are an error. The same line may be
// written again: lines with one id are one.
func (l *Ledger) AppendKept(agent, day string, lines []memory.KeptLine) error {
	if len(lines) == 0 {
		return nil
	}
	if _, err := time.Parse(time.DateOnly, day); err != nil {
		return fmt.Errorf("write kept statements: %w", err)
	}
	var b strings.Builder
	for _, k := range lines {
		if err := writable(k); err != nil {
			return fmt.Errorf("write kept statement %q: %w", k.ID, err)
		}
		b.WriteString(KeptLine(k) + "\n")
	}
	head := fmt.Sprintf(keptHead, day) + versionLine
	return l.append(agent, keptFolder+"/"+day+extension, kind{head, endKept}, b.String())
}

// writable says what keeps a line from being written.
func writable(k memory.KeptLine) error {
	_, kind := memory.KeptKindOf(k.Kind.String())
	switch {
	case k.ID == "":
		return fmt.Errorf("it has no id")
	case !kind || int(k.Kind) >= len(verbs):
		return fmt.Errorf("no such kind: %d", k.Kind)
	case k.Tag != 0 && k.Tag.String() == "":
		return fmt.Errorf("no such tag: %d", k.Tag)
	case int(k.Scope) >= len(scopeVerbs):
		return fmt.Errorf("no such scope: %d", k.Scope)
	case memory.SpeakerKindOf(k.Speaker.Kind.String()) != k.Speaker.Kind:
		return fmt.Errorf("no such speaker: %d", k.Speaker.Kind)
	}
	return nil
}
