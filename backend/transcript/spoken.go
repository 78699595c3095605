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
	Group   bool   // it was said in a group or channel
	// Forwarded says that whoever sent it did not write it.
	Forwarded bool
}

// SpokenOf takes a text apart. Before and Words together are the text, but for
// the space between them.
func SpokenOf(text string) Spoken {
	words := Unwrap(text)
	if strings.TrimSpace(words) == "" {
		return Spoken{Words: text}
	}
	s := Spoken{Words: words, Before: strings.TrimSpace(text[:len(text)-len(words)])}
	for _, b := range fenced(s.Before) {
		s.tell(b)
	}
	s.envelope()
	return s
}

// told are the names of fields that say the same thing in versions of OpenClaw
// and in its channels; the first that is there counts.
var told = struct{ sender, channel, chat []string }{
	sender:  []string{"sender", "sender_name", "sender_label", "from", "author"},
	channel: []string{"channel", "provider", "surface"},
	chat:    []string{"group_subject", "group_name", "chat_title", "conversation_label", "chat"},
}

// senderBlock are the same of a block that tells about the sender alone.
var senderBlock = append([]string{"name", "label", "username", "e164"}, told.sender...)

// tell takes what a block of metadata tells and no block before it did. Blocks
// about other messages say nothing of who wrote this one.
func (s *Spoken) tell(b block) {
	sender := told.sender
	switch head := strings.ToLower(b.head); {
	case strings.HasPrefix(head, "forwarded"):
		s.Forwarded = true
		return
	case strings.HasPrefix(head, "repl"), strings.HasPrefix(head, "thread"), strings.HasPrefix(head, "chat history"), strings.HasPrefix(head, "quoted"):
		return
	case strings.HasPrefix(head, "sender"):
		sender = senderBlock
	}
	var fields map[string]any
	if json.Unmarshal([]byte(b.body), &fields) != nil {
		return
	}
	for _, f := range []struct {
		into  *string
		names []string
	}{{&s.Sender, sender}, {&s.Channel, told.channel}, {&s.Chat, told.chat}} {
		for _, name := range f.names {
			if v, ok := fields[name].(string); ok && *f.into == "" {
				*f.into = strings.TrimSpace(v)
			}
		}
	}
	group, _ := fields["is_group_chat"].(bool)
	kind, _ := fields["chat_type"].(string)
	s.Group = s.Group || group || kind == "group" || kind == "channel" || s.Chat != ""
}

// envelope takes what the envelope of a channel tells and no block did.
func (s *Spoken) envelope() {
	at := strings.LastIndex(s.Before, "\n[")
	head, ok := channelOf(s.Before[at+1:] + " ") // the space was trimmed off
	if !ok {
		return
	}
	if s.Channel == "" {
		s.Channel = strings.ToLower(head.channel)
	}
	if s.Chat == "" && head.group {
		s.Chat = head.from
	}
	s.Group = s.Group || head.group
	if s.Sender == "" {
		s.Sender = head.sender
	}
}

// block is fenced JSON and the line before it.
type block struct{ head, body string }

const (
	fenceBegin = "```json\n"
	fenceEnd   = "\n```"
)

// fenced gives what stands in fences of JSON.
func fenced(text string) (blocks []block) {
	for {
		before, rest, ok := strings.Cut(text, fenceBegin)
		if !ok {
			return blocks
		}
		body, after, ok := strings.Cut(rest, fenceEnd)
		if !ok {
			return blocks
		}
		before = strings.TrimRight(before, "\n")
		blocks, text = append(blocks, block{strings.TrimSpace(before[strings.LastIndexByte(before, '\n')+1:]), body}), after
	}
}
