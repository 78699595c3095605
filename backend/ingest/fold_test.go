package ingest

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"tidemark/backend/memory"
	"tidemark/backend/transcript"
)

// secret is what the mask of these tests takes out.
const secret = "SECRET-0123456789-0123456789"

func maskOf(text string) string { return strings.ReplaceAll(text, secret, "•••") }

// pricer prices everything the same.
type pricer struct{}

func (pricer) Price(string, string, memory.Usage, bool) (memory.Money, memory.PriceSource) {
	return 7, memory.PriceOwn
}

func foldOf(t *testing.T) *fold {
	t.Helper()
	return &fold{scope: "home/main", texts: true, mask: maskOf, prices: pricer{}, names: newNames(nil)}
}

// TestLineHidesSecrets: wherever a secret stands in a text of any length, no
// part of it is in the line that is made, which is short and whole characters.
func TestLineHidesSecrets(t *testing.T) {
	f := foldOf(t)
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 4))
		words := func(n int) string {
			var b strings.Builder
			for b.Len() < n {
				b.WriteString([]string{"word ", "信号。 ", "🙂 ", "line\n", "a-long-name "}[r.IntN(5)])
			}
			return b.String()
		}
		text := words(r.IntN(12_000)) + secret + " " + words(r.IntN(12_000))
		line := f.line(text)
		if strings.Contains(line, "SECRET-") || strings.Contains(line, "0123456789") {
			t.Fatalf("seed %d: a secret shows: %q", seed, line)
		}
		if len(line) > maxToolText+len("…") || !utf8.ValidString(line) {
			t.Fatalf("seed %d: a line of %d bytes", seed, len(line))
		}
	}
}

func TestCutAndHead(t *testing.T) {
	for _, c := range []struct {
		text string
		n    int
		want string
	}{{"abc", 3, "abc"}, {"abcd", 3, "abc…"}, {"信号", 4, "信…"}, {"信号", 2, "…"}, {"", 0, ""}} {
		if got := cut(c.text, c.n); got != c.want {
			t.Errorf("cut %q at %d: %q, want %q", c.text, c.n, got, c.want)
		}
	}
	if got := head("one two-three", 9); got != "one " {
		t.Errorf("the first half of a word stays: %q", got)
	}
}

func TestTitleOf(t *testing.T) {
	for text, want := range map[string]string{
		"":                        "",
		"\n  \n hello \nmore":     "hello",
		"/new\nplan a trip":       "plan a trip",
		"/status":                 "",
		strings.Repeat("信", 90):   strings.Repeat("信", maxTitle) + "…",
		strings.Repeat("b", 80):   strings.Repeat("b", 80),
		"\tone line, with spaces": "one line, with spaces",
	} {
		if got := titleOf(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// TestOnce: a call is the same where id and time are, but short ids only among
// sessions of one root; installations and agents never share calls.
func TestOnce(t *testing.T) {
	long := strings.Repeat("0123456789abcdef", 2)
	base := once("home/main", "r", "abcd1234", 5)
	for name, other := range map[string]uint64{
		"another root": once("home/main", "q", "abcd1234", 5), "another id": once("home/main", "r", "abcd1235", 5),
		"another time": once("home/main", "r", "abcd1234", 6), "another agent": once("home/bot", "r", "abcd1234", 5),
	} {
		if other == base {
			t.Errorf("%s is the same call", name)
		}
	}
	if once("home/main", "r", long, 5) != once("home/main", "q", long, 5) {
		t.Error("a long id is unique whatever the root")
	}
}

// TestFoldJudges: who counts as a caller of a model, and what is background.
func TestFoldJudges(t *testing.T) {
	f := foldOf(t)
	said := func(m memory.Message, prompt transcript.Prompt) *memory.Entry {
		return f.entry("s", &memory.Event{Kind: memory.KindMessage, ID: "x", At: 5, Message: m}, memory.Place{Prompt: uint8(prompt)})
	}
	answer := memory.Message{Role: memory.RoleAssistant, Provider: "p", Model: "m", Usage: memory.Usage{Present: true, Input: 3}}
	if e := said(answer, transcript.PromptPerson); e.Call == nil || e.Call.Background || !e.Call.Reported || e.Call.Cost != 7 {
		t.Errorf("an answer: %+v", e.Call)
	}
	if e := said(answer, transcript.PromptHeartbeat); e.Call == nil || !e.Call.Background {
		t.Errorf("an answer to a wake-up: %+v", e.Call)
	}
	answer.Model = "delivery-mirror"
	if e := said(answer, transcript.PromptPerson); e.Call != nil {
		t.Errorf("a mirror called nobody: %+v", e.Call)
	}
	user := memory.Message{Role: memory.RoleUser, Text: "the key is " + secret}
	if e := said(user, transcript.PromptPerson); e.Call != nil || strings.Contains(e.Text+e.Title, "SECRET") || e.Title == "" {
		t.Errorf("what a person said: %+v", e)
	}
	if e := said(user, transcript.PromptCron); e.Title != "" {
		t.Errorf("a job names no session: %q", e.Title)
	}
	if e := said(memory.Message{Role: memory.RoleAssistant, StopReason: "error", Error: "no " + secret}, transcript.PromptPerson); !e.Call.Failed || strings.Contains(e.Text, "SECRET") {
		t.Errorf("a call that failed: %+v", e)
	}
	e := f.entry("s", &memory.Event{Kind: memory.KindCompaction, ID: "k", Compaction: memory.Compaction{Summary: "it is " + secret}}, memory.Place{})
	if strings.Contains(e.Compaction.Summary, "SECRET") {
		t.Errorf("a summary: %+v", e.Compaction)
	}
}
