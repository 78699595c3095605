package engine

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"sync"
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
	// Every is how often Run looks at the files; 0: DefaultEvery.
	Every time.Duration
}

// DefaultEvery is how often OpenClaw's files are looked at while nothing
// watches them. A look at unchanged files costs some milliseconds.
const DefaultEvery = 3 * time.Second

// Engine owns a data directory. Close it.
type Engine struct {
	opts Options
	dir  *settings.Dir
	lock *settings.Lock

	mu     sync.RWMutex // of what follows
	index  *index.Index
	insts  map[string]*installation
	order  []string
	notice []memory.Problem
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
	e := &Engine{opts: opts, dir: dir, lock: lock, insts: map[string]*installation{}}
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

// Close gives the data directory back.
func (e *Engine) Close() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	return errors.Join(e.index.Close(), e.lock.Release())
}

// Use makes an installation known and gives its id. The first one is the
// default.
func (e *Engine) Use(ctx context.Context, inst openclaw.Installation) (string, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if _, ok := e.insts[inst.ID]; ok {
		return inst.ID, nil
	}
	s, err := e.index.Installation(ctx, inst.ID, inst.StateDir)
	if err != nil {
		return "", err
	}
	e.insts[inst.ID] = &installation{engine: e, Installation: inst, store: store{s}, ledger: ledger.Open(e.dir.Ledger(), inst.ID),
		hist: &history{env: e.opts.Env, inst: inst}}
	e.order = append(e.order, inst.ID)
	return inst.ID, nil
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

// Run looks at the files of every installation now and then until ctx ends.
func (e *Engine) Run(ctx context.Context) error {
	for {
		e.mu.RLock()
		order := append([]string(nil), e.order...)
		e.mu.RUnlock()
		for _, id := range order {
			i, err := e.get(id)
			if err != nil {
				continue // it was taken away meanwhile
			}
			if err := i.look(ctx, nil); err != nil && ctx.Err() == nil {
				slog.Warn("a look at OpenClaw's files failed", "installation", id, "err", err)
			}
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(e.opts.Every):
		}
	}
}

// Surface says what a handler shows, and to whom.
type Surface struct {
	Files   fs.FS // the front end, nil for none
	Trusted bool  // the caller is the owner's own command
	Link    func() (string, error)
}

// Handler gives the API and the front end.
func (e *Engine) Handler(s Surface) http.Handler {
	h := &api.Handler{Backend: e, Files: s.Files, Trusted: s.Trusted, Link: s.Link}
	return h.Routes()
}

// rebuild makes the index anew beside the old one, which answers meanwhile,
// and puts it in its place.
func (e *Engine) rebuild(ctx context.Context) error {
	fresh := filepath.Join(filepath.Dir(e.dir.Index()), "index.rebuilding.db")
	if err := index.Remove(fresh); err != nil {
		return err
	}
	x, err := index.Open(ctx, fresh)
	if err != nil {
		return err
	}
	e.mu.RLock()
	olds := make([]*installation, 0, len(e.order))
	for _, id := range e.order {
		olds = append(olds, e.insts[id])
	}
	e.mu.RUnlock()
	for _, i := range olds {
		i.pass.Lock() // nothing is written to the old index from here on
		defer i.pass.Unlock()
		s, err := x.Installation(ctx, i.ID, i.StateDir)
		if err == nil {
			err = i.fill(ctx, store{s}, nil)
		}
		if err != nil {
			return errors.Join(fmt.Errorf("rebuild index: %w", err), x.Close(), index.Remove(fresh))
		}
	}
	if err := x.Close(); err != nil {
		return fmt.Errorf("rebuild index: %w", err)
	}
	return e.swap(ctx, fresh, olds)
}

// swap puts a new index in the place of the one that is open.
func (e *Engine) swap(ctx context.Context, fresh string, olds []*installation) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	path := e.dir.Index()
	if err := e.index.Close(); err != nil {
		return fmt.Errorf("close the old index: %w", err)
	}
	if err := index.Remove(path); err != nil {
		return err
	}
	if err := os.Rename(fresh, path); err != nil {
		return fmt.Errorf("put the new index in place: %w", err)
	}
	x, err := index.Open(ctx, path)
	if err != nil {
		return err
	}
	e.index = x
	for _, i := range olds {
		s, err := x.Installation(ctx, i.ID, i.StateDir)
		if err != nil {
			return err
		}
		i.store = store{s}
	}
	return nil
}
