package engine

import (
	"context"
	"strings"
	"time"

	"tidemark/backend/api"
	"tidemark/backend/index"
	"tidemark/backend/memory"
	"tidemark/backend/stats"
	"tidemark/backend/transcript"
)

// smallTide is how many points a tide has that stands beside others: no small
// chart is as many pixels wide.
const smallTide = 240

// day gathers what Today answers.
type day struct {
	e    *Engine
	i    *installation
	s    store
	q    api.Query
	now  time.Time
	zone *time.Location
	span stats.Span

	all    *roster
	counts map[int64]index.SpanCount
	costs  map[string]stats.CostRow
}

// Today tells what happened in a span of time.
func (e *Engine) Today(ctx context.Context, q api.Query) (out api.Today, err error) {
	span, err := stats.SpanOf(q.From, q.To)
	if err != nil {
		return out, err
	}
	err = e.ask(ctx, q, func(i *installation, s store) error {
		zone, err := i.zone(q.Zone)
		if err != nil {
			return err
		}
		d := &day{e: e, i: i, s: s, q: q, now: e.opts.Now(), zone: zone, span: span, costs: map[string]stats.CostRow{}}
		out, err = d.gather(ctx)
		return err
	})
	return out, err
}

func (d *day) gather(ctx context.Context) (out api.Today, err error) {
	out = api.Today{Zone: zoneName(d.zone), Agents: []api.TodayAgent{}, DailyBudget: d.e.preferences().DailyBudget}
	if err := d.spend(ctx, &out); err != nil {
		return out, err
	}
	if d.all, err = d.e.rosters.of(ctx, d.s, d.q.Agent); err != nil {
		return out, err
	}
	if d.counts, err = d.s.CountWithin(ctx, index.Filter{Agent: d.q.Agent}, d.span.From, d.span.To); err != nil {
		return out, err
	}
	sums, err := d.s.AgentSums(ctx)
	if err != nil {
		return out, err
	}
	for _, a := range sums {
		if !a.Present && a.Sessions == 0 || d.q.Agent != "" && a.ID != d.q.Agent {
			continue
		}
		one, err := d.agent(ctx, a)
		if err != nil {
			return out, err
		}
		out.Agents = append(out.Agents, one)
	}
	out.Needs, err = d.needs(ctx)
	return out, err
}

// spend sums up what was spent in the span and in this month.
func (d *day) spend(ctx context.Context, out *api.Today) error {
	month := stats.MonthOf(d.now, d.zone)
	f := index.Filter{Agent: d.q.Agent}
	usage, err := d.s.UsageOfSpan(ctx, f, d.span.From, d.span.To)
	if err != nil {
		return err
	}
	ofMonth, err := d.s.UsageOfSpan(ctx, f, month.From, month.To)
	if err != nil {
		return err
	}
	rows, total := stats.Costs(usage, stats.CostQuery{By: stats.ByAgent})
	for _, r := range rows {
		d.costs[r.Key] = r
	}
	_, monthly := stats.Costs(ofMonth, stats.CostQuery{By: stats.ByAgent})
	out.Spend, out.Month = costTotal(total), costTotal(monthly)
	if pace, ok := month.Pace(monthly.Cost, d.now, d.zone); ok {
		out.MonthPace = &pace
	}
	return nil
}

func costTotal(r stats.CostRow) api.CostTotal {
	return api.CostTotal{Calls: r.Calls, Tokens: addTokens(api.Tokens{}, r.Usage), USD: r.Cost.Dollars(), UnpricedCalls: r.Unpriced, BackgroundUSD: r.Background.Dollars()}
}

// agent tells what one agent did.
func (d *day) agent(ctx context.Context, a index.AgentSum) (api.TodayAgent, error) {
	cost := d.costs[a.ID]
	out := api.TodayAgent{ID: a.ID, Name: a.Name, Calls: cost.Calls, USD: cost.Cost.Dollars(), BackgroundUSD: cost.Background.Dollars(), UnpricedCalls: cost.Unpriced,
		Tide: columns(stats.Tide{}, false)}
	for _, c := range d.counts {
		if c.Agent == a.ID {
			out.Sessions++
			out.Messages, out.Compactions, out.Resets = out.Messages+c.Messages, out.Compactions+c.Compactions, out.Resets+c.Resets
		}
	}
	last := lastUsed(d.all.sessions, a.ID)
	if last == nil {
		return out, nil
	}
	c, err := d.e.courses.of(ctx, d.s, last)
	if err != nil {
		return out, err
	}
	out.Tide = d.i.tide(last, stats.Thin(d.span.Clip(stats.TideOf(c.Entries, c.Copied, c.shape)), smallTide))
	out.LastSession, out.ContextUsed, out.ContextWindow, out.Threshold = last.Session, last.ContextUsed, out.Tide.Window, out.Tide.Threshold
	if last.Model != "" || last.Provider != "" {
		out.Model, out.Local = stats.ModelName(last.Provider, last.Model), d.i.hist.local(a.ID, last.Provider, last.Model)
	}
	return out, d.lastSaid(ctx, c, &out)
}

// lastUsed gives the session of an agent that was last used by somebody, else
// the last one of all; nil where there is none. sessions come the most recent
// first.
func lastUsed(sessions []memory.SessionSummary, agent string) (found *memory.SessionSummary) {
	for n := range sessions {
		s := &sessions[n]
		if s.Agent != agent {
			continue
		}
		if !s.Background {
			return s
		}
		if found == nil {
			found = s
		}
	}
	return found
}

const (
	// saidAtOnce is how many messages are read at once in search of the last
	// one that somebody said; saidAtMost bounds the search: a day of wake-ups.
	saidAtOnce = 16
	saidAtMost = 400
)

// lastSaid fills in what a person or the agent said last.
func (d *day) lastSaid(ctx context.Context, c *course, out *api.TodayAgent) error {
	for end, looked := len(c.list), 0; end > 0 && looked < saidAtMost; {
		var some []int
		for end > 0 && len(some) < saidAtOnce {
			end--
			if n := c.list[end]; c.spoken(n) {
				some = append(some, n)
			}
			looked++
		}
		texts, err := d.s.Texts(ctx, c.rows(some))
		if err != nil {
			return err
		}
		for _, n := range some {
			if line := lineOf(&c.Entries[n], texts[c.Rows[n]]); line != "" {
				out.LastAt, out.LastRole, out.LastText = stamp(c.Entries[n].At), c.Entries[n].Role.String(), line
				return nil
			}
		}
	}
	return nil
}

// spoken says whether an entry can be what a person or the agent said to one.
func (c *course) spoken(n int) bool {
	e := &c.Entries[n]
	if e.Kind != memory.KindMessage || !c.onPath[n] {
		return false
	}
	call := e.Call
	if call == nil {
		call = c.Copied[n]
	}
	return e.Role == memory.RoleUser || e.Role == memory.RoleAssistant && (call == nil || !call.Background)
}

// maxLine bounds a line that is shown of a message, in characters.
const maxLine = 200

// lineOf gives the first line that a message says, "" where it says nothing
// that is for a person: a prompt of OpenClaw's own or its silent answer.
func lineOf(e *memory.Entry, text string) string {
	if e.Role == memory.RoleUser {
		if transcript.PromptOf(text) != transcript.PromptPerson {
			return ""
		}
		text = transcript.Unwrap(text)
	} else if s := strings.TrimSpace(text); s == "NO_REPLY" || s == "HEARTBEAT_OK" {
		return ""
	}
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		return firstChars(line, maxLine)
	}
	return ""
}
