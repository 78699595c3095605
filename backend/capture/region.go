package capture

// mask stands in folded text for a credential that was masked: the clause
// before it states nothing.
const mask rune = 1

// clean takes out of a message what is not the person's own words: masks,
// code, blocks that were put in, lines of logs, chats and mails, slash
// commands. It finds the quotations.
func (w *words) clean() {
	w.slashCommand()
	w.marks()
	w.cleanLines()
	w.quotations()
}

// slashCommand takes out a first line that is a command, "/new be brief". A
// path is none.
func (w *words) slashCommand() {
	at := w.first()
	if at >= len(w.folded) || w.folded[at] != '/' {
		return
	}
	to := at + 1
	for to < len(w.folded) && (kindOf(w.folded[to]) == charWord || w.folded[to] == '-' || w.folded[to] == ':') {
		to++
	}
	if to > at+1 && (to == len(w.folded) || w.folded[to] <= ' ' || kindOf(w.folded[to]) == charHan) {
		w.blank(stretch{at, w.line(at)})
	}
}

// first gives where the words begin.
func (w *words) first() int {
	for i, r := range w.folded {
		if r > ' ' {
			return i
		}
	}
	return len(w.folded)
}

// marks takes out masked credentials, inline code, injected blocks and
// addresses of pages, which all begin with a sign of their own.
func (w *words) marks() {
	open := 0
	w.signs = false
	for i := 0; i < len(w.folded); i++ {
		switch r := w.folded[i]; r {
		case '[':
			if w.has(i, "[masked: ") {
				if to := w.find("]", i, min(i+40, len(w.folded))); to > 0 {
					w.blank(stretch{i, to + 1})
					w.folded[i] = mask
					i = to
				}
			}
		case '`':
			i = w.code(i)
		case '<':
			i = w.block(i, &open)
		case ':':
			if w.has(i, "://") {
				i = w.address(i)
			}
		case '\n', '>', '{':
			w.signs = true
		}
	}
}

// code takes out code between backquotes: a fence, or within a line.
func (w *words) code(at int) int {
	if w.has(at, "```") {
		to := w.find("```", at+3, len(w.folded))
		if to < 0 {
			to = len(w.folded) - 3
		}
		w.blank(stretch{at, to + 3})
		return to + 2
	}
	for to := at + 1; to < len(w.folded) && to-at < longestQuote && w.folded[to] != '\n'; to++ {
		if w.folded[to] == '`' {
			w.quote(stretch{at, to + 1})
			return to
		}
	}
	return at
}

const (
	longestTag = 64 // of the name of an injected block
	mostOpen   = 8  // blocks without an end, after which no more are looked for
)

// block takes out <name-of-it …>…</name-of-it>. Only names with a hyphen or an
// underscore are taken for such blocks. open counts those without an end.
func (w *words) block(at int, open *int) int {
	to, joined := at+1, false
	for to < len(w.folded) && to-at < longestTag && (kindOf(w.folded[to]) == charWord || w.folded[to] == '-') {
		joined = joined || w.folded[to] == '-' || w.folded[to] == '_'
		to++
	}
	if !joined || to == len(w.folded) || *open >= mostOpen {
		return at
	}
	closing := "</" + string(w.folded[at+1:to]) + ">"
	end := w.find(closing, to, len(w.folded))
	if end < 0 {
		*open++
		return at
	}
	end += len([]rune(closing))
	w.blank(stretch{at, end})
	return end - 1
}

// address makes the address of a page one piece.
func (w *words) address(at int) int {
	from, to := at, at
	for from > 0 && at-from < 10 && w.folded[from-1] >= 'a' && w.folded[from-1] <= 'z' {
		from--
	}
	for to < len(w.folded) && w.folded[to] > ' ' && w.folded[to] < 128 {
		to++
	}
	w.quote(stretch{from, to})
	return to - 1
}

// quote makes a part one piece in which nothing is looked for.
func (w *words) quote(s stretch) {
	if s.to > s.from {
		w.quotes = append(w.quotes, s)
	}
}
