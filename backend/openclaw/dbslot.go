package openclaw

import (
	"context"
	"os"
	"sync"
)

// slots keep this process from opening a database twice at the same time: a
// connection that takes no locks drops, when it closes its files, the locks of
// another one of the same process, and then nothing keeps OpenClaw from
// changing what that one reads.
var slots struct {
	sync.Mutex
	used []*slot
}

// slot is a database that is open in this process, or about to be.
type slot struct {
	info  os.FileInfo
	turn  chan struct{} // holds a token while the database is open
	users int
}

// takeSlot waits until this process has no connection to the database that
// info describes. The caller gives the slot back with release.
func takeSlot(ctx context.Context, info os.FileInfo) (*slot, error) {
	s := slotOf(info)
	select {
	case s.turn <- struct{}{}:
		return s, nil
	case <-ctx.Done():
		s.leave()
		return nil, ctx.Err()
	}
}

func slotOf(info os.FileInfo) *slot {
	slots.Lock()
	defer slots.Unlock()
	for _, s := range slots.used {
		if os.SameFile(s.info, info) {
			s.users++
			return s
		}
	}
	s := &slot{info: info, turn: make(chan struct{}, 1), users: 1}
	slots.used = append(slots.used, s)
	return s
}

func (s *slot) release() {
	<-s.turn
	s.leave()
}

func (s *slot) leave() {
	slots.Lock()
	defer slots.Unlock()
	if s.users--; s.users > 0 {
		return
	}
	for i, other := range slots.used {
		if other == s {
			slots.used = append(slots.used[:i], slots.used[i+1:]...)
			return
		}
	}
}
