package engine

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"tidemark/backend/api"
	"tidemark/backend/memory"
)

func (e *engineOf) today(q api.Query) api.Today {
	e.w.t.Helper()
	q.Refresh = true
	got, err := e.Today(e.w.t.Context(), q)
	if err != nil {
		e.w.t.Fatal(err)
	}
	return got
}

// checkToday compares Today over all time with the sums of a scan, and agents
// with the whole. It runs with every scan of every test.
func (e *engineOf) checkToday(s api.Scan) {
	e.w.t.Helper()
	got, err := e.Today(e.w.t.Context(), api.Query{})
	if memory.CodeOf(err) == memory.CodeInvalid { // a zone that is none
		return
	}
	if err != nil {
		e.w.t.Fatal(err)
	}
	costs, err := e.Costs(e.w.t.Context(), api.Query{By: "agent"})
	if err != nil {
		e.w.t.Fatal(err)
	}
	equal(e.w.t, "spent, ever", got.Spend, costs.Total)
	equal(e.w.t, "tokens, ever", got.Spend.Tokens, s.Tokens)
	var usd memory.Money
	var calls int64
	for _, a := range got.Agents {
		m, _ := memory.MoneyOf(a.USD)
		usd, calls = usd+m, calls+a.Calls
		if len(a.Tide.At) > smallTide+2*len(a.Tide.Falls) {
			e.w.t.Errorf("agent %s: %d points", a.ID, len(a.Tide.At))
		}
	}
	money(e.w.t, "agents, ever", usd.Dollars(), got.Spend.USD)
	equal(e.w.t, "calls of agents, ever", calls, got.Spend.Calls)
}

// TestToday tells what two agents did.
func TestToday(t *testing.T) {
	w := newWorld(t)
	w.now = time.Date(2026, 5, 10, 12, 0, 0, 0, time.UTC)
	w.write("openclaw.json", `{agents: {list: [{id: "main"}, {id: "bot"}]}, models: {providers: {anthropic: {models: [{id: "claude-sonnet-4-6", contextWindow: 100000}]}}}}`)
	w.write(S("sessions.json"), `{"agent:main:main":{"sessionId":"a","updatedAt":1778371800000}}`)
	wakeUp := "Read HEARTBEAT.md if it exists (workspace context). Follow it strictly. If nothing needs attention, reply HEARTBEAT_OK."
	w.lines(S("a.jsonl"), head("a", 0), said("u1", "", 1, "hello there"), reply("a1", "u1", 2, 70000, 1, "0.5"), compacted("c1", "a1", 3, "a1", "Summary unavailable."),
		said("u2", "c1", 4, "\nlast words\nof mine"), reply("a2", "u2", 5, 75000, 1, "0.25"), said("h1", "a2", 6, wakeUp), call{id: "h2", parent: "h1", minute: 7, in: 1, out: 1, usd: "0.125", text: "HEARTBEAT_OK"}.line())
	w.lines(S("b.jsonl", "bot"), head("b", 0), said("v1", "", -2000, "before"), call{id: "w1", parent: "v1", minute: -1990, in: 9, out: 1, usd: "4", text: "done\nand more"}.line())
	e := w.open()
	got := e.today(api.Query{From: "2026-05-10T00:00:00Z", To: "2026-05-11T00:00:00Z"})
	equal(t, "agents", len(got.Agents), 2)
	by := map[string]api.TodayAgent{}
	for _, a := range got.Agents {
		by[a.ID] = a
	}
	m, b := by["main"], by["bot"]
	equal(t, "numbers", fmt.Sprint(m.Sessions, m.Messages, m.Calls, m.Compactions, m.Resets), "1 6 3 1 0")
	money(t, "spent", m.USD, 0.875)
	money(t, "background", m.BackgroundUSD, 0.125)
	equal(t, "last text", m.LastText, "ok")
	equal(t, "last role", m.LastRole, "assistant")
	equal(t, "last session", m.LastSession, "a")
	equal(t, "points", len(m.Tide.At), 3)
	equal(t, "threshold", *m.Threshold, int64(80000))
	equal(t, "another day", fmt.Sprint(b.Sessions, b.Messages, b.Calls, b.USD, len(b.Tide.At)), "0 0 0 0 0")
	equal(t, "said on another day", b.LastText, "done")
	money(t, "month", got.Month.USD, 4.875)
	if got.MonthPace == nil || math.Abs(*got.MonthPace-4.875*31/9.5) > 1e-9 {
		t.Errorf("pace: %v", got.MonthPace)
	}
	if len(got.Needs) != 1 || got.Needs[0].Kind != "compaction" || got.Needs[0].EntryID != "c1" {
		t.Errorf("needs: %+v", got.Needs)
	}
	w.grow(S("a.jsonl"), said("u3", "h2", 8, "and this"), reply("a3", "u3", 9, 70000, 1, "0.1"))
	got = e.today(api.Query{From: "2026-05-10T00:00:00Z"})
	if len(got.Needs) != 2 || got.Needs[0].Kind != "full" || *got.Needs[0].Used != 70000 || *got.Needs[0].Limit != 80000 {
		t.Errorf("needs: %+v", got.Needs)
	}
	w.now = w.now.AddDate(0, 0, 3)
	w.write(S("sessions.json"), "{broken")
	got = e.today(api.Query{From: "2026-05-13T00:00:00Z"})
	if len(got.Needs) != 1 || got.Needs[0].Kind != "problem" || got.Needs[0].Code != string(memory.ProblemBadStore) {
		t.Errorf("needs: %+v", got.Needs)
	}
	equal(t, "one agent alone", len(e.today(api.Query{Agent: "bot"}).Agents), 1)
	if s := inJSON(t, e.today(api.Query{Agent: "nobody"})); strings.Contains(s, `"agents":null`) || strings.Contains(s, `"needs":null`) {
		t.Error(s)
	}
}

// TestTodayAddsUp: whatever was written, the agents of Today add up to what was
// spent, days of costs and Today agree in every zone, and a tide has every call.
func TestTodayAddsUp(t *testing.T) {
	for seed := range uint64(6) {
		r := rand.New(rand.NewPCG(seed, 3))
		w := newWorld(t)
		w.now = time.Date(2026, 5, 12, 5, 0, 0, 0, time.UTC)
		w.write("openclaw.json", `{agents: {list: [{id: "main"}, {id: "bot"}]}}`)
		for n := range 6 {
			agent, id := []string{"main", "bot"}[r.IntN(2)], fmt.Sprint("s", n)
			lines := []string{head(id, 0)}
			parent := ""
			for k := range 20 {
				entry := fmt.Sprintf("%s-%d", id, k)
				usd := fmt.Sprintf("0.%03d", r.IntN(1000))
				if r.IntN(6) == 0 {
					usd = ""
				}
				lines = append(lines, call{id: entry, parent: parent, minute: r.IntN(4*24*60) - 24*60, in: r.Int64N(90000), out: 1, usd: usd, provider: "p", model: "m"}.line())
				parent = entry
			}
			w.lines(S(id+".jsonl", agent), lines...)
		}
		e := w.open()
		for _, zone := range []string{"UTC", "Asia/Shanghai", "America/New_York", "Asia/Kathmandu"} {
			addsUp(t, e, zone)
		}
		for _, s := range e.sessions() {
			tide, err := e.Tide(t.Context(), api.Query{Agent: s.Agent, Session: s.SessionID})
			if err != nil || int64(len(tide.At)) < s.Calls {
				t.Errorf("%s: %d points of %d calls, %v", s.SessionID, len(tide.At), s.Calls, err)
			}
		}
	}
}

func addsUp(t *testing.T, e *engineOf, zone string) {
	t.Helper()
	loc, err := time.LoadLocation(zone)
	if err != nil {
		t.Fatal(err)
	}
	byDay := map[string]api.CostRow{}
	for _, row := range e.costs("day", func(q *api.Query) { q.Zone = zone }).Rows {
		byDay[row.Key] = row
	}
	for n := range 6 {
		day := time.Date(2026, 5, 8+n, 0, 0, 0, 0, loc)
		got := e.today(api.Query{Zone: zone, From: day.Format(time.RFC3339), To: day.AddDate(0, 0, 1).Format(time.RFC3339)})
		row := byDay[day.Format(time.DateOnly)]
		money(t, zone+" "+day.Format(time.DateOnly), got.Spend.USD, row.USD)
		equal(t, "calls", got.Spend.Calls, row.Calls)
		equal(t, "without a price", got.Spend.UnpricedCalls, row.UnpricedCalls)
		var usd float64
		var calls, messages int64
		for _, a := range got.Agents {
			usd, calls, messages = usd+a.USD, calls+a.Calls, messages+a.Messages
		}
		money(t, "agents", usd, got.Spend.USD)
		equal(t, "calls of agents", calls, got.Spend.Calls)
		equal(t, "messages of agents", messages, got.Spend.Calls) // this world has nothing but calls
	}
}
