package settings

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"tidemark/backend/memory"
)

const (
	dirMode    fs.FileMode = 0o700 // this user enters, nobody else
	fileMode   fs.FileMode = 0o600 // this user reads, nobody else
	othersMode fs.FileMode = 0o077 // what others may do
)

// Open makes path the data directory: it creates it with mode 0700 where it is
// missing, and takes away the rights of others where it is there. Links are
// followed; Dir.Path is where they lead.
//
// It refuses, each with a hint: a directory of another user (CodeForbidden),
// one that is open to others and stays so (CodeForbidden), one inside an
// OpenClaw state directory, by its look or because it is one of stateDirs
// (CodeInvalid), and one that holds files but none of Tidemark's
// (CodeInvalid): to make somebody's home or project private would harm them.
func Open(path string, stateDirs ...string) (*Dir, error) {
	if path == "" {
		return nil, &memory.Error{Code: memory.CodeInvalid, Op: "open data directory", Err: errors.New("no path is given")}
	}
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, &memory.Error{Code: memory.CodeInvalid, Op: "open data directory", Err: err}
	}
	root := resolve(abs)
	for _, chain := range []string{abs, root} {
		if state := stateAbove(chain, stateDirs); state != "" {
			return nil, insideState(root, state)
		}
	}
	if err := os.MkdirAll(root, dirMode); err != nil {
		return nil, &memory.Error{
			Code: memory.CodeUnavailable, Op: "create data directory", Err: err,
			Hint: "Choose a folder that you can write to with --data-dir.",
		}
	}
	if err := claim(root); err != nil {
		return nil, err
	}
	return &Dir{root: root, now: time.Now}, nil
}

// resolve gives path without links, as far as it exists.
func resolve(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	parent := filepath.Dir(path)
	if parent == path {
		return path
	}
	return filepath.Join(resolve(parent), filepath.Base(path))
}

// claim makes root, which exists, private to this user, or says why not.
func claim(root string) error {
	info, err := os.Stat(root)
	if err != nil {
		return &memory.Error{Code: memory.CodeUnavailable, Op: "check data directory", Err: err}
	}
	if !ours(info) {
		return &memory.Error{
			Code: memory.CodeForbidden, Op: "check data directory", Err: fmt.Errorf("%s belongs to another user", root),
			Hint: "Run Tidemark as that user, or choose another folder with --data-dir.",
		}
	}
	if err := notForeign(root); err != nil {
		return err
	}
	if !openToOthers(info) {
		return nil
	}
	err = os.Chmod(root, dirMode)
	if err == nil {
		if info, err = os.Stat(root); err == nil && !openToOthers(info) {
			return nil
		}
	}
	return &memory.Error{
		Code: memory.CodeForbidden, Op: "protect data directory",
		Err:  errors.Join(fmt.Errorf("other users can enter %s", root), err),
		Hint: "Choose a folder on a file system that keeps permissions with --data-dir.",
	}
}

// notForeign refuses a folder that holds files but none of Tidemark's.
func notForeign(root string) error {
	entries, err := os.ReadDir(root)
	if err != nil {
		return &memory.Error{Code: memory.CodeUnavailable, Op: "check data directory", Err: err}
	}
	for _, e := range entries {
		switch e.Name() {
		case indexName, ledgerName, tokenName, lockName, socketName, settingsName, windowName, demoName, secretName:
			return nil
		}
	}
	if len(entries) == 0 {
		return nil
	}
	return &memory.Error{
		Code: memory.CodeInvalid, Op: "check data directory",
		Err:  fmt.Errorf("%s holds other files, %s among them", root, entries[0].Name()),
		Hint: "Choose a new or empty folder with --data-dir: Tidemark makes it private to you.",
	}
}

// configNames are what OpenClaw and its forerunners call their configuration.
var configNames = []string{"openclaw.json", "clawdbot.json", "moldbot.json", "moltbot.json"}

// stateAbove gives the state directory that path is or lies in, "" if none.
func stateAbove(path string, stateDirs []string) string {
	for dir := path; ; dir = filepath.Dir(dir) {
		if isState(dir) || sameAsAny(dir, stateDirs) {
			return dir
		}
		if dir == filepath.Dir(dir) {
			return ""
		}
	}
}

// isState says whether dir looks like a state directory of OpenClaw: by its
// name, even where it does not exist yet, or by what lies in it.
func isState(dir string) bool {
	name := strings.ToLower(filepath.Base(dir))
	if name == ".openclaw" || strings.HasPrefix(name, ".openclaw-") || name == ".clawdbot" {
		return true
	}
	agents, err := os.Stat(filepath.Join(dir, "agents"))
	if err != nil || !agents.IsDir() {
		return false
	}
	for _, config := range configNames {
		if _, err := os.Stat(filepath.Join(dir, config)); err == nil {
			return true
		}
	}
	// A state directory works without a configuration.
	for _, part := range []string{"sessions", "agent"} {
		if found, err := filepath.Glob(filepath.Join(globEscape(dir), "agents", "*", part)); err == nil && len(found) > 0 {
			return true
		}
	}
	return false
}

// globEscape gives a pattern that matches dir alone.
func globEscape(dir string) string {
	if filepath.Separator == '\\' {
		return dir // a backslash cannot escape there; an odd name finds nothing
	}
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(dir)
}

// sameAsAny says whether dir is one of dirs, by whatever name.
func sameAsAny(dir string, dirs []string) bool {
	info, err := os.Stat(dir)
	if err != nil {
		return false
	}
	for _, other := range dirs {
		if o, err := os.Stat(other); err == nil && os.SameFile(info, o) {
			return true
		}
	}
	return false
}

// insideState is the refusal of a data directory among OpenClaw's files.
func insideState(root, state string) error {
	return &memory.Error{
		Code: memory.CodeInvalid, Op: "check data directory",
		Err: fmt.Errorf("%s lies in %s, which belongs to OpenClaw", root, state),
		Hint: "Tidemark never writes among OpenClaw's files, and what is there can be lost with them. " +
			"Choose another folder with --data-dir or " + DataDirVar + ".",
	}
}
