package app

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"tidemark/backend/api"
)

// Tables are for people; programs use --json. "?" stands for what is not known.

func scanTable(w io.Writer, s api.Scan) {
	fmt.Fprintln(w, "AGENT\tSESSIONS\tSTORED AS\tWORKSPACE")
	for _, a := range s.Agents {
		fmt.Fprintf(w, "%s\t%d\t%s\t%s\n", plain(a.ID), a.Sessions, list(a.Eras), plain(a.Workspace))
	}
	fmt.Fprintf(w, "\nsessions\t%s\n", group(s.Sessions))
	fmt.Fprintf(w, "messages\t%s\t(%s by user)\n", group(s.Messages), group(s.UserMessages))
	fmt.Fprintf(w, "compactions\t%s\n", group(s.Compactions))
	fmt.Fprintf(w, "tokens\t%s\n", tokens(s.Tokens))
	fmt.Fprintf(w, "cost\t%s\n", dollars(s.Cost.USD, s.Cost.UnpricedCalls))
	if n := len(s.Problems); n > 0 {
		fmt.Fprintf(w, "problems\t%d\t(see: tidemark problems)\n", n)
	}
}

func sessionTable(w io.Writer, all []api.Session) {
	fmt.Fprintln(w, "UPDATED\tAGENT\tSESSION\tMESSAGES\tCONTEXT\tCOMPACTIONS\tCOST\tSTATE")
	for _, s := range all {
		fmt.Fprintf(w, "%s\t%s\t%s\t%d\t%s\t%d\t%s\t%s\n", moment(s.UpdatedAt), plain(s.Agent), plain(s.SessionID), s.Messages, contextOf(s.SessionRow), s.Compactions, dollars(s.USD, s.UnpricedCalls), stateOf(s))
	}
}

func stateOf(s api.Session) string {
	var states []string
	switch {
	case s.Gone:
		states = append(states, "gone from OpenClaw")
	case s.Archived:
		states = append(states, "archived")
	}
	if s.Background {
		states = append(states, "background")
	}
	return list(states)
}

func contextOf(s api.SessionRow) string {
	used, window := "?", "?"
	if s.ContextUsed != nil {
		used = group(*s.ContextUsed)
	}
	if s.ContextWindow != nil {
		window = group(*s.ContextWindow)
	}
	return used + " of " + window
}

func costTable(w io.Writer, v api.CostView) {
	fmt.Fprintf(w, "%s\tCALLS\tTOKENS\tCOST\tBACKGROUND\n", strings.ToUpper(v.By))
	for _, r := range v.Rows {
		fmt.Fprintf(w, "%s\t%d\t%s\t%s\t$%.4f\n", plain(r.Key), r.Calls, tokens(r.Tokens), dollars(r.USD, r.UnpricedCalls), r.BackgroundUSD)
	}
	fmt.Fprintf(w, "total\t%d\t%s\t%s\t$%.4f\n", v.Total.Calls, tokens(v.Total.Tokens), dollars(v.Total.USD, v.Total.UnpricedCalls), v.Total.BackgroundUSD)
	fmt.Fprintf(w, "\nDays are those of %s. Summaries of compactions and memory flushes leave no usage in OpenClaw's files: the bill is higher.\n", v.Zone)
	if v.EstimatedUSD > 0 {
		fmt.Fprintf(w, "About $%.4f of it is an estimate by list prices (%s).\n", v.EstimatedUSD, v.PriceTable)
	}
	if v.UnreportedCalls > 0 {
		fmt.Fprintf(w, "The provider reported no usage of %d calls.\n", v.UnreportedCalls)
	}
}

func compactionTable(w io.Writer, all []api.CompactionRow) {
	fmt.Fprintln(w, "AT\tAGENT\tSESSION\tTOKENS BEFORE\tAFTER\tMESSAGES DROPPED\tSUMMARY")
	for _, k := range all {
		note := ""
		if k.Superseded {
			note = "(superseded) "
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%d\t%s\n", moment(k.At), plain(k.Agent), plain(k.SessionID), known(k.TokensBefore), known(k.TokensAfter), k.DroppedMessages, note+firstLine(k.Summary))
	}
}

func problemTable(w io.Writer, all []api.Problem) {
	if len(all) == 0 {
		fmt.Fprintln(w, "No problems.")
		return
	}
	for _, p := range all {
		where := plain(p.Path)
		if p.Line > 0 {
			where += ":" + strconv.Itoa(p.Line)
		}
		fmt.Fprintf(w, "%s  %s\n  %s", p.Code, where, plain(p.Message))
		if p.Count > 1 {
			fmt.Fprintf(w, " (%d times)", p.Count)
		}
		fmt.Fprintf(w, "\n  %s\n", plain(p.Hint))
	}
}

// plain keeps control characters of foreign text from the terminal.
func plain(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r >= 0x7f && r < 0xa0 || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 {
			return ' '
		}
		return r
	}, s)
}

func firstLine(s string) string {
	for _, line := range strings.Split(s, "\n") {
		if line = strings.TrimSpace(strings.TrimLeft(line, "# ")); line != "" {
			if r := []rune(line); len(r) > 60 {
				line = string(r[:60]) + "…"
			}
			return plain(line)
		}
	}
	return "(no summary)"
}

func known(n *int64) string {
	if n == nil {
		return "?"
	}
	return group(*n)
}

func moment(at *string) string {
	if at == nil {
		return "?"
	}
	return strings.Replace(strings.TrimSuffix((*at)[:16], "Z"), "T", " ", 1) + "Z"
}

func tokens(t api.Tokens) string {
	return fmt.Sprintf("%s in, %s out, %s cache read, %s cache write", group(t.Input), group(t.Output), group(t.CacheRead), group(t.CacheWrite))
}

func dollars(usd float64, unpriced int64) string {
	if unpriced > 0 {
		return fmt.Sprintf(">= $%.4f (%d calls unpriced)", usd, unpriced)
	}
	return fmt.Sprintf("$%.4f", usd)
}

// group writes a count with a comma between thousands.
func group(n int64) string {
	s := strconv.FormatInt(n, 10)
	for at := len(s) - 3; at > 0 && s[at-1] != '-'; at -= 3 {
		s = s[:at] + "," + s[at:]
	}
	return s
}
