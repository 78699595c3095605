package kept

import (
	"bufio"
	"encoding/json"
	"os"
	"testing"
)

// pair is two statements of one person, the earlier one first.
type pair struct {
	A, B string
	Is   string // same, near, successor, other
	Lang string
	// Set is dev: the words were chosen with them in sight; held: written along
	// with those, and not looked at; fresh: written when the words were chosen,
	// of other subjects, looked at once.
	Set string
}

func readPairs(t testing.TB) (all []pair) {
	t.Helper()
	f, err := os.Open("testdata/pairs.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	s := bufio.NewScanner(f)
	for s.Scan() {
		var p pair
		if err := json.Unmarshal(s.Bytes(), &p); err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
	if s.Err() != nil {
		t.Fatal(s.Err())
	}
	return all
}

// verdict says what the second of two statements is to the first.
func verdict(a, b string) string {
	x, y := read(a), read(b)
	switch {
	case Normal(a) == Normal(b):
		return "same"
	case same(y, x):
		return "near"
	case follows(y, x):
		return "successor"
	}
	return "other"
}

// score counts verdicts of one class.
type score struct{ said, labelled, right int }

func (s score) precision() float64 { return float64(s.right) / float64(max(s.said, 1)) }
func (s score) recall() float64    { return float64(s.right) / float64(max(s.labelled, 1)) }

// TestPairs holds the comparison to how often it is right: a wrong successor
// hides a statement, a missed one is seen by the person.
func TestPairs(t *testing.T) {
	scores := map[[2]string]score{}
	note := func(set, class string, said, labelled, right int) {
		for _, s := range []string{set, "all"} {
			key := [2]string{s, class}
			old := scores[key]
			scores[key] = score{old.said + said, old.labelled + labelled, old.right + right}
		}
	}
	for _, p := range readPairs(t) {
		got := verdict(p.A, p.B)
		note(p.Set, got, 1, 0, 0)
		note(p.Set, p.Is, 0, 1, 0)
		if got == p.Is {
			note(p.Set, got, 0, 0, 1)
		} else if p.Set != "held" {
			t.Logf("%s: %q, then %q: got %s, want %s", p.Set, p.A, p.B, got, p.Is)
		}
	}
	for _, set := range []string{"dev", "held", "fresh", "all"} {
		for _, class := range []string{"same", "near", "successor", "other"} {
			s := scores[[2]string{set, class}]
			t.Logf("%-5s %-9s precision %.3f recall %.3f (%d of %d said, %d labelled)", set, class, s.precision(), s.recall(), s.right, s.said, s.labelled)
		}
	}
	for class, least := range map[string]struct{ precision, recall float64 }{"same": {1, 1}, "near": {0.97, 0.9}, "successor": {0.95, 0.85}} {
		if s := scores[[2]string{"all", class}]; s.precision() < least.precision || s.recall() < least.recall {
			t.Errorf("%s: precision %.3f, recall %.3f, want at least %+v", class, s.precision(), s.recall(), least)
		}
	}
}

// TestVerdictsAgree: what says the same does so both ways and replaces nothing;
// every statement says the same as itself.
func TestVerdictsAgree(t *testing.T) {
	var readings []*reading
	var texts []string
	for i, p := range readPairs(t) {
		if i%3 == 0 {
			texts = append(texts, p.A, p.B)
			readings = append(readings, read(p.A), read(p.B))
		}
	}
	for i, a := range readings {
		if len(a.words)+len(a.runs)+len(a.picks) > 0 && !same(a, a) {
			t.Errorf("%q does not say what it says", texts[i])
		}
		for j, b := range readings[:i] {
			ab, ba := same(a, b), same(b, a)
			if ab != ba {
				t.Errorf("%q and %q: %v one way, %v the other", texts[i], texts[j], ab, ba)
			}
			if ab && (follows(a, b) || follows(b, a)) {
				t.Errorf("%q and %q say the same, and one replaces the other", texts[i], texts[j])
			}
		}
	}
}

// TestStrangers: statements of different people about different things hardly
// ever meet.
func TestStrangers(t *testing.T) {
	texts := []string{"我对花生过敏", "周三下午永远留给我儿子踢球，别排会", "客户的电话不许发到群里", "所有合同发出去之前必须先给我看", "配图别用图库", "我们就两个人，我和兼职的美工小陶",
		"布料一直是从溪口镇一家叫恒织坊的拿的，账期45天", "逢年过節送禮別挑葷的", "我家貓叫奶蓋，十四歲了，腎不好", "沒有我本人同意，店裡監視器畫面不可以傳給任何人", "土日は通知しないでください",
		"I do my deliveries by cargo bike so anything over 25kg needs a courier", "tables > paragraphs when you're comparing stuff. every time", "Fridays after 3 I'm off the grid for Shabbat. nothing goes out.",
		"When you draft proposals, lead with the price", "the printer in the studio is a Halden P40 and it jams on anything above 250gsm", "my last name is spelled Kowalczuk-Ray, hyphen, not a space",
		"if a supplier asks, we pay net 30, never upfront", "trademark renewal, due 12 Sept", "daughter starts at the Alder Lane school on monday", "summaries in Polish when they're for my dad"}
	for i, a := range texts {
		for j, b := range texts {
			if got := verdict(a, b); i != j && got != "other" {
				t.Errorf("%q, then %q: got %s", a, b, got)
			}
		}
	}
}
