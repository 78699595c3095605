package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"github.com/spf13/cobra"

	"tidemark/backend/loopback"
	"tidemark/backend/memory"
	"tidemark/backend/openclaw"
	"tidemark/backend/settings"
)

// Exit codes of the command line.
const (
	exitDone   = 0
	exitFailed = 1
	exitUsage  = 2
)

// usageError is an error in how the program was called.
type usageError struct{ error }

// Main runs the program and gives its exit code. It writes data to out,
// everything else to err.
func Main(args []string, out, err io.Writer) int {
	loopback.Seal()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	c := &command{out: out, err: err, env: openclaw.SystemEnv()}
	root := c.root()
	root.SetArgs(args)
	root.SetOut(out)
	root.SetErr(err)
	failure := root.ExecuteContext(ctx)
	if failure == nil {
		return exitDone
	}
	var wrong usageError
	usage := errors.As(failure, &wrong) || memory.CodeOf(failure) == memory.CodeInvalid || isUnknownCommand(failure)
	if ctx.Err() != nil && errors.Is(failure, context.Canceled) {
		fmt.Fprintln(err, "tidemark: stopped; what was read so far is kept")
		return exitFailed
	}
	fmt.Fprintf(err, "tidemark: %v\n", failure)
	if hint := memory.HintOf(failure); hint != "" {
		fmt.Fprintln(err, hint)
	}
	if usage {
		return exitUsage
	}
	return exitFailed
}

// command holds what all commands share: the flags and where to write.
type command struct {
	out, err io.Writer
	env      openclaw.Env

	stateDir, dataDir, profile string
	json                       bool

	demo  bool  // asked for the invented installation
	stage stage // of it, "" where the person's own is looked at
}

func (c *command) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "tidemark",
		Short: "See what your OpenClaw agents remember, and what it costs",
		Long: `Tidemark reads what OpenClaw keeps of its agents' conversations, of any version,
and shows every session, compaction, token and dollar, counted once. It only
reads OpenClaw's files, and nothing leaves this machine.

Without a command it opens its window. Where this program has none, or there is
no screen, it starts the local pages and prints their address.`,
		Example: `  tidemark                         open the window, or print the address of the pages
  tidemark --demo                  the same with an invented installation
  tidemark scan                    what is there, in one table
  tidemark costs --by model        what each model cost
  tidemark scan --json --no-store --state-dir /backup/.openclaw`,
		Args:          usage(cobra.NoArgs),
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	root.PersistentPreRunE = func(cmd *cobra.Command, _ []string) error { return c.useDemo(cmd.Context()) }
	root.RunE = func(cmd *cobra.Command, _ []string) error { return c.start(cmd.Context()) }
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return usageError{err} })
	flags := root.PersistentFlags()
	flags.StringVar(&c.stateDir, "state-dir", "", "OpenClaw's state directory (default: as OpenClaw finds it)")
	flags.StringVar(&c.profile, "profile", "", "OpenClaw's profile, as in openclaw --profile")
	flags.StringVar(&c.dataDir, "data-dir", "", "Tidemark's own data directory (default: the platform's; "+settings.DataDirVar+" overrides)")
	flags.BoolVar(&c.demo, "demo", false, "show an invented installation that goes on talking, apart from your own")
	root.AddCommand(c.serveCommand(), c.scanCommand(), c.sessionsCommand(), c.costsCommand(), c.compactionsCommand(), c.problemsCommand(), c.statementsCommand(), c.captureCommand(), c.evalCommand(), c.rebuildCommand(), c.versionCommand(), c.serviceCommand(), c.demoCommand())
	return root
}

// usage marks the error of an argument check as one of usage.
func usage(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if err := check(cmd, args); err != nil {
			return usageError{err}
		}
		return nil
	}
}

// isUnknownCommand recognises the error that cobra gives no type.
func isUnknownCommand(err error) bool {
	const start = "unknown command"
	return len(err.Error()) > len(start) && err.Error()[:len(start)] == start
}

// brief trades memory for time: a command that ends within seconds collects
// garbage a quarter as often.
func brief() { debug.SetGCPercent(400) }
