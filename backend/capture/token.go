package capture

// tokenKind says what a token is.
type tokenKind uint8

const (
	tokenWord   tokenKind = iota
	tokenNumber           // begins with a digit
	tokenHan
	tokenSign
	tokenQuote // a whole quotation: nothing in it is looked at
	tokenPart  // a sign that parts clauses, or several
)

// token is a piece of a sentence. Offsets are code points.
type token struct {
	from, to int32
	kind     tokenKind
	name     bool // begins with a capital
	sign     rune // of tokenPart: the first that is no space
	hits     int32
	classes  signature // of the words that begin here
}

// sentence is tokens up to a sign that ends it. It is never longer than
// longestSentence, so that the work on one is bounded.
type sentence struct {
	from, to int // tokens
	end      rune
	gap      bool // something that is no space stands between it and the sentence before
	script   script
}

const longestSentence = 320

// reader cuts folded text into sentences of tokens.
type reader struct {
	*words
	start int // token at which the sentence begins
	gap   bool
}

// cut fills tokens and sentences.
func (w *words) cut() {
	r := reader{words: w}
	quote := 0
	for at := 0; at < len(w.folded); {
		if quote < len(w.quotes) && w.quotes[quote].from == at {
			to := w.quotes[quote].to
			r.add(token{from: int32(at), to: int32(to), kind: tokenQuote, name: true})
			at, quote = to, quote+1
			continue
		}
		at = r.next(at)
		for quote < len(w.quotes) && w.quotes[quote].from < at {
			quote++
		}
	}
	r.finish(0)
}

// next reads what stands at code point at and gives where the next stands.
func (r *reader) next(at int) int {
	c := r.folded[at]
	switch kindOf(c) {
	case charBlank:
		r.finish(c)
		r.gap = true
	case charSpace:
		return r.space(at)
	case charWord:
		if c == '_' && !(at > 0 && r.isWord(at-1) && r.isWord(at+1)) {
			return at + 1 // stress too
		}
		return r.word(at)
	case charHan:
		r.add(token{from: int32(at), to: int32(at + 1), kind: tokenHan})
	case charStop:
		r.finish(c)
	case charPart:
		if c == ':' && r.inNumber(at) {
			return r.word(at + 1)
		}
		r.part(at, c)
	default:
		return r.sign(at, c)
	}
	return at + 1
}

// word reads a word or number: letters and digits, an apostrophe between
// letters, and what stands between the digits of a time or an amount.
func (r *reader) word(at int) int {
	to := at
	for to < len(r.folded) {
		c := r.folded[to]
		if c == '\'' && to > at && r.genitive(to) {
			break
		}
		if c == '.' && to > at && r.joined(to) {
			to++
			continue
		}
		if kindOf(c) == charWord && (c != '_' || r.isWord(to+1)) || (c == '\'' && to > at && r.isWord(to+1)) ||
			((c == '.' || c == ':' || c == ',') && to > at && isDigit(r.folded[to-1]) && r.isDigit(to+1)) {
			to++
			continue
		}
		break
	}
	t := token{from: int32(at), to: int32(max(to, at+1)), name: r.capital(at)}
	if isDigit(r.folded[at]) {
		t.kind = tokenNumber
	}
	r.add(t)
	return int(t.to)
}

// joined says that the full stop at code point at joins the parts of a name,
// "never.txt": letters that are no capitals follow at once.
func (r *reader) joined(at int) bool {
	if !r.isWord(at+1) || at == 0 || kindOf(r.folded[at-1]) != charWord {
		return false
	}
	c := r.given[r.offsets[at+1]]
	return c >= 'a' && c <= 'z'
}

// genitive says that the apostrophe at code point at begins an "'s" that ends
// a word: it is a token of its own.
func (r *reader) genitive(at int) bool {
	return at+1 < len(r.folded) && r.folded[at+1] == 's' && !r.isWord(at+2)
}

// sign reads a sign that is no letter: a full stop ends a sentence only where
// nothing follows it at once; a dash with space around parts clauses.
func (r *reader) sign(at int, c rune) int {
	spaced := at+1 >= len(r.folded) || kindOf(r.folded[at+1]) != charWord
	switch {
	case c == '.' && spaced && !r.abbreviated(at):
		r.finish(c)
	case c == '-' && spaced && (at == 0 || kindOf(r.folded[at-1]) != charWord):
		r.part(at, c)
	case c == '/' && spaced:
		r.part(at, c)
	case c == '*': // it only stresses what it encloses
	case c == '\'' && r.genitive(at) && at > 0 && kindOf(r.folded[at-1]) == charWord:
		r.add(token{from: int32(at), to: int32(at + 2)})
		return at + 2
	case c == '.' || c == '\'':
	default:
		r.add(token{from: int32(at), to: int32(at + 1), kind: tokenSign})
	}
	return at + 1
}

// space reads white space: between words of scripts that set none it parts
// clauses.
func (r *reader) space(at int) int {
	to := at
	for to < len(r.folded) && kindOf(r.folded[to]) == charSpace {
		to++
	}
	if at == 0 || to == len(r.folded) {
		return to
	}
	before, after := r.folded[at-1], r.folded[to]
	if isHan(before) && !isHangul(before) && kindOf(after) != charPart && (isHan(after) && !isHangul(after) || to-at > 1) {
		r.part(at, ' ')
	}
	return to
}

func (r *reader) part(at int, c rune) {
	if n := len(r.tokens); n > r.start && r.tokens[n-1].kind == tokenPart {
		t := &r.tokens[n-1]
		t.to = int32(at + 1)
		if t.sign == ' ' {
			t.sign = c
		}
		return
	}
	if len(r.tokens) > r.start {
		r.add(token{from: int32(at), to: int32(at + 1), kind: tokenPart, sign: c})
	}
}

func (r *reader) add(t token) {
	r.tokens = append(r.tokens, t)
	if len(r.tokens)-r.start >= longestSentence {
		r.finish(0)
	}
}

// finish ends the sentence.
func (r *reader) finish(end rune) {
	to := len(r.tokens)
	for to > r.start && r.tokens[to-1].kind == tokenPart {
		to--
	}
	if to > r.start {
		r.sentences = append(r.sentences, sentence{from: r.start, to: to, end: end, gap: r.gap, script: r.scriptOf(r.start, to)})
		r.gap = false
	} else if n := len(r.sentences); n > 0 && isQuestion(end) && !r.gap {
		r.sentences[n-1].end = end // "!?"
	}
	r.start = len(r.tokens)
}

func isQuestion(c rune) bool { return c == '?' || c == '？' }

func isDigit(c rune) bool { return c >= '0' && c <= '9' }

func (r *reader) isDigit(at int) bool { return at < len(r.folded) && isDigit(r.folded[at]) }

func (r *reader) isWord(at int) bool { return at < len(r.folded) && kindOf(r.folded[at]) == charWord }

func (r *reader) inNumber(at int) bool { return at > 0 && isDigit(r.folded[at-1]) && r.isDigit(at+1) }

// capital says that the word at code point at is written with a capital.
func (r *reader) capital(at int) bool {
	c := r.given[r.offsets[at]]
	return c >= 'A' && c <= 'Z' || c >= 0x80 && r.folded[at] != firstRune(r.given[r.offsets[at]:])
}

func firstRune(s string) rune {
	for _, c := range s {
		return c
	}
	return 0
}

// shortened are words behind which a full stop ends no sentence.
var shortened = map[string]bool{"mr": true, "mrs": true, "ms": true, "dr": true, "st": true, "vs": true, "e.g": true, "i.e": true, "etc": true,
	"approx": true, "no": true, "inc": true, "ltd": true, "co": true, "a.m": true, "p.m": true, "g": true, "i": true, "e": true}

// abbreviated says that the full stop at code point at belongs to the word
// before it, and that words follow.
func (r *reader) abbreviated(at int) bool {
	n := len(r.tokens)
	if n == r.start || int(r.tokens[n-1].to) != at || r.tokens[n-1].kind != tokenWord {
		return false
	}
	t := r.tokens[n-1]
	if t.to-t.from > 6 || at+2 >= len(r.folded) || r.folded[at+1] != ' ' {
		return false
	}
	word := string(r.folded[t.from:t.to])
	if word == "no" || word == "etc" || word == "i" || word == "co" {
		return word == "no" && r.isDigit(at+2)
	}
	return shortened[word]
}
