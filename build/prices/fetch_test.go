package main

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"os"
	"path/filepath"
	"testing"
)

// tgz makes an npm package.
func tgz(t *testing.T, files map[string]string) string {
	t.Helper()
	f, err := os.Create(filepath.Join(t.TempDir(), "package.tgz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z := gzip.NewWriter(f)
	w := tar.NewWriter(z)
	for name, text := range files {
		h := &tar.Header{Name: name, Typeflag: tar.TypeReg, Mode: 0o644, Size: int64(len(text))}
		if err := w.WriteHeader(h); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.WriteHeader(&tar.Header{Name: piFolder, Typeflag: tar.TypeDir}); err != nil {
		t.Fatal(err)
	}
	for _, c := range []interface{ Close() error }{w, z} {
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return f.Name()
}

// wheel makes a Python package with litellm's price file.
func wheel(t *testing.T, metadata, prices string) string {
	t.Helper()
	f, err := os.Create(filepath.Join(t.TempDir(), "package.whl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z := zip.NewWriter(f)
	for name, text := range map[string]string{
		"litellm-1.2.3.dist-info/METADATA": metadata, litellmFile: prices, "litellm/main.py": "pass",
	} {
		w, err := z.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return f.Name()
}

func TestReadArchives(t *testing.T) {
	all := func(string) bool { return true }
	for name, read := range map[string]func(string, func(string) bool) (map[string][]byte, error){"tar": readTar, "zip": readZip} {
		if _, err := read(filepath.Join(t.TempDir(), "none"), all); err == nil {
			t.Errorf("%s: a file that is not there", name)
		}
	}
	cut := tgz(t, map[string]string{"a": "1", "b": "2"})
	text, err := os.ReadFile(cut)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(cut, text[:len(text)/2], 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := readTar(cut, all); err == nil {
		t.Error("a package that is cut off")
	}
	files, err := readZip(wheel(t, "m", "p"), func(name string) bool { return name == litellmFile })
	if err != nil || len(files) != 1 || string(files[litellmFile]) != "p" {
		t.Errorf("%v %v", files, err)
	}
}

func TestOnlyFile(t *testing.T) {
	dir := t.TempDir()
	if _, err := onlyFile(dir); err == nil {
		t.Error("no file")
	}
	want := filepath.Join(dir, "a")
	if err := os.WriteFile(want, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if got, err := onlyFile(dir); err != nil || got != want {
		t.Errorf("%q %v", got, err)
	}
	if err := os.WriteFile(filepath.Join(dir, "b"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := onlyFile(dir); err == nil {
		t.Error("two files")
	}
	if _, err := onlyFile(filepath.Join(dir, "none")); err == nil {
		t.Error("no folder")
	}
}

func TestFetchKnowsItsRegistries(t *testing.T) {
	if _, err := (registries{}).fetch(t.Context(), source{registry: "other"}, t.TempDir()); err == nil {
		t.Error("a registry without a client")
	}
	if _, err := (registries{}).fetch(t.Context(), source{registry: "npm"}, filepath.Join(t.TempDir(), "none")); err == nil {
		t.Error("a folder that is not there")
	}
}
