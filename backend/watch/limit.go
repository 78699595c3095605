package watch

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"syscall"
	"time"

	"tidemark/backend/memory"
)

// limit is what the system refuses.
type limit struct {
	err      error     // why, nil where it refuses nothing
	tryAt    time.Time // when to ask again
	lostTill time.Time // events were lost: looked at like a folder without until then
}

// kqueueMost is how many entries a folder has at most to be watched where each
// costs a descriptor: twenty agents with so many sessions leave most of the few
// thousand that a process has.
const kqueueMost = 64

// perFile are the systems that watch a folder by opening every file in it.
var perFile = []string{"darwin", "freebsd", "openbsd", "netbsd", "dragonfly"}

// watch asks the system for a folder's events. Where it gives none the folder
// is looked at.
func (l *loop) watch(f *folder) {
	if l.tooLarge(f) {
		l.unwatch(f)
		return
	}
	if f.watched || l.note == nil {
		return
	}
	for _, other := range l.real[f.real] {
		if other.watched {
			f.watched, f.stale = true, true
			return
		}
	}
	if l.limit.err != nil {
		return // retry asks again
	}
	switch err := l.note.Add(f.real); {
	case err == nil:
		f.watched, f.stale = true, true
	case exhausted(err):
		l.limited(err)
	default: // it may not be read, or its file system has no events
		slog.Debug("a folder gives no events", "path", f.path, "err", err)
	}
}

// tooLarge tells whether watching a folder would cost too many descriptors. One
// that was too large is not watched before it has half the size.
func (l *loop) tooLarge(f *folder) bool {
	if !slices.Contains(perFile, l.opts.goos) {
		return false
	}
	if f.stale {
		if entries, err := os.ReadDir(f.path); err == nil {
			f.entries = len(entries)
		}
	}
	f.large = f.entries > kqueueMost || f.large && f.entries > kqueueMost/2
	return f.large
}

func (l *loop) unwatch(f *folder) {
	if f.watched && l.note != nil {
		_ = l.note.Remove(f.real)
	}
	f.watched = false
}

// exhausted tells that a limit of the system or of this process is reached.
func exhausted(err error) bool {
	return errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE) || errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.ENOMEM)
}

// limited notes that the system refused.
func (l *loop) limited(err error) {
	if l.limit.err == nil {
		l.limit.err, l.limit.tryAt = err, l.opts.Now().Add(l.opts.pace.try)
	}
}

// retry asks again for what was refused.
func (l *loop) retry(now time.Time) {
	if l.limit.err == nil || now.Before(l.limit.tryAt) {
		return
	}
	l.limit.err = nil
	if l.note == nil {
		l.connect()
	}
	l.reconcile()
}

// lostFor is how long events are not trusted after some were lost. What made
// the queue run over goes on for a while.
const lostFor = 30 * time.Second

// overflow starts anew after events were lost: which folders moved is among
// what was not told.
func (l *loop) overflow() {
	now := l.opts.Now()
	again := now.Before(l.limit.lostTill)
	l.limit.lostTill = now.Add(lostFor)
	l.suspect()
	l.mail.add(nil, true)
	if again {
		return // a queue that runs over all the time is not made better by a new one
	}
	l.disconnect()
	l.connect()
	l.reconcile()
}

// suspect has every folder looked at soon.
func (l *loop) suspect() {
	for _, f := range l.folders {
		f.due, f.stale = l.opts.Now(), true
	}
}

// publish says how changes are noticed, where that is new.
func (l *loop) publish() {
	is := l.notice()
	was := l.State()
	if is == nil && was.Notice == nil || is != nil && was.Notice != nil && *is == *was.Notice {
		return
	}
	if is == nil {
		l.setState(State{Mode: Events})
	} else {
		slog.Warn("changes are looked for instead of told by the system", "err", l.limit.err)
		l.setState(State{Mode: Polling, Notice: is})
	}
	l.mail.add(nil, true)
}

func (l *loop) notice() *memory.Problem {
	lost := l.opts.Now().Before(l.limit.lostTill)
	if l.limit.err == nil && !lost {
		return nil
	}
	p := &memory.Problem{Code: memory.ProblemWatchLimited, Count: 1}
	p.Message, p.Hint = explain(l.limit.err, l.opts.goos)
	return p
}

// explain says what is wrong and what to do. err is nil where events were lost.
func explain(err error, goos string) (message, hint string) {
	const meanwhile = "; folders are looked at every second instead"
	switch {
	case err == nil:
		return "more happened at once than the system's queue of events holds" + meanwhile,
			"Nothing was missed, and this passes by itself." + sysctl(goos, "max_queued_events", 65536)
	case errors.Is(err, syscall.ENOSPC):
		return "the system gives no more watches" + meanwhile,
			"Nothing is missed, it is only later." + sysctl(goos, "max_user_watches", 524288)
	case errors.Is(err, syscall.EMFILE) && goos == "linux":
		return "the system tells no further program of changes" + meanwhile,
			"Nothing is missed, it is only later." + sysctl(goos, "max_user_instances", 1024)
	default:
		return "the system does not tell of changes" + meanwhile,
			"Nothing is missed, it is only later. Close programs that hold many files open, or raise the limit of open files."
	}
}

func sysctl(goos, name string, value int) string {
	if goos != "linux" {
		return ""
	}
	return fmt.Sprintf(" If it comes often: sudo sysctl fs.inotify.%s=%d", name, value)
}
