package secrets

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// linesOf reads a list of sentences, without its comments.
func linesOf(t *testing.T, name string) (list []string) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatalf("read sentences: %v", err)
	}
	for line := range strings.Lines(string(data)) {
		if line = strings.TrimRight(line, "\r\n"); line != "" && line[0] != '#' {
			list = append(list, line)
		}
	}
	return list
}

// heard reads a sentence of said.txt.
func heard(t *testing.T, line string) spoken {
	t.Helper()
	marks := map[string]mark{"P": markPassword, "A": markAPIKey, "T": markToken, "K": markPrivateKey, "C": markCard, "I": markIdentity}
	kind, text, ok := strings.Cut(line, "|")
	if !ok || marks[kind] == markNone {
		t.Fatalf("no mark before %q", line)
	}
	s := spoken{mark: marks[kind]}
	for text = strings.ReplaceAll(text, `\n`, "\n"); ; {
		before, rest, found := strings.Cut(text, "⟦")
		s.text += before
		if !found {
			break
		}
		value, after, closed := strings.Cut(rest, "⟧")
		if !closed {
			t.Fatalf("⟦ is not closed in %q", line)
		}
		s.text += "{}"
		s.values = append(s.values, strings.ReplaceAll(value, "·", ""))
		text = after
	}
	if len(s.values) == 0 {
		t.Fatalf("nothing is to be masked in %q", line)
	}
	return s
}

func TestSaid(t *testing.T) {
	for _, line := range linesOf(t, "said.txt") {
		heard(t, line).check(t)
	}
}

func TestUntouched(t *testing.T) {
	for _, line := range linesOf(t, "untouched.txt") {
		untouched(t, line)
		untouched(t, "> "+line)
		untouched(t, line+"\n"+line)
	}
}

// All sentences together, as in a long message: no sentence changes what is
// found in the next one.
func TestSaidTogether(t *testing.T) {
	var in, want strings.Builder
	plain := linesOf(t, "untouched.txt")
	for i, line := range linesOf(t, "said.txt") {
		s := heard(t, line)
		for _, part := range []string{"\n\n", plain[i%len(plain)], "\n\n"} {
			in.WriteString(part)
			want.WriteString(part)
		}
		in.WriteString(s.plain())
		want.WriteString(s.masked())
	}
	got := strings.Split(Mask(in.String()), "\n")
	for i, line := range strings.Split(want.String(), "\n") {
		if i >= len(got) || got[i] != line {
			t.Fatalf("line %d is %q, want %q", i+1, got[min(i, len(got)-1)], line)
		}
	}
}
