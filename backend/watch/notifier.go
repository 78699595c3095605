package watch

import (
	"fmt"

	"github.com/fsnotify/fsnotify"
)

// notifier is what the system tells changes by. Its channels are closed after
// Close.
type notifier interface {
	Add(dir string) error
	Remove(dir string) error
	WatchList() []string
	Close() error
	Events() <-chan fsnotify.Event
	Errors() <-chan error
}

type system struct{ *fsnotify.Watcher }

func (s system) Events() <-chan fsnotify.Event { return s.Watcher.Events }
func (s system) Errors() <-chan error          { return s.Watcher.Errors }

func openSystem() (notifier, error) {
	w, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, fmt.Errorf("ask the system for events: %w", err)
	}
	return system{w}, nil
}
