package openclaw

import (
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"tidemark/backend/memory"
)

func TestWorkspace(t *testing.T) {
	two := "{agents:{list:[{id:'main'},{id:'b'}]}}"
	twoShared := "{agents:{defaults:{workspace:'~/ws'},list:[{id:'main'},{id:'b'}]}}"
	keyed := "{agents:{entries:{main:{default:true},b:{}}}}"
	keyedShared := "{agents:{defaults:{workspace:'~/ws'},entries:{main:{default:true},b:{}}}}"
	tests := []struct {
		name     string
		config   string
		files    []string
		main, b  string // workspaces below the home
		raw      string // WorkspaceRaw of main
		bDefault bool   // the agents come in another order
	}{
		{name: "nothing configured", config: two, main: ".openclaw/workspace", b: ".openclaw/workspace-b"},
		{name: "the default's own, none there", config: twoShared, main: "ws", b: ".openclaw/workspace-b", raw: "~/ws"},
		{name: "old rule, as its folder is there", config: twoShared, files: dirs("ws", ".openclaw/workspace-b"), main: "ws", b: ".openclaw/workspace-b", raw: "~/ws"},
		{name: "new rule, as its folder is there", config: twoShared, files: dirs("ws/b"), main: "ws", b: "ws/b", raw: "~/ws"},
		{name: "both there, old", config: twoShared, files: dirs("ws/b", ".openclaw/workspace-b"), main: "ws", b: ".openclaw/workspace-b", raw: "~/ws"},
		{name: "both there, new", config: keyedShared, files: dirs("ws/b", ".openclaw/workspace-b"), main: "ws", b: "ws/b", raw: "~/ws"},
		{name: "newest era, none there", config: keyedShared, main: "ws", b: "ws/b", raw: "~/ws"},
		{name: "newest era, the old folder is there", config: keyedShared, files: dirs(".openclaw/workspace-b"), main: "ws", b: ".openclaw/workspace-b", raw: "~/ws"},
		{name: "newest era, nothing configured", config: keyed, main: ".openclaw/workspace", b: ".openclaw/workspace-b"},
		{name: "newest era, no owner", config: "{agents:{defaults:{workspace:'~/ws'},entries:{main:{},b:{}}}}", main: "ws/main", b: "ws/b"},
		{name: "newest era, no owner, upgraded folders", config: "{agents:{defaults:{workspace:'~/ws'},entries:{main:{},b:{}}}}",
			files: dirs(".openclaw/workspace-main"), main: ".openclaw/workspace-main", b: "ws/b"},
		{name: "their own", config: "{agents:{list:[{id:'main',workspace:'~/m'},{id:'b',workspace:'~/x/../y'}]}}", main: "m", b: "y", raw: "~/m"},
		{name: "the sole one", config: "{agents:{defaults:{workspace:'~/ws'},entries:{main:{}}}}", main: "ws", raw: "~/ws"},
		{name: "a relative one", config: "{agents:{list:[{id:'main',workspace:'ws/m'},{id:'b'}]}}", main: ".openclaw/ws/m", b: ".openclaw/workspace-b", raw: "ws/m"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			agents, problems, home := rostered(t, tt.config, nil, tt.files...)
			for _, a := range agents {
				want := filepath.Join(home, filepath.FromSlash(tt.main))
				if a.ID == "b" {
					want = filepath.Join(home, filepath.FromSlash(tt.b))
				}
				if a.Workspace != want {
					t.Errorf("%s works in %q, want %q", a.ID, a.Workspace, want)
				}
				if a.ID == "main" && a.WorkspaceRaw != tt.raw {
					t.Errorf("as written %q", a.WorkspaceRaw)
				}
			}
			if len(problems) != 0 {
				t.Errorf("problems %q", messages(problems))
			}
		})
	}
}

func TestDefaultWorkspace(t *testing.T) {
	tests := []struct {
		name    string
		vars    []string
		profile string
		files   []string
		state   string
		want    string
	}{
		{name: "usual", files: dirs(".openclaw"), want: ".openclaw/workspace"},
		{name: "a profile, new", profile: "p", files: dirs(".openclaw-p/workspace", ".openclaw/workspace"), want: ".openclaw-p/workspace"},
		{name: "a profile, old", profile: "p", files: dirs(".openclaw-p", ".openclaw/workspace-p", ".openclaw/workspace"), want: ".openclaw/workspace-p"},
		{name: "a profile, none there", profile: "p", files: dirs(".openclaw-p"), want: ".openclaw-p/workspace"},
		{name: "a profile of workspaces alone", vars: []string{"OPENCLAW_PROFILE", "p"}, files: dirs(".openclaw/workspace", ".openclaw/workspace-p"), want: ".openclaw/workspace-p"},
		{name: "another state directory, new", vars: []string{"OPENCLAW_STATE_DIR", "~/oc"}, files: dirs("oc/workspace", ".openclaw/workspace"), want: "oc/workspace"},
		{name: "another state directory, old", vars: []string{"OPENCLAW_STATE_DIR", "~/oc"}, files: dirs("oc", ".openclaw/workspace"), want: ".openclaw/workspace"},
		{name: "a copy does not take the live one's", state: "~/copy", files: dirs("copy", ".openclaw/workspace"), want: "copy/workspace"},
		{name: "OPENCLAW_WORKSPACE_DIR", vars: []string{"OPENCLAW_WORKSPACE_DIR", "~/w"}, files: dirs(".openclaw/workspace", "w"), want: "w"},
		{name: "OPENCLAW_WORKSPACE_DIR that is not there", vars: []string{"OPENCLAW_WORKSPACE_DIR", "~/w"}, files: dirs(".openclaw/workspace"), want: ".openclaw/workspace"},
		{name: "OPENCLAW_WORKSPACE_DIR of the live one", vars: []string{"OPENCLAW_WORKSPACE_DIR", "~/w"}, state: "~/copy", files: dirs(".openclaw", "copy/workspace", "w"), want: "copy/workspace"},
		{name: "legacy", files: dirs(".clawdbot", "clawd"), want: "clawd"},
		{name: "legacy, moved", files: dirs(".clawdbot/workspace", "clawd"), want: ".clawdbot/workspace"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			home := layOut(t, realTemp(t), tt.files...)
			env := envOf(home, tt.vars...)
			inst, err := Resolve(env, tt.state, tt.profile)
			if err != nil {
				t.Fatal(err)
			}
			cfg, _ := LoadConfig(env, inst)
			agents, _ := inst.Agents(cfg, nil)
			if want := filepath.Join(home, filepath.FromSlash(tt.want)); agents[0].Workspace != want {
				t.Errorf("got %q, want %q", agents[0].Workspace, want)
			}
		})
	}
}

// A state directory that was copied here names paths of the machine that it
// comes from (case J 116).
func TestForeignWorkspaces(t *testing.T) {
	tests := []struct {
		name, raw string
		files     []string // below the state directory
		want      string   // below the state directory; "": nothing here
		foreign   bool     // reported
	}{
		{name: "Linux, there", raw: "/home/user/.openclaw/workspace", files: dirs("workspace"), want: "workspace"},
		{name: "Linux, a profile's", raw: "/root/.openclaw-work/workspace-x", files: dirs("workspace-x"), want: "workspace-x"},
		{name: "macOS", raw: "/Users/ana/.clawdbot/workspace", files: dirs("workspace"), want: "workspace"},
		{name: "Windows", raw: `C:\Users\Administrator\.qclaw\workspace-agent-4ad46fb4`, files: dirs("workspace-agent-4ad46fb4"), want: "workspace-agent-4ad46fb4"},
		{name: "Windows with slashes", raw: `c:/Users/x/.openclaw/workspace`, files: dirs("workspace"), want: "workspace"},
		{name: "a network share", raw: `\\server\home\.openclaw\workspace`, files: dirs("workspace"), want: "workspace"},
		{name: "Windows, elsewhere", raw: `D:\bots\workspace-x`, files: dirs("workspace-x"), want: "workspace-x"},
		{name: "deeper", raw: "/home/user/.openclaw/ws/deep/one", files: dirs("ws/deep/one"), want: "ws/deep/one"},
		{name: "the tail of the innermost", raw: "/home/user/.openclaw/.openclaw/workspace", files: dirs("workspace"), want: "workspace"},
		{name: "with dots in it", raw: "/home/user/.openclaw/x/../workspace", files: dirs("workspace"), want: "workspace"},
		{name: "never out of the state directory", raw: `C:\x\.openclaw\..\..\etc`, want: "", foreign: true},
		{name: "Linux, not there", raw: "/home/user/.openclaw/workspace", foreign: true},
		{name: "Windows, not there", raw: `C:\Users\x\workspace`, foreign: true},
		{name: "another name", raw: "/home/user/brain", files: dirs("brain"), foreign: true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if runtime.GOOS == "windows" {
				t.Skip("skipped: some of these paths are of this machine")
			}
			home := realTemp(t)
			state := layOut(t, filepath.Join(home, "copy"), dirs("agents")...)
			layOut(t, state, tt.files...)
			config := `{"agents":{"list":[{"id":"main","workspace":` + strings.ReplaceAll("'"+tt.raw+"'", `\`, `\\`) + `}]}}`
			layOut(t, state, "openclaw.json", config)
			inst, err := Resolve(envOf(home), state, "")
			if err != nil {
				t.Fatal(err)
			}
			cfg, bad := LoadConfig(envOf(home), inst)
			if len(bad) != 0 {
				t.Fatalf("problems %q", messages(bad))
			}
			agents, problems := inst.Agents(cfg, nil)
			a := agents[0]
			if a.WorkspaceRaw != tt.raw {
				t.Errorf("as written %q, want %q", a.WorkspaceRaw, tt.raw)
			}
			switch {
			case tt.want != "":
				if want := filepath.Join(state, filepath.FromSlash(tt.want)); a.Workspace != want {
					t.Errorf("found %q, want %q", a.Workspace, want)
				}
			case isElsewhere(tt.raw):
				if a.Workspace != "" {
					t.Errorf("found %q", a.Workspace)
				}
			case a.Workspace != filepath.Clean(tt.raw):
				t.Errorf("found %q", a.Workspace)
			}
			if tt.foreign != (len(problems) == 1 && problems[0].Code == memory.ProblemForeignPath && problems[0].Path == tt.raw) {
				t.Errorf("problems %+v", problems)
			}
		})
	}
}

func TestOwnWorkspacesAreNotForeign(t *testing.T) {
	for _, raw := range []string{"~/not/yet", "~/.openclaw/workspace-new", "relative/one"} {
		_, problems, _ := rostered(t, "{agents:{list:[{id:'main',workspace:'"+raw+"'}]}}", nil)
		if len(problems) != 0 {
			t.Errorf("%s: problems %q", raw, messages(problems))
		}
	}
}

// What is on this machine is taken as written, whatever lies in the state
// directory.
func TestWorkspaceThatIsHereIsNotMapped(t *testing.T) {
	home := layOut(t, realTemp(t), dirs(".openclaw/workspace", "copy/workspace")...)
	layOut(t, home, "copy/openclaw.json", "{agents:{list:[{id:'main',workspace:'~/.openclaw/workspace'}]}}")
	inst, err := Resolve(envOf(home), "~/copy", "")
	if err != nil {
		t.Fatal(err)
	}
	cfg, _ := LoadConfig(envOf(home), inst)
	agents, _ := inst.Agents(cfg, nil)
	if want := filepath.Join(home, ".openclaw", "workspace"); agents[0].Workspace != want {
		t.Errorf("found %q, want %q", agents[0].Workspace, want)
	}
}

// Case L 127: two agents, one workspace.
func TestSharedWorkspaces(t *testing.T) {
	_, _, home := rostered(t, `{agents:{list:[
		{id:'a',workspace:'~/ws'},{id:'b',workspace:'~/other'},{id:'c',workspace:'~/./ws/'},{id:'d',workspace:'~/link'},{id:'e',workspace:'~/none'},{id:'f',workspace:'~/none'}]}}`,
		nil, dirs("ws", "other")...)
	linkTo(t, filepath.Join(home, "ws"), filepath.Join(home, "link"))
	inst, err := Resolve(envOf(home), "", "")
	if err != nil {
		t.Fatal(err)
	}
	cfg, _ := LoadConfig(envOf(home), inst)
	agents, problems := inst.Agents(cfg, nil)
	want := map[string][]string{"a": {"c", "d"}, "b": nil, "c": {"a", "d"}, "d": {"a", "c"}, "e": {"f"}, "f": {"e"}}
	for _, a := range agents {
		if !slices.Equal(a.SharedWith, want[a.ID]) {
			t.Errorf("%s shares with %q, want %q", a.ID, a.SharedWith, want[a.ID])
		}
	}
	if len(problems) != 2 || problems[0].Code != memory.ProblemSharedWorkspace || problems[0].Path != filepath.Join(home, "ws") ||
		!strings.Contains(problems[0].Message, "a and c and d") || !strings.Contains(problems[1].Message, "e and f") {
		t.Errorf("problems %+v", problems)
	}
}

func TestSharedForeignWorkspace(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("skipped: this path is of this machine")
	}
	agents, problems, _ := rostered(t, `{agents:{list:[{id:'a',workspace:'C:\\ws\\x'},{id:'b',workspace:'C:\\ws\\x'}]}}`, nil)
	if !slices.Equal(agents[0].SharedWith, []string{"b"}) || len(problems) != 3 {
		t.Errorf("agents %+v, problems %q", agents, messages(problems))
	}
}

// Folders that nobody configured are not said to share what is not there.
func TestUnconfiguredAgentsShareOnlyWhatIsThere(t *testing.T) {
	agents, problems, _ := rostered(t, "{agents:{entries:{a:{workspace:'~/.openclaw/workspace-b'}}}}", nil, dirs(".openclaw/agents/b/sessions")...)
	if len(agents) != 2 || len(agents[0].SharedWith) != 0 || len(problems) != 1 {
		t.Errorf("agents %+v, problems %q", agents, messages(problems))
	}
	agents, problems, _ = rostered(t, "{agents:{entries:{a:{workspace:'~/.openclaw/workspace-b'}}}}", nil, dirs(".openclaw/agents/b/sessions", ".openclaw/workspace-b")...)
	if !slices.Equal(agents[1].SharedWith, []string{"a"}) || len(problems) != 2 {
		t.Errorf("agents %+v, problems %q", agents, messages(problems))
	}
}

func TestPathForms(t *testing.T) {
	tests := []struct {
		path      string
		rooted    bool
		elsewhere bool // on a system whose paths begin with /
		parts     []string
	}{
		{"", false, false, nil},
		{"a/b", false, false, []string{"a", "b"}},
		{`a\b`, false, false, []string{"a", "b"}},
		{"/a//b/./c/", true, false, []string{"a", "b", "c"}},
		{`C:\a\b`, true, true, []string{"C:", "a", "b"}},
		{"c:/a", true, true, []string{"c:", "a"}},
		{"c:a", false, false, []string{"c:a"}},
		{`\\srv\x`, true, true, []string{"srv", "x"}},
		{"~", true, false, []string{"~"}},
		{"~/x", true, false, []string{"~", "x"}},
		{`~\x`, true, false, []string{"~", "x"}},
		{"~x", false, false, []string{"~x"}},
		{"1:/a", false, false, []string{"1:", "a"}},
	}
	for _, tt := range tests {
		if got := isRooted(tt.path); got != tt.rooted {
			t.Errorf("isRooted(%q) = %v", tt.path, got)
		}
		if got := isElsewhere(tt.path); runtime.GOOS != "windows" && got != tt.elsewhere {
			t.Errorf("isElsewhere(%q) = %v", tt.path, got)
		}
		if got := pathElements(tt.path); !reflect.DeepEqual(got, tt.parts) && len(got)+len(tt.parts) > 0 {
			t.Errorf("pathElements(%q) = %q", tt.path, got)
		}
		last := ""
		if len(tt.parts) > 0 {
			last = tt.parts[len(tt.parts)-1]
		}
		if got := lastElement(tt.path); got != last {
			t.Errorf("lastElement(%q) = %q", tt.path, got)
		}
	}
}
