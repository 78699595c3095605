package ledger

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"
)

// Ledger is the ledger of one installation. Its methods must not be called at
// once for the same agent.
type Ledger struct {
	dir string
}

// Open gives the ledger of an installation under root. Nothing is created
// before the first line is written.
func Open(root, installation string) *Ledger {
	return &Ledger{dir: filepath.Join(root, installation)}
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

func (l *Ledger) path(agent, file string) string { return filepath.Join(l.dir, agent, file) }

// append writes text behind what is there, with head before it where the file
// is new, and syncs it. A line that a crash left unfinished is ended first, so
// that it damages nothing else.
func (l *Ledger) append(agent, file, head, text string) error {
	path := l.path(agent, file)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fmt.Errorf("open ledger: %w", err)
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return fmt.Errorf("open ledger: %w", err)
	}
	defer f.Close()
	end, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		return fmt.Errorf("open ledger: %w", err)
	}
	before := head
	if end > 0 {
		before = ""
		last := make([]byte, 1)
		if _, err := f.ReadAt(last, end-1); err != nil {
			return fmt.Errorf("read ledger: %w", err)
		}
		if last[0] != '\n' {
			before = "\n"
		}
	}
	if _, err := io.WriteString(f, before+text); err != nil {
		return fmt.Errorf("write ledger: %w", err)
	}
	if err := f.Sync(); err != nil {
		return fmt.Errorf("sync ledger: %w", err)
	}
	if end == 0 {
		return syncDir(filepath.Dir(path))
	}
	return nil
}

// syncDir makes a new name in a folder durable, where the platform can.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return fmt.Errorf("sync ledger folder: %w", err)
	}
	defer d.Close()
	_ = d.Sync() // some platforms cannot sync a folder; the file itself is synced
	return nil
}

// read gives the lines of a file, none where it is not there.
func (l *Ledger) read(agent, file string) ([]string, error) {
	body, err := os.ReadFile(l.path(agent, file))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read ledger: %w", err)
	}
	text := strings.ReplaceAll(strings.TrimPrefix(string(body), "\ufeff"), "\r\n", "\n")
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
