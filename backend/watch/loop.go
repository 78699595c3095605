package watch

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/fsnotify/fsnotify"
)

// loop follows the folders. One goroutine owns it.
type loop struct {
	*Watcher
	mail    *mail
	box     *inbox
	note    notifier // nil while the system gives none
	drains  sync.WaitGroup
	folders map[string]*folder   // by path
	real    map[string][]*folder // by real path
	round   int
	changed bool // folders came or went: reconcile
	dirty   map[string]struct{}
	limit   limit

	calmAt time.Time // when to go through everything next
	restAt time.Time // no looking by itself before: bounds what it costs
}

func newLoop(w *Watcher, m *mail) *loop {
	return &loop{Watcher: w, mail: m, box: newInbox(), folders: map[string]*folder{}, real: map[string][]*folder{}, dirty: map[string]struct{}{}}
}

func (l *loop) run(ctx context.Context) {
	l.calmAt = l.opts.Now().Add(l.opts.pace.calm)
	l.connect()
	l.reconcile()
	l.publish()
	l.mail.add(nil, true)
	clear(l.dirty)
	timer := time.NewTimer(l.wait())
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			l.disconnect()
			return
		case <-l.box.ready:
			l.receive()
		case <-l.again:
			l.reconcile()
		case <-timer.C:
			l.tick()
		}
		l.publish()
		l.mail.add(l.dirty, false)
		clear(l.dirty)
		timer.Reset(l.wait())
	}
}

// connect asks the system for events.
func (l *loop) connect() {
	n, err := l.opts.open()
	if err != nil {
		l.limited(err)
		return
	}
	l.note = n
	l.drains.Go(func() { l.box.drain(n) })
}

func (l *loop) disconnect() {
	if l.note != nil {
		_ = l.note.Close() // nothing was written by it
	}
	l.drains.Wait()
	l.note = nil
	for _, f := range l.folders {
		f.watched, f.stale = false, true
	}
}

// reconcile makes the folders that are followed those that are wanted. What is
// found on the way may change that; a few rounds settle it, or the next tick.
func (l *loop) reconcile() {
	for range 4 {
		l.changed = false
		l.round++
		planned := plan(l.opts.Roots())
		for _, path := range slices.Sorted(maps.Keys(planned)) {
			l.visit(path, want{}, planned, nil)
		}
		settled := !l.changed
		for _, f := range l.folders {
			if f.round != l.round {
				l.forget(f)
			}
		}
		if settled {
			l.changed = false
			return
		}
	}
}

// receive follows what the system told.
func (l *loop) receive() {
	events, gap := l.box.take()
	switch gap {
	case overflown:
		l.overflow()
	case broken:
		l.suspect()
	}
	for path, op := range events {
		if op.Has(fsnotify.Remove) || op.Has(fsnotify.Rename) {
			l.drop(path) // before its new place is watched: the system keeps one watch for both
		}
	}
	for path, op := range events {
		l.event(path, op)
	}
	if l.changed {
		l.verify() // a folder may have been found in its new place too early
		l.reconcile()
	}
}

func (l *loop) event(path string, op fsnotify.Op) {
	dir, name := split(path, l.opts.goos)
	moved := op.Has(fsnotify.Create) || op.Has(fsnotify.Remove) || op.Has(fsnotify.Rename)
	for _, f := range l.real[dir] {
		f.mute = false
		if moved && (f.want.guards[name] || f.subs[name] || l.newFolder(f, name)) {
			f.stale, l.changed = true, true
		}
		if f.want.file(f.path, name) == "" {
			continue
		}
		f.touched(l.opts.Now(), l.opts.Now())
		if s, ok := stampAt(filepath.Join(f.path, name), l.opts.Now); ok {
			s.young = false // an event tells of what comes
			f.files[name] = s
		} else {
			delete(f.files, name)
		}
		l.tell(f, name)
	}
}

// newFolder tells whether a name in a tree is a folder.
func (l *loop) newFolder(f *folder, name string) bool {
	if !f.want.deep || skipped[name] {
		return false
	}
	info, err := os.Stat(filepath.Join(f.path, name))
	return err == nil && info.IsDir()
}
