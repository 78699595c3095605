package engine

import (
	"strings"
	"time"
	"unicode/utf8"

	"tidemark/backend/capture"
	"tidemark/backend/memory"
)

// FindStatements gives the statements of a message. They are found in masked,
// the message without its credentials; their spans are those of raw, the
// message as it was written. at is when it was said, in the person's zone.
func FindStatements(raw, masked string, at time.Time) []memory.Item {
	items := capture.Find(masked, at)
	if raw == masked {
		return items
	}
	placed := items[:0]
	for _, it := range items {
		from := byteAt(masked, it.Start)
		start, ok := nth(raw, it.Text, strings.Count(masked[:from], it.Text))
		if !ok { // a mark stands in it
			continue
		}
		it.Start = utf8.RuneCountInString(raw[:start])
		it.End = it.Start + utf8.RuneCountInString(it.Text)
		placed = append(placed, it)
	}
	return placed
}

// byteAt gives where the n-th character of a text begins.
func byteAt(text string, n int) int {
	for i := range text {
		if n == 0 {
			return i
		}
		n--
	}
	return len(text)
}

// nth gives where a part stands in a text for the n-th time, counted from 0,
// or for the last time where it stands there less often.
func nth(text, part string, n int) (at int, ok bool) {
	at, end := -1, 0
	for range n + 1 {
		next := strings.Index(text[end:], part)
		if next < 0 || part == "" {
			break
		}
		at = end + next
		end = at + len(part)
	}
	return at, at >= 0
}

// spanIn gives the span of a statement in a text that shows the message, or a
// part of it: the place of its words that is nearest to where they stood.
// before is how many characters of the message stand before the text. ok is
// false where the text does not have the words.
func spanIn(text string, before int, words string, start int) (from, to int, ok bool) {
	if words == "" {
		return 0, 0, false
	}
	best, at, runes := -1, 0, 0
	for {
		next := strings.Index(text[at:], words)
		if next < 0 {
			break
		}
		runes += utf8.RuneCountInString(text[at : at+next])
		if best < 0 || distance(before+runes, start) < distance(before+best, start) {
			best = runes
		}
		at += next + len(words)
		runes += utf8.RuneCountInString(words)
	}
	if best < 0 {
		return 0, 0, false
	}
	return best, best + utf8.RuneCountInString(words), true
}

func distance(a, b int) int {
	if a < b {
		return b - a
	}
	return a - b
}
