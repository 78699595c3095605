//go:build unix

package settings

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tidemark/backend/memory"
)

// TestOtherUserCannotReadToken lets another user read the token: in place, and
// after the folder was opened to everybody, where the mode of the file is all
// that is left. A file that is meant to be read shows that the attack works.
func TestOtherUserCannotReadToken(t *testing.T) {
	needRoot(t)
	d := mustOpen(t, filepath.Join(shared(t), "data"))
	token, err := d.Token()
	if err != nil {
		t.Fatal(err)
	}
	check := func(what string) {
		if _, said := start(t, nobody, "read", d.TokenFile()); strings.Contains(said, token) || !strings.Contains(said, "permission denied") {
			t.Errorf("%s: another user says %q", what, said)
		}
	}
	check("folder closed")
	if err := os.Chmod(d.Path(), 0o755); err != nil {
		t.Fatal(err)
	}
	check("folder open")
	if err := os.Chmod(d.TokenFile(), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, said := start(t, nobody, "read", d.TokenFile()); !strings.Contains(said, token) {
		t.Errorf("the attack itself does not work: %q", said)
	}
	if again, err := d.Token(); err != nil || again == token {
		t.Errorf("a token that others read is still used (%v)", err)
	}
	check("replaced")
}

func TestOtherUserCannotPlantFiles(t *testing.T) {
	needRoot(t)
	d := mustOpen(t, filepath.Join(shared(t), "data"))
	for _, path := range []string{d.TokenFile(), d.Settings(), d.LockFile()} {
		if _, said := start(t, nobody, "plant", path); !strings.Contains(said, "permission denied") {
			t.Errorf("%s: another user says %q", filepath.Base(path), said)
		}
	}
}

// TestPlantedToken finds a token that belongs to another user.
func TestPlantedToken(t *testing.T) {
	needRoot(t)
	d := mustOpen(t, t.TempDir())
	planted := newToken()
	put(t, d.TokenFile(), planted)
	if err := os.Chown(d.TokenFile(), nobody, nobody); err != nil {
		t.Fatal(err)
	}
	token, err := d.Token()
	if err != nil || token == planted {
		t.Errorf("the planted token is used (%v)", err)
	}
	if found := d.Notices(); len(found) != 1 || found[0].Code != NoticeToken {
		t.Errorf("notices %v, want one", found)
	}
}

func TestDataDirOfAnotherUser(t *testing.T) {
	needRoot(t)
	path := mkdir(t, filepath.Join(shared(t), "data"), 0o755)
	if err := os.Chown(path, nobody, nobody); err != nil {
		t.Fatal(err)
	}
	_, err := Open(path)
	wantCode(t, "root opens it", err, memory.CodeForbidden, "belongs to another user")
	wantMode(t, path, 0o755)

	mine := mkdir(t, filepath.Join(shared(t), "data"), 0o777)
	if _, said := start(t, nobody, "open", mine); !strings.HasPrefix(said, "opened forbidden") {
		t.Errorf("another user opens root's: %q", said)
	}
	if _, said := start(t, nobody, "open", path); !strings.HasSuffix(said, "<nil>") {
		t.Errorf("its owner opens it: %q", said)
	}
}
