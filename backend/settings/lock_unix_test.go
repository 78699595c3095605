//go:build unix

package settings

import (
	"fmt"
	"os"
	"testing"

	"tidemark/backend/memory"
)

// TestLockEndsWithProcess kills an owner.
func TestLockEndsWithProcess(t *testing.T) {
	d := mustOpen(t, t.TempDir())
	owner, said := start(t, -1, "lock", d.Path())
	if said != "locked <nil>" {
		t.Fatalf("the other process says %q", said)
	}
	_, err := d.Lock()
	wantCode(t, "while it lives", err, memory.CodeBusy, fmt.Sprintf("process %d, since ", owner.cmd.Process.Pid))
	owner.kill()
	lock, err := d.Lock()
	if err != nil {
		t.Fatalf("after its death: %v", err)
	}
	if err := lock.Release(); err != nil {
		t.Error(err)
	}
}

// TestLockFileReplacedMeanwhile: somebody removes the lock file of a running owner.
// The next one gets a lock on a new file, which cannot be helped, but nobody
// ends up with a lock on a file that no longer has a name.
func TestLockFileReplacedMeanwhile(t *testing.T) {
	d := mustOpen(t, t.TempDir())
	first, err := d.Lock()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = first.Release() }()
	if !stillNamed(first.file, d.LockFile()) {
		t.Error("a fresh lock is said to have lost its name")
	}
	if err := os.Remove(d.LockFile()); err != nil {
		t.Fatal(err)
	}
	if stillNamed(first.file, d.LockFile()) {
		t.Error("a lock on a removed file passes")
	}
	put(t, d.LockFile(), "")
	if stillNamed(first.file, d.LockFile()) {
		t.Error("a lock on a replaced file passes")
	}
}

func TestLockIsALink(t *testing.T) {
	d := mustOpen(t, t.TempDir())
	target := d.Path() + ".target"
	put(t, target, "precious")
	defer os.Remove(target)
	if err := os.Symlink(target, d.LockFile()); err != nil {
		t.Fatal(err)
	}
	_, err := d.Lock()
	wantCode(t, "a link", err, memory.CodeUnavailable, "lock data directory")
	if text, err := os.ReadFile(target); err != nil || string(text) != "precious" {
		t.Errorf("the file behind the link: %q, %v", text, err)
	}
}
