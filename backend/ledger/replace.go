package ledger

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// newPrefix and newSuffix make the name of the file that is to take the place
// of another one. Such a file may hold what is being forgotten, and no reader
// looks at it.
const (
	newPrefix = ".tidemark-"
	newSuffix = ".new"
)

// mostTries is how often a file is read anew because somebody wrote to it
// meanwhile.
const mostTries = 5

// replace puts what change makes of a file in its place, unless that is the
// same. A reader, and a machine that loses power at any moment, sees the old
// content or the new. The file is written anew beside the old one with mode
// 0600, synced, and renamed over it; a link is followed, so that the text is
// gone where it really is. A missing file is no error.
func (l *Ledger) replace(path string, change func(body string) string) error {
	real, err := filepath.EvalSymlinks(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("find file of the ledger: %w", err)
	}
	for range mostTries {
		before, err := os.Stat(real)
		if err != nil {
			return fmt.Errorf("read ledger: %w", err)
		}
		if !before.Mode().IsRegular() {
			return nil // a device or a pipe holds nothing
		}
		body, err := os.ReadFile(real)
		if err != nil {
			return fmt.Errorf("read ledger: %w", err)
		}
		next := change(string(body))
		if next == string(body) {
			return nil
		}
		if done, err := l.swap(real, before, next); done || err != nil {
			return err
		}
	}
	return fmt.Errorf("rewrite %s: it is being written to all the time", filepath.Base(path))
}

// swap is one try. done is false where the file changed since before.
func (l *Ledger) swap(path string, before fs.FileInfo, content string) (done bool, err error) {
	dir, base := filepath.Split(path)
	beside := filepath.Join(dir, newPrefix+base+newSuffix)
	if err := l.create(beside, content); err != nil {
		return false, errors.Join(fmt.Errorf("rewrite %s: %w", base, err), remove(beside))
	}
	now, err := os.Stat(path)
	if err != nil || now.Size() != before.Size() || !now.ModTime().Equal(before.ModTime()) {
		if err != nil {
			err = fmt.Errorf("rewrite %s: %w", base, err)
		}
		return false, errors.Join(err, remove(beside))
	}
	if err := os.Rename(beside, path); err != nil {
		return false, errors.Join(fmt.Errorf("rewrite %s: %w", base, err), remove(beside))
	}
	l.step("renamed")
	err = syncDir(filepath.Dir(path))
	l.step("folder synced")
	return true, err
}

// create writes a file that must not be there yet and syncs it.
func (l *Ledger) create(path, content string) error {
	if err := remove(path); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	l.step("created")
	_, err = f.WriteString(content)
	l.step("written")
	if err == nil {
		err = f.Sync()
	}
	err = errors.Join(err, f.Close())
	l.step("synced")
	return err
}

// remove removes a file that need not be there.
func remove(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("remove half a file: %w", err)
	}
	return nil
}

// Tidy removes what a Rewrite that was stopped left beside the files of an
// agent. It belongs to the start of the process that writes the ledger.
func (l *Ledger) Tidy(agent string) error {
	var failed error
	for _, folder := range []string{"", keptFolder, saidFolder} {
		for _, dir := range l.folders(agent, folder) {
			failed = errors.Join(failed, tidy(dir))
		}
	}
	return failed
}

func tidy(dir string) error {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("look for half files: %w", err)
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), newPrefix) && strings.HasSuffix(e.Name(), newSuffix) {
			err = errors.Join(err, remove(filepath.Join(dir, e.Name())))
		}
	}
	return err
}

// folders lists the folders that the files of a folder of an agent really lie
// in: a person may have put links in their place.
func (l *Ledger) folders(agent, folder string) []string {
	dirs := []string{l.path(agent, folder)}
	names, err := l.names(agent, folder)
	if err != nil {
		return dirs
	}
	for _, name := range names {
		path := l.path(agent, filepath.Join(folder, name))
		if info, err := os.Lstat(path); err != nil || info.Mode()&fs.ModeSymlink == 0 {
			continue
		}
		if real, err := filepath.EvalSymlinks(path); err == nil {
			dirs = append(dirs, filepath.Dir(real))
		}
	}
	return dirs
}
