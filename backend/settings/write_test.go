package settings

import (
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
)

func TestWriteFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "设置.json")
	for _, text := range []string{"one", "", strings.Repeat("long ", 1<<16), "short"} {
		for _, perm := range []fs.FileMode{0o600, 0o644} {
			if err := WriteFile(path, []byte(text), perm); err != nil {
				t.Fatal(err)
			}
			if got, err := os.ReadFile(path); err != nil || string(got) != text {
				t.Errorf("read %d bytes (%v), want %d", len(got), err, len(text))
			}
			wantMode(t, path, perm)
		}
	}
	wantAlone(t, dir, "设置.json")
}

// wantAlone checks that nothing but names is left in dir.
func wantAlone(t *testing.T, dir string, names ...string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(entries) != len(names) {
		t.Errorf("%d files are left, want %v: %v", len(entries), names, entries)
	}
}

func TestWriteFileFails(t *testing.T) {
	dir := t.TempDir()
	taken := filepath.Join(dir, "taken")
	mkdir(t, filepath.Join(taken, "full"), 0o700)
	if err := WriteFile(taken, []byte("x"), 0o600); err == nil || !strings.Contains(err.Error(), "replace taken") {
		t.Errorf("over a folder: %v", err)
	}
	wantAlone(t, dir, "taken")
	if err := WriteFile(filepath.Join(dir, "gone", "x"), nil, 0o600); err == nil || !strings.Contains(err.Error(), "create x") {
		t.Errorf("into a folder that is not there: %v", err)
	}
}

func TestWriteFileReplacesLink(t *testing.T) {
	dir := t.TempDir()
	target, link := filepath.Join(dir, "target"), filepath.Join(dir, "link")
	put(t, target, "old")
	if err := os.Symlink(target, link); err != nil {
		t.Skipf("no links here: %v", err)
	}
	if err := WriteFile(link, []byte("new"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got, _ := os.ReadFile(target); string(got) != "old" {
		t.Errorf("the target became %q", got)
	}
}

// TestWriteFileIsWhole reads while others write: every read is one of the
// contents, whole.
func TestWriteFileIsWhole(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("skipped: Windows does not replace a file that is being read")
	}
	path := filepath.Join(t.TempDir(), "f")
	put(t, path, strings.Repeat("a", 1<<14))
	var wg sync.WaitGroup
	for _, c := range []string{"a", "b", "c"} {
		wg.Go(func() {
			for range 30 {
				if err := WriteFile(path, []byte(strings.Repeat(c, 1<<14)), 0o600); err != nil {
					t.Error(err)
				}
			}
		})
	}
	for range 300 {
		got, err := os.ReadFile(path)
		if err != nil || len(got) != 1<<14 || strings.Trim(string(got), string(got[:1])) != "" {
			t.Fatalf("read %d mixed bytes (%v)", len(got), err)
		}
	}
	wg.Wait()
}
