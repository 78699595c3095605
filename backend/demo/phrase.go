package demo

import (
	"embed"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
)

//go:embed data/*.txt
var texts embed.FS

// turn is one exchange of a scene: what a person says, which tool the agent
// asks first, and what it answers. All are templates.
type turn struct {
	user, kind string // kind of a statement, "" for none
	forgotten  bool   // the next summary of a scripted night leaves it out
	image      bool
	tool, args string
	answer     string
}

// scene is a short talk about one thing.
type scene struct {
	topic string
	turns []turn
}

// states says that somebody states something in it: it is not said again.
func (s *scene) states() bool {
	return slices.ContainsFunc(s.turns, func(t turn) bool { return t.kind != "" })
}

// calls is how often the model is called in it, unless something fails.
func (s *scene) calls() (n int64) {
	for _, t := range s.turns {
		n++
		if t.tool != "" {
			n++
		}
	}
	return n
}

// phrases are the texts of one language.
type phrases struct {
	words  map[string][]string // slot → what may stand there
	scenes map[string][]scene  // role → scenes
	rows   map[string][]string // kind of a tool's output → lines
}

// roles are the agents that have scenes of their own, and the last night of
// the mail agent.
var roles = []string{"main", "mail", "books", "shop", "night"}

// languages are those that are spoken, by the ending of their files.
var languages = []string{"zh", "en"}

// loadPhrases reads the texts that are part of the program: a mistake in them
// is one of the program.
func loadPhrases() map[string]*phrases {
	all := map[string]*phrases{}
	for _, lang := range languages {
		p := &phrases{words: map[string][]string{}, scenes: map[string][]scene{}}
		for _, line := range dataLines("words", lang) {
			slot, words, _ := strings.Cut(line, ": ")
			p.words[slot] = strings.Split(words, "|")
		}
		for _, role := range roles {
			p.scenes[role] = parseScenes(dataLines(role, lang))
		}
		p.rows = parseRows(dataLines("rows", lang))
		all[lang] = p
	}
	return all
}

func dataLines(name, lang string) []string {
	body, err := texts.ReadFile(fmt.Sprintf("data/%s.%s.txt", name, lang))
	if err != nil {
		panic(err)
	}
	return strings.Split(strings.TrimSpace(string(body)), "\n")
}

// kinds of statements as the files mark them.
var kindMarks = map[string]string{"pref": Preference, "rule": Rule, "fact": Fact}

func parseScenes(lines []string) (all []scene) {
	for _, line := range lines {
		mark, text, _ := strings.Cut(line, " ")
		if mark == "==" {
			all = append(all, scene{topic: text})
			continue
		}
		s := &all[len(all)-1]
		if kind, ok := strings.CutPrefix(mark, ">"); ok {
			kind, forgotten := strings.CutSuffix(kind, "!")
			s.turns = append(s.turns, turn{user: text, kind: kindMarks[kind], forgotten: forgotten})
			continue
		}
		t := &s.turns[len(s.turns)-1]
		switch mark {
		case "@":
			t.tool, t.args, _ = strings.Cut(text, " ")
		case "!image":
			t.image = true
		case "<":
			t.answer = text
		default:
			panic("a line of a scene cannot be read: " + line)
		}
	}
	return all
}

func parseRows(lines []string) map[string][]string {
	rows, kind := map[string][]string{}, ""
	for _, line := range lines {
		if name, ok := strings.CutPrefix(line, "== "); ok {
			kind = name
			continue
		}
		rows[kind] = append(rows[kind], line)
	}
	return rows
}

// slot is a gap in a template: {customer}, {item2}, or a choice {a|b}.
var slot = regexp.MustCompile(`\{[^{}"]+\}`)

// filler fills the gaps of one scene: the same gap gets the same word.
type filler struct {
	*phrases
	rng   *rand.Rand
	bound map[string]string
}

func (f *filler) fill(text string) string {
	return slot.ReplaceAllStringFunc(text, func(gap string) string {
		name := gap[1 : len(gap)-1]
		if strings.Contains(name, "|") {
			return pick(f.rng, strings.Split(name, "|"))
		}
		if name == "id" {
			return hexID(f.rng, 6)
		}
		if word, ok := f.bound[name]; ok {
			return word
		}
		words := f.words[strings.TrimRight(name, "23")]
		if len(words) == 0 {
			return gap
		}
		word := pick(f.rng, words)
		for f.bound[strings.TrimRight(name, "23")] == word {
			word = pick(f.rng, words)
		}
		f.bound[name] = word
		return word
	})
}

// fresh gives a filler for other gaps, as the rows of a tool's output have.
func (f *filler) fresh() *filler {
	return &filler{phrases: f.phrases, rng: f.rng, bound: map[string]string{}}
}

func pick[T any](rng *rand.Rand, all []T) T { return all[rng.IntN(len(all))] }

const hexDigits = "0123456789abcdef"

// hexID gives n hex digits.
func hexID(rng *rand.Rand, n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = hexDigits[rng.IntN(16)]
	}
	return string(b)
}

// uuid gives an id in the form that OpenClaw gives sessions.
func uuid(rng *rand.Rand) string {
	h := hexID(rng, 32)
	return h[:8] + "-" + h[8:12] + "-4" + h[13:16] + "-a" + h[17:20] + "-" + h[20:]
}
