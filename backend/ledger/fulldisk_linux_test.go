package ledger

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"tidemark/backend/memory"
)

// TestRealFullDisk fills a small disk, makes room and catches up. It needs the
// right to mount.
func TestRealFullDisk(t *testing.T) {
	disk := t.TempDir()
	if err := syscall.Mount("tmpfs", disk, "tmpfs", 0, "size=64k"); err != nil {
		t.Skip("mount:", err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(disk, syscall.MNT_DETACH) })
	l := Open(disk, "inst")
	ballast := filepath.Join(disk, "ballast")
	must(t, os.WriteFile(ballast, make([]byte, 16<<10), 0o600))
	var want, waiting []memory.KeptLine
	n := 0
	for ; len(waiting) == 0; n++ {
		k := plainKept(n)
		switch err := l.AppendKept("main", "2026-02-24", []memory.KeptLine{k}); {
		case err == nil:
			want = append(want, k)
		case errors.Is(err, syscall.ENOSPC):
			waiting = append(waiting, k)
		default:
			t.Fatal(err)
		}
	}
	checkKept(t, l, "main", want)
	if err := l.AppendSaid("main", "2026-02", []memory.Said{plainSaid(1)}); !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("a new file on a full disk: %v", err)
	}
	if err := l.Rewrite("main", func(text string) (string, bool) { return "", text == want[0].Text }, nil, nil); !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("forgetting on a full disk: %v", err)
	}
	checkKept(t, l, "main", want)
	must(t, os.Remove(ballast))
	must(t, l.AppendKept("main", "2026-02-24", waiting))
	must(t, l.AppendSaid("main", "2026-02", []memory.Said{plainSaid(1)}))
	checkKept(t, l, "main", append(want, waiting...))
	checkSaid(t, l, "main", []memory.Said{plainSaid(1)})
}
