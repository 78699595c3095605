package ledger

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"tidemark/backend/memory"
)

const secret = "the cat is called Momo"

// without takes the secret out of a text.
func without(text string) (string, bool) {
	return strings.ReplaceAll(text, secret, "[forgotten]"), strings.Contains(text, secret)
}

// about says that a line holds nothing but the secret, or belongs to it.
func about(k memory.KeptLine) bool {
	return k.ID == "gone" || k.Of == "gone" || k.Text == secret
}

func tombstone() memory.KeptLine {
	return memory.KeptLine{Kind: memory.KeptForget, ID: "t1", Of: "gone", At: 1772100000000, Forgotten: []memory.ForgottenText{{Runes: 22, Print: 7, Sum: "abc"}}}
}

// fill writes a ledger in which the secret stands in every kind of file. It
// gives what is to stay of the kept lines and the messages.
func fill(t *testing.T, l *Ledger) (kept []memory.KeptLine, said []memory.Said) {
	t.Helper()
	gone := plainKept(50)
	gone.ID, gone.Text = "gone", secret
	again := plainKept(51)
	again.Kind, again.Of, again.Text = memory.KeptRepeat, "gone", "as I said, "+secret
	pin := memory.KeptLine{Kind: memory.KeptPin, ID: "pin", Of: "gone", Text: secret, At: 5}
	half := plainKept(52)
	half.Text = "feed it, " + secret + "\nand it is `old`"
	must(t, l.AppendKept("main", "2026-02-23", []memory.KeptLine{plainKept(1), gone, plainKept(2)}))
	must(t, l.AppendKept("main", "2026-02-24", []memory.KeptLine{plainKept(3), again, half, pin}))
	must(t, l.AppendKept("main", "2026-02-25", []memory.KeptLine{plainKept(4)}))
	half.Text, _ = without(half.Text)

	long := plainSaid(2)
	long.Text = "first\n> " + secret + "\r\n<!-- x -->"
	must(t, l.AppendSaid("main", "2026-01", []memory.Said{plainSaid(1)}))
	must(t, l.AppendSaid("main", "2026-02", []memory.Said{plainSaid(3), long, plainSaid(4)}))
	long.Text, _ = without(long.Text)
	must(t, l.AppendCompactions("main", []memory.KeptCompaction{{Session: "s", Entry: "c", At: 5, Summary: "## Goal\nthe user said:\n" + secret + "."}, {Session: "s", Entry: "d", At: 5, Summary: "other"}}))
	must(t, l.AppendSessions("main", []memory.SessionSummary{{Session: "s", Notes: memory.SessionMeta{Label: "`" + secret + "`", DisplayName: "n"}}, {Session: "s2"}}, map[string]string{"s0": "s"}))
	must(t, l.AppendUsage("main", []memory.DayUsage{{Day: "2026-02-24", Session: "s"}}))
	return []memory.KeptLine{plainKept(1), plainKept(2), plainKept(3), half, plainKept(4), tombstone()}, []memory.Said{plainSaid(1), plainSaid(3), long, plainSaid(4)}
}

// tree gives the files below a folder with their contents.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	must(t, filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		body, err := os.ReadFile(path)
		name, _ := filepath.Rel(dir, path)
		files[filepath.ToSlash(name)] = string(body)
		return err
	}))
	return files
}

// checkForgotten wants the secret nowhere and all else there.
func checkForgotten(t *testing.T, l *Ledger, kept []memory.KeptLine, said []memory.Said) {
	t.Helper()
	for name, body := range tree(t, l.Path("main")) {
		if strings.Contains(body, "Momo") || strings.HasSuffix(name, newSuffix) {
			t.Fatalf("%s is\n%s", name, body)
		}
	}
	checkKept(t, l, "main", kept)
	checkSaid(t, l, "main", said)
	compactions, bad, err := l.Compactions("main", same)
	if err != nil || bad != 0 || len(compactions) != 2 || compactions[0].Summary != "## Goal\nthe user said:\n[forgotten]." || compactions[1].Summary != "other" {
		t.Fatalf("%+v %d %v", compactions, bad, err)
	}
	sessions, renamed, bad, err := l.Sessions("main", nil)
	if err != nil || bad != 0 || len(sessions) != 2 || sessions[0].Notes.Label != "`[forgotten]`" || sessions[0].Notes.DisplayName != "n" || renamed["s0"] != "s" {
		t.Fatalf("%+v %d %v", sessions, bad, err)
	}
}

// TestRewrite: what is forgotten is gone from every file, files without it are
// not touched, and doing it again changes nothing.
func TestRewrite(t *testing.T) {
	l := Open(t.TempDir(), "inst")
	kept, said := fill(t, l)
	before := tree(t, l.Path("main"))
	must(t, l.Rewrite("main", without, about, []memory.KeptLine{tombstone()}))
	checkForgotten(t, l, kept, said)
	after := tree(t, l.Path("main"))
	for _, name := range []string{"kept/2026-02-25.md", "said/2026-01.md", "usage.md"} {
		if after[name] != before[name] {
			t.Errorf("%s was changed", name)
		}
	}
	golden(t, l.KeptPath("main", "2026-02-24"), "rewritten-kept.md")
	golden(t, l.SaidPath("main", "2026-02"), "rewritten-said.md")
	if info, err := os.Stat(l.KeptPath("main", "2026-02-24")); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Error(info.Mode(), err)
	}
	must(t, l.Rewrite("main", without, about, []memory.KeptLine{tombstone()}))
	must(t, l.Rewrite("main", nil, nil, nil))
	if got := tree(t, l.Path("main")); fmt.Sprint(got) != fmt.Sprint(after) {
		t.Error("a second time changed something")
	}
	must(t, l.AppendKept("main", "2026-02-24", []memory.KeptLine{plainKept(7)}))
	must(t, l.Rewrite("nobody", without, about, nil))
}

// TestRewriteStoppedAnywhere: stopped behind any step, every file is the old
// one or the new one, the tombstone is there before the first of them is new,
// and once more finishes.
func TestRewriteStoppedAnywhere(t *testing.T) {
	whole := Open(t.TempDir(), "inst")
	fill(t, whole)
	old := tree(t, whole.Path("main"))
	must(t, whole.Rewrite("main", without, about, []memory.KeptLine{tombstone()}))
	next := tree(t, whole.Path("main"))
	first := newForgetting("main", without, about, nil)
	first.spare = true // a kept file is written anew twice where lines go altogether
	between := map[string]string{}
	for name, body := range old {
		if between[name] = old[name]; strings.HasPrefix(name, keptFolder) {
			between[name] = first.kept(filepath.Base(name), body)
		}
	}
	for stop := 1; ; stop++ {
		l := Open(t.TempDir(), "inst")
		kept, said := fill(t, l)
		where := stopped(l, stop, func() { must(t, l.Rewrite("main", without, about, []memory.KeptLine{tombstone()})) })
		changed := 0
		for name, body := range tree(t, l.Path("main")) {
			switch {
			case strings.HasSuffix(name, newSuffix):
			case body != old[name] && body != next[name] && body != between[name]:
				t.Fatalf("stopped behind %s, %s is\n%s", where, name, body)
			case body != old[name]:
				changed++
			}
		}
		got, err := l.Kept("main")
		must(t, err)
		if buried := got.Lines[len(got.Lines)-1].Kind == memory.KeptForget; changed > 0 && !buried {
			t.Fatalf("stopped behind %s, there is no tombstone", where)
		}
		if tells := countAbout(got.Lines) > 0; changed > 0 && !tells && !finished(tree(t, l.Path("main")), next) {
			t.Fatalf("stopped behind %s, it cannot be seen that it did not finish", where)
		}
		checkSaidOrOld(t, l, said)
		must(t, l.Rewrite("main", without, about, []memory.KeptLine{tombstone()}))
		checkForgotten(t, l, kept, said)
		if where == "" {
			if stop < 30 {
				t.Errorf("only %d steps", stop)
			}
			return
		}
	}
}

// countAbout counts the lines that the tombstone is about.
func countAbout(lines []memory.KeptLine) (n int) {
	for _, k := range lines {
		if about(k) && k.Kind != memory.KeptForget {
			n++
		}
	}
	return n
}

func finished(files, next map[string]string) bool {
	for name := range files {
		if files[name] != next[name] {
			return false
		}
	}
	return true
}

// checkSaidOrOld wants all messages, with the secret or without.
func checkSaidOrOld(t *testing.T, l *Ledger, said []memory.Said) {
	t.Helper()
	got, bad := allSaid(t, l, "main")
	for i := range got {
		got[i].Text, _ = without(got[i].Text)
	}
	if bad != 0 || fmt.Sprint(got) != fmt.Sprint(said) {
		t.Fatalf("%d bad, %+v", bad, got)
	}
}

// stopped runs f and stops it behind its nth step, whose name it gives, "" where
// there are fewer.
func stopped(l *Ledger, n int, f func()) (where string) {
	type stop struct{ what string }
	l.step = func(what string) {
		if n--; n == 0 {
			panic(stop{what})
		}
	}
	defer func() {
		l.step = func(string) {}
		if s, ok := recover().(stop); ok {
			where = s.what
		}
	}()
	f()
	return ""
}

// TestTidy: what a stopped Rewrite left goes at the next call, other files stay.
func TestTidy(t *testing.T) {
	l := Open(t.TempDir(), "inst")
	fill(t, l)
	if where := stopped(l, 3, func() { must(t, l.Rewrite("main", without, about, nil)) }); where != "written" {
		t.Fatalf("stopped behind %q", where)
	}
	left := 0
	for name := range tree(t, l.Path("main")) {
		if strings.HasSuffix(name, newSuffix) {
			left++
		}
	}
	must(t, os.WriteFile(l.path("main", ".tidemark-mine"), nil, 0o600))
	must(t, l.Tidy("main"))
	must(t, l.Tidy("nobody"))
	files := tree(t, l.Path("main"))
	for name := range files {
		if strings.HasSuffix(name, newSuffix) {
			t.Errorf("%s is left", name)
		}
	}
	if _, ok := files[".tidemark-mine"]; left != 1 || !ok {
		t.Errorf("%d files were left, now %d", left, len(files))
	}
}

// TestRewriteKeepsBytes: whatever else a person wrote keeps its bytes, and the
// words go from notes and damaged lines too.
func TestRewriteKeepsBytes(t *testing.T) {
	l := Open(t.TempDir(), "inst")
	line := func(n int) string { return KeptLine(plainKept(n)) }
	edited := strings.Replace(line(5), "含税价", "不含税价", 1)
	stays := "\ufeff# Mine\r\n\r\n*  W ·typed\t \r\n" + line(1) + "  \r" + edited + "\n<!-- a note -->\n- \xff\n" + line(2)[:40] + " <!--\n"
	goes := "- W ·  " + secret + " <!-- statement · id `gone` -->\n- B · " + secret + "\n- W ·  cut li <!-- unfinished -->\n" + strings.Replace(line(3), "<!-- st", "<!-- "+secret+" <!-- bad · st", 1) + "\r\n"
	changes := "some words: " + secret + "!\n- O · typed, " + secret + "\r\n" + strings.Replace(line(6), " <!-- st", " <!-- "+secret+" --> <!-- st", 1) + "\n"
	changed := "some words: [forgotten]!\n- O · typed, [forgotten]\r\n" + strings.Replace(line(6), " <!-- st", " <!-- [forgotten] --> <!-- st", 1) + "\n"
	put(t, l, "main", "2026-02-24.md", stays+goes+changes+line(4)[:30])
	must(t, l.Rewrite("main", without, about, nil))
	if got := tree(t, l.Path("main"))["kept/2026-02-24.md"]; got != stays+changed {
		t.Errorf("the file is\n%q\nwant\n%q", got, stays+changed)
	}
}

// TestRewriteEdited: a line that a person changed is still one when words are
// taken out of it, and what a later version wrote in its comment stays.
func TestRewriteEdited(t *testing.T) {
	l := Open(t.TempDir(), "inst")
	k := plainKept(1)
	k.Text = "I said that " + secret
	later := strings.Replace(KeptLine(k), " -->", " · colour `red` -->", 1)
	put(t, l, "main", "2026-02-24.md", later+"\n"+strings.Replace(strings.ReplaceAll(later, "s0001", "s0002"), "I said", "You know", 1)+"\n")
	must(t, l.Rewrite("main", without, nil, nil))
	got, err := l.Kept("main")
	must(t, err)
	if len(got.Lines) != 2 || got.Lines[0].Text != "I said that [forgotten]" || got.Lines[0].Edited || got.Lines[1].Text != "You know that [forgotten]" || !got.Lines[1].Edited {
		t.Errorf("%+v", got)
	}
	if body := tree(t, l.Path("main"))["kept/2026-02-24.md"]; strings.Count(body, "colour `red`") != 2 {
		t.Errorf("the file is\n%s", body)
	}
}

// TestRewriteShortWord: a word that is also the name of a field damages nothing.
func TestRewriteShortWord(t *testing.T) {
	for _, word := range []string{"at", "statement", "said", "entry", "-", "2026", "session", "·", ">", "owner", "calls", " ", "`"} {
		l := Open(t.TempDir(), "inst")
		fill(t, l)
		redact := func(text string) (string, bool) {
			if text == word {
				return "", true
			}
			return strings.ReplaceAll(text, word, "␡"), strings.Contains(text, word)
		}
		before, err := l.Kept("main")
		must(t, err)
		said, _ := allSaid(t, l, "main")
		must(t, l.Rewrite("main", redact, nil, []memory.KeptLine{tombstone()}))
		after, err := l.Kept("main")
		must(t, err)
		again, bad := allSaid(t, l, "main")
		if len(after.Lines) != len(before.Lines)+1 || after.Bad != 0 || len(again) != len(said) || bad != 0 {
			t.Errorf("%q: %d lines of %d, %d messages of %d", word, len(after.Lines)-1, len(before.Lines), len(again), len(said))
		}
		sessions, _, bad, err := l.Sessions("main", nil)
		if err != nil || len(sessions) != 2 || bad != 0 {
			t.Errorf("%q: %d sessions, %d bad, %v", word, len(sessions), bad, err)
		}
		if compactions, bad, err := l.Compactions("main", same); err != nil || len(compactions) != 2 || bad != 0 {
			t.Errorf("%q: %d compactions, %d bad, %v", word, len(compactions), bad, err)
		}
	}
}

// TestRewriteNasty: whatever the lines hold, the others are the same after, and
// redacting gives what redacting the text gives.
func TestRewriteNasty(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 1))
	for range 100 {
		l := Open(t.TempDir(), "inst")
		var kept, left []memory.KeptLine
		var said, told []memory.Said
		for n := range 20 {
			k, s := nastyKept(r, fmt.Sprint(n)), nastySaid(r)
			if n%4 == 0 {
				k.Text += secret + nasty(r)
				s.Text = nasty(r) + secret + s.Text
			}
			kept, said = append(kept, k), append(said, s)
			k.Text, _ = without(k.Text)
			s.Text, _ = without(s.Text)
			left, told = append(left, k), append(told, s)
		}
		must(t, l.AppendKept("main", "2026-02-24", kept))
		must(t, l.AppendSaid("main", "2026-02", said))
		must(t, l.Rewrite("main", without, nil, nil))
		checkKept(t, l, "main", left)
		checkSaid(t, l, "main", told)
	}
}
