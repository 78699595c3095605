package secrets

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/viper"
	"github.com/zricethezav/gitleaks/v8/config"
)

// leakRules are the rules of gitleaks by the words that they need.
type leakRules struct {
	byWord map[string][]asking
	allow  []*config.Allowlist
}

// leakRule is one of them.
type leakRule struct {
	config.Rule
	order int // among the rules, which decides between equals
	mark  mark
	whole bool // its groups are pieces of the credential
}

// asking is a rule that asks for a word.
type asking struct {
	*leakRule
	signed bool // a sign must follow the word: see signFollows
}

// leak is what a rule found.
type leak struct {
	from, to, order int
	mark            mark
}

// loadedLeaks compiles the rules when they are first asked for, which takes
// some tens of milliseconds. They are nil if that fails.
var loadedLeaks = sync.OnceValue(func() *leakRules {
	rules, err := loadLeaks()
	if err != nil {
		return nil // a test sees to it; the first layer does without
	}
	return rules
})

// loadLeaks reads the rules that gitleaks brings along, into a viper of its
// own. It opens no file.
func loadLeaks() (rules *leakRules, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("compile the rules of gitleaks: %v", r)
		}
	}()
	v := viper.New()
	v.SetConfigType("toml")
	if err := v.ReadConfig(strings.NewReader(config.DefaultConfig)); err != nil {
		return nil, fmt.Errorf("read the rules of gitleaks: %w", err)
	}
	var source config.ViperConfig
	if err := v.Unmarshal(&source); err != nil {
		return nil, fmt.Errorf("decode the rules of gitleaks: %w", err)
	}
	for i := len(source.Rules) - 1; i >= 0; i-- {
		if r := source.Rules[i]; r.Regex == "" || !leakWanted(r.ID) {
			source.Rules = slices.Delete(source.Rules, i, i+1)
		}
	}
	c, err := source.Translate()
	if err != nil {
		return nil, fmt.Errorf("compile the rules of gitleaks: %w", err)
	}
	return byWords(c), nil
}

func byWords(c config.Config) *leakRules {
	rules := &leakRules{byWord: make(map[string][]asking), allow: c.Allowlists}
	for order, r := range c.GetOrderedRules() {
		l := &leakRule{Rule: r, order: order, mark: leakMark(r.RuleID)}
		l.whole = slices.Contains(leakWhole, r.RuleID)
		for _, word := range leakNeeds(r.RuleID, r.Keywords) {
			rules.byWord[word] = append(rules.byWord[word], asking{l, signed(r, word)})
		}
	}
	return rules
}

// signed says that a rule is of the kind "vendor, sign, value" and that the
// word is the vendor's.
func signed(r config.Rule, word string) bool {
	vendor, _, ok := strings.Cut(strings.ToLower(r.Regex.String()), `(?:[ \t\w.-]{0,20})`)
	return ok && strings.Contains(vendor, word)
}

// leakMark gives the mark for what a rule finds.
func leakMark(id string) mark {
	for _, kind := range []struct {
		part string
		mark mark
	}{
		{"private-key", markPrivateKey}, {"age-secret-key", markPrivateKey}, {"password", markPassword}, {"auth-user", markPassword}, {"url", markToken},
		{"token", markToken}, {"webhook", markToken}, {"cookie", markToken}, {"jwt", markToken}, {"header", markToken}, {"-pat", markToken}, {"kubernetes", markToken},
	} {
		if strings.Contains(id, kind.part) {
			return kind.mark
		}
	}
	return markAPIKey
}

// leaksOf gives what the rules find in a text, in its order, none touching
// another. It loads the rules if they are needed for the first time.
func leaksOf(text string) (found []leak) {
	defer func() {
		if recover() != nil {
			found = nil // what the first layer found stands
		}
	}()
	rules := loadedLeaks()
	if rules == nil {
		return nil
	}
	done := make(map[*leakRule]int) // up to where a rule has looked
	for from := 0; ; {
		at, words := leakWordAt(text, from)
		if at < 0 {
			return united(found)
		}
		for _, word := range words {
			for _, r := range rules.byWord[word] {
				low, high := r.view(text, at, at+len(word))
				if low == high || at < done[r.leakRule] {
					continue
				}
				found = append(found, r.find(text[:high], low, rules.allow)...)
				if done[r.leakRule] = high; high < len(text) {
					done[r.leakRule] = max(at, high-longestMatch) + 1 // the next one may go on behind
				}
			}
		}
		from = at + 1
	}
}

// longestMatch bounds a vendor's word, sign and value.
const longestMatch = 256

// view gives the part of a text that a rule must see for its word at
// text[at:to]: all of it, or the word and what follows it. It is empty where the
// rule cannot match.
func (a asking) view(text string, at, to int) (low, high int) {
	const longest = 2 * longestMatch
	switch {
	case !a.signed:
		return 0, len(text)
	case !signFollows(text, to):
		return 0, 0
	case len(text)-at <= longest:
		return at, len(text)
	}
	if n := strings.LastIndexAny(text[to:at+longest], " \n"); n > 0 {
		return at, to + n
	}
	return at, at + longest
}

// signFollows says that after a word, and the rest of a name, stand a sign and
// something as long as a token, without which a rule of the kind "vendor, sign,
// value" matches nothing.
func signFollows(text string, at int) bool {
	const (
		longest = 40 // what may be between the word and the sign
		signs   = "=>|:?,"
		between = " \t\r\n\v\f'\"`" + signs // and before the value
	)
	for end := min(len(text), at+longest); at < end; at++ {
		if strings.IndexByte(signs, text[at]) >= 0 {
			break
		}
		if !is(text[at], isWord|isDot|isDash) && strings.IndexByte(between, text[at]) < 0 {
			return false
		}
	}
	if at == len(text) || strings.IndexByte(signs, text[at]) < 0 {
		return false
	}
	for at < len(text) && strings.IndexByte(between, text[at]) >= 0 {
		at++
	}
	value := at
	for at < len(text) && at < value+shortestRun && strings.IndexByte(between, text[at]) < 0 || byteAt(text, at) == ':' {
		at++
	}
	return at >= value+shortestRun
}

// united sorts what was found and makes one of what overlaps.
func united(found []leak) []leak {
	slices.SortFunc(found, func(a, b leak) int {
		return cmp.Or(a.from-b.from, b.to-a.to, a.order-b.order)
	})
	kept := found[:0]
	for _, l := range found {
		if n := len(kept); n > 0 && l.from < kept[n-1].to {
			kept[n-1].to = max(kept[n-1].to, l.to)
			continue
		}
		kept = append(kept, l)
	}
	return kept
}

// find gives what the rule finds in text[low:], less what the lists allow. Of a
// match the credential is the group that the rule names, or the first one with
// anything in it, or all.
func (r *leakRule) find(text string, low int, allow []*config.Allowlist) (found []leak) {
	text, start := text[low:], low
	for _, at := range r.Regex.FindAllStringSubmatchIndex(text, -1) {
		from, to := at[0], at[1]
		for n := 1; 2*n < len(at) && !r.whole; n++ {
			if (n == r.SecretGroup || r.SecretGroup == 0) && at[2*n+1] > at[2*n] {
				from, to = at[2*n], at[2*n+1]
				break
			}
		}
		secret := text[from:to]
		if from == to || r.Entropy > 0 && entropy(secret) <= r.Entropy || allowed(r.Allowlists, text, at, secret) || allowed(allow, text, at, secret) {
			continue
		}
		found = append(found, leak{start + from, start + to, r.order, r.mark})
	}
	return found
}

// allowed says that a list names what was found as harmless.
func allowed(lists []*config.Allowlist, text string, at []int, secret string) bool {
	for _, a := range lists {
		target := secret
		switch a.RegexTarget {
		case "match":
			target = text[at[0]:at[1]]
		case "line":
			end := at[1] + len(text[at[1]:])
			if n := strings.IndexByte(text[at[1]:], '\n'); n >= 0 {
				end = at[1] + n
			}
			target = text[strings.LastIndexByte(text[:at[0]], '\n')+1 : end]
		}
		if stop, _ := a.ContainsStopWord(secret); stop || a.RegexAllowed(target) {
			return true
		}
	}
	return false
}

// entropy is Shannon's, in bits a character.
func entropy(text string) (bits float64) {
	counts := make(map[rune]int)
	for _, c := range text {
		counts[c]++
	}
	for _, n := range counts {
		p := float64(n) / float64(len(text))
		bits -= p * math.Log2(p)
	}
	return bits
}
