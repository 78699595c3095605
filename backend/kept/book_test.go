package kept

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"sync"
	"testing"

	"tidemark/backend/memory"
)

var owner = memory.Speaker{Kind: memory.SpeakerOwner}

// said is a statement of the owner to the agent main, at a moment.
func said(id string, at memory.Millis, text string) memory.KeptLine {
	return memory.KeptLine{ID: id, At: at, Tag: memory.TagWant, Text: text, Speaker: owner, Agent: "main", Session: "s", Entry: "e" + id, Key: "k" + id, Start: 0, End: len([]rune(text)), Rule: "r"}
}

func decision(kind memory.KeptKind, id string, at memory.Millis, of string) memory.KeptLine {
	return memory.KeptLine{Kind: kind, ID: id, At: at, Of: of, Agent: "main"}
}

func load(lines ...memory.KeptLine) *Book {
	b := NewBook()
	b.Load(lines)
	return b
}

// get gives a statement that has to be there.
func get(t *testing.T, b *Book, id string) memory.Statement {
	t.Helper()
	st, ok := b.Statement(id, 0)
	if !ok {
		t.Fatalf("there is no %s", id)
	}
	return st
}

func TestStatement(t *testing.T) {
	line := said("a", 10, "I prefer tea")
	line.Until = 100
	b := load(line)
	want := memory.Statement{ID: "a", Tag: memory.TagWant, Text: "I prefer tea", Agent: "main", Speaker: owner, At: 10, Until: 100, Session: "s", Entry: "ea", End: 12, Rule: "r", History: []memory.KeptLine{line}}
	if got := get(t, b, "a"); !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	for now, state := range map[memory.Millis]memory.StatementState{0: memory.StatementLive, 99: memory.StatementLive, 100: memory.StatementExpired} {
		if got, _ := b.Statement("a", now); got.State != state {
			t.Errorf("at %d: got %v, want %v", now, got.State, state)
		}
		if got := b.Statements(now); len(got) != 1 || got[0].State != state {
			t.Errorf("at %d: %+v", now, got)
		}
	}
	if _, ok := b.Statement("b", 0); ok || b.Has("b") || !b.Has("a") {
		t.Error("what is there")
	}
}

func TestNewestFirst(t *testing.T) {
	b := load(said("b", 2, "two"), said("a", 1, "one"), said("d", 3, "four"), said("c", 3, "three"))
	b.Add(said("e", 2, "five"))
	got := ""
	for _, st := range b.Statements(0) {
		got += st.ID
	}
	if got != "dceba" {
		t.Errorf("got %s", got)
	}
}

func TestRepeats(t *testing.T) {
	again := said("b", 20, "I prefer tea!")
	again.Kind, again.Of = memory.KeptRepeat, "a"
	third := said("c", 30, "Tea is what I prefer")
	third.Kind, third.Of = memory.KeptRepeat, "b" // about a repeat
	b := load(third, again, said("a", 10, "I prefer tea"))
	st := get(t, b, "c")
	if st.ID != "a" || len(st.Repeats) != 2 || st.Repeats[0].ID != "b" || st.Repeats[1].Text != "Tea is what I prefer" || len(st.History) != 3 {
		t.Errorf("%+v", st)
	}
	if got := Occasions(&st); len(got) != 3 || got[0].ID != "a" || got[2].ID != "c" {
		t.Errorf("%+v", got)
	}
	if got := b.Statements(0); len(got) != 1 {
		t.Errorf("%+v", got)
	}
}

// TestFoundLater: transcripts are not read in the order of time. Where a
// statement was said first is where it stands.
func TestFoundLater(t *testing.T) {
	before := said("b", 5, "Tea I prefer")
	before.Kind, before.Of, before.Agent = memory.KeptRepeat, "a", "ops"
	unknown := said("c", 0, "I prefer tea")
	unknown.Kind, unknown.Of = memory.KeptRepeat, "a"
	b := load(said("a", 10, "I prefer tea"), unknown, before)
	st := get(t, b, "a")
	if st.ID != "a" || st.At != 5 || st.Agent != "ops" || st.Entry != "eb" || st.Text != "Tea I prefer" || len(st.Repeats) != 2 || st.Repeats[0].ID != "a" || st.Repeats[1].ID != "c" {
		t.Errorf("%+v", st)
	}
}

// TestDeletedByHand: a statement whose line a person deleted is gone, with what
// was said about it.
func TestDeletedByHand(t *testing.T) {
	again := said("b", 20, "I prefer tea!")
	again.Kind, again.Of = memory.KeptRepeat, "a"
	old := decision(memory.KeptSupersede, "d", 30, "c")
	old.By = "a"
	b := load(again, decision(memory.KeptPin, "p", 21, "a"), said("c", 1, "I prefer coffee"), old)
	if got := b.Statements(0); len(got) != 1 || got[0].ID != "c" || got[0].State != memory.StatementLive {
		t.Errorf("%+v", got)
	}
	if _, ok := b.Statement("b", 0); ok || !b.Has("b") {
		t.Error("the repeat")
	}
	if lines := b.Judge([]memory.KeptLine{said("n", 40, "I prefer tea")}); len(lines) != 1 || lines[0].Kind != memory.KeptStatement {
		t.Errorf("said again: %+v", lines)
	}
}

func TestByHand(t *testing.T) {
	hand := func(agent string) memory.KeptLine {
		return memory.KeptLine{ID: "hand-1", At: 1, Text: "Never mail on Sundays", Tag: memory.TagBoundary, Speaker: owner, Agent: agent, ByHand: true}
	}
	b := load(hand("ops"), hand("main"), hand("ops"), hand("zoe"))
	all := b.Statements(0)
	agents := map[string]string{}
	for _, st := range all {
		agents[st.Agent] = st.ID
		if !st.ByHand {
			t.Errorf("%+v", st)
		}
	}
	if len(all) != 3 || agents["main"] != "hand-1" || agents["ops"] == agents["zoe"] {
		t.Errorf("%+v", agents)
	}
	lines, err := b.Decide(memory.KeptForget, agents["ops"], 5, Change{})
	if err != nil || len(lines) != 1 || lines[0].Agent != "ops" {
		t.Fatal(lines, err)
	}
	b.Add(lines[0])
	for agent, want := range map[string]bool{"ops": true, "main": false, "zoe": false} {
		if got := b.IsForgotten(hand(agent)); got != want {
			t.Errorf("%s is forgotten: %v", agent, got)
		}
	}
}

func TestSameID(t *testing.T) {
	a, c := said("a", 1, "one"), said("a", 2, "two")
	pin := decision(memory.KeptPin, "a", 0, "x")
	for _, lines := range [][]memory.KeptLine{{a, c, pin}, {pin, c, a}, {c, pin, a, a}} {
		if got := get(t, load(lines...), "a"); got.Text != "one" {
			t.Errorf("got %q", got.Text)
		}
		b := NewBook()
		for _, l := range lines {
			b.Add(l)
		}
		if got := get(t, b, "a"); got.Text != "one" || len(b.Statements(0)) != 1 {
			t.Errorf("added: got %q", got.Text)
		}
	}
}

func TestCircles(t *testing.T) {
	a, c := said("a", 1, "one"), said("b", 2, "two")
	a.Kind, a.Of, c.Kind, c.Of = memory.KeptRepeat, "b", memory.KeptRepeat, "a"
	self := said("c", 3, "three")
	self.Kind, self.Of = memory.KeptRepeat, "c"
	u, v := decision(memory.KeptUndo, "u", 4, "v"), decision(memory.KeptUndo, "v", 5, "u")
	x, y := decision(memory.KeptSupersede, "x", 6, "d"), decision(memory.KeptSupersede, "y", 7, "e")
	x.By, y.By = "e", "d"
	b := load(a, c, self, u, v, said("d", 8, "four"), said("e", 9, "five"), x, y)
	if got := b.Statements(0); len(got) != 2 || got[0].By != "d" || got[1].By != "e" {
		t.Errorf("%+v", got)
	}
}

func TestOfSession(t *testing.T) {
	again := said("b", 20, "I prefer tea!")
	again.Kind, again.Of, again.Session = memory.KeptRepeat, "a", "other"
	correct := decision(memory.KeptCorrect, "d", 30, "a")
	correct.Text = "Tea"
	b := load(said("a", 10, "I prefer tea"), again, correct, said("c", 5, "three"))
	got := b.OfSession("s", 0)
	if len(got) != 2 || got[0].ID != "c" || got[1].ID != "a" || got[1].Text != "I prefer tea" {
		t.Errorf("%+v", got)
	}
	if got := b.OfEntry("other", "eb", 0); len(got) != 1 || got[0].ID != "a" || got[0].Text != "I prefer tea!" || got[0].At != 20 {
		t.Errorf("%+v", got)
	}
	if got := b.OfEntry("s", "none", 0); len(got) != 0 {
		t.Errorf("%+v", got)
	}
}

// randomLines gives lines as a year of use leaves them, with what people do to
// files.
func randomLines(r *rand.Rand, n int) (lines []memory.KeptLine) {
	texts := []string{"I prefer tea", "别半夜给我推消息", "日报早上八点发", "日报挪到早上七点半", "Call me Ash", "call me Juno", "I prefer coffee", "No meetings on Friday", "我对花生过敏"}
	id := func() string { return fmt.Sprintf("l%d", r.IntN(n)) }
	for i := range n {
		l := said(fmt.Sprintf("l%d", i), memory.Millis(r.IntN(n)), texts[r.IntN(len(texts))])
		l.Agent, l.Session = []string{"main", "ops"}[r.IntN(2)], fmt.Sprint("s", r.IntN(3))
		if r.IntN(9) == 0 {
			l.Until = memory.Millis(r.IntN(2 * n))
		}
		if r.IntN(9) == 0 {
			l.ByHand, l.ID = true, fmt.Sprint("hand", r.IntN(3))
		}
		if r.IntN(2) == 0 {
			l.Kind, l.Of, l.By, l.Scope, l.ByHand = memory.KeptKind(1+r.IntN(8)), id(), id(), memory.Scope(r.IntN(3)), false
			l.ID = fmt.Sprintf("l%d", i)
		}
		if l.Kind == memory.KeptForget {
			l.Forgotten = Tombstone(secret, l.Text)
			if r.IntN(2) == 0 {
				l.By = ""
			}
		}
		lines = append(lines, l)
	}
	return lines
}

// state gives everything that a book says.
func state(b *Book) map[string]any {
	all := map[string]any{"all": b.Statements(50), "forgotten": b.Forgotten()}
	for _, s := range []string{"s0", "s1", "s2"} {
		all[s] = b.OfSession(s, 50)
	}
	for id := range b.lines {
		st, ok := b.Statement(id, 50)
		all["is "+id] = []any{st, ok, b.Undoable(id), b.IsForgotten(*b.lines[id].line())}
	}
	return all
}

func differ(t *testing.T, what string, got, want *Book) {
	t.Helper()
	g, w := state(got), state(want)
	for k := range w {
		if !reflect.DeepEqual(g[k], w[k]) {
			t.Fatalf("%s: %s: got\n%+v, want\n%+v", what, k, g[k], w[k])
		}
	}
	if len(g) != len(w) {
		t.Fatalf("%s: %d answers, want %d", what, len(g), len(w))
	}
}

// TestOrderDoesNotMatter: any order of the lines, one by one or all at once,
// gives the same.
func TestOrderDoesNotMatter(t *testing.T) {
	for seed := range uint64(150) {
		r := rand.New(rand.NewPCG(seed, 1))
		lines := randomLines(r, 2+r.IntN(60))
		want := load(lines...)
		shuffled := slices.Clone(lines)
		r.Shuffle(len(lines), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		differ(t, fmt.Sprint(seed, " shuffled"), load(shuffled...), want)
		one := NewBook()
		for _, l := range shuffled {
			one.Add(l)
		}
		differ(t, fmt.Sprint(seed, " one by one"), one, want)
		half := load(shuffled[:len(lines)/2]...)
		half.Load(shuffled[len(lines)/2:])
		differ(t, fmt.Sprint(seed, " in halves"), half, want)
		for _, l := range lines {
			half.Add(l)
		}
		differ(t, fmt.Sprint(seed, " again"), half, want)
	}
}

// TestAnswersStay: what was answered does not change when lines are added.
func TestAnswersStay(t *testing.T) {
	b := load(said("a", 10, "I prefer tea"))
	var old []memory.Statement
	var sizes []int
	for i := range 20 {
		again := said(fmt.Sprint("r", i), memory.Millis(20+i), "I prefer tea")
		again.Kind, again.Of = memory.KeptRepeat, "a"
		b.Add(again)
		st := get(t, b, "a")
		old, sizes = append(old, st), append(sizes, len(st.Repeats))
	}
	for i, st := range old {
		if len(st.Repeats) != sizes[i] || sizes[i] != i+1 || st.Repeats[i].ID != fmt.Sprint("r", i) || len(st.History) != i+2 {
			t.Errorf("%d: %d repeats, %d lines", i, len(st.Repeats), len(st.History))
		}
	}
}

// TestAskedAtOnce is for the race detector.
func TestAskedAtOnce(t *testing.T) {
	b := load(manyLines(500, 4)...)
	want := fmt.Sprint(b.Judge(manyLines(50, 5)))
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			if got := fmt.Sprint(b.Judge(manyLines(50, 5))); got != want {
				t.Errorf("got %s, want %s", got, want)
			}
			b.Statements(0)
			b.OfSession("session0", 0)
			if _, err := b.Decide(memory.KeptPin, "s0", 1, Change{}); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
}
