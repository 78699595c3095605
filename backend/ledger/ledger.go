package ledger

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"
)

// versionLine stands in the head of each file. The number changes when a
// reader of the one before would take a line for something else than it is.
const versionLine = "<!-- tidemark ledger 1 -->\n\n"

// Ledger is the ledger of one installation. Its methods must not be called at
// once for the same agent.
type Ledger struct {
	dir string

	// What tests put between the ledger and the disk.
	open func(path string) (file, error)
	cut  func(path string, size int64) error
	step func(what string) // called behind each step of Rewrite
}

// Open gives the ledger of an installation under root. Nothing is created
// before the first line is written.
func Open(root, installation string) *Ledger {
	return &Ledger{dir: filepath.Join(root, installation), open: openFile, cut: os.Truncate, step: func(string) {}}
}

// Agents lists the agents that the ledger holds anything of, by id.
func (l *Ledger) Agents() ([]string, error) {
	names, err := os.ReadDir(l.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("list ledger: %w", err)
	}
	var agents []string
	for _, e := range names {
		if e.IsDir() {
			agents = append(agents, e.Name())
		}
	}
	sort.Strings(agents)
	return agents, nil
}

// Path is the folder of an agent.
func (l *Ledger) Path(agent string) string { return filepath.Join(l.dir, agent) }

// KeptPath is the file that holds what was kept on a day ("2026-02-24"),
// whether it is there or not.
func (l *Ledger) KeptPath(agent, day string) string {
	return l.path(agent, filepath.Join(keptFolder, day+extension))
}

// SaidPath is the file that holds what was said in a month ("2026-02"),
// whether it is there or not.
func (l *Ledger) SaidPath(agent, month string) string {
	return l.path(agent, filepath.Join(saidFolder, month+extension))
}

func (l *Ledger) path(agent, file string) string { return filepath.Join(l.dir, agent, file) }

// read gives the lines of a file, none where it is not there.
func (l *Ledger) read(agent, file string) ([]string, error) {
	body, err := os.ReadFile(l.path(agent, file))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read ledger: %w", err)
	}
	text := strings.ReplaceAll(strings.TrimPrefix(string(body), byteOrderMark), "\r\n", "\n")
	return strings.Split(text, "\n"), nil
}

// list gives the items of a file, those that begin with a dash, one by one to
// f, which says whether it could read it. bad counts those it could not.
func (l *Ledger) list(agent, file string, f func(line string) bool) (bad int, err error) {
	lines, err := l.read(agent, file)
	if err != nil {
		return 0, err
	}
	for _, line := range lines {
		if strings.HasPrefix(line, "- ") && !f(strings.TrimRight(line, " \t")) {
			bad++
		}
	}
	return bad, nil
}
