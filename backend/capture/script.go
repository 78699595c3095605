package capture

// script is what a sentence is written in, beside Latin.
type script uint8

const (
	scriptLatin script = iota
	scriptHan
	scriptKana
	scriptHangul
)

// scripts are those of the languages of rules. A language that is not here is
// written in Latin, and its rules see every sentence: people mix.
var scripts = map[string]script{"zh": scriptHan, "ja": scriptKana, "ko": scriptHangul}

// scriptOf tells the script of tokens.
func (w *words) scriptOf(from, to int) script {
	var han, kana, hangul int
	for _, t := range w.tokens[from:to] {
		if t.kind != tokenHan {
			continue
		}
		switch r := w.folded[t.from]; {
		case isHangul(r):
			hangul++
		case r >= 0x3041 && r <= 0x30ff:
			kana++
		default:
			han++
		}
	}
	switch {
	case kana >= 2 && kana*4 >= han:
		return scriptKana
	case hangul > han:
		return scriptHangul
	case han > 0:
		return scriptHan
	}
	return scriptLatin
}
