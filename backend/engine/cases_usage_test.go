package engine

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"tidemark/backend/api"
)

// priceOf gives how a call was priced, and what it cost, nil where unknown.
func priceOf(t *testing.T, e *engineOf, session, entry string) (string, *float64) {
	t.Helper()
	for _, en := range e.detail(session).Entries {
		if en.ID == entry {
			return en.Price, en.USD
		}
	}
	t.Fatalf("session %s has no entry %s", session, entry)
	return "", nil
}

// TestB11B12B36: a call that used tokens and has a recorded cost of zero is of
// unknown cost where no price is known, and is counted apart; where the table
// knows the model it is priced.
func TestB11UnknownIsNotZero(t *testing.T) {
	w := newWorld(t)
	w.lines(S("a.jsonl"), head("a", 0), call{id: "a1", minute: 1, in: 3, out: 106, write: 21657, usd: "0", provider: "someproxy", model: "in-no-table-9"}.line(),
		call{id: "a2", minute: 2, in: 3, out: 106, write: 21657, usd: "0", provider: "anthropic", model: "claude-opus-4-5"}.line())
	e := w.open()
	for name, s := range map[string]api.Scan{"index": e.scan(), "tally": w.tally()} {
		equal(t, name+": calls of unknown price", s.Cost.UnpricedCalls, 1)
		if s.Cost.USD <= 0.1 {
			t.Errorf("%s: the call of a model in the table costs $%v", name, s.Cost.USD)
		}
		equal(t, name+": price-unknown", codes(s.Problems)["price-unknown"], 1)
	}
	source, usd := priceOf(t, e, "a", "a1")
	if source != "unknown" || usd != nil {
		t.Errorf("the first call: %s %v", source, usd)
	}
	if source, usd = priceOf(t, e, "a", "a2"); source != "table" || usd == nil {
		t.Errorf("the second call: %s %v", source, usd)
	}
	v := e.costs("day")
	equal(t, "part that is estimated", v.EstimatedUSD, v.Total.USD)
	if v.PriceTable == "" {
		t.Error("the price table is not named")
	}
}

// TestB14: the person's own price wins over every table, and a recorded cost
// over it.
func TestB14OwnPriceWins(t *testing.T) {
	w := newWorld(t)
	w.write("openclaw.json", `{models: {providers: {anthropic: {models: [{id: "claude-sonnet-4-6", cost: {input: 777, output: 1, cacheRead: 0, cacheWrite: 0}}]}}}}`)
	w.lines(S("a.jsonl"), head("a", 0), reply("a1", "", 1, 1_000_000, 0, "0"), reply("a2", "a1", 2, 1_000_000, 0, "3.5"))
	e := w.open()
	for name, s := range map[string]api.Scan{"index": e.scan(), "tally": w.tally()} {
		money(t, name, s.Cost.USD, 780.5)
		equal(t, name+": unknown", s.Cost.UnpricedCalls, 0)
	}
	if source, _ := priceOf(t, e, "a", "a1"); source != "own" {
		t.Errorf("priced by %s", source)
	}
	if source, _ := priceOf(t, e, "a", "a2"); source != "recorded" {
		t.Errorf("priced by %s", source)
	}
}

// TestB15B17: snapshots before a compaction, backups, traces and locks are no
// history.
func TestB15CopiesAreNoHistory(t *testing.T) {
	w := newWorld(t)
	w.lines(S("a.jsonl"), head("a", 0), reply("a1", "", 1, 100, 10, "0.01"))
	for _, name := range []string{"a.checkpoint.0f0f0f0f-1111-4222-8333-444444444444.jsonl", "a.jsonl.bak", "a.jsonl.bak.2026-05-11T04-58-33.868Z", "a.jsonl.bak-1778000000000",
		"a.trajectory.jsonl", "a.jsonl.lock", "a.jsonl.tmp", "sessions.json.bak.1778000000000", "agent:main:main.jsonl.lock"} {
		w.lines(S(name), head("a", 0), reply("a1", "", 1, 100, 10, "0.01"), reply("other-"+name, "", 2, 50, 5, "0.05"))
	}
	for name, s := range both(w) {
		equal(t, name+": sessions", s.Sessions, 1)
		equal(t, name+": input", s.Tokens.Input, 100)
		equal(t, name+": problems", len(s.Problems), 0)
	}
}

// TestB16: what lies in archives is part of the total and shown as archived.
func TestB16ArchivesCount(t *testing.T) {
	w := newWorld(t)
	w.lines(S("live.jsonl"), head("live", 0), reply("l1", "", 1, 15, 1, "0.15"))
	w.lines(S("r.jsonl.reset.2026-05-11T04-58-33.868Z"), head("r", 0), reply("r1", "", 1, 40, 1, "0.40"))
	w.lines(S("d.jsonl.deleted.2026-05-11T04-58-33.868Z"), head("d", 0), reply("d1", "", 1, 45, 1, "0.45"))
	e := w.open()
	s := e.scan()
	money(t, "cost", s.Cost.USD, 1)
	equal(t, "sessions", s.Sessions, 3)
	for id, want := range map[string]bool{"live": false, "r": true, "d": true} {
		equal(t, id+" is archived", e.session(id).Archived, want)
		equal(t, id+" is gone", e.session(id).Gone, false)
	}
	money(t, "without an index", w.tally().Cost.USD, 1)
}

// TestB18: a live file and its archived copy are one session.
func TestB18LiveAndDeletedCopy(t *testing.T) {
	w := newWorld(t)
	lines := []string{head("f", 0), said("u", "", 1, "hi"), reply("f1", "u", 2, 600, 60, "0.006")}
	w.lines(S("f.jsonl"), lines...)
	w.lines(S("f.jsonl.deleted.2026-05-12T00-00-00.000Z"), lines...)
	e := w.open()
	for name, s := range map[string]api.Scan{"index": e.scan(), "tally": w.tally()} {
		equal(t, name+": sessions", s.Sessions, 1)
		equal(t, name+": messages", s.Messages, 2)
		money(t, name, s.Cost.USD, 0.006)
	}
	equal(t, "sources", len(e.session("f").Sources), 2)
	equal(t, "entries", e.detail("f").Total, 2)
}

// TestB19: what was archived before a session went on under the same id is
// part of it.
func TestB19Lineage(t *testing.T) {
	w := newWorld(t)
	w.lines(S("a.jsonl.reset.2026-05-10T01-00-00.000Z"), head("a", 0), said("u1", "", 1, "one"), reply("a1", "u1", 2, 100, 10, "0.01"))
	w.lines(S("a.jsonl"), head("a", 70), said("u2", "", 71, "two"), reply("a2", "u2", 72, 200, 20, "0.02"))
	w.aged(S("a.jsonl.reset.2026-05-10T01-00-00.000Z"), 1)
	w.aged(S("a.jsonl"), 2)
	e := w.open()
	one := e.session("a")
	equal(t, "messages", one.Messages, 4)
	equal(t, "input", one.Tokens.Input, 300)
	equal(t, "sources", len(one.Sources), 2)
	var order []string
	for _, en := range e.detail("a").Entries {
		order = append(order, en.ID)
	}
	equal(t, "order", strings.Join(order, " "), "u1 a1 u2 a2")
}

// TestB20: a source that is deleted after it was read keeps its totals and is
// marked gone.
func TestB20DeletedAfterReading(t *testing.T) {
	w := newWorld(t)
	w.write(S("sessions.json"), `{"agent:main:cron:job1":{"sessionId":"job","updatedAt":1778000000000}}`)
	w.lines(S("job.jsonl"), head("job", 0), said("u", "", 1, "[cron:job1] go"), reply("j1", "u", 2, 100, 10, "0.25"), compacted("k", "j1", 3, "j1", "it went"))
	w.lines(S("stays.jsonl"), head("stays", 0), reply("s1", "", 2, 200, 20, "0.50"))
	e := w.open()
	before := e.scan()
	w.remove(S("job.jsonl"))
	w.write(S("sessions.json"), `{}`)
	after := e.scan()
	before.ElapsedMs, after.ElapsedMs = 0, 0
	if fmt.Sprint(after) != fmt.Sprint(before) {
		t.Errorf("was\n%v\nis\n%v", before, after)
	}
	job := e.session("job")
	equal(t, "gone", job.Gone, true)
	equal(t, "archived", job.Archived, true)
	equal(t, "sources", len(job.Sources), 0)
	equal(t, "background", job.Background, true)
	equal(t, "the other is gone", e.session("stays").Gone, false)
	equal(t, "entries are still there", e.detail("job").Total, 3)
	equal(t, "compactions", len(e.compactions()), 1)
	sumsAgree(t, e)
	// At once, not when the day has passed.
	if text := w.ledgerFile("main", "usage.md"); !strings.Contains(text, "session `job`") || strings.Contains(text, "session `stays` · model `claude-sonnet-4-6` of `anthropic` · calls 0") {
		t.Errorf("the ledger says:\n%s", text)
	}
	// It comes back: nothing is counted twice.
	w.lines(S("job.jsonl"), head("job", 0), said("u", "", 1, "[cron:job1] go"), reply("j1", "u", 2, 100, 10, "0.25"), compacted("k", "j1", 3, "j1", "it went"))
	back := e.scan()
	back.ElapsedMs = 0
	if fmt.Sprint(back) != fmt.Sprint(before) {
		t.Errorf("was\n%v\nis, after it came back,\n%v", before, back)
	}
	equal(t, "gone after it came back", e.session("job").Gone, false)
}

// TestB20AgentRemoved: the same for a whole agent.
func TestB20AgentRemoved(t *testing.T) {
	w := newWorld(t)
	w.write("openclaw.json", `{agents: {list: [{id: "main"}, {id: "helper"}]}}`)
	w.lines(S("m.jsonl"), head("m", 0), reply("m1", "", 1, 1, 1, "0.1"))
	w.lines(S("h.jsonl", "helper"), head("h", 0), reply("h1", "", 1, 10, 1, "0.2"))
	e := w.open()
	equal(t, "input", e.scan().Tokens.Input, 11)
	w.remove("agents/helper")
	w.write("openclaw.json", `{agents: {list: [{id: "main"}]}}`)
	equal(t, "input after", e.scan().Tokens.Input, 11)
	equal(t, "gone", e.session("h").Gone, true)
	if w.ledgerFile("helper", "usage.md") == "" {
		t.Error("the ledger does not have it")
	}
}

// TestB21 is sumsAgree, which many tests call, and here over archives, days,
// calls of unknown price and of unknown time.
func TestB21SumsAgree(t *testing.T) {
	w := newWorld(t)
	w.eighteen()
	for n := range 40 {
		w.lines(S(fmt.Sprintf("x%d.jsonl", n)), head(fmt.Sprintf("x%d", n), n*100), call{id: fmt.Sprintf("x%d", n), minute: n * 211, in: int64(n), out: 7, read: 3, write: 2, usd: fmt.Sprintf("0.%09d", n*n*7919), provider: "p", model: fmt.Sprint("m", n%5)}.line())
	}
	w.lines(S("notime.jsonl"), head("notime", 0), `{"type":"message","id":"t1","parentId":null,"message":{"role":"assistant","provider":"p","model":"m1","usage":{"input":5,"output":5,"cost":{"total":0.5}}}}`)
	sumsAgree(t, w.open())
}

// TestB23: two rows of one message count and show once.
func TestB23MirroredUserMessage(t *testing.T) {
	w := newWorld(t)
	row := func(id, parent, key string) string {
		return fmt.Sprintf(`{"type":"message","id":%q,"parentId":%s,"timestamp":%q,"message":{"role":"user","content":"run the report","__openclaw":{"mirrorIdentity":"cron:42"}%s}}`, id, parentText(parent), at(1), key)
	}
	w.lines(S("a.jsonl"), head("a", 0), row("u1", "", `,"idempotencyKey":"k"`), row("u2", "u1", ""), reply("a1", "u2", 2, 100, 10, "0.01"))
	w.lines(S("b.jsonl"), head("b", 0), row("u1", "", ""), reply("b1", "u1", 2, 100, 10, "0.01")) // the same name in another session is another message
	e := w.open()
	for name, s := range map[string]api.Scan{"index": e.scan(), "tally": w.tally()} {
		equal(t, name+": messages", s.Messages, 4)
		equal(t, name+": of the user", s.UserMessages, 2)
	}
	d := e.detail("a")
	equal(t, "entries", d.Total, 2)
	for _, en := range d.Entries {
		equal(t, en.ID+" is on the path", en.OnPath, true)
	}
}

// TestB24: what one session cost is the same in every view.
func TestB24OneCount(t *testing.T) {
	w := newWorld(t)
	w.lines(S("a.jsonl"), head("a", 0), reply("a1", "", 1, 100, 10, "0.25"), reply("a1", "", 1, 100, 10, "0.25"), reply("a2", "a1", 2, 100, 10, "0.5"))
	w.lines(S("a.jsonl.reset.2026-05-11T04-58-33.868Z"), head("a", 0), reply("a1", "", 1, 100, 10, "0.25"))
	e := w.open()
	money(t, "session", e.session("a").USD, 0.75)
	money(t, "costs of the session", e.costs("session", func(q *api.Query) { q.Session = "a" }).Total.USD, 0.75)
	money(t, "row", e.costs("session").Rows[0].USD, 0.75)
}

// TestB26: rows that OpenClaw writes itself called no model.
func TestB26MirrorRows(t *testing.T) {
	w := newWorld(t)
	w.lines(S("a.jsonl"), head("a", 0),
		call{id: "m1", minute: 1, in: 90000, out: 900, usd: "0.9", provider: "openclaw", model: "delivery-mirror", text: "the reply"}.line(),
		call{id: "m2", minute: 2, in: 5, out: 5, usd: "0.1", provider: "anthropic", model: "gateway-injected"}.line(),
		fmt.Sprintf(`{"type":"message","id":"m3","parentId":"m2","timestamp":%q,"message":{"role":"assistant","provider":"openclaw","model":"gateway-injected","content":[],"usage":{"prompt_tokens":7,"completion_tokens":7,"total":14,"total_tokens":14,"cache":0}}}`, at(3)))
	e := w.open()
	for name, s := range map[string]api.Scan{"index": e.scan(), "tally": w.tally()} {
		equal(t, name+": tokens", s.Tokens, api.Tokens{})
		equal(t, name+": calls of unknown price", s.Cost.UnpricedCalls, 0)
		equal(t, name+": messages", s.Messages, 3)
		equal(t, name+": problems", len(s.Problems), 0)
	}
	d := e.detail("a")
	equal(t, "calls", e.session("a").Calls, 0)
	equal(t, "text is shown", d.Entries[0].Text, "the reply")
	if d.Entries[0].Tokens != nil || d.Entries[0].USD != nil {
		t.Error("a mirror shows usage")
	}
}

// TestB27: a provider that reports no usage is named, and its calls are not
// free.
func TestB27NoUsageReported(t *testing.T) {
	w := newWorld(t)
	lines := []string{head("a", 0)}
	for n := range 300 {
		lines = append(lines, call{id: fmt.Sprint("a", n), minute: n, provider: "litellm", model: "gpt-5.2", usd: "0", text: "an answer of some words"}.line())
	}
	w.lines(S("a.jsonl"), lines...)
	e := w.open()
	for name, s := range map[string]api.Scan{"index": e.scan(), "tally": w.tally()} {
		equal(t, name+": usage-missing", codes(s.Problems)["usage-missing"], 300)
		equal(t, name+": price-unknown", codes(s.Problems)["price-unknown"], 0)
		equal(t, name+": calls of unknown price", s.Cost.UnpricedCalls, 300)
		money(t, name, s.Cost.USD, 0)
	}
	equal(t, "calls without usage", e.costs("model").UnreportedCalls, 300)
	en := e.detail("a").Entries[0]
	if en.Tokens != nil || en.USD != nil {
		t.Errorf("zeros are shown as known: %v %v", en.Tokens, en.USD)
	}
	if en.TextTokens == 0 {
		t.Error("no estimate from the text")
	}
}

// TestB28: what sessions.json does not say is not known.
func TestB28UnknownIsNotZero(t *testing.T) {
	w := newWorld(t)
	w.write(S("sessions.json"), `{"agent:main:main":{"sessionId":"a","updatedAt":1778371200000}}`)
	w.lines(S("a.jsonl"), head("a", 0), said("u", "", 1, "hello"))
	one := w.open().session("a")
	if one.ContextUsed != nil || one.ContextWindow != nil {
		t.Errorf("context %v of %v", one.ContextUsed, one.ContextWindow)
	}
}

// TestB29: a negative count or cost reduces nothing, and its call is never
// priced.
func TestB29Negatives(t *testing.T) {
	w := newWorld(t)
	w.write("openclaw.json", `{models: {providers: {anthropic: {models: [{id: "claude-sonnet-4-6", cost: {input: 1, output: 1}}]}}}}`)
	w.lines(S("h.jsonl"), head("h", 0), reply("h1", "", 1, -284957, 80, "-1.5"), reply("h2", "h1", 2, 800, 80, "0.008"), reply("h3", "h2", 3, 1_000_000, 0, "-0.5"))
	e := w.open()
	for name, s := range map[string]api.Scan{"index": e.scan(), "again": e.scan(), "tally": w.tally()} {
		equal(t, name+": input", s.Tokens.Input, 1_000_800)
		equal(t, name+": output", s.Tokens.Output, 160)
		money(t, name, s.Cost.USD, 0.008)
		equal(t, name+": calls of unknown price", s.Cost.UnpricedCalls, 2)
		equal(t, name+": said once a line", codes(s.Problems)["bad-usage"], 2)
	}
	if source, usd := priceOf(t, e, "h", "h3"); source != "unknown" || usd != nil {
		t.Errorf("priced by %s: %v", source, usd)
	}
	// Not by a later price either.
	w.write("openclaw.json", `{models: {providers: {anthropic: {models: [{id: "claude-sonnet-4-6", cost: {input: 2, output: 2}}]}}}}`)
	money(t, "with other prices", e.scan().Cost.USD, 0.008)
}

// TestB30: null is absent, where a count should be and where the compaction's
// size should be.
func TestB30Nulls(t *testing.T) {
	w := newWorld(t)
	w.lines(S("r.jsonl"), head("r", 0), fmt.Sprintf(`{"type":"message","id":"r1","timestamp":%q,"message":{"role":"assistant","model":"m","usage":{"input":1700,"output":170,"totalTokens":null,"cost":{"total":null}}}}`, at(1)),
		fmt.Sprintf(`{"type":"compaction","id":"c1","parentId":"r1","timestamp":%q,"summary":"short","firstKeptEntryId":"r1","tokensBefore":null}`, at(2)))
	e := w.open()
	s := e.scan()
	equal(t, "tokens", s.Tokens, api.Tokens{Input: 1700, Output: 170})
	equal(t, "calls of unknown price", s.Cost.UnpricedCalls, 1)
	all := e.compactions()
	equal(t, "compactions", len(all), 1)
	if all[0].TokensBefore != nil || all[0].Summary != "short" {
		t.Errorf("compaction: %+v", all[0])
	}
}

// TestB31B39: the prompt is input and both kinds of cached tokens; the split
// is kept.
func TestB31Split(t *testing.T) {
	w := newWorld(t)
	w.lines(S("a.jsonl"), head("a", 0), call{id: "a1", minute: 1, in: 1, out: 50, read: 80_000, usd: "0.03"}.line())
	e := w.open()
	equal(t, "tokens", e.scan().Tokens, api.Tokens{Input: 1, Output: 50, CacheRead: 80_000})
	equal(t, "context", *e.session("a").ContextUsed, 80_001)
}

// TestB32B33: the context is that of the last call, whatever the row in
// sessions.json adds up.
func TestB32ContextOfTheLastCall(t *testing.T) {
	w := newWorld(t)
	w.write(S("sessions.json"), `{"agent:main:main":{"sessionId":"a","updatedAt":1778371200000,"inputTokens":497720,"cacheRead":1323520,"totalTokens":1821240,"contextTokens":200000}}`)
	w.lines(S("a.jsonl"), head("a", 0), said("u", "", 1, "go"), call{id: "a1", parent: "u", minute: 2, in: 10, out: 5, read: 50_000, write: 1_000, usd: "0.1"}.line())
	e := w.open()
	one := e.session("a")
	equal(t, "context", *one.ContextUsed, 51_010)
	equal(t, "window", *one.ContextWindow, 200_000)
	w.grow(S("a.jsonl"), call{id: "a2", parent: "a1", minute: 3, in: 20, out: 5, read: 51_000, write: 2_000, usd: "0.1"}.line())
	equal(t, "context after another call", *e.session("a").ContextUsed, 53_020)
	w.grow(S("a.jsonl"), compacted("c1", "a2", 4, "a2", "so far"))
	if used := e.session("a").ContextUsed; used != nil {
		t.Errorf("context after a compaction that does not say: %d", *used)
	}
	w.grow(S("a.jsonl"), call{id: "a3", parent: "c1", minute: 5, in: 20, out: 5, read: 9_000, usd: "0.1"}.line())
	equal(t, "context after the next call", *e.session("a").ContextUsed, 9_020)
}

// TestB35: the recorded cost is used where there is one; an hour's cache is
// priced apart where there is none.
func TestB35CacheOfAnHour(t *testing.T) {
	w := newWorld(t)
	w.write("openclaw.json", `{models: {providers: {anthropic: {models: [{id: "m", cost: {input: 10, output: 0, cacheRead: 0, cacheWrite: 12.5}}]}}}}`)
	line := func(id, cost string) string {
		return fmt.Sprintf(`{"type":"message","id":%q,"parentId":null,"timestamp":%q,"message":{"role":"assistant","provider":"anthropic","model":"m","content":[],"usage":{"input":0,"output":0,"cacheRead":0,"cacheWrite":1000000,"cacheWrite1h":400000%s}}}`, id, at(1), cost)
	}
	w.lines(S("a.jsonl"), head("a", 0), line("a1", `,"cost":{"total":1.25}`))
	w.lines(S("b.jsonl"), head("b", 0), line("b1", ""))
	e := w.open()
	money(t, "recorded", e.session("a").USD, 1.25)
	money(t, "computed", e.session("b").USD, 0.6*12.5+0.4*20)
}

// TestB37: Ollama's cloud models are paid, its local ones are free.
func TestB37OllamaCloud(t *testing.T) {
	w := newWorld(t)
	line := func(id, model string) string {
		return call{id: id, minute: 1, in: 1_000_000, out: 1_000_000, usd: "0", provider: "ollama", model: model}.line()
	}
	w.lines(S("a.jsonl"), head("a", 0), line("a1", "gpt-oss:120b-cloud"), line("a2", "kimi-k2.5:cloud"), line("a3", "qwen3:8b"))
	e := w.open()
	for id, free := range map[string]bool{"a1": false, "a2": false, "a3": true} {
		source, usd := priceOf(t, e, "a", id)
		if free != (source == "local") {
			t.Errorf("%s: priced by %s", id, source)
		}
		if !free && usd != nil && *usd == 0 {
			t.Errorf("%s: free", id)
		}
		if free && (usd == nil || *usd != 0) {
			t.Errorf("%s: not free: %v", id, usd)
		}
	}
}

// TestB38: a name does not make a paid model free.
func TestB38PaidQwen(t *testing.T) {
	w := newWorld(t)
	w.lines(S("a.jsonl"), head("a", 0), call{id: "a1", minute: 1, in: 1_000_000, out: 1_000_000, usd: "0", provider: "openrouter", model: "qwen/qwen3-max"}.line())
	source, usd := priceOf(t, w.open(), "a", "a1")
	if source == "local" || usd != nil && *usd == 0 {
		t.Errorf("priced by %s: %v", source, usd)
	}
}

// TestB40: what heartbeats cost is told apart from what a person asked for.
func TestB40Heartbeats(t *testing.T) {
	w := newWorld(t)
	lines := []string{head("a", 0), said("u", "", 1, "hello"), reply("a0", "u", 2, 100, 1, "1")}
	parent := "a0"
	for n := range 48 {
		u, a := fmt.Sprint("h", n), fmt.Sprint("r", n)
		lines = append(lines, said(u, parent, 10+n*30, "Read HEARTBEAT.md if it exists (workspace context). Follow it strictly. If nothing needs attention, reply HEARTBEAT_OK."), reply(a, u, 11+n*30, 100, 1, "0.5"))
		parent = a
	}
	w.lines(S("a.jsonl"), lines...)
	e := w.open()
	v := e.costs("day")
	money(t, "all", v.Total.USD, 25)
	money(t, "background", v.Total.BackgroundUSD, 24)
	background := 0
	for _, en := range e.detail("a").Entries {
		if en.Background {
			background++
		}
	}
	equal(t, "background calls", background, 48)
	// A person's message ends it, also when it comes in a later look.
	w.grow(S("a.jsonl"), said("u2", parent, 1500, "thanks"))
	e.scan()
	w.grow(S("a.jsonl"), reply("a2", "u2", 1501, 100, 1, "1"))
	v = e.costs("day")
	money(t, "all", v.Total.USD, 26)
	money(t, "background", v.Total.BackgroundUSD, 24)
}

// TestB41: keys of scheduled jobs, subagents, hooks and heartbeats mark whole
// sessions; a session that is also a person's is not one of them.
func TestB41BackgroundKeys(t *testing.T) {
	w := newWorld(t)
	keys := map[string]string{"agent:main:cron:daily": "cron", "agent:main:subagent:7f1a": "sub", "agent:main:main:heartbeat": "beat", "hook:55": "hook",
		"agent:main:main": "me", "agent:main:whatsapp:direct:1": "both", "agent:main:whatsapp:direct:1:heartbeat": "both"}
	rows := []string{}
	for key, id := range keys {
		rows = append(rows, fmt.Sprintf(`%q:{"sessionId":%q,"updatedAt":1778371200000}`, key, id))
		w.lines(S(id+".jsonl"), head(id, 0), said("u"+id, "", 1, "go"), reply("a"+id, "u"+id, 2, 100, 1, "1"))
	}
	slices.Sort(rows)
	for range 2 {
		w.write(S("sessions.json"), "{"+strings.Join(rows, ",")+"}")
		slices.Reverse(rows)
		e := w.open()
		for id, want := range map[string]bool{"cron": true, "sub": true, "beat": true, "hook": true, "me": false, "both": false} {
			equal(t, id+" is background", e.session(id).Background, want)
		}
		v := e.costs("agent")
		money(t, "all", v.Total.USD, 6)
		money(t, "background", v.Total.BackgroundUSD, 4)
		equal(t, "key of the shared session", e.session("both").SessionKey, "agent:main:whatsapp:direct:1")
		e.close()
	}
}
