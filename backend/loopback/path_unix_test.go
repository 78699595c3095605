//go:build unix

package loopback

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestSocketPathInDataDir(t *testing.T) {
	dir := shared(t, 0o700)
	if got, want := SocketPath(dir), filepath.Join(dir, "run", "tidemark.sock"); got != want {
		t.Errorf("SocketPath = %q, want %q", got, want)
	}
}

func TestSocketPathResolvesLinks(t *testing.T) {
	dir := shared(t, 0o700)
	real, link := filepath.Join(dir, "real"), filepath.Join(dir, "link")
	if err := os.Mkdir(real, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(real, link); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	want := SocketPath(real)
	for _, name := range []string{link, real + "/", dir + "/./link/../real", "link", "real"} {
		if got := SocketPath(name); got != want {
			t.Errorf("SocketPath(%q) = %q, want %q", name, got, want)
		}
	}
}

func TestSocketPathFallsBack(t *testing.T) {
	runtime := shared(t, 0o700)
	open := shared(t, 0o755)
	temp := shared(t, 0o777|os.ModeSticky)
	data := "/" + strings.Repeat("d", 200)
	user := filepath.Join("/run/user", "0")
	tests := []struct {
		name, xdg, tmp, want string
	}{
		{"runtime directory", runtime, temp, runtime},
		{"runtime directory open to others", open, temp, temp},
		{"runtime directory that is gone", runtime + "/gone", temp, temp},
		{"relative runtime directory", "run", temp, temp},
		{"runtime directory too long", "/" + strings.Repeat("r", 90), temp, temp},
		{"no runtime directory", "", temp, temp},
		{"temporary directory too long", "", "/" + strings.Repeat("t", 90), "/tmp"},
		{"relative temporary directory", "", "tmp", "/tmp"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Setenv("XDG_RUNTIME_DIR", tt.xdg)
			t.Setenv("TMPDIR", tt.tmp)
			got := SocketPath(data)
			root := filepath.Dir(filepath.Dir(got))
			if root != tt.want && !(tt.want != runtime && strings.HasPrefix(root, filepath.Dir(user))) {
				t.Errorf("in %q, want %q", root, tt.want)
			}
			if !strings.HasPrefix(filepath.Base(filepath.Dir(got)), "tidemark-") || len(got) > maxSocketPath {
				t.Errorf("%q is no short path of ours", got)
			}
		})
	}
}

// TestSocketPathProperties: whatever the data directory, the path fits, it is
// the same when asked again, and two directories never share one.
func TestSocketPathProperties(t *testing.T) {
	t.Setenv("XDG_RUNTIME_DIR", "")
	rng := rand.New(rand.NewPCG(1, 2))
	seen := map[string]string{}
	letters := []rune("ab/. 码é")
	for range 2000 {
		name := make([]rune, 1+rng.IntN(200))
		for i := range name {
			name[i] = letters[rng.IntN(len(letters))]
		}
		dir := filepath.Clean("/nowhere/" + string(name))
		path := SocketPath(dir)
		if len(path) > maxSocketPath || !filepath.IsAbs(path) {
			t.Fatalf("SocketPath(%q) = %q does not fit", dir, path)
		}
		if again := SocketPath(dir); again != path {
			t.Fatalf("SocketPath(%q) = %q, then %q", dir, path, again)
		}
		if other, ok := seen[path]; ok && other != dir {
			t.Fatalf("%q and %q share %q", dir, other, path)
		}
		seen[path] = dir
	}
}

// TestLongDataDir goes the whole way with a data directory that is too long.
func TestLongDataDir(t *testing.T) {
	t.Setenv("XDG_RUNTIME_DIR", "")
	t.Setenv("TMPDIR", shared(t, 0o777|os.ModeSticky))
	data := filepath.Join(t.TempDir(), strings.Repeat("数据", 30))
	if err := os.MkdirAll(data, 0o700); err != nil {
		t.Fatal(err)
	}
	path := SocketPath(data)
	l, err := ListenSocket(path)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	c, err := DialSocket(t.Context(), SocketPath(data))
	if err != nil {
		t.Fatal(err)
	}
	c.Close()
}
