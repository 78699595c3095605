package secrets

import (
	"math/rand/v2"
	"regexp/syntax"
	"slices"
	"strings"
	"testing"
	"unicode"
)

// matching writes a text that a pattern matches. It takes as little as the
// pattern lets it of what comes before a credential and of its length.
func matching(r *rand.Rand, re *syntax.Regexp, b *strings.Builder) {
	times := 1
	switch re.Op {
	case syntax.OpLiteral:
		b.WriteString(string(re.Rune))
	case syntax.OpCharClass:
		b.WriteRune(oneOf(r, re.Rune))
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		b.WriteByte('.')
	case syntax.OpAlternate:
		matching(r, re.Sub[r.IntN(len(re.Sub))], b)
	case syntax.OpRepeat, syntax.OpStar, syntax.OpQuest:
		times = re.Min
		fallthrough
	case syntax.OpPlus, syntax.OpConcat, syntax.OpCapture:
		for range times {
			for _, sub := range re.Sub {
				matching(r, sub, b)
			}
		}
	}
}

// oneOf picks a visible ASCII character of a class, mostly a letter or a digit
// where there are any, a space if there is nothing else.
func oneOf(r *rand.Rand, ranges []rune) rune {
	var all, best []rune
	for c := rune('!'); c <= '~'; c++ {
		for i := 0; i+1 < len(ranges); i += 2 {
			if c >= ranges[i] && c <= ranges[i+1] {
				all = append(all, c)
				if unicode.IsLetter(c) || unicode.IsDigit(c) {
					best = append(best, c)
				}
			}
		}
	}
	switch {
	case len(best) > 0:
		return best[r.IntN(len(best))]
	case len(all) > 0:
		return all[r.IntN(len(all))]
	}
	return ' '
}

// What is written after the pattern of a rule is masked, by one layer or the
// other, and masking it again changes nothing.
func TestLeakRulesFindTheirPatterns(t *testing.T) {
	rules, err := loadLeaks()
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, list := range rules.byWord {
		for _, rule := range list {
			if seen[rule.RuleID] {
				continue
			}
			seen[rule.RuleID] = true
			switch rule.RuleID {
			case "kubernetes-secret-yaml", "nuget-config-password", "curl-auth-header", "facebook-access-token", "airtable-personnal-access-token":
				continue // what they look for takes more than the pattern says: see TestLeaks
			}
			if n := foundOf(t, rule.leakRule); n < 9 {
				t.Errorf("%s: %d of 10 texts are masked", rule.RuleID, n)
			}
		}
	}
	if len(seen) < 150 {
		t.Errorf("%d rules are used", len(seen))
	}
}

// foundOf makes ten texts that a rule must find and counts those that are
// masked.
func foundOf(t *testing.T, rule *leakRule) (n int) {
	t.Helper()
	pattern, err := syntax.Parse(rule.Regex.String(), syntax.Perl)
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, uint64(rule.order)))
	for tries, misses := 0, 0; tries < 10; {
		var b strings.Builder
		matching(r, pattern, &b)
		text := "here: " + b.String() + "\nand so on"
		holds := func(word string) bool { return strings.Contains(strings.ToLower(text), word) }
		if len(rule.find(text, 0, nil)) == 0 || !slices.ContainsFunc(leakNeeds(rule.RuleID, rule.Keywords), holds) {
			if misses++; misses > 500 {
				t.Fatalf("%s finds nothing in what its pattern makes, such as %q", rule.RuleID, text)
			}
			continue // too even, or a form that is left out
		}
		tries++
		got := Mask(text)
		if got != text {
			n++
		} else {
			t.Logf("%s: %q stays", rule.RuleID, text)
		}
		if again := Mask(got); again != got {
			t.Errorf("%s: masking %q again gives %q", rule.RuleID, got, again)
		}
	}
	return n
}
