package watch

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/fsnotify/fsnotify"
)

// childEnv says to the test binary that it runs in a user namespace of its own,
// whose limits it may set without touching the machine's.
const childEnv = "TIDEMARK_WATCH_CHILD"

// TestRealLimits covers case 112 with the kernel's own refusals. It runs itself
// again in a user namespace and skips where none can be made.
func TestRealLimits(t *testing.T) {
	if os.Getenv(childEnv) != "" {
		t.Skip("this is the child")
	}
	cmd := exec.Command(os.Args[0], "-test.run=^TestRealLimitsChild$", "-test.v")
	cmd.Env = append(os.Environ(), childEnv+"=1", "TMPDIR="+t.TempDir())
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}},
	}
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	switch {
	case err != nil && !errors.As(err, &exit):
		t.Skipf("no user namespace can be made here: %v", err)
	case strings.Contains(string(out), "--- SKIP"):
		t.Skipf("the child skipped:\n%s", out)
	case err != nil || !strings.Contains(string(out), "--- PASS: TestRealLimitsChild"):
		t.Fatalf("%v\n%s", err, out)
	}
	t.Logf("%s", out)
}

// kernelLimit sets a limit of this user namespace.
func kernelLimit(t *testing.T, name string, value int) {
	t.Helper()
	if err := os.WriteFile("/proc/sys/user/max_inotify_"+name, []byte(fmt.Sprint(value)), 0); err != nil {
		t.Skipf("limits cannot be set here: %v", err)
	}
}

func TestRealLimitsChild(t *testing.T) {
	if os.Getenv(childEnv) == "" {
		t.Skip("run by TestRealLimits")
	}
	for _, c := range []struct {
		limit string
		value int
		err   error
	}{{"instances", 0, syscall.EMFILE}, {"watches", 4, syscall.ENOSPC}} {
		kernelLimit(t, c.limit, c.value)
		root := filepath.Join(place(t), "root")
		r := watching(t, Options{pace: brisk}, Root{Path: root, Reach: Tree})
		for i := range 5 {
			write(t, filepath.Join(root, fmt.Sprint(i), "a.md"), "1")
		}
		s := r.until("polling", limitedNow)
		if _, hint := explain(c.err, "linux"); s.Notice.Hint != hint {
			t.Errorf("%s: hint %q", c.limit, s.Notice.Hint)
		}
		play(t, r, 6, root, 200)
		kernelLimit(t, c.limit, 1000)
		r.until("events again", freeNow)
		play(t, r, 7, root, 200)
	}
}

// gated is the system's notifier with its events held back until a test lets
// them through.
type gated struct {
	notifier
	events chan fsnotify.Event
	faults chan error
}

func gate(open chan struct{}) func() (notifier, error) {
	return func() (notifier, error) {
		n, err := openSystem()
		if err != nil {
			return nil, err
		}
		g := &gated{notifier: n, events: make(chan fsnotify.Event), faults: make(chan error)}
		go pass(open, n.Events(), g.events)
		go pass(open, n.Errors(), g.faults)
		return g, nil
	}
}

func (g *gated) Events() <-chan fsnotify.Event { return g.events }
func (g *gated) Errors() <-chan error          { return g.faults }

func pass[T any](open chan struct{}, from <-chan T, to chan<- T) {
	defer close(to)
	<-open
	for x := range from {
		to <- x
	}
}

// TestRealOverflow fills the kernel's queue: nobody reads it while more is
// written than it holds.
func TestRealOverflow(t *testing.T) {
	var most int
	text, err := os.ReadFile("/proc/sys/fs/inotify/max_queued_events")
	ok(t, err)
	if _, err := fmt.Sscan(string(text), &most); err != nil || most > 1<<17 {
		t.Skipf("a queue of %d events is not filled here", most)
	}
	dir := place(t)
	open := make(chan struct{})
	r := watching(t, Options{pace: byEvents, open: gate(open)}, Root{Path: dir, Reach: Tree})
	a, b := filepath.Join(dir, "a.jsonl"), filepath.Join(dir, "b.jsonl")
	for range most { // two files in turn: the kernel makes one of equal events in a row
		add(t, a, "x")
		add(t, b, "x")
	}
	write(t, filepath.Join(dir, "unseen", "deep", "c.md"), "its events were lost")
	close(open)
	r.until("noticed", limitedNow)
	r.agrees()
	add(t, filepath.Join(dir, "unseen", "deep", "c.md"), "2")
	r.agrees()
}
