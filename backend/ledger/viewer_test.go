package ledger

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/renderer/html"

	"tidemark/backend/memory"
)

var htmlComment = regexp.MustCompile(`(?s)<!--.*?-->`)

// viewed is what a Markdown viewer that passes HTML on shows of a file.
func viewed(t *testing.T, path string) string {
	t.Helper()
	body, err := os.ReadFile(path)
	must(t, err)
	var b bytes.Buffer
	must(t, goldmark.New(goldmark.WithRendererOptions(html.WithUnsafe())).Convert(body, &b))
	return htmlComment.ReplaceAllString(b.String(), "")
}

// TestViewer: a viewer shows one item for each line and none of the comments,
// loads nothing and runs nothing, whatever was said.
func TestViewer(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 1))
	for range 300 {
		l := Open(t.TempDir(), "inst")
		var kept []memory.KeptLine
		var said []memory.Said
		for n := range 10 {
			k, s := nastyKept(r, fmt.Sprint("hidden", n)), nastySaid(r)
			s.Entry = "hidden"
			kept, said = append(kept, k), append(said, s)
		}
		must(t, l.AppendKept("main", "2026-02-24", kept))
		must(t, l.AppendSaid("main", "2026-02", said))
		lines, sections := viewed(t, l.KeptPath("main", "2026-02-24")), viewed(t, l.SaidPath("main", "2026-02"))
		if n := strings.Count(lines, "<li>"); n != len(kept) {
			t.Fatalf("%d items are shown:\n%s", n, lines)
		}
		for _, shown := range []string{lines, sections} {
			for _, bad := range []string{"hidden", "<img", "<script", "<?", "<!"} {
				if strings.Contains(shown, bad) {
					t.Fatalf("%q is shown:\n%s", bad, shown)
				}
			}
		}
	}
}
