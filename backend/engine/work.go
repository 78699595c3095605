package engine

import (
	"context"
	"errors"
	"sync"
	"time"

	"tidemark/backend/api"
	"tidemark/backend/ingest"
	"tidemark/backend/memory"
)

// Jobs that take long enough to be shown.
const (
	jobReading = "reading"
	jobRebuild = "rebuild"
)

const (
	// shownAfter is how long reading may take before it is shown as a job:
	// what is over sooner would only flicker.
	shownAfter = 500 * time.Millisecond
	// toldEvery is how often the progress of a job is told: often enough to
	// move, and seldom enough to cost nothing.
	toldEvery = 200 * time.Millisecond
	// shownEvery is how often, during a job, views are told that there is more
	// to see.
	shownEvery = time.Second
)

// errStopped is the cause of a look that the person cancelled.
var errStopped = errors.New("cancelled by the person")

// work is what an installation is doing, and the person's hand on it. Its
// methods may be called at once.
type work struct {
	now func() time.Time

	mu       sync.Mutex // of what follows
	job      string     // that runs, "" for none
	began    time.Time
	progress ingest.Progress
	rate     rate
	told     time.Time // when the progress was last handed on
	shown    time.Time // when views were last told to ask
	cancel   context.CancelCauseFunc
	held     chan struct{} // closed when the person lets it go on, nil where they do not hold it
	stopped  bool          // the person cancelled: nothing is read before they ask

	looked  bool // a look was finished
	at      time.Time
	changed time.Time // when something new was last read
	err     error
}

// start notes that a job begins, and gives the context that ends it.
func (w *work) start(ctx context.Context, job string) (context.Context, context.CancelCauseFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	w.begin(job, cancel)
	return ctx, cancel
}

// begin notes that a job begins, which cancel ends.
func (w *work) begin(job string, cancel context.CancelCauseFunc) {
	w.mu.Lock()
	defer w.mu.Unlock()
	now := w.now()
	w.job, w.began, w.progress, w.rate = job, now, ingest.Progress{}, rate{}
	w.told, w.shown, w.cancel = now, now, cancel
}

// done notes how a job went. Work that is cancelled is no failure.
func (w *work) done(err error, changed bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.job, w.cancel = "", nil
	if errors.Is(err, context.Canceled) {
		return
	}
	w.err, w.at, w.looked = err, w.now(), true
	if changed {
		w.changed = w.at
	}
}

// report takes progress. tell says that it is time to hand it on, show that it
// is time to tell the views.
func (w *work) report(p ingest.Progress) (tell, show bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	now := w.now()
	w.progress = p
	w.rate.add(now, p.BytesDone)
	if now.Sub(w.told) < toldEvery {
		return false, false
	}
	w.told = now
	if now.Sub(w.shown) >= shownEvery {
		w.shown, show = now, true
	}
	return now.Sub(w.began) >= shownAfter, show
}

// hold gives the channel that holds a pass, nil for none.
func (w *work) hold() <-chan struct{} {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.held == nil {
		return nil
	}
	return w.held
}

// direct does what the person asks for: pause, resume or cancel.
func (w *work) direct(do string) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch do {
	case "pause":
		if w.held == nil && w.job != "" {
			w.held = make(chan struct{})
			w.rate = rate{}
		}
	case "resume":
		w.release()
		w.stopped = false
	case "cancel":
		w.release()
		if w.cancel != nil {
			w.stopped = w.job == jobReading
			w.cancel(errStopped)
		}
	default:
		return &memory.Error{Code: memory.CodeInvalid, Op: "direct the reading", Hint: "Use do=pause, do=resume or do=cancel."}
	}
	return nil
}

// release lets a held pass go on. w.mu is held.
func (w *work) release() {
	if w.held != nil {
		close(w.held)
		w.held = nil
	}
}

// ask clears that the person cancelled: they ask for a look now.
func (w *work) ask() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.stopped = false
}

// idle says that nothing is to be read before the person asks.
func (w *work) idle() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.stopped
}

// ready says that a look was finished.
func (w *work) ready() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.looked
}

// forget makes the next question look first.
func (w *work) forget() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.looked = false
}

// status fills in what the work is at.
func (w *work) status(s *api.Status, mask func(string) string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	s.Busy = w.job != "" || !w.looked && !w.stopped
	s.Paused = w.held != nil || w.stopped
	if w.job == jobRebuild || w.job == jobReading && w.now().Sub(w.began) >= shownAfter {
		s.Job = w.job
	}
	if w.stopped {
		s.Job = jobReading
	}
	p := w.progress
	s.Agent, s.Sources, s.SourcesDone, s.Done, s.Total = p.Agent, p.Sources, p.SourcesDone, min(p.BytesDone, p.Bytes), p.Bytes
	if w.job != "" && w.held == nil {
		s.Rate, s.SecondsLeft = w.rate.of(p.Bytes - p.BytesDone)
	}
	s.UpdatedAt, s.ChangedAt = stamp(memory.MillisOf(w.at)), stamp(memory.MillisOf(w.changed))
	if w.err != nil {
		s.Error = mask(w.err.Error())
	}
}

// rate is how fast bytes are read, as a moving average.
type rate struct {
	at    time.Time
	done  int64
	speed float64 // bytes a second, 0 where not known
}

const (
	// measured is the shortest time that a speed is taken over.
	measured = 250 * time.Millisecond
	// newer is the weight of the newest speed in the average: a second or two
	// are remembered.
	newer = 0.25
)

func (r *rate) add(now time.Time, done int64) {
	if r.at.IsZero() || done < r.done {
		r.at, r.done = now, done
		return
	}
	past := now.Sub(r.at)
	if past < measured {
		return
	}
	speed := float64(done-r.done) / past.Seconds()
	if r.speed > 0 {
		speed = newer*speed + (1-newer)*r.speed
	}
	r.at, r.done, r.speed = now, done, speed
}

// of gives the speed, and the seconds that what is left takes.
func (r *rate) of(left int64) (int64, *int64) {
	if r.speed < 1 {
		return 0, nil
	}
	seconds := int64(float64(max(left, 0))/r.speed + 0.999)
	return int64(r.speed), &seconds
}
