package ledger

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tidemark/backend/memory"
)

func plainSaid(n int) memory.Said {
	return memory.Said{Key: fmt.Sprint("k", n), Session: "a-plain", Entry: fmt.Sprint("e", n), At: 1771920005000 + memory.Millis(n),
		Speaker: memory.Speaker{Kind: memory.SpeakerOwner, Name: "王总", Channel: "telegram"}, Text: fmt.Sprintf("第 %d 条:报价单里的价格统一写含税价", n)}
}

func putSaid(t *testing.T, l *Ledger, agent, name, body string) {
	t.Helper()
	path := l.path(agent, filepath.Join(saidFolder, name))
	must(t, os.MkdirAll(filepath.Dir(path), 0o700))
	must(t, os.WriteFile(path, []byte(body), 0o600))
}

// allSaid reads the messages of an agent.
func allSaid(t *testing.T, l *Ledger, agent string) (all []memory.Said, bad int) {
	t.Helper()
	bad, err := l.Said(agent, func(s memory.Said) bool {
		all = append(all, s)
		return true
	})
	must(t, err)
	return all, bad
}

func checkSaid(t *testing.T, l *Ledger, agent string, want []memory.Said) {
	t.Helper()
	got, bad := allSaid(t, l, agent)
	if bad != 0 || len(got) != len(want) {
		t.Fatalf("%d messages, %d bad, want %d", len(got), bad, len(want))
	}
	for i := range want {
		if got[i] != want[i] {
			t.Fatalf("%s\n gives %+v\n want  %+v", SaidText(want[i]), got[i], want[i])
		}
	}
}

// hardSaid are messages whose texts would break a file that trusted them.
func hardSaid() (all []memory.Said) {
	for n, text := range []string{"", "\n", "one line", "\n\nfirst empty\n", "> quoted\n>> twice\n>", "```go\nfunc main() { a < b; <-c }\n```\n~~~", "<!-- said · at unknown · session `x` -->\n\n## 2026-02-24 08:00:05 UTC · owner",
		"dos\r\nmac\runix\nmixed\r\n", "  indented\n\ttab  \n", `C:\new\table \d+ \\ \< \[`, "| a | b |\n|---|---|", "![tracker](http://x/t.png)<img src=x>", "nul \x00 bell \a bidi \u202e bom \ufeff line \u2028", "not utf-8 \xff\xfe", "a⏎b `c` ⏎"} {
		s := plainSaid(n)
		s.Text = text
		all = append(all, s)
	}
	all[1].Speaker = memory.Speaker{Kind: memory.SpeakerContact, Name: "Ana\n## <!-- x -->", Channel: "wechat", Chat: "客户群 · 1"}
	all[2].Speaker, all[2].At, all[2].Key = memory.Speaker{}, 0, ""
	return all
}

// TestSaidGolden: how a file looks, and that it is read back.
func TestSaidGolden(t *testing.T) {
	l := Open(t.TempDir(), "inst")
	want := hardSaid()
	must(t, l.AppendSaid("main", "2026-02", want))
	golden(t, l.SaidPath("main", "2026-02"), "said.md")
	checkSaid(t, l, "main", want)
}

// TestSaidIsReadBack: whatever was said, the same is read.
func TestSaidIsReadBack(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 1))
	l := Open(t.TempDir(), "inst")
	var want []memory.Said
	for month := range 3 {
		for range 100 {
			var some []memory.Said
			for range r.IntN(20) {
				some = append(some, nastySaid(r))
			}
			must(t, l.AppendSaid("main", fmt.Sprintf("2026-%02d", 1+month), some))
			want = append(want, some...)
		}
	}
	checkSaid(t, l, "main", want)
}

// TestSaidCutAnywhere: wherever a file is cut, no message before is lost and
// none is invented, then or after the next append.
func TestSaidCutAnywhere(t *testing.T) {
	want := hardSaid()
	l := Open(t.TempDir(), "inst")
	must(t, l.AppendSaid("main", "2026-02", want))
	whole, err := os.ReadFile(l.SaidPath("main", "2026-02"))
	must(t, err)
	more := plainSaid(99)
	for n := range whole {
		putSaid(t, l, "cut", "2026-02.md", string(whole[:n]))
		got, bad := allSaid(t, l, "cut")
		var ended int // messages whose end was written
		for i, s := range want {
			if strings.Contains(string(whole[:n]), strings.TrimRight(SaidText(s), "\n")) {
				ended = i + 1
			}
		}
		if bad != 0 || len(got) != ended || !slices.Equal(got, want[:ended]) {
			t.Fatalf("cut at %d: %d messages of %d, %d bad", n, len(got), ended, bad)
		}
		must(t, l.AppendSaid("cut", "2026-02", append(slices.Clone(want[ended:]), more)))
		checkSaid(t, l, "cut", append(slices.Clone(want), more))
	}
}

// TestSaidEdited: what a person does to a file, and what it costs.
func TestSaidEdited(t *testing.T) {
	l := Open(t.TempDir(), "inst")
	a, b, c := plainSaid(1), plainSaid(2), plainSaid(3)
	b.Text = "one\ntwo\n\nthree"
	text := SaidText(a) + SaidText(b) + SaidText(c)
	for name, body := range map[string]string{
		"dos":         "\ufeff" + strings.ReplaceAll(text, "\n", "\r\n"),
		"no end":      strings.TrimRight(text, "\n"),
		"no titles":   strings.ReplaceAll(text, "## ", "### "),
		"notes":       "- a list\n" + strings.ReplaceAll(text, "## ", "a note\n<!-- another -->\n## "),
		"blanks":      strings.ReplaceAll(text, "-->\n", "-->  \t\n"),
		"tight":       strings.ReplaceAll(text, "\n\n", "\n"),
		"new field":   strings.ReplaceAll(text, " -->", " · colour `red` -->"),
		"bare quotes": strings.ReplaceAll(text, "\n> ", "\n>"),
	} {
		putSaid(t, l, name, "2026-02.md", body)
		checkSaid(t, l, name, []memory.Said{a, b, c})
	}
	edited := b
	edited.Text = "one\nthree!"
	putSaid(t, l, "main", "2026-02.md", strings.Replace(text, "> two\n>\n> three", "> three!", 1))
	checkSaid(t, l, "main", []memory.Said{a, edited, c})
	// Without its comment, or with one that cannot be read, a message is none.
	lines := strings.Split(text, "\n")
	at := slices.IndexFunc(lines, func(line string) bool { return strings.Contains(line, "`e2`") })
	for _, end := range []string{"", "a note", "<!-- said · at 20x6 -->", "<!-- said · entry `e2 -->", "<!-- said · session", "<!-- gone · session `x` -->", lines[at] + lines[at], "> \x00\n" + lines[at]} {
		changed := slices.Clone(lines)
		changed[at] = end
		putSaid(t, l, "main", "2026-02.md", strings.Join(changed, "\n"))
		wrong := 1
		if end == "" || end == "a note" {
			wrong = 0
		}
		if got, bad := allSaid(t, l, "main"); bad != wrong || !slices.Equal(got, []memory.Said{a, c}) {
			t.Errorf("%q: %d bad, %+v", end, bad, got)
		}
	}
	putSaid(t, l, "main", "2026-02.md", "<!-- said · session `s` · entry `e` -->\n"+text)
	checkSaid(t, l, "main", []memory.Said{a, b, c})
}

// TestFindSaid: by key, or else by session and entry; the later one counts.
func TestFindSaid(t *testing.T) {
	l := Open(t.TempDir(), "inst")
	a, b := plainSaid(1), plainSaid(2)
	a.Key = "k--`1"
	again := a
	again.Text = "again"
	copied := b
	copied.Session, copied.Text = "other", "copy"
	must(t, l.AppendSaid("main", "2026-01", []memory.Said{a, b}))
	must(t, l.AppendSaid("main", "2026-02", []memory.Said{again, copied}))
	must(t, l.AppendSaid("main", "2026-03", []memory.Said{{Text: "without anything"}, plainSaid(3)}))
	for _, c := range []struct {
		key, session, entry string
		want                memory.Said
		found               bool
	}{
		{"k--`1", "", "", again, true},
		{"k--`1", "nowhere", "e9", again, true},
		{"", "a-plain", "e1", again, true},
		{"", "a-plain", "e2", b, true},
		{"", "other", "e2", copied, true},
		{"k2", "a-plain", "e2", copied, true},
		{"k9", "a-plain", "e2", b, true},
		{"k9", "a-plain", "e9", memory.Said{}, false},
		{"", "", "", memory.Said{}, false},
		{"", "a-plain", "", memory.Said{}, false},
		{"", "", "e1", memory.Said{}, false},
	} {
		got, found, err := l.FindSaid("main", c.key, c.session, c.entry)
		if err != nil || found != c.found || got != c.want {
			t.Errorf("%q %q %q: %+v %t %v", c.key, c.session, c.entry, got, found, err)
		}
	}
	n := 0
	_, err := l.Said("main", func(memory.Said) bool { n++; return n < 3 })
	if err != nil || n != 3 {
		t.Errorf("stopped behind %d: %v", n, err)
	}
}

// TestSaidNotWritable: what could not be read back is refused.
func TestSaidNotWritable(t *testing.T) {
	l := Open(t.TempDir(), "inst")
	must(t, l.AppendSaid("main", "2026-02", nil))
	for _, month := range []string{"", "2026", "2026-13", "2026-02-24", "../2026-02"} {
		if err := l.AppendSaid("main", month, []memory.Said{plainSaid(1)}); err == nil {
			t.Errorf("written in month %q", month)
		}
	}
	if err := l.AppendSaid("main", "2026-02", []memory.Said{plainSaid(1), {Speaker: memory.Speaker{Kind: 9}}}); err == nil {
		t.Error("a speaker of no kind is written")
	}
	checkSaid(t, l, "main", nil)
}
