package app

import (
	"context"
	"net/http"
	"sync"
	"time"

	"tidemark/backend/api"
	"tidemark/backend/engine"
	"tidemark/backend/openclaw"
)

// beside shows the invented installation beside the person's own, in the same
// process: it has an engine, an index and a ledger of its own. Close it. Safe
// for concurrent use.
type beside struct {
	c     *command
	stage stage

	mu      sync.Mutex // held while it is opened or removed
	play    *play      // nil while it is closed
	ended   bool
	running sync.RWMutex // of play, for those who only look
}

// play is the demo while it is open.
type play struct {
	inst    api.Installation
	handler http.Handler
	end     func() error
}

// besideOf gives the demo of a data directory; nil where the demo itself is
// what is shown.
func (c *command) besideOf(data string) *beside {
	if c.stage != "" {
		return nil
	}
	return &beside{c: c, stage: stageIn(data)}
}

// demoOf is what the API is given: a nil beside is no Demo.
func demoOf(b *beside) api.Demo {
	if b == nil {
		return nil
	}
	return b
}

// Open opens the demo and lets it talk.
func (b *beside) Open(ctx context.Context) (api.Installation, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if p := b.current(); p != nil {
		return p.inst, nil
	}
	if b.ended {
		return api.Installation{}, context.Canceled
	}
	if err := b.stage.prepare(ctx, time.Now()); err != nil {
		return api.Installation{}, err
	}
	p, err := b.start(ctx)
	if err != nil {
		return api.Installation{}, err
	}
	b.set(p)
	return p.inst, nil
}

// start opens the engine of the demo. It lives longer than ctx.
func (b *beside) start(ctx context.Context) (*play, error) {
	options := b.c.engineOptions(b.stage.data())
	options.Demo = b.stage.state()
	e, err := engine.Open(ctx, options)
	if err != nil {
		return nil, err
	}
	inst, err := openclaw.Resolve(b.c.env, b.stage.state(), "")
	if err == nil {
		_, err = e.Use(ctx, inst)
	}
	if err != nil {
		e.Close()
		return nil, err
	}
	life, stop := context.WithCancel(context.WithoutCancel(ctx))
	looked := make(chan struct{})
	go func() {
		defer close(looked)
		e.Run(life) // it ends with life, and says itself what fails
	}()
	silent := b.stage.talk(life)
	end := func() error {
		stop()
		silent()
		<-looked
		return e.Close()
	}
	return &play{inst: api.Installation{ID: inst.ID, StateDir: inst.StateDir}, handler: e.Handler(engine.Surface{}), end: end}, nil
}

// Remove closes the demo and deletes it.
func (b *beside) Remove(context.Context) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if err := b.stop(); err != nil {
		return err
	}
	return b.stage.discard()
}

// stop closes the demo where it is open. b.mu is held.
func (b *beside) stop() error {
	p := b.current()
	if p == nil {
		return nil
	}
	b.set(nil)
	return p.end()
}

// Opened gives the demo where it is open.
func (b *beside) Opened() (api.Installation, bool) {
	if p := b.current(); p != nil {
		return p.inst, true
	}
	return api.Installation{}, false
}

// Handler answers for the demo.
func (b *beside) Handler(installation string) http.Handler {
	if p := b.current(); p != nil && installation == p.inst.ID {
		return p.handler
	}
	return nil
}

func (b *beside) current() *play {
	b.running.RLock()
	defer b.running.RUnlock()
	return b.play
}

func (b *beside) set(p *play) {
	b.running.Lock()
	defer b.running.Unlock()
	b.play = p
}

// close ends the demo for good and leaves it on disk. A nil beside has none.
func (b *beside) close() error {
	if b == nil {
		return nil
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.ended = true
	return b.stop()
}
