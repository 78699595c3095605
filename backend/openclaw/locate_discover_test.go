package openclaw

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// foundDirs are the state directories of installations, below home.
func foundDirs(t *testing.T, home string, list []Installation) []string {
	t.Helper()
	var out []string
	for _, inst := range list {
		rel, err := filepath.Rel(home, inst.StateDir)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, filepath.ToSlash(rel))
	}
	return out
}

func TestDiscover(t *testing.T) {
	tests := []struct {
		name string
		tree []string
		vars []string
		want []string
	}{
		{name: "nothing", want: nil},
		{name: "one, though it is empty", tree: dirs(".openclaw"), want: []string{".openclaw"}},
		{name: "the resolved one first, then by name",
			tree: []string{".openclaw/openclaw.json", "{}", ".openclaw-b/openclaw.json", "{}", ".openclaw-a/agents/", "", ".clawdbot/clawdbot.json", "{}"},
			want: []string{".openclaw", ".clawdbot", ".openclaw-a", ".openclaw-b"}},
		{name: "what does not look like one is left out",
			tree: []string{".openclaw/openclaw.json", "{}", ".openclaw-old/notes.txt", "x", ".openclaw-file", "x", ".openclawed/openclaw.json", "{}"},
			want: []string{".openclaw"}},
		{name: "each of the things that make it look like one",
			tree: []string{".openclaw-1/openclaw.json", "{}", ".openclaw-2/moltbot.json", "{}", ".openclaw-3/agents/", "", ".openclaw-4/state/openclaw.sqlite", ""},
			want: []string{".openclaw-1", ".openclaw-2", ".openclaw-3", ".openclaw-4"}},
		{name: "legacy profiles",
			tree: []string{".clawdbot-dev/clawdbot.json", "{}", ".moltbot/agents/", ""},
			want: []string{".moltbot", ".clawdbot-dev"}},
		{name: "the one of the environment lies elsewhere",
			tree: []string{"srv/oc/", "", ".openclaw/openclaw.json", "{}"}, vars: []string{"OPENCLAW_STATE_DIR", "~/srv/oc"},
			want: []string{"srv/oc", ".openclaw"}},
		{name: "the one of the environment is not there",
			tree: []string{".openclaw/openclaw.json", "{}"}, vars: []string{"OPENCLAW_STATE_DIR", "~/gone"},
			want: []string{".openclaw"}},
		{name: "a nested one",
			tree: []string{".openclaw/openclaw.json", "{}", ".openclaw/.openclaw/agents/", ""},
			want: []string{".openclaw", ".openclaw/.openclaw"}},
		{name: "OPENCLAW_HOME and the account's own",
			tree: []string{".openclaw/openclaw.json", "{}", "srv/.openclaw/agents/", "", "srv/.openclaw-x/agents/", ""},
			vars: []string{"OPENCLAW_HOME", "~/srv"},
			want: []string{"srv/.openclaw", "srv/.openclaw-x", ".openclaw"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			home := layOut(t, realTemp(t), tt.tree...)
			got := foundDirs(t, home, Discover(envOf(home, tt.vars...)))
			if !slices.Equal(got, tt.want) {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestDiscoverTakesTwoNamesForOne(t *testing.T) {
	home := layOut(t, realTemp(t), "data/openclaw.json", "{}")
	linkTo(t, filepath.Join(home, "data"), filepath.Join(home, ".openclaw"))
	linkTo(t, filepath.Join(home, "data"), filepath.Join(home, ".clawdbot"))
	linkTo(t, filepath.Join(home, "gone"), filepath.Join(home, ".openclaw-dead"))
	if got := foundDirs(t, home, Discover(envOf(home))); !slices.Equal(got, []string{".openclaw"}) {
		t.Errorf("got %q", got)
	}
}

func TestDiscoverDescribesEach(t *testing.T) {
	home := layOut(t, realTemp(t), ".openclaw/openclaw.json", "{}", ".openclaw-work/openclaw.json", "{}", ".clawdbot/clawdbot.json", "{}")
	found := Discover(envOf(home))
	if len(found) != 3 {
		t.Fatalf("found %+v", found)
	}
	ids := map[string]bool{}
	for _, inst := range found {
		ids[inst.ID] = true
		if _, err := os.Stat(inst.ConfigPath); err != nil {
			t.Error(err)
		}
	}
	if len(ids) != 3 || found[1].Legacy != true || found[2].Profile != "work" || found[0].Profile != "" {
		t.Errorf("found %+v", found)
	}
}

func TestWithoutAHome(t *testing.T) {
	dir := realTemp(t)
	t.Chdir(dir)
	if got := Discover(Env{}); len(got) != 0 {
		t.Errorf("found %+v", got)
	}
	layOut(t, dir, dirs(".openclaw")...)
	got := Discover(Env{})
	if len(got) != 1 || got[0].StateDir != filepath.Join(dir, ".openclaw") {
		t.Errorf("found %+v", got)
	}
}
