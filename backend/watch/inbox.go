package watch

import (
	"errors"
	"log/slog"
	"sync"

	"github.com/fsnotify/fsnotify"
)

// inboxMost is how many paths wait at most. More than any installation has in a
// burst; beyond it looking at everything is cheaper than the list.
const inboxMost = 1 << 16

// inbox empties a notifier as fast as it can, so that the system's own queue
// does not run over. It is safe for concurrent use.
type inbox struct {
	ready chan struct{} // holds one when there is something to take

	mu     sync.Mutex // of what follows
	events map[string]fsnotify.Op
	gap    gap
}

// gap says whether events are missing.
type gap int

const (
	whole     gap = iota
	broken        // the system had trouble with one of them
	overflown     // there were more than its queue holds
)

func newInbox() *inbox {
	return &inbox{ready: make(chan struct{}, 1), events: map[string]fsnotify.Op{}}
}

// drain takes what a notifier tells until it is closed.
func (b *inbox) drain(n notifier) {
	events, faults := n.Events(), n.Errors()
	for events != nil || faults != nil {
		select {
		case e, ok := <-events:
			if !ok {
				events = nil
				continue
			}
			b.put(e)
		case err, ok := <-faults:
			if !ok {
				faults = nil
				continue
			}
			if errors.Is(err, fsnotify.ErrEventOverflow) {
				b.miss(overflown)
				continue
			}
			slog.Debug("an event of the system cannot be read", "err", err)
			b.miss(broken)
		}
	}
}

func (b *inbox) put(e fsnotify.Event) {
	b.mu.Lock()
	b.events[e.Name] |= e.Op
	if len(b.events) > inboxMost {
		b.gap, b.events = overflown, map[string]fsnotify.Op{}
	}
	b.mu.Unlock()
	b.signal()
}

func (b *inbox) miss(g gap) {
	b.mu.Lock()
	b.gap = max(b.gap, g)
	b.mu.Unlock()
	b.signal()
}

func (b *inbox) signal() {
	select {
	case b.ready <- struct{}{}:
	default:
	}
}

// take gives what came since it was last called, and whether some was lost.
func (b *inbox) take() (events map[string]fsnotify.Op, g gap) {
	b.mu.Lock()
	defer b.mu.Unlock()
	events, g = b.events, b.gap
	b.events, b.gap = map[string]fsnotify.Op{}, whole
	return events, g
}
