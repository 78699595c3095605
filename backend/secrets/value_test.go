package secrets

import (
	"strings"
	"testing"
)

// valueOf reads the value after the first "PW" of a text.
func valueOf(text string, r rule) (string, value, bool) {
	m := masker{text: text}
	at := strings.Index(text, "PW")
	v, ok := m.value(m.link(at, at+len("PW")), r)
	return text[v.from:max(v.from, v.to)], v, ok
}

func TestValueEnds(t *testing.T) {
	for text, want := range map[string]string{
		"PW: abc":                "abc",
		"PW: abc def":            "abc",
		"PW: abc.":               "abc",
		"PW: abc, def":           "abc",
		"PW: abc,def":            "abc,def",
		"PW: abc,user: x":        "abc",
		"PW: a&b;c":              "a&b;c",
		"PW=a&b=c":               "a",
		"PW=a;b=c":               "a",
		"PW: abc!":               "abc!",
		"PW: abc?":               "abc",
		"PW: abc)":               "abc",
		"PW: a(b)c":              "a(b)c",
		"PW: abc】":               "abc",
		"PW: abc，下":              "abc",
		"PW是abc你":                "abc",
		"PW: abc\ndef":           "abc",
		`PW: abc\ndef`:           "abc",
		`PW: abc\"`:              "abc",
		"PW: abc\"":              "abc",
		"PW: abc`":               "abc",
		"PW: abc**":              "abc",
		"PW: abc</b>":            "abc",
		"PW: a<b":                "a<b",
		"PW: abc&quot;":          "abc",
		"PW: abc->def":           "abc",
		"PW: pässwörd":           "pässwörd",
		"PW: пароль1":            "пароль1",
		"PW: ａｂ１，下":              "ａｂ１",
		"PW: abc😵":               "abc",
		"PW: abc[masked: token]": "abc",
		`PW: "a b c"`:            "a b c",
		`PW: "a\"b"`:             `a\"b`,
		"PW: 'a b'":              "a b",
		"PW: `a b`":              "a b",
		"PW: “a b”":              "a b",
		"PW: 「a b」":              "a b",
		"PW: 【ab】":               "ab",
		"PW: [ab]":               "ab",
		"PW: *ab*":               "ab",
		"PW: **ab**":             "ab",
		`PW: \"a b\"`:            "a b",
		`PW: "abc`:               "abc",
		"PW: \"abc\ndef\"":       "abc",
		"PW: 'abc def":           "abc",
	} {
		got, v, ok := valueOf(text, ruleAny)
		if !ok || got != want {
			t.Errorf("value of %q is %q (%v), want %q", text, got, ok, want)
		}
		if v.next < v.to || v.next > len(text) {
			t.Errorf("value of %q: goes on at %d after %d", text, v.next, v.to)
		}
	}
}

func TestValueIsMissing(t *testing.T) {
	for _, text := range []string{
		"PW", "PW:", "PW: ", "PW: ，", "PW: 什么", "PW: \n\nabc", "PW: ]", "PW: (abc", "PW: [abc", "PW: *abc def*", `x("PW: " + y)`, "PW: \"\"", "PW: [masked: password]",
	} {
		if got, _, ok := valueOf(text, ruleAny); ok && got != "" && !placeholder(got) && strings.Trim(got, `[]",.*()`) != "" {
			t.Errorf("value of %q is %q, want none", text, got)
		}
	}
}

func TestCodeValues(t *testing.T) {
	for text, want := range map[string]string{
		"PW: 483 920":    "483 920",
		"PW: 4839 2012":  "4839 2012",
		"PW: 483 9201":   "483",
		"PW: 483 920x":   "483",
		"PW: 483920 7":   "483920",
		"PW: 4921#":      "4921#",
		"PW: 4921, then": "4921",
	} {
		if got, _, _ := valueOf(text, ruleCode); got != want {
			t.Errorf("code of %q is %q, want %q", text, got, want)
		}
	}
}

// What a value is announced by decides how much it must look like one.
func TestAccepts(t *testing.T) {
	for _, c := range []struct {
		text       string
		rule       rule
		yes        bool
		alsoQuoted bool
	}{
		{"PW: %", ruleAny, true, true}, {"PW is %", ruleAny, true, true}, {"PW %", ruleAny, true, true},
		{"PW: %", ruleOpaque, true, true}, {"PW %", ruleOpaque, true, true}, {"PW: %", ruleCount, true, true},
		{"PW: %", ruleKey, true, true}, {"PW %", ruleKey, false, false},
	} {
		for _, quote := range []string{"", `"`} {
			if quote != "" && !c.alsoQuoted {
				continue
			}
			text := strings.Replace(c.text, "%", quote+"aB3dE6gH9kL2nP5qR8tU"+quote, 1)
			m := masker{text: text}
			a := announced{from: 0, to: 2, mark: markToken, rule: c.rule}
			l := m.link(0, 2)
			v, ok := m.value(l, c.rule)
			if !ok || m.accepts(a, l, v) != c.yes {
				t.Errorf("rule %d: %q is accepted: %v", c.rule, text, !c.yes)
			}
		}
	}
}

// Passwords with signs in them are masked whole.
func TestMaskOddPasswords(t *testing.T) {
	for _, v := range []string{
		"Tide(42)!x", "a<b7>c", "x{7}y!9", "p|pe42", "50%off!A", "#hash99", "$dollar9$", "@at99at", "!bang99", "^caret^9", "~tilde~9", "a+b=c99", "q?mark9?x",
		"semi;colon9", "com,ma99", "am&per99", "sla/sh99", `back\slash9`, "under_score9", "dash-ed-9", "dot.ted.9x", "co:lon99", "quo'te99", "ümlaut99", "Ñandú77",
	} {
		for _, s := range []spoken{
			say(markPassword, "password: {}", v), say(markPassword, "my password is {} now", v), say(markPassword, "密码是 {}", v),
			say(markPassword, `"password": "{}"`, strings.ReplaceAll(v, `\`, `\\`)), say(markPassword, "password='{}'", strings.ReplaceAll(v, "'", "")),
		} {
			if got := Mask(s.plain()); got != s.masked() {
				t.Errorf("Mask(%q) = %q", s.plain(), got)
			}
		}
	}
}
