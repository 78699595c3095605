package stats_test

import (
	"math/rand/v2"
	"testing"

	"tidemark/backend/memory"
	"tidemark/backend/stats"
	"tidemark/backend/transcript"
)

func TestThresholdOf(t *testing.T) {
	of := func(kinds ...memory.SourceKind) *memory.SessionSummary {
		s := &memory.SessionSummary{}
		for _, k := range kinds {
			s.Sources = append(s.Sources, memory.SourceOf{Kind: k})
		}
		return s
	}
	n := func(n int64) *int64 { return &n }
	for _, c := range []struct {
		name   string
		s      *memory.SessionSummary
		window int64
		r      stats.Reserve
		want   int64 // 0: cannot be told
	}{
		{"files", of(memory.SourceLive), 200_000, stats.Reserve{}, 180_000},
		{"files, small window", of(memory.SourceLive), 16_000, stats.Reserve{}, 0},
		{"files, more reserve", of(memory.SourceReset), 200_000, stats.Reserve{Tokens: n(60_000)}, 140_000},
		{"files, less than the floor", of(memory.SourceLive), 200_000, stats.Reserve{Tokens: n(1000)}, 180_000},
		{"files, no floor", of(memory.SourceLive), 200_000, stats.Reserve{Floor: n(0)}, 200_000 - 16_384},
		{"files, neither", of(memory.SourceLive), 200_000, stats.Reserve{Tokens: n(0), Floor: n(0)}, 200_000},
		{"database", of(memory.SourceDatabase), 200_000, stats.Reserve{Floor: n(90_000)}, 180_000},
		{"database, small window", of(memory.SourceDatabase), 16_000, stats.Reserve{}, 12_000},
		{"moved into a database", of(memory.SourceImported, memory.SourceDatabase), 16_000, stats.Reserve{}, 12_000},
		{"database with a reserve", of(memory.SourceDatabase), 200_000, stats.Reserve{Tokens: n(1)}, 0},
		{"ledger alone", of(memory.SourceLedger), 200_000, stats.Reserve{}, 0},
		{"no window", of(memory.SourceLive), 0, stats.Reserve{}, 0},
	} {
		got, ok := stats.ThresholdOf(c.s, c.window, c.r)
		if ok != (c.want > 0) || ok && got != c.want {
			t.Errorf("%s: %d %v, want %d", c.name, got, ok, c.want)
		}
	}
}

// TestTideHasEveryCall: whatever the times, each call is one point, points are
// in the order of time, and a fall stands between what was before and after it.
func TestTideHasEveryCall(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 7))
		var entries []memory.Entry
		copied := make([]*memory.Call, 40)
		calls, falls := 0, 0
		for i := range 40 {
			e := memory.Entry{ID: string(rune('A' + i)), HasParent: true, Kind: memory.KindMessage, Role: memory.RoleUser, At: memory.Millis(r.IntN(30) * 10)}
			if i > 0 {
				e.Parent = entries[i-1].ID
			}
			switch r.IntN(5) {
			case 0:
				e.Role, e.Call = memory.RoleAssistant, &memory.Call{Reported: r.IntN(2) == 0, Usage: memory.Usage{Input: 5}}
				calls++
			case 1:
				copied[i] = &memory.Call{Reported: true}
				calls++
			case 2:
				e.Kind, e.Compaction = memory.KindCompaction, &memory.Compaction{FirstKeptIndex: -1}
				falls++
			case 3:
				e.Kind = memory.KindReset
				falls++
			}
			entries = append(entries, e)
		}
		tide := stats.TideOf(entries, copied, transcript.ShapeOf(stats.Nodes(entries), ""))
		if len(tide.Points) != calls || len(tide.Falls) != falls {
			t.Fatalf("seed %d: %d points of %d calls, %d of %d falls", seed, len(tide.Points), calls, len(tide.Falls), falls)
		}
		for i := range tide.Points {
			if i > 0 && tide.Points[i].At < tide.Points[i-1].At {
				t.Fatalf("seed %d: out of order", seed)
			}
		}
		for _, f := range tide.Falls {
			if f.Call > 0 && tide.Points[f.Call-1].At > f.At || f.Call < calls && tide.Points[f.Call].At < f.At {
				t.Fatalf("seed %d: a fall at the wrong place", seed)
			}
		}
	}
}
