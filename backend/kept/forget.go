package kept

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math/bits"
	"unicode/utf8"

	"tidemark/backend/memory"
)

// Forgotten is a text that must not be kept again, and when it was forgotten.
type Forgotten struct {
	memory.ForgottenText
	At memory.Millis
}

// sumLength is how many hexadecimal digits of a keyed hash are kept: 128 bits.
const sumLength = 32

// prints makes what tells texts. All of it follows from the secret key; without
// it a print or sum says nothing of a text but its length, not even whether a
// guess is right.
type prints struct {
	key  []byte
	base uint64 // of the rolling fingerprint
}

func newPrints(key []byte) prints {
	p := prints{key: key}
	p.base = binary.BigEndian.Uint64(p.mac("base", nil)) % (prime - 2)
	p.base++ // not 0
	return p
}

// mac gives the keyed hash of some bytes for one purpose.
func (p prints) mac(purpose string, b []byte) []byte {
	h := hmac.New(sha256.New, p.key)
	h.Write([]byte(purpose))
	h.Write([]byte{0})
	h.Write(b)
	return h.Sum(nil)
}

// sum is the keyed hash of a normalised text.
func (p prints) sum(normal []rune) string {
	b := make([]byte, 0, 3*len(normal))
	for _, r := range normal {
		b = utf8.AppendRune(b, r)
	}
	return hex.EncodeToString(p.mac("text", b))[:sumLength]
}

// pad hides the fingerprint of a text: two bare ones would let a guess of both
// texts be checked without the key.
func (p prints) pad(sum string) uint64 {
	return binary.BigEndian.Uint64(p.mac("pad", []byte(sum)))
}

// roll is the fingerprint of a normalised text: a polynomial in the base, modulo
// a prime.
func (p prints) roll(normal []rune) (h uint64) {
	for _, r := range normal {
		h = addMod(mulMod(h, p.base), uint64(uint32(r)+1))
	}
	return h
}

// prime is 2^61-1, which makes a remainder a shift and an addition.
const prime = 1<<61 - 1

func mulMod(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	s := lo&prime + (lo>>61 | hi<<3)
	if s >= prime {
		s -= prime
	}
	return s
}

func addMod(a, b uint64) uint64 {
	s := a + b
	if s >= prime {
		s -= prime
	}
	return s
}

// Tombstone gives what tells texts without holding them, once for texts that
// are the same after normalising. key is the installation's secret, 32 bytes.
// A text of punctuation alone cannot be told and is left out.
func Tombstone(key []byte, texts ...string) (all []memory.ForgottenText) {
	p := newPrints(key)
	seen := map[string]bool{}
	for _, text := range texts {
		normal := []rune(Normal(text))
		if len(normal) == 0 {
			continue
		}
		sum := p.sum(normal)
		if !seen[sum] {
			seen[sum] = true
			all = append(all, memory.ForgottenText{Runes: len(normal), Print: p.roll(normal) ^ p.pad(sum), Sum: sum})
		}
	}
	return all
}
