package openclaw

import (
	"os"
	"testing"
)

func TestHeldOpen(t *testing.T) {
	db := agentDB(t, t.TempDir())
	db.close()
	if heldOpen(db.path) {
		t.Error("a closed database is said to be open")
	}
	w := startWriter(t, "go", db.path)
	w.do(insertOne)
	if !heldOpen(db.path) {
		t.Error("a database that another process has open is said to be closed")
	}
	w.kill()
	if _, err := os.Stat(db.path + "-shm"); err != nil {
		t.Fatal("the killed writer left no shared memory file:", err)
	}
	if heldOpen(db.path) {
		t.Error("a database of a killed process is said to be open")
	}
}

func TestLockedInode(t *testing.T) {
	for line, want := range map[string]uint64{
		"1: POSIX  ADVISORY  READ 10479 fe:00:9977868 128 128":       9977868,
		"1: -> POSIX  ADVISORY  WRITE 10479 fe:00:42 1073741825 EOF": 42,
		"2: OFDLCK ADVISORY  READ -1 00:1c:7 0 EOF":                  7,
		"": 0, "garbage": 0, "3: FLOCK  ADVISORY  WRITE 1 aa:bb:x 0 EOF": 0,
	} {
		if got := lockedInode(line); got != want {
			t.Errorf("%q: %d, want %d", line, got, want)
		}
	}
}
