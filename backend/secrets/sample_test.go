package secrets

import (
	"strings"
	"testing"
)

// fake joins pieces to a value that no source line shows whole.
func fake(pieces ...string) string { return strings.Join(pieces, "") }

// chars gives n characters of a set, the same ones each time. Every third is a
// digit where the set has them.
func chars(set uint8, n int) string {
	var alphabet []byte
	for _, c := range []byte("aKqZmDxBwTrHcLfVjNsGpYbEuXkQnRdMgWvJhPtFzCySeAUoIlOi_-.~") {
		if is(c, set) {
			alphabet = append(alphabet, c)
		}
	}
	out := make([]byte, 0, n)
	for i := range n {
		switch {
		case is('0', set) && (i%3 == 1 || i == n-1):
			out = append(out, "7392580146"[i%10])
		default:
			out = append(out, alphabet[i*7%len(alphabet)])
		}
	}
	return string(out)
}

// spoken is a sentence with {} where a credential stands.
type spoken struct {
	text   string
	mark   mark
	values []string
}

// say makes a sentence; each value takes the place of one {}.
func say(mark mark, text string, values ...string) spoken { return spoken{text, mark, values} }

// plain gives the sentence with its values, masked the one that is wanted.
func (s spoken) plain() string  { return s.fill(s.values) }
func (s spoken) masked() string { return s.fill(nil) }

func (s spoken) fill(values []string) string {
	text := s.text
	for i := 0; strings.Contains(text, "{}"); i++ {
		with := s.mark.String()
		if i < len(values) {
			with = values[i]
		}
		text = strings.Replace(text, "{}", with, 1)
	}
	return text
}

// check masks the sentence alone and in the middle of other text.
func (s spoken) check(t *testing.T) {
	t.Helper()
	got, n := MaskCount(s.plain())
	if got != s.masked() || n != strings.Count(s.text, "{}") {
		t.Errorf("MaskCount(%q)\n got %q, %d\nwant %q", s.plain(), got, n, s.masked())
	}
	around := "早上好。\n" + s.plain() + "\nSee you at nine."
	if got := Mask(around); got != "早上好。\n"+s.masked()+"\nSee you at nine." {
		t.Errorf("Mask(%q) = %q", around, got)
	}
	if again := Mask(got); again != got {
		t.Errorf("masking %q again gives %q", got, again)
	}
}

// untouched checks that a text is returned as it is.
func untouched(t *testing.T, text string) {
	t.Helper()
	if got, n := MaskCount(text); got != text || n != 0 {
		t.Errorf("MaskCount(%q) = %q, %d; want it unchanged", text, got, n)
	}
}

// firstLayer masks once, by the rules of this package alone.
func firstLayer(text string) string {
	m := masker{text: text}
	m.run()
	return m.result()
}
