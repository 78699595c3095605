package engine

import (
	"sort"

	"tidemark/backend/api"
	"tidemark/backend/markup"
	"tidemark/backend/memory"
	"tidemark/backend/stats"
	"tidemark/backend/transcript"
)

// session gives a session as the API shows it.
func (i *installation) session(s *memory.SessionSummary, family *stats.Family) api.Session {
	out := api.Session{
		SessionRow: api.SessionRow{Agent: s.Agent, SessionID: s.Session, SessionKey: s.Key, StartedAt: stamp(s.Started), UpdatedAt: stamp(s.Updated),
			Messages: s.Messages, ContextUsed: s.ContextUsed, Compactions: s.Compactions, Archived: stats.Archived(s), Gone: stats.Gone(s), Sources: []string{}},
		Title: firstOf(s.Notes.Label, s.Title, s.Notes.DisplayName, s.Key, s.Session), Model: stats.ModelName(s.Provider, s.Model), Channel: s.Notes.Channel,
		UserMessages: s.UserMessages, Calls: s.Calls, Tokens: addTokens(api.Tokens{}, s.Usage), USD: s.Cost.Dollars(), UnpricedCalls: s.Unpriced, Background: s.Background,
	}
	if s.Model == "" && s.Provider == "" {
		out.Model = ""
	}
	if w, ok := stats.WindowOf(s, i.hist); ok {
		out.ContextWindow, out.WindowSource = &w.Tokens, w.Why
	}
	if p := family.Parent(s); p != "" {
		out.Parent = &p
	}
	eras := map[string]bool{}
	for _, src := range s.Sources {
		if src.Gone == 0 {
			out.Sources = append(out.Sources, src.Path)
		}
		if era := src.Kind.Era(); era != "" {
			eras[era] = true
		}
	}
	sort.Strings(out.Sources)
	out.Eras = stats.EraNames(eras)
	return out
}

func firstOf(names ...string) string {
	for _, n := range names {
		if n != "" {
			return n
		}
	}
	return ""
}

// pageSize is how many entries are sent where nothing else is asked for.
const pageSize = 200

// maxPage is the most entries that are sent at once.
const maxPage = 2000

// shown gives the positions of the entries that are shown: of a message that
// is stored twice one row, that on the visible path where one is.
func shown(entries []memory.Entry, onPath []bool) (at []int) {
	first := map[string]int{}
	at = make([]int, 0, len(entries))
	for n := range entries {
		m := entries[n].Mirror
		old, again := 0, false
		if m != "" {
			old, again = first[m]
		}
		switch {
		case !again:
			if m != "" {
				first[m] = len(at)
			}
			at = append(at, n)
		case onPath[n] && !onPath[at[old]]:
			at[old] = n
		}
	}
	return at
}

// page bounds what is asked for by what there is.
func page(q api.Query, total int) (from, to int) {
	limit := q.Limit
	if limit <= 0 || limit > maxPage {
		limit = pageSize
	}
	from = q.Offset
	if from < 0 {
		from = max(total+from, 0)
	}
	from = min(from, total)
	return from, min(from+limit, total)
}

// rows gives the numbers in the index of some entries by their position.
func (c *course) rows(of []int) []int64 {
	rows := make([]int64, 0, len(of))
	for _, n := range of {
		if c.Rows[n] != 0 {
			rows = append(rows, c.Rows[n])
		}
	}
	return rows
}

// entry gives an entry as the API shows it, with its place in the tree. most
// bounds its text, in characters; 0 does not.
func (c *course) entry(n int, text string, most int) api.Entry {
	e := c.Entries[n]
	e.Text = text
	out := entryOf(&e, most)
	out.OnPath, out.InContext = c.onPath[n], c.inContext[n]
	return out
}

// entryOf gives an entry without its place.
func entryOf(e *memory.Entry, most int) api.Entry {
	out := api.Entry{ID: e.ID, Kind: e.Kind.String(), Type: e.Type, At: stamp(e.At), Text: e.Text, Tool: e.Tool, IsError: e.IsError, StopReason: e.StopReason,
		Images: e.Images, ImageBytes: e.ImageBytes, TextTokens: e.TextTokens, Path: e.Place.Path, Line: e.Place.Line, Statements: []api.StatementSpan{}}
	if e.Kind == memory.KindMessage || e.Kind == memory.KindCustomMessage {
		out.Role = e.Role.String()
	}
	switch e.Kind {
	case memory.KindCompaction:
		out.Text = e.Compaction.Summary
	case memory.KindCustom:
		out.Text = e.Target
	}
	if e.Role == memory.RoleUser {
		said := transcript.SpokenOf(e.Text)
		out.Text, out.Before, out.Speaker, out.Channel, out.Chat = said.Words, said.Before, said.Sender, said.Channel, said.Chat
	}
	if most > 0 {
		out.Text, out.Before = firstChars(out.Text, most), firstChars(out.Before, most)
	}
	if shownAsText := e.Role == memory.RoleToolResult || e.Role == memory.RoleBash; !shownAsText {
		out.HTML = markup.HTML(out.Text)
	}
	if c := e.Call; c != nil {
		t := addTokens(api.Tokens{}, c.Usage)
		if c.Reported {
			out.Tokens = &t
		}
		out.Price, out.Model, out.Background = c.Price.String(), stats.ModelName(c.Provider, c.Model), c.Background
		if c.Price != memory.PriceUnknown {
			usd := c.Cost.Dollars()
			out.USD = &usd
		}
	}
	return out
}
