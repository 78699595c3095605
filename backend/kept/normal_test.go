package kept

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"tidemark/backend/memory"
)

func TestNormal(t *testing.T) {
	for text, want := range map[string]string{
		"":                  "",
		"  \n\t ":           "",
		"Don't push ME!":    "dont push me",
		"Don’t   push\nme…": "dont push me",
		"Ｄｏｎ＇ｔ ｐｕｓｈ　ｍｅ":     "dont push me",
		"別半夜給我推消息！":         "别半夜给我推消息",
		"PPT 的 font 统一用 霁青黑体，looks good": "ppt的font统一用霁青黑体looks good",
		"7:30, 07:30; 3.5 and 1,000.5":   "7:30 07:30 3.5 and 1000.5",
		"1,000,000 but 1,00":             "1000000 but 1 00",
		"5-3, -5, x-5, UTC-8, 8–9":       "5-3 -5 x 5 utc-8 8-9",
		"end. 3. next":                   "end 3 next",
		"50% off, $40, C++, #general":    "50% off $40 c++ #general",
		"> quoted\n- item\n# title\n+ x": "quoted item title x",
		"a > b":                          "a > b",
		"café Zürich Łódź":               "cafe zurich lodz",
		"cafe\u0301":                     "cafe",
		"naïve\u200b text\ufeff":         "naive text",
		"ｶﾞｷﾞﾊﾟｳﾞ":                       "ガギパヴ",
		"か\u3099":                        "が",
		"好的🎉👍🏽":                          "好的",
		"bad \xff\xfe bytes":             "bad bytes",
		"第１２３号":                          "第123号",
		"「以后」『今后』《书》":                    "以后今后书",
		"Ünïcödé ŽLUŤOUČKÝ":              "unicode zlutoucky",
		"ПРИВЕТ мир":                     "привет мир",
		"안녕 하세요":                         "안녕 하세요",
		"ls’s":                           "lss",
		"rock 'n' roll":                  "rock n roll",
	} {
		if got := Normal(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

// TestKeyStays: keys and ids are in ledgers.
func TestKeyStays(t *testing.T) {
	const text = "報表改回白底，7:30 — Don't!"
	if got, want := Key("main", "e1", 1772000000000, text), "kidk3wkcxx3mddjvj6vr"; got != want {
		t.Errorf("key: got %s, want %s", got, want)
	}
	if got, want := ID("k1", 3, 17), "sy7qtu6lvqh"; got != want {
		t.Errorf("id: got %s, want %s", got, want)
	}
	seen := map[string]bool{}
	for _, k := range []string{Key("a", "b", 1, "x"), Key("ab", "", 1, "x"), Key("a", "b", 2, "x"), Key("a", "b", 1, "y"), Key("b", "b", 1, "x"), ID("a", 1, 2), ID("a", 1, 3), ID("a1", 1, 2), ID("a", 11, 2)} {
		if seen[k] {
			t.Errorf("%s twice", k)
		}
		seen[k] = true
	}
	if Key("a", "b", 1, "別推！") != Key("a", "b", 1, "别推") {
		t.Error("copies of a message have two keys")
	}
}

func TestDefaultScope(t *testing.T) {
	for _, c := range []struct {
		tag  memory.Tag
		who  memory.SpeakerKind
		want memory.Scope
	}{
		{memory.TagBoundary, memory.SpeakerOwner, memory.ScopeAll},
		{memory.TagWant, memory.SpeakerOwner, memory.ScopeAgent},
		{memory.TagDetail, memory.SpeakerOwner, memory.ScopeAgent},
		{memory.TagBoundary, memory.SpeakerContact, memory.ScopeContact},
		{memory.TagWant, memory.SpeakerContact, memory.ScopeContact},
		{memory.TagBoundary, memory.SpeakerUnknown, memory.ScopeAgent},
	} {
		if got := DefaultScope(c.tag, c.who); got != c.want {
			t.Errorf("%v of %v: got %v, want %v", c.tag, c.who, got, c.want)
		}
	}
}

func FuzzNormal(f *testing.F) {
	for _, text := range []string{"Don't 7:30, 1,000", "別推 x -5", "か\u3099ｶﾞ", "> a\n# b", "a\u0301\u200b", "[forgotten] x"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		normal := Normal(text)
		if !utf8.ValidString(normal) || strings.HasPrefix(normal, " ") || strings.HasSuffix(normal, " ") || strings.Contains(normal, "  ") {
			t.Errorf("%q", normal)
		}
		if upper := Normal(strings.ToUpper(text)); isASCII(text) && upper != normal {
			t.Errorf("in capitals: %q, else %q", upper, normal)
		}
		n := normaliser{places: true}
		n.run(text)
		if !strings.Contains(text, forgottenMark) && string(n.out) != normal {
			t.Errorf("with places: %q, without: %q", string(n.out), normal)
		}
		for i := range n.out {
			if n.at[i].from > n.at[i].to || int(n.at[i].to) > len(text) || i > 0 && n.at[i].from < n.at[i-1].to {
				t.Errorf("rune %d is at %d to %d", i, n.at[i].from, n.at[i].to)
			}
		}
	})
}

func isASCII(text string) bool {
	return !slices.ContainsFunc([]byte(text), func(b byte) bool { return b >= utf8.RuneSelf })
}

func BenchmarkNormal(b *testing.B) {
	text := strings.Repeat("麻煩以後講電話的摘要都用條列, one line each. ", 4)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		Normal(text)
	}
}
