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
		"a group":    {group + "热的，喜欢捧着", Spoken{Words: "热的，喜欢捧着", Before: strings.TrimSpace(group), Sender: "景行", Channel: "wechat", Chat: "青螺窑·老友群"}},
		"others too": {group + "[Chat messages since your last reply - for context]\n老顾: 好看\n\n[Current message - respond to this]\n热的", Spoken{Words: "热的", Before: group + "[Chat messages since your last reply - for context]\n老顾: 好看\n\n[Current message - respond to this]", Sender: "景行", Channel: "wechat", Chat: "青螺窑·老友群"}},
		"only told":  {group, Spoken{Words: group}},
		"no names":   {"Sender (untrusted metadata):\n```json\n{\"sender\": 7, \"channel\": null}\n```\n\nhello", Spoken{Words: "hello", Before: "Sender (untrusted metadata):\n```json\n{\"sender\": 7, \"channel\": null}\n```"}},
		"broken":     {"Sender (untrusted metadata):\n```json\n{\"sender\n```\n\nhello", Spoken{Words: "hello", Before: "Sender (untrusted metadata):\n```json\n{\"sender\n```"}},
		"code":       {"look:\n```json\n{\"sender\":\"x\"}\n```", Spoken{Words: "look:\n```json\n{\"sender\":\"x\"}\n```"}},
		"injected":   {"<injected-by-probe>remembered</injected-by-probe>\n\nlocal run", Spoken{Words: "local run", Before: "<injected-by-probe>remembered</injected-by-probe>"}},
	} {
		if got := SpokenOf(c.text); got != c.want {
			t.Errorf("%s: got %+v, want %+v", name, got, c.want)
		}
	}
}

// FuzzSpokenOf: nothing of a text is lost but space, and nothing is made up.
func FuzzSpokenOf(f *testing.F) {
	for _, s := range []string{"", "x", group + "y", "[Tue 2026-12-01 03:54 GMT+8] z", "System: [2026-11-30 21:26:17 UTC] e\n\nw", "```json\n", "<a-b>c</a-b> d"} {
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
