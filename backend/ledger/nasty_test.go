package ledger

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"tidemark/backend/memory"
)

// nastyParts are parts of texts that are hard to keep on a line, in a comment
// or in a quotation.
var nastyParts = []string{"", " ", "  ", "\t", "a", "W", "B · ", "O ·  ", "W·", "? · ", "·", " · ", "报价单里的价格统一写含税价", "別半夜推東西", "ひ", "한국", "é", "🙂", "👩‍👩‍👧", "\u200b",
	"-->", "--", "-", "->", "--!>", "<!--", "<!-->", "<!", "<", "<script>", "</p>", "<?", "< 5", "<!-- unfinished -->", " <!-- statement · id `x` · at unknown · sum 00000000 -->", "<!-- said · at unknown -->", "<!-- tidemark ledger 1 -->",
	`\`, `\\`, `\<`, `\[`, `\n`, `\q`, `\u{`, `\u{41}`, `\u{110000}`, `\x{41}`, `\x{ff}`, `\⏎`, "⏎", "u{41}", "x{", "}", "`", "``", "```", "~~~", "|", "| a | b |", "*b*", "_i_", "[l](http://x)", "![p](http://x/t.png)", "![", "!", "[",
	"\n", "\r", "\r\n", "\n\n", "\n- W · x", "\n> q", "\n## t", "\n# h", "- ", "* ", "> ", ">", "## ", "\x00", "\x1b[31m", "\x7f", "\u0085", "\ufeff", "\ufffd", "\u2028", "\u2029", "\u202e", "\u2066", "\u200f", "\xff", "\xe6\x8a", "\xc2", "\xb7",
	"said again:", "pinned:  ", "forgotten", "&lt;", "$", "id `a`", " -->\n- W ·  gone <!-- "}

func nasty(r *rand.Rand) string {
	var b strings.Builder
	for range r.IntN(8) {
		b.WriteString(nastyParts[r.IntN(len(nastyParts))])
	}
	return b.String()
}

func orNot(r *rand.Rand) string {
	if r.IntN(2) == 0 {
		return ""
	}
	return nasty(r)
}

func nastyMoment(r *rand.Rand) memory.Millis {
	return []memory.Millis{0, 1, -1, 1771920005123, memory.Millis(r.Int64N(1e13)), -1 << 63, 1<<63 - 1, earliest, latest, earliest - 1, latest + 1}[r.IntN(11)]
}

func nastySpeaker(r *rand.Rand) memory.Speaker {
	return memory.Speaker{Kind: memory.SpeakerKind(r.IntN(3)), Name: orNot(r), Channel: orNot(r), Chat: orNot(r)}
}

func nastyKept(r *rand.Rand, id string) memory.KeptLine {
	k := memory.KeptLine{Kind: memory.KeptKind(r.IntN(len(verbs))), ID: id + nasty(r), At: nastyMoment(r), Tag: memory.Tag(r.IntN(4)), Text: nasty(r), Until: nastyMoment(r),
		Scope: memory.Scope(r.IntN(3)), Speaker: nastySpeaker(r), Session: orNot(r), Entry: orNot(r), Key: orNot(r), Rule: orNot(r), Of: orNot(r), By: orNot(r)}
	if r.IntN(2) == 0 {
		k.Start, k.End = r.IntN(1000)-10, r.IntN(1000)-10
	}
	for range r.IntN(3) {
		k.Forgotten = append(k.Forgotten, memory.ForgottenText{Runes: r.IntN(99), Print: r.Uint64(), Sum: nasty(r)})
	}
	return k
}

func nastySaid(r *rand.Rand) memory.Said {
	return memory.Said{Key: orNot(r), Session: orNot(r), Entry: orNot(r), At: nastyMoment(r), Speaker: nastySpeaker(r), Text: nasty(r)}
}

// plainKept is a statement as they mostly are.
func plainKept(n int) memory.KeptLine {
	return memory.KeptLine{ID: fmt.Sprintf("s%04d", n), At: 1771920005000 + memory.Millis(n), Tag: memory.TagWant, Text: fmt.Sprintf("报价单 %d 里的价格统一写含税价", n),
		Speaker: memory.Speaker{Kind: memory.SpeakerOwner, Name: "王总", Channel: "telegram"}, Session: "a-plain", Entry: fmt.Sprint("e", n), Key: fmt.Sprint("k", n), Start: 3, End: 17, Rule: "zh-standing"}
}

// TestShowIsUndone: any text comes back, and what stands in the file is one
// line of UTF-8 without marks that do not show, and with no comment.
func TestShowIsUndone(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 1))
	for range 200_000 {
		text := nasty(r)
		shown := show(text, true)
		checkLine(t, shown)
		if commentAt(shown) >= 0 {
			t.Fatalf("a comment in %q", shown)
		}
		if got := unshow(shown, true); got != text {
			t.Fatalf("%q is shown as\n%q, which gives\n%q", text, shown, got)
		}
		for _, line := range strings.Split(text, "\n") {
			shown := show(line, false)
			checkLine(t, shown)
			if got := unshow(shown, false); got != line {
				t.Fatalf("%q is shown as\n%q, which gives\n%q", line, shown, got)
			}
		}
	}
}

// TestHideIsUndone: the same for values in comments, which hold no two dashes.
func TestHideIsUndone(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	for range 200_000 {
		text := nasty(r)
		hidden := hide(text)
		checkLine(t, hidden)
		inside := hidden[1 : len(hidden)-1]
		if strings.Contains(hidden, "--") || strings.Contains(inside, "`") {
			t.Fatalf("%q is hidden as %q", text, hidden)
		}
		if got := unquote(inside); got != text {
			t.Fatalf("%q is hidden as\n%q, which gives\n%q", text, hidden, got)
		}
		if got := unquote(strings.Trim(quote(text), "`")); got != text {
			t.Fatalf("%q is quoted as\n%q, which gives\n%q", text, quote(text), got)
		}
	}
}

func checkLine(t *testing.T, line string) {
	t.Helper()
	if line != strings.ToValidUTF8(line, "?") || strings.ContainsFunc(line, func(r rune) bool { return unseen(r) }) {
		t.Fatalf("a line that does not show whole: %q", line)
	}
}

// TestShow: ordinary words stand as they are, and what would not show, or show
// something else, is escaped.
func TestShow(t *testing.T) {
	for _, c := range []struct{ text, line, block string }{
		{"报价单里的价格统一写含税价", "报价单里的价格统一写含税价", "报价单里的价格统一写含税价"},
		{`C:\Users\me, a_b *c* #d 50% | x`, `C:\Users\me, a_b *c* #d 50% | x`, `C:\Users\me, a_b *c* #d 50% | x`},
		{"price < 5 > 3 & 2", "price < 5 > 3 & 2", "price < 5 > 3 & 2"},
		{"one\ntwo", "one⏎two", ""},
		{"a⏎b", `a\⏎b`, "a⏎b"},
		{"use `make`", "use \\`make\\`", "use `make`"},
		{"<!-- x --> <b>", `\<!-- x --> \<b>`, `\<!-- x --> \<b>`},
		{"![p](http://x/t.png) [l](http://x)", `!\[p](http://x/t.png) [l](http://x)`, `!\[p](http://x/t.png) [l](http://x)`},
		{`\<`, `\\<`, `\\<`},
		{`\<b`, `\\\<b`, `\\\<b`},
		{`\\`, `\\\`, `\\\`},
		{`\.`, `\.`, `\.`},
		{`\u{41}`, `\\u{41}`, `\\u{41}`},
		{"\ufeff\x00\r\u202e\xff", `\u{feff}\u{0}\u{d}\u{202e}\x{ff}`, `\u{feff}\u{0}\u{d}\u{202e}\x{ff}`},
		{"שלום\u200d", "שלום\u200d", "שלום\u200d"},
	} {
		if got := show(c.text, true); got != c.line {
			t.Errorf("%q on a line is %q, want %q", c.text, got, c.line)
		}
		if got := show(c.text, false); c.block != "" && got != c.block {
			t.Errorf("%q in a quotation is %q, want %q", c.text, got, c.block)
		}
	}
}

// TestUnshowTyped: what show does not write stands for itself.
func TestUnshowTyped(t *testing.T) {
	for typed, want := range map[string]string{`\`: `\`, `a\b`: `a\b`, `\*x\*`: `\*x\*`, `C:\users\x{`: `C:\users\x{`, `\u{}`: `\u{}`, `\u{zz}`: `\u{zz}`, `\u{d800}`: `\u{d800}`, `\u{4142434445}`: `\u{4142434445}`,
		`\x{1}`: "\x01", `\x{100}`: `\x{100}`, `\<`: `<`, `a⏎b`: "a\nb", `\u{41}`: "A"} {
		if got := unshow(typed, true); got != want {
			t.Errorf("%q gives %q, want %q", typed, got, want)
		}
	}
	if got := unshow("a⏎b", false); got != "a⏎b" {
		t.Errorf("in a quotation: %q", got)
	}
}
