package demo

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"
)

// TestEveryTemplateCanBeFilled fills each template of each scene: no gap may
// stay, and what is asked of a tool must be JSON.
func TestEveryTemplateCanBeFilled(t *testing.T) {
	lines := 0
	for lang, p := range loadPhrases() {
		rng := rngOf(3, lang)
		for role, scenes := range p.scenes {
			for _, s := range scenes {
				f := &filler{phrases: p, rng: rng, bound: map[string]string{}}
				full(t, f, s.topic)
				if len(s.turns) == 0 {
					t.Errorf("%s/%s: %q has no turn", lang, role, s.topic)
				}
				for _, one := range s.turns {
					lines += 2
					full(t, f, one.user)
					full(t, f, one.answer)
					if one.tool != "" {
						if args := f.fill(one.args); !json.Valid([]byte(args)) {
							t.Errorf("%s: %s is asked with %s", s.topic, one.tool, args)
						}
					}
				}
			}
		}
		for kind, rows := range p.rows {
			if len(rows) < 4 {
				t.Errorf("%s: %d rows of %s", lang, len(rows), kind)
			}
			for _, row := range rows {
				full(t, (&filler{phrases: p, rng: rng}).fresh(), row)
			}
		}
		for _, line := range gossip[lang] {
			full(t, (&filler{phrases: p, rng: rng}).fresh(), line)
		}
	}
	if lines < 300 {
		t.Errorf("there are %d templates", lines)
	}
}

func full(t *testing.T, f *filler, template string) {
	t.Helper()
	got := f.fill(template)
	if got == "" || strings.ContainsAny(got, "{}") || !utf8.ValidString(got) {
		t.Errorf("%q becomes %q", template, got)
	}
}

// TestGapsOfASceneAgree makes sure that a scene talks about one thing, and
// that numbered gaps are other things.
func TestGapsOfASceneAgree(t *testing.T) {
	p := loadPhrases()["en"]
	for seed := range uint64(50) {
		f := &filler{phrases: p, rng: rngOf(seed, "x"), bound: map[string]string{}}
		if a, b := f.fill("{customer} {glaze}"), f.fill("{customer} {glaze}"); a != b {
			t.Fatalf("%q, then %q", a, b)
		}
		if f.fill("{glaze}") == f.fill("{glaze2}") {
			t.Fatal("two gaps, one word")
		}
		if got := f.fill("{a|b}"); got != "a" && got != "b" {
			t.Fatalf("a choice gives %q", got)
		}
	}
}

// TestNoSceneTwiceInARow plays many scenes.
func TestNoSceneTwiceInARow(t *testing.T) {
	truth := newTruth()
	v := newVoice(loadPhrases())
	th := &thread{truth: &truth, rng: rngOf(1, "x"), who: &cast[3], where: cast[3].keys[0], era: eraDatabase, model: sonnet}
	last := ""
	for range 200 {
		s := v.next(th, "zh")
		if s.topic == last {
			t.Fatalf("%q twice in a row", s.topic)
		}
		last = s.topic
	}
}
