package capture

import "slices"

// longestQuote is how many code points a quotation may have.
const longestQuote = 400

// closer gives the sign that closes what r opens, 0 where it opens nothing.
func closer(r rune) rune {
	switch r {
	case '"', '\'':
		return r
	case '‘':
		return '\''
	case '“':
		return '”'
	case '„':
		return '“'
	case '«':
		return '»'
	case '「', '『', '《', '〈', '【':
		return r + 1
	}
	return 0
}

// quotations finds what stands in quotation marks. A message that is one
// quotation as a whole is the person's own all the same.
func (w *words) quotations() {
	had := len(w.quotes)
	first := w.first()
	for i := 0; i < len(w.folded); i++ {
		r := w.folded[i]
		if r != '"' && r != '\'' && r < 0xab {
			continue
		}
		closing := closer(r)
		if closing == 0 || r == '\'' && !w.opens(i) {
			continue
		}
		to := w.closed(i, closing)
		if to < 0 {
			continue
		}
		if i == first && w.ends(to+1) {
			w.folded[i], w.folded[to] = ' ', ' '
			continue
		}
		w.quote(stretch{i, to + 1})
		i = to
	}
	if had > 0 && len(w.quotes) > had {
		w.sortQuotes()
	}
}

// closed gives where a quotation that begins at i ends, -1 where it does not
// in its paragraph.
func (w *words) closed(i int, closing rune) int {
	for to := i + 1; to < len(w.folded) && to-i <= longestQuote; to++ {
		r := w.folded[to]
		switch {
		case r == blank, r == mask, r == '\n' && to+1 < len(w.folded) && w.folded[to+1] == '\n':
			return -1
		case r == closing && (closing != '\'' || !w.isWordAt(to+1) && to > i+1):
			return to
		}
	}
	return -1
}

// opens says that an apostrophe stands where a quotation may begin.
func (w *words) opens(i int) bool {
	return (i == 0 || kindOf(w.folded[i-1]) == charSpace || kindOf(w.folded[i-1]) == charPart) && w.isWordAt(i+1)
}

func (w *words) isWordAt(i int) bool { return i < len(w.folded) && kindOf(w.folded[i]) == charWord }

// ends says that nothing but white space and a full stop stands from i on.
func (w *words) ends(i int) bool {
	for ; i < len(w.folded); i++ {
		if r := w.folded[i]; r > ' ' && r != '.' && r != '。' {
			return false
		}
	}
	return true
}

// sortQuotes puts the quotations in order; one within another goes.
func (w *words) sortQuotes() {
	slices.SortFunc(w.quotes, func(a, b stretch) int { return a.from - b.from })
	out := w.quotes[:1]
	for _, q := range w.quotes[1:] {
		if q.from >= out[len(out)-1].to {
			out = append(out, q)
		}
	}
	w.quotes = out
}
