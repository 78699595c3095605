package transcript_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"testing"
	"unicode/utf8"

	"tidemark/backend/memory"
	"tidemark/backend/transcript"
)

func addSeeds(f *testing.F) {
	for _, line := range recorded(f, "lines.jsonl") {
		f.Add(line)
	}
	for _, line := range recorded(f, "trees.jsonl") {
		f.Add(line)
	}
	for _, line := range []string{"", "{}", "undefined", `{"type":"message","message":{"role":"assistant","usage":{"input":NaN,"output":-Infinity,"cost":{"total":1e400}}}}`,
		`{"type":"message","id":"a","message":{"role":"user","content":"\ud83d\u12\q`, "\x00\x00{\"type\":\"session\",\"id\":\"s\"}", userLine + assistantLine, `{"a":[[[[[[[[[[{"b":`} {
		f.Add([]byte(line))
	}
}

// FuzzDecode: no input panics or leads the decoder behind its end; what it
// takes is JSON but for the leniencies that the cursor names; and what it makes
// of it is sound.
func FuzzDecode(f *testing.F) {
	addSeeds(f)
	f.Fuzz(func(t *testing.T, line []byte) {
		for _, texts := range []bool{false, true} {
			d := transcript.Decoder{Texts: texts}
			var ev memory.Event
			err := d.Decode(line, &ev)
			if d.Position() > len(line) {
				t.Fatalf("stopped at %d of %d", d.Position(), len(line))
			}
			if err != nil && !errors.Is(err, transcript.ErrSyntax) && !errors.Is(err, transcript.ErrShape) {
				t.Fatalf("an error of no kind: %v", err)
			}
			if !errors.Is(err, transcript.ErrSyntax) && !json.Valid(strict(line)) {
				t.Fatalf("took what is no JSON: %q", line)
			}
			if err == nil {
				checkSound(t, &ev)
			}
			d.DecodeNavigation(line, &ev)
			d.DecodeHead(line, &ev)
			if d.Position() > len(line) {
				t.Fatalf("stopped at %d of %d", d.Position(), len(line))
			}
		}
	})
}

// FuzzRecover: no input panics, and what is found is an entry.
func FuzzRecover(f *testing.F) {
	addSeeds(f)
	f.Fuzz(func(t *testing.T, line []byte) {
		for _, ev := range recovered(t, string(line)) {
			checkSound(t, &ev)
			if ev.Kind == memory.KindUnknown {
				t.Fatalf("found %+v", ev)
			}
		}
	})
}

// FuzzPromptOf: no text panics, and taking off what stands in front ends.
func FuzzPromptOf(f *testing.F) {
	for _, tt := range ownPrompts {
		f.Add(tt.text)
	}
	for _, text := range peopleWrote {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		rest := transcript.Unwrap(text)
		if len(rest) > len(text) || transcript.Unwrap(rest) != rest {
			t.Fatalf("%q: unwrapped to %q, again to %q", text, rest, transcript.Unwrap(rest))
		}
		transcript.PromptOf(text)
	})
}

func checkSound(t *testing.T, ev *memory.Event) {
	t.Helper()
	u, m := ev.Message.Usage, &ev.Message
	switch {
	case ev.Type == "", ev.At < 0, m.At < 0, m.ImageBytes < 0, m.Images < 0, ev.Compaction.FirstKeptIndex < -1, ev.Compaction.TokensBefore < 0:
		t.Fatalf("unsound: %+v", *ev)
	case u.Input < 0, u.Output < 0, u.CacheRead < 0, u.CacheWrite < 0, u.Cost < 0, !u.Present && u != (memory.Usage{}):
		t.Fatalf("unsound usage: %+v", u)
	}
	for _, s := range []string{ev.Type, ev.ID, ev.Parent, m.Text, m.Model, m.Error, ev.Text} {
		if !utf8.ValidString(s) {
			t.Fatalf("no UTF-8: %q", s)
		}
	}
}

// strict writes a line that the decoder may take as encoding/json wants it:
// words and malformed numbers as 0, control characters and unknown escapes
// inside strings as x.
func strict(line []byte) []byte {
	var out []byte
	for i := 0; i < len(line); {
		ch := line[i]
		switch {
		case ch == '"':
			end := i + 1
			for end < len(line) && line[end] != '"' {
				if line[end] == '\\' {
					end++
				}
				end++
			}
			inner := line[i+1 : min(end, len(line))]
			out = append(out, '"')
			out = append(out, bytes.Map(func(r rune) rune {
				if r < ' ' || r == '\\' || r == '"' {
					return 'x'
				}
				return r
			}, inner)...)
			if end < len(line) {
				out = append(out, '"')
			}
			i = end + 1
		case isLiteral(ch):
			start := i
			for i < len(line) && isLiteral(line[i]) {
				i++
			}
			switch word := string(line[start:i]); {
			case word == "NaN", word == "Infinity", word[0] == '-', word[0] >= '0' && word[0] <= '9':
				out = append(out, '0')
			default:
				out = append(out, word...)
			}
		default:
			out = append(out, ch)
			i++
		}
	}
	return out
}

func isLiteral(ch byte) bool {
	return ch >= '0' && ch <= '9' || ch >= 'a' && ch <= 'z' || ch >= 'A' && ch <= 'Z' || ch == '-' || ch == '+' || ch == '.'
}
