//go:build unix && !linux

package openclaw

import (
	"io"
	"os"
	"syscall"
)

// noLockVFS is SQLite's file layer that takes no locks.
const noLockVFS = "unix-none"

// heldOpen says whether another process has the database open: one that does
// holds a lock on its shared memory file. It is called only while this process
// has no connection to the database, since closing the file here would drop
// the locks of one.
func heldOpen(path string) bool {
	f, err := os.Open(path + "-shm")
	if err != nil {
		return !os.IsNotExist(err)
	}
	defer f.Close()
	lock := syscall.Flock_t{Type: syscall.F_WRLCK, Whence: io.SeekStart}
	if err := syscall.FcntlFlock(f.Fd(), syscall.F_GETLK, &lock); err != nil {
		return true
	}
	return lock.Type != syscall.F_UNLCK
}
