package capture

import (
	"encoding/json"
	"strings"
	"testing"

	"tidemark/backend/memory"
)

func item(tag memory.Tag, text, part string) memory.Item {
	at := len([]rune(text[:strings.Index(text, part)]))
	return memory.Item{Tag: tag, Text: part, Start: at, End: at + len([]rune(part)), Rule: "r"}
}

func TestScore(t *testing.T) {
	const text = "十点前别发消息，我吃素。 The rest of it"
	one := Labelled{ID: "a", Lang: "zh", Text: text, Expect: []Expected{{"B", "十点前别发消息"}, {"O", "我吃素"}}}
	noted := func(note string) Labelled { l := one; l.Note = note; return l }
	until := item(memory.TagDetail, text, "The rest")
	until.Until = 5
	for _, c := range []struct {
		name              string
		l                 Labelled
		items             []memory.Item
		recall, precision float64
	}{
		{"both", one, []memory.Item{item(memory.TagBoundary, text, "十点前别发消息"), item(memory.TagDetail, text, "我吃素")}, 1, 1},
		{"nothing", one, nil, 0, 1},
		{"another tag", one, []memory.Item{item(memory.TagWant, text, "我吃素")}, 0, 1},
		{"a fair tag", noted("second item alt=W"), []memory.Item{item(memory.TagWant, text, "我吃素")}, 0.5, 1},
		{"a fair tag of the other", noted("first alt=W"), []memory.Item{item(memory.TagWant, text, "我吃素")}, 0, 1},
		{"a fair tag for all", noted("alt=W"), []memory.Item{item(memory.TagWant, text, "我吃素")}, 0.5, 1},
		{"alt behind", noted("alt=W for the first"), []memory.Item{item(memory.TagWant, text, "十点前别发消息")}, 0.5, 1},
		{"sixty percent", one, []memory.Item{item(memory.TagBoundary, text, "十点前别发")}, 0.5, 1},
		{"less", one, []memory.Item{item(memory.TagBoundary, text, "十点前")}, 0, 1},
		{"merged", noted("may be merged"), []memory.Item{item(memory.TagBoundary, text, "十点前别发消息，我吃素")}, 1, 1},
		{"not to be merged", one, []memory.Item{item(memory.TagBoundary, text, "十点前别发消息，我吃素")}, 0.5, 1},
		{"false", one, []memory.Item{item(memory.TagBoundary, text, "十点前别发消息"), item(memory.TagDetail, text, "The rest")}, 0.5, 0.5},
		{"false but for a while", one, []memory.Item{item(memory.TagBoundary, text, "十点前别发消息"), until}, 0.5, 1},
	} {
		r := Score([]Labelled{c.l}, func(Labelled) []memory.Item { return c.items })
		if r.Recall != c.recall || r.Precision != c.precision {
			t.Errorf("%s: recall %v, precision %v, want %v and %v", c.name, r.Recall, r.Precision, c.recall, c.precision)
		}
	}
}

func TestScoreFindsLeaks(t *testing.T) {
	l := Labelled{ID: "a", Text: "the code is 4471-EX, use metric", Secrets: []string{"4471-EX"}}
	r := Score([]Labelled{l}, func(Labelled) []memory.Item {
		return []memory.Item{item(memory.TagWant, l.Text, "4471-EX, use metric")}
	})
	if r.SecretsLeaked != 1 {
		t.Errorf("%d secrets leaked, want 1", r.SecretsLeaked)
	}
	l = Labelled{ID: "a", Text: "key sk-EXAMPLE-not-real-7a, use metric", Note: "secret + preference"}
	r = Score([]Labelled{l}, func(Labelled) []memory.Item {
		return []memory.Item{item(memory.TagWant, l.Text, "sk-EXAMPLE-not-real-7a")}
	})
	if r.SecretsLeaked != 1 {
		t.Errorf("%d secrets of a note leaked, want 1", r.SecretsLeaked)
	}
}

func TestResultMarshals(t *testing.T) {
	l := Labelled{ID: "a", Lang: "en", Text: "use metric. and so on", Expect: []Expected{{"W", "use metric"}}}
	got, err := json.Marshal(Score([]Labelled{l}, func(Labelled) []memory.Item { return []memory.Item{item(memory.TagWant, l.Text, "so on")} }))
	want := `{"recall":0,"precision":0,"byTag":{"W":{"recall":0,"precision":0,"expected":1,"found":1}},"byLanguage":{"en":{"recall":0,"precision":0,"expected":1,"found":1}},` +
		`"secretsLeaked":0,"missed":[{"id":"a","tag":"W","span":"use metric"}],"false":[{"id":"a","tag":"W","text":"so on","rule":"r"}]}`
	if err != nil || string(got) != want {
		t.Errorf("got %s, %v, want %s", got, err, want)
	}
}

func TestReadLabelled(t *testing.T) {
	got, err := ReadLabelled(strings.NewReader("\ufeff{\"id\":\"a\",\"lang\":\"en\",\"text\":\"use metric\",\"expect\":[{\"tag\":\"W\",\"span\":\"use metric\"}],\"note\":\"n\"}\r\n\n{\"id\":\"b\",\"text\":\"\",\"expect\":[]}\n"))
	if err != nil || len(got) != 2 || got[0].Expect[0].Span != "use metric" || got[1].ID != "b" {
		t.Errorf("got %v, %v, want two messages", got, err)
	}
	for _, c := range []struct{ text, want string }{
		{"{\"id\":\"a\"}\n{", "read labelled messages: line 2: unexpected end of JSON input"},
		{"{\"text\":\"x\"}", "read labelled messages: line 1: no id"},
		{`{"id":"a","text":"x","expect":[{"tag":"Q","span":"x"}]}`, `read labelled messages: line 1: tag "Q" is none`},
		{`{"id":"a","text":"x","expect":[{"tag":"W","span":"y"}]}`, `read labelled messages: line 1: span "y" is not in the text`},
	} {
		if _, err := ReadLabelled(strings.NewReader(c.text)); err == nil || err.Error() != c.want {
			t.Errorf("ReadLabelled(%q) = %v, want %q", c.text, err, c.want)
		}
	}
}
