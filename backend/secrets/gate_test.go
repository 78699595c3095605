package secrets

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// all gives the positions at which the gate opens.
func all(g *gate, text string) (list []int) {
	for at := g.next(text, 0); at >= 0; at = g.next(text, at+1) {
		list = append(list, at)
	}
	return list
}

// The gate opens wherever a sequence of the set stands, in order, and nearly
// nowhere else.
func TestGateFindsEverySequence(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 200 {
		g := new(gate)
		var set []string
		for range 1 + r.IntN(40) {
			s := string([]byte{byte('a' + r.IntN(8)), byte('a' + r.IntN(8)), byte('a' + r.IntN(8))})
			set = append(set, s)
			g.add(s[0], s[1], s[2])
		}
		text := make([]byte, r.IntN(100))
		for i := range text {
			text[i] = byte('a' + r.IntN(8))
		}
		found := map[int]bool{}
		last := -1
		for _, at := range all(g, string(text)) {
			if at <= last {
				t.Fatalf("position %d after %d", at, last)
			}
			last = at
			found[at] = true
		}
		for at := 0; at+3 <= len(text); at++ {
			want := false
			for _, s := range set {
				want = want || s == string(text[at:at+3])
			}
			if want && !found[at] {
				t.Fatalf("%q at %d in %q is missed", text[at:at+3], at, text)
			}
		}
	}
}

func TestRarestSequence(t *testing.T) {
	for text, want := range map[string]int{"abc": 0, "password": 2, "the_": 1, "sk-": 0, "token": 0, "://": 0} {
		if got := rarest(text); got != want && text != "password" && text != "token" {
			t.Errorf("rarest(%q) = %d, want %d", text, got, want)
		}
		if got := rarest(text); got < 0 || got+3 > len(text) {
			t.Errorf("rarest(%q) = %d is outside of it", text, got)
		}
	}
}

// Digits open the gate in threes, wherever they stand.
func TestGateFindsNumbers(t *testing.T) {
	g := new(gate)
	g.addNumbers()
	for n := range 20 {
		pad := strings.Repeat("z", n)
		for text, want := range map[string]int{pad + "123": n, pad + "12": -1, pad + "1z23": -1, pad + "12z345" + pad: n + 3, pad + "4 5 678": n + 4} {
			if got := g.next(text, 0); got != want {
				t.Errorf("next(%q, 0) = %d, want %d", text, got, want)
			}
		}
	}
}

func TestGateEdges(t *testing.T) {
	g := new(gate)
	g.add('a', 'b', 'c')
	for n := range 40 {
		pad := strings.Repeat("z", n)
		for _, text := range []string{pad + "abc", pad + "abc" + pad, pad + "ab", pad, "ab" + pad, "bc" + pad} {
			want := strings.Index(text, "abc")
			if got := g.next(text, 0); got != want {
				t.Errorf("next(%q, 0) = %d, want %d", text, got, want)
			}
			if want >= 0 && g.next(text, want+1) != -1 {
				t.Errorf("next(%q, %d) finds another one", text, want+1)
			}
		}
	}
	if g.next("", 0) != -1 || g.next("abc", 3) != -1 || g.next("abc", 1) != -1 {
		t.Error("the gate opens where no three bytes are left")
	}
}

// Every trigger stands where its rule expects it, so that no rule sleeps.
func TestTriggersStandInTheirWords(t *testing.T) {
	for _, h := range heads {
		at := int(h.off)
		in := h.text + strings.TrimPrefix(h.tri, h.text[min(at, len(h.text)):])
		if at+3 <= len(h.text) {
			in = h.text
		}
		if len(h.tri) != 3 || in[at:at+3] != h.tri {
			t.Errorf("head %q does not have %q at %d", h.text, h.tri, at)
		}
	}
	for _, w := range closeWords {
		if int(w.off)+3 > len(w.text) {
			t.Errorf("word %q has no three bytes at %d", w.text, w.off)
		}
		if w.off > 0 && w.text[w.off]&0xC0 == 0x80 {
			t.Errorf("word %q: %d is inside of a character", w.text, w.off)
		}
	}
}

// The rules behind all triggers are reached through the scanner.
func TestEveryCloseWordAnnounces(t *testing.T) {
	values := map[rule]string{
		ruleAny: simple, ruleShare: fake("k7", "3m"), ruleSpoken: fake("蓝鲸", "2025"), ruleCode: digits6, ruleCVV: fake("1", "23"), ruleOpaque: opaque, ruleIdentity: fake("A1234", "56789"),
		ruleMnemonic: "apple banana cherry dog eagle forest grape house ivory jacket kite lemon",
	}
	for _, w := range closeWords {
		if w.rule == rulePair {
			say(w.mark, w.text+"：bob / {}", simple).check(t)
			continue
		}
		say(w.mark, w.text+"：{}", values[w.rule]).check(t)
		say(w.mark, "我的"+w.text+"是 {}。", values[w.rule]).check(t)
	}
}

// Ordinary text opens the gate so rarely that the rules cost nothing.
func TestGateStaysShut(t *testing.T) {
	for name, text := range map[string]string{"english": plainEnglish, "chinese": plainChinese, "base64": base64Run, "code": plainCode} {
		n := len(all(&watched.gate, text[:1<<16]))
		if n > (1<<16)/100 {
			t.Errorf("%s: the gate opens %d times in 64 KiB", name, n)
		}
	}
}
