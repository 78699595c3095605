package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The types that are in the repository must be those that the API sends.
func TestNotStale(t *testing.T) {
	root := filepath.Join("..", "..")
	want, err := generate(filepath.Join(root, "backend", "api", "types*.go"))
	if err != nil {
		t.Fatal(err)
	}
	if err := compare(filepath.Join(root, "frontend", "src", "api", "types.gen.ts"), want); err != nil {
		t.Error(err)
	}
}

const sample = `package api

// Base is embedded.
type Base struct {
	ID string ` + "`json:\"id\"`" + `
}

// Row is a row.
//
// It has */ in its comment.
type Row struct {
	Base
	hidden int
	Skipped int ` + "`json:\"-\"`" + `
	// At is a time,
	// or not.
	At *string ` + "`json:\"at\"`" + `
	Sum float64 ` + "`json:\"sum,omitempty\"`" + ` // dollars
	Parts []Base ` + "`json:\"parts\"`" + `
	Maybe []*int64 ` + "`json:\"may-be\"`" + `
	Any any ` + "`json:\"any\"`" + `
	OK bool ` + "`json:\"ok,omitzero\"`" + `
}

type private struct{ X func() }

const other = 1
`

const sampleTS = `// Written by build/types from types.go. Do not edit: run "go run ./build/types".
/* eslint-disable */

/** Base is embedded. */
export interface Base {
  id: string;
}

/**
 * Row is a row.
 *
 * It has * / in its comment.
 */
export interface Row extends Base {
  /**
   * At is a time,
   * or not.
   */
  at: string | null;
  /** dollars */
  sum?: number;
  parts: Base[];
  "may-be": (number | null)[];
  any: unknown;
  ok?: boolean;
}
`

func TestRender(t *testing.T) {
	structs, err := parse(goFile{"types.go", []byte(sample)})
	if err != nil {
		t.Fatal(err)
	}
	if got := string(render("types.go", structs)); got != sampleTS {
		t.Errorf("got\n%s\nwant\n%s", got, sampleTS)
	}
}

func TestRefuses(t *testing.T) {
	tests := []struct{ name, body, want string }{
		{"no tag", "A int", "no json name"},
		{"tag without a name", "A int `json:\",omitempty\"`", "no json name"},
		{"two fields", "A, B int `json:\"a\"`", "share the name"},
		{"map", "A map[string]int `json:\"a\"`", "no TypeScript"},
		{"other package", "A time.Time `json:\"a\"`", "no TypeScript"},
		{"named type", "A Code `json:\"a\"`", "no TypeScript for Code"},
		{"bytes in a list", "A []byte `json:\"a\"`", "no TypeScript for byte"},
		{"option", "A int64 `json:\"a,string\"`", "not supported"},
		{"pointer embedded", "*T", "embeds"},
		{"foreign embedded", "Other", "embeds"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := parse(goFile{"types.go", []byte("package api\ntype T struct {\n" + tt.body + "\n}\n")})
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want %q", err, tt.want)
			}
		})
	}
	if _, err := parse(goFile{"types.go", []byte("package api\ntype T[K any] struct{}")}); err == nil {
		t.Error("type parameters were taken")
	}
	if _, err := parse(goFile{"types.go", []byte("package")}); err == nil {
		t.Error("broken Go was taken")
	}
}

func TestRunWritesThenChecks(t *testing.T) {
	dir := t.TempDir()
	in, out := filepath.Join(dir, "types.go"), filepath.Join(dir, "types.ts")
	must(t, os.WriteFile(in, []byte(sample), 0o600))
	args := []string{"-in", in, "-out", out}
	check := append([]string{"-check"}, args...)

	if err := run(check, io.Discard); err == nil || !strings.Contains(err.Error(), "is missing") {
		t.Errorf("missing file: got %v", err)
	}
	must(t, run(args, io.Discard))
	first, err := os.ReadFile(out)
	must(t, err)
	must(t, run(args, io.Discard))
	second, err := os.ReadFile(out)
	must(t, err)
	if !bytes.Equal(first, second) {
		t.Error("two runs differ")
	}
	must(t, run(check, io.Discard))
	must(t, os.WriteFile(out, bytes.ReplaceAll(first, []byte("\n"), []byte("\r\n")), 0o600))
	must(t, run(check, io.Discard))
	must(t, os.WriteFile(out, bytes.Replace(first, []byte("id: string"), []byte("id: number"), 1), 0o600))
	if err := run(check, io.Discard); err == nil || !strings.Contains(err.Error(), "stale from line 6 on") {
		t.Errorf("stale file: got %v", err)
	}
	must(t, os.WriteFile(out, first[:len(first)-3], 0o600))
	if err := run(check, io.Discard); err == nil || !strings.Contains(err.Error(), "stale") {
		t.Errorf("cut file: got %v", err)
	}
}

func TestRunFails(t *testing.T) {
	dir := t.TempDir()
	if err := run([]string{"-nonsense"}, io.Discard); err == nil {
		t.Error("an unknown flag was taken")
	}
	if err := run([]string{"-in", filepath.Join(dir, "none.go")}, io.Discard); err == nil {
		t.Error("a missing source was taken")
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
