package settings

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// WriteFile puts data into the file path with mode perm such that a reader,
// and a machine that loses power at any moment, sees the old content or the
// new, never a part. It writes a file beside it, syncs it, renames it and
// syncs the folder, which must exist. A link at path is replaced, not
// followed. Where it fails, the old content stays; only after an error of
// syncing the folder may the new one be there.
//
// Of two calls at once, one wins whole.
func WriteFile(path string, data []byte, perm fs.FileMode) error {
	dir := filepath.Dir(path)
	// CreateTemp opens with mode 0600: nobody reads it before perm is set.
	f, err := os.CreateTemp(dir, "."+filepath.Base(path)+".new-*")
	if err != nil {
		return fmt.Errorf("create %s: %w", filepath.Base(path), err)
	}
	if err := fill(f, data, perm); err != nil {
		return errors.Join(fmt.Errorf("write %s: %w", filepath.Base(path), err), os.Remove(f.Name()))
	}
	if err := os.Rename(f.Name(), path); err != nil {
		return errors.Join(fmt.Errorf("replace %s: %w", filepath.Base(path), err), os.Remove(f.Name()))
	}
	return syncDir(dir)
}

// fill writes data to f, syncs it and closes it.
func fill(f *os.File, data []byte, perm fs.FileMode) error {
	_, err := f.Write(data)
	if err == nil {
		err = f.Chmod(perm)
	}
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}
