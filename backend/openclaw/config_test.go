package openclaw

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"tidemark/backend/memory"
)

// loaded is the configuration of a state directory .openclaw with the files
// given, below a fresh home.
func loaded(t *testing.T, env func(home string) Env, files ...string) (*Config, []memory.Problem, string) {
	t.Helper()
	home := realTemp(t)
	layOut(t, home, dirs(".openclaw")...)
	layOut(t, filepath.Join(home, ".openclaw"), files...)
	if env == nil {
		env = func(home string) Env { return envOf(home) }
	}
	inst, err := Resolve(env(home), "", "")
	if err != nil {
		t.Fatal(err)
	}
	cfg, problems := LoadConfig(env(home), inst)
	return cfg, problems, home
}

// sample is the content of a file in testdata/config.
func sample(t testing.TB, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", "config", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func number[T any](n T) *T { return &n }

func TestLoadConfigOfTheFirstEras(t *testing.T) {
	cfg, problems, _ := loaded(t, nil, "openclaw.json", sample(t, "files-era.json5"))
	// 助手 leaves nothing of an id, so that it means "main", which was there.
	if got := messages(problems); !slices.Equal(got, []string{"agents.list[2] has the id of another agent, main: ignored"}) {
		t.Errorf("problems %q", got)
	}
	if !cfg.HasRoster || cfg.Keyed || cfg.Version != "2026.2.24" || cfg.MemoryBackend != "qmd" ||
		cfg.SessionStore != "~/.openclaw/agents/{agentId}/sessions/sessions.json" {
		t.Errorf("config %+v", cfg)
	}
	wantAgents := []AgentConfig{
		{ID: "main", RawID: "Main", Name: "小小巨", Default: true},
		{ID: "work-bot", RawID: "work bot", Name: "Worker", Workspace: "~/work/bot", AgentDir: "~/agents/work",
			Model: ModelChoice{Primary: "ollama/qwen3:8b", Fallbacks: []string{"a/b", "c/d"}}, BootstrapMaxChars: number[int64](9000),
			memorySearch: MemorySearch{Provider: "ollama", ExtraPaths: []string{"~/work"}}},
	}
	if !reflect.DeepEqual(cfg.Agents, wantAgents) {
		t.Errorf("agents\n%+v\nwant\n%+v", cfg.Agents, wantAgents)
	}
	wantDefaults := AgentDefaults{
		Workspace: "~/.openclaw/workspace", UserTimezone: "Asia/Shanghai", Model: ModelChoice{Primary: "anthropic/claude-sonnet-4-6"},
		ContextTokens: number[int64](150000), BootstrapMaxChars: number[int64](12000), BootstrapTotalMaxChars: number[int64](60000),
		Compaction: CompactionConfig{Mode: "safeguard", ReserveTokensFloor: number[int64](20000), ReserveTokens: number[int64](16384),
			KeepRecentTokens: number[int64](8000), MaxHistoryShare: number(0.5), TruncateAfterCompaction: memory.Yes,
			FlushEnabled: memory.Yes, FlushSoftThresholdTokens: number[int64](4000), FlushTranscriptBytes: number[int64](2 << 20), FlushOwnPrompt: true},
		Pruning: PruningConfig{Mode: "cache-ttl", TTL: "5m", KeepLastAssistants: number[int64](3), SoftTrimRatio: number(0.3),
			HardClearRatio: number(0.5), MinPrunableToolChars: number[int64](50000)},
	}
	if !reflect.DeepEqual(cfg.Defaults, wantDefaults) {
		t.Errorf("defaults\n%+v\nwant\n%+v", cfg.Defaults, wantDefaults)
	}
	wantSearch := MemorySearch{Enabled: memory.Yes, Provider: "local", Model: "a.gguf", BaseURL: "http://127.0.0.1:9/v1",
		Sources: []string{"memory", "sessions"}, ExtraPaths: []string{"~/notes"}, StorePath: "~/.openclaw/memory/{agentId}.sqlite",
		MaxResults: number[int64](6), MinScore: number(0.35), SessionMemory: memory.Yes}
	if got := cfg.MemorySearch("main"); !reflect.DeepEqual(got, wantSearch) {
		t.Errorf("memory search\n%+v\nwant\n%+v", got, wantSearch)
	}
	wantSearch.Provider, wantSearch.ExtraPaths = "ollama", []string{"~/notes", "~/work"}
	if got := cfg.MemorySearch("work-bot"); !reflect.DeepEqual(got, wantSearch) {
		t.Errorf("memory search of the agent\n%+v\nwant\n%+v", got, wantSearch)
	}
	wantModels := []ModelPrice{
		{Provider: "anthropic", Model: "claude-sonnet-4-6", BaseURL: "https://example.invalid/v1", HasCost: true, ContextWindow: 200000,
			Rates: memory.Rates{Input: 3, Output: 15, CacheRead: 0.3, CacheWrite: 3.75}},
		{Provider: "ollama", Model: "qwen3:8b", BaseURL: "http://127.0.0.1:11434", ContextWindow: 262144, NumCtx: 8192},
		{Provider: "ollama", Model: "unlisted", NumCtx: 4096},
	}
	if !reflect.DeepEqual(cfg.Models, wantModels) {
		t.Errorf("models\n%+v\nwant\n%+v", cfg.Models, wantModels)
	}
}

func TestLoadConfigOfTheNewestEra(t *testing.T) {
	cfg, problems, _ := loaded(t, nil, "openclaw.json", sample(t, "newest-era.json5"))
	if len(problems) != 0 {
		t.Errorf("problems %q", messages(problems))
	}
	if !cfg.Keyed || !cfg.HasRoster || cfg.Ownership != "explicit" || cfg.SystemAgent != "main" || cfg.Version != "2026.9.6" {
		t.Errorf("config %+v", cfg)
	}
	helper, ok := cfg.Agent("helper")
	if !ok || helper.Name != "码农" || *helper.BootstrapTotalMaxChars != 30000 {
		t.Errorf("helper %+v", helper)
	}
	if _, ok := cfg.Agent("nobody"); ok {
		t.Error("found an agent that is not there")
	}
	c := cfg.Defaults.Compaction
	if c.FlushEnabled != memory.No || c.NotifyUser != memory.Yes || c.ReserveTokensFloor != nil || c.FlushModel != "mock/mock-small" {
		t.Errorf("compaction %+v", c)
	}
	if m := cfg.Defaults.Model; m.Primary != "mock/mock-small" || !slices.Equal(m.Fallbacks, []string{"mock/mock-large"}) {
		t.Errorf("model %+v", m)
	}
	if m := cfg.MemorySearch("main"); m.Model != "own-embed" || m.Provider != "openai-compatible" || !slices.Equal(m.ExtraPaths, []string{"~/shared"}) {
		t.Errorf("memory search %+v", m)
	}
	if m := cfg.MemorySearch("helper"); m.Model != "mock-embed" {
		t.Errorf("memory search %+v", m)
	}
}

func TestLoadConfigOfNothing(t *testing.T) {
	cfg, problems, _ := loaded(t, nil)
	if cfg.Path != "" || len(cfg.Files) != 0 || len(problems) != 0 || cfg.HasRoster {
		t.Errorf("config %+v, problems %q", cfg, messages(problems))
	}
	if got := cfg.Masked(nil); !reflect.DeepEqual(got, map[string]any{}) {
		t.Errorf("shown as %v", got)
	}
	var none *Config
	if _, ok := none.Agent("main"); ok {
		t.Error("nil has an agent")
	}
	none.MemorySearch("main")
	none.Masked(nil)
}

// Each wrong type costs only itself.
func TestLoadConfigOfWrongTypes(t *testing.T) {
	cfg, problems, _ := loaded(t, nil, "openclaw.json", `{
		agents: {
			ownership: 5,
			defaults: { workspace: ["x"], userTimezone: {}, model: 7, compaction: "on", contextPruning: [], bootstrapMaxChars: "lots", models: 3,
				memorySearch: true, systemAgent: "main" },
			list: [ null, 5, "main", { id: 9, name: [] }, { id: "ok", default: "yes", workspace: "/w", identity: "x", model: [] }, { id: "OK" } ],
		},
		models: { providers: { a: null, b: 5, c: { models: {} }, d: { baseUrl: 1, models: [ 5, {}, { id: 3 }, { id: "m", cost: "free", contextWindow: "64000", params: [] } ] } } },
		session: [], memory: "off", meta: { lastTouchedVersion: 2026 }, env: [],
	}`)
	wantAgents := []AgentConfig{{ID: "main", RawID: ""}, {ID: "ok", RawID: "ok", Workspace: "/w"}}
	if !reflect.DeepEqual(cfg.Agents, wantAgents) {
		t.Errorf("agents %+v", cfg.Agents)
	}
	wantModels := []ModelPrice{{Provider: "d", Model: "m", ContextWindow: 64000}}
	if !reflect.DeepEqual(cfg.Models, wantModels) {
		t.Errorf("models %+v", cfg.Models)
	}
	if !reflect.DeepEqual(cfg.Defaults, AgentDefaults{}) {
		t.Errorf("defaults %+v", cfg.Defaults)
	}
	says := strings.Join(messages(problems), "\n")
	for _, part := range []string{
		"agents.ownership is no text", "agents.defaults.workspace is no text", "agents.defaults.userTimezone is no text", "agents.defaults.model is no object",
		"agents.defaults.compaction is no object", "agents.defaults.contextPruning is no object", "agents.defaults.bootstrapMaxChars is no number",
		"agents.defaults.models is no object", "agents.defaults.memorySearch is no object", "agents.defaults.systemAgent is no object",
		"agents.list[1] is no object", "agents.list[2] is no object", "agents.list[3].id is no text", "agents.list[4].default is neither",
		"agents.list[5] has the id of another agent, ok", "models.providers.b is no object", "models.providers.c.models is no list",
		"models.providers.d.models[1] has no id", "models.providers.d.models[3].cost is no object", "session is no object", "memory is no object",
		"meta.lastTouchedVersion is no text",
	} {
		if !strings.Contains(says, part) {
			t.Errorf("no problem says %q in\n%s", part, says)
		}
	}
	for _, p := range problems {
		if p.Code != memory.ProblemBadConfig || p.Path != cfg.Path || p.Count != 1 {
			t.Errorf("problem %+v", p)
		}
	}
}

func TestLoadConfigVariables(t *testing.T) {
	env := func(home string) Env { return envOf(home, "ZONE", "Asia/Tokyo", "SET", "process") }
	cfg, problems, _ := loaded(t, env, "openclaw.json", `{
		env: { SET: "config", OWN: "inline", vars: { OWN: "vars", PLACE: "/p" } },
		agents: { defaults: { userTimezone: "${ZONE}", workspace: "${PLACE}/${OWN}/${SET}", model: "${GONE}/m" } },
	}`)
	d := cfg.Defaults
	if d.UserTimezone != "Asia/Tokyo" || d.Workspace != "/p/vars/process" || d.Model.Primary != "${GONE}/m" || len(problems) != 0 {
		t.Errorf("defaults %+v, problems %q", d, messages(problems))
	}
	shown, err := json.Marshal(cfg.Masked(func(_, v string) string { return v }))
	if err != nil || strings.Contains(string(shown), "Tokyo") || !strings.Contains(string(shown), "${ZONE}") {
		t.Errorf("shown as %s, %v", shown, err)
	}
}

func TestLoadConfigFallsBack(t *testing.T) {
	broken := "{\n  agents: {\n    list: [ { id: 'a' }\n"
	good := func(id string) string { return "{agents:{list:[{id:'" + id + "'}]}}" }
	tests := []struct {
		name  string
		files []string
		want  string // id of the agent, "" for an empty configuration
		used  string // name of the file
		says  string
		line  int
	}{
		{"the last good one", []string{"openclaw.json", broken, "openclaw.json.last-good", good("good"), "openclaw.json.bak", good("bak")}, "good", "openclaw.json.last-good", "line 4", 4},
		{"it is broken too", []string{"openclaw.json", broken, "openclaw.json.last-good", "{", "openclaw.json.bak", good("bak")}, "bak", "openclaw.json.bak", "line 4", 4},
		{"the newest backup that parses", []string{"openclaw.json", broken, "openclaw.json.bak", "[", "openclaw.json.bak.1", good("one"), "openclaw.json.bak.2", good("two")}, "two", "openclaw.json.bak.2", "line 4", 4},
		{"nothing else", []string{"openclaw.json", broken}, "", "", "line 4", 4},
		{"nothing that parses", []string{"openclaw.json", broken, "openclaw.json.bak", "{"}, "", "", "line 4", 4},
		{"a file cut to nothing", []string{"openclaw.json", "", "openclaw.json.last-good", good("good")}, "good", "openclaw.json.last-good", "line 1", 1},
		{"no object", []string{"openclaw.json", "[1]", "openclaw.json.last-good", good("good")}, "good", "openclaw.json.last-good", "no object", 1},
		{"a directory", []string{"openclaw.json/", "", "openclaw.json.last-good", good("good")}, "good", "openclaw.json.last-good", "not a regular file", 0},
		{"legacy", []string{"clawdbot.json", "{", "clawdbot.json.bak", good("old")}, "old", "clawdbot.json.bak", "line 1", 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			home := realTemp(t)
			state := layOut(t, filepath.Join(home, ".openclaw"), tt.files...)
			newer := time.Now()
			for _, name := range []string{"openclaw.json.bak", "openclaw.json.bak.1", "openclaw.json.bak.2"} {
				newer = newer.Add(time.Minute)
				_ = os.Chtimes(filepath.Join(state, name), newer, newer) // not all are there
			}
			inst, err := Resolve(envOf(home), "", "")
			if err != nil {
				t.Fatal(err)
			}
			cfg, problems := LoadConfig(envOf(home), inst)
			if len(problems) != 1 {
				t.Fatalf("problems %q", messages(problems))
			}
			p := problems[0]
			if p.Code != memory.ProblemBadConfig || p.Path != inst.ConfigPath || p.Line != tt.line || !strings.Contains(p.Message, tt.says) || p.Hint == "" {
				t.Errorf("problem %+v", p)
			}
			if tt.want == "" {
				if cfg.Path != "" || cfg.HasRoster {
					t.Errorf("config %+v", cfg)
				}
				return
			}
			if filepath.Base(cfg.Path) != tt.used || len(cfg.Agents) != 1 || cfg.Agents[0].ID != tt.want || !strings.Contains(p.Message, tt.used) {
				t.Errorf("config %+v, problem %q", cfg, p.Message)
			}
			if !slices.Equal(cfg.Files, []string{inst.ConfigPath, cfg.Path}) {
				t.Errorf("files %q", cfg.Files)
			}
		})
	}
}

func TestLoadConfigWithoutPermission(t *testing.T) {
	if runtime.GOOS == "windows" || os.Geteuid() == 0 {
		t.Skip("skipped: this account may read everything")
	}
	home := realTemp(t)
	state := layOut(t, filepath.Join(home, ".openclaw"), "openclaw.json", "{}")
	if err := os.Chmod(filepath.Join(state, "openclaw.json"), 0); err != nil {
		t.Fatal(err)
	}
	inst, err := Resolve(envOf(home), "", "")
	if err != nil {
		t.Fatal(err)
	}
	_, problems := LoadConfig(envOf(home), inst)
	if len(problems) != 1 || problems[0].Code != memory.ProblemUnreadable {
		t.Errorf("problems %+v", problems)
	}
}

func TestMasked(t *testing.T) {
	cfg, _, _ := loaded(t, nil, "openclaw.json", `{
		gateway: { auth: { token: "tok", port: 18789 } },
		list: [ "a", { key: "b" }, [ "c" ] ],
		flag: true, nothing: null, pin: 4711, big: 12345678901, inf: Infinity, nan: NaN,
	}`)
	var seen []string
	got := cfg.Masked(func(key, value string) string {
		seen = append(seen, key+"="+value)
		if key == "token" || key == "pin" || key == "list" {
			return "***"
		}
		return value
	})
	want := map[string]any{
		"gateway": map[string]any{"auth": map[string]any{"token": "***", "port": 18789.0}},
		"list":    []any{"***", map[string]any{"key": "b"}, []any{"***"}},
		"flag":    true, "nothing": nil, "pin": "***", "big": 12345678901.0, "inf": "+Inf", "nan": "NaN",
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
	for _, one := range []string{"token=tok", "port=18789", "key=b", "list=a", "list=c", "pin=4711", "big=12345678901"} {
		if !slices.Contains(seen, one) {
			t.Errorf("mask did not see %q in %q", one, seen)
		}
	}
	if _, err := json.Marshal(got); err != nil {
		t.Error(err)
	}
	got.(map[string]any)["gateway"] = nil
	if again := cfg.Masked(func(_, v string) string { return v }).(map[string]any); again["gateway"] == nil {
		t.Error("the copy shares its parts with the configuration")
	}
	hidden, err := json.Marshal(cfg.Masked(nil))
	if err != nil || strings.Contains(string(hidden), "tok\"") || strings.Contains(string(hidden), "4711") {
		t.Errorf("a nil mask shows %s, %v", hidden, err)
	}
}

func TestLoadConfigOfFixtures(t *testing.T) {
	fixtures := fixtureFolder(t)
	tests := []struct {
		name     string
		keyed    bool
		standard string
		search   string
	}{
		{"2026.2.24", false, "main", "openai"},
		{"2026.6.11", false, "main", "openai"},
		{"2026.9.6", true, "main", "openai-compatible"},
		{"upgrade-2.24-to-9.6", true, "main", "openai"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			inst, err := Resolve(Env{}, filepath.Join(fixtures, tt.name), "")
			if err != nil {
				t.Fatal(err)
			}
			cfg, problems := LoadConfig(Env{}, inst)
			if len(problems) != 0 || cfg.Keyed != tt.keyed || len(cfg.Agents) != 2 || cfg.Defaults.UserTimezone != "Asia/Shanghai" {
				t.Errorf("config %+v, problems %q", cfg, messages(problems))
			}
			if id, _ := cfg.defaultAgent(tt.keyed); id != tt.standard {
				t.Errorf("default agent %q", id)
			}
			if m := cfg.MemorySearch("helper"); m.Provider != tt.search || m.Model != "mock-embed" {
				t.Errorf("memory search %+v", m)
			}
			if cfg.Defaults.Model.Primary != "mock/mock-small" || *cfg.Defaults.Compaction.KeepRecentTokens != 4000 ||
				cfg.Defaults.Compaction.FlushEnabled != memory.Yes {
				t.Errorf("defaults %+v", cfg.Defaults)
			}
			want := memory.Rates{Input: 3, Output: 15, CacheRead: 0.3, CacheWrite: 3.75}
			if len(cfg.Models) != 1 || !reflect.DeepEqual(cfg.Models[0].Rates, want) || cfg.Models[0].ContextWindow != 32000 {
				t.Errorf("models %+v", cfg.Models)
			}
			for _, path := range fixtureModels(t, inst.StateDir) {
				models, problems := ModelsFile(path)
				if len(problems) != 0 || len(models) != 1 || !reflect.DeepEqual(models[0].Rates, want) {
					t.Errorf("%s: %+v, %q", path, models, messages(problems))
				}
			}
		})
	}
}

func fixtureModels(t *testing.T, state string) []string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(state, "agents", "*", "agent", "models.json"))
	if err != nil {
		t.Fatal(err)
	}
	return found
}
