package watch

import (
	"context"
	"runtime"
	"sync"
	"time"

	"tidemark/backend/memory"
)

// Reach says how much of a root matters.
type Reach int

const (
	File   Reach = iota // this one file, and the log beside it where it is a database
	Folder              // the files of a folder that OpenClaw writes
	Tree                // those of a folder and of all below it
)

// Root is a place that matters. It need not exist yet. Path is absolute.
type Root struct {
	Path  string
	Reach Reach
}

// Batch is what may have changed since the last one.
type Batch struct {
	// Paths are sorted and below the roots, as the roots spell them: files that
	// were made, written, replaced or removed. For a write-ahead log it is the
	// database's path.
	Paths []string
	// All says to look at everything: what changed cannot be told. Paths is nil.
	All bool
}

// State is how changes are noticed now.
type State struct {
	Mode   Mode
	Notice *memory.Problem // why not by events alone; nil where all is well
}

// Mode is the way that changes are noticed.
type Mode string

const (
	Events  Mode = "events"
	Polling Mode = "polling" // some folders or all, because of a limit of the system
)

// Options say what is watched and how. Roots and Changed are needed.
type Options struct {
	// Roots is asked at the start, at each Refresh and every few seconds. It is
	// called by one goroutine and must be quick.
	Roots func() []Root
	// Changed is called by one goroutine, once at a time, and may take its time:
	// what happens meanwhile is in the next batch. The first batch is All, when
	// everything is watched. Each change of State comes with a batch of All.
	Changed func(Batch)
	// Quiet is how long to wait for more before the next batch. The first one
	// after a pause of this length comes at once. 50 ms where it is 0.
	Quiet time.Duration
	// Now is the time; time.Now where it is nil.
	Now func() time.Time

	goos string                   // runtime.GOOS where it is ""
	open func() (notifier, error) // fsnotify where it is nil
	pace pace
}

// pace holds the waiting times; each has its default where it is 0.
type pace struct {
	most time.Duration // a batch waits no longer than this under constant writes
	hot  time.Duration // between looks at a folder without events that changed lately
	cold time.Duration // at another one without events
	calm time.Duration // at one with events, which may be silent
	try  time.Duration // between attempts to get events again
}

// The median of what waits for the most is half of it, and a cold folder is
// late once by at most a second: both keep the promise of 200 ms and 1 s.
// Looking at 2,000 files takes about 5 ms: every 5 s that is 0.1% of a core.
var usual = pace{
	most: 150 * time.Millisecond,
	hot:  250 * time.Millisecond,
	cold: time.Second,
	calm: 5 * time.Second,
	try:  10 * time.Second,
}

func (p pace) filled() pace {
	for _, d := range []struct{ have, usual *time.Duration }{
		{&p.most, &usual.most}, {&p.hot, &usual.hot}, {&p.cold, &usual.cold}, {&p.calm, &usual.calm}, {&p.try, &usual.try},
	} {
		if *d.have == 0 {
			*d.have = *d.usual
		}
	}
	return p
}

// Watcher watches while Run runs. Its methods are safe for concurrent use.
type Watcher struct {
	opts  Options
	again chan struct{} // holds one while roots are to be asked

	mu    sync.Mutex
	state State
}

// New makes a watcher that does nothing before Run.
func New(opts Options) *Watcher {
	if opts.Quiet == 0 {
		opts.Quiet = 50 * time.Millisecond
	}
	if opts.Now == nil {
		opts.Now = time.Now
	}
	if opts.goos == "" {
		opts.goos = runtime.GOOS
	}
	if opts.open == nil {
		opts.open = openSystem
	}
	opts.pace = opts.pace.filled()
	return &Watcher{opts: opts, again: make(chan struct{}, 1), state: State{Mode: Events}}
}

// Run watches until ctx ends, then returns nil; it may be called once. When it
// has returned Changed is not called any more.
func (w *Watcher) Run(ctx context.Context) error {
	m := newMail(w.opts.Quiet, w.opts.pace.most, w.opts.Now)
	var group sync.WaitGroup
	group.Go(func() { m.run(ctx, w.opts.Changed) })
	newLoop(w, m).run(ctx)
	group.Wait()
	return nil
}

// Refresh asks Roots again soon. It does not wait.
func (w *Watcher) Refresh() {
	select {
	case w.again <- struct{}{}:
	default:
	}
}

// State gives how changes are noticed now.
func (w *Watcher) State() State {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.state
}

func (w *Watcher) setState(s State) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.state = s
}
