package watch

import (
	"os"
	"path/filepath"
	"time"
)

const (
	// hotFor is how long a folder that changed counts as one that is written to:
	// longer than people pause in a talk.
	hotFor = 5 * time.Minute
	// rest is how many times as long as a look took the pause after it is at
	// least, up to a second. So looking costs 1% of a core at most, unless one look
	// takes over 10 ms.
	rest = 100
	// unsettled is the pause before folders are gone through again when they
	// changed all the while.
	unsettled = 20 * time.Millisecond
)

// every gives the time between looks at a folder.
func (l *loop) every(f *folder, now time.Time) time.Duration {
	switch {
	case f.watched && !f.mute && !now.Before(l.limit.lostTill):
		return l.opts.pace.calm
	case now.Sub(f.changed) < hotFor:
		return l.opts.pace.hot
	default:
		return l.opts.pace.cold
	}
}

// tick looks at the folders whose time has come.
func (l *loop) tick() {
	now := l.opts.Now()
	if now.Before(l.restAt) {
		return
	}
	l.retry(now)
	if !now.Before(l.calmAt) {
		l.calmAt = now.Add(l.opts.pace.calm)
		l.verify()
		l.reconcile()
	}
	for _, f := range l.folders {
		if !now.Before(f.due) {
			l.check(f)
			f.due = now.Add(l.every(f, now))
		}
	}
	if l.changed {
		l.reconcile()
	}
	done := l.opts.Now()
	l.restAt = done.Add(min(rest*done.Sub(now), l.opts.pace.cold))
}

// check looks at a folder and the files in it.
func (l *loop) check(f *folder) {
	f.surprised = false
	at := l.opts.Now()
	info, err := os.Stat(f.path)
	switch {
	case err != nil || !os.SameFile(info, f.info):
		l.drop(f.path)
	case f.stale || f.dangling || !f.stamp.same(stampOf(info, at)):
		l.list(f)
	default:
		for name := range f.files {
			l.look(f, name)
		}
	}
	if f.surprised {
		f.touched(at, at)
		f.mute = f.watched
	}
}

// verify finds folders whose watch the system dropped without a word.
func (l *loop) verify() {
	if l.note == nil {
		return
	}
	have := map[string]bool{}
	for _, path := range l.note.WatchList() {
		have[filepath.Clean(path)] = true
	}
	for _, f := range l.folders {
		if f.watched && !have[f.real] {
			f.watched, f.stale = false, true
		}
	}
}

// wait gives the time until the next tick.
func (l *loop) wait() time.Duration {
	next := l.calmAt
	if l.changed {
		next = l.opts.Now().Add(unsettled)
	}
	for _, f := range l.folders {
		if f.due.Before(next) {
			next = f.due
		}
	}
	if next.Before(l.restAt) {
		next = l.restAt
	}
	return max(next.Sub(l.opts.Now()), 0)
}
