package capture

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"tidemark/backend/memory"
)

// TestLabelledMessages keeps a floor below the figures on messages that the
// rules may have been written from.
func TestLabelledMessages(t *testing.T) {
	files, _ := filepath.Glob("testdata/*-dev.jsonl")
	files = append(files, "../../../shared/eval/capture-dev.jsonl")
	for _, path := range files {
		t.Run(filepath.Base(path), func(t *testing.T) {
			f, err := os.Open(path)
			if os.IsNotExist(err) {
				t.Skip("the shared material is not there")
			}
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			labelled, err := ReadLabelled(f)
			if err != nil {
				t.Fatal(err)
			}
			r := Score(labelled, func(l Labelled) []memory.Item { return Find(l.Text, noon) })
			t.Log(figures(r))
			if r.Recall < 0.8 || r.Precision < 0.85 || r.SecretsLeaked > 0 {
				t.Errorf("%s, want recall 0.80, precision 0.85 and no secrets", figures(r))
			}
			for _, m := range r.Missed {
				t.Logf("missed %s %s %q", m.ID, m.Tag, m.Span)
			}
			for _, m := range r.False {
				t.Logf("false %s %s %q of %s", m.ID, m.Tag, m.Text, m.Rule)
			}
		})
	}
}

func figures(r Result) string {
	s := fmt.Sprintf("recall %.3f, precision %.3f, %d secrets", r.Recall, r.Precision, r.SecretsLeaked)
	for _, by := range []map[string]Figure{r.ByTag, r.ByLanguage} {
		for name, f := range by {
			s += fmt.Sprintf("; %s %.3f/%.3f of %d/%d", name, f.Recall, f.Precision, f.Expected, f.Found)
		}
	}
	return s
}
