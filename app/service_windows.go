package app

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"unicode/utf16"

	"tidemark/backend/settings"
)

// A service of Windows needs an administrator and has no desktop; a task at
// logon needs neither. The Task Scheduler rewrites what it is given, so a copy
// of that is kept to compare with.

// readUnit gives the copy of what was installed, if the task is there.
func readUnit(u unit) (string, error) {
	if err := exec.Command("schtasks", "/Query", "/TN", u.path).Run(); err != nil {
		return "", err
	}
	path, err := copyPath()
	if err != nil {
		return "", err
	}
	text, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return "", nil // there is a task, and nobody knows what it says
	}
	return string(text), err
}

func copyPath() (string, error) {
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	return filepath.Join(dir, "Tidemark", "task.xml"), nil
}

type tasks struct{}

// systemKeeper finds what starts programs at login here.
func systemKeeper() (keeper, error) {
	if _, err := exec.LookPath("schtasks"); err != nil {
		return nil, noKeeper("there is no schtasks")
	}
	return tasks{}, nil
}

func (tasks) install(u unit) error {
	path, err := copyPath()
	if err != nil {
		return fmt.Errorf("install the task: %w", err)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fmt.Errorf("install the task: %w", err)
	}
	given := path + ".utf16"
	if err := os.WriteFile(given, inUTF16(u.text), 0o600); err != nil {
		return fmt.Errorf("install the task: %w", err)
	}
	defer os.Remove(given)
	if err := schtasks("/Create", "/F", "/TN", u.path, "/XML", given); err != nil {
		return err
	}
	if err := settings.WriteFile(path, []byte(u.text), 0o600); err != nil {
		return errors.Join(err, tasks{}.remove(u))
	}
	return schtasks("/Run", "/TN", u.path)
}

func (tasks) remove(u unit) error {
	_ = schtasks("/End", "/TN", u.path) // it may not run
	err := schtasks("/Delete", "/F", "/TN", u.path)
	if path, none := copyPath(); none == nil {
		os.Remove(path)
	}
	return err
}

func (tasks) running(u unit) bool {
	out, err := exec.Command("schtasks", "/Query", "/TN", u.path, "/FO", "CSV", "/NH").Output()
	return err == nil && strings.Contains(string(out), "Running") // in the language of the system; the socket tells too
}

func schtasks(args ...string) error {
	if out, err := exec.Command("schtasks", args...).CombinedOutput(); err != nil {
		return fmt.Errorf("schtasks %s: %w: %s", args[0], err, strings.TrimSpace(string(out)))
	}
	return nil
}

// inUTF16 gives a text as schtasks reads it: UTF-16 with a byte order mark.
func inUTF16(s string) []byte {
	out := []byte{0xff, 0xfe}
	for _, u := range utf16.Encode([]rune(s)) {
		out = binary.LittleEndian.AppendUint16(out, u)
	}
	return out
}
