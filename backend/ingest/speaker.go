package ingest

import (
	"cmp"
	"strings"

	"tidemark/backend/memory"
	"tidemark/backend/transcript"
)

// SpeakerOf tells who said something: from the key of the session ("" where it
// is not known), from what the gateway says of the sender, and from what stands
// before the words. Only what is surely the owner's is given to the owner.
func SpeakerOf(key string, owner memory.Tri, said transcript.Spoken) memory.Speaker {
	place := placeOf(key)
	s := memory.Speaker{Name: cmp.Or(said.Sender, place.peer), Channel: cmp.Or(said.Channel, place.channel), Chat: cmp.Or(said.Chat, place.chat)}
	switch {
	case owner == memory.Yes:
		s.Kind = memory.SpeakerOwner
	case owner == memory.No, place.group, said.Group, place.peer != "":
		if s.Name != "" {
			s.Kind = memory.SpeakerContact
		}
	case key == "" && said.Sender != "":
		// It came over a channel, and nobody can tell whose conversation it was.
	default:
		s.Kind = memory.SpeakerOwner
	}
	return s
}

// place is what the key of a session tells of where it is.
type place struct {
	channel string
	peer    string // whom a direct conversation is with
	chat    string // id of a group
	group   bool
}

// placeOf reads the key of a session: "agent:main:main",
// "agent:main:telegram:group:-100", "agent:main:whatsapp:direct:+86138",
// "agent:main:telegram:work:direct:77:thread:9".
func placeOf(key string) (p place) {
	parts := strings.Split(key, ":")
	if len(parts) > 2 && parts[0] == "agent" {
		parts = parts[2:]
	}
	for n, part := range parts {
		var into *string
		switch part {
		case "group", "channel", "room":
			into, p.group = &p.chat, true
		case "direct", "dm":
			into = &p.peer
		default:
			continue
		}
		if n > 0 {
			p.channel = parts[0]
		}
		if n+1 < len(parts) {
			rest := strings.Join(parts[n+1:], ":")
			for _, behind := range []string{":thread:", ":topic:"} {
				rest, _, _ = strings.Cut(rest, behind)
			}
			*into = rest
		}
		return p
	}
	return p
}
