package openclaw

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"tidemark/backend/memory"
)

func TestResolve(t *testing.T) {
	tests := []struct {
		name       string
		tree       []string // directories below the home, and files
		vars       []string // name, value; H in a value is the home
		stateDir   string
		profile    string
		want       string // state directory below the home
		wantConf   string // below the home; "": openclaw.json in the state directory
		wantName   string // profile
		wantLegacy bool
		wantCode   memory.Code
	}{
		{name: "the usual place", tree: []string{".openclaw/"}, want: ".openclaw"},
		{name: "new before legacy", tree: []string{".openclaw/", ".clawdbot/"}, want: ".openclaw"},
		{name: "first legacy", tree: []string{".clawdbot/", ".moltbot/"}, want: ".clawdbot", wantLegacy: true},
		{name: "second legacy", tree: []string{".moldbot/", ".moltbot/"}, want: ".moldbot", wantLegacy: true},
		{name: "last legacy", tree: []string{".moltbot/"}, want: ".moltbot", wantLegacy: true},
		{name: "a file is no directory", tree: []string{".openclaw", ".clawdbot/"}, want: ".clawdbot", wantLegacy: true},
		{name: "nothing", want: ".openclaw", wantCode: memory.CodeStateMissing},
		{name: "OPENCLAW_STATE_DIR", tree: []string{".openclaw/", "oc/"}, vars: []string{"OPENCLAW_STATE_DIR", "H/oc"}, want: "oc"},
		{name: "its tilde", tree: []string{"oc/"}, vars: []string{"OPENCLAW_STATE_DIR", "~/oc"}, want: "oc"},
		{name: "CLAWDBOT_STATE_DIR", tree: []string{".openclaw/", "cb/"}, vars: []string{"CLAWDBOT_STATE_DIR", "H/cb"}, want: "cb"},
		{name: "both", tree: []string{"oc/", "cb/"}, vars: []string{"CLAWDBOT_STATE_DIR", "H/cb", "OPENCLAW_STATE_DIR", "H/oc"}, want: "oc"},
		{name: "the variable names nothing", tree: []string{".openclaw/"}, vars: []string{"OPENCLAW_STATE_DIR", "H/gone"}, want: "gone", wantCode: memory.CodeStateMissing},
		{name: "OPENCLAW_HOME", tree: []string{".openclaw/", "srv/.openclaw/"}, vars: []string{"OPENCLAW_HOME", "H/srv"}, want: "srv/.openclaw"},
		{name: "OPENCLAW_HOME and a tilde", tree: []string{"srv/oc/"}, vars: []string{"OPENCLAW_HOME", "H/srv", "OPENCLAW_STATE_DIR", "~/oc"}, want: "srv/oc"},

		{name: "a profile", tree: []string{".openclaw/", ".openclaw-work/"}, profile: "work", want: ".openclaw-work", wantName: "work"},
		{name: "the dev profile", tree: []string{".openclaw-dev/"}, profile: "dev", want: ".openclaw-dev", wantName: "dev"},
		{name: "the default profile", tree: []string{".openclaw/", ".openclaw-work/"}, profile: "Default", want: ".openclaw"},
		{name: "a profile that is not there", tree: []string{".openclaw/"}, profile: "work", want: ".openclaw-work", wantName: "work", wantCode: memory.CodeStateMissing},
		{name: "a bad name", tree: []string{".openclaw/"}, profile: "../x", wantCode: memory.CodeInvalid},
		{name: "OPENCLAW_PROFILE", tree: []string{".openclaw/", ".openclaw-work/"}, vars: []string{"OPENCLAW_PROFILE", "work"}, want: ".openclaw-work", wantName: "work"},
		{name: "OPENCLAW_PROFILE of workspaces alone", tree: []string{".openclaw/"}, vars: []string{"OPENCLAW_PROFILE", "work"}, want: ".openclaw", wantName: "work"},
		{name: "OPENCLAW_PROFILE with a bad name", tree: []string{".openclaw/"}, vars: []string{"OPENCLAW_PROFILE", "a/b"}, want: ".openclaw"},
		{name: "the variable before the profile", tree: []string{"oc/", ".openclaw-work/"}, vars: []string{"OPENCLAW_STATE_DIR", "H/oc"}, profile: "work", want: "oc", wantName: "work"},
		{name: "another profile in a profile's shell", tree: []string{".openclaw-a/", ".openclaw-b/"},
			vars:    []string{"OPENCLAW_PROFILE", "a", "OPENCLAW_STATE_DIR", "H/.openclaw-a", "OPENCLAW_CONFIG_PATH", "H/.openclaw-a/openclaw.json"},
			profile: "b", want: ".openclaw-b", wantName: "b"},

		{name: "a directory named", tree: []string{".openclaw/", "copy/"}, stateDir: "H/copy", want: "copy"},
		{name: "its tilde", tree: []string{"copy/"}, stateDir: "~/copy", want: "copy"},
		{name: "before the variable", tree: []string{"oc/", "copy/"}, vars: []string{"OPENCLAW_STATE_DIR", "H/oc"}, stateDir: "H/copy", want: "copy"},
		{name: "a profile's directory named", tree: []string{".openclaw-x/"}, stateDir: "H/.openclaw-x", want: ".openclaw-x", wantName: "x"},
		{name: "a file named", tree: []string{"file"}, stateDir: "H/file", want: "file", wantCode: memory.CodeStateMissing},

		{name: "legacy configuration", tree: []string{".openclaw/clawdbot.json"}, want: ".openclaw", wantConf: ".openclaw/clawdbot.json"},
		{name: "older legacy configuration", tree: []string{".clawdbot/moltbot.json"}, want: ".clawdbot", wantConf: ".clawdbot/moltbot.json", wantLegacy: true},
		{name: "new configuration before legacy", tree: []string{".openclaw/clawdbot.json", ".openclaw/openclaw.json"}, want: ".openclaw"},
		{name: "OPENCLAW_CONFIG_PATH", tree: []string{".openclaw/"}, vars: []string{"OPENCLAW_CONFIG_PATH", "~/my.json"}, want: ".openclaw", wantConf: "my.json"},
		{name: "CLAWDBOT_CONFIG_PATH", tree: []string{".openclaw/"}, vars: []string{"CLAWDBOT_CONFIG_PATH", "~/my.json"}, want: ".openclaw", wantConf: "my.json"},
		{name: "OPENCLAW_CONFIG_PATH and a profile", tree: []string{".openclaw-p/"}, vars: []string{"OPENCLAW_CONFIG_PATH", "~/my.json"}, profile: "p", want: ".openclaw-p", wantName: "p", wantConf: "my.json"},
		{name: "the variable speaks of the live one", tree: []string{".openclaw/", "copy/"}, vars: []string{"OPENCLAW_CONFIG_PATH", "~/my.json"}, stateDir: "H/copy", want: "copy"},
		{name: "and of it also when it is named", tree: []string{".openclaw/"}, vars: []string{"OPENCLAW_CONFIG_PATH", "~/my.json"}, stateDir: "~/.openclaw", want: ".openclaw", wantConf: "my.json"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			home := realTemp(t)
			for _, name := range tt.tree {
				layOut(t, home, name, "{}")
			}
			vars := make([]string, len(tt.vars))
			for i, v := range tt.vars {
				vars[i] = strings.Replace(v, "H/", home+"/", 1)
			}
			inst, err := Resolve(envOf(home, vars...), strings.Replace(tt.stateDir, "H/", home+"/", 1), tt.profile)
			if tt.wantCode != "" {
				if err == nil || memory.CodeOf(err) != tt.wantCode {
					t.Fatalf("error %v, want code %s", err, tt.wantCode)
				}
			} else if err != nil {
				t.Fatal(err)
			}
			if tt.want == "" {
				return
			}
			dir := filepath.Join(home, filepath.FromSlash(tt.want))
			conf := filepath.Join(dir, "openclaw.json")
			if tt.wantConf != "" {
				conf = filepath.Join(home, filepath.FromSlash(tt.wantConf))
			}
			want := Installation{ID: inst.ID, StateDir: dir, Profile: tt.wantName, ConfigPath: conf, Legacy: tt.wantLegacy}
			if inst != want {
				t.Errorf("got  %+v\nwant %+v", inst, want)
			}
		})
	}
}

func TestResolveSaysWhatItLookedFor(t *testing.T) {
	home := realTemp(t)
	_, err := Resolve(envOf(home), "", "")
	if memory.CodeOf(err) != memory.CodeStateMissing || !errors.Is(err, fs.ErrNotExist) {
		t.Fatalf("error %v", err)
	}
	hint := memory.HintOf(err)
	for _, name := range []string{".openclaw", ".clawdbot", ".moldbot", ".moltbot"} {
		if !strings.Contains(hint, filepath.Join(home, name)) {
			t.Errorf("the hint does not name %s: %s", name, hint)
		}
	}
	if !strings.Contains(hint, "OPENCLAW_STATE_DIR") {
		t.Errorf("the hint does not say what to do: %s", hint)
	}
	_, err = Resolve(envOf(home), filepath.Join(home, "nowhere"), "")
	if hint := memory.HintOf(err); !strings.Contains(hint, "nowhere") || strings.Contains(hint, ".clawdbot") {
		t.Errorf("the hint for a directory that was named: %s", hint)
	}
}

func TestResolveWithoutPermission(t *testing.T) {
	if runtime.GOOS == "windows" || os.Geteuid() == 0 {
		t.Skip("skipped: this account may read everything")
	}
	home := realTemp(t)
	layOut(t, home, dirs("locked/state")...)
	locked := filepath.Join(home, "locked")
	if err := os.Chmod(locked, 0); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chmod(locked, 0o700) })
	_, err := Resolve(envOf(home), filepath.Join(locked, "state"), "")
	if memory.CodeOf(err) != memory.CodeUnavailable || memory.HintOf(err) == "" {
		t.Errorf("error %v", err)
	}
}

var safeID = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)+$`)

func TestInstallationID(t *testing.T) {
	home := realTemp(t)
	env := envOf(home)
	layOut(t, home, dirs("a/.openclaw", "b/.openclaw", ".openclaw-Werk_1", "状态", "C:ü..x")...)
	seen := map[string]string{}
	for _, dir := range []string{"a/.openclaw", "b/.openclaw", ".openclaw-Werk_1", "状态", "C:ü..x", strings.Repeat("long", 40)} {
		inst, _ := Resolve(env, filepath.Join(home, dir), "")
		if !safeID.MatchString(inst.ID) || len(inst.ID) > 60 {
			t.Errorf("%q has the id %q", dir, inst.ID)
		}
		if other, ok := seen[inst.ID]; ok {
			t.Errorf("%q and %q share the id %q", dir, other, inst.ID)
		}
		seen[inst.ID] = dir
	}
}

func TestInstallationIDIsStable(t *testing.T) {
	home := realTemp(t)
	env := envOf(home)
	before, err := Resolve(env, "", "")
	if err == nil {
		t.Fatal("found a directory in an empty home")
	}
	layOut(t, home, dirs(".openclaw")...)
	after, err := Resolve(env, "", "")
	if err != nil || before.ID != after.ID {
		t.Errorf("before %q, after %q, %v", before.ID, after.ID, err)
	}
	for _, path := range []string{".openclaw/", ".openclaw/./", "x/../.openclaw"} {
		again, err := Resolve(env, home+"/"+path, "")
		if err != nil || again.ID != after.ID {
			t.Errorf("%s: id %q, want %q, %v", path, again.ID, after.ID, err)
		}
	}
	linkTo(t, filepath.Join(home, ".openclaw"), filepath.Join(home, "link"))
	linked, err := Resolve(env, filepath.Join(home, "link"), "")
	if err != nil || linked.ID[strings.LastIndex(linked.ID, "-"):] != after.ID[strings.LastIndex(after.ID, "-"):] {
		t.Errorf("through a link %q, want the hash of %q, %v", linked.ID, after.ID, err)
	}
}

func TestInstallationIDIgnoresCaseOnWindows(t *testing.T) {
	home := realTemp(t)
	env := envOf(home)
	env.OS = "windows"
	a, _ := Resolve(env, filepath.Join(home, "State"), "")
	b, _ := Resolve(env, filepath.Join(home, "state"), "")
	if a.ID != b.ID {
		t.Errorf("%q and %q", a.ID, b.ID)
	}
}

func FuzzFileSlug(f *testing.F) {
	for _, s := range []string{"", ".openclaw", "---", "A b", "状态", "\xff", strings.Repeat("x-", 99)} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, name string) {
		slug := fileSlug(name)
		if !regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`).MatchString(slug) || len(slug) > idSlugMax {
			t.Errorf("fileSlug(%q) = %q", name, slug)
		}
	})
}
