package secrets

import (
	"math/rand/v2"
	"strings"
	"testing"
)

func TestMaskedSaysWhatItReplaced(t *testing.T) {
	text := "我的wifi密码是" + simple + "，记一下。the pin is " + digits4 + "."
	masked, edits := Masked(text)
	if want := "我的wifi密码是[masked: password]，记一下。the pin is [masked: password]."; masked != want {
		t.Fatalf("Masked(%q) = %q, want %q", text, masked, want)
	}
	if len(edits) != 2 || text[edits[0].From:edits[0].To] != simple || text[edits[1].From:edits[1].To] != digits4 {
		t.Fatalf("the edits are %v", edits)
	}
	for _, part := range []string{"我的", "，记一下", "the pin", "."} {
		at := strings.Index(masked, part)
		if got, want := edits.Original(at), strings.Index(text, part); got != want {
			t.Errorf("%q at %d of the masked text is at %d of the text, want %d", part, at, got, want)
		}
		if got := edits.Masked(strings.Index(text, part)); got != at {
			t.Errorf("%q of the text is at %d of the masked text, want %d", part, got, at)
		}
	}
	first := edits[0]
	if got := edits.Original(first.At + 3); got != first.From {
		t.Errorf("the middle of a mark is at %d, want %d", got, first.From)
	}
	if got := edits.Masked(first.To - 1); got != first.At {
		t.Errorf("the middle of a credential is at %d, want %d", got, first.At)
	}
	for _, c := range []struct {
		from, to int
		want     bool
	}{{0, first.At, false}, {0, first.At + 1, true}, {first.End - 1, first.End, true}, {first.End, first.End + 3, false}, {first.At + 2, first.At + 4, true}} {
		if got := edits.Marked(c.from, c.to); got != c.want {
			t.Errorf("Marked(%d, %d) = %v, want %v", c.from, c.to, got, c.want)
		}
	}
}

// Two rounds in one: the second replaces a mark of the first one with what
// stands around it.
func TestEditsThen(t *testing.T) {
	// "aaaXXbbbYYccc" becomes "aaa[1]bbb[2]ccc", and that "aa[3]b[2]ccc".
	first := Edits{{3, 5, 3, 6}, {8, 10, 9, 12}}
	second := Edits{{2, 8, 2, 5}}
	want := Edits{{2, 7, 2, 5}, {8, 10, 6, 9}}
	got := first.then(second)
	if len(got) != 2 || got[0] != want[0] || got[1] != want[1] {
		t.Errorf("got %v, want %v", got, want)
	}
	if got := first.then(nil); len(got) != 2 || got[1] != first[1] {
		t.Errorf("an empty round makes %v of %v", got, first)
	}
	if got := Edits(nil).then(second); len(got) != 1 || got[0] != second[0] {
		t.Errorf("a first round is %v, want %v", got, second)
	}
}

// checkEdits checks what holds for the edits of every text.
func checkEdits(t *testing.T, text string) {
	t.Helper()
	masked, edits := Masked(text)
	if want := Mask(text); masked != want {
		t.Fatalf("Masked gives %q, Mask %q", masked, want)
	}
	var rebuilt strings.Builder
	done, at := 0, 0
	for _, e := range edits {
		switch {
		case e.From < done || e.To <= e.From || e.To > len(text) || e.At < at || e.End > len(masked):
			t.Fatalf("%v of %v is out of order in %q", e, edits, text)
		case markAt(masked, e.At) != e.End:
			t.Fatalf("masked[%d:%d] of %q is no mark", e.At, e.End, masked)
		case text[done:e.From] != masked[at:e.At]:
			t.Fatalf("%q before %v became %q", text[done:e.From], e, masked[at:e.At])
		}
		rebuilt.WriteString(text[done:e.From] + masked[e.At:e.End])
		done, at = e.To, e.End
	}
	if rebuilt.WriteString(text[done:]); rebuilt.String() != masked {
		t.Fatalf("the edits %v of %q make %q, want %q", edits, text, rebuilt.String(), masked)
	}
	checkPlaces(t, text, masked, edits)
}

// checkPlaces checks that the places outside of the marks are mapped both ways.
func checkPlaces(t *testing.T, text, masked string, edits Edits) {
	t.Helper()
	for at := range len(masked) {
		back := edits.Original(at)
		switch {
		case edits.Marked(at, at+1):
			if e := edits.Original(edits.Masked(back)); e != back {
				t.Fatalf("%d of %q in a mark is at %d and that at %d", at, masked, back, e)
			}
		case text[back] != masked[at] || edits.Masked(back) != at:
			t.Fatalf("%d of %q is at %d of %q, and that at %d", at, masked, back, text, edits.Masked(back))
		}
	}
	if edits.Original(len(masked)) != len(text) || edits.Masked(len(text)) != len(masked) {
		t.Fatalf("the ends of %q and %q are not mapped: %v", text, masked, edits)
	}
}

func TestEditsOnRandomTexts(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 22))
	for range 5000 {
		checkEdits(t, randomText(r))
	}
	for _, name := range []string{"said.txt", "untouched.txt"} {
		checkEdits(t, strings.Join(linesOf(t, name), "\n"))
	}
}

func TestMaskedDoesNotAllocate(t *testing.T) {
	for _, text := range []string{"", "the password is wrong", plainEnglish[:4096], "see 9fceb02d0ae598e95dc970b74767f19372d61af8"} {
		if n := testing.AllocsPerRun(20, func() { Masked(text) }); n != 0 {
			t.Errorf("Masked of %.40q allocates %v times", text, n)
		}
	}
	if _, edits := Masked("nothing"); edits != nil {
		t.Errorf("the edits of nothing are %v", edits)
	}
}
