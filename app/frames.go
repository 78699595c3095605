package app

import (
	"bytes"
	"net/http"
)

// frames takes a stream of server-sent events as a handler writes it and hands
// on the data of each event. It is for one goroutine.
type frames struct {
	header http.Header
	status int
	rest   []byte
	told   func(data []byte)
}

func newFrames(told func(data []byte)) *frames {
	return &frames{header: http.Header{}, status: http.StatusOK, told: told}
}

func (f *frames) Header() http.Header { return f.header }

// WriteHeader notes the status: what follows one that is not 200 are no events.
func (f *frames) WriteHeader(status int) { f.status = status }

// Write takes the next part of the stream, which may end anywhere.
func (f *frames) Write(p []byte) (int, error) {
	if f.status != http.StatusOK {
		return len(p), nil
	}
	f.rest = append(f.rest, p...)
	for {
		frame, rest, whole := bytes.Cut(f.rest, []byte("\n\n"))
		if !whole {
			return len(p), nil
		}
		f.rest = rest
		f.frame(frame)
	}
}

// frame hands on the data of one event; the API writes it as one line.
func (f *frames) frame(frame []byte) {
	for line := range bytes.Lines(frame) {
		if data, ok := bytes.CutPrefix(bytes.TrimSuffix(line, []byte("\n")), []byte("data: ")); ok {
			f.told(bytes.Clone(data))
		}
	}
}
