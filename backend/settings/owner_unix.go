//go:build unix

package settings

import (
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

// ours says whether this user owns what info describes.
func ours(info fs.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && int64(st.Uid) == int64(os.Geteuid())
}

// openToOthers says whether other users have any right to what info describes.
func openToOthers(info fs.FileInfo) bool { return info.Mode().Perm()&othersMode != 0 }

// noFollow makes opening a link fail.
const noFollow = syscall.O_NOFOLLOW

// syncDir makes the names in dir survive a loss of power.
func syncDir(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return fmt.Errorf("open folder: %w", err)
	}
	defer func() { _ = f.Close() }() // only read
	if err := f.Sync(); err != nil {
		return fmt.Errorf("sync folder: %w", err)
	}
	return nil
}
