//go:build unix

package openclaw

import (
	"io/fs"
	"syscall"
)

// inode gives the number that stays with a file when it is renamed.
func inode(info fs.FileInfo) uint64 {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(st.Ino)
	}
	return 0
}
