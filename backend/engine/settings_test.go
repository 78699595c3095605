package engine

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tidemark/backend/api"
	"tidemark/backend/memory"
)

// post sends a body to the API of an engine and gives the status and answer.
func (e *engineOf) post(trusted bool, path, body string) (int, string) {
	e.w.t.Helper()
	answer := httptest.NewRecorder()
	e.Handler(Surface{Trusted: trusted}).ServeHTTP(answer, httptest.NewRequest(http.MethodPost, path, strings.NewReader(body)))
	return answer.Code, answer.Body.String()
}

func (e *engineOf) visit(path string) (int, string) {
	e.w.t.Helper()
	answer := httptest.NewRecorder()
	e.Handler(Surface{}).ServeHTTP(answer, httptest.NewRequest(http.MethodGet, path, nil))
	return answer.Code, answer.Body.String()
}

// TestSettings: choices are kept, nonsense is refused, unknown fields stay, and
// a page cannot name a folder of the machine.
func TestSettings(t *testing.T) {
	w := newWorld(t)
	e := w.open()
	e.scan()
	file := w.data + "/settings.json"
	if err := os.WriteFile(file, []byte(`{"later": [1], "language": "zh"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := e.Settings(t.Context(), api.Query{})
	if err != nil || s.Language != "zh" || s.Zone != "UTC" || s.Notices == nil {
		t.Fatalf("%+v %v", s, err)
	}
	s = api.Settings{Language: "en", Theme: "dark", Density: "roomy", Closing: "quit", Timezone: "Asia/Shanghai", DailyBudget: 12.5, Zone: "ignored", Notices: []string{"ignored"}}
	code, body := e.post(false, "/api/settings", inJSON(t, s))
	var got api.Settings
	if err := json.Unmarshal([]byte(body), &got); err != nil || code != http.StatusOK {
		t.Fatal(code, body, err)
	}
	s.Zone, s.Notices = "Asia/Shanghai", []string{}
	equal(t, "settings", inJSON(t, got), inJSON(t, s))
	if text, err := os.ReadFile(file); err != nil || !strings.Contains(string(text), `"later"`) {
		t.Errorf("an unknown field went: %s %v", text, err)
	}
	equal(t, "budget", e.today(api.Query{}).DailyBudget, 12.5)
	for _, wrong := range []string{`{"language":"fr"}`, `{"theme":"pink"}`, `{"density":"x"}`, `{"closing":"x"}`, `{"timezone":"Mars/Olympus"}`, `{"dailyBudget":-1}`, `{"dailyBudget":"much"}`, `no`} {
		if code, body := e.post(true, "/api/settings", wrong); code != http.StatusBadRequest || !strings.Contains(body, `"invalid"`) {
			t.Errorf("%s: %d %s", wrong, code, body)
		}
	}
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "agents"), 0o700); err != nil {
		t.Fatal(err)
	}
	elsewhere := inJSON(t, map[string]string{"stateDir": dir})
	if code, body := e.post(false, "/api/settings", elsewhere); code != http.StatusForbidden || !strings.Contains(body, "--state-dir") {
		t.Errorf("%d %s", code, body)
	}
	if code, body := e.post(true, "/api/settings", elsewhere); code != http.StatusOK {
		t.Errorf("%d %s", code, body)
	}
	if code, body := e.post(false, "/api/settings", inJSON(t, map[string]string{"theme": "light", "stateDir": dir})); code != http.StatusOK {
		t.Errorf("a theme where the folder stays: %d %s", code, body)
	}
}

// TestK120TodayAgrees: the evening of one zone is the next morning of another,
// and the API says so of days and of today alike.
func TestK120TodayAgrees(t *testing.T) {
	w := newWorld(t)
	w.lines(S("a.jsonl"), head("a", 0), callAt("a1", "2026-02-12T01:30:00Z", "1"), callAt("a2", "2026-02-12T18:00:00Z", "2"))
	e := w.open()
	e.scan()
	for _, c := range []struct{ zone, day, from, to string }{
		{"America/New_York", "2026-02-11", "2026-02-11T00:00:00-05:00", "2026-02-12T00:00:00-05:00"},
		{"Asia/Shanghai", "2026-02-12", "2026-02-12T00:00:00%2B08:00", "2026-02-13T00:00:00%2B08:00"},
	} {
		_, costs := e.visit("/api/costs?by=day&tz=" + c.zone + "&from=" + c.day + "&to=" + c.day)
		_, today := e.visit("/api/today?tz=" + c.zone + "&from=" + c.from + "&to=" + c.to)
		var a api.CostView
		var b api.Today
		if json.Unmarshal([]byte(costs), &a) != nil || json.Unmarshal([]byte(today), &b) != nil {
			t.Fatal(costs, today)
		}
		money(t, c.zone, a.Total.USD, 1)
		money(t, c.zone, b.Spend.USD, a.Total.USD)
		equal(t, "zone", b.Zone, a.Zone)
	}
}

// TestK122RefusedByTheAPI: a zone or an offset that is none is refused in every
// place where one can be named.
func TestK122RefusedByTheAPI(t *testing.T) {
	w := newWorld(t)
	w.lines(S("a.jsonl"), head("a", 0), callAt("a1", "2026-02-12T01:30:00Z", "1"))
	e := w.open()
	e.scan()
	for _, path := range []string{"/api/costs?tz=%2B25:00", "/api/costs?tz=Mars/Olympus", "/api/today?tz=%2B25:00", "/api/today?tz=Mars/Olympus", "/api/today?from=2026-02-12", "/api/today?from=2026-02-12T00:00:00",
		"/api/today?to=2026-02-12T00:00:00%2B25:00", "/api/today?from=2026-02-13T00:00:00Z&to=2026-02-12T00:00:00Z", "/api/find?session=a&at=noon"} {
		if code, body := e.visit(path); code != http.StatusBadRequest || !strings.Contains(body, `"invalid"`) {
			t.Errorf("%s: %d %s", path, code, body)
		}
	}
}

// TestK123ChosenZone: asked for, then chosen, then OpenClaw's, then the
// machine's.
func TestK123ChosenZone(t *testing.T) {
	w := newWorld(t)
	w.write("openclaw.json", `{agents: {defaults: {userTimezone: "Asia/Shanghai"}}}`)
	e := w.open()
	e.scan()
	zone := func(q api.Query) string { return e.today(q).Zone }
	equal(t, "OpenClaw's", zone(api.Query{}), "Asia/Shanghai")
	if _, err := e.SetSettings(t.Context(), api.Query{}, api.Settings{Timezone: "Asia/Tokyo"}); err != nil {
		t.Fatal(err)
	}
	equal(t, "chosen", zone(api.Query{}), "Asia/Tokyo")
	equal(t, "of costs", e.costs("day").Zone, "Asia/Tokyo")
	equal(t, "asked for", zone(api.Query{Zone: "Europe/Berlin"}), "Europe/Berlin")
	if err := os.WriteFile(w.data+"/settings.json", []byte(`{"timezone":"Nowhere/Land"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := e.Today(t.Context(), api.Query{}); memory.CodeOf(err) != memory.CodeInvalid || !strings.Contains(memory.HintOf(err), "Settings") {
		t.Errorf("a chosen zone that is none: %v", err)
	}
}

// TestK125InTheTide: times of any form are points at their moment; one that is
// missing is not 1970.
func TestK125InTheTide(t *testing.T) {
	w := newWorld(t)
	bare := func(id, time string) string {
		return `{"type":"message","id":"` + id + `","parentId":null,"message":{"role":"assistant","provider":"p","model":"m","content":[],"usage":{"input":1,"output":1,"cost":{"total":1}}` + time + `}}`
	}
	w.lines(S("a.jsonl"), head("a", 0), callAt("a1", "2026-05-10T01:00:00+00:00", "1"), bare("a2", `,"timestamp":1778379000000`), bare("a3", `,"timestamp":1778379001`), bare("a4", ""))
	e := w.open()
	got := e.tideOf("a")
	equal(t, "points", inJSON(t, got.At), "[1778374800000,1778379000000,1778379001000,1778379001000]")
	equal(t, "today", e.today(api.Query{From: "2026-05-10T00:00:00Z"}).Spend.USD, 3)
	equal(t, "all", e.today(api.Query{}).Spend.USD, 4)
}

// TestAnotherStateDirectory is looked at as soon as it is chosen, and is the
// default; one that is not there is not chosen.
func TestAnotherStateDirectory(t *testing.T) {
	w := newWorld(t)
	w.lines(S("a.jsonl"), head("a", 0), reply("a1", "", 1, 100, 10, "0.1"))
	other := &world{t: t, state: w.state + "-other"}
	other.lines(S("b.jsonl"), head("b", 0), reply("b1", "", 1, 7000, 10, "0.1"))
	e := w.open()
	equal(t, "at first", e.scan().Tokens.Input, 100)
	ctx := t.Context()
	if _, err := e.SetSettings(ctx, api.Query{}, api.Settings{StateDir: filepath.Join(w.state, "nowhere")}); memory.CodeOf(err) != memory.CodeStateMissing {
		t.Errorf("one that is not there: %v", err)
	}
	if s, err := e.Settings(ctx, api.Query{}); err != nil || s.StateDir != "" {
		t.Errorf("it was kept: %+v %v", s, err)
	}
	if _, err := e.SetSettings(ctx, api.Query{}, api.Settings{StateDir: other.state}); err != nil {
		t.Fatal(err)
	}
	equal(t, "then", e.scan().Tokens.Input, 7000)
	all, err := e.Installations(ctx)
	if err != nil || len(all) != 2 || all[0].StateDir != other.state || !all[0].Default || all[1].Default {
		t.Errorf("installations: %+v %v", all, err)
	}
	if _, err := e.SetSettings(ctx, api.Query{}, api.Settings{}); err != nil {
		t.Fatal(err)
	}
	equal(t, "back again", e.scan().Tokens.Input, 100)
}
