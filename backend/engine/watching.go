package engine

import (
	"context"
	"path/filepath"
	"strings"
	"sync"

	"tidemark/backend/memory"
	"tidemark/backend/watch"
)

// watchers are the watchers of the installations while Run runs.
type watchers struct {
	group sync.WaitGroup
	of    map[string]bool // by installation
}

// follow has an installation watched until ctx ends, if it is not already.
func (e *Engine) follow(ctx context.Context, w *watchers, i *installation) {
	if w.of[i.ID] {
		return
	}
	w.of[i.ID] = true
	w.group.Go(func() { i.watcher.Run(ctx) })
}

// newWatcher makes the watcher of an installation. What it tells is a hint: a
// look finds out what changed.
func newWatcher(i *installation) *watch.Watcher {
	return watch.New(watch.Options{Roots: i.roots, Changed: func(b watch.Batch) {
		i.engine.rouse(i)
		if b.All { // how it watches may be another way now
			s := i.status()
			i.engine.hub.publish(i.ID, &s, nil)
		}
	}})
}

// roots are the places in which a change is of interest.
func (i *installation) roots() []watch.Root {
	agents := filepath.Join(i.StateDir, "agents")
	roots := []watch.Root{{Path: i.StateDir, Reach: watch.Folder}, {Path: agents, Reach: watch.Tree}, {Path: filepath.Join(i.StateDir, "cron"), Reach: watch.Folder}}
	for _, r := range i.hist.places() {
		if !strings.HasPrefix(r.Path, agents+string(filepath.Separator)) {
			roots = append(roots, r)
		}
	}
	return roots
}

// notices are problems of watching.
func (i *installation) notices() []memory.Problem {
	if n := i.watcher.State().Notice; n != nil {
		return []memory.Problem{*n}
	}
	return nil
}
