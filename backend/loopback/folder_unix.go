//go:build unix

package loopback

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"

	"golang.org/x/sys/unix"

	"tidemark/backend/memory"
)

const (
	folderMode fs.FileMode = 0o700 // this user enters, nobody else
	socketMode fs.FileMode = 0o600 // this user connects, nobody else
	othersMode fs.FileMode = 0o077 // what others may do
)

// ownFolder makes dir a folder that only this user can enter: it creates it
// or, where it is there and ours, takes away the rights of others. It refuses
// a folder of another user and a link. The parent must exist.
func ownFolder(dir string) error {
	if err := os.Mkdir(dir, folderMode); err != nil && !errors.Is(err, fs.ErrExist) {
		return &memory.Error{Code: memory.CodeUnavailable, Op: "create socket folder", Err: err}
	}
	info, err := os.Lstat(dir)
	if err != nil {
		return &memory.Error{Code: memory.CodeUnavailable, Op: "check socket folder", Err: err}
	}
	if err := ourFolder(dir, info); err != nil {
		return err
	}
	if info.Mode().Perm() == folderMode {
		return nil
	}
	return tighten(dir)
}

// tighten sets the mode of our folder dir. It works on the opened folder, so
// that what was checked is what is changed.
func tighten(dir string) error {
	f, err := os.OpenFile(dir, os.O_RDONLY|unix.O_NOFOLLOW|unix.O_DIRECTORY, 0)
	if err != nil {
		return openToOthers(dir, err)
	}
	defer func() { _ = f.Close() }() // nothing was written through it
	info, err := f.Stat()
	if err != nil {
		return &memory.Error{Code: memory.CodeUnavailable, Op: "check socket folder", Err: err}
	}
	if err := ourFolder(dir, info); err != nil {
		return err
	}
	if err := f.Chmod(folderMode); err != nil {
		return openToOthers(dir, err)
	}
	// Some file systems take the call and change nothing.
	return checkFolder(dir)
}

// checkFolder says whether dir is a folder of this user, not a link to one,
// that nobody else can enter. It changes nothing: the one who dials uses it.
func checkFolder(dir string) error {
	info, err := os.Lstat(dir)
	if err != nil {
		return &memory.Error{Code: memory.CodeUnavailable, Op: "check socket folder", Err: err}
	}
	if err := ourFolder(dir, info); err != nil {
		return err
	}
	if info.Mode().Perm()&othersMode != 0 {
		return openToOthers(dir, nil)
	}
	return nil
}

// ourFolder refuses what info, taken without following links, shows to be no
// folder or the folder of another user.
func ourFolder(dir string, info fs.FileInfo) error {
	var cause error
	switch {
	case info.Mode().Type() == fs.ModeSymlink:
		cause = fmt.Errorf("%s is a link, not a folder", dir)
	case !info.IsDir():
		cause = fmt.Errorf("%s is not a folder", dir)
	case !ours(info):
		cause = fmt.Errorf("%s belongs to another user", dir)
	default:
		return nil
	}
	return &memory.Error{
		Code: memory.CodeForbidden, Op: "check socket folder", Err: cause,
		Hint: fmt.Sprintf("Somebody else may have put it there to stand in for Tidemark. Remove %s, "+
			"or choose another data directory with --data-dir.", dir),
	}
}

// openToOthers is the refusal of a folder that others can enter.
func openToOthers(dir string, cause error) error {
	err := fmt.Errorf("other users can enter %s", dir)
	if cause != nil {
		err = fmt.Errorf("other users can enter %s, and that cannot be changed: %w", dir, cause)
	}
	return &memory.Error{
		Code: memory.CodeForbidden, Op: "check socket folder", Err: err,
		Hint: fmt.Sprintf("Run: chmod 700 '%s'. If that changes nothing, put the data directory on a file system "+
			"that keeps permissions.", dir),
	}
}

// ours says whether this user owns what info describes.
func ours(info fs.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && int64(st.Uid) == int64(os.Geteuid())
}
