package capture

import (
	"strings"
	"testing"
	"time"
)

// What is not the person's own words states nothing, and what they say beside
// it is found where it stands.
func TestOnlyOwnWords(t *testing.T) {
	const own = "I never eat meat"
	for _, c := range []struct{ name, text string }{
		{"envelope", "[Tue 2026-12-01 03:54 GMT+8] " + own},
		{"metadata", "Sender (untrusted metadata):\n```json\n{\"name\":\"Ilse always\"}\n```\n\n" + own},
		{"others before", "[Chat messages since your last reply - for context]\nLuca: I always eat fish\n\n[Current message - respond to this]\n" + own},
		{"channel", "[WhatsApp Mei +8613800000000 +2m 2026-01-18 10:00 GMT+8] " + own},
		{"fence", "```go\n// I always call close\n```\n" + own},
		{"fence behind", own + "\n```\nI always call close\n```"},
		{"open fence behind", own + "\n```\nI always call close"},
		{"quoted reply", "> I always eat fish\n" + own},
		{"reply head", "[Replying to Noor]\n> I always eat fish\n" + own},
		{"log", "2026-02-03T04:11:09Z WARN I always retry\n" + own},
		{"level", "ERROR 14:02:11 I always fail\n" + own},
		{"trace", "Traceback (most recent call last):\n  File \"a.py\", line 3\n" + own},
		{"chat", "Bo: I always ship on mondays\nKim: I never give discounts\n\n" + own},
		{"mail", own + "\n\nFrom: Gerald\nSubject: Parking\nI always park there"},
		{"forwarded", own + "\n---------- Forwarded message ---------\nI always park there"},
		{"quotation", "he said \"I always eat fish\" lol. " + own},
		{"curly quotation", "“I always eat fish” is a strange line. " + own},
		{"address", "see https://example.org/i-always-eat-fish . " + own},
		{"mask", "password [masked: password], " + own},
		{"command", "/think high\n" + own},
	} {
		t.Run(c.name, func(t *testing.T) {
			items := Find(c.text, noon)
			if len(items) != 1 || items[0].Text != own {
				t.Fatalf("Find(%q) = %v, want %q", c.text, items, own)
			}
			if from := strings.Index(c.text, own); items[0].Start != len([]rune(c.text[:from])) {
				t.Errorf("it starts at %d, want %d", items[0].Start, len([]rune(c.text[:from])))
			}
		})
	}
}

func TestQuotationsWithinARule(t *testing.T) {
	for text, want := range map[string]string{
		`always sign my mails "Best, Marit"`:     `always sign my mails "Best, Marit"`,
		"“I prefer window seats on long trips.”": "I prefer window seats on long trips",
		"发票抬头一律开「北岬手作工作室」":                       "发票抬头一律开「北岬手作工作室」",
	} {
		if got := kept(text); len(got) != 1 || got[0] != want {
			t.Errorf("Find(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestStressIsTransparent(t *testing.T) {
	for _, text := range []string{"and **never** use TypeScript", "_never_ use TypeScript", "*Never* use TypeScript"} {
		items := Find(text, noon)
		if len(items) != 1 || items[0].Tag.String() != "B" || !strings.Contains(strings.ToLower(items[0].Text), "never") {
			t.Errorf("Find(%q) = %v, want one boundary with its never", text, items)
		}
	}
}

func TestFieldsOfOnesOwnCardStay(t *testing.T) {
	if got := loaded().isField([]rune("home address")); !got {
		t.Errorf("home address is no field, want it to be one")
	}
	if got := loaded().isField([]rune("addressee")); got {
		t.Errorf("addressee is a field, want it to be none")
	}
}

func TestOffsetsCountCodePoints(t *testing.T) {
	for _, text := range []string{"😄😄 ok. I never eat meat", "\xff\xfe I never eat meat", "你好！I never eat meat"} {
		items := Find(text, noon)
		if len(items) != 1 {
			t.Fatalf("Find(%q) = %v, want one", text, items)
		}
		want := 0
		for at := range text {
			if at == strings.Index(text, "I never") {
				break
			}
			want++
		}
		if items[0].Start != want {
			t.Errorf("Find(%q): starts at %d, want %d", text, items[0].Start, want)
		}
	}
}

// TestStressed: stars around a word belong to the statement that it begins or
// ends, and change nothing of what it says.
func TestStressed(t *testing.T) {
	for text, want := range map[string]string{
		"and **never** use TypeScript":                  "**never** use TypeScript",
		"Please *always* write in **British spelling**": "*always* write in **British spelling**",
	} {
		if got := Find(text, time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)); len(got) != 1 || got[0].Text != want {
			t.Errorf("%q: %+v, want %q", text, got, want)
		}
	}
}
