package memory

// Usage is what one call of a model used, as the transcript records it.
// Tokens are counts; Input excludes cached tokens, so the prompt that was sent
// is Input + CacheRead + CacheWrite.
type Usage struct {
	// Present says that a usage object was there at all.
	Present bool
	// Invalid says that a token count or a cost was negative or not a number.
	// The field itself reads as 0; the cost of the call is unknown for good.
	Invalid bool

	Input      int64
	Output     int64
	CacheRead  int64
	CacheWrite int64
	// CacheWrite1h is the part of CacheWrite that is kept for an hour.
	CacheWrite1h int64

	// HasCost says that a cost was recorded (it may be zero).
	HasCost bool
	Cost    Money
}

// Tokens is the sum of all four kinds.
func (u Usage) Tokens() int64 { return u.Input + u.Output + u.CacheRead + u.CacheWrite }

// Prompt is the size of the context that the call saw, in tokens.
func (u Usage) Prompt() int64 { return u.Input + u.CacheRead + u.CacheWrite }

// Money is an amount of US dollars in units of 1e-9 dollar. Whole numbers make
// sums exact: by day, by agent and in total they are the same to the last unit.
type Money int64

// Dollar is one US dollar.
const Dollar Money = 1_000_000_000

// maxDollars bounds what one call can cost: above it a recorded cost is
// damage, and the sum of a million such calls still fits into Money.
const maxDollars = 9_000

// MoneyOf rounds dollars to the unit. ok is false where the amount is not a
// number, negative, or beyond what one call can cost.
func MoneyOf(dollars float64) (m Money, ok bool) {
	if !(dollars >= 0 && dollars <= maxDollars) {
		return 0, false
	}
	return Money(dollars*float64(Dollar) + 0.5), true
}

// Dollars gives the amount as a number of US dollars.
func (m Money) Dollars() float64 { return float64(m) / float64(Dollar) }

// PriceSource says where the price of a call comes from.
type PriceSource uint8

// The sources of a price, in the order in which the index stores them: append
// only, never renumber.
const (
	PriceUnknown  PriceSource = iota // no price is known, or the record is damaged
	PriceRecorded                    // OpenClaw wrote the cost at the time of the call
	PriceOwn                         // from the person's configuration or models.json
	PriceTable                       // from the embedded price table: an estimate
	PriceLocal                       // the model runs on this machine: known to be free
	PriceNone                        // a row that called no model (a mirror), or a failed call without tokens
)

var priceNames = [...]string{
	PriceUnknown: "unknown", PriceRecorded: "recorded", PriceOwn: "own", PriceTable: "table",
	PriceLocal: "local", PriceNone: "none",
}

// String gives the name of the source as the API writes it.
func (p PriceSource) String() string {
	if int(p) < len(priceNames) {
		return priceNames[p]
	}
	return priceNames[PriceUnknown]
}

// Rates are prices in US dollars for a million tokens.
type Rates struct {
	Input      float64
	Output     float64
	CacheRead  float64
	CacheWrite float64
	// CacheWrite1h is the price of tokens written to a cache that is kept
	// for an hour; 0 means twice the price of Input.
	CacheWrite1h float64
	// Tiers replace the rates above from a size of the prompt on, ascending.
	Tiers []RateTier
}

// RateTier holds the rates of prompts of more than Above tokens.
type RateTier struct {
	Above int64
	Rates Rates
}

// Zero says that the rates name no price at all.
func (r Rates) Zero() bool {
	if r.Input != 0 || r.Output != 0 || r.CacheRead != 0 || r.CacheWrite != 0 {
		return false
	}
	for _, t := range r.Tiers {
		if !t.Rates.Zero() {
			return false
		}
	}
	return true
}
