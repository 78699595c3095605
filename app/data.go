package app

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"tidemark/backend/api"
	"tidemark/backend/engine"
	"tidemark/backend/ingest"
	"tidemark/backend/openclaw"
	"tidemark/backend/secrets"
)

// fetch asks one question about the installation that the flags name, after a
// look at its files.
func (c *command) fetch(ctx context.Context, method, path string, query url.Values, answer any) error {
	return c.change(ctx, method, path, query, nil, answer)
}

// change is fetch with a body that says what is to be done.
func (c *command) change(ctx context.Context, method, path string, query url.Values, body, answer any) error {
	brief()
	who, id, err := c.open(ctx)
	if err != nil {
		return err
	}
	defer who.close()
	if query == nil {
		query = url.Values{}
	}
	query.Set("installation", id)
	query.Set("refresh", "1")
	end := c.watch(ctx, who, id)
	defer end()
	return who.ask(ctx, method, path, query, body, answer)
}

// watch shows on stderr how far a look is, once it takes over a second, until
// the function it gives is called.
func (c *command) watch(ctx context.Context, who asker, id string) (end func()) {
	ctx, stop := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		shown := false
		for {
			select {
			case <-ctx.Done():
				if shown && c.terminal() {
					fmt.Fprint(c.err, "\r\x1b[K")
				}
				return
			case <-time.After(time.Second):
			}
			var s api.Status
			if who.ask(ctx, http.MethodGet, "/api/status", url.Values{"installation": {id}}, nil, &s) == nil && s.Busy {
				shown = true
				c.progress(s.Agent, s.Done, s.Total)
			}
		}
	}()
	return func() {
		stop()
		<-done
	}
}

// progress writes one line, over the last one on a terminal.
func (c *command) progress(agent string, done, total int64) {
	text := fmt.Sprintf("reading %s: %d of %d MB (Ctrl-C stops; what was read is kept)", agent, done>>20, total>>20)
	if c.terminal() {
		fmt.Fprint(c.err, "\r\x1b[K"+text)
		return
	}
	fmt.Fprintln(c.err, text)
}

// terminal says whether a person watches stderr.
func (c *command) terminal() bool {
	f, ok := c.err.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// jsonFlag adds --json to a command that prints data.
func (c *command) jsonFlag(cmd *cobra.Command) *cobra.Command {
	cmd.Flags().BoolVar(&c.json, "json", false, "print JSON")
	return cmd
}

// print writes v as JSON, or as a table where that was not asked for.
func (c *command) print(v any, table func(io.Writer)) error {
	if c.json {
		enc := json.NewEncoder(c.out)
		enc.SetEscapeHTML(false)
		enc.SetIndent("", "  ")
		return enc.Encode(v)
	}
	w := tabwriter.NewWriter(c.out, 0, 8, 2, ' ', 0)
	table(w)
	return w.Flush()
}

func (c *command) scanCommand() *cobra.Command {
	noStore := false
	cmd := &cobra.Command{
		Use:   "scan",
		Short: "Count everything: agents, sessions, messages, compactions, tokens, dollars",
		Long: `Reads what is new since the last look, and sums up. With --no-store everything is
read and nothing is left behind: no index is written, and none is used.`,
		Example: "  tidemark scan\n  tidemark scan --json\n  tidemark scan --no-store --state-dir /backup/.openclaw",
		Args:    usage(cobra.NoArgs),
	}
	cmd.Flags().BoolVar(&noStore, "no-store", false, "read everything and leave nothing behind")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		began := time.Now()
		var s api.Scan
		var err error
		if noStore {
			s, err = c.scanOnce(cmd.Context())
		} else {
			err = c.fetch(cmd.Context(), http.MethodGet, "/api/scan", nil, &s)
		}
		if err != nil {
			return err
		}
		s.ElapsedMs = time.Since(began).Milliseconds()
		return c.print(s, func(w io.Writer) { scanTable(w, s) })
	}
	return c.jsonFlag(cmd)
}

func (c *command) scanOnce(ctx context.Context) (api.Scan, error) {
	brief()
	inst, err := openclaw.Resolve(c.env, c.stateDir, c.profile)
	if err != nil {
		return api.Scan{}, err
	}
	next := time.Now().Add(time.Second)
	shown := false
	s, err := engine.ScanOnce(ctx, c.env, inst, secrets.Mask, func(p ingest.Progress) {
		if now := time.Now(); now.After(next) {
			next, shown = now.Add(time.Second), true
			c.progress(p.Agent, p.BytesDone, p.Bytes)
		}
	})
	if shown && c.terminal() {
		fmt.Fprint(c.err, "\r\x1b[K")
	}
	return s, err
}

func (c *command) sessionsCommand() *cobra.Command {
	agent := ""
	cmd := &cobra.Command{
		Use:     "sessions",
		Short:   "List sessions, the most recent first",
		Example: "  tidemark sessions\n  tidemark sessions --agent main --json",
		Args:    usage(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			var all []api.Session
			if err := c.fetch(cmd.Context(), http.MethodGet, "/api/sessions", url.Values{"agent": {agent}}, &all); err != nil {
				return err
			}
			rows := make([]api.SessionRow, len(all))
			for i := range all {
				rows[i] = all[i].SessionRow
			}
			return c.print(rows, func(w io.Writer) { sessionTable(w, all) })
		},
	}
	cmd.Flags().StringVar(&agent, "agent", "", "only this agent")
	return c.jsonFlag(cmd)
}

func (c *command) costsCommand() *cobra.Command {
	var by, zone, from, to, agent string
	cmd := &cobra.Command{
		Use:   "costs",
		Short: "Sum up what calls cost by day, agent, model or session",
		Long: `Sums up tokens and dollars. Only calls that are in OpenClaw's transcripts can be
counted: summaries of compactions and memory flushes leave no usage, so the
provider's bill is higher. Calls whose price is not known are counted apart.`,
		Example: "  tidemark costs\n  tidemark costs --by model --from 2026-05-01\n  tidemark costs --by day --tz Asia/Shanghai --json",
		Args:    usage(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			var v api.CostView
			q := url.Values{"by": {by}, "tz": {zone}, "from": {from}, "to": {to}, "agent": {agent}}
			if err := c.fetch(cmd.Context(), http.MethodGet, "/api/costs", q, &v); err != nil {
				return err
			}
			return c.print(v.Costs, func(w io.Writer) { costTable(w, v) })
		},
	}
	f := cmd.Flags()
	f.StringVar(&by, "by", "day", "day, agent, model or session")
	f.StringVar(&zone, "tz", "", "time zone of days, as Asia/Shanghai (default: the one in OpenClaw's configuration, else this machine's)")
	f.StringVar(&from, "from", "", "first day, as 2026-05-01")
	f.StringVar(&to, "to", "", "last day, included")
	f.StringVar(&agent, "agent", "", "only this agent")
	cmd.RegisterFlagCompletionFunc("by", cobra.FixedCompletions([]string{"day", "agent", "model", "session"}, cobra.ShellCompDirectiveNoFileComp))
	return c.jsonFlag(cmd)
}

func (c *command) compactionsCommand() *cobra.Command {
	var agent, session string
	cmd := &cobra.Command{
		Use:     "compactions",
		Short:   "List compactions, the latest first",
		Example: "  tidemark compactions\n  tidemark compactions --agent main --json",
		Args:    usage(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			all := []api.Compaction{}
			if err := c.fetch(cmd.Context(), http.MethodGet, "/api/compactions", url.Values{"agent": {agent}, "session": {session}}, &all); err != nil {
				return err
			}
			rows := make([]api.CompactionRow, len(all))
			for i := range all {
				rows[i] = all[i].CompactionRow
			}
			return c.print(rows, func(w io.Writer) { compactionTable(w, rows) })
		},
	}
	cmd.Flags().StringVar(&agent, "agent", "", "only this agent")
	cmd.Flags().StringVar(&session, "session", "", "only this session")
	return c.jsonFlag(cmd)
}

func (c *command) problemsCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "problems",
		Short:   "List what could not be read or needs attention, and what to do",
		Example: "  tidemark problems\n  tidemark problems --json",
		Args:    usage(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			all := []api.Problem{}
			if err := c.fetch(cmd.Context(), http.MethodGet, "/api/problems", nil, &all); err != nil {
				return err
			}
			return c.print(all, func(w io.Writer) { problemTable(w, all) })
		},
	}
	return c.jsonFlag(cmd)
}

func (c *command) rebuildCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "rebuild",
		Short: "Make the index anew from OpenClaw's files and the ledger",
		Long: `The index is a cache. This makes it anew from OpenClaw's files and Tidemark's
ledger; until it is done the old one answers. What OpenClaw has deleted since
comes back from the ledger.`,
		Args: usage(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			var s api.Scan
			if err := c.fetch(cmd.Context(), http.MethodPost, "/api/rebuild", nil, &s); err != nil {
				return err
			}
			return c.print(s, func(w io.Writer) { scanTable(w, s) })
		},
	}
	return c.jsonFlag(cmd)
}

// list joins names for a table, "-" where there are none.
func list(names []string) string {
	if len(names) == 0 {
		return "-"
	}
	return strings.Join(names, ", ")
}
