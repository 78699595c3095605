package watch

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/fsnotify/fsnotify"

	"tidemark/backend/memory"
)

// scarce is the system with limits that a test sets.
type scarce struct {
	mu        sync.Mutex
	instances error // why none is given
	watches   int   // how many folders can be watched
	asked     int   // how often one more was wanted
	open      *limitedNotifier
}

// limitedNotifier is the system's with the limits of a scarce, and with faults
// that a test puts in.
type limitedNotifier struct {
	notifier
	of     *scarce
	faults chan error
	events chan fsnotify.Event
	ended  chan struct{}

	forwards sync.WaitGroup
}

func (s *scarce) set(instances error, watches int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.instances, s.watches = instances, watches
}

func (s *scarce) connect() (notifier, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.instances != nil {
		return nil, s.instances
	}
	n, err := openSystem()
	if err != nil {
		return nil, err
	}
	l := &limitedNotifier{notifier: n, of: s, faults: make(chan error), events: make(chan fsnotify.Event), ended: make(chan struct{})}
	l.forwards.Go(func() { forward(n.Events(), l.events, l.ended) })
	l.forwards.Go(func() { forward(n.Errors(), l.faults, l.ended) })
	s.open = l
	return l, nil
}

func (l *limitedNotifier) Events() <-chan fsnotify.Event { return l.events }
func (l *limitedNotifier) Errors() <-chan error          { return l.faults }

// forward hands on what the system tells, errors too: it waits for both to be
// taken.
func forward[T any](from <-chan T, to chan<- T, ended <-chan struct{}) {
	for x := range from {
		select {
		case to <- x:
		case <-ended:
		}
	}
}

func (l *limitedNotifier) Close() error {
	close(l.ended)
	err := l.notifier.Close()
	l.forwards.Wait()
	close(l.events)
	close(l.faults)
	return err
}

func (l *limitedNotifier) Add(path string) error {
	l.of.mu.Lock()
	defer l.of.mu.Unlock()
	if l.of.asked++; len(l.WatchList()) >= l.of.watches {
		return fmt.Errorf("add %s: %w", path, syscall.ENOSPC)
	}
	return l.notifier.Add(path)
}

// brisk polls so fast that a test need not wait, and takes nothing from calm.
var brisk = pace{hot: 20 * time.Millisecond, cold: 30 * time.Millisecond, calm: never, try: 50 * time.Millisecond}

func limitedNow(s State) bool { return s.Mode == Polling && s.Notice != nil }
func freeNow(s State) bool    { return s.Mode == Events && s.Notice == nil }

// TestLimits covers case 112 and its kin: no instance at all, or too few
// watches. There is one notice, nothing is missed, and it passes.
func TestLimits(t *testing.T) {
	for _, c := range []struct {
		name      string
		instances error
		watches   int
		hint      string
	}{
		{"no instance", fmt.Errorf("inotify_init: %w", syscall.EMFILE), 0, "fs.inotify.max_user_instances"},
		{"no descriptor in the system", syscall.ENFILE, 0, "open files"},
		{"no watch", nil, 0, "fs.inotify.max_user_watches"},
		{"three watches", nil, 3, "fs.inotify.max_user_watches"},
	} {
		t.Run(c.name, func(t *testing.T) {
			system := &scarce{}
			system.set(c.instances, c.watches)
			root := filepath.Join(place(t), "root")
			r := watching(t, Options{pace: brisk, open: system.connect, goos: "linux"}, Root{Path: root, Reach: Tree})
			if c.watches == 0 {
				r.until("polling", limitedNow)
			}
			play(t, r, 1, root, 150)
			for i := range 6 {
				write(t, filepath.Join(root, fmt.Sprintf("d%d", i), "e", "a.md"), "1")
			}
			s := r.until("polling", limitedNow)
			if s.Notice.Code != memory.ProblemWatchLimited || !strings.Contains(s.Notice.Hint, c.hint) || s.Notice.Message == "" {
				t.Errorf("notice %+v, want the hint to name %s", s.Notice, c.hint)
			}
			r.agrees()
			system.set(nil, 1<<20)
			r.until("events again", freeNow)
			play(t, r, 2, root, 150)
			if s := r.w.State(); !freeNow(s) {
				t.Errorf("state %+v", s)
			}
		})
	}
}

// TestRefusalIsNotAskedForAgain keeps a thousand folders from a thousand
// refused calls.
func TestRefusalIsNotAskedForAgain(t *testing.T) {
	system := &scarce{watches: 10}
	dir := place(t)
	for i := range 300 {
		write(t, filepath.Join(dir, fmt.Sprint(i), "a.md"), "1")
	}
	slow := brisk
	slow.try = never
	r := watching(t, Options{pace: slow, open: system.connect}, Root{Path: dir, Reach: Tree})
	add(t, filepath.Join(dir, "299", "a.md"), "2")
	add(t, filepath.Join(dir, "7", "a.md"), "2")
	r.agrees()
	system.mu.Lock()
	defer system.mu.Unlock()
	if system.asked > 11 {
		t.Errorf("%d calls for 10 watches", system.asked)
	}
}

// TestOverflow loses events: everything is to be looked at, there is a notice
// for a while, and what was lost is found.
func TestOverflow(t *testing.T) {
	system := &scarce{watches: 1 << 20}
	root := filepath.Join(place(t), "root")
	write(t, filepath.Join(root, "d0", "a.jsonl"), "1")
	clock := &clock{}
	r := watching(t, Options{pace: byEvents, open: system.connect, Now: clock.now, goos: "linux"}, Root{Path: root, Reach: Tree})
	system.open.faults <- fsnotify.ErrEventOverflow
	if b := r.next(); !b.All {
		t.Errorf("told of %v, want All", b.Paths)
	}
	s := r.until("noticed", limitedNow)
	if !strings.Contains(s.Notice.Hint, "fs.inotify.max_queued_events") {
		t.Errorf("hint %q", s.Notice.Hint)
	}
	play(t, r, 3, root, 200)
	clock.skip(lostFor)
	write(t, filepath.Join(root, "d1", "late.md"), "1")
	r.until("events again", freeNow)
	play(t, r, 4, root, 200)
}

// TestAFaultIsNoNotice has the system fail at one event, which is no limit.
func TestAFaultIsNoNotice(t *testing.T) {
	system := &scarce{watches: 1 << 20}
	dir := place(t)
	r := watching(t, Options{pace: byEvents, open: system.connect}, Root{Path: dir, Reach: Tree})
	system.open.faults <- errors.New("short read")
	write(t, filepath.Join(dir, "a.md"), "1")
	r.told(filepath.Join(dir, "a.md"))
	if s := r.w.State(); !freeNow(s) {
		t.Errorf("state %+v", s)
	}
}

// clock is the real one, and can be put forward.
type clock struct {
	mu      sync.Mutex
	forward time.Duration
}

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return time.Now().Add(c.forward)
}

func (c *clock) skip(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.forward += d
}

// mute is a system that takes watches and never tells of anything, as network
// file systems do.
type mute struct {
	mu     sync.Mutex
	have   map[string]bool
	events chan fsnotify.Event
	faults chan error
}

func openMute() (notifier, error) {
	return &mute{have: map[string]bool{}, events: make(chan fsnotify.Event), faults: make(chan error)}, nil
}

func (m *mute) Add(dir string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.have[dir] = true
	return nil
}

func (m *mute) Remove(dir string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.have, dir)
	return nil
}

func (m *mute) WatchList() (list []string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for dir := range m.have {
		list = append(list, dir)
	}
	return list
}

func (m *mute) Close() error                  { close(m.events); close(m.faults); return nil }
func (m *mute) Events() <-chan fsnotify.Event { return m.events }
func (m *mute) Errors() <-chan error          { return m.faults }

// TestSilence has a file system without events: the slow look finds what
// changed, and looks faster where it did.
func TestSilence(t *testing.T) {
	root := filepath.Join(place(t), "root")
	p := brisk
	p.calm = 100 * time.Millisecond
	r := watching(t, Options{pace: p, open: openMute}, Root{Path: root, Reach: Tree})
	play(t, r, 5, root, 200)
	if r.alls != 1 {
		t.Errorf("everything was looked at %d times, want once", r.alls)
	}
	if s := r.w.State(); !freeNow(s) {
		t.Errorf("a quiet file system is no limit: %+v", s)
	}
}

// TestASlowCallerIsNotWaitedFor has a caller that is stuck: every event is still
// taken from the system, more than its queue would hold.
func TestASlowCallerIsNotWaitedFor(t *testing.T) {
	dir := place(t)
	a, b := filepath.Join(dir, "a.jsonl"), filepath.Join(dir, "b.jsonl")
	write(t, a, "1")
	system := &mute{have: map[string]bool{}, events: make(chan fsnotify.Event), faults: make(chan error)}
	inside, leave, told := make(chan struct{}), make(chan struct{}), make(chan Batch, 16)
	var once sync.Once
	w := New(Options{pace: byEvents, open: func() (notifier, error) { return system, nil },
		Roots: func() []Root { return []Root{{Path: dir, Reach: Tree}} },
		Changed: func(batch Batch) {
			once.Do(func() { close(inside); <-leave })
			told <- batch
		}})
	go func() { _ = w.Run(t.Context()) }()
	<-inside
	for i := range 100000 {
		e := fsnotify.Event{Name: []string{a, b}[i%2], Op: fsnotify.Write}
		select {
		case system.events <- e:
		case <-time.After(patience):
			t.Fatalf("event %d is not taken", i)
		}
	}
	close(leave)
	for _, want := range []string{"[]", fmt.Sprint([]string{a, b})} {
		select {
		case batch := <-told:
			if fmt.Sprint(batch.Paths) != want {
				t.Errorf("told of %v, want %s", batch.Paths, want)
			}
		case <-time.After(patience):
			t.Fatal("no batch came")
		}
	}
}

// TestLargeFolders has a system that opens every file of a folder that it
// watches: large folders are looked at, without a notice.
func TestLargeFolders(t *testing.T) {
	system := &scarce{watches: 1 << 20}
	root := filepath.Join(place(t), "root")
	for i := range kqueueMost {
		write(t, filepath.Join(root, "large", fmt.Sprintf("%d.jsonl", i)), "1")
	}
	write(t, filepath.Join(root, "small", "a.jsonl"), "1")
	p := brisk
	p.calm = 50 * time.Millisecond
	r := watching(t, Options{pace: p, open: system.connect, goos: "darwin"}, Root{Path: root, Reach: Tree})
	large := filepath.Join(root, "large")
	watched := func() string { return strings.Join(system.open.WatchList(), " ") }
	if !strings.Contains(watched(), large) {
		t.Fatalf("watched: %s", watched())
	}
	one := filepath.Join(large, "one-more.jsonl")
	write(t, one, "1")
	r.told(one)
	add(t, one, "2")
	r.told(one)
	r.wait("the large folder is not watched", func() bool { return !strings.Contains(watched(), large) })
	add(t, one, "3")
	r.told(one)
	if s := r.w.State(); !freeNow(s) {
		t.Errorf("state %+v", s)
	}
	for i := range kqueueMost/2 + 1 {
		ok(t, os.Remove(filepath.Join(large, fmt.Sprintf("%d.jsonl", i))))
	}
	r.agrees()
	r.wait("the folder is watched again", func() bool { return strings.Contains(watched(), large) })
	add(t, one, "4")
	r.told(one)
}

func TestExplain(t *testing.T) {
	for _, c := range []struct {
		err  error
		goos string
		hint string
	}{
		{nil, "linux", "max_queued_events"}, {nil, "windows", "passes by itself."}, {syscall.ENOSPC, "linux", "max_user_watches"},
		{syscall.EMFILE, "linux", "max_user_instances"}, {syscall.EMFILE, "darwin", "open files"}, {syscall.ENOMEM, "linux", "open files"},
	} {
		message, hint := explain(c.err, c.goos)
		if !strings.Contains(hint, c.hint) || strings.Contains(hint, "sysctl") != (strings.Contains(c.hint, "max_")) {
			t.Errorf("%v on %s: hint %q, want it to say %s", c.err, c.goos, hint, c.hint)
		}
		if !strings.Contains(message, "instead") {
			t.Errorf("%v: message %q", c.err, message)
		}
	}
}
