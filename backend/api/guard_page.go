package api

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
)

// page is a page of the guard in one language. It has no style and no script,
// so that a stranger is served nothing of the product.
type page struct{ lang, title, body string }

// The pages of the guard, English first.
var (
	pageStranger = [2]page{
		{"en", "This browser has no access yet", `<p>Tidemark shows what your agents remember to you alone.</p>
<p>To let this browser in, run <code>tidemark serve</code> in a terminal and open the link that it prints. A link works once, for ten minutes.</p>`},
		{"zh", "此浏览器尚无访问权限", `<p>Tidemark 只向您本人展示智能体的记忆。</p>
<p>要允许此浏览器访问，请在终端中运行 <code>tidemark serve</code>，然后打开它显示的链接。每个链接只能使用一次，十分钟内有效。</p>`},
	}
	pageSpent = [2]page{
		{"en", "This link does not work any more", `<p>A link to Tidemark works once, for ten minutes. This one was used, is too old, or is not complete.</p>
<p>If this browser was let in before, <a href="/">open Tidemark</a>. Otherwise run <code>tidemark serve</code> in a terminal and open the new link that it prints.</p>`},
		{"zh", "此链接已失效", `<p>Tidemark 的链接只能使用一次，十分钟内有效。此链接已被使用、已过期，或不完整。</p>
<p>如果此浏览器之前已获准访问，请<a href="/">打开 Tidemark</a>。否则请在终端中运行 <code>tidemark serve</code>，然后打开它显示的新链接。</p>`},
	}
)

// pageForm takes the language, the title twice and the body.
const pageForm = `<!doctype html>
<html lang="%s">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>Tidemark</title></head>
<body><h1>%s</h1>
%s
</body>
</html>
`

// writePage answers with a page in the language of the browser.
func writePage(w http.ResponseWriter, r *http.Request, status int, pages [2]page) {
	p := pages[0]
	if prefersChinese(r.Header.Get("Accept-Language")) {
		p = pages[1]
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Language", p.lang)
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = fmt.Fprintf(w, pageForm, p.lang, p.title, p.body) // nobody is left to tell
}

// prefersChinese says whether an Accept-Language header ranks Chinese above
// English: by weight, then by order. Without either, English is served.
func prefersChinese(header string) bool {
	var chinese, english float64
	for item := range strings.SplitSeq(header, ",") {
		tag, params, _ := strings.Cut(item, ";")
		weight := 1.0
		if q, ok := strings.CutPrefix(strings.TrimSpace(params), "q="); ok {
			weight, _ = strconv.ParseFloat(q, 64) // what is no number weighs nothing
		}
		switch lang, _, _ := strings.Cut(strings.ToLower(strings.TrimSpace(tag)), "-"); lang {
		case "zh":
			// Of equal weights the first counts: a later Chinese needs more.
			if weight > english {
				chinese = max(chinese, weight)
			}
		case "en":
			english = max(english, weight)
		}
	}
	return chinese > 0 && chinese >= english
}
