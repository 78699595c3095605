package ledger

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"tidemark/backend/memory"
)

var update = flag.Bool("update", false, "write the golden files anew")

// golden compares a file of the ledger with one of testdata.
func golden(t *testing.T, path, name string) {
	t.Helper()
	got, err := os.ReadFile(path)
	must(t, err)
	file := filepath.Join("testdata", name)
	if *update {
		must(t, os.MkdirAll("testdata", 0o700))
		must(t, os.WriteFile(file, got, 0o600))
	}
	want, err := os.ReadFile(file)
	must(t, err)
	if string(got) != string(want) {
		t.Errorf("%s is\n%s\nwant\n%s", path, got, want)
	}
}

// everyKind has a line of each kind, filled as they are.
func everyKind() []memory.KeptLine {
	first := plainKept(1)
	first.Text = "报价单里的价格统一写含税价"
	boundary := plainKept(2)
	boundary.Tag, boundary.Text, boundary.Scope = memory.TagBoundary, "Never write before `09:00`,\nnot even <b>once</b> --> really", memory.ScopeAll
	fact := plainKept(3)
	fact.Tag, fact.Text, fact.Until, fact.Scope = memory.TagDetail, "this week I'm in Lisbon", 1772323200000, memory.ScopeContact
	fact.Speaker = memory.Speaker{Kind: memory.SpeakerContact, Name: "Ana -- <!-- x", Channel: "wechat", Chat: "客户群"}
	again := plainKept(4)
	again.Kind, again.Of, again.Text = memory.KeptRepeat, first.ID, "价格统一写含税价!"
	decision := func(n int, kind memory.KeptKind, of, text string) memory.KeptLine {
		return memory.KeptLine{Kind: kind, ID: fmt.Sprint("d", n), At: 1771930000000 + memory.Millis(n), Of: of, Text: text}
	}
	scope := decision(4, memory.KeptScope, first.ID, first.Text)
	scope.Scope = memory.ScopeAll
	replaced := decision(5, memory.KeptSupersede, first.ID, first.Text)
	replaced.By = boundary.ID
	corrected := decision(3, memory.KeptCorrect, first.ID, "报价单里的价格写不含税价")
	corrected.Tag = memory.TagDetail
	forgotten := decision(6, memory.KeptForget, fact.ID, "")
	forgotten.Forgotten = []memory.ForgottenText{{Runes: 23, Print: 0x1f, Sum: "5f3c"}, {Runes: 7, Print: 1 << 63, Sum: "a b"}}
	return []memory.KeptLine{first, boundary, fact, again, decision(1, memory.KeptPin, first.ID, first.Text), decision(2, memory.KeptUnpin, first.ID, first.Text),
		corrected, scope, replaced, forgotten, decision(7, memory.KeptUndo, "d5", "replaced: "+first.Text), decision(8, memory.KeptPin, "s9999", "")}
}

// TestKeptGolden: how a file looks, and that it is read back.
func TestKeptGolden(t *testing.T) {
	l := Open(t.TempDir(), "inst")
	want := everyKind()
	must(t, l.AppendKept("main", "2026-02-24", want))
	golden(t, l.KeptPath("main", "2026-02-24"), "kept.md")
	checkKept(t, l, "main", want)
}

// checkKept wants exactly these lines, none bad and none torn.
func checkKept(t *testing.T, l *Ledger, agent string, want []memory.KeptLine) Kept {
	t.Helper()
	got, err := l.Kept(agent)
	must(t, err)
	if got.Bad != 0 || got.Torn || len(got.Lines) != len(want) || len(got.Files) != len(want) {
		t.Fatalf("%d lines, %d bad, torn %t, want %d", len(got.Lines), got.Bad, got.Torn, len(want))
	}
	for i, w := range want {
		if w.Agent = agent; !reflect.DeepEqual(got.Lines[i], w) {
			t.Fatalf("%s\n gives %+v\n want  %+v", KeptLine(w), got.Lines[i], w)
		}
	}
	return got
}

// TestKeptLineIsReadBack: whatever stands in its fields, a line is one line and
// the same is read from it.
func TestKeptLineIsReadBack(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	for n := range 20_000 {
		want := nastyKept(r, fmt.Sprint(n))
		line := KeptLine(want)
		checkLine(t, line)
		got, ok := ParseKept(line, 5)
		if !ok || !reflect.DeepEqual(got, want) {
			t.Fatalf("%q\n gives %+v\n want  %+v", line, got, want)
		}
		if !strings.HasPrefix(line, "- ") || isPart(line) {
			t.Fatalf("taken for a part: %q", line)
		}
	}
}

// TestKeptFileIsReadBack is the same for files, and nothing that is there is
// changed when lines are added.
func TestKeptFileIsReadBack(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 2))
	l := Open(t.TempDir(), "inst")
	var want []memory.KeptLine
	before := map[string]string{}
	for day := range 5 {
		for range 20 {
			var some []memory.KeptLine
			for range r.IntN(4) {
				some = append(some, nastyKept(r, fmt.Sprint(len(want)+len(some), " ")))
			}
			name := fmt.Sprintf("2026-02-%02d", 20+day)
			must(t, l.AppendKept("main", name, some))
			want = append(want, some...)
			body, _ := os.ReadFile(l.KeptPath("main", name))
			if !strings.HasPrefix(string(body), before[name]) {
				t.Fatal("what was there is changed")
			}
			before[name] = string(body)
		}
	}
	got := checkKept(t, l, "main", want)
	if got.Files[0] != "2026-02-20.md" || got.Files[len(want)-1] != "2026-02-24.md" {
		t.Errorf("files %q to %q", got.Files[0], got.Files[len(want)-1])
	}
}

// TestKeptOrderIsFree: sorted or shuffled, the same lines are read.
func TestKeptOrderIsFree(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	l := Open(t.TempDir(), "inst")
	var want []memory.KeptLine
	for n := range 200 {
		want = append(want, nastyKept(r, fmt.Sprintf("%04d", n)))
	}
	must(t, l.AppendKept("main", "2026-02-24", want))
	path := l.KeptPath("main", "2026-02-24")
	body, err := os.ReadFile(path)
	must(t, err)
	lines := strings.SplitAfter(string(body), "\n")
	for n := range 10 {
		if n == 0 {
			slices.Sort(lines)
		} else {
			r.Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
		}
		must(t, os.WriteFile(path, []byte(strings.Join(lines, "")), 0o600))
		got, err := l.Kept("main")
		must(t, err)
		slices.SortFunc(got.Lines, func(a, b memory.KeptLine) int { return strings.Compare(a.ID, b.ID) })
		slices.SortFunc(want, func(a, b memory.KeptLine) int { return strings.Compare(a.ID, b.ID) })
		for i := range got.Lines {
			got.Lines[i].Agent = ""
		}
		if got.Bad != 0 || !reflect.DeepEqual(got.Lines, want) {
			t.Fatalf("%d lines of %d, %d bad", len(got.Lines), len(want), got.Bad)
		}
	}
}

// TestKeptCutAnywhere: wherever a file is cut, no line before is lost and none
// is invented, then or after the next append, which may write the cut line
// again.
func TestKeptCutAnywhere(t *testing.T) {
	want := everyKind()
	l := Open(t.TempDir(), "inst")
	must(t, l.AppendKept("main", "2026-02-24", want))
	whole, err := os.ReadFile(l.KeptPath("main", "2026-02-24"))
	must(t, err)
	path := l.KeptPath("cut", "2026-02-24")
	must(t, os.MkdirAll(filepath.Dir(path), 0o700))
	more := plainKept(99)
	for n := range whole {
		must(t, os.WriteFile(path, whole[:n], 0o600))
		there := strings.Count(string(whole[:n]), "sum ") // lines that may be whole
		got, err := l.Kept("cut")
		must(t, err)
		if len(got.Lines) < there && !strings.HasSuffix(string(whole[:n+1]), "\n") && there-len(got.Lines) > 1 || len(got.Lines) > there || got.Bad != 0 {
			t.Fatalf("cut at %d: %d lines of %d, %d bad", n, len(got.Lines), there, got.Bad)
		}
		sameLines(t, got.Lines, want[:len(got.Lines)])
		if rest := lineAt(whole, n); !strings.HasPrefix(rest, "<") && got.Torn != (strings.HasPrefix(rest, "-") && whole[n] != '\n') {
			t.Fatalf("cut behind %q: torn is %t", rest, got.Torn)
		}
		had := len(got.Lines)
		must(t, l.AppendKept("cut", "2026-02-24", append(slices.Clone(want[had:]), more)))
		again, err := l.Kept("cut")
		must(t, err)
		if again.Bad != 0 || again.Torn || len(again.Lines) != len(want)+1 {
			t.Fatalf("cut at %d and appended to: %d lines, %d bad, torn %t", n, len(again.Lines), again.Bad, again.Torn)
		}
		sameLines(t, again.Lines, append(slices.Clone(want), more))
	}
}

// lineAt is what stands before n in its line.
func lineAt(body []byte, n int) string {
	text := string(body[:n])
	return text[strings.LastIndex(text, "\n")+1:]
}

func sameLines(t *testing.T, got, want []memory.KeptLine) {
	t.Helper()
	for i := range got {
		g := got[i]
		if g.Agent = ""; !reflect.DeepEqual(g, want[i]) {
			t.Fatalf("line %d is\n %+v\nwant\n %+v", i, g, want[i])
		}
	}
}

// TestKeptCutNasty is the same with a part of a line whose text is hard.
func TestKeptCutNasty(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 60 {
		first, second, third := nastyKept(r, "1"), nastyKept(r, "2"), nastyKept(r, "3")
		head, cut := KeptLine(first)+"\n", KeptLine(second)
		for n := range cut {
			g := keptReader{at: map[string]int{}}
			g.read("2026-02-24.md", head+cut[:n])
			if len(g.Lines) != 1 || g.Bad != 0 || g.Torn != (n > 0) {
				t.Fatalf("behind %q: %d lines, %d bad, torn %t", cut[:n], len(g.Lines), g.Bad, g.Torn)
			}
			end := "" // an append ends a line only where there is one
			if n > 0 {
				end = endKept(cut[:n])
			}
			g = keptReader{at: map[string]int{}}
			g.read("2026-02-24.md", head+cut[:n]+end+KeptLine(second)+"\n"+KeptLine(third)+"\n")
			if len(g.Lines) != 3 || g.Bad != 0 || g.Torn {
				t.Fatalf("behind %q, appended to: %d lines, %d bad, torn %t", cut[:n], len(g.Lines), g.Bad, g.Torn)
			}
			sameLines(t, g.Lines, []memory.KeptLine{first, second, third})
		}
	}
}

// TestTwiceAppended: a line that was written again after a failure is one.
func TestTwiceAppended(t *testing.T) {
	l := Open(t.TempDir(), "inst")
	want := everyKind()
	must(t, l.AppendKept("main", "2026-02-24", want))
	must(t, l.AppendKept("main", "2026-02-25", want[3:]))
	must(t, l.AppendKept("main", "2026-02-24", want))
	checkKept(t, l, "main", want)
}

// TestOneID: of lines with one id the last counts, but a statement goes before
// another kind.
func TestOneID(t *testing.T) {
	l := Open(t.TempDir(), "inst")
	a, b := plainKept(1), plainKept(1)
	b.Text = "said otherwise"
	repeat := plainKept(1)
	repeat.Kind, repeat.Of = memory.KeptRepeat, "s7"
	for n, lines := range [][]memory.KeptLine{{a, b}, {repeat, a, b}, {a, repeat, b}, {a, b, repeat}, {repeat, b}, {b, repeat, repeat}} {
		agent := fmt.Sprint("agent", n)
		must(t, l.AppendKept(agent, "2026-02-24", lines))
		checkKept(t, l, agent, []memory.KeptLine{b})
	}
	must(t, l.AppendKept("r", "2026-02-24", []memory.KeptLine{repeat}))
	checkKept(t, l, "r", []memory.KeptLine{repeat})
}

// TestNotWritable: what could not be read back is refused, and with it all.
func TestNotWritable(t *testing.T) {
	l := Open(t.TempDir(), "inst")
	for n, change := range []func(*memory.KeptLine){
		func(k *memory.KeptLine) { k.ID = "" }, func(k *memory.KeptLine) { k.Kind = 99 }, func(k *memory.KeptLine) { k.Tag = 9 },
		func(k *memory.KeptLine) { k.Scope = 9 }, func(k *memory.KeptLine) { k.Speaker.Kind = 9 }} {
		k := plainKept(1)
		change(&k)
		if err := l.AppendKept("main", "2026-02-24", []memory.KeptLine{plainKept(2), k}); err == nil {
			t.Errorf("%d: written", n)
		}
	}
	for _, day := range []string{"", "2026-02", "2026-02-30", "../2026-02-24", "2026-02-24.md"} {
		if err := l.AppendKept("main", day, []memory.KeptLine{plainKept(2)}); err == nil {
			t.Errorf("written on day %q", day)
		}
	}
	must(t, l.AppendKept("main", "2026-02-24", nil))
	if _, err := os.Stat(l.Path("main")); err == nil {
		t.Error("something was made")
	}
	checkKept(t, l, "main", nil)
}
