package engine

import (
	"context"
	"net/http/httptest"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"tidemark/backend/api"
)

// running runs the engine until the test ends.
func (e *engineOf) run() {
	e.w.t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		e.Run(ctx)
	}()
	e.w.t.Cleanup(func() {
		cancel()
		<-done
	})
}

// next gives the first event from here on that is wanted.
func next(t *testing.T, from <-chan api.Event, wanted func(api.Event) bool) api.Event {
	t.Helper()
	for ev := range from {
		if wanted(ev) {
			return ev
		}
	}
	t.Fatal("the events ended")
	return api.Event{}
}

func isChanged(ev api.Event) bool { return ev.Name == "changed" }

// TestEventsNameWhatWasRead: whoever listens hears the status at once, and of
// every session that something was read of.
func TestEventsNameWhatWasRead(t *testing.T) {
	w := newWorld(t)
	w.every = time.Hour // a look has no other reason than a change
	w.lines(S("a.jsonl"), head("a", 0), reply("a1", "", 1, 100, 10, "0.1"))
	w.lines(S("b.jsonl"), head("b", 0), reply("b1", "", 1, 100, 10, "0.1"))
	e := w.open()
	e.scan()
	events, err := e.Events(t.Context(), api.Query{})
	if err != nil {
		t.Fatal(err)
	}
	if first := <-events; first.Name != "status" || first.Status == nil || first.Status.StateDir != w.state {
		t.Errorf("the first event is %+v", first)
	}
	e.run()
	w.grow(S("b.jsonl"), reply("b2", "b1", 2, 100, 10, "0.1"))
	got := next(t, events, isChanged).Changed
	want := api.Changed{Installation: e.id, Revision: got.Revision, Sessions: []api.SessionRef{{Agent: "main", SessionID: "b"}}}
	if !reflect.DeepEqual(*got, want) {
		t.Errorf("got %+v, want %+v", *got, want)
	}
	status := next(t, events, func(ev api.Event) bool { return ev.Name == "status" }).Status
	if status.ChangedAt == nil || status.Busy {
		t.Errorf("the status behind it: %+v", status)
	}
	w.remove(S("a.jsonl"))
	if gone := next(t, events, isChanged).Changed; !gone.All || gone.Revision <= got.Revision {
		t.Errorf("of a file that is gone: %+v", gone)
	}
}

// TestEventsOfAnUnknownInstallation are refused.
func TestEventsOfAnUnknownInstallation(t *testing.T) {
	e := newWorld(t).open()
	if _, err := e.Events(t.Context(), api.Query{Installation: "nobody"}); err == nil {
		t.Error("events of an installation that is not there")
	}
}

// TestSlowListenerMissesStepsNotTheEnd: what was not taken is merged.
func TestSlowListenerMissesStepsNotTheEnd(t *testing.T) {
	var h hub
	ctx, cancel := context.WithCancel(t.Context())
	events := h.listen(ctx, "x", api.Event{Name: "status", Status: &api.Status{}})
	<-events
	ref := func(id string) []api.SessionRef { return []api.SessionRef{{Agent: "main", SessionID: id}} }
	h.publish("x", nil, &api.Changed{Revision: 1, Sessions: ref("a")})
	h.publish("other", nil, &api.Changed{Revision: 7, All: true})
	h.publish("x", &api.Status{Done: 1}, nil)
	h.publish("x", &api.Status{Done: 2}, &api.Changed{Revision: 2, Sessions: slices.Concat(ref("a"), ref("b"))})
	seen := map[string]bool{}
	var last api.Event
	for last.Status == nil || last.Status.Done != 2 {
		last = <-events
		if last.Changed != nil {
			for _, s := range last.Changed.Sessions {
				seen[s.SessionID] = true
			}
			if last.Changed.All {
				t.Error("it hears of another installation")
			}
		}
	}
	if !seen["a"] || !seen["b"] {
		t.Errorf("it heard of %v", seen)
	}
	cancel()
	for range events { // it is closed
	}
	if h.listened("x") {
		t.Error("a listener that left is still there")
	}
}

func TestMergedBecomesAll(t *testing.T) {
	many := &api.Changed{Revision: 1}
	for range maxNamed {
		many.Sessions = append(many.Sessions, api.SessionRef{SessionID: "s" + strings.Repeat("x", len(many.Sessions))})
	}
	got := merged(many, &api.Changed{Revision: 2, Sessions: []api.SessionRef{{SessionID: "one more"}}})
	if want := (api.Changed{Revision: 2, All: true, Sessions: []api.SessionRef{}}); !reflect.DeepEqual(*got, want) {
		t.Errorf("got %+v", got)
	}
	if got := merged(&api.Changed{All: true}, &api.Changed{Sessions: []api.SessionRef{{SessionID: "a"}}}); !got.All || len(got.Sessions) != 0 {
		t.Errorf("got %+v", got)
	}
}

// TestEventsAsAStream: over HTTP, with the name of each.
func TestEventsAsAStream(t *testing.T) {
	w := newWorld(t)
	w.lines(S("a.jsonl"), head("a", 0), reply("a1", "", 1, 100, 10, "0.1"))
	e := w.open()
	e.scan()
	ctx, cancel := context.WithCancel(t.Context())
	out := &streamed{ResponseRecorder: httptest.NewRecorder(), wrote: make(chan string, 100)}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		e.Handler(Surface{}).ServeHTTP(out, httptest.NewRequestWithContext(ctx, "GET", "/api/events", nil))
	}()
	if first := <-out.wrote; !strings.HasPrefix(first, "event: status\ndata: {\"name\":\"status\",\"status\":{") || !strings.HasSuffix(first, "}\n\n") {
		t.Errorf("the stream begins with %q", first)
	}
	w.grow(S("a.jsonl"), reply("a2", "a1", 2, 100, 10, "0.1"))
	e.scan()
	if then := <-out.wrote; !strings.HasPrefix(then, "event: changed\ndata: {\"name\":\"changed\",\"changed\":{") {
		t.Errorf("then comes %q", then)
	}
	cancel()
	<-ended
	equal(t, "its type", out.Header().Get("Content-Type"), "text/event-stream")
}

// streamed hands on each piece of an answer as it is written.
type streamed struct {
	*httptest.ResponseRecorder
	wrote chan string
}

func (s *streamed) Write(p []byte) (int, error) {
	s.wrote <- string(p)
	return len(p), nil
}
