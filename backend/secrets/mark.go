package secrets

import "strings"

// mark is what stands in place of a credential.
type mark uint8

const (
	markNone mark = iota
	markPassword
	markAPIKey
	markToken
	markPrivateKey
	markCard
	markIdentity
)

// markHead begins every mark; what follows names the kind.
const markHead = "[masked: "

var markTexts = [...]string{
	markNone:       "",
	markPassword:   markHead + "password]",
	markAPIKey:     markHead + "API key]",
	markToken:      markHead + "token]",
	markPrivateKey: markHead + "private key]",
	markCard:       markHead + "card number]",
	markIdentity:   markHead + "identity number]",
}

// longestMark is the length of the longest mark in bytes: how far from its
// beginning a byte of a mark can be.
const longestMark = len(markHead + "identity number]")

func (m mark) String() string { return markTexts[m] }

// markAt gives the end of the mark that begins at text[at], 0 if none does.
func markAt(text string, at int) int {
	if !strings.HasPrefix(text[at:], markHead) {
		return 0
	}
	for _, m := range markTexts[1:] {
		if strings.HasPrefix(text[at:], m) {
			return at + len(m)
		}
	}
	return 0
}

// markAround gives the end of the mark that covers text[at], 0 if none does.
func markAround(text string, at int) int {
	low := max(0, at-longestMark)
	open := strings.LastIndexByte(text[low:at], '[')
	if open < 0 {
		return 0
	}
	if end := markAt(text, low+open); end > at {
		return end
	}
	return 0
}
