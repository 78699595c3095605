package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
)

// fetcher brings a package into dir and gives the path of its file.
type fetcher interface {
	fetch(ctx context.Context, s source, dir string) (file string, err error)
}

// registries fetches through the ordinary clients, as they are set up on this
// machine. Neither runs code of the package.
type registries struct{}

func (registries) fetch(ctx context.Context, s source, dir string) (string, error) {
	own, err := os.MkdirTemp(dir, s.registry)
	if err != nil {
		return "", err
	}
	var cmd *exec.Cmd
	switch s.registry {
	case "npm":
		cmd = exec.CommandContext(ctx, "npm", "pack", "--silent", "--ignore-scripts", s.name())
	case "pip":
		spec := s.pkg
		if s.version != latest {
			spec += "==" + s.version
		}
		cmd = exec.CommandContext(ctx, "python3", "-m", "pip", "download", "--quiet", "--no-deps",
			"--only-binary=:all:", "--disable-pip-version-check", spec)
	default:
		return "", fmt.Errorf("no client for %q", s.registry)
	}
	cmd.Dir = own
	if text, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%s: %w: %s", cmd.Args[0], err, bytes.TrimSpace(text))
	}
	return onlyFile(own)
}

func onlyFile(dir string) (string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return "", err
	}
	if len(entries) != 1 {
		return "", fmt.Errorf("%d files where one package was expected", len(entries))
	}
	return filepath.Join(dir, entries[0].Name()), nil
}

// mostFile bounds the size of one file of a package in bytes: the largest
// catalog has a tenth of it.
const mostFile = 64 << 20

// readTar gives the files of a .tgz for which want says yes, by name.
func readTar(file string, want func(name string) bool) (map[string][]byte, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil, err
	}
	found := map[string][]byte{}
	for t := tar.NewReader(z); ; {
		h, err := t.Next()
		if errors.Is(err, io.EOF) {
			return found, nil
		}
		if err != nil {
			return nil, err
		}
		if h.Typeflag != tar.TypeReg || !want(h.Name) {
			continue
		}
		if found[h.Name], err = readLimited(t); err != nil {
			return nil, fmt.Errorf("%s: %w", h.Name, err)
		}
	}
}

// readZip gives the files of a wheel for which want says yes, by name.
func readZip(file string, want func(name string) bool) (map[string][]byte, error) {
	z, err := zip.OpenReader(file)
	if err != nil {
		return nil, err
	}
	defer z.Close()
	found := map[string][]byte{}
	for _, h := range z.File {
		if !want(h.Name) || h.FileInfo().Mode()&fs.ModeType != 0 {
			continue
		}
		r, err := h.Open()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", h.Name, err)
		}
		found[h.Name], err = readLimited(r)
		r.Close()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", h.Name, err)
		}
	}
	return found, nil
}

func readLimited(r io.Reader) ([]byte, error) {
	b, err := io.ReadAll(io.LimitReader(r, mostFile+1))
	if err == nil && len(b) > mostFile {
		err = errors.New("too large")
	}
	return b, err
}
