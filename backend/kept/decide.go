package kept

import (
	"fmt"
	"strings"

	"tidemark/backend/memory"
)

// Change is what a decision changes. Which fields count depends on the decision.
type Change struct {
	Text      string                 // KeptCorrect
	Tag       memory.Tag             // KeptCorrect: 0 leaves it
	Scope     memory.Scope           // KeptScope
	By        string                 // KeptSupersede
	Forgotten []memory.ForgottenText // KeptForget: from Tombstone, for all texts of the statement
}

// Decide gives the lines to append for what the person decided about the
// statement that id belongs to, none where it is so already. Each line names the
// agent in whose ledger it belongs. The moment is moved behind the decisions that
// there are: clocks go back, and decisions count by their moment.
//
// KeptUndo takes back the last decision about the statement that holds and can
// be taken back; done again, the one before. With the id of a decision it takes
// back that one. With the id of an undo it makes what was taken back hold again.
//
// KeptForget gives a tombstone for the statement and one for each repeat.
func (b *Book) Decide(do memory.KeptKind, id string, at memory.Millis, how Change) ([]memory.KeptLine, error) {
	it := b.items[b.root(id)]
	if it == nil {
		return nil, notFound(id)
	}
	st := &it.Statement
	if st.State == memory.StatementForgotten {
		if do == memory.KeptForget {
			return nil, nil
		}
		return nil, invalid("The statement was forgotten: nothing is left of it.", "%s a forgotten statement", do)
	}
	line := memory.KeptLine{Kind: do, At: b.behind(st, at), Agent: b.lines[st.ID].line().Agent, Of: st.ID}
	switch do {
	case memory.KeptPin, memory.KeptUnpin:
		return lineIf(st.Pinned != (do == memory.KeptPin), &line), nil
	case memory.KeptCorrect:
		return correct(st, &line, how)
	case memory.KeptScope:
		return rescope(st, &line, how.Scope)
	case memory.KeptSupersede:
		return b.supersede(st, &line, how.By)
	case memory.KeptForget:
		return b.forget(st, &line, how.Forgotten), nil
	case memory.KeptUndo:
		return b.undo(st, &line, id)
	}
	return nil, invalid("It is one of pin, unpin, correct, scope, supersede, forget, undo.", "%s a statement", do)
}

// behind gives a moment behind all decisions about a statement.
func (b *Book) behind(st *memory.Statement, at memory.Millis) memory.Millis {
	for i := range st.History {
		if k := st.History[i].Kind; k != memory.KeptStatement && k != memory.KeptRepeat {
			at = max(at, st.History[i].At+1)
		}
	}
	return at
}

func lineIf(changes bool, line *memory.KeptLine) []memory.KeptLine {
	if !changes {
		return nil
	}
	line.ID = decisionID(line)
	return []memory.KeptLine{*line}
}

func correct(st *memory.Statement, line *memory.KeptLine, how Change) ([]memory.KeptLine, error) {
	line.Text, line.Tag = strings.TrimSpace(how.Text), how.Tag
	switch {
	case line.Text == "":
		return nil, invalid("Give the words that it should have; to be rid of it, forget it.", "correct a statement to nothing")
	case how.Tag > memory.TagDetail:
		return nil, invalid("It is W, B or O.", "correct a statement to no tag")
	}
	return lineIf(line.Text != st.Text || how.Tag != 0 && how.Tag != st.Tag, line), nil
}

func rescope(st *memory.Statement, line *memory.KeptLine, scope memory.Scope) ([]memory.KeptLine, error) {
	switch {
	case scope > memory.ScopeContact:
		return nil, invalid("It is agent, all or contact.", "scope a statement to nobody")
	case scope == memory.ScopeContact && st.Speaker.Kind != memory.SpeakerContact:
		return nil, invalid("Choose this agent or all agents.", "scope a statement to a contact who did not say it")
	}
	line.Scope = scope
	return lineIf(scope != st.Scope, line), nil
}

func (b *Book) supersede(st *memory.Statement, line *memory.KeptLine, by string) ([]memory.KeptLine, error) {
	successor := b.items[b.root(by)]
	if successor == nil || successor.State == memory.StatementForgotten {
		return nil, notFound(by)
	}
	for next, n := successor, 0; next != nil && n < maxChain; next, n = b.items[next.By], n+1 {
		if next.ID == st.ID {
			return nil, invalid("It is the statement itself, or was replaced by it: take that back first.", "replace a statement by %s", by)
		}
	}
	line.By = successor.ID
	return lineIf(st.By != line.By, line), nil
}

// forget gives the tombstones of a statement. What it replaced stays replaced
// where it was itself replaced.
func (b *Book) forget(st *memory.Statement, line *memory.KeptLine, texts []memory.ForgottenText) []memory.KeptLine {
	stone := func(of *memory.KeptLine) memory.KeptLine {
		k := memory.KeptLine{Kind: memory.KeptForget, At: line.At, Tag: st.Tag, Agent: of.Agent, Session: of.Session, Entry: of.Entry, Key: of.Key,
			Start: of.Start, End: of.End, Of: of.ID}
		if of.ID != st.ID {
			k.By, k.Tag = st.ID, 0
		}
		k.ID = decisionID(&k)
		return k
	}
	lines := []memory.KeptLine{stone(b.lines[st.ID].line())}
	lines[0].Forgotten = texts
	for i := range st.History {
		if st.History[i].Kind == memory.KeptRepeat {
			lines = append(lines, stone(&st.History[i]))
		}
	}
	if st.By == "" {
		return lines
	}
	for _, old := range st.Replaces {
		k := memory.KeptLine{Kind: memory.KeptSupersede, At: b.behind(&b.items[old].Statement, line.At), Agent: b.lines[old].line().Agent, Of: old, By: st.By}
		k.ID = decisionID(&k)
		lines = append(lines, k)
	}
	return lines
}

func (b *Book) undo(st *memory.Statement, line *memory.KeptLine, id string) ([]memory.KeptLine, error) {
	line.Of = id
	if r, ok := b.lines[id]; !ok || r.line().Kind == memory.KeptStatement || r.line().Kind == memory.KeptRepeat {
		line.Of = undoable(st)
	}
	if line.Of == "" {
		return nil, invalid("Nothing was decided about it, or all of it was taken back.", "undo a decision")
	}
	for _, d := range holding(pointers(st.History)) {
		if d.ID == line.Of {
			line.At = max(line.At, d.At+1)
			return lineIf(true, line), nil
		}
	}
	return nil, invalid("The decision was taken back already.", "undo a decision")
}

// Undoable gives the id of the last decision about a statement that holds and
// can be taken back, "" where there is none.
func (b *Book) Undoable(id string) string {
	it := b.items[b.root(id)]
	if it == nil || it.State == memory.StatementForgotten {
		return ""
	}
	return undoable(&it.Statement)
}

func undoable(st *memory.Statement) (id string) {
	for _, d := range holding(pointers(st.History)) {
		switch d.Kind {
		case memory.KeptPin, memory.KeptUnpin, memory.KeptCorrect, memory.KeptScope, memory.KeptSupersede:
			id = d.ID
		}
	}
	return id
}

func pointers(lines []memory.KeptLine) []*memory.KeptLine {
	all := make([]*memory.KeptLine, len(lines))
	for i := range lines {
		all[i] = &lines[i]
	}
	return all
}

func notFound(id string) error {
	return &memory.Error{Code: memory.CodeNotFound, Op: fmt.Sprintf("there is no statement %q", id), Hint: "List them with: tidemark statements list"}
}

func invalid(hint, format string, args ...any) error {
	return &memory.Error{Code: memory.CodeInvalid, Op: fmt.Sprintf(format, args...), Hint: hint}
}
