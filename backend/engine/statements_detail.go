package engine

import (
	"context"
	"unicode/utf8"

	"tidemark/backend/api"
	"tidemark/backend/kept"
	"tidemark/backend/memory"
	"tidemark/backend/transcript"
)

// Statement gives one statement with all that is known of it.
func (e *Engine) Statement(ctx context.Context, q api.Query) (out api.StatementDetail, err error) {
	err = e.ask(ctx, q, func(i *installation, s store) error {
		out, err = i.statement(ctx, s, q.ID)
		return err
	})
	return out, err
}

// statement gives one statement by the id of it or of a time it was said again.
func (i *installation) statement(ctx context.Context, s store, id string) (out api.StatementDetail, err error) {
	k := i.said
	if err := k.open(); err != nil {
		return out, err
	}
	now := memory.MillisOf(k.now())
	k.mu.RLock()
	st, ok := k.book.Statement(id, now)
	by, replaced := k.book.Statement(st.By, now)
	var replaces []memory.Statement
	for _, old := range st.Replaces {
		if one, ok := k.book.Statement(old, now); ok {
			replaces = append(replaces, one)
		}
	}
	undo := k.book.Undoable(st.ID)
	k.mu.RUnlock()
	if !ok {
		return out, &memory.Error{Code: memory.CodeNotFound, Op: "there is no statement " + id, Hint: "List them with: tidemark statements list"}
	}
	renamed, err := s.Renamed(ctx)
	if err != nil {
		return out, err
	}
	st = renamedIn(st, renamed)
	out = api.StatementDetail{Statement: statementOf(&st), Said: []api.StatementOccasion{}, History: historyOf(&st), Replaces: []api.Statement{}, Undo: undo,
		LedgerPath: i.ledger.KeptPath(st.Agent, i.dayOf(st.At))}
	for n := range replaces {
		out.Replaces = append(out.Replaces, statementOf(&replaces[n]))
	}
	if replaced && st.By != "" {
		one := statementOf(&by)
		out.ReplacedBy = &one
	}
	out.Said, err = i.occasions(ctx, s, &st)
	return out, err
}

// dayOf gives the day of a moment as the ledger's files are named.
func (i *installation) dayOf(at memory.Millis) string {
	if at == 0 {
		return ""
	}
	return at.Time().In(i.said.zone()).Format("2006-01-02")
}

// historyOf gives the lines about a statement.
func historyOf(s *memory.Statement) []api.StatementEvent {
	undone := map[string]bool{}
	for _, l := range s.History {
		if l.Kind == memory.KeptUndo {
			undone[l.Of] = true
		}
	}
	out := make([]api.StatementEvent, 0, len(s.History))
	for _, l := range s.History {
		ev := api.StatementEvent{ID: l.ID, At: stamp(l.At), Kind: l.Kind.String(), Text: l.Text, By: l.By, Undone: undone[l.ID]}
		if l.Kind == memory.KeptScope || l.Kind == memory.KeptStatement {
			ev.Scope = l.Scope.String()
		}
		out = append(out, ev)
	}
	return out
}

// occasions gives the times that a statement was said.
func (i *installation) occasions(ctx context.Context, s store, st *memory.Statement) ([]api.StatementOccasion, error) {
	out := []api.StatementOccasion{}
	if st.State == memory.StatementForgotten {
		return out, nil
	}
	for _, o := range kept.Occasions(st) {
		one := api.StatementOccasion{Agent: o.Agent, SessionID: o.Session, EntryID: o.Entry, At: stamp(o.At), Text: o.Text,
			SpeakerName: o.Speaker.Name, Channel: o.Speaker.Channel, Chat: o.Speaker.Chat}
		if o.Entry != "" {
			if err := i.around(ctx, s, o, &one); err != nil {
				return nil, err
			}
		}
		out = append(out, one)
	}
	return out, nil
}

// around gives the message that a statement was made in: from the index, or
// from the ledger where OpenClaw has it no more.
func (i *installation) around(ctx context.Context, s store, o memory.Occasion, out *api.StatementOccasion) error {
	text, found, err := s.EntryText(ctx, o.Agent, o.Session, o.Entry)
	if err != nil {
		return err
	}
	out.Shown = found
	words, before := text, 0
	if found {
		words = transcript.SpokenOf(text).Words
		before = utf8.RuneCountInString(text) - utf8.RuneCountInString(words)
	} else {
		said, ok, err := i.ledger.FindSaid(o.Agent, "", o.Session, o.Entry)
		if err != nil || !ok {
			return err
		}
		words = said.Text
	}
	from, to, ok := spanIn(words, before, o.Text, o.Start)
	if !ok {
		out.Message = firstChars(words, maxAround)
		return nil
	}
	out.Message, out.Start, out.End = window(words, from, to)
	return nil
}

// maxAround is how much of a message is shown around a statement, in
// characters.
const maxAround = 1200

// window cuts a long text to what stands around a span.
func window(text string, from, to int) (cut string, start, end int) {
	r := []rune(text)
	if len(r) <= maxAround {
		return text, from, to
	}
	side := max((maxAround-(to-from))/2, 0)
	begin, stop := max(from-side, 0), min(to+side, len(r))
	if begin > 0 {
		cut = "…"
	}
	start = from - begin + len([]rune(cut))
	cut += string(r[begin:stop])
	if stop < len(r) {
		cut += "…"
	}
	return cut, start, start + to - from
}

// ofSession gives the statements that were made in a session, by entry, in the
// words in which they were said there.
func (i *installation) ofSession(ctx context.Context, s store, agent, session string) (map[string][]memory.Statement, error) {
	renamed, err := s.Renamed(ctx)
	if err != nil {
		return nil, err
	}
	ids := []string{session}
	for was, now := range renamed[agent] {
		if now == session {
			ids = append(ids, was)
		}
	}
	return i.said.inSessions(agent, ids)
}

// inSessions gives the same for a session by all its ids.
func (k *statements) inSessions(agent string, ids []string) (map[string][]memory.Statement, error) {
	if err := k.open(); err != nil {
		return nil, err
	}
	now := memory.MillisOf(k.now())
	found := map[string][]memory.Statement{}
	k.mu.RLock()
	defer k.mu.RUnlock()
	early := k.early()
	for _, id := range ids {
		for _, st := range k.book.OfSession(id, now) {
			if st.Agent == agent && !early[st.ID] {
				found[st.Entry] = append(found[st.Entry], st)
			}
		}
	}
	return found, nil
}

// mark marks in an entry the statements that were found in it. whole is the
// text of the message with what stands before its words.
func mark(out *api.Entry, whole string, found []memory.Statement) {
	before := utf8.RuneCountInString(whole) - utf8.RuneCountInString(out.Text)
	for _, st := range found {
		if from, to, ok := spanIn(out.Text, before, st.Text, st.Start); ok {
			out.Statements = append(out.Statements, api.StatementSpan{ID: st.ID, Tag: st.Tag.String(), State: st.State.String(), Start: from, End: to})
		}
	}
}
