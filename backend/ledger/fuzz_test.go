package ledger

import (
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"tidemark/backend/memory"
)

// keptOf reads the content of a kept file.
func keptOf(body string) keptReader {
	g := keptReader{at: map[string]int{}}
	g.read("2026-02-24.md", body)
	return g
}

// FuzzKept: of any bytes as a kept file, what is read and written again is read
// the same; an append loses nothing and is read; forgetting what is not there
// takes away no line.
func FuzzKept(f *testing.F) {
	whole, err := os.ReadFile("testdata/kept.md")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(whole)
	for _, k := range everyKind() {
		f.Add([]byte(KeptLine(k)))
	}
	f.Add([]byte("\x00\r* 0"))
	f.Add([]byte("\ufeff* B · typed\r\n- W ·  cut <!-- statement · id `x"))
	f.Add([]byte("- W ·  a <!-- statement · id `x` · at @5 · span -1..2 · words1 `1 f s` --> b <!-- c -->"))
	f.Fuzz(func(t *testing.T, body []byte) {
		got := keptOf(string(body))
		var b strings.Builder
		for i, k := range got.Lines {
			if err := writable(k); err != nil {
				t.Fatalf("%+v: %v", k, err)
			}
			b.WriteString(KeptLine(k) + "\n")
			got.Lines[i].Edited, got.Lines[i].ByHand = false, false
		}
		again := keptOf(b.String())
		if again.Bad != 0 || again.Torn || !reflect.DeepEqual(again.Lines, got.Lines) {
			t.Fatalf("%q gives\n%+v, which gives\n%+v", body, got.Lines, again.Lines)
		}
		checkAppended(t, string(body), got)
		f := newForgetting("", nil, nil, nil)
		if left := keptOf(f.kept("2026-02-24.md", string(body))); len(left.Lines) != len(got.Lines) || left.Bad != got.Bad {
			t.Fatalf("forgetting nothing in %q leaves %+v", body, left)
		}
	})
}

// checkAppended wants a line that is appended to a file read behind what is
// there.
func checkAppended(t *testing.T, body string, had keptReader) {
	t.Helper()
	k := plainKept(1)
	k.ID = "an id that is not there"
	end := kind{end: endKept}.ending(body[strings.LastIndex(body, "\n")+1:])
	after := keptOf(body + end + KeptLine(k) + "\n")
	n := len(after.Lines) - 1
	if n != len(had.Lines) || !reflect.DeepEqual(after.Lines[n], k) || after.Torn {
		t.Fatalf("%q appended to gives\n%+v, torn %t\nbefore\n%+v", body, after.Lines, after.Torn, had.Lines)
	}
}

// FuzzSaid is the same for files of messages.
func FuzzSaid(f *testing.F) {
	whole, err := os.ReadFile("testdata/said.md")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(whole)
	for _, s := range hardSaid() {
		f.Add([]byte(SaidText(s)))
	}
	f.Add([]byte("> a\r\n>b\r<!-- said · at @5 -->\n> c\n<!-- said"))
	read := func(body string) (all []memory.Said, bad int) {
		bad, _ = eachSaid(body, func(s memory.Said) bool {
			all = append(all, s)
			return true
		})
		return all, bad
	}
	f.Fuzz(func(t *testing.T, bytes []byte) {
		body := string(bytes)
		got, _ := read(body)
		var b strings.Builder
		for _, s := range got {
			b.WriteString(SaidText(s))
		}
		if again, bad := read(b.String()); bad != 0 || !slices.Equal(again, got) {
			t.Fatalf("%q gives\n%+v, which gives\n%+v, %d bad", body, got, again, bad)
		}
		end := kind{end: endSaid}.ending(body[strings.LastIndex(body, "\n")+1:])
		more := plainSaid(1)
		if after, _ := read(body + end + SaidText(more)); !slices.Equal(after, append(got, more)) {
			t.Fatalf("%q appended to gives\n%+v\nbefore\n%+v", body, after, got)
		}
		nothing := newForgetting("", nil, nil, nil)
		if left, _ := read(nothing.messages(body)); !slices.Equal(left, got) {
			t.Fatalf("forgetting nothing in %q leaves\n%+v of\n%+v", body, left, got)
		}
	})
}

// FuzzText: any text, as a statement, a message and a name, comes back.
func FuzzText(f *testing.F) {
	for _, s := range nastyParts {
		f.Add(s, s)
	}
	f.Fuzz(func(t *testing.T, text, name string) {
		k := memory.KeptLine{ID: "i" + name, Tag: memory.TagWant, Text: text, Speaker: memory.Speaker{Name: name}, Rule: text}
		line := KeptLine(k)
		checkLine(t, line)
		if got, ok := ParseKept(line, 0); !ok || !reflect.DeepEqual(got, k) {
			t.Fatalf("%q gives %+v", line, got)
		}
		s := memory.Said{Key: name, Text: text, Session: text, Speaker: memory.Speaker{Name: name}}
		var all []memory.Said
		bad, _ := eachSaid(SaidText(s), func(s memory.Said) bool {
			all = append(all, s)
			return true
		})
		if bad != 0 || len(all) != 1 || all[0] != s {
			t.Fatalf("%q gives %+v, %d bad", SaidText(s), all, bad)
		}
	})
}
