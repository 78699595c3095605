package openclaw

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
)

// envOf is an Env of a machine with one home and the variables given as
// name, value pairs.
func envOf(home string, pairs ...string) Env {
	vars := map[string]string{}
	for i := 0; i+1 < len(pairs); i += 2 {
		vars[pairs[i]] = pairs[i+1]
	}
	return Env{Getenv: func(name string) string { return vars[name] }, Home: home, OS: runtime.GOOS}
}

// layOut makes files below root: name, content pairs. A name that ends in a
// slash is a directory. It gives root back.
func layOut(t testing.TB, root string, pairs ...string) string {
	t.Helper()
	for i := 0; i+1 < len(pairs); i += 2 {
		path := filepath.Join(root, filepath.FromSlash(pairs[i]))
		if pairs[i][len(pairs[i])-1] == '/' {
			if err := os.MkdirAll(path, 0o700); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(pairs[i+1]), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// dirs are name, content pairs for layOut that make directories.
func dirs(names ...string) []string {
	var pairs []string
	for _, n := range names {
		pairs = append(pairs, n+"/", "")
	}
	return pairs
}

// realTemp is a temporary directory with its own links resolved, so that paths
// can be compared as they are.
func realTemp(t testing.TB) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// linkTo makes a symbolic link, or skips where the platform has none for us.
func linkTo(t *testing.T, target, link string) {
	t.Helper()
	if err := os.Symlink(target, link); err != nil {
		t.Skip("skipped: no symbolic links here:", err)
	}
}

// fixtureFolder is the folder of real state directories.
func fixtureFolder(t testing.TB) string {
	t.Helper()
	shared := os.Getenv("TIDEMARK_SHARED")
	if shared == "" {
		shared = filepath.Join("..", "..", "..", "shared")
	}
	dir := filepath.Join(shared, "fixtures")
	if !isDirectory(dir) {
		t.Skip("skipped: no fixtures (set TIDEMARK_SHARED to the folder that holds them)")
	}
	return dir
}

func TestEnvHome(t *testing.T) {
	abs := func(p string) string { return absolutePath(filepath.FromSlash(p)) }
	tests := []struct {
		name  string
		env   Env
		want  string
		other string // accountHome, where it differs
	}{
		{"the account's", envOf(abs("/home/a")), abs("/home/a"), ""},
		{"HOME goes before it", envOf(abs("/home/a"), "HOME", abs("/home/b")), abs("/home/b"), ""},
		{"USERPROFILE goes before it", envOf(abs("/home/a"), "USERPROFILE", abs("/home/c")), abs("/home/c"), ""},
		{"HOME before USERPROFILE", envOf("", "HOME", abs("/b"), "USERPROFILE", abs("/c")), abs("/b"), ""},
		{"OPENCLAW_HOME before all", envOf(abs("/a"), "HOME", abs("/b"), "OPENCLAW_HOME", abs("/srv/oc")), abs("/srv/oc"), abs("/b")},
		{"a tilde in it", envOf(abs("/a"), "OPENCLAW_HOME", "~/claws"), abs("/a/claws"), abs("/a")},
		{"a tilde alone", envOf(abs("/a"), "OPENCLAW_HOME", "~"), abs("/a"), ""},
		{"space around", envOf(abs("/a"), "OPENCLAW_HOME", "  "+abs("/x")+" "), abs("/x"), abs("/a")},
		{"undefined is not set", envOf(abs("/a"), "OPENCLAW_HOME", "undefined"), abs("/a"), ""},
		{"null is not set", envOf(abs("/a"), "HOME", " null "), abs("/a"), ""},
		{"blank is not set", envOf(abs("/a"), "OPENCLAW_HOME", "  "), abs("/a"), ""},
		{"nothing known", Env{}, "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := tt.env.home(); got != tt.want {
				t.Errorf("home = %q, want %q", got, tt.want)
			}
			want := tt.want
			if tt.other != "" {
				want = tt.other
			}
			if got := tt.env.accountHome(); got != want {
				t.Errorf("accountHome = %q, want %q", got, want)
			}
		})
	}
}

func TestEnvExpand(t *testing.T) {
	home := absolutePath("/home/ana")
	env := envOf(home)
	tests := []struct{ in, want string }{
		{"", ""},
		{"   ", ""},
		{"~", home},
		{"~/x/../y", filepath.Join(home, "y")},
		{`~\x\y`, filepath.Join(home, "x", "y")},
		{"~other/x", absolutePath("~other/x")},
		{home + "/a//b/", filepath.Join(home, "a", "b")},
		{home + "/a\x00b", filepath.Join(home, "ab")},
		{"  " + home + "  ", home},
	}
	for _, tt := range tests {
		if got := env.expand(tt.in); got != tt.want {
			t.Errorf("expand(%q) = %q, want %q", tt.in, got, tt.want)
		}
	}
	if got := (Env{}).expand("~/x"); got != absolutePath("~/x") {
		t.Errorf("without a home ~ stays: %q", got)
	}
}

func TestEnvPaths(t *testing.T) {
	a, b := absolutePath("/srv/a"), absolutePath("/srv/b")
	for _, system := range []string{"linux", "darwin", "windows"} {
		sep := ":"
		if system == "windows" {
			sep = ";"
		}
		if system != "windows" && runtime.GOOS == "windows" {
			continue // a drive letter holds the separator
		}
		env := envOf("/h", "LIST", a+sep+" "+sep+sep+b+"/")
		env.OS = system
		if got := env.paths("LIST"); !slices.Equal(got, []string{a, b}) {
			t.Errorf("%s: paths = %q", system, got)
		}
	}
	if got := envOf("/h").paths("LIST"); len(got) != 0 {
		t.Errorf("paths of nothing = %q", got)
	}
}

func TestSystemEnv(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("USERPROFILE", home)
	t.Setenv("OPENCLAW_HOME", "")
	env := SystemEnv()
	if env.OS != runtime.GOOS || env.home() != home || env.get("HOME") != home {
		t.Errorf("SystemEnv = %q %q", env.OS, env.home())
	}
}

func TestResolvedPath(t *testing.T) {
	root := realTemp(t)
	layOut(t, root, dirs("real/inner")...)
	linkTo(t, filepath.Join(root, "real"), filepath.Join(root, "link"))
	linkTo(t, filepath.Join(root, "loop"), filepath.Join(root, "loop"))
	tests := []struct{ name, in, want string }{
		{"plain", "real/inner", "real/inner"},
		{"through a link", "link/inner", "real/inner"},
		{"not there, plain", "real/no/such", "real/no/such"},
		{"not there, through a link", "link/no/such", "real/no/such"},
		{"a loop stays", "loop/x", "loop/x"},
		{"not clean", "link/../link/inner/.", "real/inner"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := resolvedPath(root + "/" + tt.in)
			if want := filepath.Join(root, tt.want); got != want {
				t.Errorf("resolvedPath(%q) = %q, want %q", tt.in, got, want)
			}
		})
	}
}

func TestResolvedPathStaysTheSameWhenTheRestAppears(t *testing.T) {
	root := realTemp(t)
	layOut(t, root, dirs("real")...)
	linkTo(t, filepath.Join(root, "real"), filepath.Join(root, "link"))
	path := filepath.Join(root, "link", "a", "b")
	before := resolvedPath(path)
	layOut(t, root, dirs("real/a/b")...)
	if after := resolvedPath(path); after != before {
		t.Errorf("before %q, after %q", before, after)
	}
}

func TestInsideOf(t *testing.T) {
	root := absolutePath("/srv/state")
	tests := []struct {
		path string
		want bool
	}{
		{root, true},
		{filepath.Join(root, "x"), true},
		{filepath.Join(root, "..x"), true},
		{filepath.Dir(root), false},
		{root + "-other", false},
		{absolutePath("/etc"), false},
	}
	for _, tt := range tests {
		if got := insideOf(root, tt.path); got != tt.want {
			t.Errorf("insideOf(%q, %q) = %v", root, tt.path, got)
		}
	}
}
