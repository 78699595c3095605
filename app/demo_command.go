package app

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"tidemark/backend/demo"
)

// demoCommand has what tests of the pages need: it is not shown.
func (c *command) demoCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "demo", Short: "Write an invented installation", Hidden: true, Args: usage(cobra.NoArgs)}
	cmd.AddCommand(c.demoWriteCommand(), c.demoTalkCommand())
	return cmd
}

func (c *command) demoWriteCommand() *cobra.Command {
	o := demo.Options{}
	now := ""
	cmd := &cobra.Command{
		Use:     "write DIR",
		Short:   "Invent an installation in a new folder and print its truth as JSON",
		Example: "  tidemark demo write /tmp/kiln --seed 3 --months 1 --size 20 --now 2026-11-24T12:00:00Z",
		Args:    usage(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Now = time.Now()
			if now != "" {
				at, err := time.Parse(time.RFC3339, now)
				if err != nil {
					return usageError{fmt.Errorf("read --now: %w", err)}
				}
				o.Now = at
			}
			truth, err := demo.Write(cmd.Context(), args[0], o)
			if err != nil {
				return err
			}
			return json.NewEncoder(c.out).Encode(truth)
		},
	}
	f := cmd.Flags()
	f.Uint64Var(&o.Seed, "seed", demoSeed, "what is invented")
	f.IntVar(&o.Months, "months", 0, "how long it lasts (0: as usual)")
	f.IntVar(&o.Size, "size", 0, "how much is said, in percent (0: 100)")
	f.StringVar(&now, "now", "", "when it ends, as 2026-11-24T12:00:00Z (default: now)")
	return cmd
}

func (c *command) demoTalkCommand() *cobra.Command {
	o := demo.TalkOptions{}
	cmd := &cobra.Command{
		Use:   "talk DIR",
		Short: "Go on talking in an invented installation until Ctrl-C",
		Args:  usage(cobra.ExactArgs(1)),
		RunE:  func(cmd *cobra.Command, args []string) error { return demo.NewTalker(args[0], o).Talk(cmd.Context()) },
	}
	cmd.Flags().Uint64Var(&o.Seed, "seed", demoSeed, "what is said")
	cmd.Flags().DurationVar(&o.Every, "every", demo.DefaultEvery, "time between two exchanges")
	return cmd
}
