package watch

import (
	"os"
	"path/filepath"
)

// want is what matters in one folder.
type want struct {
	all    bool            // every file whose name matters
	deep   bool            // the folders in it too
	names  map[string]bool // these files, whatever they are called
	guards map[string]bool // names that lead to a root, and may appear or go
}

func (w want) with(o want) want {
	return want{all: w.all || o.all, deep: w.deep || o.deep, names: union(w.names, o.names), guards: union(w.guards, o.guards)}
}

func union(a, b map[string]bool) map[string]bool {
	if len(b) == 0 {
		return a
	}
	u := make(map[string]bool, len(a)+len(b))
	for _, m := range []map[string]bool{a, b} {
		for name := range m {
			u[name] = true
		}
	}
	return u
}

// within tells whether everything in w is in o.
func (w want) within(o want) bool {
	return (!w.all || o.all) && (!w.deep || o.deep) && subset(w.names, o.names) && subset(w.guards, o.guards)
}

func subset(a, b map[string]bool) bool {
	for name := range a {
		if !b[name] {
			return false
		}
	}
	return true
}

// file gives the name under which a change of a file is told, "" where the file
// does not matter.
func (w want) file(folder, name string) string {
	told := spoken(name)
	switch {
	case told == "":
	case w.names[told]:
		return told
	case w.names[name]:
		return name
	case w.all && matters(filepath.Base(folder), told):
		return told
	}
	return ""
}

// plan says what matters in which folders. A root that is not there is awaited
// in the nearest folder above it that is.
func plan(roots []Root) map[string]want {
	wanted := map[string]want{}
	for _, r := range roots {
		path := filepath.Clean(r.Path)
		if !filepath.IsAbs(path) {
			continue
		}
		w := want{all: true, deep: r.Reach == Tree}
		if r.Reach == File {
			w = want{names: map[string]bool{filepath.Base(path): true}}
			path = filepath.Dir(path)
		}
		wanted[path] = wanted[path].with(w)
		guard(wanted, path)
	}
	return wanted
}

func guard(wanted map[string]want, path string) {
	for dir := filepath.Dir(path); dir != path; path, dir = dir, filepath.Dir(dir) {
		wanted[dir] = wanted[dir].with(want{guards: map[string]bool{filepath.Base(path): true}})
		if info, err := os.Stat(dir); err == nil && info.IsDir() {
			return
		}
	}
}
