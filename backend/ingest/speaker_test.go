package ingest

import (
	"testing"

	"tidemark/backend/memory"
	"tidemark/backend/transcript"
)

func TestSpeakerOf(t *testing.T) {
	mei := transcript.Spoken{Sender: "Mei", Channel: "telegram"}
	group := transcript.Spoken{Sender: "Mei", Channel: "telegram", Chat: "Potters", Group: true}
	for name, c := range map[string]struct {
		key   string
		owner memory.Tri
		said  transcript.Spoken
		want  memory.Speaker
	}{
		"the main session":            {"agent:main:main", memory.Unknown, transcript.Spoken{}, memory.Speaker{Kind: memory.SpeakerOwner}},
		"a short key":                 {"main", memory.Unknown, transcript.Spoken{}, memory.Speaker{Kind: memory.SpeakerOwner}},
		"a key of another program":    {"agent:main:openai:7f", memory.Unknown, transcript.Spoken{}, memory.Speaker{Kind: memory.SpeakerOwner}},
		"no key and no envelope":      {"", memory.Unknown, transcript.Spoken{}, memory.Speaker{Kind: memory.SpeakerOwner}},
		"no key, over a channel":      {"", memory.Unknown, mei, memory.Speaker{Kind: memory.SpeakerUnknown, Name: "Mei", Channel: "telegram"}},
		"no key, in a group":          {"", memory.Unknown, group, memory.Speaker{Kind: memory.SpeakerContact, Name: "Mei", Channel: "telegram", Chat: "Potters"}},
		"the main session, a channel": {"agent:main:main", memory.Unknown, mei, memory.Speaker{Kind: memory.SpeakerOwner, Name: "Mei", Channel: "telegram"}},
		"surely the owner":            {"agent:main:telegram:group:-100", memory.Yes, group, memory.Speaker{Kind: memory.SpeakerOwner, Name: "Mei", Channel: "telegram", Chat: "Potters"}},
		"surely not the owner":        {"agent:main:main", memory.No, mei, memory.Speaker{Kind: memory.SpeakerContact, Name: "Mei", Channel: "telegram"}},
		"not the owner, nameless":     {"agent:main:main", memory.No, transcript.Spoken{}, memory.Speaker{}},
		"a group":                     {"agent:main:telegram:group:-100", memory.Unknown, mei, memory.Speaker{Kind: memory.SpeakerContact, Name: "Mei", Channel: "telegram", Chat: "-100"}},
		"a group, nameless":           {"agent:main:telegram:group:-100", memory.Unknown, transcript.Spoken{}, memory.Speaker{Channel: "telegram", Chat: "-100"}},
		"a channel":                   {"agent:ops:slack:channel:c7:thread:9", memory.Unknown, mei, memory.Speaker{Kind: memory.SpeakerContact, Name: "Mei", Channel: "telegram", Chat: "c7"}},
		"a direct conversation":       {"agent:main:whatsapp:direct:+86138", memory.Unknown, transcript.Spoken{}, memory.Speaker{Kind: memory.SpeakerContact, Name: "+86138", Channel: "whatsapp"}},
		"an older direct one":         {"agent:main:whatsapp:dm:+86138", memory.Unknown, mei, memory.Speaker{Kind: memory.SpeakerContact, Name: "Mei", Channel: "telegram"}},
		"with an account":             {"agent:main:telegram:work:direct:77:topic:1", memory.Unknown, transcript.Spoken{}, memory.Speaker{Kind: memory.SpeakerContact, Name: "77", Channel: "telegram"}},
		"one peer, any channel":       {"agent:main:direct:mei", memory.Unknown, transcript.Spoken{}, memory.Speaker{Kind: memory.SpeakerContact, Name: "mei"}},
	} {
		if got := SpeakerOf(c.key, c.owner, c.said); got != c.want {
			t.Errorf("%s: got %+v, want %+v", name, got, c.want)
		}
	}
}
