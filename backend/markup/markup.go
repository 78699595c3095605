// Package markup turns untrusted Markdown, with whatever HTML is in it, into
// HTML that does nothing by itself: no script, no style, no form, no image is
// ever fetched, and links are plain addresses that a person must choose to open.
package markup

import (
	"bytes"
	"fmt"
	"html"
	"strings"
	"sync"

	"github.com/microcosm-cc/bluemonday"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/util"
)

// maxText bounds what is rendered: a longer text is shown as it is.
const maxText = 256 << 10

// plainSigns are the characters without which a text has no markup.
const plainSigns = "*_`#>[]()|~<&\n-+:=\\"

// HTML renders text. It gives "" where the text holds no markup or is too long,
// so that it is shown as it is. Safe for concurrent use.
func HTML(text string) string {
	if text == "" || len(text) > maxText || !strings.ContainsAny(text, plainSigns) {
		return ""
	}
	p := parts()
	var out bytes.Buffer
	if err := p.markdown.Convert([]byte(text), &out); err != nil { // the text stands as it is
		return ""
	}
	return strings.TrimSpace(p.policy.SanitizeReader(&out).String())
}

type renderers struct {
	markdown goldmark.Markdown
	policy   *bluemonday.Policy
}

// parts builds the renderers when they are first needed.
var parts = sync.OnceValue(func() renderers {
	md := goldmark.New(
		goldmark.WithExtensions(extension.Table, extension.Strikethrough),
		goldmark.WithRendererOptions(renderer.WithNodeRenderers(util.Prioritized(imageNames{}, 100))),
	)
	p := bluemonday.NewPolicy()
	p.AllowElements("p", "br", "hr", "strong", "em", "del", "code", "pre", "blockquote", "ul", "ol", "li",
		"h1", "h2", "h3", "h4", "h5", "h6", "table", "thead", "tbody", "tr", "th", "td")
	p.AllowAttrs("href").OnElements("a")
	p.AllowURLSchemes("https", "http", "mailto")
	p.AllowRelativeURLs(false)
	p.RequireNoReferrerOnLinks(true)
	p.RequireNoFollowOnLinks(true)
	return renderers{markdown: md, policy: p}
})

// imageNames renders an image as its description, and raw HTML as the text
// that it is: a person then sees what was written, and nothing is fetched.
type imageNames struct{}

// RegisterFuncs takes the place of goldmark's own renderers for these nodes.
func (imageNames) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(ast.KindImage, func(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			fmt.Fprintf(w, "[image: ")
		} else {
			fmt.Fprintf(w, " %s]", html.EscapeString(string(n.(*ast.Image).Destination)))
		}
		return ast.WalkContinue, nil
	})
	r.Register(ast.KindRawHTML, func(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			lines := n.(*ast.RawHTML).Segments
			for i := range lines.Len() {
				at := lines.At(i)
				w.WriteString(html.EscapeString(string(at.Value(source))))
			}
		}
		return ast.WalkSkipChildren, nil
	})
	r.Register(ast.KindHTMLBlock, func(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		block := n.(*ast.HTMLBlock)
		w.WriteString("<pre>")
		for i := range block.Lines().Len() {
			at := block.Lines().At(i)
			w.WriteString(html.EscapeString(string(at.Value(source))))
		}
		if block.HasClosure() {
			w.WriteString(html.EscapeString(string(block.ClosureLine.Value(source))))
		}
		w.WriteString("</pre>")
		return ast.WalkContinue, nil
	})
}
