package settings

import (
	"encoding/base64"
	"errors"
	"io/fs"
	"os"
	"runtime"
	"strings"
	"testing"

	"tidemark/backend/memory"
)

func mustToken(t *testing.T, d *Dir) string {
	t.Helper()
	token, err := d.Token()
	if err != nil {
		t.Fatal(err)
	}
	if raw, err := base64.RawURLEncoding.DecodeString(token); err != nil || len(raw) != 32 {
		t.Fatalf("token %q is not 32 bytes in base64url (%v)", token, err)
	}
	return token
}

func TestTokenIsKept(t *testing.T) {
	d := mustOpen(t, t.TempDir())
	first := mustToken(t, d)
	wantMode(t, d.TokenFile(), 0o600)
	for range 3 {
		if again := mustToken(t, mustOpen(t, d.Path())); again != first {
			t.Fatalf("the token changed from %q to %q", first, again)
		}
	}
	if found := d.Notices(); len(found) != 0 {
		t.Errorf("notices %v without a reason", found)
	}
	if other := mustToken(t, mustOpen(t, t.TempDir())); other == first {
		t.Error("two data directories have one token")
	}
}

func TestTokenIsReplaced(t *testing.T) {
	good := newToken()
	tests := []struct {
		name, text, says string
		mode             fs.FileMode
	}{
		{"readable by all", good, "other users could read it", 0o644},
		{"readable by group", good, "other users could read it", 0o640},
		{"writable by others", good, "other users could read it", 0o602},
		{"empty", "", "damaged", 0o600},
		{"cut off", good[:40], "damaged", 0o600},
		{"too long", good + "AA", "damaged", 0o600},
		{"two", good + "\n" + good, "damaged", 0o600},
		{"another alphabet", strings.Repeat("+", 43), "damaged", 0o600},
		{"zero bytes", strings.Repeat("\x00", 43), "damaged", 0o600},
		{"huge", strings.Repeat("A", 1<<20), "damaged", 0o600},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if tt.mode != 0o600 && runtime.GOOS == "windows" {
				t.Skip("skipped: there are no modes on Windows")
			}
			d := mustOpen(t, t.TempDir())
			put(t, d.TokenFile(), tt.text)
			if err := os.Chmod(d.TokenFile(), tt.mode); err != nil {
				t.Fatal(err)
			}
			token := mustToken(t, d)
			if token == good {
				t.Error("the old token is still used")
			}
			wantMode(t, d.TokenFile(), 0o600)
			found := d.Notices()
			if len(found) != 1 || found[0].Code != NoticeToken || found[0].Count != 1 || !strings.Contains(found[0].Message, tt.says) {
				t.Fatalf("notices %+v, want one that says %q", found, tt.says)
			}
			if strings.Contains(found[0].Message+found[0].Hint, token) {
				t.Error("the notice shows the token")
			}
			if again := mustToken(t, d); again != token || len(d.Notices()) != 0 {
				t.Error("the new token does not stay")
			}
		})
	}
}

func TestTokenWithLineEnd(t *testing.T) {
	want := newToken()
	for _, end := range []string{"", "\n", "\r\n"} {
		d := mustOpen(t, t.TempDir())
		put(t, d.TokenFile(), want+end)
		if got := mustToken(t, d); got != want {
			t.Errorf("with the end %q: %q, want %q", end, got, want)
		}
	}
}

// TestTokenIsALink: what the link leads to is neither used nor written.
func TestTokenIsALink(t *testing.T) {
	d := mustOpen(t, t.TempDir())
	target := d.Path() + ".target"
	put(t, target, newToken())
	defer os.Remove(target)
	before, _ := os.ReadFile(target)
	if err := os.Symlink(target, d.TokenFile()); err != nil {
		t.Skipf("no links here: %v", err)
	}
	token := mustToken(t, d)
	if after, err := os.ReadFile(target); err != nil || string(after) != string(before) || token == string(before) {
		t.Errorf("the link was followed (%v)", err)
	}
	if found := d.Notices(); len(found) != 1 {
		t.Errorf("notices %v, want one", found)
	}
}

func TestTokenIsAFolder(t *testing.T) {
	d := mustOpen(t, t.TempDir())
	mkdir(t, d.TokenFile(), 0o700)
	if _, err := d.Token(); memory.CodeOf(err) != memory.CodeUnavailable {
		t.Errorf("a folder: %v, want %s", err, memory.CodeUnavailable)
	}
}

func TestTokenWithoutDirectory(t *testing.T) {
	d := mustOpen(t, t.TempDir())
	if err := os.Remove(d.Path()); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Token(); !errors.Is(err, fs.ErrNotExist) || memory.CodeOf(err) != memory.CodeUnavailable {
		t.Errorf("no directory: %v", err)
	}
}
