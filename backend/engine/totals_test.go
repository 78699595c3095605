package engine

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tidemark/backend/api"
)

// both checks one expectation against both ways of counting.
func both(t *testing.T, s *state, check func(t *testing.T, got api.Scan)) {
	t.Helper()
	once, kept := s.once(), s.open().scan()
	t.Run("without store", func(t *testing.T) { check(t, once) })
	t.Run("with store", func(t *testing.T) { check(t, kept) })
	if a, b := sums(once), sums(kept); a != b {
		t.Errorf("the two ways of counting differ:\nwithout store %s\nwith store    %s", a, b)
	}
}

func dollars(t *testing.T, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > 1e-9 {
		t.Errorf("got $%.9f, want $%.9f", got, want)
	}
}

// eighteenCases writes the tree of known answers: one odd thing a file.
func eighteenCases(t *testing.T) *state {
	s := newState(t)
	sess := func(id string) string { return header(id, may10) + "\n" }
	line := func(l string) string { return l + "\n" }
	for name, content := range map[string]string{
		"a-plain.jsonl":   sess("a-plain") + line(asst("a1", 100, 10, 0, 0, "0.001")),
		"b-partial.jsonl": sess("b") + line(asst("b1", 200, 20, 0, 0, "0.002")) + asst("b2", 9999, 1, 0, 0, "")[:80],
		"c-reset.jsonl.reset.2026-05-11T04-58-33.868Z": sess("c") + line(asst("c1", 300, 30, 0, 0, "0.003")),
		"d-del.jsonl.deleted.2026-05-11T04-58-33.868Z": sess("d") + line(asst("d1", 400, 40, 0, 0, "0.004")),
		"e-ck.jsonl": sess("e") + line(asst("e1", 500, 50, 0, 0, "0.005")),
		"e-ck.checkpoint.0f0f0f0f-1111-4222-8333-444444444444.jsonl": sess("e") + line(asst("e1", 500, 50, 0, 0, "0.005")),
		"f-live.jsonl": sess("f") + line(asst("f1", 600, 60, 0, 0, "0.006")),
		"f-live.jsonl.deleted.2026-05-12T00-00-00.000Z": sess("f") + line(asst("f1", 600, 60, 0, 0, "0.006")),
		"g-nototal.jsonl":         sess("g") + line(strings.Replace(asst("g1", 700, 70, 0, 0, "0.007"), `"totalTokens":770,`, "", 1)),
		"h-neg.jsonl":             sess("h") + line(asst("h1", -284957, 80, 0, 0, "-1.5")) + line(asst("h2", 800, 80, 0, 0, "0.008")),
		"i-mirror.jsonl":          sess("i") + line(asst("i1", 90000, 900, 0, 0, "0.9", "model=delivery-mirror", "provider=openclaw")),
		"j-zerocost.jsonl":        sess("j") + line(asst("j1", 1000, 100, 50000, 0, "0", "model=my-unlisted-model", "provider=custom")),
		"k-huge.jsonl":            sess("k") + line(`{"type":"message","id":"k0","parentId":null,"timestamp":"2026-05-10T10:00:00Z","message":{"role":"toolResult","content":[{"type":"image","data":"`+strings.Repeat("A", 12_000_000)+`"}]}}`) + line(asst("k1", 1100, 110, 0, 0, "0.011")),
		"l-badline.jsonl":         sess("l") + "{\"type\":\"message\",\"id\":\"x\",\"message\":{\"role\":\"assistant\",\"usage\":{\"input\":1\nundefined\n\n" + line(asst("l1", 1200, 120, 0, 0, "0.012")),
		"m-spliced.jsonl":         sess("m") + asst("m0", 1, 1, 0, 0, "")[:90] + line(asst("m1", 1300, 130, 0, 0, "0.013")),
		"n-crlf-bom.jsonl":        "\ufeff" + strings.ReplaceAll(sess("n")+line(asst("n1", 1400, 140, 0, 0, "0.014")), "\n", "\r\n"),
		"o-traj.trajectory.jsonl": line(`{"type":"message","message":{"role":"assistant","model":"x","usage":{"input":7777,"output":7,"totalTokens":7784,"cost":{"total":7.7}}},"timestamp":"2026-05-10T10:00:00Z"}`),
		"p-dup.jsonl":             sess("p") + strings.Repeat(line(asst("p1", 1500, 150, 0, 0, "0.015")), 3),
		"q-twin.jsonl":            sess("q") + line(asst("q1", 1600, 160, 0, 0, "0.016")) + line(asst("q2", 1600, 160, 0, 0, "0.016")),
		"r-nan.jsonl":             sess("r") + line(`{"type":"message","id":"r1","timestamp":"2026-05-10T10:00:00Z","message":{"role":"assistant","model":"m","usage":{"input":1700,"output":170,"totalTokens":null,"cost":{"total":null}}}}`),
		"sessions.json":           `{"main":1}`,
	} {
		s.raw("agents/main/sessions/"+name, content)
	}
	return s
}

func TestEighteenCases(t *testing.T) {
	both(t, eighteenCases(t), func(t *testing.T, got api.Scan) {
		if got.Tokens.Input != 16_000 || got.Sessions != 17 || got.Messages != 20 || got.UserMessages != 0 {
			t.Errorf("got %s", sums(got))
		}
		dollars(t, got.Cost.USD, 0.133)
		if got.Cost.UnpricedCalls != 3 {
			t.Errorf("%d calls of unknown price, want 3: a recorded zero, a null, a negative", got.Cost.UnpricedCalls)
		}
		n := codes(got)
		if n["bad-line"] != 2 || n["spliced-line"] != 1 || n["bad-usage"] != 2 || n["blank-line"] != 1 || n["bad-store"] != 1 {
			t.Errorf("problems: %v", n)
		}
		for _, p := range got.Problems {
			if p.Code == "bad-line" && p.Line != 2 && p.Line != 3 {
				t.Errorf("a bad line is said to be line %d", p.Line)
			}
			if p.Message == "" || p.Hint == "" || p.Path == "" {
				t.Errorf("a problem says too little: %+v", p)
			}
		}
	})
}

// TestFixtures reads what three real versions and an upgrade wrote.
func TestFixtures(t *testing.T) {
	old := api.Scan{Sessions: 5, Messages: 96, UserMessages: 37, Compactions: 2, Tokens: api.Tokens{Input: 391_728, Output: 1_099, CacheRead: 389_248}, Cost: api.ScanCost{USD: 1.3084434}}
	for name, want := range map[string]api.Scan{
		"2026.2.24":           old,
		"upgrade-2.24-to-9.6": old,
		"2026.6.11":           {Sessions: 7, Messages: 100, UserMessages: 41, Compactions: 11, Tokens: api.Tokens{Input: 507_858, Output: 1_169, CacheRead: 504_896}, Cost: api.ScanCost{USD: 1.6925778}},
		"2026.9.6":            {Sessions: 2, Messages: 84, UserMessages: 36, Compactions: 2, Tokens: api.Tokens{Input: 276_630, Output: 766, CacheRead: 274_496}, Cost: api.ScanCost{USD: 0.9237288}},
	} {
		t.Run(name, func(t *testing.T) {
			s := &state{t: t, dir: shared(t, "fixtures/"+name)}
			both(t, s, func(t *testing.T, got api.Scan) {
				if got.Sessions != want.Sessions || got.Messages != want.Messages || got.UserMessages != want.UserMessages || got.Compactions != want.Compactions || got.Tokens != want.Tokens || got.Cost.UnpricedCalls != 0 {
					t.Errorf("got %s", sums(got))
				}
				dollars(t, got.Cost.USD, want.Cost.USD)
			})
		})
	}
}

// TestArchivesUnderEveryName packs one message under the names that archives
// have (A4, B16), and damages one.
func TestArchivesUnderEveryName(t *testing.T) {
	s := newState(t)
	for i, name := range []string{
		"x.jsonl.deleted.2026-05-11T04-58-33.868Z.zst", "x.jsonl.deleted.2026-05-11T04-58-33.868Z.a1b2.zst",
		"x.jsonl.reset.2026-05-11T04-58-33.868Z.zst", "x.jsonl.zst", "x.jsonl.reset.2026-05-11T04-58-33.868Z",
	} {
		id := string(rune('a' + i))
		text := header("s"+id, may10) + "\n" + asst(id, 100, 1, 0, 0, "0.001") + "\n"
		if strings.HasSuffix(name, ".zst") {
			text = pack(t, text)
		}
		s.raw("agents/main/sessions/"+id+name, text)
	}
	whole := pack(t, header("cut", may10)+"\n"+asst("z", 7, 1, 0, 0, "0.001")+"\n"+strings.Repeat(user("u", "z", may10, "words that compress badly: 8f3a9c"), 2000))
	s.raw("agents/main/sessions/cut.jsonl.deleted.2026-05-11T04-58-33.868Z.zst", whole[:len(whole)-20])
	both(t, s, func(t *testing.T, got api.Scan) {
		if got.Sessions < 5 || got.Tokens.Input < 500 {
			t.Errorf("got %s", sums(got))
		}
		if codes(got)["bad-archive"] != 1 {
			t.Errorf("problems: %v", codes(got))
		}
	})
}

// TestOneSessionInThreePlaces has a database, a live file that is one row
// shorter, and a copy that an upgrade left (A2, A3).
func TestOneSessionInThreePlaces(t *testing.T) {
	s := newState(t)
	lines := []string{header("s1", may10), user("u1", "", "2026-05-10T09:00:00.000Z", "hi"), asst("a1", 100, 10, 0, 0, "0.001", "parent=u1"), asst("a2", 200, 20, 0, 0, "0.002", "parent=a1")}
	s.write("agents/main/sessions/s1.jsonl", lines[:3]...)
	s.write("agents/main/session-sqlite-import-archive/agent_main_main.s1.jsonl.imported-1796069313856", lines...)
	database(t, s, "main", map[string][]string{"s1": lines})
	both(t, s, func(t *testing.T, got api.Scan) {
		if got.Sessions != 1 || got.Messages != 3 || got.Tokens.Input != 300 || len(got.Agents[0].Eras) != 2 {
			t.Errorf("got %s", sums(got))
		}
	})
}

// TestUpgradedSessionIsOne has a session that an upgrade gave another id.
func TestUpgradedSessionIsOne(t *testing.T) {
	lines := func(id string) []string {
		return []string{header(id, "2026-05-10T08:00:00.123Z"), user("0001abcd", "", "2026-05-10T09:00:00.000Z", "hi"), asst("0002abcd", 100, 10, 0, 0, "0.001", "parent=0001abcd")}
	}
	t.Run("read at once", func(t *testing.T) {
		s := newState(t)
		s.write("agents/main/session-sqlite-import-archive/agent_main_main.old.jsonl.imported-1796069313856", lines("old")...)
		database(t, s, "main", map[string][]string{"new": lines("new")})
		both(t, s, func(t *testing.T, got api.Scan) {
			if got.Sessions != 1 || got.Messages != 2 || got.Tokens.Input != 100 {
				t.Errorf("got %s", sums(got))
			}
		})
	})
	t.Run("read before and after", func(t *testing.T) {
		s := newState(t)
		s.write("agents/main/sessions/old.jsonl", lines("old")...)
		h := s.open()
		before := h.scan()
		s.rename("agents/main/sessions/old.jsonl", "agents/main/session-sqlite-import-archive/agent_main_main.old.jsonl.imported-1796069313856")
		database(t, s, "main", map[string][]string{"new": append(lines("new"), asst("0003abcd", 50, 5, 0, 0, "0.001", "parent=0002abcd"))})
		after := h.scan()
		if before.Messages != 2 || after.Messages != 3 || after.Sessions != 1 || after.Tokens.Input != 150 {
			t.Errorf("before %s\nafter %s", sums(before), sums(after))
		}
		if s := h.sessions(); s["new"].Messages != 3 || s["new"].Archived {
			t.Errorf("sessions: %+v", s)
		}
	})
}

// TestCopiesAfterRotation has a transcript that was rotated: its successor
// holds copies of entries. Usage counts once (B16, D60).
func TestCopiesAfterRotation(t *testing.T) {
	s := newState(t)
	a1, a2 := asst("aaaa0001", 100, 10, 0, 0, "0.001"), asst("aaaa0002", 200, 20, 0, 0, "0.002", "parent=aaaa0001")
	first := s.write("agents/main/sessions/one.jsonl", header("one", may10), a1, a2)
	second := s.write("agents/main/sessions/two.jsonl", header("two", "2026-05-11T00:00:00.000Z", `,"parentSession":"/home/user/.openclaw/agents/main/sessions/one.jsonl"`), a2, asst("bbbb0001", 400, 40, 0, 0, "0.004", "parent=aaaa0002"))
	age(t, first, second)
	both(t, s, func(t *testing.T, got api.Scan) {
		if got.Sessions != 2 || got.Messages != 4 || got.Tokens.Input != 700 {
			t.Errorf("got %s", sums(got))
		}
		dollars(t, got.Cost.USD, 0.007)
	})
	if s := s.open().sessions(); s["two"].Parent == nil || *s["two"].Parent != "one" {
		t.Errorf("the parent of the successor: %+v", s["two"].Parent)
	}
}

// age gives files times an hour apart, in the order in which they are named.
func age(t *testing.T, paths ...string) {
	t.Helper()
	for i, p := range paths {
		info, err := os.Stat(p)
		if err != nil {
			t.Fatal(err)
		}
		at := info.ModTime().Add(-3600e9 * 100).Add(3600e9 * 1)
		for range i {
			at = at.Add(3600e9)
		}
		if err := os.Chtimes(p, at, at); err != nil {
			t.Fatal(err)
		}
	}
}

// TestInstallationsApart has two installations with an agent of the same name.
func TestInstallationsApart(t *testing.T) {
	home := t.TempDir()
	for n, dir := range []string{".openclaw", ".openclaw-dev"} {
		s := &state{t: t, dir: filepath.Join(home, dir)}
		s.write("agents/main/sessions/s.jsonl", header("s", may10), asst("a", 100*(n+1), 1, 0, 0, "0.001"))
		s.write("openclaw.json", "{}")
		if got := s.once(); got.Tokens.Input != int64(100*(n+1)) {
			t.Errorf("%s: %s", dir, sums(got))
		}
	}
}
