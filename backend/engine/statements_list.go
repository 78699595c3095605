package engine

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"tidemark/backend/api"
	"tidemark/backend/hans"
	"tidemark/backend/kept"
	"tidemark/backend/memory"
)

// Statements lists what people stated, the newest first.
func (e *Engine) Statements(ctx context.Context, q api.Query) (out api.StatementList, err error) {
	err = e.ask(ctx, q, func(i *installation, s store) error {
		all, err := i.stated(ctx, s)
		if err != nil {
			return err
		}
		fits, err := i.statementFilter(q)
		if err != nil {
			return err
		}
		out = api.StatementList{Statements: []api.Statement{}, Total: len(all)}
		for n := range all {
			if s := &all[n]; fits(s) {
				out.Statements = append(out.Statements, statementOf(s))
				count1(&out.Counts, s)
			}
		}
		waiting, failed := i.said.trouble()
		if out.Waiting = waiting; failed != nil {
			out.LedgerError = reasonOf(failed)
		}
		return nil
	})
	return out, err
}

// stated gives all statements, with what a person changed in the ledger. Those
// that the ledger is just being told of are left out: it comes first.
// Sessions have the ids that they have now.
func (i *installation) stated(ctx context.Context, s store) ([]memory.Statement, error) {
	renamed, err := s.Renamed(ctx)
	if err != nil {
		return nil, err
	}
	all, err := i.said.all()
	for n := range all {
		all[n] = renamedIn(all[n], renamed)
	}
	return all, err
}

// renamedIn gives a statement with the ids that its sessions have now.
func renamedIn(st memory.Statement, renamed map[string]map[string]string) memory.Statement {
	if len(renamed) == 0 {
		return st
	}
	st.Session = cmp.Or(renamed[st.Agent][st.Session], st.Session)
	st.Repeats = slices.Clone(st.Repeats)
	for n := range st.Repeats {
		o := &st.Repeats[n]
		o.Session = cmp.Or(renamed[o.Agent][o.Session], o.Session)
	}
	return st
}

func (k *statements) all() ([]memory.Statement, error) {
	if err := k.open(); err != nil {
		return nil, err
	}
	now := memory.MillisOf(k.now())
	k.mu.RLock()
	defer k.mu.RUnlock()
	early := k.early()
	return slices.DeleteFunc(k.book.Statements(now), func(s memory.Statement) bool { return early[s.ID] }), nil
}

// early gives the lines that the ledger is just being told of, for who holds the
// lock. Where it cannot be told there are none: what waits is shown.
func (k *statements) early() map[string]bool {
	if k.failed != nil {
		return nil
	}
	early := map[string]bool{}
	for _, w := range k.waiting {
		if w.Kept != nil {
			early[w.Kept.ID] = true
		}
	}
	return early
}

// statementFilter says which statements are asked for.
func (i *installation) statementFilter(q api.Query) (func(*memory.Statement) bool, error) {
	zone, err := i.zone(q.Zone)
	if err != nil {
		return nil, err
	}
	for name, day := range map[string]string{"from": q.From, "to": q.To} {
		if _, err := time.Parse(time.DateOnly, day); day != "" && err != nil {
			return nil, &memory.Error{Code: memory.CodeInvalid, Op: "read the day " + day, Hint: "Give --" + name + " as 2026-05-31.", Err: err}
		}
	}
	words := strings.Fields(kept.Normal(q.Words))
	if len(words) == 0 && strings.TrimSpace(q.Words) != "" {
		words = []string{strings.ToLower(strings.TrimSpace(q.Words))}
	}
	return func(s *memory.Statement) bool {
		day := ""
		if s.At != 0 {
			day = s.At.Time().In(zone).Format(time.DateOnly)
		}
		switch {
		case q.Agent != "" && s.Scope != memory.ScopeAll && !saidTo(s, q.Agent),
			q.Agent != "" && s.Scope == memory.ScopeAll && s.Speaker.Kind != memory.SpeakerOwner && !saidTo(s, q.Agent),
			q.Speaker != "" && s.Speaker.Kind.String() != q.Speaker,
			q.Tag != "" && !strings.Contains(q.Tag, s.Tag.String()),
			q.State != "" && s.State.String() != q.State,
			q.Pinned && !s.Pinned, q.Repeated && len(s.Repeats) == 0,
			q.Session != "" && !saidIn(s, q.Session, q.Entry),
			q.From != "" && (day == "" || day < q.From), q.To != "" && (day == "" || day > q.To):
			return false
		}
		return holds(s, words)
	}, nil
}

// saidTo says whether an agent was told.
func saidTo(s *memory.Statement, agent string) bool {
	return s.Agent == agent || slices.ContainsFunc(s.Repeats, func(o memory.Occasion) bool { return o.Agent == agent })
}

// saidIn says whether it was said in a session, and in an entry where one is
// named.
func saidIn(s *memory.Statement, session, entry string) bool {
	in := func(of, at string) bool { return of == session && (entry == "" || at == entry) }
	return in(s.Session, s.Entry) || slices.ContainsFunc(s.Repeats, func(o memory.Occasion) bool { return in(o.Session, o.Entry) })
}

// holds says whether all words stand in a statement or its speaker's name.
func holds(s *memory.Statement, words []string) bool {
	if len(words) == 0 {
		return true
	}
	text := kept.Normal(s.Text + " " + s.Speaker.Name + " " + s.Rule)
	plain := strings.ToLower(s.Text)
	for _, w := range words {
		if !strings.Contains(text, w) && !strings.Contains(plain, w) {
			return false
		}
	}
	return true
}

// statementRow gives a statement as commands print it.
func statementRow(s *memory.Statement) api.StatementRow {
	return api.StatementRow{ID: s.ID, Tag: s.Tag.String(), Text: s.Text, Agent: s.Agent, Scope: s.Scope.String(), Speaker: s.Speaker.Kind.String(), At: stamp(s.At), Until: stamp(s.Until),
		SessionID: s.Session, EntryID: s.Entry, Rule: s.Rule, State: s.State.String(), Repeats: len(s.Repeats)}
}

// statementOf gives a statement as the API shows it.
func statementOf(s *memory.Statement) api.Statement {
	last := s.At
	for _, o := range s.Repeats {
		last = max(last, o.At)
	}
	return api.Statement{StatementRow: statementRow(s), Pinned: s.Pinned, Edited: s.Edited, ByHand: s.ByHand, SpeakerName: s.Speaker.Name, Channel: s.Speaker.Channel, Chat: s.Speaker.Chat,
		By: s.By, LastAt: stamp(last), Lang: langOf(s.Text)}
}

// count1 adds a statement to the counts.
func count1(c *api.StatementCounts, s *memory.Statement) {
	add := func(n *int, yes bool) {
		if yes {
			*n++
		}
	}
	add(&c.Wants, s.Tag == memory.TagWant)
	add(&c.Boundaries, s.Tag == memory.TagBoundary)
	add(&c.Details, s.Tag == memory.TagDetail)
	add(&c.Live, s.State == memory.StatementLive)
	add(&c.Superseded, s.State == memory.StatementSuperseded)
	add(&c.Expired, s.State == memory.StatementExpired)
	add(&c.Pinned, s.Pinned)
	add(&c.Repeated, len(s.Repeats) > 0)
}

// langOf tells the language of a text by its script, "" where that does not
// tell: fonts and screen readers need it.
func langOf(text string) string {
	han, kana, hangul, latin := 0, 0, 0, 0
	for _, r := range text {
		switch {
		case r >= 0x3040 && r <= 0x30ff:
			kana++
		case r >= 0xac00 && r <= 0xd7a3:
			hangul++
		case r >= 0x3400 && r <= 0x9fff:
			han++
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z':
			latin++
		}
	}
	switch {
	case kana > 0:
		return "ja"
	case hangul > 0:
		return "ko"
	case han > 0 && traditional(text):
		return "zh-Hant"
	case han > 0:
		return "zh"
	case latin > 0:
		return "en"
	}
	return ""
}

// traditional says that a text is written in traditional characters.
func traditional(text string) bool {
	for _, r := range text {
		if hans.Simplify(r) != r && r >= 0x3400 {
			return true
		}
	}
	return false
}

// byTime orders statements of a conversation.
func byTime(a, b memory.Statement) int {
	return cmp.Or(cmp.Compare(a.At, b.At), cmp.Compare(a.Start, b.Start), cmp.Compare(a.ID, b.ID))
}
