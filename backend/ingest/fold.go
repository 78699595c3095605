package ingest

import (
	"hash/fnv"
	"strconv"
	"strings"
	"unicode/utf8"

	"tidemark/backend/memory"
	"tidemark/backend/tokens"
	"tidemark/backend/transcript"
)

const (
	// A person's words are what Tidemark is for; only a pasted file is longer.
	maxUserText = 256 << 10
	// A model's answer is read on screen; the whole stays in OpenClaw's file.
	maxAssistantText = 32 << 10
	// A tool's output is shown as a line.
	maxToolText = 320
	// maskAhead is how much of a tool's output is masked to make that line.
	maskAhead = 1 << 10
	// maxName bounds names that OpenClaw chooses: of tools, types and reasons.
	maxName = 120
	// longID is the length from which an entry's id is unique by itself: UUIDs
	// are, the eight hex digits of older transcripts are not.
	longID = 32
)

// Pricer prices one call. failed says that it ended in an error.
type Pricer interface {
	Price(provider, model string, u memory.Usage, failed bool) (memory.Money, memory.PriceSource)
}

// fold turns the events of one agent into entries. Its entry is overwritten by
// the next event.
type fold struct {
	scope  string // installation and agent, for hashes
	texts  bool
	mask   func(string) string
	redact func(text string, role memory.Role, at memory.Millis) string // nil: nothing was forgotten
	prices Pricer
	names  *names

	out  memory.Entry
	call memory.Call
	comp memory.Compaction
	head memory.Header
}

// entry judges one event. session is the canonical id of its session.
func (f *fold) entry(session string, ev *memory.Event, at memory.Place) *memory.Entry {
	f.out = memory.Entry{Session: session, ID: ev.ID, Kind: ev.Kind, At: ev.At, Place: at,
		Parent: ev.Parent, HasParent: ev.HasParent, Side: ev.Side, Target: ev.Target, AppendParent: ev.AppendParent}
	e := &f.out
	if ev.Kind == memory.KindUnknown {
		e.Type = f.name(ev.Type)
	}
	if ev.Kind == memory.KindCustom || ev.Kind == memory.KindCustomMessage {
		e.Target = f.name(ev.Target)
	}
	switch ev.Kind {
	case memory.KindSession:
		f.head = ev.Header
		e.Header = &f.head
	case memory.KindMessage, memory.KindCustomMessage:
		f.message(e, &ev.Message)
	case memory.KindCompaction, memory.KindReset:
		f.comp = ev.Compaction
		switch {
		case ev.Kind == memory.KindReset:
			f.comp.Summary, e.Text = "", f.name(ev.Text)
		case f.texts:
			f.comp.Summary = f.mask(f.comp.Summary)
		default:
			f.comp.Summary = ""
		}
		e.Compaction = &f.comp
	default:
		e.Text = f.line(ev.Text)
	}
	f.forget(e)
	return e
}

// forget takes out of an entry what a person had forgotten.
func (f *fold) forget(e *memory.Entry) {
	if f.redact == nil {
		return
	}
	for _, text := range []*string{&e.Text, &e.Title} {
		*text = f.redact(*text, e.Role, e.At)
	}
	if e.Compaction != nil {
		e.Compaction.Summary = f.redact(e.Compaction.Summary, e.Role, e.At)
	}
}

// line makes a line of a text of any length. Of a long text its beginning is
// masked, and more of it where marks took the place of what was there.
func (f *fold) line(text string) string {
	for _, window := range [...]int{maskAhead, 8 * maskAhead} {
		if len(text) <= window {
			break
		}
		if masked := f.mask(head(text, window)); len(masked) >= maxToolText {
			return cut(masked, maxToolText)
		}
	}
	if window := 8 * maskAhead; len(text) > window {
		return cut(f.mask(head(text, window)), maxToolText-len("…")) + "…"
	}
	return cut(f.mask(text), maxToolText)
}

// head gives the beginning of a text up to the last word that ends within n
// bytes: the first half of a secret must not be taken for none.
func head(text string, n int) string {
	for n > 0 && text[n-1] > ' ' && text[n-1] < utf8.RuneSelf {
		n--
	}
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return text[:n]
}

// name bounds what is a word by nature but is written by somebody else.
func (f *fold) name(s string) string {
	if len(s) < 4 { // no secret, and the names of most entries
		return s
	}
	return cut(f.mask(s), maxName)
}

func (f *fold) message(e *memory.Entry, m *memory.Message) {
	e.Role, e.Tool, e.ToolCallID, e.IsError, e.StopReason = m.Role, f.name(m.ToolName), m.ToolCallID, m.IsError, m.StopReason
	e.Images, e.ImageBytes, e.Owner, e.Mirror = m.Images, m.ImageBytes, m.SenderIsOwner, m.MirrorIdentity
	if f.texts {
		f.text(e, m)
	}
	if m.Role != memory.RoleAssistant || transcript.Mirror(m) {
		return
	}
	failed := m.StopReason == "error" || m.StopReason == "aborted"
	f.call = memory.Call{Provider: m.Provider, Model: m.Model, Usage: m.Usage, Failed: failed,
		Reported:   m.Usage.Present && (m.Usage.Invalid || m.Usage.Tokens() > 0),
		Background: transcript.Prompt(e.Place.Prompt).Background(),
		Once:       once(f.scope, f.names.rootOf(e.Session), e.ID, e.At)}
	f.call.Cost, f.call.Price = f.prices.Price(m.Provider, m.Model, m.Usage, failed)
	e.Call = &f.call
}

// text keeps what is to be kept of a message's text.
func (f *fold) text(e *memory.Entry, m *memory.Message) {
	text := m.Text
	if text == "" && m.Error != "" {
		text = m.Error
	}
	e.TextTokens = tokens.Estimate(text)
	switch m.Role {
	case memory.RoleUser:
		e.Text = cut(f.mask(text), maxUserText)
		if transcript.Prompt(e.Place.Prompt) == transcript.PromptPerson {
			e.Title = titleOf(transcript.Unwrap(e.Text))
		}
	case memory.RoleAssistant:
		for _, c := range m.ToolCalls {
			e.TextTokens += tokens.Estimate(c.Arguments)
			if e.Tool != "" {
				e.Tool += ", "
			}
			if len(e.Tool) < maxToolText {
				e.Tool += f.name(c.Name)
			}
		}
		e.Text = cut(f.mask(text), maxAssistantText)
	default:
		e.Text = f.line(text)
	}
}

// maxTitle is how much of a person's words names a session on screen, in
// characters.
const maxTitle = 80

// titleOf gives the first line of a text that says something.
func titleOf(text string) string {
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line == "" || strings.HasPrefix(line, "/") {
			continue
		}
		if r := []rune(line); len(r) > maxTitle {
			return string(r[:maxTitle]) + "…"
		}
		return line
	}
	return ""
}

// cut bounds a text to n bytes, with a mark, without splitting a character.
func cut(text string, n int) string {
	if len(text) <= n {
		return text
	}
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return text[:n] + "…"
}

// once gives what is equal for copies of one call. A copy has the id and the
// time of the original; short ids are only compared among sessions of which
// one was made from the other: those with the same root.
func once(scope, root, id string, at memory.Millis) uint64 {
	h := fnv.New64a()
	write := func(s string) {
		h.Write([]byte(s))
		h.Write([]byte{0})
	}
	write(scope)
	if len(id) < longID {
		write(root)
	}
	write(id)
	write(strconv.FormatInt(int64(at), 36))
	return h.Sum64()
}
