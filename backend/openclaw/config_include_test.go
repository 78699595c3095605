package openclaw

import (
	"fmt"
	"io/fs"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"tidemark/backend/memory"
)

// included loads the configuration of files below a home that has openclaw.json
// among them, and gives its tree.
func included(t *testing.T, vars []string, files ...string) (any, []memory.Problem, *Config) {
	t.Helper()
	home := layOut(t, realTemp(t), files...)
	for i := range vars {
		vars[i] = strings.Replace(vars[i], "H/", home+"/", 1)
	}
	inst, err := Resolve(envOf(home, vars...), filepath.Join(home, "s"), "")
	if err != nil {
		t.Fatal(err)
	}
	cfg, problems := LoadConfig(envOf(home, vars...), inst)
	return cfg.Masked(func(_, v string) string { return v }), problems, cfg
}

func TestInclude(t *testing.T) {
	tests := []struct {
		name  string
		files []string
		vars  []string
		want  string   // JSON5 of the tree
		says  []string // parts of the problems' messages, one each
	}{
		{name: "one file takes the place of the object",
			files: []string{"s/openclaw.json", "{x:{$include:'./a.json5'},y:1}", "s/a.json5", "{p:1}"},
			want:  "{x:{p:1},y:1}"},
		{name: "at the root",
			files: []string{"s/openclaw.json", "{$include:'a.json5'}", "s/a.json5", "{p:1}"},
			want:  "{p:1}"},
		{name: "keys beside it win",
			files: []string{"s/openclaw.json", "{$include:'a.json5',b:99,d:{y:3}}", "s/a.json5", "{a:1,b:2,d:{x:1,y:2}}"},
			want:  "{a:1,b:99,d:{x:1,y:3}}"},
		{name: "lists are joined",
			files: []string{"s/openclaw.json", "{$include:'a.json5',l:[3]}", "s/a.json5", "{l:[1,2]}"},
			want:  "{l:[1,2,3]}"},
		{name: "another type wins",
			files: []string{"s/openclaw.json", "{$include:'a.json5',l:'x',m:{}}", "s/a.json5", "{l:[1,2],m:5}"},
			want:  "{l:'x',m:{}}"},
		{name: "several files, the later wins",
			files: []string{"s/openclaw.json", "{x:{$include:['a.json5','b.json5']}}", "s/a.json5", "{p:1,q:1}", "s/b.json5", "{q:2,r:2}"},
			want:  "{x:{p:1,q:2,r:2}}"},
		{name: "several lists",
			files: []string{"s/openclaw.json", "{x:{$include:['a.json5','b.json5']}}", "s/a.json5", "[1]", "s/b.json5", "[2]"},
			want:  "{x:[1,2]}"},
		{name: "no files",
			files: []string{"s/openclaw.json", "{x:{$include:[]},y:1}"},
			want:  "{x:null,y:1}"},
		{name: "in a list",
			files: []string{"s/openclaw.json", "{x:[{$include:'a.json5'},2]}", "s/a.json5", "{p:1}"},
			want:  "{x:[{p:1},2]}"},
		{name: "relative to the including file",
			files: []string{"s/openclaw.json", "{$include:'d/a.json5'}", "s/d/a.json5", "{x:{$include:'b.json5'},y:{$include:'../c.json5'}}", "s/d/b.json5", "{p:1}", "s/c.json5", "{q:2}"},
			want:  "{x:{p:1},y:{q:2}}"},
		{name: "one file in two places is no cycle",
			files: []string{"s/openclaw.json", "{x:{$include:'a.json5'},y:{$include:'a.json5'}}", "s/a.json5", "{p:1}"},
			want:  "{x:{p:1},y:{p:1}}"},

		{name: "not there",
			files: []string{"s/openclaw.json", "{x:{$include:'gone.json5'},y:1}"},
			want:  "{x:null,y:1}", says: []string{"gone.json5: it is not there"}},
		{name: "not there, with keys beside it",
			files: []string{"s/openclaw.json", "{x:{$include:'gone.json5',z:2},y:1}"},
			want:  "{x:{z:2},y:1}", says: []string{"it is not there"}},
		{name: "one of several is not there",
			files: []string{"s/openclaw.json", "{x:{$include:['gone.json5','a.json5']}}", "s/a.json5", "{p:1}"},
			want:  "{x:{p:1}}", says: []string{"it is not there"}},
		{name: "does not parse",
			files: []string{"s/openclaw.json", "{x:{$include:'a.json5'},y:1}", "s/a.json5", "{\n p:\n}"},
			want:  "{x:null,y:1}", says: []string{"a.json5: line 3, column 1"}},
		{name: "itself",
			files: []string{"s/openclaw.json", "{x:{$include:'openclaw.json'},y:1}"},
			want:  "{x:null,y:1}", says: []string{"includes itself"}},
		{name: "a circle",
			files: []string{"s/openclaw.json", "{x:{$include:'a.json5'}}", "s/a.json5", "{b:{$include:'b.json5'}}", "s/b.json5", "{a:{$include:'./d/../a.json5'},q:1}"},
			want:  "{x:{b:{a:null,q:1}}}", says: []string{"includes itself"}},
		{name: "not a text",
			files: []string{"s/openclaw.json", "{x:{$include:5,z:1}}"},
			want:  "{x:{z:1}}", says: []string{"neither a text nor a list"}},
		{name: "not a list of texts",
			files: []string{"s/openclaw.json", "{x:{$include:['a.json5',5]}}", "s/a.json5", "{p:1}"},
			want:  "{x:{p:1}}", says: []string{"no text"}},
		{name: "keys beside a file that is no object",
			files: []string{"s/openclaw.json", "{x:{$include:'a.json5',z:1}}", "s/a.json5", "[1]"},
			want:  "{x:{z:1}}", says: []string{"no object"}},
		{name: "outside",
			files: []string{"s/openclaw.json", "{x:{$include:'../a.json5'}}", "a.json5", "{p:1}"},
			want:  "{x:null}", says: []string{"outside"}},
		{name: "outside, but allowed",
			files: []string{"s/openclaw.json", "{x:{$include:'../a/a.json5'}}", "a/a.json5", "{p:1}"}, vars: []string{"OPENCLAW_INCLUDE_ROOTS", "~/a"},
			want: "{x:{p:1}}"},
		{name: "a NUL",
			files: []string{"s/openclaw.json", `{x:{$include:'a\0.json5'}}`},
			want:  "{x:null}", says: []string{"NUL"}},
		{name: "a directory",
			files: []string{"s/openclaw.json", "{x:{$include:'d'}}", "s/d/", ""},
			want:  "{x:null}", says: []string{"not a regular file"}},
		{name: "too large",
			files: []string{"s/openclaw.json", "{x:{$include:'a.json5'}}", "s/a.json5", "'" + strings.Repeat("x", includeMaxBytes) + "'"},
			want:  "{x:null}", says: []string{"larger"}},
		{name: "keys of a program",
			files: []string{"s/openclaw.json", "{x:{$include:'agents/main/agent/auth-profiles.json'},y:{$include:['.env','credentials/whatsapp/default.json']}}",
				"s/agents/main/agent/auth-profiles.json", "{key:'K'}", "s/.env", "{key:'K'}", "s/credentials/whatsapp/default.json", "{key:'K'}"},
			want: "{x:null,y:null}", says: []string{"never opened", "never opened", "never opened"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, problems, _ := included(t, tt.vars, tt.files...)
			want, err := parseJSON5([]byte(tt.want))
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(got, want) {
				t.Errorf("got  %v\nwant %v", got, want)
			}
			if len(problems) != len(tt.says) {
				t.Fatalf("problems %q, want %q", messages(problems), tt.says)
			}
			var all strings.Builder
			for _, p := range problems {
				if p.Code != memory.ProblemBadInclude || p.Path == "" || p.Hint == "" || p.Count != 1 {
					t.Errorf("problem %+v", p)
				}
				all.WriteString(p.Message + "\n")
			}
			for _, part := range tt.says {
				if !strings.Contains(all.String(), part) {
					t.Errorf("problems %q do not say %q", all.String(), part)
				}
			}
		})
	}
}

func TestIncludeNamesItsFiles(t *testing.T) {
	_, problems, cfg := included(t, nil, "s/openclaw.json", "{x:{$include:['a.json5','gone.json5']}}", "s/a.json5", "{y:{$include:'b.json5'}}", "s/b.json5", "{")
	dir := filepath.Dir(cfg.Path)
	want := []string{cfg.Path, filepath.Join(dir, "a.json5"), filepath.Join(dir, "b.json5"), filepath.Join(dir, "gone.json5")}
	if !slices.Equal(cfg.Files, want) {
		t.Errorf("files %q, want %q", cfg.Files, want)
	}
	if len(problems) != 2 || problems[0].Path != want[1] || problems[1].Path != want[0] {
		t.Errorf("problems %+v", problems)
	}
}

// A link must not be a way around what may be included.
func TestIncludeFollowsNoLinkOutside(t *testing.T) {
	home := layOut(t, realTemp(t), "s/openclaw.json", "{x:{$include:'a.json5'},y:{$include:'b.json5'},z:{$include:'c.json5'}}",
		"elsewhere.json5", "{p:1}", "s/agents/main/agent/auth.json", "{p:2}", "s/real.json5", "{p:3}")
	linkTo(t, filepath.Join(home, "elsewhere.json5"), filepath.Join(home, "s", "a.json5"))
	linkTo(t, filepath.Join(home, "s", "agents", "main", "agent", "auth.json"), filepath.Join(home, "s", "b.json5"))
	linkTo(t, filepath.Join(home, "s", "real.json5"), filepath.Join(home, "s", "c.json5"))
	inst, err := Resolve(envOf(home), filepath.Join(home, "s"), "")
	if err != nil {
		t.Fatal(err)
	}
	cfg, problems := LoadConfig(envOf(home), inst)
	want := map[string]any{"x": nil, "y": nil, "z": map[string]any{"p": 3.0}}
	if got := cfg.Masked(func(_, v string) string { return v }); !reflect.DeepEqual(got, want) {
		t.Errorf("got %v", got)
	}
	if len(problems) != 2 {
		t.Errorf("problems %q", messages(problems))
	}
}

func TestIncludeDepth(t *testing.T) {
	files := []string{"s/openclaw.json", "{n:{$include:'1.json5'}}"}
	for i := 1; i <= includeMaxDepth+2; i++ {
		files = append(files, fmt.Sprintf("s/%d.json5", i), fmt.Sprintf("{n:{$include:'%d.json5'}}", i+1))
	}
	got, problems, cfg := included(t, nil, files...)
	if len(problems) != 1 || !strings.Contains(problems[0].Message, "deep") || len(cfg.Files) != 1+includeMaxDepth {
		t.Errorf("problems %q, %d files", messages(problems), len(cfg.Files))
	}
	for range includeMaxDepth {
		got = got.(map[string]any)["n"]
	}
	if got := got.(map[string]any)["n"]; got != nil {
		t.Errorf("at the bottom %v", got)
	}
}

// Files that include each other many times over must not take for ever.
func TestIncludeIsBounded(t *testing.T) {
	in := &includer{roots: []string{absolutePath("/s")}}
	names := make([]string, 50)
	for i := range names {
		names[i] = fmt.Sprintf("'%d.json5'", i)
	}
	all := []byte("{$include:[" + strings.Join(names, ",") + "],l:[1]}")
	in.load = func(string) ([]byte, error) { return all, nil }
	tree, err := parseJSON5(all)
	if err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	in.process(tree, []string{absolutePath("/s/openclaw.json")})
	if len(in.files) > includeMaxFiles || time.Since(start) > 10*time.Second {
		t.Errorf("%d files in %v", len(in.files), time.Since(start))
	}

	big := []byte("'" + strings.Repeat("x", 1<<20) + "'")
	in = &includer{roots: []string{absolutePath("/s")}, load: func(string) ([]byte, error) { return big, nil }}
	in.process(tree, []string{absolutePath("/s/openclaw.json")})
	if in.total > includeMaxTotal+len(big) {
		t.Errorf("%d bytes in all", in.total)
	}
}

func TestIncludeComplainsNotForEver(t *testing.T) {
	items := strings.Repeat("{$include:'"+strings.Repeat("x", 5000)+"'},", 1000)
	_, problems, _ := included(t, nil, "s/openclaw.json", "{l:["+items+"]}")
	if len(problems) != settingMaxProblems {
		t.Errorf("%d problems", len(problems))
	}
	for _, p := range problems {
		if len(p.Message) > 2*includeMaxShown {
			t.Fatalf("a message of %d bytes", len(p.Message))
		}
	}
}

func TestMergeConfigChangesNeither(t *testing.T) {
	base := map[string]any{"o": map[string]any{"a": 1.0}, "l": append(make([]any, 0, 8), 1.0)}
	over := map[string]any{"o": map[string]any{"b": 2.0}, "l": []any{2.0}}
	for range 2 {
		got := mergeConfig(base, over)
		want := map[string]any{"o": map[string]any{"a": 1.0, "b": 2.0}, "l": []any{1.0, 2.0}}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("got %v", got)
		}
	}
	if !reflect.DeepEqual(base, map[string]any{"o": map[string]any{"a": 1.0}, "l": []any{1.0}}) {
		t.Errorf("base became %v", base)
	}
}

// FuzzLoadConfig feeds what may stand in openclaw.json and in a file that it
// includes to everything that reads a configuration.
func FuzzLoadConfig(f *testing.F) {
	for _, s := range []string{
		"{}", "[]", "{$include:'a.json5'}", "{agents:{$include:['a.json5','a.json5']}}", "{agents:{list:[{id:'a'},{id:'b',default:true}]}}",
		"{agents:{entries:{a:{workspace:'C:\\\\x\\\\.openclaw\\\\workspace'},b:null}}}", "{models:{providers:{p:{models:[{id:'m',cost:{input:1,tieredPricing:[{range:[0]}]}}]}}}}",
		"{agents:{defaults:{models:{'a/b':{params:{num_ctx:5}}},compaction:5,memorySearch:[]}},memory:{search:{extraPaths:[{path:'x'},5]}}}",
		"{session:{store:'~/{agentId}/sessions.json'},env:{A:'b',vars:{C:'${A}'}}}",
	} {
		f.Add(s, "{agents:{list:[{id:'x'}]}}")
	}
	state := layOut(f, realTemp(f), "agents/main/sessions/", "", "agents/x/agent/", "")
	f.Fuzz(func(t *testing.T, root, other string) {
		tree, err := parseJSON5([]byte(root))
		if err != nil {
			return
		}
		path := filepath.Join(state, "openclaw.json")
		in := &includer{roots: []string{state}, load: func(p string) ([]byte, error) {
			if filepath.Base(p) == "a.json5" {
				return []byte(other), nil
			}
			return nil, fs.ErrNotExist
		}}
		cfg := &Config{Path: path, env: envOf(state)}
		cfg.tree = in.process(tree, []string{path})
		problems := append(in.problems, cfg.decode()...)
		cfg.Masked(func(_, v string) string { return v })
		agents, more := Installation{StateDir: state}.Agents(cfg, nil)
		ids := map[string]bool{}
		for _, a := range agents {
			if ids[a.ID] || a.ID == "" || !filepath.IsAbs(a.Dir) || !filepath.IsAbs(a.SessionsDir) || !filepath.IsAbs(a.Database) {
				t.Fatalf("agents %+v", agents)
			}
			ids[a.ID] = true
			cfg.MemorySearch(a.ID)
		}
		for _, p := range append(problems, more...) {
			if p.Code == "" || p.Message == "" || p.Count < 1 {
				t.Fatalf("problem %+v", p)
			}
		}
	})
}
