package engine

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"tidemark/backend/api"
)

// entriesOf gives the lines of a ledger file that are items.
func entriesOf(text string) (lines []string) {
	for _, l := range strings.Split(text, "\n") {
		if strings.HasPrefix(l, "- ") || strings.HasPrefix(l, "## ") {
			lines = append(lines, l)
		}
	}
	return lines
}

// TestADayCloses: what a day used is written when it has passed, once.
func TestADayCloses(t *testing.T) {
	w := newWorld(t)
	w.now = time.Date(2026, 5, 10, 12, 0, 0, 0, time.UTC)
	w.lines(S("a.jsonl"), head("a", 0), said("u", "", 1, "hello"), reply("a1", "u", 2, 100, 10, "0.1"), compacted("c1", "a1", 3, "a1", "they\nsaid hello"))
	e := w.open()
	e.scan()
	if text := w.ledgerFile("main", "usage.md"); text != "" {
		t.Errorf("written while the day goes on:\n%s", text)
	}
	w.now = time.Date(2026, 5, 10, 23, 59, 59, 0, time.UTC)
	e.scan()
	if text := w.ledgerFile("main", "usage.md"); text != "" {
		t.Errorf("written at the last second of the day:\n%s", text)
	}
	w.now = time.Date(2026, 5, 11, 0, 0, 0, 0, time.UTC)
	e.scan()
	const line = "- 2026-05-10 · session `a` · model `claude-sonnet-4-6` of `anthropic` · calls 1 · unpriced 0 · input 100 · output 10 · cacheRead 0 · cacheWrite 0 · usd 0.100000000 · background 0.000000000 · from 2026-05-10T00:02:00.000Z · to 2026-05-10T00:02:00.000Z"
	usage, sections := w.ledgerFile("main", "usage.md"), w.ledgerFile("main", "compactions.md")
	equal(t, "usage", strings.Join(entriesOf(usage), "\n"), line)
	if !strings.Contains(sections, "session `a` · entry `c1` · before 178000 · after unknown\n\n> they\n> said hello\n") {
		t.Errorf("compactions:\n%s", sections)
	}
	for range 3 {
		w.now = w.now.Add(time.Hour)
		e.scan()
	}
	w.now = w.now.Add(48 * time.Hour)
	e.scan()
	equal(t, "usage, days later", w.ledgerFile("main", "usage.md"), usage)
	equal(t, "compactions, days later", w.ledgerFile("main", "compactions.md"), sections)
	// More of that day comes late: one more line, which replaces the first.
	w.grow(S("a.jsonl"), reply("a2", "a1", 5, 200, 20, "0.2"))
	w.now = w.now.Add(24 * time.Hour)
	e.scan()
	lines := entriesOf(w.ledgerFile("main", "usage.md"))
	equal(t, "lines", len(lines), 2)
	if !strings.Contains(lines[1], "calls 2 · unpriced 0 · input 300 ") {
		t.Errorf("the second line: %s", lines[1])
	}
}

// TestDaysOfTheLedgerAreUTC: a line means the same calls wherever it is read.
func TestDaysOfTheLedgerAreUTC(t *testing.T) {
	w := newWorld(t)
	w.local = time.FixedZone("far", 14*3600)
	w.write("openclaw.json", `{agents: {defaults: {userTimezone: "Pacific/Kiritimati"}}}`)
	w.lines(S("a.jsonl"), head("a", 0), callAt("a1", "2026-05-10T23:59:59.999Z", "1"), callAt("a2", "2026-05-11T00:00:00.000Z", "2"))
	w.open().scan()
	lines := entriesOf(w.ledgerFile("main", "usage.md"))
	equal(t, "lines", len(lines), 2)
	slices.Sort(lines)
	for n, want := range []string{"- 2026-05-10 ", "- 2026-05-11 "} {
		if !strings.HasPrefix(lines[n], want) {
			t.Errorf("%s", lines[n])
		}
	}
}

// TestRestore: when sources are deleted and the index is lost, the ledger
// brings back usage by session, model and day, messages, compactions, keys.
func TestRestore(t *testing.T) {
	w := newWorld(t)
	w.write(S("sessions.json"), `{"agent:main:cron:job1":{"sessionId":"job","updatedAt":1778000000000,"label":"the job"}}`)
	w.lines(S("job.jsonl"), head("job", 0), said("u", "", 1, "[cron:job1] go"), reply("j1", "u", 2, 100, 10, "0.25"), call{id: "j2", minute: 3000, in: 7, out: 7, usd: "0", provider: "x", model: "unlisted"}.line(), compacted("k", "j1", 3, "j1", "it went\n\n> quoted\n## not a title\n"))
	w.lines(S("talk.jsonl"), head("talk", 0), said("t0", "", 1, "hello"), reply("t1", "t0", 2, 200, 20, "0.50"))
	w.lines(S("only-words.jsonl"), head("only-words", 0), said("w0", "", 1, "nobody answered"))
	e := w.open()
	before := e.scan()
	views := func() string {
		var b strings.Builder
		for _, by := range []string{"day", "agent", "model", "session"} {
			v := e.costs(by)
			fmt.Fprintln(&b, by, v.Rows, v.Total, v.UnreportedCalls)
		}
		for _, s := range e.sessions() {
			fmt.Fprintln(&b, s.Agent, s.SessionID, s.SessionKey, s.Messages, s.UserMessages, s.Calls, s.Compactions, s.Tokens, s.USD, s.UnpricedCalls, s.Background, *s.StartedAt, *s.UpdatedAt, s.Model)
		}
		for _, c := range e.compactions() {
			fmt.Fprintln(&b, c.SessionID, c.EntryID, *c.At, *c.TokensBefore, c.TokensAfter, c.Summary)
		}
		return b.String()
	}
	was := views()
	w.remove("agents")
	w.write(S("other.jsonl"), "")
	e.scan()
	equal(t, "after everything was deleted", views(), was)
	e.close()
	w.loseIndex()
	e = w.open()
	after := e.scan()
	equal(t, "totals", totals(after), totals(before))
	equal(t, "views", views(), was)
	for _, s := range e.sessions() {
		equal(t, s.SessionID+" is gone", s.Gone, true)
		equal(t, s.SessionID+" is archived", s.Archived, true)
	}
	sumsAgree(t, e)
	// And again, from what was restored.
	w.now = w.now.Add(24 * time.Hour)
	e.scan()
	usage := w.ledgerFile("main", "usage.md")
	e.close()
	w.loseIndex()
	e = w.open()
	e.scan()
	equal(t, "views, restored twice", views(), was)
	equal(t, "the ledger did not change", w.ledgerFile("main", "usage.md"), usage)
	if _, err := e.Rebuild(t.Context(), api.Query{}); err != nil {
		t.Fatal(err)
	}
	equal(t, "views after a rebuild", views(), was)
}

// TestSourcesComeBack: what the ledger carries gives way to the sources when
// they come back, all of them or a part, and is carried again where they go.
func TestSourcesComeBack(t *testing.T) {
	lines := []string{head("a", 0), said("u", "", 1, "hi"), reply("a1", "u", 2, 100, 10, "0.1"), reply("a2", "a1", 3, 200, 20, "0.2"), compacted("c1", "a2", 4, "a2", "all of it"), reply("a3", "c1", 5, 400, 40, "0.4")}
	w := newWorld(t)
	w.lines(S("a.jsonl"), lines...)
	e := w.open()
	before := e.scan()
	w.remove(S("a.jsonl"))
	e.scan()
	lose := func() {
		e.close()
		w.loseIndex()
		e = w.open()
	}
	lose()
	equal(t, "nothing is there", totals(e.scan()), totals(before))
	for n := 1; n <= len(lines); n++ {
		w.lines(S("a.jsonl"), lines[:n]...)
		equal(t, fmt.Sprint(n, " lines came back"), totals(e.scan()), totals(before))
		equal(t, fmt.Sprint(n, " lines: days"), fmt.Sprint(e.costs("day").Rows), "[{2026-05-10 3 {700 70 0 0} 0.7 0 0}]")
		lose()
		equal(t, fmt.Sprint(n, " lines at once"), totals(e.scan()), totals(before))
	}
	equal(t, "no superseded compaction", e.compactions()[0].Superseded, false)
	equal(t, "its place in the tree is back", e.detail("a").Entries[4].OnPath, true)
	// It goes on.
	w.grow(S("a.jsonl"), reply("a4", "a3", 6, 800, 80, "0.8"))
	equal(t, "input of more", e.scan().Tokens.Input, 1500)
	w.now = w.now.Add(24 * time.Hour)
	e.scan()
	w.lines(S("a.jsonl"), lines[:3]...) // somebody puts an old backup there
	equal(t, "input of an old backup", e.scan().Tokens.Input, 1500)
	lose()
	s := e.scan()
	equal(t, "input of an old backup, at once", s.Tokens.Input, 1500)
	money(t, "cost", s.Cost.USD, 1.5)
	sumsAgree(t, e)
}

// TestPartialDayOfBackground: what is carried of a day has no more background
// spend than the ledger says.
func TestPartialDayOfBackground(t *testing.T) {
	w := newWorld(t)
	lines := []string{head("a", 0), said("u1", "", 1, "Read HEARTBEAT.md if it exists (workspace context). Follow it strictly."), reply("a1", "u1", 2, 100, 10, "1"), said("u2", "a1", 3, "hello"), reply("a2", "u2", 4, 100, 10, "2")}
	w.lines(S("a.jsonl"), lines...)
	e := w.open()
	money(t, "background", e.costs("day").Total.BackgroundUSD, 1)
	e.close()
	w.loseIndex()
	w.lines(S("a.jsonl"), lines[:3]...)
	e = w.open()
	v := e.costs("day").Total
	money(t, "all", v.USD, 3)
	money(t, "background", v.BackgroundUSD, 1)
}

// TestRestoreOfARotatedSession: the first file of a chain is gone, and what
// its successor copied of it is still there.
func TestRestoreOfARotatedSession(t *testing.T) {
	a := []string{head("a", 0), reply("a1", "", 1, 100, 1, "0.1"), reply("a2", "a1", 2, 200, 1, "0.2")}
	b := []string{headOf("b", 10, "a.jsonl"), reply("a2", "", 2, 200, 1, "0.2"), reply("b1", "a2", 11, 400, 1, "0.4")}
	c := []string{headOf("c", 20, "b.jsonl"), reply("a2", "", 2, 200, 1, "0.2"), reply("b1", "a2", 11, 400, 1, "0.4"), reply("c1", "b1", 21, 800, 1, "0.8")}
	files := map[string][]string{"a": a, "b": b, "c": c}
	for _, gone := range []string{"a", "b", "c", "ab", "ac", "bc", "abc"} {
		t.Run("without "+gone, func(t *testing.T) {
			w := newWorld(t)
			for name, lines := range files {
				w.lines(S(name+".jsonl"), lines...)
			}
			e := w.open()
			before := e.scan()
			equal(t, "input", before.Tokens.Input, 1500)
			for _, name := range strings.Split(gone, "") {
				w.remove(S(name + ".jsonl"))
			}
			equal(t, "input after they went", e.scan().Tokens.Input, 1500)
			e.close()
			w.loseIndex()
			e = w.open()
			after := e.scan()
			equal(t, "totals without the index", totals(after), totals(before))
			sumsAgree(t, e)
			for _, name := range strings.Split(gone, "") {
				w.lines(S(name+".jsonl"), files[name]...)
			}
			equal(t, "totals when they came back", totals(e.scan()), totals(before))
			w.now = w.now.Add(24 * time.Hour)
			e.scan()
			e.close()
			w.loseIndex()
			equal(t, "totals at once", totals(w.open().scan()), totals(before))
		})
	}
}

// TestLedgerEditedByHand: lines that cannot be read cost themselves and are
// counted, and a person's words in a summary stay.
func TestLedgerEditedByHand(t *testing.T) {
	w := newWorld(t)
	w.lines(S("a.jsonl"), head("a", 0), reply("a1", "", 1, 100, 1, "0.1"), compacted("c1", "a1", 2, "a1", "my bank is so and so"))
	w.lines(S("b.jsonl"), head("b", 0), reply("b1", "", 1, 200, 1, "0.2"))
	e := w.open()
	e.scan()
	e.close()
	edit := func(name string, change func(string) string) {
		t.Helper()
		found, err := filepath.Glob(filepath.Join(w.data, "ledger", "*", "main", name))
		if err != nil || len(found) != 1 {
			t.Fatal(found, err)
		}
		body, err := os.ReadFile(found[0])
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(found[0], []byte(change(string(body))), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	edit("compactions.md", func(s string) string { return strings.Replace(s, "my bank is so and so", "(removed by me)", 1) })
	edit("usage.md", func(s string) string {
		return "\ufeff" + strings.ReplaceAll(strings.Replace(s, "session `b`", "session b", 1), "\n", "\r\n") + "- 2026-05-10 · session `x` · nonsense\r\n\r\nA note of mine.\r\n* another list\r\n"
	})
	w.remove("agents/main/sessions")
	w.loseIndex()
	e = w.open()
	s := e.scan()
	equal(t, "input", s.Tokens.Input, 300)
	equal(t, "bad lines", codes(s.Problems)["bad-line"], 1)
	equal(t, "summary", e.compactions()[0].Summary, "(removed by me)")
	w.lines(S("a.jsonl"), head("a", 0), reply("a1", "", 1, 100, 1, "0.1"), compacted("c1", "a1", 2, "a1", "my bank is so and so"))
	w.now = w.now.Add(48 * time.Hour)
	e.scan()
	if text := w.ledgerFile("main", "compactions.md"); strings.Contains(text, "bank") {
		t.Errorf("what a person took out is written again:\n%s", text)
	}
}

// TestTornLine: a line that a crash left unfinished damages nothing else.
func TestTornLine(t *testing.T) {
	w := newWorld(t)
	w.lines(S("a.jsonl"), head("a", 0), reply("a1", "", 1, 100, 1, "0.1"))
	e := w.open()
	e.scan()
	found, _ := filepath.Glob(filepath.Join(w.data, "ledger", "*", "main", "usage.md"))
	f, err := os.OpenFile(found[0], os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString("- 2026-05-10 · session `a` · model `claude-so"); err != nil {
		t.Fatal(err)
	}
	f.Close()
	w.lines(S("b.jsonl"), head("b", 0), reply("b1", "", 1, 200, 1, "0.2"))
	w.now = w.now.Add(24 * time.Hour)
	e.scan()
	lines := entriesOf(w.ledgerFile("main", "usage.md"))
	equal(t, "lines", len(lines), 3)
	e.close()
	w.remove("agents/main/sessions")
	w.loseIndex()
	s := w.open().scan()
	equal(t, "input", s.Tokens.Input, 300)
	equal(t, "bad lines", codes(s.Problems)["bad-line"], 1)
}

// TestRepricing: another price in the configuration prices anew what has no
// recorded cost, and only that; it duplicates nothing in the ledger.
func TestRepricing(t *testing.T) {
	w := newWorld(t)
	config := func(input float64, window int) {
		w.write("openclaw.json", fmt.Sprintf(`{models: {providers: {own: {models: [{id: "m", contextWindow: %d, cost: {input: %v, output: 1, cacheRead: 0, cacheWrite: 0}}]}}}}`, window, input))
	}
	own := func(id, usd string) string {
		return call{id: id, minute: 1, in: 1_000_000, usd: usd, provider: "own", model: "m"}.line()
	}
	w.lines(S("a.jsonl"), head("a", 0), own("a1", "0"), own("a2", "7.5"), call{id: "a3", minute: 2, in: 1_000_000, usd: "0", provider: "other", model: "unlisted"}.line())
	e := w.open()
	s := e.scan()
	money(t, "without a price", s.Cost.USD, 7.5)
	equal(t, "unknown", s.Cost.UnpricedCalls, 2)
	config(2, 1000)
	s = e.scan()
	money(t, "with a price", s.Cost.USD, 9.5)
	equal(t, "unknown", s.Cost.UnpricedCalls, 1)
	config(3, 1000)
	money(t, "with another price", e.scan().Cost.USD, 10.5)
	config(3, 2000)
	money(t, "with another window", e.scan().Cost.USD, 10.5)
	source, usd := priceOf(t, e, "a", "a2")
	equal(t, "source of the recorded one", source, "recorded")
	money(t, "the recorded one", *usd, 7.5)
	sumsAgree(t, e)
	w.now = w.now.Add(24 * time.Hour)
	before := e.scan()
	e.close()
	w.remove("agents/main/sessions")
	w.loseIndex()
	e = w.open()
	equal(t, "from the ledger", totals(e.scan()), totals(before))
	e.close()
	// The price changes while the index is lost and the sources are there.
	w.lines(S("a.jsonl"), head("a", 0), own("a1", "0"), own("a2", "7.5"), call{id: "a3", minute: 2, in: 1_000_000, usd: "0", provider: "other", model: "unlisted"}.line())
	w.loseIndex()
	config(4, 2000)
	s = w.open().scan()
	money(t, "with a price that changed meanwhile", s.Cost.USD, 11.5)
	equal(t, "input", s.Tokens.Input, 3_000_000)
}
