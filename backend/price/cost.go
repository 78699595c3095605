package price

import (
	"errors"

	"tidemark/backend/memory"
)

const (
	// perMillion turns rates into dollars for one token.
	perMillion = 1e6
	// mostTokens bounds what a call can use: no context comes near it, and
	// below it sums of counts cannot overflow.
	mostTokens = 1 << 50
	// mostRate bounds a rate in dollars for a million tokens: a thousand times
	// what the dearest model costs. Above it is a slip of the unit.
	mostRate = 1e6
)

var errRate = errors.New("a rate is negative, not a number or beyond what a model can cost")

// sane refuses rates that cannot be prices.
func sane(r memory.Rates) error {
	for _, v := range [...]float64{r.Input, r.Output, r.CacheRead, r.CacheWrite, r.CacheWrite1h} {
		if !(v >= 0 && v <= mostRate) {
			return errRate
		}
	}
	for _, t := range r.Tiers {
		if err := sane(t.Rates); err != nil {
			return err
		}
	}
	return nil
}

// cost prices one call and rounds once. ok is false where a count or the sum
// is beyond what one call can be.
func cost(r *memory.Rates, u memory.Usage) (m memory.Money, ok bool) {
	for _, n := range [...]int64{u.Input, u.Output, u.CacheRead, u.CacheWrite, u.CacheWrite1h} {
		if n < 0 || n > mostTokens {
			return 0, false
		}
	}
	r = tier(r, u.Prompt())
	hour := min(u.CacheWrite1h, u.CacheWrite)
	// Each product is rounded by itself (the conversions forbid fusing it with
	// the sum), so every processor gives the same amount.
	sum := float64(float64(u.Input) * r.Input)
	sum += float64(float64(u.Output) * r.Output)
	sum += float64(float64(u.CacheRead) * r.CacheRead)
	sum += float64(float64(u.CacheWrite-hour) * r.CacheWrite)
	sum += float64(float64(hour) * hourRate(r))
	return memory.MoneyOf(sum / perMillion)
}

// hourRate is the price of writing to a cache that is kept for an hour: where
// no rate is given, twice that of input.
func hourRate(r *memory.Rates) float64 {
	if r.CacheWrite1h > 0 {
		return r.CacheWrite1h
	}
	return 2 * r.Input
}

// tier gives the rates of a prompt of that many tokens. Tiers are ascending.
func tier(r *memory.Rates, prompt int64) *memory.Rates {
	for i := len(r.Tiers) - 1; i >= 0; i-- {
		if prompt > r.Tiers[i].Above {
			return &r.Tiers[i].Rates
		}
	}
	return r
}
