package secrets

// rule is how much a value has to look like a credential, which depends on the
// word that announces it.
type rule uint8

const (
	ruleNone     rule = iota
	ruleAny           // a password: whatever is said to be it
	ruleCode          // a PIN or a one-time code: digits, or capitals and digits
	ruleCVV           // three or four digits
	ruleOpaque        // a key or a secret: no words, digits only where long
	ruleCount         // "token" alone, which also counts text: digits alone never
	ruleKey           // "key" alone, which has many meanings: only what looks random
	ruleHeader        // a request header, to the end of its line
	ruleMnemonic      // the words of a seed phrase
	rulePair          // a name and a password: "login: bob / abc123"
	ruleIdentity      // the number of a passport or an identity card
	ruleShare         // the code of a shared file: a password of four to eight letters and digits
	ruleSpoken        // a password that is spoken, which may be any words
)

// SecretKey says whether a configuration key, written in camelCase, snake_case,
// kebab-case or with dots, names a credential. Keys that count tokens, name a
// file or describe a credential do not.
func SecretKey(key string) bool {
	m, _ := keyKind(key)
	return m != markNone
}

// mostParts bounds the words of a key that are looked at; the last ones decide.
const mostParts = 12

// part is a word of a key, as positions in it.
type part struct{ from, to int }

// parts splits a key into its words and gives the last of them.
func parts(key string) (list [mostParts]part, n int) {
	for at := 0; at < len(key); {
		if !is(key[at], isAlnum) {
			at++
			continue
		}
		end := partEnd(key, at)
		if n == mostParts {
			copy(list[:], list[1:])
			n--
		}
		list[n] = part{at, end}
		n++
		at = end
	}
	return list, n
}

// partEnd gives the end of the word that begins at key[at]: a change from lower
// to upper case, from capitals to a capitalised word, or to and from digits.
func partEnd(key string, at int) int {
	if is(key[at], isDigit) {
		return run(key, at, isDigit, len(key))
	}
	end := run(key, at, isUpper, len(key))
	if end-at > 1 && isAt(key, end, isLower) {
		if byteAt(key, end) == 's' && !isAt(key, end+1, isLower) {
			return end + 1 // APIKeys is split, but PINs is one word
		}
		return end - 1
	}
	return run(key, end, isLower, len(key))
}

// keyKind gives the mark and the rule of the credential that a key names,
// markNone if it names none. The key may also be a phrase: "wifi password".
func keyKind(key string) (mark, rule) {
	list, n := parts(key)
	for n > 1 && trailing.has(key[list[n-1].from:list[n-1].to]) || n > 1 && is(key[list[n-1].from], isDigit) {
		n--
	}
	if n == 0 {
		return markNone, ruleNone
	}
	last := key[list[n-1].from:list[n-1].to]
	before := ""
	if n > 1 {
		before = key[list[n-2].from:list[n-2].to]
	}
	return nounKind(last, before)
}

// nounKind decides by the last word of a key and the word before it.
func nounKind(last, before string) (mark, rule) {
	switch {
	case passwordNouns.has(last), endsFold(last, len(last), "password"):
		if before == "1" {
			return markNone, ruleNone // the product 1Password
		}
		return markPassword, ruleAny
	case tokenNouns.has(last):
		return markToken, ruleOpaque
	case keyNouns.has(last), endsFold(last, len(last), "apikey"):
		return markAPIKey, ruleOpaque
	case privateNouns.has(last):
		return markPrivateKey, ruleOpaque
	case cvvNouns.has(last):
		return markPassword, ruleCVV
	case codeNouns.has(last):
		return markPassword, ruleCode
	case headerNouns.has(last):
		return markToken, ruleHeader
	}
	return pairKind(last, before)
}

// pairKind decides on nouns that name a credential only after certain words.
func pairKind(last, before string) (mark, rule) {
	one := wordless(last)
	switch {
	case one.is("token"):
		return tokenKind(before)
	case one.is("tokens") && tokenOwners.has(before):
		return markToken, ruleOpaque
	case one.is("key"), one.is("keys"):
		if keyOwners.has(before) {
			return keyMark(before), ruleOpaque
		}
	case one.is("code"), one.is("codes"):
		if cvvOwners.has(before) {
			return markPassword, ruleCVV
		}
		if codeOwners.has(before) {
			return markPassword, ruleCode
		}
	case one.is("combination"), one.is("combo"):
		if lockOwners.has(before) {
			return markPassword, ruleCode
		}
	case one.is("fa") && before == "2":
		return markPassword, ruleCode
	case one.is("auth"):
		if authOwners.has(before) {
			return markToken, ruleOpaque
		}
	case one.is("pat"):
		if patOwners.has(before) {
			return markToken, ruleOpaque
		}
	case one.is("phrase"), one.is("words"):
		if phraseOwners.has(before) {
			return markPrivateKey, ruleMnemonic
		}
	case one.is("mnemonic"), one.is("seed"):
		return markPrivateKey, ruleMnemonic
	}
	return markNone, ruleNone
}

func tokenKind(before string) (mark, rule) {
	switch {
	case countedTokens.has(before):
		return markNone, ruleNone
	case tokenOwners.has(before):
		return markToken, ruleOpaque
	}
	return markToken, ruleCount
}

func keyMark(before string) mark {
	if wordless(before).is("private") {
		return markPrivateKey
	}
	return markAPIKey
}

// wordless is a word that is compared in either case.
type wordless string

func (w wordless) is(lower string) bool {
	return len(w) == len(lower) && hasFold(string(w), 0, lower)
}
