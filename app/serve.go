package app

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/spf13/cobra"

	"tidemark/backend/api"
	"tidemark/backend/engine"
	"tidemark/backend/loopback"
	"tidemark/backend/memory"
	"tidemark/backend/openclaw"
	"tidemark/frontend"
)

// maxConnections bounds what strangers on this machine can hold open.
const maxConnections = 256

func (c *command) serveCommand() *cobra.Command {
	port, noLink := 0, false
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Serve the pages on 127.0.0.1 and print a link that works once",
		Long: `Serves the pages on 127.0.0.1, at a random port unless one is given, and prints a
link that opens them in a browser. The link works once and within ten minutes;
for another one call this command again while it runs. Nobody else on this
machine can open the pages without such a link.`,
		Example: "  tidemark serve\n  tidemark serve --port 8737",
		Args:    usage(cobra.NoArgs),
		RunE:    func(cmd *cobra.Command, _ []string) error { return c.serve(cmd.Context(), port, !noLink) },
	}
	cmd.Flags().IntVar(&port, "port", 0, "port on 127.0.0.1 (0: random)")
	cmd.Flags().BoolVar(&noLink, "no-link", false, "print no link: what a service prints is kept in a log")
	return cmd
}

// serve owns the data directory until ctx ends. Where another process owns it
// and serves, it prints a new link of that one.
func (c *command) serve(ctx context.Context, port int, tell bool) error {
	data, err := c.dataPath()
	if err != nil {
		return err
	}
	o, err := c.own(ctx, data)
	if memory.CodeOf(err) == memory.CodeBusy && tell {
		return c.linkOfOwner(ctx, data, err)
	}
	if err != nil {
		return err
	}
	defer o.close()
	tcp, err := loopback.ListenTCP(port)
	if err != nil {
		return err
	}
	token, err := o.engine.Dir().Token()
	if err != nil {
		return errors.Join(err, tcp.Close())
	}
	guard := &api.Guard{Token: token, Port: tcp.Addr().(*net.TCPAddr).Port}
	link := func() (string, error) { return guard.OneTimeURL(), nil }
	defer c.talk(ctx)()
	outside := api.Server(guard.Wrap(o.handler(engine.Surface{Files: frontend.Files()})))
	fmt.Fprintf(c.err, "Serving on 127.0.0.1:%d. Stop with Ctrl-C.\n", guard.Port)
	if !frontend.Built() {
		fmt.Fprintln(c.err, "The pages are not built into this program: build it with make.")
	}
	if tell {
		fmt.Fprintf(c.out, "Open this link within ten minutes; it works once:\n%s\n", guard.OneTimeURL())
	}
	return run(ctx, o.engine, map[*http.Server]net.Listener{o.inside(link): o.socket, outside: api.LimitListener(tcp, maxConnections)})
}

// owned is a data directory that this process owns, and its socket.
type owned struct {
	engine *engine.Engine
	socket net.Listener
	demo   *beside
}

// own takes a data directory (memory.CodeBusy where another process has it) and
// makes the person's installations known.
func (c *command) own(ctx context.Context, data string) (*owned, error) {
	e, err := engine.Open(ctx, c.engineOptions(data))
	if err != nil {
		return nil, err
	}
	if err := c.useAll(ctx, e); err != nil {
		return nil, errors.Join(err, e.Close())
	}
	socket, err := loopback.ListenSocket(loopback.SocketPath(data))
	if err != nil {
		return nil, errors.Join(err, e.Close())
	}
	return &owned{engine: e, socket: socket, demo: c.besideOf(data)}, nil
}

// handler gives the API as the surface sees it, with the demo beside it.
func (o *owned) handler(s engine.Surface) http.Handler {
	s.Demo = demoOf(o.demo)
	return o.engine.Handler(s)
}

// inside gives the server of the socket. link mints links of the pages.
func (o *owned) inside(link func() (string, error)) *http.Server {
	s := api.Server(o.handler(engine.Surface{Trusted: true, Link: link}))
	s.WriteTimeout = 0 // the owner's own commands wait for long jobs
	return s
}

// close gives the data directory back.
func (o *owned) close() error {
	err := o.socket.Close()
	if errors.Is(err, net.ErrClosed) { // its server closed it
		err = nil
	}
	return errors.Join(err, o.demo.close(), o.engine.Close())
}

// useAll makes the installation that the flags name known; where they name
// none, the one that the person chose, and all others of this home too.
func (c *command) useAll(ctx context.Context, e *engine.Engine) error {
	named := c.stateDir
	if named == "" && c.profile == "" {
		p, err := e.Dir().LoadPreferences()
		if err != nil {
			return err
		}
		named = p.StateDir
	}
	inst, err := openclaw.Resolve(c.env, named, c.profile)
	if err != nil && memory.CodeOf(err) != memory.CodeStateMissing {
		return err
	}
	if err != nil { // it may come later
		fmt.Fprintf(c.err, "%v\n%s\n", err, memory.HintOf(err))
	}
	all := []openclaw.Installation{inst}
	if c.stateDir == "" && c.profile == "" {
		all = append(all, openclaw.Discover(c.env)...)
	}
	for _, i := range all {
		if _, err := e.Use(ctx, i); err != nil {
			return err
		}
	}
	return nil
}

// run serves until ctx ends or a server fails, and then ends what is open.
func run(ctx context.Context, e *engine.Engine, servers map[*http.Server]net.Listener) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	failed := make(chan error, len(servers))
	for s, l := range servers {
		s.BaseContext = func(net.Listener) context.Context { return ctx } // streams end with it
		go func() { failed <- s.Serve(l) }()
	}
	looked := make(chan error, 1)
	go func() { looked <- e.Run(ctx) }()
	var err error
	select {
	case <-ctx.Done():
	case err = <-failed:
	}
	stop()
	end, done := context.WithTimeout(context.Background(), 3*time.Second)
	defer done()
	for s := range servers {
		if s.Shutdown(end) != nil { // a stream is open: it ends now
			s.Close()
		}
	}
	<-looked
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}

// linkOfOwner asks the process that owns the data directory for a link.
func (c *command) linkOfOwner(ctx context.Context, data string, busy error) error {
	o, err := dialOwner(ctx, data)
	if err != nil {
		return busy
	}
	defer o.close()
	var got api.Link
	if err := o.ask(ctx, http.MethodPost, "/api/link", nil, nil, &got); err != nil {
		return err
	}
	fmt.Fprintf(c.out, "Tidemark runs already. Open this link within ten minutes; it works once:\n%s\n", got.URL)
	return nil
}
