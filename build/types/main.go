package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

func main() {
	err := run(os.Args[1:], os.Stderr)
	switch {
	case errors.Is(err, flag.ErrHelp):
	case err != nil:
		fmt.Fprintln(os.Stderr, "types:", err)
		os.Exit(1)
	}
}

// run writes or checks the file of types. What happened goes to log.
func run(args []string, log io.Writer) error {
	flags := flag.NewFlagSet("types", flag.ContinueOnError)
	flags.SetOutput(log)
	in := flags.String("in", filepath.Join("backend", "api", "types*.go"), "Go files with the types: a pattern")
	out := flags.String("out", filepath.Join("frontend", "src", "api", "types.gen.ts"), "TypeScript file")
	check := flags.Bool("check", false, "write nothing; fail where the file is stale")
	if err := flags.Parse(args); err != nil {
		return err
	}
	want, err := generate(*in)
	if err != nil {
		return err
	}
	if *check {
		return compare(*out, want)
	}
	if err := os.WriteFile(*out, want, 0o644); err != nil {
		return fmt.Errorf("write types: %w", err)
	}
	fmt.Fprintln(log, "wrote", filepath.ToSlash(*out))
	return nil
}

// generate gives the TypeScript text for the Go files that fit a pattern, in
// the order of their names.
func generate(in string) ([]byte, error) {
	files, err := filepath.Glob(in)
	if err != nil || len(files) == 0 {
		return nil, fmt.Errorf("read types: no file fits %s", in)
	}
	sources := make([]goFile, len(files))
	for i, file := range files {
		src, err := os.ReadFile(file)
		if err != nil {
			return nil, fmt.Errorf("read types: %w", err)
		}
		sources[i] = goFile{filepath.Base(file), src}
	}
	structs, err := parse(sources...)
	if err != nil {
		return nil, err
	}
	return render(filepath.Base(in), structs), nil
}

// compare says in one sentence what to do where the file is missing or differs
// from want. Line ends of Windows do not count: git may have put them there.
func compare(out string, want []byte) error {
	have, err := os.ReadFile(out)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s is missing: run go run ./build/types", filepath.ToSlash(out))
	}
	if err != nil {
		return fmt.Errorf("read types: %w", err)
	}
	have = bytes.ReplaceAll(have, []byte("\r\n"), []byte("\n"))
	if line := firstDifference(have, want); line > 0 {
		return fmt.Errorf("%s is stale from line %d on: run go run ./build/types and commit it", filepath.ToSlash(out), line)
	}
	return nil
}

// firstDifference gives the number of the first line in which two texts
// differ, 0 where they are equal.
func firstDifference(a, b []byte) int {
	if bytes.Equal(a, b) {
		return 0
	}
	as, bs := bytes.Split(a, []byte("\n")), bytes.Split(b, []byte("\n"))
	for i := range min(len(as), len(bs)) {
		if !bytes.Equal(as[i], bs[i]) {
			return i + 1
		}
	}
	return min(len(as), len(bs)) + 1
}
