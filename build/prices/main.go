package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	err := run(ctx, os.Args[1:], sources, registries{}, os.Stderr)
	switch {
	case errors.Is(err, flag.ErrHelp):
	case err != nil:
		fmt.Fprintln(os.Stderr, "prices:", err)
		os.Exit(1)
	}
}

// run makes the table from the packages of from. They come through f; what
// happened goes to log.
func run(ctx context.Context, args []string, from []source, f fetcher, log io.Writer) error {
	flags := flag.NewFlagSet("prices", flag.ContinueOnError)
	flags.SetOutput(log)
	out := flags.String("out", filepath.Join("backend", "price"), "folder of the table")
	drop := flags.Bool("drop", false, "go on where models lose their price")
	if err := flags.Parse(args); err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "prices")
	if err != nil {
		return fmt.Errorf("make folder for packages: %w", err)
	}
	defer os.RemoveAll(dir)
	catalogs, err := readAll(ctx, from, f, dir, log)
	if err != nil {
		return err
	}
	table := merge(catalogs)
	if err := compare(filepath.Join(*out, tableFile), table, *drop, log); err != nil {
		return err
	}
	return write(*out, table, catalogs)
}

// readAll fetches and reads every source in turn.
func readAll(ctx context.Context, from []source, f fetcher, dir string, log io.Writer) ([]catalog, error) {
	var all []catalog
	for _, s := range from {
		file, err := f.fetch(ctx, s, dir)
		if err != nil {
			return nil, fmt.Errorf("fetch %s: %w", s.name(), err)
		}
		c, err := s.read(file)
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", s.name(), err)
		}
		if len(c.rows) == 0 {
			return nil, fmt.Errorf("read %s: no models in it: has its layout changed?", s.name())
		}
		c.source = s
		fmt.Fprintf(log, "%-34s %5d models\n", c.title(), len(c.rows))
		all = append(all, c)
	}
	return all, nil
}
