package app

import (
	"context"
	"errors"
	"net"
	"net/http"
	"os"
	"runtime"

	"tidemark/backend/api"
	"tidemark/backend/engine"
	"tidemark/backend/loopback"
	"tidemark/backend/memory"
)

// start is tidemark without a command: the window where this program has one
// and there is a screen for it, else the pages.
func (c *command) start(ctx context.Context) error {
	if !windowed || !hasScreen(runtime.GOOS, os.Getenv) {
		return c.serve(ctx, 0, true)
	}
	data, err := c.dataPath()
	if err != nil {
		return err
	}
	if showFirst(ctx, data) {
		return nil
	}
	return c.openWindow(ctx, data)
}

// hasScreen says whether a window could be shown.
func hasScreen(goos string, getenv func(string) string) bool {
	switch goos {
	case "windows", "darwin":
		return true
	}
	return getenv("DISPLAY") != "" || getenv("WAYLAND_DISPLAY") != ""
}

// showFirst asks the window of a data directory, where there is one, to show
// itself.
func showFirst(ctx context.Context, data string) bool {
	path := loopback.WindowPath(data)
	conn, err := loopback.DialSocket(ctx, path)
	if err != nil {
		return false
	}
	if conn.Close() != nil {
		return false
	}
	o := owner{client: loopback.Client(path)}
	defer o.close()
	var nothing struct{}
	return o.ask(ctx, http.MethodPost, "/window/show", nil, nil, &nothing) == nil
}

// behind is what answers a window: this process, which then owns the data
// directory, or another one that does.
type behind struct {
	api http.Handler
	run func(context.Context) error // until its context ends
	end func() error
}

// back gives what is behind the window of a data directory.
func (c *command) back(ctx context.Context, data string) (*behind, error) {
	o, err := c.own(ctx, data)
	if memory.CodeOf(err) == memory.CodeBusy {
		return c.behindOwner(ctx, data, err)
	}
	if err != nil {
		return nil, err
	}
	noLink := func() (string, error) {
		return "", &memory.Error{Code: memory.CodeBusy, Op: "Tidemark's window is open and serves no pages", Hint: "Close the window first, or run: tidemark service install"}
	}
	handler := api.Server(o.handler(engine.Surface{Trusted: true})).Handler
	run := func(ctx context.Context) error {
		defer c.talk(ctx)()
		return run(ctx, o.engine, map[*http.Server]net.Listener{o.inside(noLink): o.socket})
	}
	return &behind{api: handler, run: run, end: o.close}, nil
}

// behindOwner asks the process that owns the data directory.
func (c *command) behindOwner(ctx context.Context, data string, busy error) (*behind, error) {
	o, err := dialOwner(ctx, data)
	if err != nil {
		return nil, errors.Join(busy, err)
	}
	run := func(ctx context.Context) error {
		<-ctx.Done()
		return nil
	}
	return &behind{api: passOn(o.client), run: run, end: o.close}, nil
}
