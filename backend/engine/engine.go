package engine

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/http"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"tidemark/backend/api"
	"tidemark/backend/index"
	"tidemark/backend/ledger"
	"tidemark/backend/memory"
	"tidemark/backend/openclaw"
	"tidemark/backend/settings"
)

// Options say where an engine works. Env, DataDir and Mask must be set.
type Options struct {
	Env     openclaw.Env
	DataDir string
	Mask    func(string) string
	// MaskValue masks a value of the configuration by its key.
	MaskValue func(key, value string) string
	Version   string
	Now       func() time.Time // nil: time.Now
	// Local is the zone of the machine; nil: time.Local.
	Local *time.Location
	// Every is how often Run looks at the files without a reason; 0: DefaultEvery.
	Every time.Duration
	// Demo is the state directory of an invented installation, "" for none:
	// its Status says so.
	Demo string
}

// DefaultEvery is how often everything is looked at although no change was
// noticed: for what lies beside the watched folders, such as included parts of
// a configuration, and for days that end. It costs some milliseconds.
const DefaultEvery = 30 * time.Second

// Engine owns a data directory. Close it.
type Engine struct {
	opts Options
	dir  *settings.Dir
	lock *settings.Lock

	// use is held for reading while an index is read or written, and for
	// writing while another one is put in its place. It is taken before mu.
	use   sync.RWMutex
	index *index.Index

	mu     sync.RWMutex // of what follows
	insts  map[string]*installation
	order  []string
	notice []memory.Problem

	rosters rosters
	courses courses

	rebuilding chan struct{} // holds one while a rebuild runs

	hub     hub
	running atomic.Bool   // Run is at work
	wake    chan struct{} // holds one while an installation is due
	jobs    jobs
}

// Open takes the data directory, which one process can have at a time
// (memory.CodeBusy where another one has it), and opens the index.
func Open(ctx context.Context, opts Options) (*Engine, error) {
	if opts.Now == nil {
		opts.Now = time.Now
	}
	if opts.Local == nil {
		opts.Local = time.Local
	}
	if opts.Every == 0 {
		opts.Every = DefaultEvery
	}
	dir, err := settings.Open(opts.DataDir, stateDirs(opts.Env)...)
	if err != nil {
		return nil, err
	}
	lock, err := dir.Lock()
	if err != nil {
		return nil, err
	}
	e := &Engine{opts: opts, dir: dir, lock: lock, insts: map[string]*installation{}, rebuilding: make(chan struct{}, 1), wake: make(chan struct{}, 1)}
	if e.index, err = index.Open(ctx, dir.Index()); err != nil {
		return nil, errors.Join(err, lock.Release())
	}
	e.notice = append(e.notice, dir.Notices()...)
	if e.index.Rebuilt != nil {
		e.notice = append(e.notice, *e.index.Rebuilt)
	}
	return e, nil
}

func stateDirs(env openclaw.Env) (dirs []string) {
	for _, inst := range openclaw.Discover(env) {
		dirs = append(dirs, inst.StateDir)
	}
	return dirs
}

// Dir gives the data directory.
func (e *Engine) Dir() *settings.Dir { return e.dir }

// Close gives the data directory back. It waits for what is being read: end
// that first.
func (e *Engine) Close() error {
	e.use.Lock()
	defer e.use.Unlock()
	return errors.Join(e.index.Close(), e.lock.Release())
}

// Use makes an installation known and gives its id. The first one is the
// default.
func (e *Engine) Use(ctx context.Context, inst openclaw.Installation) (string, error) {
	x, err := e.take(ctx, inst)
	if index.Damaged(err) {
		if err = e.replaceDamaged(ctx, x, err); err == nil {
			_, err = e.take(ctx, inst)
		}
	}
	if err != nil {
		return "", err
	}
	return inst.ID, nil
}

// take makes an installation known in the index that is open, which it gives.
func (e *Engine) take(ctx context.Context, inst openclaw.Installation) (*index.Index, error) {
	e.use.RLock()
	defer e.use.RUnlock()
	if e.knows(inst.ID) {
		return e.index, nil
	}
	s, err := e.index.Installation(ctx, inst.ID, inst.StateDir) // it may wait for a look: e.mu is not held
	if err != nil {
		return e.index, err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if _, ok := e.insts[inst.ID]; !ok {
		i := &installation{engine: e, Installation: inst, store: store{s}, ledger: ledger.Open(e.dir.Ledger(), inst.ID),
			hist: &history{env: e.opts.Env, inst: inst}, pass: make(chan struct{}, 1), work: work{now: e.opts.Now}}
		i.said = i.newStatements()
		i.watcher = newWatcher(i)
		i.lost.Store(i.wasKnown(ctx))
		e.insts[inst.ID] = i
		e.order = append(e.order, inst.ID)
	}
	return e.index, nil
}

func (e *Engine) knows(id string) bool {
	e.mu.RLock()
	defer e.mu.RUnlock()
	_, ok := e.insts[id]
	return ok
}

// get gives an installation by id, the default one for "".
func (e *Engine) get(id string) (*installation, error) {
	e.mu.RLock()
	defer e.mu.RUnlock()
	if id == "" && len(e.order) > 0 {
		id = e.order[0]
	}
	i, ok := e.insts[id]
	if !ok {
		return nil, &memory.Error{Code: memory.CodeNotFound, Op: fmt.Sprintf("there is no installation %q", id), Hint: "List them under Settings, or name a folder with --state-dir."}
	}
	return i, nil
}

// Run looks at the files of every installation when they change, and now and
// then, until ctx ends.
func (e *Engine) Run(ctx context.Context) error {
	e.running.Store(true)
	defer e.running.Store(false)
	e.jobs.open(ctx)
	defer e.jobs.close()
	w := watchers{of: map[string]bool{}}
	defer w.group.Wait()
	all := true
	for {
		for _, i := range e.installations() {
			e.follow(ctx, &w, i)
			if due := i.due.Swap(false); due || all {
				e.lookAt(ctx, i)
			}
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-e.wake:
			all = false
		case <-time.After(e.opts.Every):
			all = true
		}
	}
}

// lookAt looks, and logs what went wrong. Status says it too.
func (e *Engine) lookAt(ctx context.Context, i *installation) {
	began := time.Now()
	before := i.status().Error
	err := i.look(ctx)
	if err != nil && !errors.Is(err, context.Canceled) && i.status().Error != before { // the same again says nothing
		slog.Warn("a look at OpenClaw's files failed", "installation", i.ID, "err", err)
	}
	if time.Since(began) > muchRead {
		e.shrink(ctx)
	}
}

// muchRead is how long a look takes that leaves memory behind which the next
// ones do not need.
const muchRead = time.Second

// shrink gives such memory back to the system.
func (e *Engine) shrink(ctx context.Context) {
	e.use.RLock()
	defer e.use.RUnlock()
	if err := e.index.Shrink(ctx); err != nil {
		slog.Warn("memory could not be given back", "err", err)
	}
	debug.FreeOSMemory()
}

// rouse has Run look at an installation.
func (e *Engine) rouse(i *installation) {
	i.due.Store(true)
	select {
	case e.wake <- struct{}{}:
	default:
	}
}

// Surface says what a handler shows, and to whom.
type Surface struct {
	Files   fs.FS // the front end, nil for none
	Trusted bool  // the caller is the owner's own command
	Link    func() (string, error)
	Demo    api.Demo // nil for none
}

// Handler gives the API and the front end.
func (e *Engine) Handler(s Surface) http.Handler {
	h := &api.Handler{Backend: e, Files: s.Files, Trusted: s.Trusted, Link: s.Link, Demo: s.Demo}
	return h.Routes()
}
