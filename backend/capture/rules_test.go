package capture

import (
	"testing"
	"testing/fstest"
	"time"

	"tidemark/backend/memory"
)

// noon is a Tuesday.
var noon = time.Date(2026, 3, 10, 12, 0, 0, 0, time.FixedZone("UTC+8", 8*3600))

func TestEveryRuleHasExamples(t *testing.T) {
	names := map[string]bool{}
	for _, r := range Rules() {
		if len(r.Fires) == 0 || len(r.Not) == 0 {
			t.Errorf("rule %s has %d examples that fire and %d that must not, want both", r.Name, len(r.Fires), len(r.Not))
		}
		if names[r.Name] {
			t.Errorf("rule %s is there twice", r.Name)
		}
		names[r.Name] = true
	}
}

// Each rule is tested alone with the guards: which of several rules has a clause
// is another question.
func TestRules(t *testing.T) {
	for _, r := range Rules() {
		f := alone(r.Name)
		for _, text := range r.Fires {
			t.Run(r.Name+"/fires/"+text, func(t *testing.T) {
				if got := f.read(text); len(got) == 0 {
					t.Errorf("%s finds nothing in %q", r.Name, text)
				}
				if len(Find(text, noon)) == 0 {
					t.Errorf("Find(%q) gives nothing, want something", text)
				}
			})
		}
		for _, text := range r.Not {
			t.Run(r.Name+"/not/"+text, func(t *testing.T) {
				if got := f.read(text); len(got) > 0 {
					t.Errorf("%s finds %v in %q, want nothing", r.Name, got, text)
				}
			})
		}
	}
}

// alone gives a finder that knows one rule, and the guards.
func alone(name string) *finder {
	set := *loaded()
	set.patterns = nil
	for _, p := range loaded().patterns {
		if r := &set.rules[p.owner]; r.scope != scopeNone || r.name == name {
			set.patterns = append(set.patterns, p)
		}
	}
	set.index()
	return &finder{matcher: newMatcher(&set)}
}

func (f *finder) read(text string) []memory.Item {
	f.load(text, 0)
	f.clean()
	return f.find(noon)
}

func TestGuards(t *testing.T) {
	for _, g := range loaded().rules {
		if g.scope == scopeNone {
			continue
		}
		if len(g.fires) == 0 {
			t.Errorf("guard %s has no example", g.name)
		}
		for _, text := range g.fires {
			t.Run(g.name+"/stops/"+text, func(t *testing.T) {
				if got := Find(text, noon); len(got) > 0 {
					t.Errorf("Find(%q) = %v, want nothing", text, got)
				}
			})
		}
		for _, text := range g.not {
			t.Run(g.name+"/lets/"+text, func(t *testing.T) {
				if len(Find(text, noon)) == 0 {
					t.Errorf("Find(%q) gives nothing, want something", text)
				}
			})
		}
	}
}

func TestPatternsFitTheMatcher(t *testing.T) {
	for _, p := range loaded().patterns {
		if len(p.elements) > mostElements {
			t.Errorf("a pattern of %s has %d elements, want at most %d", loaded().rules[p.owner].name, len(p.elements), mostElements)
		}
	}
}

func TestFilesWithMistakes(t *testing.T) {
	for _, c := range []struct{ words, rules, want string }{
		{"[a] b", "rule r W\nmatch @c", `read rules: en.txt:2: pattern of r: no class "c"`},
		{"[a] b", "rule r X", `read rules: en.txt:1: rule r: "X" is not known`},
		{"[a] b", "rule r W\n\nmatch ~~", "read rules: en.txt:3: pattern of r: no word that must stand in it"},
		{"[a] b", "rule r W weight=x", `read rules: en.txt:1: rule r: weight: strconv.Atoi: parsing "x": invalid syntax`},
		{"[a] b", "match a", `read rules: en.txt:1: "match" before the first rule`},
		{"[a] b", "rule r W\nfoo a", `read rules: en.txt:2: "foo" says nothing`},
		{"b", "", "read words: en.txt:1: a word before the first class"},
		{"\n[b", "", "read words: en.txt:2: a class without ]"},
	} {
		_, err := load(fstest.MapFS{"words/en.txt": {Data: []byte(c.words)}, "rules/en.txt": {Data: []byte(c.rules)}})
		if err == nil || err.Error() != c.want {
			t.Errorf("load(%q, %q) = %v, want %q", c.words, c.rules, err, c.want)
		}
	}
}
