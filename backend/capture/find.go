package capture

import (
	"strings"
	"sync"
	"time"

	"tidemark/backend/memory"
	"tidemark/backend/transcript"
)

// finder is what one call of Find works with.
type finder struct {
	words
	matcher *matcher
	was     stopping
	items   []memory.Item
}

var finders = sync.Pool{New: func() any { return &finder{matcher: newMatcher(loaded())} }}

// mostKept is how large a message's working memory may be to be used again.
const mostKept = 1 << 16

// Find gives the statements of a message, in the order of the text. at is when
// it was said, in the person's zone: what holds only for a while gets an Until
// from it. A credential may stand in the text as "[masked: …]"; such a mark is
// part of no item. It is safe for concurrent use.
func Find(text string, at time.Time) []memory.Item {
	own := transcript.Unwrap(text)
	if own == "" || transcript.PromptOf(text) != transcript.PromptPerson {
		return nil
	}
	before := len(text) - len(own)
	if before > 0 && strings.Contains(text[:before], "orwarded") && transcript.SpokenOf(text).Forwarded {
		return nil
	}
	f := finders.Get().(*finder)
	defer func() {
		f.given, f.items = "", nil
		if cap(f.folded) <= mostKept {
			finders.Put(f)
		}
	}()
	f.load(text, before)
	f.clean()
	return f.find(at)
}

// find reads what is left of the message sentence by sentence.
func (f *finder) find(at time.Time) []memory.Item {
	set := f.matcher.ruleSet
	f.items, f.was = nil, stopping{}
	f.cut()
	set.tag(&f.words)
	var last claim // the statement that ended the sentence before
	for _, sent := range f.sentences {
		if last.rule != nil && set.coda(&f.words, sent) {
			f.lengthen(sent)
			continue
		}
		last = claim{}
		clauses := set.split(&f.words, sent)
		if len(clauses) == 0 {
			continue
		}
		found := f.matcher.fits(&f.words, sent, clauses)
		was, nothing := set.guard(&f.words, sent, clauses, found, f.was)
		if nothing {
			return nil
		}
		f.was = was
		last = f.keep(sent, clauses, found, at)
	}
	return f.items
}

// keep adds the statements of a sentence. It gives the one that ends it.
func (f *finder) keep(sent sentence, clauses []clause, found []match, at time.Time) (last claim) {
	set := f.matcher.ruleSet
	claims := set.choose(&f.words, sent, clauses, found)
	for i := range claims {
		set.grow(&f.words, clauses, &claims[i])
	}
	for _, c := range set.merge(&f.words, clauses, claims) {
		f.items = append(f.items, set.item(&f.words, c, at))
		if c.to == sent.to {
			last = c
		}
	}
	return last
}

// lengthen adds a sentence to the last statement.
func (f *finder) lengthen(sent sentence) {
	it := &f.items[len(f.items)-1]
	it.End = int(f.tokens[sent.to-1].to)
	it.Text = f.part(stretch{it.Start, it.End})
}
