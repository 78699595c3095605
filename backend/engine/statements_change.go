package engine

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	"tidemark/backend/api"
	"tidemark/backend/index"
	"tidemark/backend/kept"
	"tidemark/backend/memory"
)

// ChangeStatement does what a person decided about a statement.
func (e *Engine) ChangeStatement(ctx context.Context, q api.Query, change api.StatementChange) (out api.StatementDetail, err error) {
	do, ok := memory.KeptKindOf(change.Do)
	if !ok || do == memory.KeptStatement || do == memory.KeptRepeat {
		return out, &memory.Error{Code: memory.CodeInvalid, Op: fmt.Sprintf("there is nothing called %q to do with a statement", change.Do),
			Hint: "It is one of pin, unpin, correct, scope, supersede, forget, undo."}
	}
	i, err := e.get(q.Installation)
	if err != nil {
		return out, err
	}
	if do == memory.KeptForget {
		out, err = e.forget(ctx, i, q, change.ID)
	} else {
		err = e.ask(ctx, q, func(i *installation, s store) error {
			if err := i.decide(do, change); err != nil {
				return err
			}
			out, err = i.statement(ctx, s, change.ID)
			return err
		})
	}
	if err != nil {
		return out, err
	}
	e.hub.publish(i.ID, nil, &api.Changed{Installation: i.ID, Revision: i.rev.Add(1), Sessions: []api.SessionRef{}, All: true})
	return out, nil
}

// decide writes a decision to the ledger. One that cannot be written changes
// nothing.
func (i *installation) decide(do memory.KeptKind, change api.StatementChange) error {
	how, err := changeOf(change)
	if err != nil {
		return err
	}
	k := i.said
	k.mu.Lock()
	defer k.mu.Unlock()
	if err := k.refresh(); err != nil {
		return err
	}
	return k.decide(do, change.ID, how)
}

// decide is the same for who holds the lock.
func (k *statements) decide(do memory.KeptKind, id string, how kept.Change) error {
	now := k.now()
	lines, err := k.book.Decide(do, id, memory.MillisOf(now), how)
	if err != nil {
		return err
	}
	st, _ := k.book.Statement(id, memory.MillisOf(now))
	for _, line := range lines {
		if line.Text == "" && line.Kind != memory.KeptForget {
			line.Text = st.Text // for who reads the file
		}
		if err := k.append(line.Agent, now.In(k.zone()).Format(time.DateOnly), []memory.KeptLine{line}, nil); err != nil {
			return ledgerError(err)
		}
		k.book.Add(line)
	}
	return nil
}

// ledgerError says that nothing was changed since the ledger cannot be written.
func ledgerError(err error) error {
	return &memory.Error{Code: memory.CodeUnavailable, Op: "write the ledger", Hint: "Nothing was changed. Free some space, or make the folder of the ledger writable, and try again.", Err: err}
}

func changeOf(c api.StatementChange) (how kept.Change, err error) {
	how.Text, how.By = c.Text, c.By
	if c.Tag != "" {
		tag, ok := memory.TagOf(c.Tag)
		if !ok {
			return how, &memory.Error{Code: memory.CodeInvalid, Op: "there is no tag " + c.Tag, Hint: "It is W, B or O."}
		}
		how.Tag = tag
	}
	if c.Scope != "" {
		scope, ok := memory.ScopeOf(c.Scope)
		if !ok {
			return how, &memory.Error{Code: memory.CodeInvalid, Op: "there is no scope " + c.Scope, Hint: "It is agent, all or contact."}
		}
		how.Scope = scope
	}
	return how, nil
}

// forget takes a statement out of the ledger and the index for good, while
// nothing is read. It waits for a look, and for a rebuild, before it holds the
// index: a rebuild wants it for itself in the end.
func (e *Engine) forget(ctx context.Context, i *installation, q api.Query, id string) (out api.StatementDetail, err error) {
	if err := i.ready(ctx, q.Refresh); err != nil {
		return out, err
	}
	if err := i.begin(ctx); err != nil {
		return out, err
	}
	defer i.end()
	_, err = e.read(i, func(i *installation, s store) error {
		if err := i.forget(ctx, s, id); err != nil {
			return err
		}
		out, err = i.statement(ctx, s, id)
		if memory.CodeOf(err) == memory.CodeNotFound { // a line by hand leaves nothing
			out, err = forgottenDetail(id), nil
		}
		return err
	})
	return out, err
}

// forget does it for who has the installation for itself. What is left tells the
// words without holding them. The ledger comes first: a crash leaves what a
// further call, or the next look, ends.
func (i *installation) forget(ctx context.Context, s store, id string) error {
	k := i.said
	secret, err := k.secret()
	if err != nil {
		return err
	}
	if err := k.forget(id, secret); err != nil {
		return err
	}
	return i.redactIndex(ctx, s)
}

// redactIndex takes what was forgotten out of the index and what was set aside
// of older ones.
func (i *installation) redactIndex(ctx context.Context, s store) error {
	if _, err := s.Redact(ctx, i.said.redact); err != nil {
		return err
	}
	i.engine.courses.forget()
	old, err := filepath.Glob(i.engine.dir.Index() + ".*-*") // the pattern is well-formed
	if err != nil {
		return err
	}
	for _, path := range old {
		if err := index.Remove(path); err != nil {
			return err
		}
	}
	return s.SetMeta(ctx, redactedKey, i.said.forgottenStamp())
}

// redactedKey is the key of meta that says what the index was last redacted
// for.
const redactedKey = "redacted"

// redactAgain ends what a crash may have interrupted: the index is redacted for
// all that the ledger forgot.
func (i *installation) redactAgain(ctx context.Context, s store) error {
	stamp := i.said.forgottenStamp()
	old, err := s.Meta(ctx, redactedKey)
	if err != nil || old == stamp {
		return err
	}
	if err := i.said.rewrite(); err != nil {
		return err
	}
	return i.redactIndex(ctx, s)
}

// forget writes the tombstone of a statement and takes its words out of the
// ledger.
func (k *statements) forget(id string, secret []byte) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	if err := k.refresh(); err != nil {
		return err
	}
	if k.send(); k.failed != nil { // what waits may hold the words
		return ledgerError(k.failed)
	}
	st, ok := k.book.Statement(id, memory.MillisOf(k.now()))
	if !ok {
		return &memory.Error{Code: memory.CodeNotFound, Op: "there is no statement " + id, Hint: "List them with: tidemark statements list"}
	}
	if st.State == memory.StatementForgotten {
		return k.rewriteHeld()
	}
	how := kept.Change{Forgotten: kept.Tombstone(secret, wordsOf(&st)...)}
	if st.ByHand {
		return k.forgetByHand(&st, how)
	}
	if err := k.decide(memory.KeptForget, id, how); err != nil {
		return err
	}
	if err := k.forgetting(); err != nil {
		return err
	}
	return k.rewriteHeld()
}

// forgetByHand does it for a line that a person wrote. Its id follows from its
// words, so the tombstone does not name it: the line is taken away.
func (k *statements) forgetByHand(st *memory.Statement, how kept.Change) error {
	now := k.now()
	stone := memory.KeptLine{Kind: memory.KeptForget, ID: kept.ID(how.Forgotten[0].Sum, 0, 0), At: memory.MillisOf(now), Of: kept.ID(how.Forgotten[0].Sum, 0, 1), Agent: st.Agent, Forgotten: how.Forgotten}
	if err := k.append(st.Agent, now.In(k.zone()).Format(time.DateOnly), []memory.KeptLine{stone}, nil); err != nil {
		return ledgerError(err)
	}
	k.book.Add(stone)
	if err := k.forgetting(); err != nil {
		return err
	}
	of := map[string]bool{st.ID: true}
	for _, o := range st.Repeats {
		of[o.ID] = true
	}
	return k.rewriteAll(func(line memory.KeptLine) bool {
		return k.book.IsForgotten(line) || line.Kind != memory.KeptForget && (of[line.ID] || of[line.Of])
	})
}

// forgottenDetail is what is left of a statement.
func forgottenDetail(id string) api.StatementDetail {
	return api.StatementDetail{Statement: api.Statement{StatementRow: api.StatementRow{ID: id, State: memory.StatementForgotten.String()}},
		Said: []api.StatementOccasion{}, History: []api.StatementEvent{}, Replaces: []api.Statement{}}
}

// wordsOf gives all words in which a statement was said or written.
func wordsOf(st *memory.Statement) (texts []string) {
	seen := map[string]bool{}
	add := func(text string) {
		if text != "" && !seen[text] {
			seen[text] = true
			texts = append(texts, text)
		}
	}
	add(st.Text)
	for _, o := range st.Repeats {
		add(o.Text)
	}
	for _, l := range st.History {
		add(l.Text)
	}
	return texts
}

// redactLine is redact for a text of the ledger, whose time does not count: a
// line that was said later is another one.
func (k *statements) redactLine(text string) (string, bool) {
	if k.redactor == nil {
		return text, false
	}
	return k.redactor.RedactAt(text, 0)
}

// forgottenStamp changes when something more is forgotten, "" where nothing
// was.
func (k *statements) forgottenStamp() string {
	k.mu.RLock()
	defer k.mu.RUnlock()
	texts := k.book.Forgotten()
	if len(texts) == 0 {
		return ""
	}
	return digestOf(fmt.Sprint(texts))
}

func (k *statements) rewrite() error {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.rewriteHeld()
}

// rewriteHeld takes what was forgotten out of the ledger's files, for who holds
// the lock.
func (k *statements) rewriteHeld() error { return k.rewriteAll(k.book.IsForgotten) }

// rewriteAll takes the lines that drop names, and what was forgotten, out of all
// files of the ledger.
func (k *statements) rewriteAll(drop func(memory.KeptLine) bool) error {
	agents, err := k.ledger.Agents()
	if err != nil {
		return err
	}
	for _, agent := range agents {
		if err := k.ledger.Rewrite(agent, k.redactLine, drop, nil); err != nil {
			return err
		}
	}
	k.book = nil // the files are others now
	return k.refresh()
}
