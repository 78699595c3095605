package engine

import (
	"context"
	"errors"
	"path/filepath"
	"testing"
	"time"

	"tidemark/backend/api"
	"tidemark/backend/ingest"
	"tidemark/backend/memory"
)

// reading begins a look whose pass stops at the nth text, and gives what
// becomes of it.
func (e *engineOf) reading(n int, f func()) <-chan error {
	e.w.during(n, f)
	done := make(chan error, 1)
	go func() {
		_, err := e.Scan(context.Background(), api.Query{Refresh: true})
		done <- err
	}()
	return done
}

func (e *engineOf) direct(do string) api.Status {
	e.w.t.Helper()
	s, err := e.Reading(context.Background(), api.Query{Do: do})
	if err != nil {
		e.w.t.Fatal(err)
	}
	return s
}

// TestPausedReading waits where it is, shows what was read, and goes on to the
// same totals.
func TestPausedReading(t *testing.T) {
	w := newWorld(t)
	want := totals(w.filled())
	w.data = filepath.Join(t.TempDir(), "fresh")
	e := w.open()
	held := make(chan struct{})
	done := e.reading(500, func() {
		e.direct("pause")
		close(held)
	})
	<-held
	s := e.direct("pause") // again changes nothing
	if !s.Busy || !s.Paused || s.Rate != 0 || s.SecondsLeft != nil {
		t.Errorf("paused: %+v", s)
	}
	e.running.Store(true) // answers do not wait for the first look then
	part, err := e.Scan(t.Context(), api.Query{})
	if err != nil {
		t.Fatal(err)
	}
	if got := totals(part); got == want {
		t.Errorf("everything was read although it is paused")
	}
	select {
	case err := <-done:
		t.Fatalf("the look ended although it is paused: %v", err)
	default:
	}
	e.direct("resume")
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	equal(t, "in the end", totals(e.scan()), want)
}

// TestCancelledReading keeps what was committed, reads nothing before it is
// asked to, and then goes on to the same totals.
func TestCancelledReading(t *testing.T) {
	w := newWorld(t)
	want := totals(w.filled())
	w.data = filepath.Join(t.TempDir(), "fresh")
	e := w.open()
	done := e.reading(900, func() { e.direct("cancel") })
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Fatalf("the look that was cancelled gives %v", err)
	}
	s, err := e.Status(t.Context(), api.Query{})
	if err != nil || s.Busy || !s.Paused || s.Job != jobReading || s.Error != "" {
		t.Errorf("status: %+v %v", s, err)
	}
	get := e.installations()[0]
	if err := get.look(t.Context()); !errors.Is(err, context.Canceled) {
		t.Errorf("a look that nobody asked for gives %v", err)
	}
	e.direct("resume")
	if err := get.look(t.Context()); err != nil {
		t.Fatal(err)
	}
	s, err = e.Status(t.Context(), api.Query{})
	if err != nil || s.Paused || s.Job != "" {
		t.Errorf("status in the end: %+v %v", s, err)
	}
	equal(t, "in the end", totals(e.scan()), want)
}

func TestDirectRefusesOtherWords(t *testing.T) {
	e := newWorld(t).open()
	if _, err := e.Reading(t.Context(), api.Query{Do: "faster"}); memory.CodeOf(err) != memory.CodeInvalid {
		t.Errorf("got %v", err)
	}
	e.direct("pause") // nothing runs: nothing is held
	if s := e.direct("resume"); s.Paused {
		t.Errorf("got %+v", s)
	}
}

// TestProgressIsTold now and then, and views are told less often.
func TestProgressIsTold(t *testing.T) {
	now := time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC)
	w := work{now: func() time.Time { return now }}
	_, cancel := w.start(t.Context(), jobReading)
	defer cancel(nil)
	told, shown := 0, 0
	for i := range 3000 { // three seconds
		now = now.Add(time.Millisecond)
		tell, show := w.report(ingest.Progress{Bytes: 30e6, BytesDone: int64(i+1) * 10_000})
		if tell {
			told++
		}
		if show {
			shown++
		}
	}
	if told < 10 || told > 15 || shown < 2 || shown > 3 {
		t.Errorf("told %d times, views %d times", told, shown)
	}
	var s api.Status
	w.status(&s, func(s string) string { return s })
	if s.Job != jobReading || s.Rate < 9_900_000 || s.Rate > 10_100_000 || s.SecondsLeft == nil || *s.SecondsLeft > 1 || s.Done != 30e6 {
		t.Errorf("status: %+v", s)
	}
}

// A look that is over at once is no job.
func TestShortLookIsNoJob(t *testing.T) {
	now := time.Now()
	w := work{now: func() time.Time { return now }}
	_, cancel := w.start(t.Context(), jobReading)
	defer cancel(nil)
	var s api.Status
	w.status(&s, func(s string) string { return s })
	if s.Job != "" || !s.Busy {
		t.Errorf("status: %+v", s)
	}
}

func TestRate(t *testing.T) {
	at := time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC)
	var r rate
	if speed, left := r.of(100); speed != 0 || left != nil {
		t.Errorf("before anything is known: %d %v", speed, left)
	}
	var done int64
	for range 20 {
		at, done = at.Add(500*time.Millisecond), done+500
		r.add(at, done)
	}
	if speed, left := r.of(2500); speed != 1000 || left == nil || *left != 3 {
		t.Errorf("a steady speed: %d %v", speed, left)
	}
	r.add(at.Add(time.Second), 10) // another pass
	if r.speed != 1000 || r.done != 10 {
		t.Errorf("behind a new beginning: %+v", r)
	}
	if _, left := r.of(-5); *left != 0 {
		t.Errorf("more was read than there was: %v", *left)
	}
}

// TestNeverLessWhileReadingAgain: with an index that was lost, an answer waits
// until everything that was known is known again; with the first index it does
// not wait.
func TestNeverLessWhileReadingAgain(t *testing.T) {
	w := newWorld(t)
	want := totals(w.filled())
	for _, lost := range []bool{true, false} {
		w.loseIndex()
		if !lost {
			w.data = filepath.Join(t.TempDir(), "fresh")
		}
		e := w.open()
		e.running.Store(true)
		var early api.Scan
		asked := make(chan struct{})
		first := e.reading(700, func() {
			go func() {
				early, _ = e.Scan(context.Background(), api.Query{})
				close(asked)
			}()
			if !lost {
				<-asked // it is answered in the middle
			}
		})
		if err := <-first; err != nil {
			t.Fatal(err)
		}
		<-asked
		if got := totals(early); (got == want) != lost {
			t.Errorf("lost %t: an early answer is %v, in the end it is %v", lost, got, want)
		}
		e.close()
	}
}
