package kept

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"tidemark/backend/memory"
)

// decide takes a decision and adds its lines.
func decide(t *testing.T, b *Book, do memory.KeptKind, id string, at memory.Millis, how Change) []memory.KeptLine {
	t.Helper()
	lines, err := b.Decide(do, id, at, how)
	if err != nil {
		t.Fatalf("%v %s: %v", do, id, err)
	}
	for _, l := range lines {
		if l.ID == "" || l.Agent == "" || b.Has(l.ID) {
			t.Fatalf("%v %s: %+v", do, id, l)
		}
		b.Add(l)
	}
	return lines
}

func TestPin(t *testing.T) {
	b := load(said("a", 1, "I prefer tea"))
	for i, c := range []struct {
		do     memory.KeptKind
		lines  int
		pinned bool
	}{{memory.KeptUnpin, 0, false}, {memory.KeptPin, 1, true}, {memory.KeptPin, 0, true}, {memory.KeptUnpin, 1, false}, {memory.KeptUnpin, 0, false}, {memory.KeptPin, 1, true}} {
		if lines := decide(t, b, c.do, "a", 10, Change{}); len(lines) != c.lines {
			t.Errorf("%d: %d lines, want %d", i, len(lines), c.lines)
		}
		if st := get(t, b, "a"); st.Pinned != c.pinned {
			t.Errorf("%d: pinned: %v", i, st.Pinned)
		}
	}
}

func TestCorrect(t *testing.T) {
	b := load(said("a", 1, "I prefer tea"))
	decide(t, b, memory.KeptCorrect, "a", 10, Change{Text: " Tea ", Tag: memory.TagDetail})
	if st := get(t, b, "a"); st.Text != "Tea" || st.Tag != memory.TagDetail || !st.Edited {
		t.Errorf("%+v", st)
	}
	if lines := decide(t, b, memory.KeptCorrect, "a", 11, Change{Text: "Tea"}); len(lines) != 0 {
		t.Errorf("the same words: %+v", lines)
	}
	decide(t, b, memory.KeptCorrect, "a", 5, Change{Text: "Green tea"}) // the clock went back
	if st := get(t, b, "a"); st.Text != "Green tea" || st.Tag != memory.TagDetail {
		t.Errorf("%+v", st)
	}
	// What was said first is no longer what the statement says.
	if lines := b.Judge([]memory.KeptLine{said("n", 20, "I prefer tea")}); lines[0].Kind != memory.KeptStatement {
		t.Errorf("%+v", lines)
	}
	if lines := b.Judge([]memory.KeptLine{said("n", 20, "green tea!")}); lines[0].Of != "a" {
		t.Errorf("%+v", lines)
	}
}

// TestDecisionsByMoment: not the order of lines counts, and ids decide where
// moments are equal.
func TestDecisionsByMoment(t *testing.T) {
	correct := func(id string, at memory.Millis, text string) memory.KeptLine {
		l := decision(memory.KeptCorrect, id, at, "a")
		l.Text = text
		return l
	}
	b := load(correct("d3", 7, "third"), correct("d9", 6, "last by id"), correct("d1", 7, "first"), said("a", 1, "x"))
	if st := get(t, b, "a"); st.Text != "third" {
		t.Errorf("got %q", st.Text)
	}
}

func TestScope(t *testing.T) {
	contact := said("c", 2, "no mails")
	contact.Speaker = memory.Speaker{Kind: memory.SpeakerContact, Name: "Mei"}
	b := load(said("a", 1, "I prefer tea"), contact)
	if lines := decide(t, b, memory.KeptScope, "a", 10, Change{Scope: memory.ScopeAgent}); len(lines) != 0 {
		t.Errorf("as it was: %+v", lines)
	}
	decide(t, b, memory.KeptScope, "a", 10, Change{Scope: memory.ScopeAll})
	decide(t, b, memory.KeptScope, "c", 10, Change{Scope: memory.ScopeContact})
	if a, c := get(t, b, "a"), get(t, b, "c"); a.Scope != memory.ScopeAll || c.Scope != memory.ScopeContact {
		t.Errorf("got %v and %v", a.Scope, c.Scope)
	}
}

func TestSupersede(t *testing.T) {
	b := load(said("a", 1, "one"), said("b", 2, "two"), said("c", 3, "three"))
	decide(t, b, memory.KeptSupersede, "a", 10, Change{By: "b"})
	decide(t, b, memory.KeptSupersede, "b", 11, Change{By: "c"})
	a, m, c := get(t, b, "a"), get(t, b, "b"), get(t, b, "c")
	if a.State != memory.StatementSuperseded || a.By != "b" || m.By != "c" || !slices.Equal(m.Replaces, []string{"a"}) || !slices.Equal(c.Replaces, []string{"b"}) || c.State != memory.StatementLive {
		t.Errorf("%+v\n%+v\n%+v", a, m, c)
	}
	for _, by := range []string{"a", "b"} {
		if _, err := b.Decide(memory.KeptSupersede, "c", 12, Change{By: by}); memory.CodeOf(err) != memory.CodeInvalid {
			t.Errorf("a circle through %s: %v", by, err)
		}
	}
	decide(t, b, memory.KeptSupersede, "a", 13, Change{By: "c"})
	if m, c := get(t, b, "b"), get(t, b, "c"); len(m.Replaces) != 0 || !slices.Equal(c.Replaces, []string{"a", "b"}) {
		t.Errorf("%+v\n%+v", m, c)
	}
}

func TestUndo(t *testing.T) {
	b := load(said("a", 1, "one"), said("b", 2, "two"))
	before := get(t, b, "a")
	if b.Undoable("a") != "" {
		t.Error("nothing was decided")
	}
	pin := decide(t, b, memory.KeptPin, "a", 10, Change{})[0]
	decide(t, b, memory.KeptCorrect, "a", 11, Change{Text: "uno"})
	decide(t, b, memory.KeptScope, "a", 12, Change{Scope: memory.ScopeAll})
	last := decide(t, b, memory.KeptSupersede, "a", 13, Change{By: "b"})[0]
	if got := b.Undoable("a"); got != last.ID {
		t.Errorf("got %s, want %s", got, last.ID)
	}
	for _, check := range []func(st memory.Statement) bool{
		func(st memory.Statement) bool { return st.State == memory.StatementLive && st.Scope == memory.ScopeAll },
		func(st memory.Statement) bool { return st.Scope == memory.ScopeAgent && st.Text == "uno" },
		func(st memory.Statement) bool { return st.Text == "one" && !st.Edited && st.Pinned },
		func(st memory.Statement) bool { return !st.Pinned },
	} {
		decide(t, b, memory.KeptUndo, "a", 5, Change{})
		if st := get(t, b, "a"); !check(st) {
			t.Errorf("%+v", st)
		}
	}
	after := get(t, b, "a")
	if len(after.History) != 9 {
		t.Errorf("%d lines", len(after.History))
	}
	after.History = before.History
	if !reflect.DeepEqual(after, before) {
		t.Errorf("got %+v, want %+v", after, before)
	}
	if _, err := b.Decide(memory.KeptUndo, "a", 99, Change{}); memory.CodeOf(err) != memory.CodeInvalid || memory.HintOf(err) == "" {
		t.Errorf("nothing is left to take back: %v", err)
	}
	if _, err := b.Decide(memory.KeptUndo, pin.ID, 99, Change{}); memory.CodeOf(err) != memory.CodeInvalid {
		t.Errorf("taken back already: %v", err)
	}
}

// TestUndoOne: by its id any decision can be taken back, and an undo too.
func TestUndoOne(t *testing.T) {
	b := load(said("a", 1, "one"))
	pin := decide(t, b, memory.KeptPin, "a", 10, Change{})[0]
	decide(t, b, memory.KeptCorrect, "a", 11, Change{Text: "uno"})
	undo := decide(t, b, memory.KeptUndo, pin.ID, 12, Change{})[0]
	if st := get(t, b, "a"); st.Pinned || st.Text != "uno" || undo.Of != pin.ID {
		t.Errorf("%+v", st)
	}
	redo := decide(t, b, memory.KeptUndo, undo.ID, 13, Change{})[0]
	if st := get(t, b, "a"); !st.Pinned {
		t.Errorf("%+v", st)
	}
	decide(t, b, memory.KeptUndo, redo.ID, 14, Change{})
	if st := get(t, b, "a"); st.Pinned {
		t.Errorf("%+v", st)
	}
}

// TestUndoLaws: undoing as often as was decided gives the statement as it was
// before, whatever was decided.
func TestUndoLaws(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 2))
		b := load(said("a", 1, "one"), said("b", 2, "two"), said("c", 3, "three"))
		states := []memory.Statement{get(t, b, "a")}
		for range 1 + r.IntN(8) {
			do := []memory.KeptKind{memory.KeptPin, memory.KeptUnpin, memory.KeptCorrect, memory.KeptScope, memory.KeptSupersede}[r.IntN(5)]
			how := Change{Text: fmt.Sprint("text ", r.IntN(3)), Scope: memory.Scope(r.IntN(2)), By: []string{"b", "c"}[r.IntN(2)]}
			if lines := decide(t, b, do, "a", memory.Millis(r.IntN(50)), how); len(lines) > 0 {
				states = append(states, get(t, b, "a"))
			}
		}
		for i := len(states) - 2; i >= 0; i-- {
			decide(t, b, memory.KeptUndo, "a", memory.Millis(r.IntN(50)), Change{})
			got := get(t, b, "a")
			got.History = states[i].History
			if !reflect.DeepEqual(got, states[i]) {
				t.Fatalf("%d: undone to %d: got %+v, want %+v", seed, i, got, states[i])
			}
		}
	}
}

func TestForget(t *testing.T) {
	again := said("r", 20, "I do prefer Quillonetta tea")
	again.Kind, again.Of, again.Agent = memory.KeptRepeat, "a", "ops"
	first := said("a", 10, "I prefer Quillonetta tea")
	correct := decision(memory.KeptCorrect, "d", 15, "a")
	correct.Text = "Quillonetta tea"
	b := load(first, again, correct, said("b", 11, "another"))
	lines := decide(t, b, memory.KeptForget, "r", 30, Change{Forgotten: Tombstone(secret, first.Text, again.Text, correct.Text)})
	if len(lines) != 2 || lines[0].Of != "a" || len(lines[0].Forgotten) != 3 || lines[1].Of != "r" || lines[1].Agent != "ops" || lines[1].By != "a" {
		t.Fatalf("%+v", lines)
	}
	check := func(what string, b *Book) {
		t.Helper()
		for _, id := range []string{"a", "r"} {
			st, ok := b.Statement(id, 0)
			if !ok || st.State != memory.StatementForgotten || st.Text != "" || len(st.Repeats) != 0 || st.ID != "a" || st.Entry != "ea" || len(st.History) != 1 {
				t.Errorf("%s: %s: %v %+v", what, id, ok, st)
			}
		}
		if got := b.Statements(0); len(got) != 1 || got[0].ID != "b" {
			t.Errorf("%s: %+v", what, got)
		}
		if got := b.OfSession("s", 0); len(got) != 1 {
			t.Errorf("%s: %+v", what, got)
		}
		for _, l := range []memory.KeptLine{first, again} {
			if !b.Has(l.ID) || len(b.Judge([]memory.KeptLine{l})) != 0 {
				t.Errorf("%s: %s is judged new", what, l.ID)
			}
			l.ID, l.End = "other-"+l.ID, l.End-2 // another rule found it
			if len(b.Judge([]memory.KeptLine{l})) != 0 {
				t.Errorf("%s: what stands there is judged new", what)
			}
			l.Key = "masked otherwise"
			if len(b.Judge([]memory.KeptLine{l})) != 0 {
				t.Errorf("%s: with another key it is judged new", what)
			}
		}
		for _, do := range []memory.KeptKind{memory.KeptPin, memory.KeptUndo, memory.KeptCorrect} {
			if _, err := b.Decide(do, "a", 99, Change{Text: "x"}); memory.CodeOf(err) != memory.CodeInvalid {
				t.Errorf("%s: %v: %v", what, do, err)
			}
		}
		if lines, err := b.Decide(memory.KeptForget, "a", 99, Change{}); len(lines) != 0 || err != nil {
			t.Errorf("%s: twice: %v %v", what, lines, err)
		}
		if b.Undoable("a") != "" || len(b.Forgotten()) != 3 || b.Forgotten()[0].At != 30 {
			t.Errorf("%s: %+v", what, b.Forgotten())
		}
	}
	check("with the lines", b)
	for l, want := range map[*memory.KeptLine]bool{&first: true, &again: true, &correct: true, &lines[0]: false, &lines[1]: false} {
		if got := b.IsForgotten(*l); got != want {
			t.Errorf("%v %s: %v", l.Kind, l.ID, got)
		}
	}
	check("with tombstones alone", load(lines[1], said("b", 11, "another"), lines[0]))
	one := NewBook()
	for _, l := range []memory.KeptLine{lines[1], again, lines[0], correct, first, said("b", 11, "another")} {
		one.Add(l)
	}
	check("one by one", one)
	// Said again afterwards, it is kept again.
	if got := b.Judge([]memory.KeptLine{said("n", 40, first.Text)}); len(got) != 1 || got[0].Kind != memory.KeptStatement {
		t.Errorf("%+v", got)
	}
}

// TestForgetSuccessor: what a forgotten statement replaced is live again, unless
// that was replaced too.
func TestForgetSuccessor(t *testing.T) {
	b := load(said("a", 1, "one"), said("b", 2, "two"), said("c", 3, "three"))
	decide(t, b, memory.KeptSupersede, "a", 10, Change{By: "b"})
	decide(t, b, memory.KeptSupersede, "b", 11, Change{By: "c"})
	decide(t, b, memory.KeptForget, "b", 12, Change{})
	if st := get(t, b, "a"); st.By != "c" || st.State != memory.StatementSuperseded {
		t.Errorf("%+v", st)
	}
	decide(t, b, memory.KeptForget, "c", 13, Change{})
	if st := get(t, b, "a"); st.By != "" || st.State != memory.StatementLive {
		t.Errorf("%+v", st)
	}
}

func TestRefused(t *testing.T) {
	b := load(said("a", 1, "one"))
	for what, c := range map[string]struct {
		do   memory.KeptKind
		id   string
		how  Change
		code memory.Code
	}{
		"no statement":        {memory.KeptPin, "none", Change{}, memory.CodeNotFound},
		"no successor":        {memory.KeptSupersede, "a", Change{By: "none"}, memory.CodeNotFound},
		"itself":              {memory.KeptSupersede, "a", Change{By: "a"}, memory.CodeInvalid},
		"no words":            {memory.KeptCorrect, "a", Change{Text: " \n"}, memory.CodeInvalid},
		"no such tag":         {memory.KeptCorrect, "a", Change{Text: "x", Tag: 9}, memory.CodeInvalid},
		"no such scope":       {memory.KeptScope, "a", Change{Scope: 9}, memory.CodeInvalid},
		"a contact's":         {memory.KeptScope, "a", Change{Scope: memory.ScopeContact}, memory.CodeInvalid},
		"no decision":         {memory.KeptStatement, "a", Change{}, memory.CodeInvalid},
		"no decision either":  {memory.KeptRepeat, "a", Change{}, memory.CodeInvalid},
		"nothing to undo":     {memory.KeptUndo, "a", Change{}, memory.CodeInvalid},
		"a kind not known":    {200, "a", Change{}, memory.CodeInvalid},
		"undo of what is not": {memory.KeptUndo, "none", Change{}, memory.CodeNotFound},
	} {
		lines, err := b.Decide(c.do, c.id, 9, c.how)
		if memory.CodeOf(err) != c.code || memory.HintOf(err) == "" || err.Error() == "" || len(lines) != 0 {
			t.Errorf("%s: %v (%s), lines %v", what, err, memory.CodeOf(err), lines)
		}
	}
}
