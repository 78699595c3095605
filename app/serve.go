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
	port := 0
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Serve the pages on 127.0.0.1 and print a link that works once",
		Long: `Serves the pages on 127.0.0.1, at a random port unless one is given, and prints a
link that opens them in a browser. The link works once and within ten minutes;
for another one call this command again while it runs. Nobody else on this
machine can open the pages without such a link.`,
		Example: "  tidemark serve\n  tidemark serve --port 8737",
		Args:    usage(cobra.NoArgs),
		RunE:    func(cmd *cobra.Command, _ []string) error { return c.serve(cmd.Context(), port) },
	}
	cmd.Flags().IntVar(&port, "port", 0, "port on 127.0.0.1 (0: random)")
	return cmd
}

// serve owns the data directory until ctx ends. Where another process owns it
// and serves, it prints a new link of that one.
func (c *command) serve(ctx context.Context, port int) error {
	data, err := c.dataPath()
	if err != nil {
		return err
	}
	e, err := engine.Open(ctx, c.engineOptions(data))
	if memory.CodeOf(err) == memory.CodeBusy {
		return c.linkOfOwner(ctx, data, err)
	}
	if err != nil {
		return err
	}
	defer e.Close()
	if err := c.useAll(ctx, e); err != nil {
		return err
	}
	socket, err := loopback.ListenSocket(loopback.SocketPath(data))
	if err != nil {
		return err
	}
	tcp, err := loopback.ListenTCP(port)
	if err != nil {
		return errors.Join(err, socket.Close())
	}
	token, err := e.Dir().Token()
	if err != nil {
		return errors.Join(err, socket.Close(), tcp.Close())
	}
	guard := &api.Guard{Token: token, Port: tcp.Addr().(*net.TCPAddr).Port}
	link := func() (string, error) { return guard.OneTimeURL(), nil }
	demo := c.besideOf(data)
	defer demo.close()
	defer c.talk(ctx)()
	inside := api.Server(e.Handler(engine.Surface{Trusted: true, Link: link, Demo: demoOf(demo)}))
	inside.WriteTimeout = 0 // the owner's own commands wait for long jobs
	outside := api.Server(guard.Wrap(e.Handler(engine.Surface{Files: frontend.Files(), Demo: demoOf(demo)})))
	fmt.Fprintf(c.err, "Serving on 127.0.0.1:%d. Stop with Ctrl-C.\n", guard.Port)
	if !frontend.Built() {
		fmt.Fprintln(c.err, "The pages are not built into this program: build it with make.")
	}
	fmt.Fprintf(c.out, "Open this link within ten minutes; it works once:\n%s\n", guard.OneTimeURL())
	return run(ctx, e, map[*http.Server]net.Listener{inside: socket, outside: api.LimitListener(tcp, maxConnections)})
}

// useAll makes the installation that the flags name known, and where they name
// none, all others of this home too.
func (c *command) useAll(ctx context.Context, e *engine.Engine) error {
	inst, err := openclaw.Resolve(c.env, c.stateDir, c.profile)
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
	if err := o.ask(ctx, http.MethodPost, "/api/link", nil, &got); err != nil {
		return err
	}
	fmt.Fprintf(c.out, "Tidemark runs already. Open this link within ten minutes; it works once:\n%s\n", got.URL)
	return nil
}
