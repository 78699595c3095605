package engine

import (
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"tidemark/backend/api"
)

// The tests of this file and of those named cases_… are numbered as the public
// reports that they come from.

// eighteen writes the eighteen cases: a small state directory with one
// known answer in each file.
func (w *world) eighteen() {
	const ten = 10 * 60
	one := func(id string, in, out int64, usd string) string { return reply(id, "", ten, in, out, usd) }
	w.lines(S("a-plain.jsonl"), head("a-plain", 0), one("a1", 100, 10, "0.001"))
	w.write(S("b-partial.jsonl"), head("b", 0)+"\n"+one("b1", 200, 20, "0.002")+"\n"+one("b2", 9999, 1, "0")[:80])
	w.lines(S("c-reset.jsonl.reset.2026-05-11T04-58-33.868Z"), head("c", 0), one("c1", 300, 30, "0.003"))
	w.lines(S("d-del.jsonl.deleted.2026-05-11T04-58-33.868Z"), head("d", 0), one("d1", 400, 40, "0.004"))
	w.lines(S("e-ck.jsonl"), head("e", 0), one("e1", 500, 50, "0.005"))
	w.lines(S("e-ck.checkpoint.0f0f0f0f-1111-4222-8333-444444444444.jsonl"), head("e", 0), one("e1", 500, 50, "0.005"))
	for _, name := range []string{"f-live.jsonl", "f-live.jsonl.deleted.2026-05-12T00-00-00.000Z"} {
		w.lines(S(name), head("f", 0), one("f1", 600, 60, "0.006"))
	}
	w.lines(S("g-nototal.jsonl"), head("g", 0), strings.Replace(one("g1", 700, 70, "0.007"), `"totalTokens":770,`, "", 1))
	w.lines(S("h-neg.jsonl"), head("h", 0), one("h1", -284957, 80, "-1.5"), one("h2", 800, 80, "0.008"))
	w.lines(S("i-mirror.jsonl"), head("i", 0), call{id: "i1", minute: ten, in: 90000, out: 900, usd: "0.9", provider: "openclaw", model: "delivery-mirror"}.line())
	w.lines(S("j-zerocost.jsonl"), head("j", 0), call{id: "j1", minute: ten, in: 1000, out: 100, read: 50000, usd: "0", provider: "custom", model: "my-unlisted-model"}.line())
	w.lines(S("k-huge.jsonl"), head("k", 0), fmt.Sprintf(`{"type":"message","id":"k0","parentId":null,"timestamp":%q,"message":{"role":"toolResult","content":[{"type":"image","data":"%s"}]}}`,
		at(ten), strings.Repeat("A", 12_000_000)), one("k1", 1100, 110, "0.011"))
	w.lines(S("l-badline.jsonl"), head("l", 0), `{"type":"message","id":"x","message":{"role":"assistant","usage":{"input":1`, "undefined", "", one("l1", 1200, 120, "0.012"))
	w.lines(S("m-spliced.jsonl"), head("m", 0), one("m0", 1, 1, "")[:90]+one("m1", 1300, 130, "0.013"))
	w.write(S("n-crlf-bom.jsonl"), "\ufeff"+head("n", 0)+"\r\n"+one("n1", 1400, 140, "0.014")+"\r\n")
	w.lines(S("o-traj.trajectory.jsonl"), one("o1", 7777, 7, "7.7"))
	w.lines(S("p-dup.jsonl"), head("p", 0), one("p1", 1500, 150, "0.015"), one("p1", 1500, 150, "0.015"), one("p1", 1500, 150, "0.015"))
	w.lines(S("q-twin.jsonl"), head("q", 0), one("q1", 1600, 160, "0.016"), one("q2", 1600, 160, "0.016"))
	w.lines(S("r-nan.jsonl"), head("r", 0), fmt.Sprintf(`{"type":"message","id":"r1","timestamp":%q,"message":{"role":"assistant","model":"m","usage":{"input":1700,"output":170,"totalTokens":null,"cost":{"total":null}}}}`, at(ten)))
	w.write(S("sessions.json"), `{"main":1}`)
}

// right are the eighteen cases' totals.
func right(t *testing.T, s api.Scan) {
	t.Helper()
	equal(t, "input", s.Tokens.Input, 16_000)
	equal(t, "output", s.Tokens.Output, 1_680)
	equal(t, "cacheRead", s.Tokens.CacheRead, 50_000)
	money(t, "cost", s.Cost.USD, 0.133)
	equal(t, "calls of unknown price", s.Cost.UnpricedCalls, 3)
	equal(t, "sessions", s.Sessions, 17)
	equal(t, "messages", s.Messages, 20)
	equal(t, "messages of the user", s.UserMessages, 0)
	equal(t, "compactions", s.Compactions, 0)
}

func TestEighteenCases(t *testing.T) {
	w := newWorld(t)
	w.eighteen()
	e := w.open()
	s := e.scan()
	right(t, s)
	right(t, w.tally())
	again := e.scan()
	again.ElapsedMs, s.ElapsedMs = 0, 0
	if fmt.Sprint(again) != fmt.Sprint(s) {
		t.Errorf("a second look says\n%v\nafter\n%v", again, s)
	}
	have := codes(s.Problems)
	for code, want := range map[string]int{"bad-usage": 2, "blank-line": 1, "bad-line": 2, "spliced-line": 1, "price-unknown": 1, "bad-store": 1} {
		if have[code] != want {
			t.Errorf("%d × %s, want %d: %v", have[code], code, want, s.Problems)
		}
	}
}

// TestEighteenCasesAsWritten runs the generator itself, where it and Python
// are here.
func TestEighteenCasesAsWritten(t *testing.T) {
	script := shared(t, "cases/make_cases.py")
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("Python is not here")
	}
	w := newWorld(t)
	if out, err := exec.Command(python, script, w.state).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	right(t, w.open().scan())
	right(t, w.tally())
}

// TestPlainAndPackedRows is the small database with one plain and one
// compressed row.
func TestPlainAndPackedRows(t *testing.T) {
	w := newWorld(t)
	db := w.database("main")
	db.window("s1", "agent:main:main")
	db.plain("s1", head("s1", 0), reply("p1", "", 600, 100, 10, "0.001"))
	db.packed("s1", reply("z1", "", 600, 2000, 20, "0.02"))
	db.close()
	for name, s := range map[string]api.Scan{"index": w.open().scan(), "tally": w.tally()} {
		equal(t, name+": input", s.Tokens.Input, 2_100)
		equal(t, name+": sessions", s.Sessions, 1)
		equal(t, name+": messages", s.Messages, 2)
		money(t, name, s.Cost.USD, 0.021)
	}
}

// fixtures are real state directories and what they hold.
var fixtures = []struct {
	name                                  string
	sessions, messages, user, compactions int64
	input, output, cacheRead, unpriced    int64
	usd                                   float64
	agents                                int
	eras                                  string
}{
	{"2026.2.24", 5, 96, 37, 2, 391_728, 1_099, 389_248, 0, 1.3084434, 2, "jsonl"},
	{"2026.6.11", 7, 100, 41, 11, 507_858, 1_169, 504_896, 0, 1.6925778, 2, "jsonl"},
	{"2026.9.6", 2, 84, 36, 2, 276_630, 766, 274_496, 0, 0.9237288, 2, "sqlite"},
	{"upgrade-2.24-to-9.6", 5, 96, 37, 2, 391_728, 1_099, 389_248, 0, 1.3084434, 2, "jsonl sqlite"},
}

func TestFixtures(t *testing.T) {
	for _, f := range fixtures {
		t.Run(f.name, func(t *testing.T) {
			w := newWorld(t)
			copyTree(t, filepath.Join(shared(t, "fixtures"), f.name), w.state)
			e := w.open()
			for name, s := range map[string]api.Scan{"index": e.scan(), "again": e.scan(), "tally": w.tally()} {
				equal(t, name+": agents", len(s.Agents), f.agents)
				equal(t, name+": sessions", s.Sessions, f.sessions)
				equal(t, name+": messages", s.Messages, f.messages)
				equal(t, name+": messages of the user", s.UserMessages, f.user)
				equal(t, name+": compactions", s.Compactions, f.compactions)
				equal(t, name+": input", s.Tokens.Input, f.input)
				equal(t, name+": output", s.Tokens.Output, f.output)
				equal(t, name+": cacheRead", s.Tokens.CacheRead, f.cacheRead)
				equal(t, name+": cacheWrite", s.Tokens.CacheWrite, 0)
				equal(t, name+": calls of unknown price", s.Cost.UnpricedCalls, f.unpriced)
				money(t, name+": cost", s.Cost.USD, f.usd)
				for _, a := range s.Agents {
					if a.ID == "main" {
						equal(t, name+": eras", strings.Join(a.Eras, " "), f.eras)
					}
				}
			}
			sumsAgree(t, e)
		})
	}
}

// sumsAgree checks that every view adds up to the same (B21).
func sumsAgree(t *testing.T, e *engineOf) {
	t.Helper()
	s := e.scan()
	for _, by := range []string{"day", "agent", "model", "session"} {
		v := e.costs(by)
		var calls, unpriced int64
		var usd, background float64
		var tokens api.Tokens
		for _, r := range v.Rows {
			calls, unpriced, usd, background = calls+r.Calls, unpriced+r.UnpricedCalls, usd+r.USD, background+r.BackgroundUSD
			tokens = api.Tokens{Input: tokens.Input + r.Tokens.Input, Output: tokens.Output + r.Tokens.Output, CacheRead: tokens.CacheRead + r.Tokens.CacheRead, CacheWrite: tokens.CacheWrite + r.Tokens.CacheWrite}
		}
		equal(t, by+": tokens of rows", tokens, v.Total.Tokens)
		equal(t, by+": tokens of all", v.Total.Tokens, s.Tokens)
		equal(t, by+": calls", calls, v.Total.Calls)
		equal(t, by+": calls of unknown price", unpriced, s.Cost.UnpricedCalls)
		for what, pair := range map[string][2]float64{"rows": {usd, v.Total.USD}, "total": {v.Total.USD, s.Cost.USD}, "background": {background, v.Total.BackgroundUSD}} {
			if math.Abs(pair[0]-pair[1]) > 1e-6 {
				t.Errorf("%s: %s: $%v and $%v", by, what, pair[0], pair[1])
			}
		}
	}
	var sessions api.Tokens
	for _, one := range e.sessions() {
		sessions = api.Tokens{Input: sessions.Input + one.Tokens.Input, Output: sessions.Output + one.Tokens.Output, CacheRead: sessions.CacheRead + one.Tokens.CacheRead, CacheWrite: sessions.CacheWrite + one.Tokens.CacheWrite}
		var entries api.Tokens
		for _, en := range e.detail(one.SessionID).Entries {
			if en.Tokens != nil {
				entries = api.Tokens{Input: entries.Input + en.Tokens.Input, Output: entries.Output + en.Tokens.Output, CacheRead: entries.CacheRead + en.Tokens.CacheRead, CacheWrite: entries.CacheWrite + en.Tokens.CacheWrite}
			}
		}
		if !e.carries(one) {
			equal(t, "tokens of the entries of "+one.SessionID, entries, one.Tokens)
		}
	}
	equal(t, "tokens of sessions", sessions, s.Tokens)
}

// carries says that a part of a session comes from the ledger, so that its
// entries are not all there.
func (e *engineOf) carries(s api.Session) bool {
	e.w.t.Helper()
	carried, err := e.insts[e.id].store.CarriedSessions(e.w.t.Context(), s.Agent)
	if err != nil {
		e.w.t.Fatal(err)
	}
	return carried[s.SessionID]
}

func copyTree(t *testing.T, from, to string) {
	t.Helper()
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
	err := filepath.WalkDir(to, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			return os.Chmod(path, 0o700)
		}
		return os.Chmod(path, 0o600)
	})
	if err != nil {
		t.Fatal(err)
	}
}
