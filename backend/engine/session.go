package engine

import (
	"context"
	"slices"

	"tidemark/backend/api"
	"tidemark/backend/memory"
)

// retries bounds how often a page is read anew because entries were altered
// between the course of a session and the texts of the page.
const retries = 3

// Session gives one session and a stretch of its entries.
func (e *Engine) Session(ctx context.Context, q api.Query) (out api.SessionDetail, err error) {
	err = e.ask(ctx, q, func(i *installation, s store) error {
		for range retries {
			epoch := s.Stamp().Epoch
			if out, err = e.sessionPage(ctx, i, s, q); err != nil || s.Stamp().Epoch == epoch {
				return err
			}
		}
		return nil
	})
	return out, err
}

// sessionPage reads one page; of texts only those that are sent.
func (e *Engine) sessionPage(ctx context.Context, i *installation, s store, q api.Query) (out api.SessionDetail, err error) {
	all, sum, c, err := e.course(ctx, s, q)
	if err != nil {
		return out, err
	}
	from, to := page(q, len(c.list))
	out = api.SessionDetail{Session: i.session(sum, all.family), Total: len(c.list), From: from}
	found, err := i.ofSession(ctx, s, sum.Agent, sum.Session)
	if err != nil {
		return out, err
	}
	out.Entries, err = c.read(ctx, s, c.list[from:to], 0, found)
	return out, err
}

// read gives some entries, by their position, with their texts, and in these
// the statements that were found, by entry. most bounds a text, in characters; 0
// does not.
func (c *course) read(ctx context.Context, s store, of []int, most int, found map[string][]memory.Statement) ([]api.Entry, error) {
	texts, err := s.Texts(ctx, c.rows(of))
	if err != nil {
		return nil, err
	}
	out := make([]api.Entry, 0, len(of))
	for _, n := range of {
		out = append(out, c.entry(n, texts[c.Rows[n]], most))
		mark(&out[len(out)-1], texts[c.Rows[n]], found[c.Entries[n].ID])
	}
	return out, nil
}

// course gives the course of the session that is asked for, and what it is
// among.
func (e *Engine) course(ctx context.Context, s store, q api.Query) (*roster, *memory.SessionSummary, *course, error) {
	all, err := e.rosters.of(ctx, s, q.Agent)
	if err != nil {
		return nil, nil, nil, err
	}
	sum, err := all.session(q.Agent, q.Session)
	if err != nil {
		return nil, nil, nil, err
	}
	c, err := e.courses.of(ctx, s, sum)
	return all, sum, c, err
}

// Find gives the position of an entry in the list that Session pages through,
// or that of the first entry at or after a moment, the last one where all are
// before it.
func (e *Engine) Find(ctx context.Context, q api.Query) (out api.Found, err error) {
	if q.Entry == "" && q.At == 0 {
		return out, &memory.Error{Code: memory.CodeInvalid, Op: "find a place in a session", Hint: "Name an entry, or a moment in milliseconds since 1970."}
	}
	err = e.ask(ctx, q, func(_ *installation, s store) error {
		_, _, c, err := e.course(ctx, s, q)
		if err != nil {
			return err
		}
		out = api.Found{Position: c.moment(memory.Millis(q.At)), Total: len(c.list)}
		if q.Entry != "" {
			out.Position = c.position(q.Entry)
		}
		return nil
	})
	return out, err
}

// position gives the place of an entry among those that are shown, -1 where it
// is not there. A message that is stored twice is where it is shown.
func (c *course) position(id string) int {
	at := slices.IndexFunc(c.Entries, func(e memory.Entry) bool { return e.ID == id })
	if at < 0 {
		return -1
	}
	mirror := c.Entries[at].Mirror
	return slices.IndexFunc(c.list, func(n int) bool { return n == at || mirror != "" && c.Entries[n].Mirror == mirror })
}

// moment gives the place of the first entry that is shown at or after a moment.
func (c *course) moment(at memory.Millis) int {
	n := slices.IndexFunc(c.list, func(n int) bool { return c.Entries[n].At >= at })
	if n < 0 {
		return len(c.list) - 1
	}
	return n
}
