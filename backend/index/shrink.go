package index

import (
	"context"
	"fmt"
)

// Shrink gives back the memory that SQLite keeps for pages it may need again.
// It may be called at any time; what is being read or written goes on.
func (x *Index) Shrink(ctx context.Context) error {
	x.read.SetMaxIdleConns(0) // closes those that nobody uses
	x.read.SetMaxIdleConns(readers)
	if _, err := x.write.ExecContext(ctx, "PRAGMA shrink_memory"); err != nil {
		return fmt.Errorf("shrink index: %w", err)
	}
	return nil
}
