package demo

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"time"

	"tidemark/backend/memory"
)

// TalkOptions say how a Talker talks. The same options on the same
// installation give the same talk.
type TalkOptions struct {
	Seed  uint64
	Every time.Duration    // between two exchanges; 0: DefaultEvery
	Now   func() time.Time // nil: time.Now
	// Wait waits until a time has passed or ctx ends, and then gives its error;
	// nil: with a timer.
	Wait func(ctx context.Context, d time.Duration) error
}

// DefaultEvery is slow enough to follow and fast enough to look alive.
const DefaultEvery = 4 * time.Second

// liveGrows is what each call of the owner's agent leaves in the context beside
// its words: whoever watches sees it climb over its threshold and compact within
// some minutes.
const liveGrows = 2_400

// Talker goes on talking in an invented installation, as a gateway that lives
// there would: it appends to transcripts and databases. It takes up what it
// finds, so that it can begin anew at any time. One at a time may talk in an
// installation. It is not safe for concurrent use.
type Talker struct {
	dir    folder
	o      TalkOptions
	voices map[string]*voice
	truth  Truth
}

// NewTalker gives a Talker for the installation that Write left in dir.
func NewTalker(dir string, o TalkOptions) *Talker {
	if o.Every == 0 {
		o.Every = DefaultEvery
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Wait == nil {
		o.Wait = wait
	}
	t := &Talker{dir: folder{dir}, o: o, voices: map[string]*voice{}, truth: newTruth()}
	p := loadPhrases()
	for i := range cast {
		t.voices[cast[i].id] = newVoice(p)
	}
	return t
}

func wait(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

// Said is what was added so far: Truth.Add joins it to that of Write.
func (t *Talker) Said() Truth { return t.truth }

// Talk talks until ctx ends, whose error it gives, or until it cannot write.
// An exchange that was begun is written to its end.
func (t *Talker) Talk(ctx context.Context) error {
	for {
		if err := t.Turn(ctx); err != nil {
			return err
		}
		if err := t.o.Wait(ctx, t.o.Every); err != nil {
			return err
		}
	}
}

// Turn lets one conversation go on by one scene.
func (t *Talker) Turn(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	rng := rngOf(t.o.Seed^uint64(t.o.Now().UnixMilli()), "talk")
	who, where := somebody(rng)
	th, out, err := t.resume(ctx, who, where, rng)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // nobody talked there yet
	}
	if err != nil {
		return fmt.Errorf("take up the talk of %s: %w", who.id, err)
	}
	th.at = later(th.at.Add(time.Second), t.o.Now().Truncate(time.Millisecond))
	if who.id == cast[0].id {
		th.extra = liveGrows
	}
	t.voices[who.id].play(th, th.at.Add(24*time.Hour))
	err = t.deliver(ctx, th, out)
	if failed := out.close(); err == nil {
		err = failed
	}
	if err != nil && ctx.Err() == nil {
		return &memory.Error{Code: memory.CodeUnavailable, Op: "go on talking in the demo", Err: err}
	}
	return err
}

// deliver writes each entry when its time has come. Where ctx ends the rest is
// written at once.
func (t *Talker) deliver(ctx context.Context, th *thread, out outlet) error {
	var ended error
	for i := range th.records {
		if ended == nil {
			ended = t.o.Wait(ctx, th.records[i].at.Sub(t.o.Now()))
		}
		// The end of ctx must not tear a transaction.
		if err := out.put(context.WithoutCancel(ctx), &th.records[i]); err != nil {
			return err
		}
	}
	if err := out.note(context.WithoutCancel(ctx), th); err != nil {
		return err
	}
	return ended
}

// somebody chooses who talks, and where: the owner and customers most, the
// books least.
func somebody(rng *rand.Rand) (*persona, place) {
	n := [...]int{0, 0, 0, 0, 1, 1, 2, 3, 3, 3, 3, 3}[rng.IntN(12)]
	who := &cast[n]
	return who, who.somewhere(rng)
}
