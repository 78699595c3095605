package ledger

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"tidemark/backend/memory"
)

// put writes a kept file as an editor would.
func put(t *testing.T, l *Ledger, agent, name, body string) {
	t.Helper()
	path := l.path(agent, filepath.Join(keptFolder, name))
	must(t, os.MkdirAll(filepath.Dir(path), 0o700))
	must(t, os.WriteFile(path, []byte(body), 0o600))
}

func hand(day memory.Millis, tag memory.Tag, text string) memory.KeptLine {
	return memory.KeptLine{ID: handID(text), At: day, Tag: tag, Text: text, Speaker: memory.Speaker{Kind: memory.SpeakerOwner}, ByHand: true}
}

// TestByHand: what a person may type, and what is no statement.
func TestByHand(t *testing.T) {
	l := Open(t.TempDir(), "inst")
	put(t, l, "main", "2026-02-24.md", strings.Join([]string{"\ufeff- W · first", "* B · 别半夜推东西给我  ", "+ O  ·dates: 24 Feb", "  - no tag\t", "\t-\tW ·   blanks   ",
		"- W · C:\\new\\users *bold* a⏎b", "- X · not a tag", "- w · small", "- [ ] task", "- note <!-- to myself -->", "- <!-- before --> between <!-- and behind -->", "- B: plain", "- 5",
		"- W", "- W ·", "-", "- ", "- - -", "---", "- …", "-nothing", "1. numbered", "words", "> quote", "# head", "", "- <!-- only a note -->", "<!-- - W · hidden -->", "- last W · without an end"}, "\r\n"))
	day := memory.MillisOf(time.Date(2026, 2, 24, 0, 0, 0, 0, time.UTC))
	var want []memory.KeptLine
	for _, w := range []struct {
		tag  memory.Tag
		text string
	}{{1, "first"}, {2, "别半夜推东西给我"}, {3, "dates: 24 Feb"}, {1, "no tag"}, {1, "blanks"}, {1, "C:\\new\\users *bold* a\nb"}, {1, "X · not a tag"}, {1, "w · small"}, {1, "[ ] task"}, {1, "note"},
		{1, "between"}, {1, "B: plain"}, {1, "5"}, {1, "last W · without an end"}} {
		want = append(want, hand(day, w.tag, w.text))
	}
	checkKept(t, l, "main", want)

	// The id stays when a line moves to a file of the person's own; the same
	// words twice are one statement.
	put(t, l, "other", "mine.md", "- B · first\r- W · first")
	checkKept(t, l, "other", []memory.KeptLine{hand(0, 1, "first")})
	// An append ends the last line and takes nothing from it.
	must(t, l.AppendKept("other", "2026-02-25", []memory.KeptLine{plainKept(1)}))
	put(t, l, "other", "2026-02-24.md", "- O · typed")
	must(t, l.AppendKept("other", "2026-02-24", []memory.KeptLine{plainKept(2)}))
	checkKept(t, l, "other", []memory.KeptLine{hand(day, 3, "typed"), plainKept(2), plainKept(1), hand(0, 1, "first")})
}

// TestHandComment: a person may type a comment like ours; without an id it is a
// statement by hand.
func TestHandComment(t *testing.T) {
	day := memory.Millis(7)
	want := hand(7, memory.TagDetail, "in Lisbon")
	want.Until, want.Scope = 1772323200000, memory.ScopeAll
	for _, line := range []string{"- O · in Lisbon <!-- statement · until 2026-03-01T00:00:00Z · scope all -->", "-  in Lisbon <!--statement · tag O · scope all · until 2026-03-01T01:00:00+01:00 · note `x`-->"} {
		if got, ok := ParseKept(line, day); !ok || !reflect.DeepEqual(got, want) {
			t.Errorf("%q gives %+v %t", line, got, ok)
		}
	}
}

// TestEditedLine: what editing does to a line of ours, and what it does not.
func TestEditedLine(t *testing.T) {
	k := plainKept(1)
	k.Text = "prices with tax"
	line := KeptLine(k)
	for _, same := range []string{line, line + "  \t", "\ufeff" + line, "*" + line[1:], "   +\t" + line[2:], strings.Replace(line, gap, " ", 1), strings.Replace(line, gap, "", 1), strings.Replace(line, " <!--", "<!--", 1),
		strings.Replace(line, " <!--", "   <!--", 1), strings.Replace(line, " <!--", " <!-- my note --> <!--", 1), line + " <!-- my note -->", strings.Replace(line, "- W ·", "-", 1),
		strings.Replace(line, " · sum", " · colour `red` · sum", 1), strings.Replace(line, "05.001Z", "05.001+00:00", 1)} {
		if got, ok := ParseKept(same, 0); !ok || !reflect.DeepEqual(got, k) {
			t.Errorf("%q\n gives %+v %t", same, got, ok)
		}
	}
	for edited, change := range map[string]func(*memory.KeptLine){
		strings.Replace(line, "with tax", "without tax", 1): func(k *memory.KeptLine) { k.Text = "prices without tax" },
		strings.Replace(line, "- W ·", "- B ·", 1):          func(k *memory.KeptLine) { k.Tag = memory.TagBoundary },
		strings.Replace(line, "prices with tax", "", 1):     func(k *memory.KeptLine) { k.Text = "" },
		line + " always": func(k *memory.KeptLine) { k.Text = "prices with tax always" },
		strings.Replace(line, "with tax", "with <b>", 1):                    func(k *memory.KeptLine) { k.Text = "prices with <b>" },
		strings.Replace(line, "with tax", "<!-- oops", 1):                   func(k *memory.KeptLine) { k.Text = "prices" },
		strings.Replace(line, " · sum "+checksum(k.Tag, k.Text), "", 1):     func(*memory.KeptLine) {},
		strings.Replace(line, checksum(k.Tag, k.Text), "`not a sum`", 1):    func(*memory.KeptLine) {},
		strings.Replace(line, " · scope agent", " · scope all", 1) + " now": func(k *memory.KeptLine) { k.Scope, k.Text = memory.ScopeAll, "prices with tax now" },
	} {
		want := k
		want.Edited = true
		change(&want)
		if got, ok := ParseKept(edited, 0); !ok || !reflect.DeepEqual(got, want) {
			t.Errorf("%q\n gives %+v %t\n want  %+v", edited, got, ok, want)
		}
	}
}

// TestEditedDecision: the words of a decision are for people, except those that
// a correction or a repeat brings.
func TestEditedDecision(t *testing.T) {
	for _, k := range everyKind()[3:] {
		line := KeptLine(k)
		at := strings.Index(line, " "+commentMark)
		got, ok := ParseKept("- other words"+line[at:], 0)
		want := k
		want.Text, want.Edited = "other words", k.Kind == memory.KeptCorrect || k.Kind == memory.KeptRepeat
		if !ok || !reflect.DeepEqual(got, want) {
			t.Errorf("%v gives %+v %t\n want %+v", k.Kind, got, ok, want)
		}
	}
}

// TestDamagedLine: a line that cannot be read costs itself and is counted.
func TestDamagedLine(t *testing.T) {
	l := Open(t.TempDir(), "inst")
	good := KeptLine(plainKept(1))
	pin := KeptLine(everyKind()[4])
	bad := []string{strings.TrimSuffix(good, " "+commentEnd), good[:len(good)/2], strings.Replace(good, "at 2026", "at 20x6", 1), strings.Replace(good, "scope agent", "scope world", 1), strings.Replace(good, "tag W", "tag Q", 1),
		strings.Replace(good, "3..17", "3", 1), strings.Replace(good, "`s0001`", "`s0001", 1), strings.Replace(good, "statement", "fact", 1), strings.Replace(good, "<!-- statement", "<!-- statement · pin", 1),
		strings.Replace(pin, "id `d1` · ", "", 1), good + pin[1:], strings.Replace(good, "报价", "\x00\x00", 1), strings.Replace(KeptLine(everyKind()[9]), "`23 ", "`x ", 1),
		strings.Replace(KeptLine(everyKind()[9]), "000000000000001f 5f3c", "1f", 1), "- W\x00 · x"}
	put(t, l, "main", "2026-02-24.md", strings.Join(bad, "\n")+"\n"+KeptLine(plainKept(2))+"\n")
	got, err := l.Kept("main")
	must(t, err)
	if len(got.Lines) != 1 || got.Lines[0].ID != "s0002" || got.Bad != len(bad) || got.Torn {
		t.Errorf("%+v, want %d bad", got, len(bad))
		for _, line := range bad {
			if k, _, w := parseKept(line, 0); w != damaged {
				t.Errorf("%q is %d: %+v", line, w, k)
			}
		}
	}
}

// TestOtherFiles: what else may lie in the folder.
func TestOtherFiles(t *testing.T) {
	l := Open(t.TempDir(), "inst")
	must(t, l.AppendKept("main", "2026-02-24", []memory.KeptLine{plainKept(1)}))
	for _, name := range []string{".2026-02-24.md", ".tidemark-2026-02-24.md.new", "2026-02-24.md~", "notes.txt"} {
		put(t, l, "main", name, "- W · not this\n")
	}
	must(t, os.MkdirAll(l.path("main", "kept/folder.md"), 0o700))
	put(t, l, "main", "empty.md", "")
	put(t, l, "main", "2026-02-24 (copy).md", KeptLine(plainKept(1))+"\n")
	checkKept(t, l, "main", []memory.KeptLine{plainKept(1)})
}

// TestLostPower: what a loss of power leaves of blocks that were not written.
func TestLostPower(t *testing.T) {
	l := Open(t.TempDir(), "inst")
	must(t, l.AppendKept("main", "2026-02-24", []memory.KeptLine{plainKept(1)}))
	path := l.KeptPath("main", "2026-02-24")
	body, err := os.ReadFile(path)
	must(t, err)
	cut := KeptLine(plainKept(2))
	for _, tail := range []string{"\x00\x00\x00", cut[:20] + "\x00\x00", cut + "\x00", "\x00" + cut} {
		must(t, os.WriteFile(path, append(bytes.Clone(body), tail...), 0o600))
		got, err := l.Kept("main")
		must(t, err)
		if len(got.Lines) != 1 || !got.Torn {
			t.Errorf("behind %q: %+v", tail, got)
		}
		must(t, l.AppendKept("main", "2026-02-24", []memory.KeptLine{plainKept(2)}))
		got, err = l.Kept("main")
		must(t, err)
		if len(got.Lines) != 2 || got.Torn || got.Lines[1].Text != plainKept(2).Text {
			t.Errorf("behind %q, appended to: %+v", tail, got)
		}
	}
}

// TestStamp: it changes with every change of a file, and only then.
func TestStamp(t *testing.T) {
	l := Open(t.TempDir(), "inst")
	stamps := func() string {
		kept, err := l.KeptStamp("main")
		must(t, err)
		said, err := l.SaidStamp("main")
		must(t, err)
		return kept + " " + said
	}
	seen := map[string]bool{stamps(): true}
	if !seen[" "] {
		t.Error("a stamp of nothing")
	}
	for n, change := range []func() error{
		func() error { return l.AppendKept("main", "2026-02-24", []memory.KeptLine{plainKept(1)}) },
		func() error { return l.AppendKept("main", "2026-02-24", []memory.KeptLine{plainKept(2)}) },
		func() error { return l.AppendKept("main", "2026-02-25", []memory.KeptLine{plainKept(3)}) },
		func() error { return l.AppendSaid("main", "2026-02", []memory.Said{{Text: "x"}}) },
		func() error { return os.Truncate(l.KeptPath("main", "2026-02-24"), 9) },
		func() error { return os.Rename(l.KeptPath("main", "2026-02-25"), l.KeptPath("main", "2026-02-26")) },
		func() error { return os.Chtimes(l.SaidPath("main", "2026-02"), time.Unix(1, 0), time.Unix(1, 0)) },
		func() error { return os.Remove(l.KeptPath("main", "2026-02-26")) },
	} {
		must(t, change())
		if now := stamps(); seen[now] || now != stamps() {
			t.Errorf("%d: not another stamp", n)
		} else {
			seen[now] = true
		}
	}
	must(t, l.AppendKept("other", "2026-02-24", []memory.KeptLine{plainKept(1)}))
	if !seen[stamps()] {
		t.Error("another agent's file changed the stamp")
	}
}

// TestExamplesOfTheFormat: what the page about the format shows is read.
func TestExamplesOfTheFormat(t *testing.T) {
	page, err := os.ReadFile("../../docs/format/ledger.md")
	must(t, err)
	body := string(page)
	section := func(title string) string {
		_, rest, ok := strings.Cut(body, "\n## "+title+"\n")
		_, rest, fenced := strings.Cut(rest, "\n```\n")
		example, _, ended := strings.Cut(rest, "\n```")
		if !ok || !fenced || !ended {
			t.Fatalf("no example of %s", title)
		}
		return example
	}
	kept := keptReader{at: map[string]int{}}
	kept.read("2026-02-24.md", section("kept/"))
	for i, want := range []memory.KeptKind{memory.KeptStatement, memory.KeptRepeat, memory.KeptPin, memory.KeptStatement} {
		if len(kept.Lines) != 4 || kept.Bad > 0 || kept.Lines[i].Kind != want || kept.Lines[i].Edited || kept.Lines[i].ByHand != (i == 3) {
			t.Fatalf("the kept lines give %+v", kept)
		}
	}
	said := 0
	bad, _ := eachSaid(section("said/"), func(s memory.Said) bool {
		said++
		if want := "报价单里的价格统一写含税价。\n\n> 上次那份写错了"; s.Text != want {
			t.Errorf("the message is %q", s.Text)
		}
		return true
	})
	if said != 1 || bad != 0 {
		t.Errorf("%d messages, %d bad", said, bad)
	}
	if _, ok := ParseUsage(section("usage.md")); !ok {
		t.Error("usage is not read")
	}
	for line := range strings.Lines(section("sessions.md")) {
		if _, _, ok := ParseSession(strings.TrimSuffix(line, "\n")); !ok {
			t.Errorf("not read: %s", line)
		}
	}
	title, _, _ := strings.Cut(section("compactions.md"), "\n")
	if _, ok := ParseTitle(title); !ok {
		t.Errorf("not read: %s", title)
	}
}
