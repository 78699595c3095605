package openclaw

import (
	"bufio"
	"os"
	"strconv"
	"strings"
)

// noLockVFS is SQLite's file layer that takes no locks.
const noLockVFS = "unix-none"

// heldOpen says whether a process has the database open: one that does holds
// a lock on its shared memory file, and the kernel lists it. The files are not
// opened for this: closing one again would drop SQLite's own locks on it.
// Where the list cannot be read, a shared memory file counts as held.
func heldOpen(path string) bool {
	ids := map[uint64]bool{}
	shm := false
	for _, p := range []string{path, path + "-shm", path + "-wal"} {
		if info, err := os.Stat(p); err == nil {
			ids[inode(info)] = true
			shm = shm || p == path+"-shm"
		}
	}
	if !shm {
		return false
	}
	f, err := os.Open("/proc/locks")
	if err != nil {
		return true
	}
	defer f.Close()
	for s := bufio.NewScanner(f); s.Scan(); {
		if ids[lockedInode(s.Text())] {
			return true
		}
	}
	return false
}

// lockedInode reads the inode of a line of /proc/locks:
// "1: POSIX  ADVISORY  READ 10479 fe:00:9977868 128 128".
func lockedInode(line string) uint64 {
	for _, field := range strings.Fields(line) {
		parts := strings.Split(field, ":")
		if len(parts) != 3 {
			continue
		}
		if n, err := strconv.ParseUint(parts[2], 10, 64); err == nil {
			return n
		}
	}
	return 0
}
