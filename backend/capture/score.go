package capture

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"tidemark/backend/memory"
)

// Result says how well statements were found in labelled messages.
type Result struct {
	Recall     float64           `json:"recall"`
	Precision  float64           `json:"precision"`
	ByTag      map[string]Figure `json:"byTag"`
	ByLanguage map[string]Figure `json:"byLanguage"`
	// SecretsLeaked counts items that hold a secret: any is a failure of the
	// run.
	SecretsLeaked int       `json:"secretsLeaked"`
	Missed        []Missed  `json:"missed"`
	False         []Mistake `json:"false"`
}

// Figure is a part of a result. Without anything expected, or found, recall or
// precision are 1.
type Figure struct {
	Recall    float64 `json:"recall"`
	Precision float64 `json:"precision"`
	Expected  int     `json:"expected"`
	Found     int     `json:"found"` // items that count
	hit       int     // of those expected
	wrong     int     // of those found
}

// Missed is an expected statement that was not found.
type Missed struct {
	ID   string `json:"id"`
	Tag  string `json:"tag"`
	Span string `json:"span"`
}

// Mistake is an item where nothing is expected.
type Mistake struct {
	ID   string `json:"id"`
	Tag  string `json:"tag"`
	Text string `json:"text"`
	Rule string `json:"rule"`
}

// covered is how much of an expected span an item must cover.
const covered = 0.6

// Score compares what find gives with what is expected. An expected statement
// is found when an item with a fair tag covers at least 60 % of its characters,
// white space and punctuation aside; one item may find several. An item that
// touches nothing expected is false, unless it has an Until: that counts
// neither way.
func Score(labelled []Labelled, find func(Labelled) []memory.Item) Result {
	r := Result{ByTag: map[string]Figure{}, ByLanguage: map[string]Figure{}, Missed: []Missed{}, False: []Mistake{}}
	var all Figure
	for _, l := range labelled {
		items, spans := find(l), l.spans()
		r.SecretsLeaked += leaks(&l, items)
		for i, e := range l.Expect {
			hit := l.found(i, spans, items)
			count(&all, r.ByTag, r.ByLanguage, e.Tag, l.Lang, Figure{Expected: 1, hit: btoi(hit)})
			if !hit {
				r.Missed = append(r.Missed, Missed{l.ID, e.Tag, e.Span})
			}
		}
		for _, it := range items {
			wrong := !touches(it, spans)
			if wrong && it.Until != 0 {
				continue
			}
			count(&all, r.ByTag, r.ByLanguage, it.Tag.String(), l.Lang, Figure{Found: 1, wrong: btoi(wrong)})
			if wrong {
				r.False = append(r.False, Mistake{l.ID, it.Tag.String(), it.Text, it.Rule})
			}
		}
	}
	all.rate()
	r.Recall, r.Precision = all.Recall, all.Precision
	return r
}

func count(all *Figure, tags, languages map[string]Figure, tag, language string, more Figure) {
	all.add(more)
	t, l := tags[tag], languages[language]
	t.add(more)
	l.add(more)
	t.rate()
	l.rate()
	tags[tag], languages[language] = t, l
}

func (f *Figure) add(more Figure) {
	f.Expected += more.Expected
	f.Found += more.Found
	f.hit += more.hit
	f.wrong += more.wrong
}

func (f *Figure) rate() {
	f.Recall, f.Precision = 1, 1
	if f.Expected > 0 {
		f.Recall = float64(f.hit) / float64(f.Expected)
	}
	if f.Found > 0 {
		f.Precision = 1 - float64(f.wrong)/float64(f.Found)
	}
}

// spans gives where the expected statements stand, in code points. One that
// stands in the text several times is looked for behind the one before it.
func (l *Labelled) spans() []stretch {
	var list []stretch
	behind := 0
	for _, e := range l.Expect {
		at := strings.Index(l.Text[behind:], e.Span)
		if at >= 0 {
			at += behind
			behind = at + len(e.Span)
		} else {
			at = max(strings.Index(l.Text, e.Span), 0)
		}
		from := utf8.RuneCountInString(l.Text[:at])
		list = append(list, stretch{from, from + utf8.RuneCountInString(e.Span)})
	}
	return list
}

func (l *Labelled) found(i int, spans []stretch, items []memory.Item) bool {
	tags := l.accepts(i)
	text := []rune(l.Text)
	for _, it := range items {
		fair := strings.Contains(tags, it.Tag.String())
		for j := range spans {
			fair = fair || l.merges() && (j == i-1 || j == i+1) && touches(it, spans[j:j+1]) && strings.Contains(l.accepts(j), it.Tag.String())
		}
		if fair && share(text, spans[i], it) >= covered {
			return true
		}
	}
	return false
}

// share gives how much of the span's letters and digits the item covers.
func share(text []rune, span stretch, it memory.Item) float64 {
	all, in := 0, 0
	for i := span.from; i < min(span.to, len(text)); i++ {
		if !unicode.IsLetter(text[i]) && !unicode.IsDigit(text[i]) {
			continue
		}
		all++
		in += btoi(i >= it.Start && i < it.End)
	}
	if all == 0 {
		return 0
	}
	return float64(in) / float64(all)
}

func touches(it memory.Item, spans []stretch) bool {
	for _, s := range spans {
		if it.Start < s.to && s.from < it.End {
			return true
		}
	}
	return false
}

func leaks(l *Labelled, items []memory.Item) (n int) {
	for _, it := range items {
		for _, secret := range l.secrets() {
			if strings.Contains(it.Text, secret) {
				n++
				break
			}
		}
	}
	return n
}
