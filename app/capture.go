package app

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"tidemark/backend/capture"
	"tidemark/backend/engine"
	"tidemark/backend/memory"
	"tidemark/backend/secrets"
)

// captureLine is a message as `tidemark capture` reads it. At is when it was
// said, now where it is missing.
type captureLine struct {
	ID   string `json:"id"`
	Text string `json:"text"`
	At   string `json:"at"`
}

// captured is what `tidemark capture` answers to a message. Offsets are Unicode
// code points of the text as given.
type captured struct {
	ID    string         `json:"id"`
	Items []capturedItem `json:"items"`
}

type capturedItem struct {
	Tag   string  `json:"tag"`
	Text  string  `json:"text"`
	Start int     `json:"start"`
	End   int     `json:"end"`
	Rule  string  `json:"rule"`
	Until *string `json:"until"` // null: until further notice
}

func (c *command) captureCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "capture",
		Short: "Find the statements in messages, as it is done with what agents are told",
		Long: `Reads one message a line as JSON, {"id","text"}, and answers each with the
statements in it, {"id","items":[{"tag","text","start","end","rule","until"}]}.
Offsets are Unicode code points of the text as given. A line may say when it was
said, "at", for what holds only for a while. Nothing is stored.`,
		Example: `  echo '{"id":"1","text":"no calls before 9 please"}' | tidemark capture --json`,
		Args:    usage(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return c.capture(cmd.InOrStdin())
		},
	}
	return c.jsonFlag(cmd)
}

// capture answers lines as they come. A line that cannot be read costs itself;
// that there was one is an error in the end.
func (c *command) capture(in io.Reader) error {
	out := bufio.NewWriter(c.out)
	defer out.Flush()
	lines := bufio.NewReader(in)
	bad := 0
	for n := 1; ; n++ {
		line, err := lines.ReadBytes('\n')
		if text := bytes.TrimSpace(bytes.TrimPrefix(line, []byte("\ufeff"))); len(text) > 0 {
			if fault := c.captureOne(out, text); fault != nil {
				bad++
				fmt.Fprintf(c.err, "line %d: %v\n", n, fault)
			}
		}
		if lines.Buffered() == 0 {
			if err := out.Flush(); err != nil {
				return fmt.Errorf("write answer: %w", err)
			}
		}
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return fmt.Errorf("read messages: %w", err)
		}
	}
	if bad > 0 {
		return &memory.Error{Code: memory.CodeCorrupt, Op: fmt.Sprintf("%d lines could not be read", bad), Hint: `Each line is one message: {"id":"1","text":"…"}. The others were answered.`}
	}
	return nil
}

func (c *command) captureOne(out io.Writer, text []byte) error {
	var m captureLine
	if err := json.Unmarshal(text, &m); err != nil {
		return fmt.Errorf("read message: %w", err)
	}
	at := time.Now()
	if m.At != "" {
		var err error
		if at, err = time.Parse(time.RFC3339, m.At); err != nil {
			return fmt.Errorf("read when it was said: %w", err)
		}
	}
	answer := captured{ID: m.ID, Items: []capturedItem{}}
	for _, it := range engine.FindStatements(m.Text, secrets.Mask(m.Text), at) {
		one := capturedItem{Tag: it.Tag.String(), Text: it.Text, Start: it.Start, End: it.End, Rule: it.Rule}
		if it.Until != 0 {
			until := it.Until.Time().Format(time.RFC3339)
			one.Until = &until
		}
		answer.Items = append(answer.Items, one)
	}
	if c.json {
		enc := json.NewEncoder(out)
		enc.SetEscapeHTML(false)
		return enc.Encode(answer)
	}
	return captureText(out, answer)
}

func captureText(out io.Writer, answer captured) error {
	for _, it := range answer.Items {
		until := ""
		if it.Until != nil {
			until = " until " + *it.Until
		}
		if _, err := fmt.Fprintf(out, "%s\t%s %s\t%s%s\n", plain(answer.ID), it.Tag, plain(it.Text), it.Rule, until); err != nil {
			return fmt.Errorf("write answer: %w", err)
		}
	}
	return nil
}

func (c *command) evalCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "eval", Short: "Measure against labelled sets", Args: usage(cobra.NoArgs), RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() }}
	cmd.AddCommand(c.evalCaptureCommand())
	return cmd
}

func (c *command) evalCaptureCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "capture FILE",
		Short: "Measure which statements of labelled messages are found",
		Long: `FILE has one labelled message a line as JSON,
{"id","lang","text","expect":[{"tag","span"}],"note"}; "-" reads standard input.
A statement is found when one of an accepted tag covers at least 60 % of its
characters; one that overlaps nothing expected is false. It exits with 1 where a
secret was leaked.`,
		Example: "  tidemark eval capture messages.jsonl --json",
		Args:    usage(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			in := cmd.InOrStdin()
			if args[0] != "-" {
				f, err := os.Open(args[0])
				if err != nil {
					return &memory.Error{Code: memory.CodeNotFound, Op: "open the labelled messages", Err: err}
				}
				defer f.Close()
				in = f
			}
			labelled, err := capture.ReadLabelled(in)
			if err != nil {
				return &memory.Error{Code: memory.CodeCorrupt, Op: "read " + args[0], Hint: `Each line is {"id","lang","text","expect":[{"tag","span"}],"note"}.`, Err: err}
			}
			now := time.Now()
			res := capture.Score(labelled, func(l capture.Labelled) []memory.Item {
				return engine.FindStatements(l.Text, secrets.Mask(l.Text), now)
			})
			if err := c.print(res, func(w io.Writer) { scoreTable(w, res) }); err != nil {
				return err
			}
			if res.SecretsLeaked > 0 {
				return &memory.Error{Code: memory.CodeCorrupt, Op: fmt.Sprintf("%d secrets were captured", res.SecretsLeaked)}
			}
			return nil
		},
	}
	return c.jsonFlag(cmd)
}

func scoreTable(w io.Writer, r capture.Result) {
	fmt.Fprintf(w, "recall\t%.3f\nprecision\t%.3f\nsecrets leaked\t%d\n\nMISSED\n", r.Recall, r.Precision, r.SecretsLeaked)
	for _, m := range r.Missed {
		fmt.Fprintf(w, "%s\t%s\t%s\n", plain(m.ID), m.Tag, plain(strings.ReplaceAll(m.Span, "\n", " ")))
	}
	fmt.Fprintln(w, "\nFALSE\t\t")
	for _, m := range r.False {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", plain(m.ID), m.Tag, plain(strings.ReplaceAll(m.Text, "\n", " ")), m.Rule)
	}
}
