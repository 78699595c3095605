package capture

import "unicode/utf8"

// words is a message on its way through the steps of Find. It is used again
// for the next message.
type words struct {
	given   string
	folded  []rune  // one for each code point
	offsets []int32 // byte offset of each code point, and of the end
	quotes  []stretch
	signs   bool // it holds signs that only pasted text and code do

	tokens    []token
	hits      []hit
	sentences []sentence
	clauses   []clause
}

// stretch is a part of something: To is exclusive.
type stretch struct{ from, to int }

// load reads the message. What stands before byte start is not the person's.
func (w *words) load(text string, start int) {
	w.given = text
	w.folded, w.offsets, w.quotes = w.folded[:0], w.offsets[:0], w.quotes[:0]
	w.tokens, w.hits, w.sentences, w.clauses = w.tokens[:0], w.hits[:0], w.sentences[:0], w.clauses[:0]
	for at := 0; at < len(text); {
		r, size := rune(text[at]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(text[at:])
		}
		w.offsets = append(w.offsets, int32(at))
		if at < start {
			r = blank
		} else {
			r = fold(r)
		}
		w.folded = append(w.folded, r)
		at += size
	}
	w.offsets = append(w.offsets, int32(len(text)))
}

// part gives the words as they were given.
func (w *words) part(s stretch) string {
	return w.given[w.offsets[s.from]:w.offsets[s.to]]
}

// stressed takes the stars that touch a part into it: "never** use it" was
// "**never** use it".
func (w *words) stressed(s stretch) stretch {
	for s.from > 0 && w.folded[s.from-1] == '*' {
		s.from--
	}
	for s.to < len(w.folded) && w.folded[s.to] == '*' {
		s.to++
	}
	return s
}

// blank takes a part out.
func (w *words) blank(s stretch) {
	clear(w.folded[s.from:s.to])
}

// line gives the end of the line that begins at from: the line feed, or the
// end of the text.
func (w *words) line(from int) int {
	for i := from; i < len(w.folded); i++ {
		if w.folded[i] == '\n' {
			return i
		}
	}
	return len(w.folded)
}

// has says whether the folded text at from begins with s, which is folded.
func (w *words) has(from int, s string) bool {
	for _, r := range s {
		if from >= len(w.folded) || w.folded[from] != r {
			return false
		}
		from++
	}
	return true
}

// find gives where s stands first in [from, to), -1 where it does not.
func (w *words) find(s string, from, to int) int {
	first, _ := utf8.DecodeRuneInString(s)
	for i := from; i < to; i++ {
		if w.folded[i] == first && w.has(i, s) {
			return i
		}
	}
	return -1
}
