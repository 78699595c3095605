package secrets

import "strings"

// Mask replaces the credentials in text by marks such as [masked: password].
// What stands around a credential stays, the word that announces it too. Text
// without credentials is returned as it is, without allocation. Masking masked
// text changes nothing, and valid UTF-8 stays valid.
func Mask(text string) string {
	masked, _ := MaskCount(text)
	return masked
}

// MaskCount is Mask and says how many marks were put in.
func MaskCount(text string) (string, int) {
	masked, count, _ := maskRounds(text, false)
	return masked, count
}

// maskRounds masks a text in rounds, and keeps the edits of all of them if it
// is asked to. A mark changes what stands beside it, and with that, rarely,
// what a rule says of the rest: a further round looks again. The second layer
// looks at what the rules have nothing more to say of.
func maskRounds(text string, keep bool) (masked string, count int, edits Edits) {
	for range mostRounds {
		m := masker{text: text, keep: keep}
		m.run()
		if m.count == 0 {
			m.leaks()
		}
		if m.count == 0 {
			break
		}
		count += m.count
		edits = edits.then(m.edits)
		text = m.result()
	}
	return text, count, edits
}

// mostRounds bounds the rounds: no text is known that needs more than five.
const mostRounds = 12

// masker is one pass over a text.
type masker struct {
	text  string
	out   strings.Builder
	done  int // text[:done] is in out, masked
	count int
	keep  bool  // whether edits are kept
	edits Edits // what was done in this pass
}

func (m *masker) run() {
	for at := 0; ; {
		at = watched.gate.next(m.text, at)
		if at < 0 {
			return
		}
		at = m.at(at)
	}
}

func (m *masker) result() string {
	m.out.WriteString(m.text[m.done:])
	return m.out.String()
}

// mask puts a mark in place of text[from:to]. Masks come in the order of the
// text; what a mark already covers is left to it, whole.
func (m *masker) mask(from, to int, with mark) {
	from = max(from, m.done)
	if from >= to || markAt(m.text, from) >= to || markAround(m.text, from) > 0 || markAround(m.text, to) > 0 {
		return
	}
	m.out.WriteString(m.text[m.done:from])
	at := m.out.Len()
	m.out.WriteString(with.String())
	if m.keep {
		m.edits = append(m.edits, Edit{from, to, at, m.out.Len()})
	}
	m.done = to
	m.count++
}

// at lets the rules look at a place where the gate opened and gives the place
// to go on from, which is always further on.
func (m *masker) at(i int) int {
	a, b, c := m.text[i], m.text[i+1], m.text[i+2]
	if is(a, isDigit) && is(b, isDigit) && is(c, isDigit) {
		return m.number(i)
	}
	tri := triple(a, b, c)
	for _, t := range watched.at(tri) {
		if t.tri != tri {
			continue
		}
		if next := m.wake(t.trigger, i-int(t.off)); next > i {
			return next
		}
	}
	return i + 1
}

// wake runs the rule of a trigger on what begins at text[from]. It gives the
// place to go on from, 0 if the rule does not apply.
func (m *masker) wake(t trigger, from int) int {
	if from < m.done {
		return 0
	}
	switch t.sense {
	case senseHead:
		return m.head(heads[t.n], from)
	case senseWord:
		return m.closeWord(closeWords[t.n], from)
	case senseFormat:
		return m.format(&formats[t.n], from)
	case senseURL:
		return m.url(from)
	case sensePEM:
		return m.pem(from)
	case senseJWT:
		return m.jwt(from)
	case senseDiscord:
		return m.discord(from)
	case senseAzure:
		return m.azure(from)
	case senseBearer:
		return m.bearer(from)
	case senseBasic:
		return m.basic(from)
	case senseCurl:
		return m.curl(from)
	case senseCommand:
		return m.command(commands[t.n], from)
	case senseWide:
		return m.wideNumber(from)
	}
	return 0
}
