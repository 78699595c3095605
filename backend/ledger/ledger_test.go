package ledger_test

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"testing/quick"

	"tidemark/backend/ledger"
	"tidemark/backend/memory"
)

func sample() memory.DayUsage {
	return memory.DayUsage{Day: "2026-05-10", Session: "s-one", Provider: "anthropic", Model: "claude-sonnet-4-6", Calls: 3, Unpriced: 1,
		Usage: memory.Usage{Input: 1200, Output: 80, CacheRead: 40_000, CacheWrite: 7}, Cost: 12_300_000, Background: 4_000_000, First: 1778400005000, Last: 1778434384000}
}

func TestUsageLineIsTheDocumentedOne(t *testing.T) {
	want := "- 2026-05-10 · session `s-one` · model `claude-sonnet-4-6` of `anthropic` · calls 3 · unpriced 1 · input 1200 · output 80 · cacheRead 40000 · cacheWrite 7 · usd 0.012300000 · background 0.004000000 · from 2026-05-10T08:00:05.000Z · to 2026-05-10T17:33:04.000Z"
	if got := ledger.UsageLine(sample()); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// TestUsageRoundTrip reads back what it wrote, whatever the numbers and names.
func TestUsageRoundTrip(t *testing.T) {
	check := func(session, model string, calls, unpriced, in, out uint32, cost, background uint32, first, last uint32) bool {
		u := memory.DayUsage{Day: "2026-05-10", Session: clean(session), Provider: "p", Model: clean(model), Calls: int64(calls), Unpriced: int64(unpriced),
			Usage: memory.Usage{Input: int64(in), Output: int64(out)}, Cost: memory.Money(cost) * 7, Background: memory.Money(background), First: memory.Millis(first) + 1, Last: memory.Millis(last) + 1}
		got, ok := ledger.ParseUsage(ledger.UsageLine(u))
		return ok && reflect.DeepEqual(got, u)
	}
	if err := quick.Check(check, nil); err != nil {
		t.Error(err)
	}
	unknown := sample()
	unknown.Day, unknown.First, unknown.Last = "", 0, 0
	if got, ok := ledger.ParseUsage(ledger.UsageLine(unknown)); !ok || !reflect.DeepEqual(got, unknown) {
		t.Errorf("unknown times: %+v %v", got, ok)
	}
}

// clean gives a name as the ledger can keep it.
func clean(s string) string { return strings.NewReplacer("`", "ˋ", "\n", " ", "\r", " ").Replace(s) }

func TestParseUsageRefuses(t *testing.T) {
	good := ledger.UsageLine(sample())
	for name, line := range map[string]string{
		"empty": "", "prose": "- a person's note", "cut off": good[:len(good)-5], "no number": strings.Replace(good, "calls 3", "calls three", 1),
		"negative": strings.Replace(good, "input 1200", "input -1", 1), "too large": strings.Replace(good, "input 1200", "input 99999999999999999999", 1),
		"absurd amount": strings.Replace(good, "usd 0.0", "usd 99999999999.0", 1), "no time": strings.Replace(good, "from 2026-05-10T08:00:05.000Z", "from noon", 1),
	} {
		if u, ok := ledger.ParseUsage(line); ok {
			t.Errorf("%s: read as %+v", name, u)
		}
	}
}

// TestAppendOnly appends in several steps: what was there stays as it is.
func TestAppendOnly(t *testing.T) {
	root := t.TempDir()
	l := ledger.Open(root, "inst")
	path := filepath.Join(root, "inst", "main", "usage.md")
	before := ""
	u := sample()
	for n := range 5 {
		u.Calls = int64(n)
		if err := l.AppendUsage("main", []memory.DayUsage{u}); err != nil {
			t.Fatal(err)
		}
		after := read(t, path)
		if !strings.HasPrefix(after, before) || !strings.HasSuffix(after, "\n") {
			t.Fatalf("step %d: %q does not begin with %q", n, after, before)
		}
		before = after
	}
	if n := strings.Count(before, "# What the calls"); n != 1 {
		t.Errorf("%d heads", n)
	}
	found, bad, err := l.Usage("main")
	if err != nil || bad != 0 || len(found) != 1 || found[0].Calls != 4 {
		t.Errorf("the last line does not count: %+v %d %v", found, bad, err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v %v", info.Mode(), err)
	}
}

// TestTornLineCostsItself leaves half a line, as a crash does.
func TestTornLineCostsItself(t *testing.T) {
	root := t.TempDir()
	l := ledger.Open(root, "inst")
	u := sample()
	if err := l.AppendUsage("main", []memory.DayUsage{u}); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(root, "inst", "main", "usage.md")
	whole := read(t, path)
	if err := os.WriteFile(path, []byte(whole+"- 2026-05-11 · session `s-"), 0o600); err != nil {
		t.Fatal(err)
	}
	u.Day = "2026-05-12"
	if err := l.AppendUsage("main", []memory.DayUsage{u}); err != nil {
		t.Fatal(err)
	}
	found, bad, err := l.Usage("main")
	if err != nil || bad != 1 || len(found) != 2 {
		t.Errorf("%d lines, %d bad, %v", len(found), bad, err)
	}
}

// TestPeopleEdit reads a file that a person annotated on another system.
func TestPeopleEdit(t *testing.T) {
	root := t.TempDir()
	l := ledger.Open(root, "inst")
	path := filepath.Join(root, "inst", "main", "usage.md")
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	text := "\ufeff# mine\r\n\r\nI like this month.\r\n* a list\r\n" + ledger.UsageLine(sample()) + "  \r\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	found, bad, err := l.Usage("main")
	if err != nil || bad != 0 || len(found) != 1 {
		t.Errorf("%d lines, %d bad, %v", len(found), bad, err)
	}
}

func TestCompactionsRoundTrip(t *testing.T) {
	root := t.TempDir()
	l := ledger.Open(root, "inst")
	kept := []memory.KeptCompaction{
		{Session: "s", Entry: "c1", At: 1778434260000, TokensBefore: 178_000, Summary: "## Goal\n\n- keep it\n\n> a quote\n## 2026 · not a title"},
		{Session: "s", Entry: "c2", TokensAfter: 5, Summary: ""},
		{Session: "s", Entry: "c3", At: 1, Summary: "中文摘要\n第二行"},
	}
	if err := l.AppendCompactions("main", kept); err != nil {
		t.Fatal(err)
	}
	found, bad, err := l.Compactions("main")
	if err != nil || bad != 0 || !reflect.DeepEqual(found, kept) {
		t.Errorf("got %+v, %d bad, %v", found, bad, err)
	}
	kept[0].Summary = "changed"
	if err := l.AppendCompactions("main", kept[:1]); err != nil {
		t.Fatal(err)
	}
	if found, _, _ = l.Compactions("main"); len(found) != 3 || found[0].Summary != "changed" {
		t.Errorf("the last section does not count: %+v", found)
	}
}

func TestEmptyLedger(t *testing.T) {
	l := ledger.Open(filepath.Join(t.TempDir(), "nothing"), "inst")
	agents, err := l.Agents()
	if err != nil || len(agents) != 0 {
		t.Error(agents, err)
	}
	if found, bad, err := l.Usage("main"); err != nil || bad != 0 || len(found) != 0 {
		t.Error(found, bad, err)
	}
	if err := l.AppendUsage("main", nil); err != nil {
		t.Error(err)
	}
	if agents, _ = l.Agents(); len(agents) != 0 {
		t.Error("nothing was written and there is a folder")
	}
}

func FuzzParseUsage(f *testing.F) {
	f.Add(ledger.UsageLine(sample()))
	f.Add("- 2026-05-10 · session `` · model `` of `` · calls 0")
	f.Fuzz(func(t *testing.T, line string) {
		u, ok := ledger.ParseUsage(line)
		if !ok {
			return
		}
		again, ok := ledger.ParseUsage(ledger.UsageLine(u))
		if !ok || !reflect.DeepEqual(again, u) {
			t.Errorf("%q was read as %+v and written so that it reads as %+v", line, u, again)
		}
	})
}

func read(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
