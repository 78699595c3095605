package secrets

import (
	"bufio"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// sharedDir gives the folder with the evaluation sets, or skips the test.
func sharedDir(t *testing.T) string {
	t.Helper()
	dir := os.Getenv("TIDEMARK_SHARED")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "shared")
	}
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("the evaluation sets are not here (TIDEMARK_SHARED): %v", err)
	}
	return dir
}

// Of the labelled statements only those with a secret change, and in them
// neither the secret nor anything of what is expected to be captured.
func TestLabelledStatements(t *testing.T) {
	file, err := os.Open(filepath.Join(sharedDir(t), "eval", "capture-dev.jsonl"))
	if err != nil {
		t.Skipf("open the labelled statements: %v", err)
	}
	defer file.Close()
	texts, secrets := 0, 0
	for lines := bufio.NewScanner(file); lines.Scan(); {
		var row struct {
			ID, Text, Note string
			Expect         []struct{ Span string }
		}
		if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
			t.Fatalf("read a labelled statement: %v", err)
		}
		texts++
		got, n := MaskCount(row.Text)
		if !strings.Contains(row.Note, "secret") {
			if n != 0 {
				t.Errorf("%s: %q becomes %q", row.ID, row.Text, got)
			}
			continue
		}
		secrets++
		if n != 1 {
			t.Errorf("%s: %d marks in %q", row.ID, n, got)
		}
		for _, e := range row.Expect {
			if !strings.Contains(got, e.Span) {
				t.Errorf("%s: %q is gone from %q", row.ID, e.Span, got)
			}
		}
	}
	t.Logf("%d texts, %d with a secret", texts, secrets)
}

// Public conversations hold no credentials: every mark in them is wrong.
func TestPublicConversations(t *testing.T) {
	dir := filepath.Join(sharedDir(t), "datasets")
	texts, size, marks := 0, 0, 0
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || filepath.Ext(path) != ".json" {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		var tree any
		if err := json.Unmarshal(data, &tree); err != nil {
			return err
		}
		eachString(tree, func(text string) {
			texts++
			size += len(text)
			got, n := MaskCount(text)
			marks += n
			if n > 0 {
				t.Errorf("%s: %q", filepath.Base(path), got)
			}
		})
		return nil
	})
	if err != nil {
		t.Fatalf("read the conversations: %v", err)
	}
	t.Logf("%d texts, %d bytes, %d marks", texts, size, marks)
}

func eachString(v any, do func(string)) {
	switch v := v.(type) {
	case string:
		do(v)
	case []any:
		for _, x := range v {
			eachString(x, do)
		}
	case map[string]any:
		for _, x := range v {
			eachString(x, do)
		}
	}
}
