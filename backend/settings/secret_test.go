package settings

import (
	"bytes"
	"os"
	"runtime"
	"testing"

	"tidemark/backend/memory"
)

// TestSecretStays: it is made once, for this user alone, and a damaged one is
// never replaced.
func TestSecretStays(t *testing.T) {
	root := t.TempDir()
	d, err := Open(root + "/data")
	if err != nil {
		t.Fatal(err)
	}
	first, err := d.Secret()
	if err != nil || len(first) != 32 {
		t.Fatal(first, err)
	}
	again, err := d.Secret()
	if err != nil || !bytes.Equal(first, again) {
		t.Errorf("got %x, want %x (%v)", again, first, err)
	}
	if info, err := os.Stat(d.SecretFile()); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	if err := os.WriteFile(d.SecretFile(), []byte("short\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Secret(); memory.CodeOf(err) != memory.CodeCorrupt || memory.HintOf(err) == "" {
		t.Errorf("got %v", err)
	}
	if text, _ := os.ReadFile(d.SecretFile()); string(text) != "short\n" {
		t.Errorf("it was replaced by %q", text)
	}
}
