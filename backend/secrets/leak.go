package secrets

import "strings"

// The second layer: the rules of gitleaks, for what is known by its vendor or
// its exact format and by no word of a language. They are regular expressions
// and take a hundred microseconds where the first layer takes a tenth of one,
// so they see only what stands around a run of token characters, and of that
// only where one of their keywords stands.

// Bounds of what is looked at around a run, enough for "curl" some lines before
// a header or "kind: Secret" before or after its data; and of a text.
const (
	leakBefore  = 384
	leakAfter   = 256
	longestView = 4 << 10  // runs that are close together are looked at together, up to this
	longestLeak = 64 << 10 // what stands further on is left to the first layer
)

// leaks masks what the second layer finds.
func (m *masker) leaks() {
	text := m.text[:min(len(m.text), longestLeak)]
	for from, to := nextRun(text, 0); from >= 0; {
		low := windowFrom(text, from)
		high := windowTo(text, to)
		for {
			from, to = nextRun(text, to)
			if from < 0 || windowFrom(text, from) > high || high-low > longestView {
				break
			}
			high = windowTo(text, to)
		}
		if hasLeakWord(text[low:high]) {
			m.leaksIn(low, high)
		}
	}
}

// windowFrom gives the beginning of what is looked at before text[at]. It cuts
// no word.
func windowFrom(text string, at int) int {
	if at <= leakBefore {
		return 0
	}
	low := at - leakBefore
	if n := strings.IndexAny(text[low:at], " \n"); n >= 0 {
		return low + n + 1
	}
	return low
}

// windowTo gives the end of what is looked at after text[at]. It cuts no word.
func windowTo(text string, at int) int {
	if len(text)-at <= leakAfter {
		return len(text)
	}
	if n := strings.LastIndexAny(text[at:at+leakAfter], " \n"); n >= 0 {
		return at + n
	}
	return at + leakAfter
}

// leaksIn masks what the rules find in text[low:high]. What holds a mark was
// masked already, and what begins within a word is a piece of something else.
func (m *masker) leaksIn(low, high int) {
	for _, l := range leaksOf(m.text[low:high]) {
		from, to := low+l.from, low+l.to
		if opens(m.text, from) && !strings.Contains(m.text[from:to], markHead) {
			m.mask(from, to, l.mark)
		}
	}
}
