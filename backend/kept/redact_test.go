package kept

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"tidemark/backend/memory"
)

var secret = []byte("0123456789abcdef0123456789abcdef")

// redactor forgets texts at a moment.
func redactor(at memory.Millis, texts ...string) *Redactor {
	var all []Forgotten
	for _, f := range Tombstone(secret, texts...) {
		all = append(all, Forgotten{f, at})
	}
	return NewRedactor(secret, all)
}

func TestRedact(t *testing.T) {
	r := redactor(0, "Never call Quillonetta again", "別半夜給我推消息", "Ann", "猫", "limit 40", "café", "a\nb c d")
	for text, want := range map[string]string{
		"":                              "",
		"nothing of it":                 "nothing of it",
		"Never call Quillonetta again.": "[forgotten].",
		"He said: “never CALL quillonetta,  again!” Okay": "He said: “[forgotten]!” Okay",
		"never call\nQuillonetta again":                   "[forgotten]",
		"never call Quillonetta against":                  "never call Quillonetta against",
		"xnever call Quillonetta again":                   "xnever call Quillonetta again",
		"请别半夜给我推消息了":                                      "请[forgotten]了",
		"別半夜，給我推消息；別半夜給我推消息":                              "[forgotten]；[forgotten]",
		"Ann":                         "[forgotten]",
		"Ann likes tea":               "Ann likes tea",
		"likes:\n- Ann\n- tea":        "likes:\n- [forgotten]\n- tea",
		"a\n> Ann!\nb":                "a\n> [forgotten]!\nb",
		"猫":                           "[forgotten]",
		"猫和狗":                         "猫和狗",
		"the limit 40 holds":          "the [forgotten] holds",
		"the limit 40.5 holds":        "the limit 40.5 holds",
		"the limit 400 holds":         "the limit 400 holds",
		"a cafe\u0301 in Porto":       "a [forgotten] in Porto",
		"a b c d":                     "[forgotten]",
		"[forgotten]":                 "[forgotten]",
		"never call [forgotten]":      "never call [forgotten]",
		"bad \xff Ann \xff\nlimit 40": "bad \xff Ann \xff\n[forgotten]",
	} {
		got, changed := r.Redact(text)
		if got != want || changed != (got != text) {
			t.Errorf("%q: got %q (%v), want %q", text, got, changed, want)
		}
		if again, more := r.Redact(got); more || again != got {
			t.Errorf("%q: done twice it is %q", text, again)
		}
	}
}

// TestRedactItsMark: the words of the mark itself may have been forgotten.
func TestRedactItsMark(t *testing.T) {
	r := redactor(0, "forgotten", "call forgotten things")
	for text, want := range map[string]string{"[forgotten]": "[forgotten]", "forgotten": "[forgotten]", "call [forgotten] things": "call [forgotten] things", "call forgotten things": "[forgotten]"} {
		if got, _ := r.Redact(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

// TestRedactOverlapping: what overlaps goes as a whole.
func TestRedactOverlapping(t *testing.T) {
	r := redactor(0, "one two three", "three four five", "two three")
	if got, want := first(r.Redact("zero one two three four five six")), "zero [forgotten] six"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func first(text string, _ bool) string { return text }

// TestRedactAt: what is said after the forgetting is the person's to say.
func TestRedactAt(t *testing.T) {
	r := redactor(1000, "never call Ann")
	for at, want := range map[memory.Millis]string{0: "[forgotten]", 999: "[forgotten]", 1000: "[forgotten]", 1001: "never call Ann"} {
		if got, _ := r.RedactAt("never call Ann", at); got != want {
			t.Errorf("at %d: got %q, want %q", at, got, want)
		}
	}
}

func TestRedactNothing(t *testing.T) {
	for _, r := range []*Redactor{nil, NewRedactor(secret, nil), NewRedactor(secret, []Forgotten{{ForgottenText: memory.ForgottenText{Runes: -1}}})} {
		if got, changed := r.Redact("never call Ann"); got != "never call Ann" || changed {
			t.Errorf("got %q %v", got, changed)
		}
	}
	text := strings.Repeat("never call Ann ", 100)
	if n := testing.AllocsPerRun(10, func() { NewRedactor(secret, nil) }); n > 30 {
		t.Errorf("%v allocations", n)
	}
	var none *Redactor
	if n := testing.AllocsPerRun(10, func() { none.Redact(text) }); n != 0 {
		t.Errorf("%v allocations where nothing was forgotten", n)
	}
}

// TestTombstone: it holds no words, is the same for the same words, and says
// nothing without the key.
func TestTombstone(t *testing.T) {
	a := Tombstone(secret, "Never call Ann!", "never CALL ann", "...", "別推")
	if len(a) != 2 || a[0].Runes != 14 || a[1].Runes != 2 {
		t.Fatalf("%+v", a)
	}
	if b := Tombstone(secret, "never call ann", "别推"); !slices.Equal(a, b) {
		t.Errorf("got %+v, want %+v", b, a)
	}
	other := Tombstone([]byte("another key, another key, another"), "never call ann", "别推")
	for i := range a {
		if other[i].Sum == a[i].Sum || other[i].Print == a[i].Print {
			t.Errorf("another key gives the same: %+v", other[i])
		}
		if strings.Contains(fmt.Sprintf("%+v", a[i]), "Ann") || len(a[i].Sum) != sumLength {
			t.Errorf("%+v", a[i])
		}
	}
	r := NewRedactor([]byte("another key, another key, another"), []Forgotten{{ForgottenText: a[0]}})
	if got, changed := r.Redact("never call ann"); changed {
		t.Errorf("with another key: %q", got)
	}
}

// TestFalsePrint: a fingerprint alone never decides.
func TestFalsePrint(t *testing.T) {
	f := Tombstone(secret, "never call ann")[0]
	p := newPrints(secret)
	bad := f
	bad.Sum = strings.Repeat("0", sumLength)
	bad.Print = p.roll([]rune("never call ann")) ^ p.pad(bad.Sum)
	if got, changed := NewRedactor(secret, []Forgotten{{ForgottenText: bad}}).Redact("never call ann"); changed {
		t.Errorf("got %q", got)
	}
}

// TestRollingIsRight compares with what the definition says, place by place.
func TestRollingIsRight(t *testing.T) {
	p := newPrints(secret)
	text := []rune(Normal(strings.Repeat("never call Ann, 別推消息 7:30 ", 5)))
	sums := make([]uint64, len(text)+1)
	for i, c := range text {
		sums[i+1] = addMod(mulMod(sums[i], p.base), uint64(uint32(c)+1))
	}
	power := uint64(1)
	for n := 1; n < 20; n++ {
		power = mulMod(power, p.base)
		for from := 0; from+n <= len(text); from++ {
			got := (sums[from+n] + prime - mulMod(sums[from], power)) % prime
			if want := p.roll(text[from : from+n]); got != want {
				t.Fatalf("%q: got %d, want %d", string(text[from:from+n]), got, want)
			}
		}
	}
}

func FuzzRedact(f *testing.F) {
	for _, c := range [][2]string{{"never call Ann", "never call Ann"}, {"5 apples", "cats-5 apples"}, {"猫", "> 猫"}, {"forgotten", "[[forgotten]]"}, {"a b", "a\nb"}, {"1,000 a", "1,000 a1,000 a"}, {"がa", "か\u3099a"}, {"[forgotten]x", "x[forgotten]x"}} {
		f.Add(c[0], c[1])
	}
	f.Fuzz(func(t *testing.T, words, text string) {
		r := redactor(0, words)
		got, changed := r.Redact(text)
		if changed == (got == text) && !strings.Contains(text, forgottenMark) {
			t.Errorf("changed: %v", changed)
		}
		if again, more := r.Redact(got); more || again != got {
			t.Errorf("once %q, twice %q", got, again)
		}
		if utf8.ValidString(text) && !utf8.ValidString(got) {
			t.Errorf("%q is no longer UTF-8: %q", text, got)
		}
		if whole, _ := r.Redact(words); Normal(words) != "" && Normal(whole) != Normal(forgottenMark) && !strings.Contains(words, forgottenMark) {
			t.Errorf("the words themselves become %q", whole)
		}
		if quiet, touched := r.Redact("zzz " + strings.Repeat("q", 40)); touched && !strings.Contains(Normal(words), "q") {
			t.Errorf("something else is taken: %q", quiet)
		}
	})
}

func BenchmarkRedact(b *testing.B) {
	for _, count := range []int{0, 1, 100} {
		b.Run(fmt.Sprint(count), func(b *testing.B) {
			var texts []string
			for i := range count {
				texts = append(texts, strings.Repeat("word ", 2+i%30)+fmt.Sprintf("%c%c%c", 'a'+i%26, 'b'+i%7, 'c'+i%11))
			}
			r := redactor(0, texts...)
			text := strings.Repeat("别半夜给我推消息，以后报表都用白底。 Never push anything to me. ", 22)
			text = string([]rune(text)[:1000])
			for b.Loop() {
				r.Redact(text)
			}
		})
	}
}
