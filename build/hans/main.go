// Command hans makes the table of backend/hans anew.
//
// Run it at the top of the repository:
//
//	go run ./build/hans
//
// It fetches a released Go module with the go command, reads the list of
// traditional characters in it, adds the variants of this program, and writes
// backend/hans/data/pairs.txt.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
)

// The list is OpenCC's (github.com/BYVoid/OpenCC), as this module carries it.
const (
	module  = "github.com/longbridgeapp/opencc"
	version = "v0.3.13"
	sum     = "h1:H8r4oXL4s+oR3gbBb4tW4D26jT+Mc5+znzwAnXsx4ao="
	licence = "Apache License" // first line of its LICENSE
	list    = "dictionary/TSCharacters.txt"
)

// fetcher brings the module onto this machine and gives its folder.
type fetcher func(ctx context.Context) (dir string, err error)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	err := run(ctx, os.Args[1:], download, os.Stderr)
	switch {
	case errors.Is(err, flag.ErrHelp):
	case err != nil:
		fmt.Fprintln(os.Stderr, "hans:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, fetch fetcher, log io.Writer) error {
	flags := flag.NewFlagSet("hans", flag.ContinueOnError)
	flags.SetOutput(log)
	out := flags.String("out", filepath.Join("backend", "hans", "data"), "folder of the table")
	if err := flags.Parse(args); err != nil {
		return err
	}
	dir, err := fetch(ctx)
	if err != nil {
		return fmt.Errorf("fetch %s: %w", module, err)
	}
	if err := checkLicence(filepath.Join(dir, "LICENSE")); err != nil {
		return err
	}
	text, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(list)))
	if err != nil {
		return fmt.Errorf("read list: %w", err)
	}
	pairs, err := parse(string(text))
	if err != nil {
		return fmt.Errorf("read list: %w", err)
	}
	if err := closeOver(pairs); err != nil {
		return fmt.Errorf("read list: %w", err)
	}
	if err := os.WriteFile(filepath.Join(*out, "pairs.txt"), file(pairs), 0o644); err != nil {
		return fmt.Errorf("write table: %w", err)
	}
	fmt.Fprintf(log, "%d characters\n", len(pairs))
	return nil
}

// download fetches with the go command, away from this module so that its
// go.mod stays as it is. A module of another content than known is refused.
func download(ctx context.Context) (string, error) {
	cmd := exec.CommandContext(ctx, "go", "mod", "download", "-json", module+"@"+version)
	cmd.Dir = os.TempDir()
	text, err := cmd.Output()
	var got struct{ Dir, Sum, Error string }
	if json.Unmarshal(text, &got) == nil && got.Error != "" {
		return "", errors.New(got.Error)
	}
	if err != nil {
		return "", err
	}
	if got.Sum != sum {
		return "", fmt.Errorf("its sum is %q, not %q", got.Sum, sum)
	}
	return got.Dir, nil
}

func checkLicence(path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("read licence: %w", err)
	}
	if got, _, _ := strings.Cut(strings.TrimSpace(string(text)), "\n"); got != licence {
		return fmt.Errorf("its licence is %q, not %q", got, licence)
	}
	return nil
}
