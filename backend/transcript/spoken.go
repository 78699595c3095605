package transcript

import (
	"encoding/json"
	"strings"
)

// Spoken is what a text of role user says, taken apart: the words of whoever
// wrote it, what OpenClaw put before them, and who that was and where, as far
// as what stands before tells.
type Spoken struct {
	Words   string // the whole text where nothing of it is told from the rest
	Before  string // "" where nothing was put before
	Sender  string // the name as it is written, "" where it is not told
	Channel string // telegram, wechat, …
	Chat    string // of a group
}

// SpokenOf takes a text apart. Before and Words together are the text, but for
// the space between them.
func SpokenOf(text string) Spoken {
	words := Unwrap(text)
	if strings.TrimSpace(words) == "" {
		return Spoken{Words: text}
	}
	s := Spoken{Words: words, Before: strings.TrimSpace(text[:len(text)-len(words)])}
	for _, block := range fenced(s.Before) {
		s.tell(block)
	}
	return s
}

// told are the names of fields that say the same thing in versions of OpenClaw
// and in its channels; the first that is there counts.
var told = struct{ sender, channel, chat []string }{
	sender:  []string{"sender", "sender_name", "sender_label", "from", "author"},
	channel: []string{"channel", "provider", "surface"},
	chat:    []string{"group_subject", "group_name", "chat_title", "conversation_label", "chat"},
}

// tell takes what a block of metadata tells and no block before it did.
func (s *Spoken) tell(block string) {
	var fields map[string]any
	if json.Unmarshal([]byte(block), &fields) != nil {
		return
	}
	for _, f := range []struct {
		into  *string
		names []string
	}{{&s.Sender, told.sender}, {&s.Channel, told.channel}, {&s.Chat, told.chat}} {
		for _, name := range f.names {
			if v, ok := fields[name].(string); ok && *f.into == "" {
				*f.into = strings.TrimSpace(v)
			}
		}
	}
}

const (
	fenceBegin = "```json\n"
	fenceEnd   = "\n```"
)

// fenced gives what stands in fences of JSON.
func fenced(text string) (blocks []string) {
	for {
		_, rest, ok := strings.Cut(text, fenceBegin)
		if !ok {
			return blocks
		}
		block, after, ok := strings.Cut(rest, fenceEnd)
		if !ok {
			return blocks
		}
		blocks, text = append(blocks, block), after
	}
}
