package transcript

import (
	"strings"
	"testing"
)

const group = "Conversation info: ⟦openclaw:ctx⟧\n```json\n{\"message_id\":\"1\",\"channel\":\"wechat\",\"group_subject\":\"青螺窑·老友群\",\"sender\":\"景行\"}\n```\n\n"

func TestSpokenOf(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want Spoken
	}{
		"plain":      {"好的不急", Spoken{Words: "好的不急"}},
		"empty":      {"", Spoken{}},
		"a time":     {"[Tue 2026-12-01 03:54 GMT+8] 别半夜推东西给我", Spoken{Words: "别半夜推东西给我", Before: "[Tue 2026-12-01 03:54 GMT+8]"}},
		"a group":    {group + "热的，喜欢捧着", Spoken{Words: "热的，喜欢捧着", Before: strings.TrimSpace(group), Sender: "景行", Channel: "wechat", Chat: "青螺窑·老友群", Group: true}},
		"others too": {group + "[Chat messages since your last reply - for context]\n老顾: 好看\n\n[Current message - respond to this]\n热的", Spoken{Words: "热的", Before: group + "[Chat messages since your last reply - for context]\n老顾: 好看\n\n[Current message - respond to this]", Sender: "景行", Channel: "wechat", Chat: "青螺窑·老友群", Group: true}},
		"only told":  {group, Spoken{Words: group}},
		"no names":   {"Sender (untrusted metadata):\n```json\n{\"sender\": 7, \"channel\": null}\n```\n\nhello", Spoken{Words: "hello", Before: "Sender (untrusted metadata):\n```json\n{\"sender\": 7, \"channel\": null}\n```"}},
		"broken":     {"Sender (untrusted metadata):\n```json\n{\"sender\n```\n\nhello", Spoken{Words: "hello", Before: "Sender (untrusted metadata):\n```json\n{\"sender\n```"}},
		"code":       {"look:\n```json\n{\"sender\":\"x\"}\n```", Spoken{Words: "look:\n```json\n{\"sender\":\"x\"}\n```"}},
		"a reply": {"Sender (untrusted metadata):\n```json\n{\"label\":\"Mei (7)\",\"name\":\"Mei\"}\n```\n\nReplied message (untrusted, for context):\n```json\n{\"sender_label\":\"Bo\"}\n```\n\nyes", Spoken{Words: "yes",
			Before: "Sender (untrusted metadata):\n```json\n{\"label\":\"Mei (7)\",\"name\":\"Mei\"}\n```\n\nReplied message (untrusted, for context):\n```json\n{\"sender_label\":\"Bo\"}\n```", Sender: "Mei"}},
		"forwarded": {"Forwarded message context (untrusted metadata):\n```json\n{\"from\":\"Bo\"}\n```\n\nnever mind", Spoken{Words: "never mind",
			Before: "Forwarded message context (untrusted metadata):\n```json\n{\"from\":\"Bo\"}\n```", Forwarded: true}},
		"over a channel": {"[WhatsApp Mei +8613800000000 +2m 2026-01-18 10:00 GMT+8] 别半夜发", Spoken{Words: "别半夜发", Before: "[WhatsApp Mei +8613800000000 +2m 2026-01-18 10:00 GMT+8]", Sender: "Mei +8613800000000", Channel: "whatsapp"}},
		"over a group":   {"[Telegram Potters id:-100123 2026-01-18T10:00Z] Mei: no calls", Spoken{Words: "no calls", Before: "[Telegram Potters id:-100123 2026-01-18T10:00Z] Mei:", Sender: "Mei", Channel: "telegram", Chat: "Potters", Group: true}},
		"with a picture": {"[media attached: /m/1.jpg (image/jpeg)]\nTo send an image back, prefer the message tool (media/path).\nthis one", Spoken{Words: "this one", Before: "[media attached: /m/1.jpg (image/jpeg)]\nTo send an image back, prefer the message tool (media/path)."}},
		"injected":       {"<injected-by-probe>remembered</injected-by-probe>\n\nlocal run", Spoken{Words: "local run", Before: "<injected-by-probe>remembered</injected-by-probe>"}},
	} {
		if got := SpokenOf(c.text); got != c.want {
			t.Errorf("%s: got %+v, want %+v", name, got, c.want)
		}
	}
}

// FuzzSpokenOf: nothing of a text is lost but space, and nothing is made up.
func FuzzSpokenOf(f *testing.F) {
	for _, s := range []string{"", "x", group + "y", "[Tue 2026-12-01 03:54 GMT+8] z", "System: [2026-11-30 21:26:17 UTC] e\n\nw", "```json\n", "<a-b>c</a-b> d", "[Telegram Potters id:-1 2026-01-18T10:00Z] Mei: no", "[media attached: x]\ny"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s := SpokenOf(text)
		squeeze := func(s string) string { return strings.Join(strings.Fields(s), "") }
		if squeeze(s.Before+s.Words) != squeeze(text) {
			t.Errorf("%q became %q and %q", text, s.Before, s.Words)
		}
		if !strings.HasSuffix(text, s.Words) {
			t.Errorf("the words %q are not the end of %q", s.Words, text)
		}
	})
}
