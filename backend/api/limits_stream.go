package api

import (
	"errors"
	"net/http"
	"time"
)

// stallTime is how long one piece of an open-ended answer may take to reach
// the client: one that does not read for that long is gone or asleep, and
// comes back on its own.
const stallTime = 10 * time.Second

// openEnded is an answer that lasts longer than the limits of Server allow,
// such as a stream of events: as long as the client takes each piece in time,
// it goes on. Writers without a connection (the window's) have no limits to
// lift and work as well. It is for one goroutine.
type openEnded struct {
	w       http.ResponseWriter
	control *http.ResponseController
	stall   time.Duration
}

// newOpenEnded lifts the limits of w. The body of the request must have been
// read. The handler watches the context of the request, which ends when the
// client goes away.
func newOpenEnded(w http.ResponseWriter) (*openEnded, error) {
	s := &openEnded{w: w, control: http.NewResponseController(w), stall: stallTime}
	// The limit on reading the request would otherwise end its context.
	if err := supported(s.control.SetReadDeadline(time.Time{})); err != nil {
		return nil, err
	}
	return s, supported(s.control.SetWriteDeadline(time.Now().Add(s.stall)))
}

// Write sends p at once. An error means that the client is gone.
func (s *openEnded) Write(p []byte) (int, error) {
	if err := supported(s.control.SetWriteDeadline(time.Now().Add(s.stall))); err != nil {
		return 0, err
	}
	n, err := s.w.Write(p)
	if err != nil {
		return n, err
	}
	return n, supported(s.control.Flush())
}

// supported makes nothing of an error that says that w cannot do a thing.
func supported(err error) error {
	if errors.Is(err, http.ErrNotSupported) {
		return nil
	}
	return err
}
