package price

import (
	"math"
	"math/rand/v2"
	"testing"

	"tidemark/backend/memory"
)

var sonnet = memory.Rates{Input: 3, Output: 15, CacheRead: 0.3, CacheWrite: 3.75}

var tiered = memory.Rates{
	Input: 1, Output: 10, CacheRead: 0.1, CacheWrite: 1.25,
	Tiers: []memory.RateTier{
		{Above: 1_000, Rates: memory.Rates{Input: 2, Output: 20, CacheRead: 0.2, CacheWrite: 2.5}},
		{Above: 5_000, Rates: memory.Rates{Input: 4, Output: 40, CacheRead: 0.4, CacheWrite: 5, CacheWrite1h: 7}},
	},
}

func TestCost(t *testing.T) {
	for _, c := range []struct {
		name  string
		rates memory.Rates
		usage memory.Usage
		want  memory.Money
		ok    bool
	}{
		{"nothing", sonnet, memory.Usage{}, 0, true},
		{"each kind", sonnet, memory.Usage{Input: 1e6, Output: 1e6, CacheRead: 1e6, CacheWrite: 1e6}, 22_050_000_000, true},
		{"one token", sonnet, memory.Usage{Input: 1}, 3_000, true},
		{"rounds half up", memory.Rates{Input: 0.0005}, memory.Usage{Input: 1}, 1, true},
		{"rounds once", memory.Rates{Input: 0.0004, Output: 0.0004}, memory.Usage{Input: 1, Output: 1}, 1, true},
		{"all of the write for an hour", sonnet, memory.Usage{CacheWrite: 100, CacheWrite1h: 100}, 600_000, true},
		{"part of it", sonnet, memory.Usage{CacheWrite: 100, CacheWrite1h: 40}, 60*3_750 + 40*6_000, true},
		{"more for an hour than at all", sonnet, memory.Usage{CacheWrite: 100, CacheWrite1h: 900}, 600_000, true},
		{"a rate for an hour", memory.Rates{Input: 3, CacheWrite: 4, CacheWrite1h: 5}, memory.Usage{CacheWrite: 10, CacheWrite1h: 10}, 50_000, true},
		{"at the edge of a tier", tiered, memory.Usage{Input: 1_000}, 1_000_000, true},
		{"above it", tiered, memory.Usage{Input: 1_001}, 2_002_000, true},
		{"cached tokens count for the tier", tiered, memory.Usage{Input: 1, CacheRead: 600, CacheWrite: 400}, 2_000 + 600*200 + 400*2_500, true},
		{"output does not", tiered, memory.Usage{Input: 1_000, Output: 9_000}, 1_000_000 + 9_000*10_000, true},
		{"the highest tier", tiered, memory.Usage{Input: 5_001}, 5_001 * 4_000, true},
		{"its own rate for an hour", tiered, memory.Usage{CacheWrite: 6_000, CacheWrite1h: 6_000}, 6_000 * 7_000, true},
		{"a tier without one", tiered, memory.Usage{CacheWrite: 2_000, CacheWrite1h: 2_000}, 2_000 * 4_000, true},
		{"negative", sonnet, memory.Usage{Input: -1}, 0, false},
		{"beyond a call", sonnet, memory.Usage{Input: math.MaxInt64, CacheRead: math.MaxInt64}, 0, false},
		{"beyond an amount", sonnet, memory.Usage{Output: 1e9}, 0, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, ok := cost(&c.rates, c.usage)
			if got != c.want || ok != c.ok {
				t.Errorf("got %d %v, want %d %v", got, ok, c.want, c.ok)
			}
		})
	}
}

func TestSane(t *testing.T) {
	for _, v := range []float64{-0.001, math.NaN(), math.Inf(1), math.Inf(-1), 2e6} {
		for _, r := range []memory.Rates{
			{Input: v}, {Output: v}, {CacheRead: v}, {CacheWrite: v}, {CacheWrite1h: v},
			{Input: 1, Tiers: []memory.RateTier{{Above: 1, Rates: memory.Rates{Output: v}}}},
		} {
			if sane(r) == nil {
				t.Errorf("%+v passed", r)
			}
		}
	}
	if err := sane(tiered); err != nil {
		t.Error(err)
	}
}

// someUsage makes the counts of a call that no price takes beyond the bounds.
func someUsage(r *rand.Rand) memory.Usage {
	u := memory.Usage{
		Input: r.Int64N(300_000), Output: r.Int64N(60_000),
		CacheRead: r.Int64N(900_000), CacheWrite: r.Int64N(300_000),
	}
	u.CacheWrite1h = r.Int64N(u.CacheWrite + 1)
	return u
}

// someRates picks the prices of a model of the table.
func someRates(t *testing.T) []memory.Rates {
	t.Helper()
	rates := []memory.Rates{sonnet, tiered}
	for key, row := range published().rows {
		e, err := parseRow(row)
		if err != nil {
			t.Fatalf("%s: %v", key, err)
		}
		if !e.Rates.Zero() {
			rates = append(rates, e.Rates)
		}
	}
	return rates
}

func TestCostIsAdditive(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, rates := range someRates(t) {
		rates.Tiers = nil // a tier is chosen by the whole prompt
		u := someUsage(r)
		whole, ok := cost(&rates, u)
		if !ok {
			t.Fatalf("no price for %+v at %+v", u, rates)
		}
		var sum memory.Money
		for _, part := range []memory.Usage{
			{Input: u.Input}, {Output: u.Output}, {CacheRead: u.CacheRead},
			{CacheWrite: u.CacheWrite - u.CacheWrite1h},
			{CacheWrite: u.CacheWrite1h, CacheWrite1h: u.CacheWrite1h},
		} {
			m, _ := cost(&rates, part)
			sum += m
		}
		if d := whole - sum; d < -3 || d > 3 { // six roundings of half a unit
			t.Errorf("%+v at %+v: whole %d, parts %d", u, rates, whole, sum)
		}
	}
}

func TestCostIsMonotone(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, rates := range someRates(t) {
		u := someUsage(r)
		before, ok := cost(&rates, u)
		if !ok || before < 0 {
			t.Fatalf("%d %v for %+v at %+v", before, ok, u, rates)
		}
		for i := range 5 {
			more, by := u, 1+r.Int64N(10_000)
			switch i {
			case 0:
				more.Input += by
			case 1:
				more.Output += by
			case 2:
				more.CacheRead += by
			case 3:
				more.CacheWrite += by
			case 4:
				more.CacheWrite += by
				more.CacheWrite1h += by
			}
			if after, _ := cost(&rates, more); after < before {
				t.Errorf("%+v costs %d, %+v costs %d at %+v", u, before, more, after, rates)
			}
		}
	}
}

func FuzzCost(f *testing.F) {
	f.Add(int64(1), int64(2), int64(3), int64(4), int64(5), 3.0, 15.0, 0.3, 3.75)
	f.Add(int64(math.MaxInt64), int64(math.MinInt64), int64(0), int64(-1), int64(9), math.NaN(), -1.0, 0.0, 1e300)
	f.Fuzz(func(t *testing.T, in, out, cr, cw, hour int64, ri, ro, rcr, rcw float64) {
		u := memory.Usage{Input: in, Output: out, CacheRead: cr, CacheWrite: cw, CacheWrite1h: hour}
		var b Book
		b.SetOwn("p", "m", memory.Rates{Input: ri, Output: ro, CacheRead: rcr, CacheWrite: rcw})
		m, source := b.Price("p", "m", u, false)
		if m < 0 {
			t.Errorf("negative: %d", m)
		}
		if m != 0 && source != memory.PriceOwn {
			t.Errorf("%d from %v", m, source)
		}
		if again, same := b.Price("p", "m", u, false); again != m || same != source {
			t.Errorf("%d %v, then %d %v", m, source, again, same)
		}
	})
}
