package stats_test

import (
	"testing"

	"tidemark/backend/memory"
	"tidemark/backend/stats"
)

func TestFlushBefore(t *testing.T) {
	count := func(n int64) *int64 { return &n }
	three := []stats.CompactionRecord{{At: 100}, {At: 200}, {At: 300}}
	timeless := []stats.CompactionRecord{{}, {}}
	for name, c := range map[string]struct {
		notes memory.SessionMeta
		all   []stats.CompactionRecord
		want  []stats.Flush
	}{
		"nothing noted":                {memory.SessionMeta{}, three, []stats.Flush{"unknown", "unknown", "unknown"}},
		"before the first":             {memory.SessionMeta{FlushAt: 90}, three, []stats.Flush{"ran", "not", "not"}},
		"before the second":            {memory.SessionMeta{FlushAt: 150, FlushCompaction: count(0)}, three, []stats.Flush{"unknown", "ran", "not"}},
		"after the last":               {memory.SessionMeta{FlushAt: 400}, three, []stats.Flush{"unknown", "unknown", "unknown"}},
		"stuck in the first cycle":     {memory.SessionMeta{CompactionCount: count(0), FlushCompaction: count(0)}, three, []stats.Flush{"ran", "not", "not"}},
		"in the second cycle":          {memory.SessionMeta{FlushCompaction: count(1)}, three, []stats.Flush{"unknown", "ran", "not"}},
		"times of neither are known":   {memory.SessionMeta{FlushAt: 5, FlushCompaction: count(1)}, timeless, []stats.Flush{"unknown", "ran"}},
		"a time, and compactions none": {memory.SessionMeta{FlushAt: 5}, timeless, []stats.Flush{"unknown", "unknown"}},
	} {
		for n, want := range c.want {
			if got := stats.FlushBefore(c.notes, c.all, n); got != want {
				t.Errorf("%s: compaction %d: got %s, want %s", name, n, got, want)
			}
		}
	}
}
