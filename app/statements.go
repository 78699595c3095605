package app

import (
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"

	"github.com/spf13/cobra"

	"tidemark/backend/api"
)

func (c *command) statementsCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "statements",
		Short: "What people asked your agents to remember: list, show, pin, correct, forget",
		Args:  usage(cobra.NoArgs),
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(c.statementsListCommand(), c.statementsShowCommand(),
		c.decisionCommand("pin", "Pin a statement: it comes first and nothing replaces it by itself"),
		c.decisionCommand("unpin", "Take a pin off"),
		c.decisionCommand("forget", "Remove a statement's words from the ledger and the index for good"),
		c.decisionCommand("undo", "Take the last decision about a statement back"),
		c.correctCommand(), c.scopeCommand())
	return cmd
}

func (c *command) statementsListCommand() *cobra.Command {
	var agent, speaker, tag, state, text, from, to, session string
	var pinned, repeated bool
	cmd := &cobra.Command{
		Use:     "list",
		Short:   "List statements, the newest first",
		Example: "  tidemark statements list\n  tidemark statements list --tag B --speaker owner --state live --json",
		Args:    usage(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			q := url.Values{"agent": {agent}, "speaker": {speaker}, "tag": {tag}, "state": {state}, "words": {text}, "from": {from}, "to": {to}, "session": {session}}
			for name, yes := range map[string]bool{"pinned": pinned, "repeated": repeated} {
				if yes {
					q.Set(name, "1")
				}
			}
			var all api.StatementList
			if err := c.fetch(cmd.Context(), http.MethodGet, "/api/statements", q, &all); err != nil {
				return err
			}
			if all.LedgerError != "" {
				fmt.Fprintf(c.err, "The ledger cannot be written: %s. %d statements are held until it can.\n", all.LedgerError, all.Waiting)
			}
			rows := make([]api.StatementRow, len(all.Statements))
			for n, s := range all.Statements {
				rows[n] = s.StatementRow
			}
			return c.print(rows, func(w io.Writer) { statementTable(w, all.Statements) })
		},
	}
	f := cmd.Flags()
	f.StringVar(&agent, "agent", "", "only what holds for this agent")
	f.StringVar(&speaker, "speaker", "", "only what was said by: owner, contact or unknown")
	f.StringVar(&tag, "tag", "", "only these tags: W (wants), B (boundaries), O (details), or several as WB")
	f.StringVar(&state, "state", "", "only these: live, superseded or expired")
	f.StringVar(&text, "text", "", "only those that hold these words")
	f.StringVar(&session, "session", "", "only what was said in this session")
	f.StringVar(&from, "from", "", "first day, as 2026-05-01")
	f.StringVar(&to, "to", "", "last day, included")
	f.BoolVar(&pinned, "pinned", false, "only pinned ones")
	f.BoolVar(&repeated, "repeated", false, "only those that had to be said again")
	for name, values := range map[string][]string{"speaker": {"owner", "contact", "unknown"}, "tag": {"W", "B", "O"}, "state": {"live", "superseded", "expired"}} {
		cmd.RegisterFlagCompletionFunc(name, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp))
	}
	return c.jsonFlag(cmd)
}

func (c *command) statementsShowCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "show ID",
		Short: "Show one statement: where it was said, and what happened to it",
		Args:  usage(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			var d api.StatementDetail
			if err := c.fetch(cmd.Context(), http.MethodGet, "/api/statement", url.Values{"id": {args[0]}}, &d); err != nil {
				return err
			}
			return c.printStatement(d)
		},
	}
	return c.jsonFlag(cmd)
}

// printStatement prints the row of a statement as JSON, or all that is known of
// it as a text.
func (c *command) printStatement(d api.StatementDetail) error {
	return c.print(d.Statement.StatementRow, func(w io.Writer) { statementText(w, d) })
}

// decisionCommand is a decision that needs no more than the statement's id.
func (c *command) decisionCommand(do, short string) *cobra.Command {
	cmd := &cobra.Command{
		Use:   do + " ID",
		Short: short,
		Args:  usage(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.decide(cmd, api.StatementChange{ID: args[0], Do: do})
		},
	}
	return c.jsonFlag(cmd)
}

func (c *command) decide(cmd *cobra.Command, change api.StatementChange) error {
	var d api.StatementDetail
	if err := c.change(cmd.Context(), http.MethodPost, "/api/statement", nil, change, &d); err != nil {
		return err
	}
	return c.printStatement(d)
}

func (c *command) correctCommand() *cobra.Command {
	tag := ""
	cmd := &cobra.Command{
		Use:     "correct ID TEXT",
		Short:   "Put a statement into other words",
		Example: "  tidemark statements correct s3f7k2m9q1 \"No calls before 9:30\"",
		Args:    usage(cobra.ExactArgs(2)),
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.decide(cmd, api.StatementChange{ID: args[0], Do: "correct", Text: args[1], Tag: tag})
		},
	}
	cmd.Flags().StringVar(&tag, "tag", "", "and give it this tag: W, B or O")
	return c.jsonFlag(cmd)
}

func (c *command) scopeCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "scope ID agent|all",
		Short: "Say whether a statement holds for the agent that was told, or for all agents",
		Args:  usage(cobra.ExactArgs(2)),
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.decide(cmd, api.StatementChange{ID: args[0], Do: "scope", Scope: args[1]})
		},
	}
	return c.jsonFlag(cmd)
}

func statementTable(w io.Writer, all []api.Statement) {
	fmt.Fprintln(w, "SAID\tID\tTAG\tAGENT\tSPEAKER\tSTATE\tTEXT")
	for _, s := range all {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t%s\n", moment(s.At), s.ID, s.Tag, plain(s.Agent), speakerOf(s), statementState(s), plain(firstLine(s.Text)))
	}
}

func speakerOf(s api.Statement) string {
	if s.SpeakerName == "" || s.Speaker == "owner" {
		return s.Speaker
	}
	return s.Speaker + " " + plain(s.SpeakerName)
}

func statementState(s api.Statement) string {
	states := []string{s.State}
	if s.Pinned {
		states = append(states, "pinned")
	}
	if s.Repeats > 0 {
		states = append(states, fmt.Sprintf("said %d times", s.Repeats+1))
	}
	return strings.Join(states, ", ")
}

func statementText(w io.Writer, d api.StatementDetail) {
	s := d.Statement
	fmt.Fprintf(w, "%s\t%s\n\nid\t%s\nagent\t%s\nholds for\t%s\nsaid by\t%s\nstate\t%s\nrule\t%s\nuntil\t%s\nledger\t%s\n", s.Tag, plain(s.Text), s.ID, plain(s.Agent), s.Scope, speakerOf(s), statementState(s), s.Rule, moment(s.Until), plain(d.LedgerPath))
	fmt.Fprintln(w, "\nSAID\tSESSION\tENTRY\tWORDS")
	for _, o := range d.Said {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", moment(o.At), plain(o.SessionID), plain(o.EntryID), plain(firstLine(o.Text)))
	}
	if len(d.History) > 1 {
		fmt.Fprintln(w, "\nWHEN\tWHAT\t")
		for _, h := range d.History {
			fmt.Fprintf(w, "%s\t%s\t%s\n", moment(h.At), h.Kind, plain(firstLine(h.Text)))
		}
	}
}
