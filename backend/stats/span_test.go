package stats_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"tidemark/backend/memory"
	"tidemark/backend/stats"
)

// tideOf makes a tide with falls at random places.
func tideOf(r *rand.Rand, points, falls int) (t stats.Tide) {
	for i := range points {
		c := &memory.Call{Reported: r.IntN(9) > 0, Usage: memory.Usage{Input: r.Int64N(200_000)}}
		t.Points = append(t.Points, stats.TidePoint{At: memory.Millis(1000 + i*10), Call: c})
	}
	at := make([]bool, points+1)
	for range falls {
		at[r.IntN(points+1)] = true
	}
	for i, there := range at {
		if there {
			t.Falls = append(t.Falls, stats.TideFall{At: memory.Millis(1000 + i*10 - 5), Call: i})
		}
	}
	return t
}

func levels(t stats.Tide) (low, high int64) {
	low = -1
	for _, p := range t.Points {
		if l := p.Level(); l >= 0 {
			if low < 0 || l < low {
				low = l
			}
			high = max(high, l)
		}
	}
	return low, high
}

// TestThinKeepsExtremes: a thinned tide is short, begins and ends where the
// whole one does, has its lowest and highest level, and both sides of each fall.
func TestThinKeepsExtremes(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 1))
		whole := tideOf(r, 1+r.IntN(3000), r.IntN(40))
		thin := stats.Thin(whole, 240)
		if len(thin.Points) > 240 || len(whole.Points) <= 240 && len(thin.Points) != len(whole.Points) {
			t.Fatalf("seed %d: %d points of %d", seed, len(thin.Points), len(whole.Points))
		}
		if thin.Points[0] != whole.Points[0] || thin.Points[len(thin.Points)-1] != whole.Points[len(whole.Points)-1] {
			t.Fatalf("seed %d: it begins or ends elsewhere", seed)
		}
		a, b := levels(whole)
		if c, d := levels(thin); a != c || b != d {
			t.Fatalf("seed %d: from %d to %d, want %d to %d", seed, c, d, a, b)
		}
		for k, f := range whole.Falls {
			g := thin.Falls[k]
			if f.Call > 0 && thin.Points[g.Call-1] != whole.Points[f.Call-1] || f.Call < len(whole.Points) && thin.Points[g.Call] != whole.Points[f.Call] {
				t.Fatalf("seed %d: fall %d lost a side", seed, k)
			}
		}
	}
}

// TestClip: a part of a tide has the points and falls of its span, and falls
// stand where they stood.
func TestClip(t *testing.T) {
	for seed := range uint64(100) {
		r := rand.New(rand.NewPCG(seed, 2))
		whole := tideOf(r, 100, 10)
		span := stats.Span{From: memory.Millis(1000 + r.IntN(500)), To: memory.Millis(1500 + r.IntN(600))}
		part := span.Clip(whole)
		for _, p := range part.Points {
			if p.At < span.From || p.At >= span.To {
				t.Fatalf("seed %d: a point outside", seed)
			}
		}
		for _, f := range part.Falls {
			if f.Call > 0 && part.Points[f.Call-1].At > f.At || f.Call < len(part.Points) && part.Points[f.Call].At < f.At {
				t.Fatalf("seed %d: a fall at the wrong place", seed)
			}
		}
		if all := (stats.Span{}).Clip(whole); len(all.Points) != len(whole.Points) || len(all.Falls) != len(whole.Falls) {
			t.Fatalf("seed %d: no bound cuts", seed)
		}
	}
}

func TestSpanOf(t *testing.T) {
	for _, wrong := range [][2]string{{"yesterday", ""}, {"", "2026-05-10"}, {"2026-05-10T00:00:00", ""}, {"2026-05-10T00:00:00+25:00", ""}, {"2026-05-11T00:00:00Z", "2026-05-10T00:00:00Z"}} {
		if _, err := stats.SpanOf(wrong[0], wrong[1]); memory.CodeOf(err) != memory.CodeInvalid || memory.HintOf(err) == "" {
			t.Errorf("%q: %v", wrong, err)
		}
	}
	s, err := stats.SpanOf("2026-05-10T00:00:00+08:00", "")
	if err != nil || s.From.Time() != time.Date(2026, 5, 9, 16, 0, 0, 0, time.UTC) || s.To != 0 {
		t.Errorf("%+v %v", s, err)
	}
	if s.Holds(0) || !s.Holds(s.From) || s.Holds(s.From-1) || !(stats.Span{}).Holds(0) || (stats.Span{To: 9}).Holds(9) {
		t.Error("the bounds are wrong")
	}
}

func TestMonthAndPace(t *testing.T) {
	zone, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	now := time.Date(2026, 3, 31, 22, 30, 0, 0, time.UTC) // half past midnight of 1 April there
	m := stats.MonthOf(now, zone)
	if got := m.From.Time(); got != time.Date(2026, 3, 31, 22, 0, 0, 0, time.UTC) {
		t.Errorf("the month begins at %v", got)
	}
	if _, ok := m.Pace(memory.Dollar, now, zone); ok {
		t.Error("a pace after half an hour")
	}
	dec := stats.MonthOf(time.Date(2026, 12, 16, 12, 0, 0, 0, time.UTC), time.UTC)
	if got, ok := dec.Pace(10*memory.Dollar, time.Date(2026, 12, 16, 12, 0, 0, 0, time.UTC), time.UTC); !ok || got != 20 {
		t.Errorf("half of a month: %v %v", got, ok)
	}
}
