package markup_test

import (
	"regexp"
	"strings"
	"testing"

	"tidemark/backend/markup"
)

func TestHTMLRendersMarkdown(t *testing.T) {
	for name, c := range map[string]struct{ in, want string }{
		"nothing to render": {"plain words", ""},
		"empty":             {"", ""},
		"emphasis":          {"**no pushes** after *midnight*", "<p><strong>no pushes</strong> after <em>midnight</em></p>"},
		"chinese":           {"**凌晨**不要推送", "<p><strong>凌晨</strong>不要推送</p>"},
		"list":              {"- a\n- b", "<ul>\n<li>a</li>\n<li>b</li>\n</ul>"},
		"code is text":      {"`<script>`", "<p><code>&lt;script&gt;</code></p>"},
		"link":              {"[sheet](https://example.org/a?b=1)", `<p><a href="https://example.org/a?b=1" rel="nofollow noreferrer">sheet</a></p>`},
		"image is a name":   {"![a cat](https://evil.example/t.png)", "<p>[image: a cat https://evil.example/t.png]</p>"},
		"table":             {"|a|b|\n|-|-|\n|1|2|", "<table>\n<thead>\n<tr>\n<th>a</th>\n<th>b</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>1</td>\n<td>2</td>\n</tr>\n</tbody>\n</table>"},
	} {
		if got := markup.HTML(c.in); got != c.want {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}

// attacks are texts that must not turn into anything that acts.
var attacks = []string{
	`<script>alert(1)</script>`, `<img src=x onerror=alert(1)>`, `<svg onload=alert(1)>`, `<iframe src="https://evil.example">`,
	`[x](javascript:alert(1))`, `[x](JaVaScRiPt:alert(1))`, `[x](data:text/html,<script>alert(1)</script>)`, `[x](vbscript:x)`, `[x](file:///etc/passwd)`,
	`<a href="javascript:alert(1)">x</a>`, `<style>body{display:none}</style>`, `<link rel=stylesheet href=https://evil.example/x.css>`,
	`<form action=https://evil.example><input name=a></form>`, `<meta http-equiv=refresh content="0;url=https://evil.example">`, `<base href="https://evil.example">`,
	"![x](https://evil.example/a.png)", "![x][y]\n\n[y]: https://evil.example/a.png", "<div style=\"background:url(https://evil.example)\">x</div>",
	"<p\x00onclick=alert(1)>", "<<script>script>alert(1)<</script>/script>", "<math><mi xlink:href=\"javascript:alert(1)\">x</mi></math>",
	"[/api/rebuild](/api/rebuild)", "[x](//evil.example)", "<video src=https://evil.example autoplay>", "<object data=x>", "<embed src=x>",
}

var acting = regexp.MustCompile(`(?i)<(script|img|svg|iframe|style|link|form|input|meta|base|video|audio|object|embed|math|div|source)|<[^>]*\son\w+\s*=|<[^>]*\sstyle\s*=|<[^>]*\ssrc\s*=|href="(?:javascript|data|vbscript|file|/|\.)`)

func TestHTMLNeverActs(t *testing.T) {
	for _, a := range attacks {
		if got := markup.HTML(a); acting.MatchString(got) {
			t.Errorf("%q became %q", a, got)
		}
	}
}

func TestHTMLLeavesLongTextsAlone(t *testing.T) {
	if got := markup.HTML(strings.Repeat("*a* ", 100_000)); got != "" {
		t.Errorf("a text of 400 KB was rendered to %d bytes", len(got))
	}
}

func FuzzHTML(f *testing.F) {
	for _, a := range attacks {
		f.Add(a)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if got := markup.HTML(text); acting.MatchString(got) {
			t.Errorf("%q became %q", text, got)
		}
	})
}
