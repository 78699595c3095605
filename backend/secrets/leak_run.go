package secrets

import "math/bits"

// tokenSet is what the tokens of the second layer consist of.
const tokenSet = isName | isDot | isBase

// Bounds of a run of token characters: shorter ones are no token of the second
// layer's rules, longer ones are data.
const (
	shortestRun = 10
	longestRun  = 1024
)

// nextRun gives the first stretch of token characters from text[at] on that is
// long enough and holds a digit and a letter. Prose has none, and is passed at
// eight bytes a step. from is -1 where there is none.
func nextRun(text string, at int) (from, to int) {
	for {
		digit := nextDigit(text, at)
		if digit < 0 {
			return -1, -1
		}
		from = max(at, runBack(text, digit, tokenSet, longestRun+1))
		to = run(text, digit, tokenSet, len(text))
		if to-from >= shortestRun && to-from <= longestRun && lettered(text[from:to]) {
			return from, to
		}
		at = to
	}
}

func lettered(text string) bool {
	for i := range len(text) {
		if is(text[i], isLetter) {
			return true
		}
	}
	return false
}

// nextDigit gives the position of the first digit from text[at] on, -1 if there
// is none.
func nextDigit(text string, at int) int {
	for ; at+8 <= len(text); at += 8 {
		if other := others(text[at:]); other != highBits {
			return at + bits.TrailingZeros64(^other&highBits)/8
		}
	}
	for ; at < len(text); at++ {
		if is(text[at], isDigit) {
			return at
		}
	}
	return -1
}

// highBits are the highest bits of eight bytes.
const highBits = 0x80 * 0x0101010101010101

// others sets the highest bit of each of the first eight bytes of text that is
// no digit, and no other bit. What is left of a digit without the bits of '0' is
// at most 9, and 0x76 more does not reach the highest bit.
func others(text string) uint64 {
	const ones = highBits / 0x80
	w := load(text[:8]) ^ '0'*ones
	return (w&^highBits + 0x76*ones | w) & highBits
}
