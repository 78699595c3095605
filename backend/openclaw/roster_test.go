package openclaw

import (
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"tidemark/backend/memory"
)

// rostered is the roster of ~/.openclaw in a fresh home, with the files given
// below the home.
func rostered(t *testing.T, config string, reg []RegisteredDatabase, files ...string) (agents []Agent, problems []memory.Problem, home string) {
	t.Helper()
	home = realTemp(t)
	layOut(t, home, dirs(".openclaw")...)
	layOut(t, home, files...)
	if config != "" {
		layOut(t, home, ".openclaw/openclaw.json", config)
	}
	inst, err := Resolve(envOf(home), "", "")
	if err != nil {
		t.Fatal(err)
	}
	cfg, bad := LoadConfig(envOf(home), inst)
	if len(bad) > 0 {
		t.Fatalf("problems %q", messages(bad))
	}
	agents, problems = inst.Agents(cfg, reg)
	return agents, problems, home
}

// summary is a short form of agents: id, * for the default, ! for unconfigured.
func summary(agents []Agent) []string {
	var out []string
	for _, a := range agents {
		s := a.ID
		if a.Default {
			s += "*"
		}
		if !a.Configured {
			s += "!"
		}
		out = append(out, s)
	}
	return out
}

func TestAgents(t *testing.T) {
	sqlite := func(id string) []RegisteredDatabase {
		return []RegisteredDatabase{{AgentID: id, Path: "agents/" + id + "/agent/openclaw-agent.sqlite", SchemaVersion: 23}}
	}
	tests := []struct {
		name   string
		config string
		reg    []RegisteredDatabase
		files  []string
		want   []string
		codes  []memory.Code
	}{
		{name: "nothing at all", want: []string{"main*"}},
		{name: "an empty configuration", config: "{}", want: []string{"main*"}},
		{name: "an empty list is no list", config: "{agents:{list:[]}}", want: []string{"main*"}},
		{name: "an empty list of the newest era is one", config: "{agents:{entries:{}}}", want: nil},
		{name: "one", config: "{agents:{list:[{id:'solo'}]}}", want: []string{"solo*"}},
		{name: "the first is the default one", config: "{agents:{list:[{id:'b'},{id:'a'}]}}", want: []string{"b*", "a"}},
		{name: "the marked one is", config: "{agents:{list:[{id:'b'},{id:'a',default:true},{id:'c',default:true}]}}", want: []string{"b", "a*", "c"}},
		{name: "ids are made plain", config: "{agents:{list:[{id:' My Bot! '},{id:'WORK'}]}}", want: []string{"my-bot*", "work"}},
		{name: "keyed, sole", config: "{agents:{entries:{a:{}}}}", want: []string{"a*"}},
		{name: "keyed, none marked", config: "{agents:{entries:{b:{},a:{}}}}", want: []string{"a", "b"}},
		{name: "keyed, marked", config: "{agents:{entries:{b:{default:true},a:{}}}}", want: []string{"a", "b*"}},
		{name: "keyed, two marked", config: "{agents:{entries:{b:{default:true},a:{default:true}}}}", want: []string{"a", "b"}},
		{name: "keyed, explicit", config: "{agents:{ownership:'explicit',entries:{b:{default:true},a:{}}}}", want: []string{"a", "b"}},
		{name: "keyed, explicit, with a system agent", config: "{agents:{ownership:'explicit',defaults:{systemAgent:{agentId:'A'}},entries:{b:{default:true},a:{}}}}", want: []string{"a*", "b"}},
		{name: "keyed, a system agent that is not there", config: "{agents:{ownership:'explicit',defaults:{systemAgent:{agentId:'x'}},entries:{b:{}}}}", want: []string{"b*"}},
		{name: "both forms, the keyed one counts", config: "{agents:{list:[{id:'old'}],entries:{a:{}}}}", want: []string{"a*"}},
		{name: "a list beside a database of the newest era", config: "{agents:{list:[{id:'b'},{id:'a'}]}}", reg: sqlite("b"),
			files: []string{".openclaw/agents/b/agent/openclaw-agent.sqlite", "x"}, want: []string{"b", "a"}},

		{name: "folders", config: "{agents:{list:[{id:'a'}]}}",
			files: dirs(".openclaw/agents/z/sessions", ".openclaw/agents/a/sessions", ".openclaw/agents/m/agent", ".openclaw/agents/i/session-sqlite-import-archive"),
			want:  []string{"a*", "i!", "m!", "z!"}, codes: []memory.Code{memory.ProblemUnconfigured, memory.ProblemUnconfigured, memory.ProblemUnconfigured}},
		{name: "folders of nothing", config: "{}", files: append(dirs(".openclaw/agents/empty", ".openclaw/agents/.hidden/sessions"), ".openclaw/agents/file", "x"), want: []string{"main*"}},
		{name: "folders without a configuration", files: dirs(".openclaw/agents/main/sessions", ".openclaw/agents/b/sessions"), want: []string{"main*", "b!"}},
		{name: "a folder that is no id", config: "{}", files: dirs(".openclaw/agents/码农/sessions", ".openclaw/agents/a b/agent"),
			want: []string{"main*", "a b!", "码农!"}, codes: []memory.Code{memory.ProblemUnconfigured, memory.ProblemUnconfigured}},

		{name: "registered", config: "{agents:{entries:{a:{}}}}", reg: slices.Concat(sqlite("a"), sqlite("ghost"), sqlite("reg")),
			files: []string{".openclaw/agents/reg/agent/openclaw-agent.sqlite", "x"},
			want:  []string{"a*", "reg!"}, codes: []memory.Code{memory.ProblemUnconfigured}},
		{name: "registered elsewhere", config: "{agents:{entries:{a:{}}}}", reg: []RegisteredDatabase{{AgentID: "far", Path: "elsewhere/far.sqlite", SchemaVersion: 23}},
			files: []string{".openclaw/elsewhere/far.sqlite", "x"}, want: []string{"a*", "far!"}, codes: []memory.Code{memory.ProblemUnconfigured}},
		{name: "private conversations", config: "{agents:{entries:{a:{}}}}", reg: []RegisteredDatabase{{AgentID: "priv", Path: "agents/priv/incognito-openclaw-agent.sqlite"}},
			files: []string{".openclaw/agents/priv/incognito-openclaw-agent.sqlite", "x"}, want: []string{"a*"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			agents, problems, _ := rostered(t, tt.config, tt.reg, tt.files...)
			if got := summary(agents); !slices.Equal(got, tt.want) {
				t.Errorf("got %q, want %q", got, tt.want)
			}
			var codes []memory.Code
			for _, p := range problems {
				codes = append(codes, p.Code)
				if p.Path == "" || p.Message == "" || p.Hint == "" || p.Count != 1 {
					t.Errorf("problem %+v", p)
				}
			}
			if !slices.Equal(codes, tt.codes) {
				t.Errorf("problems %q", messages(problems))
			}
		})
	}
}

func TestAgentsOnACaseSensitiveDisk(t *testing.T) {
	home := layOut(t, realTemp(t), dirs(".openclaw/agents/Bot/sessions")...)
	if isDirectory(filepath.Join(home, ".openclaw", "agents", "bot")) {
		t.Skip("skipped: this disk does not tell names apart by case")
	}
	layOut(t, home, ".openclaw/openclaw.json", "{agents:{list:[{id:'bot'}]}}")
	inst, err := Resolve(envOf(home), "", "")
	if err != nil {
		t.Fatal(err)
	}
	cfg, _ := LoadConfig(envOf(home), inst)
	agents, _ := inst.Agents(cfg, nil)
	if len(agents) != 1 || filepath.Base(filepath.Dir(agents[0].SessionsDir)) != "Bot" {
		t.Errorf("agents %+v", agents)
	}
	layOut(t, home, dirs(".openclaw/agents/bot/sessions")...)
	agents, _ = inst.Agents(cfg, nil)
	// Two folders are two agents: nothing of one may be taken for the other's.
	if len(agents) != 2 || agents[0].SessionsDir == agents[1].SessionsDir {
		t.Errorf("agents %+v", agents)
	}
}

func TestAgentNames(t *testing.T) {
	agents, _, _ := rostered(t, `{agents:{list:[{id:'a',name:'Ada'},{id:'b',identity:{name:'码农'}},{id:'c',name:'x',identity:{name:'Cleo'}},{id:'My Bot'},{id:'D'},{id:'e'}]}}`, nil)
	var names []string
	for _, a := range agents {
		names = append(names, a.ID+"="+a.Name)
	}
	if want := []string{"a=Ada", "b=码农", "c=Cleo", "my-bot=My Bot", "d=", "e="}; !slices.Equal(names, want) {
		t.Errorf("names %q, want %q", names, want)
	}
}

func TestAgentPaths(t *testing.T) {
	tests := []struct {
		name                string
		config              string
		reg                 []RegisteredDatabase
		files               []string
		dir, sessions, base string // below the home, of the agent a
	}{
		{name: "the usual", config: "{agents:{list:[{id:'a'}]}}",
			dir: ".openclaw/agents/a/agent", sessions: ".openclaw/agents/a/sessions", base: ".openclaw/agents/a/agent/openclaw-agent.sqlite"},
		{name: "agentDir", config: "{agents:{list:[{id:'a',agentDir:'~/x/agent'}]}}",
			dir: "x/agent", sessions: ".openclaw/agents/a/sessions", base: "x/agent/openclaw-agent.sqlite"},
		{name: "agentDir, but the database is in the usual place", config: "{agents:{list:[{id:'a',agentDir:'~/x/agent'}]}}",
			files: []string{".openclaw/agents/a/agent/openclaw-agent.sqlite", "x"},
			dir:   "x/agent", sessions: ".openclaw/agents/a/sessions", base: ".openclaw/agents/a/agent/openclaw-agent.sqlite"},
		{name: "agentDir of another machine", config: "{agents:{list:[{id:'a',agentDir:'/home/other/.openclaw/agents/a/agent'}]}}", files: dirs(".openclaw/agents/a/agent"),
			dir: ".openclaw/agents/a/agent", sessions: ".openclaw/agents/a/sessions", base: ".openclaw/agents/a/agent/openclaw-agent.sqlite"},
		{name: "agentDir of Windows", config: `{agents:{list:[{id:'a',agentDir:'C:\\Users\\x\\agent-a'}]}}`,
			dir: ".openclaw/agents/a/agent", sessions: ".openclaw/agents/a/sessions", base: ".openclaw/agents/a/agent/openclaw-agent.sqlite"},
		{name: "agentDir below the state directory", config: "{agents:{list:[{id:'a',agentDir:'mine/a'}]}}",
			dir: ".openclaw/mine/a", sessions: ".openclaw/agents/a/sessions", base: ".openclaw/mine/a/openclaw-agent.sqlite"},
		{name: "session.store", config: "{session:{store:'~/st/{agentId}/sessions.json'},agents:{list:[{id:'a'}]}}", files: dirs("st/a"),
			dir: ".openclaw/agents/a/agent", sessions: "st/a", base: ".openclaw/agents/a/agent/openclaw-agent.sqlite"},
		{name: "session.store that is not there yet", config: "{session:{store:'~/st/{agentId}/sessions.json'},agents:{list:[{id:'a'}]}}",
			dir: ".openclaw/agents/a/agent", sessions: "st/a", base: ".openclaw/agents/a/agent/openclaw-agent.sqlite"},
		{name: "session.store that is not there, while the usual place is", config: "{session:{store:'~/st/{agentId}/sessions.json'},agents:{list:[{id:'a'}]}}", files: dirs(".openclaw/agents/a/sessions"),
			dir: ".openclaw/agents/a/agent", sessions: ".openclaw/agents/a/sessions", base: ".openclaw/agents/a/agent/openclaw-agent.sqlite"},
		{name: "session.store of another machine", config: "{session:{store:'/home/other/.openclaw/agents/{agentId}/sessions/sessions.json'},agents:{list:[{id:'a'}]}}",
			files: []string{".openclaw/agents/a/sessions/sessions.json", "{}"},
			dir:   ".openclaw/agents/a/agent", sessions: ".openclaw/agents/a/sessions", base: ".openclaw/agents/a/agent/openclaw-agent.sqlite"},
		{name: "session.store of Windows", config: `{session:{store:'C:\\x\\{agentId}\\sessions.json'},agents:{list:[{id:'a'}]}}`,
			dir: ".openclaw/agents/a/agent", sessions: ".openclaw/agents/a/sessions", base: ".openclaw/agents/a/agent/openclaw-agent.sqlite"},
		{name: "one store for all", config: "{session:{store:'~/st/sessions.json'},agents:{list:[{id:'a'},{id:'b'}]}}", files: dirs("st"),
			dir: ".openclaw/agents/a/agent", sessions: "st", base: ".openclaw/agents/a/agent/openclaw-agent.sqlite"},
		{name: "the registered database", config: "{agents:{entries:{a:{}}}}",
			reg:   []RegisteredDatabase{{AgentID: "A", Path: "db/old.sqlite", LastSeen: 1}, {AgentID: "a", Path: "db/new.sqlite", LastSeen: 2}, {AgentID: "a", Path: "db/gone.sqlite", LastSeen: 3}},
			files: []string{".openclaw/db/old.sqlite", "x", ".openclaw/db/new.sqlite", "x", ".openclaw/agents/a/agent/openclaw-agent.sqlite", "x"},
			dir:   ".openclaw/agents/a/agent", sessions: ".openclaw/agents/a/sessions", base: ".openclaw/db/new.sqlite"},
		{name: "a database registered on another machine", config: "{agents:{entries:{a:{}}}}",
			reg:   []RegisteredDatabase{{AgentID: "a", Path: "/root/.openclaw/db/a.sqlite"}},
			files: []string{".openclaw/db/a.sqlite", "x"},
			dir:   ".openclaw/agents/a/agent", sessions: ".openclaw/agents/a/sessions", base: ".openclaw/db/a.sqlite"},
		{name: "a database registered on Windows", config: "{agents:{entries:{a:{}}}}",
			reg:   []RegisteredDatabase{{AgentID: "a", Path: `D:\home\.openclaw\db\a.sqlite`}},
			files: []string{".openclaw/db/a.sqlite", "x"},
			dir:   ".openclaw/agents/a/agent", sessions: ".openclaw/agents/a/sessions", base: ".openclaw/db/a.sqlite"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if runtime.GOOS == "windows" && strings.Contains(tt.name, "Windows") {
				t.Skip("skipped: these paths are of this machine")
			}
			agents, _, home := rostered(t, tt.config, tt.reg, tt.files...)
			below := func(p string) string { return filepath.Join(home, filepath.FromSlash(p)) }
			a := agents[0]
			if a.ID != "a" || a.Dir != below(tt.dir) || a.SessionsDir != below(tt.sessions) || a.Database != below(tt.base) {
				t.Errorf("agent %+v", a)
			}
		})
	}
}

func TestAgentSessionsFile(t *testing.T) {
	tests := []struct{ store, want string }{
		{"", ".openclaw/agents/a/sessions/sessions.json"},
		{"~/st/{agentId}/sessions.json", "st/a/sessions.json"},
		{"~/st/{agentId}.json", "st/a.json"},
		{"~/st/{agentId}/{agentId}-store.json", "st/a/a-store.json"},
		{"st/{agentId}/s.json", ".openclaw/st/a/s.json"},
		{"s.json", ".openclaw/agents/a/sessions/sessions.json"},
		{"/", ".openclaw/agents/a/sessions/sessions.json"},
	}
	for _, tt := range tests {
		agents, _, home := rostered(t, "{session:{store:'"+tt.store+"'},agents:{list:[{id:'a'}]}}", nil, dirs("st/a")...)
		want := filepath.Join(home, filepath.FromSlash(tt.want))
		if a := agents[0]; a.SessionsFile != want || a.SessionsDir != filepath.Dir(want) {
			t.Errorf("%q: %q in %q, want %q", tt.store, a.SessionsFile, a.SessionsDir, want)
		}
	}
}

func TestAgentsWithoutConfig(t *testing.T) {
	state := layOut(t, realTemp(t), dirs("agents/main/sessions", "agents/b/sessions", "workspace", "workspace-b")...)
	agents, problems := Installation{StateDir: state}.Agents(nil, nil)
	if got := summary(agents); !slices.Equal(got, []string{"main*", "b!"}) || len(problems) != 0 {
		t.Errorf("agents %q, problems %q", got, messages(problems))
	}
	if agents[0].Workspace != filepath.Join(state, "workspace") || agents[1].Workspace != filepath.Join(state, "workspace-b") {
		t.Errorf("agents %+v", agents)
	}
}

func TestAgentsWithoutPermission(t *testing.T) {
	if runtime.GOOS == "windows" || os.Geteuid() == 0 {
		t.Skip("skipped: this account may read everything")
	}
	state := layOut(t, realTemp(t), dirs("agents/main/sessions")...)
	if err := os.Chmod(filepath.Join(state, "agents"), 0); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chmod(filepath.Join(state, "agents"), 0o700) })
	_, problems := Installation{StateDir: state}.Agents(nil, nil)
	if len(problems) != 1 || problems[0].Code != memory.ProblemUnreadable {
		t.Errorf("problems %+v", problems)
	}
}

func TestNormalizeAgentID(t *testing.T) {
	tests := map[string]string{
		"": "main", "  ": "main", "main": "main", "Main": "main", " a-b_C9 ": "a-b_c9", "my bot": "my-bot", "a/../b": "a-b",
		"--x--": "x", "x-": "x-", "_x": "x", "码农": "main", "小x小": "x", "a--b": "a--b", "ünï": "n", "a!!!b": "a-b",
		strings.Repeat("a", 64): strings.Repeat("a", 64), strings.Repeat("a", 70): strings.Repeat("a", 64),
	}
	tests["_x"] = "_x" // a leading _ makes it invalid, and only - is cut off
	for in, want := range tests {
		if got := NormalizeAgentID(in); got != want {
			t.Errorf("NormalizeAgentID(%q) = %q, want %q", in, got, want)
		}
	}
}

func FuzzNormalizeAgentID(f *testing.F) {
	for _, s := range []string{"", "main", "A B", "码农", "..", "a/b", "\xff\x00"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, id string) {
		got := NormalizeAgentID(id)
		if got == "" || len(got) > agentIDMax || strings.Trim(got, "abcdefghijklmnopqrstuvwxyz0123456789-_") != "" {
			t.Errorf("NormalizeAgentID(%q) = %q", id, got)
		}
		if again := NormalizeAgentID(got); again != got && !strings.HasPrefix(got, "_") && !strings.HasSuffix(got, "-") {
			t.Errorf("%q, then %q", got, again)
		}
	})
}

func TestAgentsOfFixtures(t *testing.T) {
	fixtures := fixtureFolder(t)
	for _, name := range []string{"2026.2.24", "2026.6.11", "2026.9.6", "upgrade-2.24-to-9.6"} {
		t.Run(name, func(t *testing.T) {
			state := filepath.Join(fixtures, name)
			inst, err := Resolve(Env{}, state, "")
			if err != nil {
				t.Fatal(err)
			}
			cfg, _ := LoadConfig(Env{}, inst)
			reg := []RegisteredDatabase{
				{AgentID: "main", Path: "agents/main/agent/openclaw-agent.sqlite", SchemaVersion: 23},
				{AgentID: "helper", Path: "agents/helper/agent/openclaw-agent.sqlite", SchemaVersion: 23},
			}
			agents, problems := inst.Agents(cfg, reg)
			if len(problems) != 0 || len(agents) != 2 {
				t.Fatalf("agents %+v, problems %q", agents, messages(problems))
			}
			for _, a := range agents {
				want := Agent{ID: a.ID, Configured: true, Default: a.ID == "main",
					Dir:          filepath.Join(inst.StateDir, "agents", a.ID, "agent"),
					SessionsDir:  filepath.Join(inst.StateDir, "agents", a.ID, "sessions"),
					SessionsFile: filepath.Join(inst.StateDir, "agents", a.ID, "sessions", "sessions.json"),
					Database:     filepath.Join(inst.StateDir, "agents", a.ID, "agent", "openclaw-agent.sqlite"),
					Workspace:    filepath.Join(inst.StateDir, "workspace"),
					WorkspaceRaw: "/home/user/.openclaw/workspace",
				}
				if a.ID == "helper" {
					want.Workspace, want.WorkspaceRaw = want.Workspace+"-helper", want.WorkspaceRaw+"-helper"
				}
				if !reflect.DeepEqual(a, want) {
					t.Errorf("got\n%+v\nwant\n%+v", a, want)
				}
				if !isDirectory(a.Workspace) {
					t.Errorf("no workspace at %s", a.Workspace)
				}
			}
		})
	}
}
