package ledger

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"tidemark/backend/memory"
)

// same is the name of a session that was not renamed.
func same(s string) string { return s }

// words are parts of names that are hard to write on a line.
var words = []string{"", "a", "main", "`", "``", `\`, `\n`, `\q`, "\n", "\r\n", " ", " · ", "·", "## ", "- ", "session `x`", "模型", "é", "\t", "\u2028", "\x00", "🙂", "of", "unknown", ">"}

func name(r *rand.Rand) string {
	var b strings.Builder
	for range r.IntN(5) {
		b.WriteString(words[r.IntN(len(words))])
	}
	return b.String()
}

func count(r *rand.Rand) int64 { return []int64{0, 1, r.Int64N(1000), r.Int64N(1 << 60)}[r.IntN(4)] }

func moment(r *rand.Rand) memory.Millis {
	return []memory.Millis{0, 1, memory.Millis(1778371200000 + r.Int64N(1e11))}[r.IntN(3)]
}

func randomUsage(r *rand.Rand) memory.DayUsage {
	u := memory.DayUsage{Session: name(r), Provider: name(r), Model: name(r), Calls: count(r), Unpriced: count(r),
		Usage: memory.Usage{Input: count(r), Output: count(r), CacheRead: count(r), CacheWrite: count(r)},
		Cost:  memory.Money(r.Int64N(mostDollars) * int64(memory.Dollar)), Background: memory.Money(r.Int64N(1e18)), First: moment(r), Last: moment(r)}
	if r.IntN(3) > 0 {
		u.Day = fmt.Sprintf("2026-%02d-%02d", 1+r.IntN(12), 1+r.IntN(28))
	}
	return u
}

// TestUsageLineIsReadBack: what is written is what is read, whatever the names.
func TestUsageLineIsReadBack(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 20_000 {
		u := randomUsage(r)
		line := UsageLine(u)
		if strings.ContainsAny(line, "\n\r") {
			t.Fatalf("a line break in %q", line)
		}
		got, ok := ParseUsage(line)
		if !ok || got != u {
			t.Fatalf("%q\n gives %+v\n want  %+v", line, got, u)
		}
		back, ok := UsageOf(UsageKey(u))
		if zero := (memory.DayUsage{Day: u.Day, Session: u.Session, Provider: u.Provider, Model: u.Model}); !strings.Contains(u.Session+u.Provider+u.Model, "\x00") && (!ok || back != zero) {
			t.Fatalf("key of %+v gives %+v", u, back)
		}
	}
}

// TestTornUsageLine: no beginning of a line is taken for the line, or for
// another one.
func TestTornUsageLine(t *testing.T) {
	u := memory.DayUsage{Day: "2026-05-10", Session: "s", Provider: "anthropic", Model: "claude-sonnet-4-6", Calls: 3, Usage: memory.Usage{Input: 12, Output: 3}, Cost: 1234567, First: 1778371200000, Last: 1778371205123}
	line := UsageLine(u)
	for n := range len(line) {
		if got, ok := ParseUsage(line[:n]); ok {
			t.Errorf("%q gives %+v", line[:n], got)
		}
	}
	for _, bad := range []string{"", "-", "- ", "- x", "- 2026-05-10", strings.Replace(line, "calls 3", "calls -3", 1), strings.Replace(line, "calls 3", "calls 99999999999999999999", 1),
		strings.Replace(line, "usd 0.", "usd 9999999999.", 1), strings.Replace(line, "2026-05-10 ", "2026-13-40 ", 1), strings.Replace(line, "`s`", "s`", 1), strings.Replace(line, "`s`", "`s", 1),
		strings.Replace(line, " · calls 3", "", 1), strings.Replace(line, "from ", "from yesterday", 1), "- " + line, line + " ·", line + " · "} {
		if got, ok := ParseUsage(bad); ok && !strings.HasPrefix(bad, line) {
			t.Errorf("%q gives %+v", bad, got)
		}
	}
}

// TestEditedUsageLine: what a person may write all the same.
func TestEditedUsageLine(t *testing.T) {
	want := memory.DayUsage{Day: "2026-05-10", Session: "s", Provider: "p", Model: "m", Calls: 1, Usage: memory.Usage{Input: 2}, Cost: memory.Dollar / 2, First: 1778407200000, Last: 1778407200000}
	for _, line := range []string{
		"- 2026-05-10 · session `s` · model `m` of `p` · calls 1 · unpriced 0 · input 2 · output 0 · cacheRead 0 · cacheWrite 0 · usd 0.5 · background 0 · from 2026-05-10T10:00:00Z · to 2026-05-10T12:00:00+02:00",
		"- 2026-05-10 · calls 1 · session s · model m of p · usd 0.500000000 · unpriced 0 · input 2 · output 0 · cacheRead 0 · cacheWrite 0 · background 0.0 · from 2026-05-10T10:00:00.000Z · to 2026-05-10T10:00:00.000Z · note `paid by me`",
	} {
		if got, ok := ParseUsage(line); !ok || got != want {
			t.Errorf("%q\n gives %+v %t\n want  %+v", line, got, ok, want)
		}
	}
}

// TestSessionLineIsReadBack is the same for lines about sessions.
func TestSessionLineIsReadBack(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		s := memory.SessionSummary{Session: name(r), Key: name(r), Parent: name(r), Previous: name(r), Messages: count(r), UserMessages: count(r), Started: moment(r), Updated: moment(r)}
		s.Notes = memory.SessionMeta{Key: s.Key, Previous: s.Previous, Label: name(r), DisplayName: name(r), Channel: name(r), SpawnedBy: name(r), ParentKey: name(r)}
		line := SessionLine(s)
		got, was, ok := ParseSession(line)
		if !ok || was != "" || !reflect.DeepEqual(got, s) {
			t.Fatalf("%q\n gives %+v %q\n want  %+v", line, got, was, s)
		}
	}
}

// TestCompactionIsReadBack is the same for sections about compactions.
func TestCompactionIsReadBack(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 3))
	l := Open(t.TempDir(), "inst")
	var want []memory.KeptCompaction
	for n := range 500 {
		var summary []string
		for range r.IntN(6) {
			summary = append(summary, name(r))
		}
		k := memory.KeptCompaction{Session: name(r), Entry: fmt.Sprint(name(r), n), At: moment(r), TokensBefore: count(r), TokensAfter: count(r),
			Summary: plainBreaks.Replace(strings.Join(summary, "\n"))}
		want = append(want, k)
		if err := l.AppendCompactions("main", []memory.KeptCompaction{k}); err != nil {
			t.Fatal(err)
		}
	}
	got, bad, err := l.Compactions("main", same)
	if err != nil || bad != 0 || len(got) != len(want) {
		t.Fatal(len(got), bad, err)
	}
	for n := range want {
		if got[n] != want[n] {
			t.Errorf("%q gives\n %+v\n want\n %+v", CompactionText(want[n]), got[n], want[n])
		}
	}
}

// TestLaterLineCounts: of two lines about the same the later one, also where
// one has an id that was replaced since.
func TestLaterLineCounts(t *testing.T) {
	l := Open(t.TempDir(), "inst")
	u := memory.DayUsage{Day: "2026-05-10", Session: "old", Provider: "p", Model: "m", Calls: 1}
	v := u
	v.Session, v.Calls = "new", 2
	other := u
	other.Day = "2026-05-11"
	must(t, l.AppendUsage("main", []memory.DayUsage{u, other}))
	must(t, l.AppendSessions("main", []memory.SessionSummary{{Session: "old", Messages: 1}, {Session: "x"}}, nil))
	must(t, l.AppendSessions("main", []memory.SessionSummary{{Session: "new", Messages: 2}}, map[string]string{"old": "middle", "middle": "new"}))
	must(t, l.AppendUsage("main", []memory.DayUsage{v}))
	must(t, l.AppendCompactions("main", []memory.KeptCompaction{{Session: "old", Entry: "c", Summary: "1"}, {Session: "new", Entry: "c", Summary: "2"}, {Session: "new", Entry: "d", Summary: "3"}}))
	sessions, renamed, bad, err := l.Sessions("main", nil)
	must(t, err)
	if bad != 0 || len(sessions) != 2 || sessions[0].Session != "new" || sessions[0].Messages != 2 || Name(renamed, "old") != "new" {
		t.Errorf("%+v %v %d", sessions, renamed, bad)
	}
	name := func(s string) string { return Name(renamed, s) }
	usage, bad, err := l.Usage("main", name)
	must(t, err)
	if bad != 0 || len(usage) != 2 || usage[0].Calls != 2 || usage[0].Session != "new" || usage[1].Day != "2026-05-11" {
		t.Errorf("%+v %d", usage, bad)
	}
	compactions, bad, err := l.Compactions("main", name)
	must(t, err)
	if bad != 0 || len(compactions) != 2 || compactions[0].Summary != "2" {
		t.Errorf("%+v %d", compactions, bad)
	}
	if got := Name(map[string]string{"a": "b", "b": "a"}, "a"); got != "a" && got != "b" {
		t.Errorf("ids that replace each other: %q", got)
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// TestOnlyAppended: whatever is written, what was there before stays the
// beginning of each file.
func TestOnlyAppended(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 4))
	root := t.TempDir()
	l := Open(root, "inst")
	before := map[string]string{}
	for range 300 {
		switch r.IntN(4) {
		case 0:
			must(t, l.AppendUsage("main", []memory.DayUsage{randomUsage(r), randomUsage(r)}))
		case 1:
			must(t, l.AppendCompactions("main", []memory.KeptCompaction{{Session: name(r), Entry: name(r), Summary: name(r)}}))
		case 2:
			must(t, l.AppendSessions("main", []memory.SessionSummary{{Session: name(r)}}, map[string]string{name(r): name(r)}))
		case 3: // a crash leaves a part of a line
			for path := range before {
				f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
				must(t, err)
				_, err = f.WriteString("- 2026-05-10 · sess")
				must(t, err)
				must(t, f.Close())
				before[path] += "- 2026-05-10 · sess"
				break
			}
		}
		for _, file := range []string{usageFile, compactionFile, sessionFile} {
			path := filepath.Join(root, "inst", "main", file)
			body, err := os.ReadFile(path)
			if os.IsNotExist(err) {
				continue
			}
			must(t, err)
			if !strings.HasPrefix(string(body), before[path]) {
				t.Fatalf("%s was changed", file)
			}
			before[path] = string(body)
		}
	}
}

// TestTornLineIsEnded: what follows a line that a crash left unfinished is
// read, and the torn line costs itself.
func TestTornLineIsEnded(t *testing.T) {
	l := Open(t.TempDir(), "inst")
	u := memory.DayUsage{Day: "2026-05-10", Session: "s", Provider: "p", Model: "m", Calls: 1}
	whole := UsageLine(u)
	for n := 1; n < len(whole); n++ {
		agent := fmt.Sprint("agent", n)
		must(t, l.AppendUsage(agent, []memory.DayUsage{u}))
		f, err := os.OpenFile(l.path(agent, usageFile), os.O_APPEND|os.O_WRONLY, 0)
		must(t, err)
		_, err = f.WriteString(whole[:n])
		must(t, err)
		must(t, f.Close())
		v := u
		v.Day = "2026-05-11"
		must(t, l.AppendUsage(agent, []memory.DayUsage{v}))
		got, _, err := l.Usage(agent, same)
		if err != nil || len(got) != 2 || got[0] != u || got[1] != v {
			t.Fatalf("behind %q: %+v %v", whole[:n], got, err)
		}
	}
}

// TestEditedByHand: a byte order mark, DOS line ends, notes and lists of a
// person's own, and titles that are none.
func TestEditedByHand(t *testing.T) {
	l := Open(t.TempDir(), "inst")
	line := UsageLine(memory.DayUsage{Day: "2026-05-10", Session: "s", Provider: "p", Model: "m", Calls: 1})
	must(t, os.MkdirAll(l.Path("main"), 0o700))
	write := func(file, text string) { must(t, os.WriteFile(l.path("main", file), []byte(text), 0o600)) }
	write(usageFile, "\ufeff# Mine\r\n\r\nSome words.\r\n* a list\r\n"+line+"  \r\n- not a line\r\n-no item\r\n"+line[:len(line)-3])
	got, bad, err := l.Usage("main", same)
	if err != nil || len(got) != 1 || bad != 2 {
		t.Errorf("usage: %+v %d %v", got, bad, err)
	}
	write(compactionFile, "\ufeff## unknown · session `s` · entry `e` · before unknown · after 5\r\n\r\n> one\r\n>two\r\n>\r\nnot quoted\r\n## a title of mine\r\n> of nobody\r\n")
	kept, bad, err := l.Compactions("main", same)
	if err != nil || bad != 1 || len(kept) != 1 || kept[0].Summary != "one\ntwo\n" || kept[0].TokensAfter != 5 || kept[0].TokensBefore != 0 {
		t.Errorf("compactions: %+v %d %v", kept, bad, err)
	}
	write(sessionFile, "- session `s`\n- session `s` · key `k` · messages x · user 1 · from unknown · to unknown\n- session `` · formerly `x`\n- session `n` · formerly `o`\n- session `o` · formerly `o`\n")
	sessions, renamed, bad, err := l.Sessions("main", nil)
	if err != nil || len(sessions) != 0 || bad != 3 || len(renamed) != 1 {
		t.Errorf("sessions: %+v %v %d %v", sessions, renamed, bad, err)
	}
}

// TestNothingThere: a ledger of which nothing was written.
func TestNothingThere(t *testing.T) {
	root := t.TempDir()
	l := Open(root, "inst")
	if agents, err := l.Agents(); err != nil || len(agents) != 0 {
		t.Error(agents, err)
	}
	if got, bad, err := l.Usage("main", same); err != nil || bad != 0 || got != nil {
		t.Error(got, bad, err)
	}
	must(t, l.AppendUsage("main", nil))
	must(t, l.AppendCompactions("main", nil))
	must(t, l.AppendSessions("main", nil, nil))
	if found, err := os.ReadDir(root); err != nil || len(found) != 0 {
		t.Errorf("something was made: %v %v", found, err)
	}
}

// TestAgentsAndModes: a folder for each agent, that nobody else enters.
func TestAgentsAndModes(t *testing.T) {
	root := t.TempDir()
	l := Open(root, "inst")
	for _, agent := range []string{"main", "ops"} {
		must(t, l.AppendUsage(agent, []memory.DayUsage{{Day: "2026-05-10", Session: "s"}}))
	}
	must(t, os.WriteFile(filepath.Join(root, "inst", "README.md"), nil, 0o600))
	agents, err := l.Agents()
	if err != nil || strings.Join(agents, " ") != "main ops" {
		t.Error(agents, err)
	}
	body, err := os.ReadFile(l.path("main", usageFile))
	must(t, err)
	if !strings.HasPrefix(string(body), "# ") || !strings.HasSuffix(string(body), "\n") {
		t.Errorf("the file is\n%s", body)
	}
	if runtime.GOOS == "windows" {
		return
	}
	for path, want := range map[string]os.FileMode{l.Path("main"): 0o700, l.path("main", usageFile): 0o600} {
		info, err := os.Stat(path)
		must(t, err)
		if info.Mode().Perm() != want {
			t.Errorf("%s has mode %v", path, info.Mode())
		}
	}
}

// TestUnreadable: a file that cannot be read or written is an error.
func TestUnreadable(t *testing.T) {
	l := Open(t.TempDir(), "inst")
	must(t, os.MkdirAll(l.path("main", usageFile), 0o700)) // a folder in its place
	if _, _, err := l.Usage("main", same); err == nil {
		t.Error("reading a folder gave no error")
	}
	if err := l.AppendUsage("main", []memory.DayUsage{{Session: "s"}}); err == nil {
		t.Error("writing into a folder gave no error")
	}
}

func FuzzLines(f *testing.F) {
	f.Add(UsageLine(memory.DayUsage{Day: "2026-05-10", Session: "s`\\\n", Provider: "p", Model: "m", Calls: 1}))
	f.Add(SessionLine(memory.SessionSummary{Session: "s", Key: "k"}))
	f.Add("## unknown · session `s` · entry `e` · before 1 · after unknown")
	f.Add("- a `")
	f.Fuzz(func(t *testing.T, line string) {
		if u, ok := ParseUsage(line); ok {
			if again, ok := ParseUsage(UsageLine(u)); !ok || again != u {
				t.Errorf("%q gives %+v, which gives %+v", line, u, again)
			}
		}
		if s, was, ok := ParseSession(line); ok && was == "" {
			if again, _, ok := ParseSession(SessionLine(s)); !ok || !reflect.DeepEqual(again, s) {
				t.Errorf("%q gives %+v, which gives %+v", line, s, again)
			}
		}
		if k, ok := ParseTitle(line); ok {
			title, _, _ := strings.Cut(CompactionText(k), "\n")
			if again, ok := ParseTitle(title); !ok || again != k {
				t.Errorf("%q gives %+v, which gives %+v", line, k, again)
			}
		}
	})
}
