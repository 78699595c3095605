package hans

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestText(t *testing.T) {
	for text, want := range map[string]string{
		"報表改回白底，別再用深色主題了": "报表改回白底，别再用深色主题了",
		"麻煩以後講電話的摘要都用條列":  "麻烦以后讲电话的摘要都用条列",
		"裡面和裏面":           "里面和里面",
		"妳看著辦，沒甚麼":        "你看着办，没什么",
		"乾淨、乾杯":           "干净、干杯",
		"Don't push 7:30": "Don't push 7:30",
		"土日は通知しないで":       "土日は通知しないで",
		"bad \xff bytes":  "bad \ufffd bytes",
		"":                "",
	} {
		if got := Text(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

func TestSimplifyStays(t *testing.T) {
	for r := rune(-1); r <= utf8.MaxRune; r++ {
		once := Simplify(r)
		if twice := Simplify(once); twice != once {
			t.Fatalf("%q folds to %q, and that to %q", r, once, twice)
		}
		if (r < first || r > last) && once != r {
			t.Fatalf("%q is no ideograph and folds to %q", r, once)
		}
	}
}

// TestSimplifiedStays holds the table to leaving simplified text alone, but for
// the variants.
func TestSimplifiedStays(t *testing.T) {
	const text = "的一是在不了有和人这中大为上个国我以要他时来用们生到作地于出就分对成会可主发年动同工也能下过子说产种面而方后多定行学法所民得经十三之进等部度家电力里如水化高自二理起小物现实加量都两体制机当使点从业本去把性好应开它合还因由其些然前外天政四日那社义事平形相全表间样与关各重新线内数正心反你明看原又利比或但质气第向道命此变条只没结解问意建月公无系军很情者最立代想已通并提直题程展五果料象员革位入常文总次品式活设及管特件长求老头基资边流路级少图山统接知较将组见计别她手角期根论运农指几九区强放决西被干做必战先回则任取据处队南给色光门即保治北造百规热领七海口东导器压志世金增争济阶油思术极交受联什认六共权收证改清己美再采转更单风切打白教速花带安场身车例真务具万每目至达走积示议声报斗完类八离华名确才科张信马节话米整空元况今集温传土许步群广石记需段研界拉林律叫且究观越织装影算低持音众书布复容儿须际商非验连断深难近矿千周委素技备半办青省列习响约支般史感劳便团往酸历市克何除消构府称太准精值号率族维划选标写存候毛亲快效斯院查江型眼王按格养易置派层片始却专状育厂京识适属圆包火住调满县局照参红细引听该铁价严"
	if got := Text(text); got != text {
		for i, r := range []rune(text) {
			if s := Simplify(r); s != r {
				t.Errorf("character %d: %q folds to %q", i, r, s)
			}
		}
	}
}

func TestPairs(t *testing.T) {
	n := 0
	for line := range strings.Lines(pairs) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		if c := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); c%2 != 0 {
			t.Errorf("a line of %d characters", c)
		} else {
			n += c / 2
		}
	}
	if n < 2500 {
		t.Errorf("%d pairs", n)
	}
	if !strings.Contains(pairs, "Apache License 2.0") {
		t.Error("the file does not say where it comes from")
	}
}

func BenchmarkSimplify(b *testing.B) {
	text := []rune(strings.Repeat("麻煩以後講電話的摘要都用條列 one line each ", 100))
	var sum rune
	for i := 0; b.Loop(); i++ {
		sum += Simplify(text[i%len(text)])
	}
	_ = sum
}

func BenchmarkTable(b *testing.B) {
	for b.Loop() {
		build(pairs)
	}
}
