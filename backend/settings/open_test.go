package settings

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"tidemark/backend/memory"
)

// wantCode checks the code of err, that it says text and that it has a hint.
func wantCode(t *testing.T, what string, err error, code memory.Code, text string) {
	t.Helper()
	if err == nil {
		t.Errorf("%s: no error, want %s", what, code)
		return
	}
	if got := memory.CodeOf(err); got != code || !strings.Contains(err.Error(), text) {
		t.Errorf("%s: %q (%s), want %q (%s)", what, err, got, text, code)
	}
	if memory.HintOf(err) == "" {
		t.Errorf("%s: %q has no hint", what, err)
	}
}

// wantMode checks what others may do, where the system knows that.
func wantMode(t *testing.T, path string, want fs.FileMode) {
	t.Helper()
	info, err := os.Lstat(path)
	if err != nil {
		t.Fatal(err)
	}
	if got := info.Mode().Perm(); got != want && runtime.GOOS != "windows" {
		t.Errorf("%s has mode %o, want %o", filepath.Base(path), got, want)
	}
}

func mustOpen(t *testing.T, path string) *Dir {
	t.Helper()
	d, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func mkdir(t *testing.T, path string, mode fs.FileMode) string {
	t.Helper()
	if err := os.MkdirAll(path, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, mode); err != nil {
		t.Fatal(err)
	}
	return path
}

func put(t *testing.T, path, text string) {
	t.Helper()
	mkdir(t, filepath.Dir(path), 0o700)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestOpenCreates(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a", "b", "数据")
	d := mustOpen(t, path)
	for _, dir := range []string{path, filepath.Dir(path)} {
		wantMode(t, dir, 0o700)
	}
	if entries, err := os.ReadDir(d.Path()); err != nil || len(entries) != 0 {
		t.Errorf("Open left %v (%v) in it", entries, err)
	}
	if _, err := Open(path); err != nil {
		t.Errorf("second Open: %v", err)
	}
}

// TestPaths fixes every path that the product writes: other programs (a
// backup, a person) rely on them.
func TestPaths(t *testing.T) {
	d := mustOpen(t, t.TempDir())
	want := map[string]string{
		d.Index(): "index.sqlite", d.Ledger(): "ledger", d.TokenFile(): "token",
		d.LockFile(): "lock", d.SocketDir(): "run", d.Settings(): "settings.json",
	}
	for got, name := range want {
		if got != filepath.Join(d.Path(), name) {
			t.Errorf("%q, want %s in the data directory", got, name)
		}
	}
}

func TestOpenTightens(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("skipped: there are no modes on Windows")
	}
	for _, wide := range []fs.FileMode{0o755, 0o777, 0o750, 0o701} {
		for _, name := range []string{"", ledgerName} {
			path := mkdir(t, filepath.Join(t.TempDir(), "d"), 0o700)
			if name != "" {
				mkdir(t, filepath.Join(path, name), 0o700)
			}
			if err := os.Chmod(path, wide); err != nil {
				t.Fatal(err)
			}
			mustOpen(t, path)
			wantMode(t, path, 0o700)
		}
	}
}

func TestOpenLeavesForeignFolderAlone(t *testing.T) {
	home := mkdir(t, filepath.Join(t.TempDir(), "home"), 0o700)
	put(t, filepath.Join(home, "thesis.tex"), "")
	if err := os.Chmod(home, 0o755); err != nil {
		t.Fatal(err)
	}
	_, err := Open(home)
	wantCode(t, "a home directory", err, memory.CodeInvalid, "holds other files, thesis.tex among them")
	wantMode(t, home, 0o755)

	// The same file beside a ledger disturbs nobody.
	mkdir(t, filepath.Join(home, ledgerName), 0o700)
	mustOpen(t, home)
}

func TestOpenRefusesFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	put(t, path, "x")
	_, err := Open(path)
	wantCode(t, "a file", err, memory.CodeUnavailable, "create data directory")
	_, err = Open(filepath.Join(path, "below"))
	wantCode(t, "below a file", err, memory.CodeUnavailable, "create data directory")
	if _, err = Open(""); memory.CodeOf(err) != memory.CodeInvalid {
		t.Errorf("no path: %v, want %s", err, memory.CodeInvalid)
	}
}

func TestOpenFollowsLinks(t *testing.T) {
	dir := t.TempDir()
	real := mkdir(t, filepath.Join(dir, "real"), 0o755)
	link := filepath.Join(dir, "link")
	if err := os.Symlink(real, link); err != nil {
		t.Skipf("no links here: %v", err)
	}
	a, b := mustOpen(t, link), mustOpen(t, filepath.Join(dir, ".", "real"))
	if a.Path() != b.Path() {
		t.Errorf("one directory has the paths %q and %q", a.Path(), b.Path())
	}
	wantMode(t, real, 0o700)
}

func TestOpenRefusesStateDirectory(t *testing.T) {
	root := t.TempDir()
	mkdir(t, filepath.Join(root, "config", "agents"), 0o700)
	put(t, filepath.Join(root, "config", "openclaw.json"), "{}")
	mkdir(t, filepath.Join(root, "old", "agents"), 0o700)
	put(t, filepath.Join(root, "old", "clawdbot.json"), "{}")
	mkdir(t, filepath.Join(root, "bare[1]", "agents", "main", "sessions"), 0o700)
	mkdir(t, filepath.Join(root, "newest", "agents", "main", "agent"), 0o700)
	mkdir(t, filepath.Join(root, "moved"), 0o700)

	for _, path := range []string{
		"config", "config/tidemark", "config/workspace/deep/tidemark", "old/tm", "bare[1]/tm", "newest/tm",
		".openclaw/tm", ".openclaw", ".openclaw-work/tm", ".clawdbot/tm", ".OpenClaw/tm",
		"moved", "moved/tm", "moved/../moved/tm",
	} {
		_, err := Open(filepath.Join(root, filepath.FromSlash(path)), filepath.Join(root, "moved"), filepath.Join(root, "gone"))
		wantCode(t, path, err, memory.CodeInvalid, "belongs to OpenClaw")
	}
	for _, path := range []string{".openclaw", "config/tidemark", "moved/tm"} {
		if _, err := os.Lstat(filepath.Join(root, path)); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s was created: %v", path, err)
		}
	}
}

func TestOpenRefusesStateBehindLinks(t *testing.T) {
	root := t.TempDir()
	state := mkdir(t, filepath.Join(root, "elsewhere"), 0o700)
	for _, link := range []string{".openclaw", "innocent"} {
		if err := os.Symlink(state, filepath.Join(root, link)); err != nil {
			t.Skipf("no links here: %v", err)
		}
	}
	_, err := Open(filepath.Join(root, ".openclaw", "tm"))
	wantCode(t, "through the link", err, memory.CodeInvalid, "belongs to OpenClaw")
	_, err = Open(filepath.Join(root, "innocent", "tm"), filepath.Join(root, ".openclaw"))
	wantCode(t, "by another link", err, memory.CodeInvalid, "belongs to OpenClaw")
}

func TestOpenNearState(t *testing.T) {
	root := t.TempDir()
	mkdir(t, filepath.Join(root, ".openclaw", "agents", "main", "sessions"), 0o700)
	mkdir(t, filepath.Join(root, "project", "agents"), 0o700) // somebody's own folder of that name
	for _, path := range []string{"tm", ".local/share/tidemark", "project/tm", "openclaw/tm", ".openclawed/tm"} {
		if _, err := Open(filepath.Join(root, filepath.FromSlash(path)), filepath.Join(root, ".openclaw")); err != nil {
			t.Errorf("%s: %v", path, err)
		}
	}
}

// TestOpenKnowsRealStateDirectories takes the state directories of the three
// versions that were run.
func TestOpenKnowsRealStateDirectories(t *testing.T) {
	shared := os.Getenv("TIDEMARK_SHARED")
	if shared == "" {
		shared = filepath.Join("..", "..", "..", "shared")
	}
	states, err := filepath.Glob(filepath.Join(shared, "fixtures", "*", "openclaw.json"))
	if err != nil || len(states) == 0 {
		t.Skip("skipped: no fixtures (set TIDEMARK_SHARED to the folder that has them)")
	}
	for _, config := range states {
		state := filepath.Dir(config)
		_, err := Open(filepath.Join(state, "workspace", "tm"))
		wantCode(t, filepath.Base(state), err, memory.CodeInvalid, "belongs to OpenClaw")
	}
}
