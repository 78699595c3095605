package openclaw

import "os"

// noLockVFS is SQLite's file layer that takes no locks.
const noLockVFS = "win32-none"

// heldOpen says whether another process may have the database open. Windows
// does not tell; a shared memory file counts as held, and SQLite's own locks
// do the rest.
func heldOpen(path string) bool {
	_, err := os.Stat(path + "-shm")
	return err == nil
}
