package kept

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"tidemark/backend/memory"
)

// judged gives the lines for one statement as words: "statement n", "repeat n of
// a", "supersede a by n".
func judged(b *Book, lines ...memory.KeptLine) string {
	var all []string
	for _, l := range b.Judge(lines) {
		text := l.Kind.String() + " " + l.ID
		switch l.Kind {
		case memory.KeptRepeat:
			text += " of " + l.Of
		case memory.KeptSupersede:
			text = "supersede " + l.Of + " by " + l.By
		}
		all = append(all, text)
	}
	return strings.Join(all, ", ")
}

func TestJudge(t *testing.T) {
	old := said("a", 10, "日报每天早上八点发")
	for what, c := range map[string]struct {
		change func(old, line *memory.KeptLine)
		text   string
		want   string
	}{
		"the same words":       {nil, "日報每天早上八點發！", "repeat n of a"},
		"nearly the same":      {nil, "日报早上8:00发给我", "repeat n of a"},
		"another time":         {nil, "现在改了，日报挪到早上七点半", "statement n, supersede a by n"},
		"something else":       {nil, "周报每周五发", "statement n"},
		"known":                {func(_, l *memory.KeptLine) { l.ID = "a" }, "日报每天早上八点发", ""},
		"the same place":       {func(o, l *memory.KeptLine) { l.Key, l.End = o.Key, o.End-1 }, "日报每天早上八点", ""},
		"the same entry":       {func(o, l *memory.KeptLine) { l.Entry, l.At = o.Entry, o.At }, "日报每天早上八点", ""},
		"another place there":  {func(o, l *memory.KeptLine) { l.Key, l.Start, l.End = o.Key, 50, 60 }, "日报早上八点发", "repeat n of a"},
		"another agent":        {func(_, l *memory.KeptLine) { l.Agent = "ops" }, "日报每天早上八点发", "statement n"},
		"for all agents":       {func(o, l *memory.KeptLine) { o.Scope, l.Agent = memory.ScopeAll, "ops" }, "日报每天早上八点发", "repeat n of a"},
		"for all, changed":     {func(o, l *memory.KeptLine) { o.Scope, l.Agent = memory.ScopeAll, "ops" }, "日报挪到早上七点半", "statement n, supersede a by n"},
		"for all, not sure":    {func(o, l *memory.KeptLine) { o.Scope, l.Agent = memory.ScopeAll, "ops" }, "日报早上七点半发", "statement n"},
		"a contact":            {func(_, l *memory.KeptLine) { l.Speaker = memory.Speaker{Kind: memory.SpeakerContact, Name: "Mei"} }, "日报每天早上八点发", "statement n"},
		"nobody knows who":     {func(_, l *memory.KeptLine) { l.Speaker = memory.Speaker{} }, "日报挪到早上七点半", "statement n"},
		"a while":              {func(_, l *memory.KeptLine) { l.Until = 999 }, "日报挪到早上七点半", "statement n"},
		"a while, the same":    {func(_, l *memory.KeptLine) { l.Until = 999 }, "日报每天早上八点发", "statement n"},
		"both a while":         {func(o, l *memory.KeptLine) { o.Until, l.Until = 999, 999 }, "日报每天早上八点发", "repeat n of a"},
		"its while is over":    {func(o, l *memory.KeptLine) { o.Until, l.Until = 15, 15 }, "日报每天早上八点发", "statement n"},
		"said before":          {func(_, l *memory.KeptLine) { l.At = 5 }, "日报早上七点半发", "statement n, supersede n by a"},
		"nobody knows when":    {func(_, l *memory.KeptLine) { l.At = 0 }, "日报挪到早上七点半", "statement n"},
		"said before, as well": {func(_, l *memory.KeptLine) { l.At = 5 }, "日报每天早上八点发", "repeat n of a"},
	} {
		o, line := old, said("n", 20, c.text)
		if c.change != nil {
			c.change(&o, &line)
		}
		b := load(o)
		if got := judged(b, line); got != c.want {
			t.Errorf("%s: got %q, want %q", what, got, c.want)
		}
		for range 2 { // judged again there is nothing, and nothing changes before it is added
			lines := b.Judge([]memory.KeptLine{line})
			for _, l := range lines {
				if l.Agent != line.Agent || l.At != line.At {
					t.Errorf("%s: %+v", what, l)
				}
				b.Add(l)
			}
			if got := judged(b, line); got != "" {
				t.Errorf("%s: judged again: %q", what, got)
			}
		}
	}
}

func TestPinnedStays(t *testing.T) {
	b := load(said("a", 10, "日报每天早上八点发"), decision(memory.KeptPin, "p", 11, "a"))
	if got := judged(b, said("n", 20, "日报挪到早上七点半")); got != "statement n" {
		t.Errorf("got %q", got)
	}
	if got := judged(b, said("n", 20, "日报早上八点发")); got != "repeat n of a" {
		t.Errorf("got %q", got)
	}
}

// TestBackAndForth: the old value said again is a new statement.
func TestBackAndForth(t *testing.T) {
	b := NewBook()
	for i, c := range []struct{ text, want string }{
		{"日报早上七点半发", "statement s0"},
		{"日报改到早上八点", "statement s1, supersede s0 by s1"},
		{"日报还是改回早上七点半", "statement s2, supersede s1 by s2"},
		{"日报早上八点发", "statement s3, supersede s2 by s3"},
	} {
		line := said(fmt.Sprint("s", i), memory.Millis(10+i), c.text)
		if got := judged(b, line); got != c.want {
			t.Errorf("%s: got %q, want %q", c.text, got, c.want)
		}
		for _, l := range b.Judge([]memory.KeptLine{line}) {
			b.Add(l)
		}
	}
}

// TestUndoneStays: a supersede that the person took back does not come again.
func TestUndoneStays(t *testing.T) {
	b := load(said("a", 10, "日报早上七点半发"))
	line := said("n", 20, "日报改到早上八点")
	for _, l := range b.Judge([]memory.KeptLine{line}) {
		b.Add(l)
	}
	decide(t, b, memory.KeptUndo, "a", 30, Change{})
	if st := get(t, b, "a"); st.State != memory.StatementLive {
		t.Errorf("%+v", st)
	}
	if got := judged(b, line); got != "" {
		t.Errorf("got %q", got)
	}
}

// TestOneMessage: statements of one message are judged one after the other.
func TestOneMessage(t *testing.T) {
	a, c, d := said("a", 10, "I prefer tea"), said("b", 10, "Call me Ash"), said("c", 10, "i prefer tea!")
	if got := judged(NewBook(), a, c, d, a); got != "statement a, statement b, repeat c of a" {
		t.Errorf("got %q", got)
	}
}

func TestSuccessorHoldsForAll(t *testing.T) {
	old := said("a", 10, "Never use emoji with customers")
	old.Scope = memory.ScopeAll
	lines := load(old).Judge([]memory.KeptLine{said("n", 20, "changed my mind about the emoji thing, go ahead and use them with customers again")})
	if len(lines) != 2 || lines[0].Scope != memory.ScopeAll || lines[1].Of != "a" {
		t.Errorf("%+v", lines)
	}
}

func TestSpeakersApart(t *testing.T) {
	who := func(id string, s memory.Speaker) memory.KeptLine {
		l := said(id, 10, "Never call me on Sundays")
		l.Speaker = s
		return l
	}
	contact := memory.Speaker{Kind: memory.SpeakerContact, Name: "Mei", Channel: "telegram"}
	b := load(who("a", contact), who("u", memory.Speaker{Chat: "g"}))
	for what, c := range map[string]struct {
		is   memory.Speaker
		want string
	}{
		"the same contact":    {contact, "repeat n of a"},
		"in another chat":     {memory.Speaker{Kind: memory.SpeakerContact, Name: "Mei", Channel: "telegram", Chat: "x"}, "repeat n of a"},
		"on another channel":  {memory.Speaker{Kind: memory.SpeakerContact, Name: "Mei", Channel: "wechat"}, "statement n"},
		"another contact":     {memory.Speaker{Kind: memory.SpeakerContact, Name: "Bo", Channel: "telegram"}, "statement n"},
		"one without a name":  {memory.Speaker{Kind: memory.SpeakerContact}, "statement n"},
		"the owner":           {owner, "statement n"},
		"somebody unknown":    {memory.Speaker{}, "statement n"},
		"the same unknown":    {memory.Speaker{Chat: "g"}, "repeat n of u"},
		"unknown with a name": {memory.Speaker{Name: "Mei"}, "statement n"},
	} {
		line := who("n", c.is)
		line.At = 20
		if got := judged(b, line); got != c.want {
			t.Errorf("%s: got %q, want %q", what, got, c.want)
		}
	}
}

// TestJudgeLaws: what was judged and added is known, in any history; every line
// can be read from the book; a repeat is of a live statement.
func TestJudgeLaws(t *testing.T) {
	pairs := readPairs(t)
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 3))
		b, again := NewBook(), NewBook()
		var messages [][]memory.KeptLine
		for i := range 120 {
			var message []memory.KeptLine
			for j := range 1 + r.IntN(3) {
				p := pairs[r.IntN(len(pairs))]
				l := said(fmt.Sprintf("m%d-%d", i, j), memory.Millis(1+r.IntN(500)), []string{p.A, p.B}[r.IntN(2)])
				l.Key, l.Entry, l.Start, l.End = fmt.Sprint("k", i), fmt.Sprint("e", i), 100*j, 100*j+50
				message = append(message, l)
			}
			messages = append(messages, message)
			lines := b.Judge(message)
			for _, l := range lines {
				if l.Kind == memory.KeptRepeat {
					if st, ok := b.Statement(l.Of, 0); ok && (st.ID != l.Of || st.State != memory.StatementLive) {
						t.Fatalf("%d: a repeat of %+v", seed, st)
					}
				}
			}
			for _, l := range lines {
				b.Add(l)
			}
			again.Load(lines)
		}
		differ(t, fmt.Sprint(seed), again, b)
		for _, m := range messages {
			if got := b.Judge(m); len(got) != 0 {
				t.Fatalf("%d: judged again: %+v", seed, got)
			}
			for _, l := range m {
				if _, ok := b.Statement(l.ID, 0); !ok {
					t.Fatalf("%d: %s is not there", seed, l.ID)
				}
			}
		}
	}
}

// TestFoundByRareParts: what a full comparison of all would find, the index
// finds.
func TestFoundByRareParts(t *testing.T) {
	b := load(manyLines(600, 7)...)
	for i, p := range readPairs(t) {
		line := said(fmt.Sprint("pair", i), 1<<40, p.A)
		own := read(p.B)
		var want []string
		b.Add(line)
		for _, it := range b.order {
			if r := it.entry.reading; same(own, r) || follows(own, r) {
				want = append(want, it.ID)
			}
		}
		var got []string
		for _, e := range b.texts.near(own) {
			if same(own, e.reading) || follows(own, e.reading) {
				got = append(got, e.it.ID)
			}
		}
		slices.Sort(want)
		slices.Sort(got)
		if !slices.Equal(got, want) && len(own.tokens) > 0 {
			t.Errorf("%q: got %v, want %v", p.B, got, want)
		}
	}
}
