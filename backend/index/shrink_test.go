package index

import (
	"context"
	"path/filepath"
	"testing"
)

// TestShrink: memory is given back in the middle of a query and of a change,
// and both go on.
func TestShrink(t *testing.T) {
	ctx := context.Background()
	x, err := Open(ctx, filepath.Join(t.TempDir(), "index.sqlite"))
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	s, err := x.Installation(ctx, "i", "/state")
	if err != nil {
		t.Fatal(err)
	}
	rows, err := x.read.QueryContext(ctx, "SELECT 1 UNION SELECT 2")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	n := 0
	for rows.Next() {
		if err := x.Shrink(ctx); err != nil {
			t.Fatal(err)
		}
		n++
	}
	if n != 2 || rows.Err() != nil {
		t.Errorf("%d rows, %v", n, rows.Err())
	}
	if err := s.SetMeta(ctx, "k", "v"); err != nil {
		t.Fatal(err)
	}
	if v, err := s.Meta(ctx, "k"); v != "v" || err != nil {
		t.Errorf("%q, %v", v, err)
	}
}
