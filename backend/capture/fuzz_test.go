package capture

import (
	"reflect"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

func FuzzFind(f *testing.F) {
	for _, r := range loaded().rules {
		for _, text := range append(r.fires, r.not...) {
			f.Add(text)
		}
	}
	for _, text := range []string{"", " ", "\xff\xfe", "I\xffprefer tea", "“", "「「「", "```", "[masked: password]", "<a-b>", "don't 'x", "/new", "> a\n> b",
		"[Tue 2026-12-01 03:54 GMT+8] always use metric", "以后\x00都用", "\u200b以后都用表格", "İ prefer tea", "until 99th", "7月底之前我都在哈尔滨", "A：以后\nB：不许"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) { checkPromises(t, text) })
}

// checkPromises checks what holds for any text.
func checkPromises(t *testing.T, text string) {
	t.Helper()
	items := Find(text, noon)
	if again := Find(text, noon); !reflect.DeepEqual(again, items) {
		t.Fatalf("Find(%q) = %v, and then %v", text, items, again)
	}
	var offsets []int
	for at := range text {
		offsets = append(offsets, at)
	}
	offsets = append(offsets, len(text))
	last := 0
	for _, it := range items {
		if it.Start < last || it.End <= it.Start || it.End >= len(offsets) {
			t.Fatalf("Find(%q): %v does not stand in %d code points behind %d", text, it, len(offsets)-1, last)
		}
		last = it.End
		if want := text[offsets[it.Start]:offsets[it.End]]; it.Text != want {
			t.Fatalf("Find(%q): text %q, want %q", text, it.Text, want)
		}
		if utf8.ValidString(text) && !utf8.ValidString(it.Text) {
			t.Fatalf("Find(%q): %q is no valid UTF-8", text, it.Text)
		}
		if strings.Contains(it.Text, "[masked: password]") {
			t.Fatalf("Find(%q): %q holds a mark", text, it.Text)
		}
		if it.Tag.String() == "" || it.Rule == "" {
			t.Fatalf("Find(%q): %v has no tag or no rule", text, it)
		}
	}
}

// TestLinear keeps the time on text made to be slow about proportional to its
// length.
func TestLinear(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	for _, piece := range []string{"always never ", "I prefer ", "don't ", "以后都不要", "如果", "「", "“", "\"", "'", "`", "```", "[", "<a-b>", "<a-b", "(", "[masked: ", "http://",
		"a: b\n", "from: x\n", "> ", "/", "\n", " ", "，", "i,", "until 5 ", "7月底之前", "error:", "i 'x ", "no in no in ", "my my is ", "if if if ", "?", "a.", "。我", "只", "ない", "지 마 "} {
		small, large := strings.Repeat(piece, 1<<14/len(piece)), strings.Repeat(piece, 1<<18/len(piece))
		base, took := fastest(small), fastest(large)
		if limit := 16*4*base + 100*time.Millisecond; took > limit {
			t.Errorf("256 KiB of %q take %v, 16 KiB %v: want at most %v", piece, took, base, limit)
		}
		t.Logf("%q %v %v", piece, base, took)
	}
}

// fastest gives how long Find takes when nothing else is in the way.
func fastest(text string) time.Duration {
	best := time.Duration(1 << 62)
	for range 3 {
		begin := time.Now()
		Find(text, noon)
		best = min(best, time.Since(begin))
	}
	return best
}

func TestAnyCutOfAMessageIsSafe(t *testing.T) {
	for _, text := range []string{english200, chinese200, "[Tue 2026-12-01 03:54 GMT+8] my “quote” `code` is [masked: password] 🙄 以后都「x」"} {
		for at := range len(text) {
			checkPromises(t, text[:at])
			checkPromises(t, text[at:])
		}
	}
}
