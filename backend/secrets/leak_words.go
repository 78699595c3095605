package secrets

import (
	"slices"
	"strings"
)

// leakUnwanted are the rules of gitleaks that are left out. Of the others those
// go too that name what is public, by the end of their names: see leakWanted.
var leakUnwanted = []string{
	// Words that the first layer judges itself, in more languages; these take
	// sessions, checksums and the keys of caches for credentials.
	"generic-api-key", "hashicorp-tf-password",
	// What begins with two letters, of which all texts are full. The first
	// layer has these formats.
	"jwt", "twilio-api-key", "azure-ad-client-secret",
	// Shorter than any run that is looked at; "curl -u" is the first layer's.
	"curl-auth-user", "sidekiq-secret",
}

// leakWanted says whether a rule of gitleaks is used. The number of a client or
// a channel is no credential, nor is a public key.
func leakWanted(id string) bool {
	return !slices.Contains(leakUnwanted, id) && !strings.HasSuffix(id, "-id") && !strings.Contains(id, "public-key") && !strings.Contains(id, "-pub-")
}

// leakNarrower are words that every match of a rule has and that are rarer than
// those it names. Two rules lose a form that nothing tells from other text:
// forty hexadecimal digits, and 24 letters after "s.".
var leakNarrower = map[string][]string{
	"kubernetes-secret-yaml":   {"kind:"},
	"sourcegraph-access-token": {"sgp_"},
	"vault-service-token":      {"hvs."},
}

// leakWhole are the rules of which the groups are pieces of the credential.
var leakWhole = []string{"jwt-base64", "microsoft-teams-webhook"}

// leakNeeds gives the words of which a text must hold one for a rule to apply.
func leakNeeds(id string, keywords []string) []string {
	if words, ok := leakNarrower[id]; ok {
		return words
	}
	return keywords
}

// leakIndex holds the words by their first three bytes.
var leakIndex, leakStarts = func() (map[uint32][]string, *[1024]uint64) {
	index, starts := make(map[uint32][]string), new([1024]uint64)
	for _, w := range leakWords {
		tri := triple(w[0], w[1], w[2])
		index[tri] = append(index[tri], w)
		s := slot(tri)
		starts[s>>6] |= 1 << (s & 63)
	}
	return index, starts
}()

// leakWordAt gives the words that stand at the first position from text[at] on
// where there are any, in either case. at is -1 where there are none.
func leakWordAt(text string, from int) (at int, found []string) {
	if len(text) < from+3 {
		return -1, nil
	}
	tri := triple(0, lowered(text[from]), lowered(text[from+1]))
	for at = from; at+3 <= len(text); at++ {
		tri = tri<<8&0xFFFFFF | uint32(lowered(text[at+2]))
		s := slot(tri)
		if leakStarts[s>>6]>>(s&63)&1 == 0 {
			continue
		}
		for _, w := range leakIndex[tri] {
			if hasFold(text, at, w) {
				found = append(found, w)
			}
		}
		if found != nil {
			return at, found
		}
	}
	return -1, nil
}

// hasLeakWord says whether a text holds one of the words, without loading the
// rules.
func hasLeakWord(text string) bool {
	at, _ := leakWordAt(text, 0)
	return at >= 0
}
