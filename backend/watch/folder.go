package watch

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// deepest is how many folders deep a tree is followed: deeper than any
// workspace, and an end where links make a maze.
const deepest = 32

// folder is one that exists and is followed.
type folder struct {
	path, real string // as the roots spell it; without links: what events name
	info       fs.FileInfo
	want       want
	stamp      stamp // of the folder itself when it was last listed
	files      map[string]stamp
	subs       map[string]bool
	entries    int
	round      int  // of reconcile, in which it was last wanted
	stale      bool // it is to be listed again
	dangling   bool // a link in it leads nowhere yet: it is listed at every visit
	watched    bool
	large      bool // it has too many entries to be watched on this system
	mute       bool // it changed and no event came: looked at like one without
	surprised  bool // a look found what no event had told
	changed    time.Time
	due        time.Time // when to look next
}

// under tells whether path is dir or below it.
func under(path, dir string) bool {
	rest, ok := strings.CutPrefix(path, dir)
	return ok && (rest == "" || os.IsPathSeparator(rest[0]) || os.IsPathSeparator(dir[len(dir)-1]))
}

// visit makes sure that a folder is followed as wanted, and those in it. chain
// are the real paths above, by which a link in a circle is known.
func (l *loop) visit(path string, w want, planned map[string]want, chain []string) {
	info, err := os.Stat(path)
	if err != nil || !info.IsDir() {
		if l.folders[path] != nil {
			l.drop(path)
		}
		return
	}
	f := l.folders[path]
	if f != nil && !os.SameFile(f.info, info) {
		l.drop(path)
		f = nil
	}
	if f == nil {
		f = l.follow(path, info)
	}
	if f.round == l.round {
		return // it was visited as part of a tree
	}
	f.round = l.round
	if w = w.with(planned[path]); !w.within(f.want) {
		f.stale = true
	}
	f.want = w
	l.watch(f)
	if now := l.opts.Now(); f.due.After(now.Add(l.every(f, now))) {
		f.due = now.Add(l.every(f, now))
	}
	if f.stale || f.dangling {
		l.list(f)
	}
	if !w.deep || len(chain) >= deepest || slices.Contains(chain, f.real) {
		return
	}
	chain = append(slices.Clone(chain), f.real)
	for name := range f.subs {
		l.visit(filepath.Join(path, name), want{all: true, deep: true}, planned, chain)
	}
}

// follow begins with a folder. It is listed when it is watched: what is
// made in between would be missed.
func (l *loop) follow(path string, info fs.FileInfo) *folder {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		real = path
	}
	f := &folder{path: path, real: real, info: info, stale: true, files: map[string]stamp{}, subs: map[string]bool{}, due: l.calmAt}
	l.folders[path] = f
	l.real[real] = append(l.real[real], f)
	return f
}

// drop forgets the folders at or below a path, by either of its spellings, and
// tells of the files that were there.
func (l *loop) drop(path string) {
	for _, f := range l.folders {
		if under(f.path, path) || under(f.real, path) {
			l.forget(f)
		}
	}
}

func (l *loop) forget(f *folder) {
	for name := range f.files {
		l.tell(f, name)
	}
	delete(l.folders, f.path)
	others := slices.DeleteFunc(l.real[f.real], func(o *folder) bool { return o == f })
	if l.real[f.real] = others; len(others) == 0 {
		delete(l.real, f.real)
		if f.watched && l.note != nil {
			_ = l.note.Remove(f.real) // the system has forgotten it where it is gone
		}
	}
	l.changed = true
}

// list compares what is in a folder with what was there, and tells of the
// difference.
func (l *loop) list(f *folder) {
	f.stale = false
	at := l.opts.Now()
	info, err := os.Stat(f.path)
	if err != nil {
		l.vanished(f, err)
		return
	}
	if !f.want.all {
		f.stamp = stampOf(info, at)
		l.listNamed(f)
		return
	}
	entries, err := os.ReadDir(f.path)
	if err != nil {
		l.vanished(f, err)
		return
	}
	f.stamp, f.entries = stampOf(info, at), len(entries)
	l.compare(f, entries)
}

// compare is list for a folder in which every file may matter.
func (l *loop) compare(f *folder, entries []fs.DirEntry) {
	files, subs := map[string]bool{}, map[string]bool{}
	f.dangling = false
	for _, e := range entries {
		switch name := e.Name(); {
		case l.isFolder(f, e):
			if f.want.deep && !skipped[name] {
				subs[name] = true
			}
		case f.want.file(f.path, name) != "":
			files[name] = true
		}
	}
	for name := range files {
		l.look(f, name)
	}
	for name := range f.files {
		if !files[name] {
			l.look(f, name)
		}
	}
	for name := range f.subs {
		if !subs[name] {
			l.drop(filepath.Join(f.path, name))
		}
	}
	for name := range subs {
		l.changed = l.changed || !f.subs[name]
	}
	f.subs = subs
}

func (l *loop) isFolder(f *folder, e fs.DirEntry) bool {
	if e.Type()&fs.ModeSymlink == 0 {
		return e.IsDir()
	}
	info, err := os.Stat(filepath.Join(f.path, e.Name()))
	f.dangling = f.dangling || err != nil
	return err == nil && info.IsDir()
}

// listNamed is list for a folder in which only some names matter.
func (l *loop) listNamed(f *folder) {
	for name := range f.want.names {
		for _, log := range []string{"", "-wal", "-journal"} {
			l.look(f, name+log)
		}
	}
	l.changed = l.changed || len(f.want.guards) > 0
}

// vanished is for a folder that cannot be listed. One that exists but may not
// be read is tried again when it is next looked at.
func (l *loop) vanished(f *folder, err error) {
	f.stamp = stamp{}
	if errors.Is(err, fs.ErrNotExist) {
		l.drop(f.path)
	}
}

// look compares one file with what it was, and tells where it differs.
func (l *loop) look(f *folder, name string) {
	was, had := f.files[name]
	is, have := stampAt(filepath.Join(f.path, name), l.opts.Now)
	switch {
	case have:
		f.files[name] = is
	case had:
		delete(f.files, name)
		f.stale = true // a link to it may be there yet
	}
	if had != have || have && !was.same(is) {
		l.tell(f, name)
	}
	if have && !had {
		f.touched(time.Unix(0, is.mtime), l.opts.Now())
	}
	was.young = false
	f.surprised = f.surprised || had != have || have && !was.same(is)
}

// touched notes when the folder changed; a clock that is ahead counts as now.
func (f *folder) touched(at, now time.Time) {
	if at.After(now) {
		at = now
	}
	if at.After(f.changed) {
		f.changed = at
	}
}

// tell marks a file as changed.
func (l *loop) tell(f *folder, name string) {
	if told := f.want.file(f.path, name); told != "" {
		l.dirty[filepath.Join(f.path, told)] = struct{}{}
	}
}
