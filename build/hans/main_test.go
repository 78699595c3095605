package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// fakeModule is the folder of a module with a list of n made-up characters and
// the lines of more.
func fakeModule(t *testing.T, licence string, n int, more string) fetcher {
	t.Helper()
	dir := t.TempDir()
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "%c\t%c\n", 0x4e00+2*i, 0x4e01+2*i)
	}
	b.WriteString(more)
	for name, text := range map[string]string{"LICENSE": "\n   " + licence + "\n", list: b.String()} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return func(context.Context) (string, error) { return dir, nil }
}

func TestRun(t *testing.T) {
	out := t.TempDir()
	fetch := fakeModule(t, licence, 1200, "# a note\n發\t发 髮\n𠮷\t吉\n㑮\t𫝈\n")
	if err := run(t.Context(), []string{"-out", out}, fetch, io.Discard); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(out, "pairs.txt"))
	if err != nil {
		t.Fatal(err)
	}
	for want, in := range map[string]bool{"發发": true, "牠它": true, "髮": false, "𠮷": false, "㑮": false, "Apache License 2.0": true} {
		if got := strings.Contains(string(text), want); got != in {
			t.Errorf("%q in the file: got %v, want %v", want, got, in)
		}
	}
}

func TestRunRefuses(t *testing.T) {
	for name, fetch := range map[string]fetcher{
		"another licence": fakeModule(t, "All rights reserved", 1200, ""),
		"a short list":    fakeModule(t, licence, 10, ""),
		"a broken line":   fakeModule(t, licence, 1200, "發发\n"),
		"no network":      func(context.Context) (string, error) { return "", errors.New("no network") },
		"no module":       func(context.Context) (string, error) { return filepath.Join(t.TempDir(), "none"), nil },
	} {
		out := t.TempDir()
		if err := run(t.Context(), []string{"-out", out}, fetch, io.Discard); err == nil {
			t.Errorf("%s: no error", name)
		}
		if _, err := os.Stat(filepath.Join(out, "pairs.txt")); err == nil {
			t.Errorf("%s: a file was written", name)
		}
	}
	if err := run(t.Context(), []string{"-no-such"}, nil, io.Discard); err == nil {
		t.Error("an unknown flag")
	}
	out := filepath.Join(t.TempDir(), "none")
	if err := run(t.Context(), []string{"-out", out}, fakeModule(t, licence, 1200, ""), io.Discard); err == nil {
		t.Error("a folder that is not there")
	}
}

func TestCloseOver(t *testing.T) {
	pairs := map[rune]rune{'甲': '乙', '乙': '丙', '丙': '丁'}
	if err := closeOver(pairs); err != nil {
		t.Fatal(err)
	}
	for from, got := range pairs {
		if got != '丁' {
			t.Errorf("%q: got %q, want 丁", from, got)
		}
	}
	if err := closeOver(map[rune]rune{'甲': '乙', '乙': '丙', '丙': '乙'}); err == nil {
		t.Error("a circle")
	}
}
