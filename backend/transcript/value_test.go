package transcript_test

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"tidemark/backend/transcript"
)

func TestEscapes(t *testing.T) {
	for raw, want := range map[string]string{
		`plain`: "plain", `\n\t\r\b\f\"\\\/`: "\n\t\r\b\f\"\\/", `\u0041\u00e9\u4f60`: "Aé你", `\ud83d\ude00`: "😀", `\uD83D\uDE00!`: "😀!", `\u0000`: "\x00",
		`\ud83d`: "\ufffd", `\ude00`: "\ufffd", `\ud83d\ud83d`: "\ufffd\ufffd", `\ud83dx`: "\ufffdx", `\ud83d\u0041`: "\ufffdA", `\ude00\ud83d\ude00`: "\ufffd😀",
		`a\\`: `a\`, `\\\"`: `\"`, `\\u0041`: `\u0041`, `你好\n世界`: "你好\n世界",
		// What no writer writes: kept as far as it makes sense.
		`\q`: "q", `\u12`: "\ufffd12", `\u`: "\ufffd", `\uzzzz`: "\ufffdzzzz", "\xff\xfeA": "\ufffdA", `\n` + "\xe4\xbd": "\n\ufffd",
	} {
		line := message(`{"role":"user","content":"` + raw + `","idempotencyKey":"` + raw + `"}`)
		ev := mustDecode(t, line, true)
		if ev.Message.Text != want || ev.Message.IdempotencyKey != want {
			t.Errorf("%s: got %q and %q, want %q", raw, ev.Message.Text, ev.Message.IdempotencyKey, want)
		}
		var strict string
		if json.Unmarshal([]byte(`"`+raw+`"`), &strict) == nil && strict != want && utf8.ValidString(raw) {
			t.Errorf("%s: the standard library gives %q, want %q", raw, strict, want)
		}
	}
}

// Quotes and backslashes at the end of a string, in any number.
func TestEscapedQuotes(t *testing.T) {
	for slashes := range 9 {
		raw := strings.Repeat(`\`, slashes)
		if slashes%2 == 1 {
			raw += `"`
		}
		line := message(`{"role":"user","later":["` + raw + `"],"content":"x` + raw + `","model":"m"}`)
		ev := mustDecode(t, line, true)
		var want string
		if err := json.Unmarshal([]byte(`"x`+raw+`"`), &want); err != nil {
			t.Fatal(err)
		}
		if ev.Message.Text != want || ev.Message.Model != "m" {
			t.Errorf("%s: got %q", raw, ev.Message.Text)
		}
	}
}

// A cut never splits a character or an escape, and takes away no more than it
// must.
func TestCutRaw(t *testing.T) {
	raw := `ab\n\"\\\u4f60你😀\ud83d\ude00é\\\\u0041\\\u0041z\\`
	var whole string
	if err := json.Unmarshal([]byte(`"`+raw+`"`), &whole); err != nil {
		t.Fatal(err)
	}
	for n := range len(raw) + 3 {
		cut := transcript.CutRaw([]byte(raw), n)
		var part string
		if err := json.Unmarshal([]byte(`"`+string(cut)+`"`), &part); err != nil || strings.Contains(part, "\ufffd") || !strings.HasPrefix(whole, part) {
			t.Errorf("at %d: %q gives %q (%v)", n, cut, part, err)
		}
		if len(cut) > n && n < len(raw) || len(cut) < min(n, len(raw))-11 {
			t.Errorf("at %d: %d bytes are left", n, len(cut))
		}
	}
	for _, broken := range []string{"\xbf\xbf\xbf\xbf\xbf\xbf\xbf\xbf", `\\\\\\\\\\\\`, `\u\u\u\u\u\u`, `\ud83d\ud83d\ud83d`} {
		for n := range len(broken) + 1 {
			if cut := transcript.CutRaw([]byte(broken), n); len(cut) > n || len(cut) < n-11 {
				t.Errorf("%q at %d: %q", broken, n, cut)
			}
		}
	}
}

// Marks that a reader put in the place of bytes count as those bytes.
func TestElidedImages(t *testing.T) {
	image := func(data string) string { return `{"type":"image","data":"` + data + `","mimeType":"image/png"}` }
	whole := strings.Repeat("QUJD", 30_000)
	for _, kept := range []int{0, 17, 4096} {
		short := whole[:kept] + transcript.Elided(int64(len(whole)-kept))
		ev := mustDecode(t, message(`{"role":"user","content":[{"type":"text","text":"look"},`+image(short)+`]}`), true)
		if want := int64(len(image(whole))); ev.Message.Images != 1 || ev.Message.ImageBytes != want || ev.Message.Text != "look" {
			t.Errorf("%d kept: %d images of %d bytes, want %d; text %q", kept, ev.Message.Images, ev.Message.ImageBytes, want, ev.Message.Text)
		}
	}
	two := image(transcript.Elided(1000)) + "," + strings.Replace(image(transcript.Elided(5)), "data", "url", 1)
	ev := mustDecode(t, message(`{"role":"user","content":[`+two+`]}`), false)
	want := int64(len(image(""))*2-1) + 1005
	if ev.Message.Images != 2 || ev.Message.ImageBytes != want {
		t.Errorf("%d images of %d bytes, want 2 of %d", ev.Message.Images, ev.Message.ImageBytes, want)
	}
	// A person who types the mark, or half of one, counts as what was typed.
	for _, typed := range []string{"…[tidemark left out ", "…[tidemark left out x bytes]", "…[tidemark left out -5 bytes]", "…[tidemark left out 99999999999999999999 bytes]"} {
		ev := mustDecode(t, message(`{"role":"user","content":[`+image(typed)+`]}`), false)
		if ev.Message.ImageBytes != int64(len(image(typed))) {
			t.Errorf("%q: %d bytes", typed, ev.Message.ImageBytes)
		}
	}
	// In a text the mark stays: a person sees that something is missing.
	if ev := mustDecode(t, message(`{"role":"user","content":"begin`+transcript.Elided(7)+`"}`), true); ev.Message.Text != "begin…[tidemark left out 7 bytes]" {
		t.Errorf("got %q", ev.Message.Text)
	}
	for _, kind := range []string{"image_url", "input_image", "image"} {
		ev := mustDecode(t, message(`{"role":"user","content":[{"`+"x"+`":1,"type":"`+kind+`"}]}`), false)
		if ev.Message.Images != 1 {
			t.Errorf("%s is no image", kind)
		}
	}
}

// Strings of many megabytes are walked over, not held: decoding a line with an
// image takes no memory that grows with it.
func TestHugeStrings(t *testing.T) {
	huge := strings.Repeat("A", 16<<20)
	line := []byte(`{"type":"message","id":"k0","parentId":null,"timestamp":"2026-05-10T10:00:00Z","message":{"role":"toolResult","content":[{"type":"image","data":"` + huge + `"}]}}`)
	for _, texts := range []bool{false, true} {
		ev := mustDecode(t, string(line), texts)
		if ev.ID != "k0" || texts && ev.Message.ImageBytes < int64(len(huge)) {
			t.Errorf("got %+v", ev.Message)
		}
	}
	var d transcript.Decoder
	d.Texts = true
	ev := mustDecode(t, string(line), true)
	if n := testing.AllocsPerRun(3, func() { d.Decode(line, &ev) }); n > 10 {
		t.Errorf("%v allocations", n)
	}
}
