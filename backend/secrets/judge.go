package secrets

import "strings"

// accepts says whether v is the credential that a announces through l.
func (m *masker) accepts(a announced, l link, v value) bool {
	text := m.text[v.from:v.to]
	if placeholder(text) || l.tagged && !strings.HasPrefix(m.text[v.to:], "</") {
		return false
	}
	if core := strings.TrimRight(text, "!"); !v.quoted && core != "" {
		v.to -= len(text) - len(core) // an exclamation mark may be the sentence's
		text = core
	}
	s := shapeOf(text)
	if v.bracket && (s.digits == 0 || s.spaces > 0 || s.other > 0) {
		return false
	}
	if l.broken && !v.quoted && (s.digits == 0 || !m.clauseEnds(v.to)) {
		return false // the next line speaks of something else
	}
	if m.measured(v, s) || !v.quoted && (!begins(text, l.bond) || code(text, l)) {
		return false
	}
	switch a.rule {
	case ruleAny:
		return m.acceptsAny(a, l, v, s)
	case ruleCode:
		return m.acceptsCode(l, v, s)
	case ruleCVV:
		return s.number() && s.n >= 3 && (s.n <= 4 || s.n <= 8 && l.bond > bondLoose)
	case ruleIdentity:
		return s.lower == 0 && s.odd == 0 && s.digits >= 6 && s.digits+s.upper == s.n && (s.n == 15 || s.n == 18 || s.upper > 0 && s.n >= 8 && s.n <= 12)
	case ruleKey:
		return l.bond > bondLoose && s.mixed() && s.spaces == 0 && (random(text, s, m.inQuery(a.from)) || allHex(text) && s.n >= 32 && m.possessed(a.from))
	default:
		return m.acceptsOpaque(a, l, v, s)
	}
}

// begins says that a bare value may begin like text. Brackets open structures;
// without a sign before it a value begins with a letter or a digit.
func begins(text string, b bond) bool {
	if b == bondLoose && text[0] < 0x80 && !is(text[0], isAlnum) {
		return strings.IndexByte("!@#$", text[0]) >= 0 && hasDigits(text, 1) || text[0] == '*' && hasDigits(text, 3)
	}
	if b == bondLoose && strings.ContainsAny(text, "<>") {
		return false
	}
	return strings.IndexByte("{[(", text[0]) < 0
}

// acceptsAny judges passwords.
func (m *masker) acceptsAny(a announced, l link, v value, s shape) bool {
	text := m.text[v.from:v.to]
	switch {
	case a.faint && m.faintly(a, l, s):
		return false
	case v.quoted:
		return m.acceptsQuoted(l, text, s)
	case s.other > 0:
		return false
	case terms.has(text) || typeNames.has(text):
		return false
	case s.number():
		return s.n >= 4 || s.n == 3 && l.bond > bondLoose
	case s.digits >= 4 && len(strings.TrimRight(text, "#*")) == s.digits:
		return true // a door's code with the key that ends it
	case s.letters() == 0 && s.digits == 0:
		return l.bond == bondFirm && s.n >= 4 && s.odd >= 3
	case s.mixed(), s.digits > 0 && s.odd > 0, s.odd > 0 && s.letters() > 0:
		if l.bond == bondLoose {
			return s.n >= 6 && s.mixed() || a.share && s.n >= 4 && s.n <= 8 && s.mixed() && m.clauseEnds(v.to) || s.n >= 4 && s.odd > 0 && !strings.Contains(text, "=")
		}
		return s.n >= 3
	case s.digits > 0:
		return l.bond > bondLoose && s.n >= 4
	}
	return m.acceptsPlain(a, l, v, s)
}

// faintly says that "pass" does not announce a password here: test runners
// write PASS: and packages are called ::Pass.
func (m *masker) faintly(a announced, l link, s shape) bool {
	switch {
	case l.bond == bondLoose:
		return !s.mixed() || !m.accountBefore(a.from)
	case l.assign:
		return l.spaced && !s.mixed()
	case byteAt(m.text, a.from-1) == ':' || byteAt(m.text, a.from-1) == '-':
		return true
	}
	return !s.mixed() || isAt(m.text, a.from+1, isUpper)
}

// acceptsPlain judges passwords that consist of letters, which only the bond
// and the end of the clause tell from the rest of a sentence.
func (m *masker) acceptsPlain(a announced, l link, v value, s shape) bool {
	text := m.text[v.from:v.to]
	if s.n < 4 || ordinary.has(text) || l.turned || l.vague {
		return false
	}
	switch {
	case a.option:
		return !codeNames.has(text) && !prose.has(text)
	case l.bond == bondLoose:
		return m.clauseEnds(v.to) && !adjective(text) && m.accountBefore(a.from)
	case built(text, s) && !l.assign:
		return !SecretKey(text)
	case l.bond == bondFirm && l.assign:
		return !codeNames.has(text) && !SecretKey(text)
	case l.bond == bondFirm:
		return m.clauseEnds(v.to) && !(s.caps > 0 && SecretKey(text))
	case l.bond == bondVerb:
		return m.clauseEnds(v.to) && !adjective(text) && s.n >= 5
	}
	return false
}

// built says that letters are put together as no word is: Hunter-Example,
// SunFlowerField.
func built(text string, s shape) bool {
	return s.upper > 1 && s.lower > 0 && s.n >= 8 && strings.ContainsAny(text, "-_") || s.caps > 1
}

// acceptsQuoted judges passwords between quotes, which may be phrases.
func (m *masker) acceptsQuoted(l link, text string, s shape) bool {
	switch {
	case s.n < 3:
		return false
	case s.other > 0:
		return (l.bond > bondLoose || s.digits > 0) && !strings.ContainsAny(text, closeProse)
	case s.spaces > 0:
		return (l.bond > bondLoose || s.digits > 0) && s.n >= 6 && !proseIn(text)
	case s.mixed(), s.number() && s.n >= 3:
		return true
	}
	if s.caps > 0 && SecretKey(text) {
		return false
	}
	return l.bond > bondLoose && !ordinary.has(text) && !terms.has(text) && !typeNames.has(text) && !codeNames.has(text)
}

// acceptsCode judges PINs and one-time codes.
func (m *masker) acceptsCode(l link, v value, s shape) bool {
	text := m.text[v.from:v.to]
	core := strings.Trim(text, "#*")
	c := shapeOf(core)
	spread := c.digits > 0 && c.digits == c.n-strings.Count(core, "-")-strings.Count(core, " ")
	switch {
	case grouped(core) && c.digits > 0:
		return true
	case spread && !strings.HasPrefix(core, "-"):
		return c.digits >= 4 && c.digits <= 12
	case m.nextIsLetter(v), l.vague:
		return false
	case l.bond == bondLoose && c.mixed() && c.digits >= 3 && c.n >= 8 && strings.IndexByte(core, '-') > 0 && !slug(core):
		return true // a backup code
	case l.bond == bondVerb && c.n <= 16 && numberThenWord(core):
		return true
	case c.lower > 0 && l.bond < bondFirm:
		return false
	case s.other > 0 || s.spaces > 0 || terms.has(core) || strings.ContainsAny(core, `\(){}[]<>.,;:/"'`) || slug(core) && c.digits < 3:
		return false
	}
	return l.bond > bondLoose && c.mixed() && c.digits >= 1 && c.n >= 4 && c.n <= 16
}

// numberThenWord knows "4471-ok": four digits or more, and a word behind a
// hyphen.
func numberThenWord(text string) bool {
	head, tail, ok := strings.Cut(text, "-")
	h, t := shapeOf(head), shapeOf(tail)
	return ok && h.number() && h.n >= 4 && t.n > 1 && t.letters() == t.n
}

// nextIsLetter says that a value stops in the middle of a word.
func (m *masker) nextIsLetter(v value) bool { return !v.quoted && isAt(m.text, v.to, isWord) }

// acceptsOpaque judges keys, secrets and tokens.
func (m *masker) acceptsOpaque(a announced, l link, v value, s shape) bool {
	text := m.text[v.from:v.to]
	if s.other > 0 || s.spaces > 0 || terms.has(text) || typeNames.has(text) || strings.HasPrefix(text, "/") {
		return false
	}
	if !v.quoted && strings.ContainsAny(text, `{}()[]<>|\`) || v.quoted && strings.ContainsAny(text, `{}\`) || s.digits <= 4 && (s.caps > 0 || strings.ContainsAny(text, "_.")) && SecretKey(text) {
		return false // a pattern, a template, the name of a variable
	}
	if s.number() {
		return a.rule == ruleOpaque && l.bond > bondLoose && s.n >= 6 || s.n >= 20 && l.bond > bondLoose
	}
	if s.mixed() {
		switch {
		case l.bond == bondLoose:
			return s.n >= 8 && s.digits >= 2 && (!slug(text) || s.n >= 24) || s.n >= 24 && mixedCase(text)
		case l.bond == bondVerb || a.rule == ruleCount:
			return s.n >= 6 && (s.digits >= 2 || s.n >= 12 || s.n >= 10 && a.rule == ruleOpaque && !slug(text) && m.clauseEnds(v.to))
		}
		return s.n >= 4
	}
	if s.letters() == 0 || l.bond < bondFirm {
		return s.n >= 20 && s.caps > 1 && l.bond > bondLoose || l.bond == bondVerb && shouted(text, s) && !SecretKey(text)
	}
	if ordinary.has(text) || codeNames.has(text) || SecretKey(text) {
		return false
	}
	tight := l.assign && !l.spaced && strings.IndexByte(text, '.') < 0 && !adjective(text)
	return v.quoted && s.n >= 6 || tight && s.n >= 6 || s.n >= 20 && (s.caps > 1 || strings.IndexByte(text, '_') < 0) || s.odd > 0 && s.n >= 6
}

// shouted says that a value is three or more words in capitals, as made-up keys
// are written: EXAMPLE-KEY-NOT-REAL.
func shouted(text string, s shape) bool {
	return s.n >= 12 && s.upper > s.lower && strings.Count(text, "-")+strings.Count(text, "_") > 1
}

// random says that a value has the mixture of characters that only chance
// makes. Checksums and UUIDs do not count: they identify things. In a query a
// shorter value is enough.
func random(text string, s shape, query bool) bool {
	if uuid(text) || slug(text) || strings.ContainsAny(text, ".:/(") {
		return false
	}
	return query && s.n >= 16 && s.digits >= 4 || s.n >= 20 && s.digits >= 2 && s.upper > 0 && s.lower > 0 && !allHex(text)
}

// possessed says that the word at text[at] is somebody's: 高德的key, "my key".
func (m *masker) possessed(at int) bool {
	at = runBackByte(m.text, at, ' ')
	for _, owner := range []string{"的", "my", "our", "'s"} {
		if endsFold(m.text, at, owner) && (owner[0] >= 0x80 || !isAt(m.text, at-len(owner)-1, isAlnum) || owner[0] == '\'') {
			return true
		}
	}
	return false
}

// inQuery says that the name at text[at] is a parameter of an address.
func (m *masker) inQuery(at int) bool {
	c := byteAt(m.text, at-1)
	return c == '?' || c == '&'
}
