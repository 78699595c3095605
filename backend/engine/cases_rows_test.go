package engine

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"tidemark/backend/api"
)

// TestE64: a large sessions.json with heavy fields is read quickly, again and
// again. That notes without news write nothing is tested in package index.
func TestE64HeavyRows(t *testing.T) {
	w := newWorld(t)
	report := strings.Repeat(`{"name":"SOUL.md","rawChars":5622},`, 1800)
	rows := make([]string, 243)
	for n := range rows {
		id := fmt.Sprintf("s%03d", n)
		rows[n] = fmt.Sprintf(`"agent:main:group:%d":{"sessionId":%q,"systemPromptReport":{"files":[%s{}]},"updatedAt":1778371260000,"label":"room %d","contextTokens":200000}`, n, id, report, n)
		if n < 20 {
			w.lines(S(id+".jsonl"), head(id, 0), said("u", "", 1, "hi"))
		}
	}
	store := "{" + strings.Join(rows, ",") + "}"
	w.write(S("sessions.json"), store)
	if len(store) < 243*60_000 {
		t.Fatalf("only %d bytes", len(store))
	}
	e := w.open()
	e.scan()
	equal(t, "sessions", len(e.sessions()), 20)
	equal(t, "title", e.session("s007").Title, "room 7")
	began := time.Now()
	for n := range 3 {
		w.write(S("sessions.json"), store)
		w.aged(S("sessions.json"), n)
		e.scan()
	}
	if took := time.Since(began); took > 30*time.Second { // a tenth of it on a machine that does nothing else
		t.Errorf("reading it three times took %v", took)
	}
	equal(t, "title", e.session("s007").Title, "room 7")
}

// TestE66: subagents are listed under the session that started them, and under
// their own agent.
func TestE66Subagents(t *testing.T) {
	w := newWorld(t)
	w.write("openclaw.json", `{agents: {list: [{id: "main"}, {id: "pony"}]}}`)
	w.write(S("sessions.json"), `{"agent:main:main":{"sessionId":"boss","updatedAt":1778371200000}}`)
	w.lines(S("boss.jsonl"), head("boss", 0), said("u", "", 1, "do it"))
	w.write(S("sessions.json", "pony"), `{"agent:pony:subagent:7f1a":{"sessionId":"worker","updatedAt":1778371200000,"spawnedBy":"agent:main:main"}}`)
	w.lines(S("worker.jsonl", "pony"), head("worker", 0), said("u", "", 1, "[Subagent Context] task"), reply("a", "u", 2, 100, 1, "0.1"))
	e := w.open()
	one := e.session("worker")
	equal(t, "agent", one.Agent, "pony")
	equal(t, "background", one.Background, true)
	if one.Parent == nil || *one.Parent != "boss" {
		t.Errorf("parent %v", one.Parent)
	}
	only, err := e.Sessions(t.Context(), api.Query{Agent: "main"})
	if err != nil || len(only) != 1 || only[0].SessionID != "boss" {
		t.Errorf("sessions of main: %v %v", ids(only), err)
	}
	money(t, "background", e.costs("agent").Total.BackgroundUSD, 0.1)
}

// TestE68: each run of a scheduled job is one session, although the job's own
// row points at it too.
func TestE68CronRuns(t *testing.T) {
	rows := []string{`"agent:main:cron:daily":{"sessionId":"r2","updatedAt":1778371260000}`}
	for n := range 3 {
		rows = append(rows, fmt.Sprintf(`"agent:main:cron:daily:run:r%d":{"sessionId":"r%d","updatedAt":1778371260000}`, n, n))
	}
	for turn := range 2 {
		w := newWorld(t)
		if turn == 1 {
			rows[0], rows[3] = rows[3], rows[0]
		}
		w.write(S("sessions.json"), "{"+strings.Join(rows, ",")+"}")
		for n := range 3 {
			id := fmt.Sprint("r", n)
			w.lines(S(id+".jsonl"), head(id, n), said("x", "", n+1, "[cron:daily] go"), reply("y", "x", n+2, 100, 1, "0.1"))
		}
		e := w.open()
		equal(t, "sessions", len(e.sessions()), 3)
		for n := range 3 {
			id := fmt.Sprint("r", n)
			equal(t, "key of "+id, e.session(id).SessionKey, "agent:main:cron:daily:run:"+id)
			equal(t, id+" is background", e.session(id).Background, true)
		}
		money(t, "all", e.costs("agent").Total.USD, 0.3)
		money(t, "background", e.costs("agent").Total.BackgroundUSD, 0.3)
		money(t, "without an index", w.tally().Cost.USD, 0.3)
	}
}

// TestG90: the smallest window that is known is the one that holds.
func TestG90OllamaWindow(t *testing.T) {
	w := newWorld(t)
	w.write("openclaw.json", `{models: {providers: {ollama: {models: [{id: "qwen3:8b", contextWindow: 262144, params: {num_ctx: 8192}}]}}}}`)
	w.lines(S("a.jsonl"), head("a", 0), call{id: "a1", minute: 1, in: 4000, out: 1, usd: "0", provider: "ollama", model: "qwen3:8b"}.line())
	one := w.open().session("a")
	if one.ContextWindow == nil {
		t.Fatal("no window")
	}
	equal(t, "window", *one.ContextWindow, 8192)
	equal(t, "because of", one.WindowSource, "num_ctx")
}

// TestG91: the session's own window goes before what is listed elsewhere.
func TestG91OwnWindow(t *testing.T) {
	w := newWorld(t)
	w.write("openclaw.json", `{models: {providers: {anthropic: {models: [{id: "claude-sonnet-4-6", contextWindow: 200000}]}}}}`)
	w.write(S("sessions.json"), `{"agent:main:main":{"sessionId":"a","updatedAt":1778371260000,"contextTokens":1048576}}`)
	w.lines(S("a.jsonl"), head("a", 0), reply("a1", "", 1, 100, 1, "0.1"))
	w.lines(S("b.jsonl"), head("b", 0), reply("b1", "", 1, 100, 1, "0.1"))
	e := w.open()
	equal(t, "window", *e.session("a").ContextWindow, 1_048_576)
	equal(t, "because of", e.session("a").WindowSource, "session")
	equal(t, "window of one without a row", *e.session("b").ContextWindow, 200_000)
	equal(t, "because of", e.session("b").WindowSource, "config")
}
