package ledger

import (
	"time"

	"tidemark/backend/memory"
)

// parseStamp reads a moment as the ledger writes it; a person may have edited
// it, so any RFC 3339 form is taken.
func parseStamp(s string) (memory.Millis, error) {
	t, err := time.Parse(time.RFC3339Nano, s)
	if err != nil {
		return 0, err
	}
	return memory.MillisOf(t), nil
}
