package ledger

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"
)

const (
	keptFolder    = "kept"
	saidFolder    = "said"
	extension     = ".md"
	byteOrderMark = "\ufeff"
)

// names lists the files of a folder of an agent, in order. A person may have
// added some. Hidden files are not the ledger's.
func (l *Ledger) names(agent, folder string) ([]string, error) {
	entries, err := os.ReadDir(l.path(agent, folder))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("list ledger: %w", err)
	}
	var names []string
	for _, e := range entries {
		if name := e.Name(); strings.HasSuffix(name, extension) && name[0] != '.' && !e.IsDir() {
			names = append(names, name)
		}
	}
	sort.Strings(names)
	return names, nil
}

// KeptStamp changes when a file of kept statements of an agent changes, is
// added or removed. It looks at names, sizes and times, not into the files.
func (l *Ledger) KeptStamp(agent string) (string, error) { return l.stamp(agent, keptFolder) }

// SaidStamp is the same for what people said.
func (l *Ledger) SaidStamp(agent string) (string, error) { return l.stamp(agent, saidFolder) }

func (l *Ledger) stamp(agent, folder string) (string, error) {
	names, err := l.names(agent, folder)
	if err != nil || len(names) == 0 {
		return "", err
	}
	sum := sha256.New()
	for _, name := range names {
		info, err := os.Stat(l.path(agent, filepath.Join(folder, name)))
		if errors.Is(err, fs.ErrNotExist) {
			continue // removed meanwhile
		}
		if err != nil {
			return "", fmt.Errorf("look at ledger: %w", err)
		}
		fmt.Fprintf(sum, "%q %d %d\n", name, info.Size(), info.ModTime().UnixNano())
	}
	return hex.EncodeToString(sum.Sum(nil)[:16]), nil
}

// segment is a line of a file with what ends it: a line feed, a carriage
// return, both, or nothing.
type segment struct {
	text, end string
}

// segments takes the content of a file apart. Joined they are the content
// again. Only the last one may have no end.
func segments(body string) (all []segment) {
	for body != "" {
		i := strings.IndexAny(body, "\r\n")
		if i < 0 {
			return append(all, segment{text: body})
		}
		end := body[i : i+1]
		if strings.HasPrefix(body[i:], "\r\n") {
			end = body[i : i+2]
		}
		all = append(all, segment{text: body[:i], end: end})
		body = body[i+len(end):]
	}
	return all
}

// join is the inverse of segments.
func join(all []segment) string {
	var b strings.Builder
	for _, s := range all {
		b.WriteString(s.text)
		b.WriteString(s.end)
	}
	return b.String()
}

// each gives the content of every file of a folder of an agent to f, until
// that says no.
func (l *Ledger) each(agent, folder string, f func(name, body string) bool) error {
	names, err := l.names(agent, folder)
	if err != nil {
		return err
	}
	for _, name := range names {
		path := l.path(agent, filepath.Join(folder, name))
		if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
			continue // a device or a pipe would never end
		}
		body, err := os.ReadFile(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue // removed meanwhile
		}
		if err != nil {
			return fmt.Errorf("read ledger: %w", err)
		}
		if !f(name, string(body)) {
			return nil
		}
	}
	return nil
}
