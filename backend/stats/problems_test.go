package stats_test

import (
	"fmt"
	"strings"
	"testing"

	"tidemark/backend/memory"
	"tidemark/backend/stats"
)

func usage(provider, model string, price memory.PriceSource, calls, unreported, unpriced int64) memory.UsageSlice {
	return memory.UsageSlice{Agent: "main", Session: "s", Provider: provider, Model: model, Price: price, Calls: calls, Unreported: unreported, Unpriced: unpriced}
}

// Cases B11, B27, B36: who reports nothing, what has no price.
func TestProblemsOfModels(t *testing.T) {
	tests := []struct {
		name   string
		slices []memory.UsageSlice
		want   []string // code, model, count
	}{
		{"nothing", nil, nil},
		{"all in order", []memory.UsageSlice{usage("a", "m", memory.PriceRecorded, 5, 0, 0), usage("ollama", "q", memory.PriceLocal, 5, 0, 0), usage("a", "t", memory.PriceTable, 5, 0, 0)}, nil},
		{"no price", []memory.UsageSlice{usage("a", "m", memory.PriceUnknown, 5, 0, 5)}, []string{"price-unknown a/m 5"}},
		{"a provider that reports nothing", []memory.UsageSlice{usage("litellm", "m", memory.PriceUnknown, 300, 300, 300)}, []string{"usage-missing litellm/m 300"}},
		{"some of each, over several slices", []memory.UsageSlice{usage("a", "m", memory.PriceUnknown, 5, 2, 5), usage("a", "m", memory.PriceUnknown, 4, 0, 4), usage("a", "m", memory.PriceRecorded, 9, 0, 0)},
			[]string{"usage-missing a/m 2", "price-unknown a/m 7"}},
		{"calls that failed", []memory.UsageSlice{usage("a", "m", memory.PriceNone, 5, 5, 0)}, nil},
		{"what only the ledger knows", []memory.UsageSlice{usage("a", "m", memory.PriceRecorded, 5, 0, 2)}, nil},
		{"by name", []memory.UsageSlice{usage("z", "m", memory.PriceUnknown, 1, 0, 1), usage("a", "m", memory.PriceUnknown, 1, 0, 1), usage("", "", memory.PriceUnknown, 1, 0, 1)},
			[]string{"price-unknown a/m 1", "price-unknown unknown 1", "price-unknown z/m 1"}},
		{"a name written in two ways is one model", []memory.UsageSlice{usage("a", "m", memory.PriceUnknown, 1, 0, 1), usage("a", "a/m", memory.PriceUnknown, 1, 0, 1)}, []string{"price-unknown a/m 2"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, p := range stats.Problems(nil, tt.slices) {
				got = append(got, fmt.Sprintf("%s %s %d", p.Code, p.Path, p.Count))
				if p.Message == "" || p.Hint == "" || !strings.Contains(p.Message, fmt.Sprint(p.Count)) {
					t.Errorf("says too little: %+v", p)
				}
			}
			if strings.Join(got, "; ") != strings.Join(tt.want, "; ") {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
	// It is not said of a provider that it reports nothing where it does.
	some := stats.Problems(nil, []memory.UsageSlice{usage("a", "m", memory.PriceRecorded, 9, 0, 0), usage("a", "m", memory.PriceUnknown, 1, 1, 1)})
	if len(some) != 1 || !strings.HasPrefix(some[0].Message, "1 of 10 calls") {
		t.Errorf("got %+v", some)
	}
}

// Case C54: the row moved on, the transcript did not.
func TestProblemsOfTranscriptsBehind(t *testing.T) {
	last := at("2026-05-10T10:00:00Z")
	session := func(change func(*memory.SessionSummary)) []memory.SessionSummary {
		s := memory.SessionSummary{Session: "s", Current: true, Updated: last, Notes: memory.SessionMeta{UpdatedAt: last + 24*60_000},
			Sources: []memory.SourceOf{{Path: "/archive", Kind: memory.SourceReset}, live("/gone"), live("/live.jsonl")}}
		s.Sources[1].Gone = 5
		change(&s)
		return []memory.SessionSummary{s}
	}
	got := stats.Problems(session(func(*memory.SessionSummary) {}), nil)
	if len(got) != 1 || got[0].Code != memory.ProblemBehind || got[0].Path != "/live.jsonl" || !strings.Contains(got[0].Message, "24 minutes") {
		t.Errorf("got %+v", got)
	}
	for name, change := range map[string]func(*memory.SessionSummary){
		"a few minutes":          func(s *memory.SessionSummary) { s.Notes.UpdatedAt = last + stats.BehindBy - 1 },
		"the row is older":       func(s *memory.SessionSummary) { s.Notes.UpdatedAt = last - 1 },
		"no time in the row":     func(s *memory.SessionSummary) { s.Notes.UpdatedAt = 0 },
		"no time in the entries": func(s *memory.SessionSummary) { s.Updated = 0 },
		"not the current one":    func(s *memory.SessionSummary) { s.Current = false },
		"archived":               func(s *memory.SessionSummary) { s.Sources = s.Sources[:2] },
		"nothing is left":        func(s *memory.SessionSummary) { s.Sources = nil },
	} {
		if got := stats.Problems(session(change), nil); len(got) != 0 {
			t.Errorf("%s: got %+v", name, got)
		}
	}
	if got := stats.Problems(session(func(s *memory.SessionSummary) { s.Notes.UpdatedAt = last + stats.BehindBy }), nil); len(got) != 1 {
		t.Errorf("at the limit: got %+v", got)
	}
}
