package secrets

import "strings"

// gate is a set of three-byte sequences that streams text at more than a
// gigabyte a second. Two of the bytes, the rarer ones, are looked up in a table
// of all pairs, four positions at a time; only where that says yes a hash of
// all three decides.
type gate struct {
	pairs [1 << 16]uint8 // which pairs there are, and where in a sequence
	bits  [1024]uint64   // a bit for each hash of a sequence
}

// Where the pair stands that lets a sequence be looked at.
const (
	pairFirst  uint8 = 1 << iota // the first two bytes
	pairLast                     // the last two bytes
	pairDigits                   // two digits, of which a third one makes a number
)

// spread is the odd number next to 2^32 divided by the golden ratio, which
// scatters neighbouring sequences over the bits.
const spread = 0x9E3779B1

// slot hashes the sequence in the low 24 bits of tri; what stands above them
// falls out of the product.
func slot(tri uint32) uint16 { return uint16(tri << 8 * spread >> 16) }

func triple(a, b, c byte) uint32 { return uint32(a)<<16 | uint32(b)<<8 | uint32(c) }

// pair numbers two bytes as a little-endian load of them does.
func pair(a, b byte) uint16 { return uint16(a) | uint16(b)<<8 }

func (g *gate) add(a, b, c byte) {
	s := slot(triple(a, b, c))
	g.bits[s>>6] |= 1 << (s & 63)
	if commonness(a, b) < commonness(b, c) {
		g.pairs[pair(a, b)] |= pairFirst
	} else {
		g.pairs[pair(b, c)] |= pairLast
	}
}

// addNumbers adds all sequences of three digits.
func (g *gate) addNumbers() {
	for a := byte('0'); a <= '9'; a++ {
		for b := byte('0'); b <= '9'; b++ {
			g.pairs[pair(a, b)] |= pairDigits
		}
	}
}

// commonPairs are the pairs of letters that English text is full of.
const commonPairs = " th he in er an re nd on en at ou ed ha to or it is hi es ng st ar te se nt ti as me ve al le of ea de co " +
	"ro ra io li ri ic ne ll ch be ma si om ur ec sp wa la el ta us em ce so no pe il un lo ho ut ad wh ni et ee fo di do fr ke ec ss pl ly ge "

// commonness says roughly how often two bytes stand together in text. What
// matters is only that the rarest pair of a word is chosen.
func commonness(a, b byte) int {
	n := frequency(a) * frequency(b)
	if strings.Contains(commonPairs, " "+string([]byte{lowered(a), lowered(b), ' '})) {
		n *= 10
	}
	if is(a, isUpper) || is(b, isUpper) {
		n /= 8
	}
	return n
}

// frequency says roughly how often a byte occurs in text, in parts of 1,000.
func frequency(c byte) int {
	const letters = "zqxjkvbpygfwmucldrhsnioate" // from rare to common
	if i := strings.IndexByte(letters, lowered(c)); i >= 0 {
		return 1 + i*i/6
	}
	switch {
	case c >= 0xE0: // begins a character beyond the alphabets
		return 300
	case c == ' ':
		return 180
	}
	return 5
}

// rarest gives where in a text of at least three bytes the sequence begins that
// is best looked for.
func rarest(text string) int {
	best, least := 0, -1
	for at := range len(text) - 2 {
		n := min(commonness(text[at], text[at+1]), commonness(text[at+1], text[at+2]))
		if least < 0 || n < least {
			best, least = at, n
		}
	}
	return best
}

// has says whether the sequence at text[at:at+3] is of the set, hardly ever
// wrongly.
func (g *gate) has(text string, at int) bool {
	if at+3 > len(text) {
		return false
	}
	s := slot(triple(text[at], text[at+1], text[at+2]))
	return g.bits[s>>6]>>(s&63)&1 != 0
}

// next gives the first position from at on where a sequence of the set may
// begin, -1 if there is none.
func (g *gate) next(text string, at int) int {
	i := at
	for ; i+8 <= len(text); i += 4 {
		w := load(text[i : i+8])
		if g.pairs[uint16(w)]|g.pairs[uint16(w>>8)]|g.pairs[uint16(w>>16)]|g.pairs[uint16(w>>24)] == 0 {
			continue
		}
		if found := g.within(text, i, i+4, at); found >= 0 {
			return found
		}
	}
	return g.within(text, i, len(text)-1, at)
}

// within looks at the pairs that begin at text[from:to] one by one, for
// sequences that begin at or after at.
func (g *gate) within(text string, from, to, at int) int {
	for i := from; i < to; i++ {
		flags := g.pairs[pair(text[i], text[i+1])]
		if flags == 0 {
			continue
		}
		if flags&pairDigits != 0 && isAt(text, i+2, isDigit) {
			return i
		}
		if flags&pairLast != 0 && i > at && g.has(text, i-1) {
			return i - 1
		}
		if flags&pairFirst != 0 && g.has(text, i) {
			return i
		}
	}
	return -1
}

// load reads eight bytes; the compiler makes one instruction of it.
func load(s string) uint64 {
	_ = s[7]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

// sense is what kind of rule a trigger wakes.
type sense uint8

const (
	senseHead    sense = iota // an English word that can name a credential
	senseWord                 // a word of a language that is written without spaces
	senseFormat               // the prefix of a token format
	senseURL                  // "://"
	sensePEM                  // "BEG" of a key block
	senseJWT                  // "eyJ"
	senseDiscord              // the encoded beginning of a bot's number
	senseAzure                // "8Q~" inside a client secret
	senseBearer
	senseBasic
	senseCurl    // "-u ", "--user"
	senseCommand // a program that takes a password as an option
	senseWide    // a full-width digit
)

// trigger says that a rule must look at a sequence, which stands off bytes
// after the beginning of what the rule knows as number n.
type trigger struct {
	sense sense
	off   uint8
	n     uint16
}

// chains is the number of lists of triggers, four times the number of distinct
// sequences, so that nearly every list holds the triggers of one sequence.
const chains = 4096

type chained struct {
	tri uint32
	trigger
}

// watch is all that the scanner looks for; it is built once and only read.
type watch struct {
	gate  gate
	lists [chains][]chained
}

var watched = newWatch()

func newWatch() *watch {
	w := new(watch)
	w.gate.addNumbers() // they need no trigger: see masker.at
	w.heads()
	for n, cw := range closeWords {
		w.add(cw.text[cw.off:], trigger{senseWord, cw.off, uint16(n)})
	}
	for n, f := range formats {
		at := rarest(f.prefix)
		w.add(f.prefix[at:], trigger{senseFormat, uint8(at), uint16(n)})
	}
	w.add("://", trigger{sense: senseURL})
	w.add("BEGIN", trigger{sense: sensePEM})
	w.add("eyJ", trigger{sense: senseJWT})
	w.add("-u ", trigger{sense: senseCurl})
	w.add("--user", trigger{sense: senseCurl})
	for n, c := range commands {
		w.add(c.name[c.off:], trigger{senseCommand, c.off, uint16(n)})
	}
	for d := '０'; d <= '９'; d++ {
		w.add(string(d), trigger{sense: senseWide})
	}
	w.discord()
	for d := byte('0'); d <= '9'; d++ {
		w.add(string([]byte{d, 'Q', '~'}), trigger{senseAzure, 3, 0})
	}
	return w
}

// heads adds the English words in every mixture of cases.
func (w *watch) heads() {
	for n, h := range heads {
		w.addFold(h.tri, trigger{senseHead, h.off, uint16(n)})
	}
	// In small letters "bearer" has no rare pair; there the header names it.
	w.add("Bearer", trigger{sense: senseBearer})
	w.add("BEARER", trigger{sense: senseBearer})
	w.addFold("bas", trigger{sense: senseBasic})
}

// add lets the first three bytes of text wake t.
func (w *watch) add(text string, t trigger) {
	tri := triple(text[0], text[1], text[2])
	w.gate.add(text[0], text[1], text[2])
	l := &w.lists[slot(tri)%chains]
	*l = append(*l, chained{tri, t})
}

// addFold lets text wake t whatever the case of its letters; text is of three
// bytes in lower case.
func (w *watch) addFold(text string, t trigger) {
	for cases := range 8 {
		b := [3]byte{text[0], text[1], text[2]}
		varied := true
		for i := range b {
			if cases>>i&1 == 0 {
				continue
			}
			varied = varied && is(b[i], isLower)
			b[i] -= 'a' - 'A'
		}
		if varied {
			w.add(string(b[:]), t)
		}
	}
}

// discord adds the ways in which the base64 text of a bot's number begins: it
// encodes three ASCII digits, so few are possible.
func (w *watch) discord() {
	const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
	for a := byte('1'); a <= '9'; a++ {
		for b := byte('0'); b <= '9'; b++ {
			three := []byte{alphabet[a>>2], alphabet[a&3<<4|b>>4], alphabet[b&15<<2]}
			w.add(string(three), trigger{sense: senseDiscord})
		}
	}
}

// at gives the triggers whose sequence may stand at text[i:i+3]; they must be
// compared by their tri.
func (w *watch) at(tri uint32) []chained { return w.lists[slot(tri)%chains] }
