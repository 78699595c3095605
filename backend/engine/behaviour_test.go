package engine

import (
	"context"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"tidemark/backend/api"
)

// TestBackgroundIsApart has a heartbeat, a scheduled job by its key, a subagent
// and a person in one history (B40, B41, E66, E68).
func TestBackgroundIsApart(t *testing.T) {
	s := newState(t)
	s.write("agents/main/sessions/sessions.json", `{"agent:main:main":{"sessionId":"p","updatedAt":1778407200000},"agent:main:cron:job:run:r":{"sessionId":"r","updatedAt":1778407200000},`+
		`"agent:main:subagent:0f0f":{"sessionId":"sub","updatedAt":1778407200000,"spawnedBy":"agent:main:main"}}`)
	s.write("agents/main/sessions/p.jsonl", header("p", may10),
		user("u1", "", may10, "Read HEARTBEAT.md if it exists. If nothing needs attention, reply HEARTBEAT_OK."), asst("a1", 1, 1, 0, 0, "0.5", "parent=u1"),
		user("u2", "a1", may10, "thanks, what is next?"), asst("a2", 1, 1, 0, 0, "0.25", "parent=u2"))
	s.write("agents/main/sessions/r.jsonl", header("r", may10), asst("a3", 1, 1, 0, 0, "0.125"))
	s.write("agents/main/sessions/sub.jsonl", header("sub", may10), asst("a4", 1, 1, 0, 0, "0.0625"))
	h := s.open()
	total := costsOf(t, h).Total
	if math.Abs(total.USD-0.9375) > 1e-9 || math.Abs(total.BackgroundUSD-0.6875) > 1e-9 {
		t.Errorf("got $%v, background $%v", total.USD, total.BackgroundUSD)
	}
	sub := h.sessions()["sub"]
	if sub.Parent == nil || *sub.Parent != "p" || !sub.Background {
		t.Errorf("the subagent's session: %+v", sub)
	}
}

// TestPrices has every source of a price (B11, B14, B37, B38).
func TestPrices(t *testing.T) {
	s := newState(t)
	config := func(input string) {
		s.raw("openclaw.json", `{models:{providers:{mine:{baseUrl:"https://models.example",models:[{id:"own",cost:{input:`+input+`,output:0}},{id:"free",cost:{input:0,output:0}}]}}}}`)
	}
	config("777")
	s.write("agents/main/sessions/s.jsonl", header("s", may10),
		asst("recorded", 1000, 0, 0, 0, "0.001", "provider=mine", "model=own"),
		asst("own", 1000, 0, 0, 0, "0", "provider=mine", "model=own"),
		asst("zero", 1000, 0, 0, 0, "0", "provider=mine", "model=free"),
		asst("cloud", 1000, 0, 0, 0, "0", "provider=ollama", "model=kimi-k2.5:cloud"),
		asst("local", 1000, 0, 0, 0, "0", "provider=ollama", "model=qwen3:8b"),
	)
	h := s.open()
	if got := h.scan(); got.Cost.UnpricedCalls != 2 {
		t.Errorf("%d unpriced calls, want 2: the zero and the cloud model", got.Cost.UnpricedCalls)
	} else {
		dollars(t, got.Cost.USD, 0.001+0.777)
	}
	config("1")
	got := h.scan()
	dollars(t, got.Cost.USD, 0.001+0.001)
	if once := s.once(); sums(once) != sums(got) {
		t.Errorf("priced anew %s\nread anew   %s", sums(got), sums(once))
	}
}

// TestSumsAgreeInEveryZone adds the same calls up by day, agent, model and
// session in zones east and west (B21, K120).
func TestSumsAgreeInEveryZone(t *testing.T) {
	s := newState(t)
	for n := range 30 {
		at := fmt.Sprintf("2026-%02d-%02dT%02d:%02d:00.000Z", 2+n%3, 1+n%28, n*7%24, n*13%60)
		s.write(fmt.Sprintf("agents/a%d/sessions/s%d.jsonl", n%3, n), header(fmt.Sprintf("s%d", n), may10), asst(fmt.Sprintf("x%d", n), n, n*2, n*3, n*4, fmt.Sprintf("%g", 0.1/float64(n+3)), fmt.Sprintf("model=m%d", n%4), "at="+at))
	}
	s.write("agents/a0/sessions/west.jsonl", header("west", may10), asst("w", 1, 1, 1, 1, "0.3", "at=2026-02-12T01:30:00.000Z"))
	h := s.open()
	want := h.scan()
	for _, zone := range []string{"UTC", "America/New_York", "Asia/Kathmandu", "Pacific/Kiritimati", "America/St_Johns", "Europe/Berlin"} {
		for _, by := range []string{"day", "agent", "model", "session"} {
			v, err := h.Costs(context.Background(), api.Query{By: by, Zone: zone})
			if err != nil {
				t.Fatal(err)
			}
			var tokens api.Tokens
			var nano int64
			for _, r := range v.Rows {
				tokens.Input += r.Tokens.Input
				tokens.Output += r.Tokens.Output
				tokens.CacheRead += r.Tokens.CacheRead
				tokens.CacheWrite += r.Tokens.CacheWrite
				nano += int64(math.Round(r.USD * 1e9))
			}
			if tokens != v.Total.Tokens || tokens != want.Tokens || nano != int64(math.Round(v.Total.USD*1e9)) || v.Total.USD != want.Cost.USD {
				t.Errorf("%s by %s: rows %+v $%d, total %+v, headline %+v $%v", zone, by, tokens, nano, v.Total, want.Tokens, want.Cost.USD)
			}
			if by == "day" && zone == "America/New_York" && !hasRow(v, "2026-02-11") {
				t.Errorf("half past one in the night of UTC is the evening before in New York: %+v", v.Rows)
			}
		}
	}
}

func hasRow(v api.CostView, key string) bool {
	for _, r := range v.Rows {
		if r.Key == key {
			return true
		}
	}
	return false
}

// TestCompactionsOfATree has two sibling compactions of which one is a dead
// end (D57), and messages that a later compaction dropped (D59).
func TestCompactionsOfATree(t *testing.T) {
	compaction := func(id, parent, kept, before string) string {
		return fmt.Sprintf(`{"type":"compaction","id":%q,"parentId":%q,"timestamp":"2026-05-10T11:00:00.000Z","summary":"s","firstKeptEntryId":%q,"tokensBefore":%s}`, id, parent, kept, before)
	}
	s := newState(t)
	s.write("agents/main/sessions/tree.jsonl", header("tree", may10), user("root-A", "", may10, "a"), compaction("orphan", "root-A", "root-A", "null"), compaction("winner", "root-A", "root-A", "10"), user("after", "winner", may10, "b"))
	s.write("agents/main/sessions/two.jsonl", header("two", may10), user("u1", "", may10, "1"), user("u2", "u1", may10, "2"), user("u3", "u2", may10, "3"), compaction("c1", "u3", "u2", "10"), user("u4", "c1", may10, "4"), compaction("c2", "u4", "u4", "0"))
	got := map[string]api.Compaction{}
	for _, c := range compactionsOf(t, s.open()) {
		got[c.EntryID] = c
	}
	if len(got) != 4 || !got["orphan"].Superseded || got["winner"].Superseded {
		t.Errorf("superseded: %+v", got)
	}
	if got["c1"].DroppedMessages != 1 || got["c2"].DroppedMessages != 2 {
		t.Errorf("dropped: %d and %d, want 1 and 2", got["c1"].DroppedMessages, got["c2"].DroppedMessages)
	}
	if got["orphan"].TokensBefore != nil || got["c2"].TokensBefore != nil || *got["winner"].TokensBefore != 10 {
		t.Error("a null or zero count of tokens is not unknown")
	}
}

// TestContextIsThatOfTheLastCall ignores what rows of sessions.json add up
// (B32, B33) and knows the window (G91).
func TestContextIsThatOfTheLastCall(t *testing.T) {
	s := newState(t)
	s.write("agents/main/sessions/sessions.json", `{"agent:main:main":{"sessionId":"s","updatedAt":1778407200000,"inputTokens":497720,"cacheRead":1323520,"totalTokens":1821240,"contextTokens":1048576}}`)
	s.write("agents/main/sessions/s.jsonl", header("s", may10), user("u", "", may10, "x"), asst("a", 10, 900, 4000, 90, "0.01", "parent=u"))
	got := s.open().sessions()["s"]
	if got.ContextUsed == nil || *got.ContextUsed != 4100 || got.ContextWindow == nil || *got.ContextWindow != 1048576 {
		t.Errorf("context %v of %v", got.ContextUsed, got.ContextWindow)
	}
}

// TestMessageStoredTwiceCountsOnce has two rows of one mirrored message (B23).
func TestMessageStoredTwiceCountsOnce(t *testing.T) {
	s := newState(t)
	row := func(id, more string) string {
		return fmt.Sprintf(`{"type":"message","id":%q,"parentId":null,"timestamp":"2026-05-10T10:00:00.000Z","message":{"role":"user","content":"run"%s,"__openclaw":{"mirrorIdentity":"m-1"}}}`, id, more)
	}
	s.write("agents/main/sessions/s.jsonl", header("s", may10), row("one", `,"idempotencyKey":"k"`), row("two", ""))
	both(t, s, func(t *testing.T, got api.Scan) {
		if got.Messages != 1 || got.UserMessages != 1 {
			t.Errorf("got %s", sums(got))
		}
	})
}

// TestUsageThatIsNeverReported has a provider that reports nothing (B27).
func TestUsageThatIsNeverReported(t *testing.T) {
	s := newState(t)
	lines := []string{header("s", may10)}
	for n := range 300 {
		lines = append(lines, asst(fmt.Sprintf("a%d", n), 0, 0, 0, 0, "0", "provider=litellm", "model=x"))
	}
	s.write("agents/main/sessions/s.jsonl", lines...)
	got := s.open().scan()
	if got.Cost.UnpricedCalls != 300 || codes(got)["usage-missing"] != 300 {
		t.Errorf("got %s, problems %v", sums(got), codes(got))
	}
}

// TestHalfWrittenLine writes half a record, looks, and writes the rest (C47).
func TestHalfWrittenLine(t *testing.T) {
	s := newState(t)
	line := asst("a2", 50, 5, 0, 0, "0.002")
	s.raw("agents/main/sessions/s.jsonl", header("s", may10)+"\n"+asst("a1", 100, 10, 0, 0, "0.001")+"\n"+line[:191])
	h := s.open()
	if got := h.scan(); got.Messages != 1 || len(got.Problems) != 0 {
		t.Errorf("half a line: %s %v", sums(got), got.Problems)
	}
	s.add("agents/main/sessions/s.jsonl", line[191:]+"\n")
	for range 2 {
		if got := h.scan(); got.Messages != 2 || got.Tokens.Input != 150 || len(got.Problems) != 0 {
			t.Errorf("the whole line: %s %v", sums(got), got.Problems)
		}
	}
}

// TestSecretsAreNowhere plants credentials in every role and searches
// everything that Tidemark keeps and says for them.
func TestSecretsAreNowhere(t *testing.T) {
	secret := "hunter2" + "!Zq7"
	s := newState(t)
	s.write("agents/main/sessions/sessions.json", `{"agent:main:main":{"sessionId":"s","updatedAt":1778407200000,"label":"password: `+secret+`"}}`)
	s.write("agents/main/sessions/s.jsonl", header("s", may10),
		user("u", "", may10, "my wifi password is "+secret+" ok? "+strings.Repeat("and more words to make the text long. ", 40)),
		strings.Replace(asst("a", 1, 1, 0, 0, "0.1", "parent=u"), `"text":"ok"`, `"text":"noted, password: `+secret+`"`, 1),
		`{"type":"message","id":"t","parentId":"a","timestamp":"2026-05-10T10:00:00.000Z","message":{"role":"toolResult","toolName":"exec","content":[{"type":"text","text":"PASSWORD=`+secret+`"}]}}`,
		`{"type":"compaction","id":"c","parentId":"t","timestamp":"2026-05-10T10:00:00.000Z","summary":"The password is `+secret+`.","firstKeptEntryId":"t","tokensBefore":5}`)
	h := s.open()
	said := fmt.Sprint(h.scan(), h.sessions(), compactionsOf(t, h))
	detail, err := h.Session(context.Background(), api.Query{Agent: "main", Session: "s"})
	if err != nil {
		t.Fatal(err)
	}
	said += fmt.Sprint(detail)
	if strings.Contains(said, secret) {
		t.Error("the API says a secret")
	}
	if !strings.Contains(said, "[masked") {
		t.Error("nothing was masked: the test says nothing")
	}
	s.remove("agents/main/sessions/s.jsonl")
	h.scan() // the ledger is written
	dec, err := zstd.NewReader(nil)
	if err != nil {
		t.Fatal(err)
	}
	err = filepath.WalkDir(h.data, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !d.Type().IsRegular() {
			return err
		}
		b, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if strings.Contains(string(b), secret) {
			t.Errorf("%s holds a secret", path)
		}
		for at := 0; ; at++ { // compressed texts within the index
			n := strings.Index(string(b[at:]), "\x28\xb5\x2f\xfd")
			if n < 0 {
				return nil
			}
			at += n
			out, _ := dec.DecodeAll(b[at:], nil) // what stands behind the frame is no frame
			if strings.Contains(string(out), secret) {
				t.Errorf("%s holds a secret in a compressed text", path)
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestHeaderIDWins names a session by its header (A7).
func TestHeaderIDWins(t *testing.T) {
	s := newState(t)
	s.write("agents/main/sessions/boot-2026-06-12_01-38-43-539-a2a5aeed.jsonl", header("real", may10), asst("a", 1, 1, 0, 0, "0.1"))
	got := s.open().sessions()
	if len(got) != 1 || len(got["real"].Sources) != 1 || !strings.Contains(got["real"].Sources[0], "boot-2026") {
		t.Errorf("got %+v", got)
	}
}

// TestMovedCronStore says that the store of jobs was moved (A8).
func TestMovedCronStore(t *testing.T) {
	s := newState(t)
	s.write("cron/jobs.json.migrated", "{}")
	s.write("agents/main/sessions/s.jsonl", header("s", may10))
	if n := codes(s.open().scan())["cron-moved"]; n != 1 {
		t.Errorf("%d notices", n)
	}
}

// TestTranscriptBehind has a row that moved on without its transcript (C54).
func TestTranscriptBehind(t *testing.T) {
	s := newState(t)
	s.write("agents/main/sessions/sessions.json", `{"agent:main:main":{"sessionId":"s","updatedAt":1778408640000}}`) // 24 minutes after the last line
	s.write("agents/main/sessions/s.jsonl", header("s", may10), asst("a", 1, 1, 0, 0, "0.1"))
	if n := codes(s.open().scan())["transcript-behind"]; n != 1 {
		t.Errorf("%d notices", n)
	}
}

// TestSharedWorkspace names agents that use one workspace (L127).
func TestSharedWorkspace(t *testing.T) {
	s := newState(t)
	s.raw("openclaw.json", `{agents:{list:[{id:"a",workspace:"~/w"},{id:"b",workspace:"~/w"}]}}`)
	s.write("agents/a/sessions/s.jsonl", header("s", may10))
	agents, err := s.open().Agents(context.Background(), api.Query{Refresh: true})
	if err != nil || len(agents) != 2 || len(agents[0].SharedWith) != 1 || agents[0].SharedWith[0] != "b" {
		t.Errorf("got %+v %v", agents, err)
	}
}
