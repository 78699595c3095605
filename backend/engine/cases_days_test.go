package engine

import (
	"fmt"
	"testing"
	"time"

	"tidemark/backend/api"
	"tidemark/backend/memory"
)

// days gives the keys and dollars of costs by day in a zone.
func days(t *testing.T, e *engineOf, zone, from, to string) map[string]float64 {
	t.Helper()
	found := map[string]float64{}
	for _, r := range e.costs("day", func(q *api.Query) { q.Zone, q.From, q.To = zone, from, to }).Rows {
		found[r.Key] = r.USD
	}
	return found
}

func callAt(id, moment, usd string) string {
	return fmt.Sprintf(`{"type":"message","id":%q,"parentId":null,"timestamp":%q,"message":{"role":"assistant","provider":"p","model":"m","content":[],"usage":{"input":1,"output":1,"cost":{"total":%s}}}}`, id, moment, usd)
}

// TestK120: a day is a day of the person's zone.
func TestK120Zones(t *testing.T) {
	w := newWorld(t)
	w.lines(S("a.jsonl"), head("a", 0), callAt("a1", "2026-02-12T01:30:00Z", "1"), callAt("a2", "2026-02-12T16:30:00Z", "2"), callAt("a3", "2026-02-12T18:14:59.999Z", "4"), callAt("a4", "2026-02-12T18:15:00.000Z", "8"))
	e := w.open()
	for zone, want := range map[string]string{
		"America/New_York": "map[2026-02-11:1 2026-02-12:14]",
		"UTC":              "map[2026-02-12:15]",
		"Asia/Shanghai":    "map[2026-02-12:1 2026-02-13:14]",
		"Asia/Kathmandu":   "map[2026-02-12:7 2026-02-13:8]", // 5 hours 45 minutes
	} {
		equal(t, zone, fmt.Sprint(days(t, e, zone, "", "")), want)
	}
	equal(t, "one day", fmt.Sprint(days(t, e, "America/New_York", "2026-02-11", "2026-02-11")), "map[2026-02-11:1]")
}

// TestK122: a zone that is none is refused, never taken for UTC.
func TestK122BadZone(t *testing.T) {
	w := newWorld(t)
	w.lines(S("a.jsonl"), head("a", 0), callAt("a1", "2026-02-12T01:30:00Z", "1"))
	e := w.open()
	for _, zone := range []string{"Mars/Olympus", "+25:00", "../etc/passwd"} {
		if _, err := e.Costs(t.Context(), api.Query{Zone: zone}); memory.CodeOf(err) != memory.CodeInvalid {
			t.Errorf("%q: %v", zone, err)
		}
	}
	for _, q := range []api.Query{{By: "week"}, {From: "yesterday"}, {From: "2026-05-02", To: "2026-05-01"}} {
		if _, err := e.Costs(t.Context(), q); memory.CodeOf(err) != memory.CodeInvalid {
			t.Errorf("%+v: %v", q, err)
		}
	}
	w.write("openclaw.json", `{agents: {defaults: {userTimezone: "Nowhere/Land"}}}`)
	if _, err := e.Costs(t.Context(), api.Query{Refresh: true}); memory.CodeOf(err) != memory.CodeInvalid {
		t.Errorf("a configured zone that is none: %v", err)
	}
}

// TestK123: the zone of the configuration goes before the machine's, and one
// that is asked for before both.
func TestK123ConfiguredZone(t *testing.T) {
	w := newWorld(t)
	w.local = time.FixedZone("machine", -5*3600)
	w.lines(S("a.jsonl"), head("a", 0), callAt("a1", "2026-02-12T01:30:00Z", "1"))
	e := w.open()
	equal(t, "machine", fmt.Sprint(days(t, e, "", "", "")), "map[2026-02-11:1]")
	w.write("openclaw.json", `{agents: {defaults: {userTimezone: "Asia/Shanghai"}}}`)
	equal(t, "configuration", fmt.Sprint(days(t, e, "", "", "")), "map[2026-02-12:1]")
	equal(t, "asked for", fmt.Sprint(days(t, e, "America/New_York", "", "")), "map[2026-02-11:1]")
	s, err := e.Status(t.Context(), api.Query{})
	if err != nil || s.Zone != "Asia/Shanghai" {
		t.Errorf("status: %q %v", s.Zone, err)
	}
}

// TestK125: times in any of the forms that are written; one that is missing
// is not 1970.
func TestK125Timestamps(t *testing.T) {
	w := newWorld(t)
	inside := func(id, entry, message string) string {
		return fmt.Sprintf(`{"type":"message","id":%q,"parentId":null%s,"message":{"role":"assistant","provider":"p","model":"m","content":[],"usage":{"input":1,"output":1,"cost":{"total":1}}%s}}`, id, entry, message)
	}
	w.lines(S("a.jsonl"), head("a", 0),
		inside("t1", `,"timestamp":"2026-05-10T10:00:00.000Z"`, `,"timestamp":1`),
		inside("t2", ``, `,"timestamp":1778407200000`),
		inside("t3", `,"timestamp":1778407200`, ``),
		inside("t4", `,"timestamp":"2026-05-10T12:00:00+02:00"`, ``),
		inside("t5", ``, ``), inside("t6", `,"timestamp":null`, ``), inside("t7", `,"timestamp":"soon"`, ``))
	e := w.open()
	equal(t, "days", fmt.Sprint(days(t, e, "UTC", "", "")), "map[2026-05-10:4 unknown:3]")
	equal(t, "a bounded range has no unknown ones", fmt.Sprint(days(t, e, "UTC", "1970-01-01", "")), "map[2026-05-10:4]")
	one := e.session("a")
	equal(t, "updated", *one.UpdatedAt, "2026-05-10T10:00:00.000Z")
	for _, en := range e.detail("a").Entries {
		if en.ID == "t5" && en.At != nil {
			t.Errorf("a time that is missing is %s", *en.At)
		}
	}
	sumsAgree(t, e)
}

// TestL127: agents that share a workspace are told of each other; the sessions
// of agents that share their folder too are counted once, whatever the order
// in the configuration.
func TestL127SharedWorkspace(t *testing.T) {
	w := newWorld(t)
	w.write("openclaw.json", `{agents: {list: [{id: "a", workspace: "~/common"}, {id: "b", workspace: "~/common"}]}, session: {store: "~/.openclaw/all/sessions.json"}}`)
	w.lines("all/x.jsonl", head("x", 0), said("u", "", 1, "hi"), reply("x1", "u", 2, 100, 1, "0.1"))
	w.write("all/sessions.json", `{}`)
	w.write("../common/MEMORY.md", "shared\n")
	e := w.open()
	s := e.scan()
	equal(t, "shared-workspace", codes(s.Problems)["shared-workspace"], 1)
	equal(t, "input", s.Tokens.Input, 100)
	equal(t, "without an index", w.tally().Tokens.Input, 100)
	agents, err := e.Agents(t.Context(), api.Query{})
	if err != nil || len(agents) != 2 || fmt.Sprint(agents[0].SharedWith, agents[1].SharedWith) != "[b] [a]" {
		t.Errorf("agents: %+v %v", agents, err)
	}
	w.write("openclaw.json", `{agents: {list: [{id: "b", workspace: "~/common"}, {id: "a", workspace: "~/common"}]}, session: {store: "~/.openclaw/all/sessions.json"}}`)
	w.grow("all/x.jsonl", reply("x2", "x1", 3, 200, 1, "0.2"))
	equal(t, "in another order", e.scan().Tokens.Input, 300)
	w.write("openclaw.json", `{agents: {list: [{id: "b", workspace: "~/common"}]}, session: {store: "~/.openclaw/all/sessions.json"}}`)
	w.grow("all/x.jsonl", reply("x3", "x2", 4, 400, 1, "0"))
	s = e.scan()
	equal(t, "without the first one", s.Tokens.Input, 700)
	equal(t, "priced all the same", s.Cost.UnpricedCalls, 0)
}

// TestL129L131: both forms of the roster, with comments and trailing commas.
func TestL129Rosters(t *testing.T) {
	for name, config := range map[string]string{
		"list":    `{ // who lives here` + "\n" + `agents: {defaults: {model: "anthropic/claude-sonnet-4-6", workspace: "~/ws",}, list: [{id: "Main", name: "Chief"}, {id: "sales", workspace: "~/sales"},],},}`,
		"entries": `{agents: {defaults: {model: {primary: "anthropic/claude-sonnet-4-6"}, workspace: "~/ws"}, entries: {main: {name: "Chief"}, sales: {workspace: "~/sales"}}}}`,
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.write("openclaw.json", config)
			w.lines(S("m.jsonl"), head("m", 0), reply("m1", "", 1, 1, 1, "0.1"))
			w.lines(S("s.jsonl", "sales"), head("s", 0), reply("s1", "", 1, 10, 1, "0.1"))
			w.lines(S("x.jsonl", "stray"), head("x", 0), reply("x1", "", 1, 100, 1, "0.1"))
			e := w.open()
			s := e.scan()
			equal(t, "input", s.Tokens.Input, 111)
			equal(t, "unconfigured", codes(s.Problems)["unconfigured"], 1)
			agents, err := e.Agents(t.Context(), api.Query{})
			if err != nil {
				t.Fatal(err)
			}
			seen := ""
			for _, a := range agents {
				seen += fmt.Sprint(a.ID, "(", a.Name, ",", a.Configured, ",", a.Sessions, ") ")
			}
			equal(t, "agents", seen, "main(Chief,true,1) sales(,true,1) stray(,false,1) ")
		})
	}
}
