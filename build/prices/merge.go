package main

import (
	"maps"
	"math"
	"reflect"
	"slices"

	"tidemark/backend/memory"
)

// dearest bounds a rate in dollars for a million tokens. The dearest model on
// sale costs a tenth of it.
const dearest = 10_000

// merge gives one row for each model, sorted. The first catalog that lists a
// model decides its price, also when it says nothing or zero; its context
// window comes from the first catalog that knows it.
func merge(catalogs []catalog) []row {
	table := map[string]row{}
	for _, c := range catalogs {
		for key, r := range unique(c.rows) {
			have, listed := table[key]
			if !listed {
				table[key] = r
			} else if have.context == 0 {
				have.context = r.context
				table[key] = have
			}
		}
	}
	rows := slices.Collect(maps.Values(table))
	rows = slices.DeleteFunc(rows, func(r row) bool { return r.rates.Zero() && r.context == 0 })
	slices.SortFunc(rows, func(a, b row) int {
		switch {
		case a.key() < b.key():
			return -1
		case a.key() > b.key():
			return 1
		}
		return 0
	})
	return rows
}

// unique indexes the rows of one catalog. A model that stands there twice (by
// two APIs, or in two spellings) with different prices has none. The order of
// the rows does not matter.
func unique(rows []row) map[string]row {
	byKey := map[string]row{}
	torn := map[string]bool{}
	for _, r := range rows {
		r.rates = clean(r.rates)
		r.context = max(r.context, 0)
		if have, twice := byKey[r.key()]; twice {
			switch {
			case r.rates.Zero():
				r.rates = have.rates
			case !have.rates.Zero() && !reflect.DeepEqual(have.rates, r.rates):
				torn[r.key()] = true
			}
			r.context = smaller(have.context, r.context)
		}
		byKey[r.key()] = r
	}
	for key := range torn {
		r := byKey[key]
		r.rates = memory.Rates{}
		byKey[key] = r
	}
	return byKey
}

// smaller gives the smaller of two context windows, which is sure to fit; 0 is
// one that is not known.
func smaller(a, b int64) int64 {
	if a == 0 || b == 0 {
		return max(a, b)
	}
	return min(a, b)
}

// clean rounds rates to what providers publish and gives no rates where one of
// them cannot be a price.
func clean(r memory.Rates) memory.Rates {
	out := memory.Rates{
		Input: round(r.Input), Output: round(r.Output), CacheRead: round(r.CacheRead),
		CacheWrite: round(r.CacheWrite), CacheWrite1h: round(r.CacheWrite1h),
	}
	for _, v := range []float64{out.Input, out.Output, out.CacheRead, out.CacheWrite, out.CacheWrite1h} {
		if !(v >= 0 && v <= dearest) {
			return memory.Rates{}
		}
	}
	// Half a price misleads: such models are billed by the request, by the
	// minute, or on top of another model. A cache read dearer than reading
	// anew is damage.
	if out.Input == 0 || out.Output == 0 || out.CacheRead > out.Input {
		return memory.Rates{}
	}
	for _, t := range r.Tiers {
		rates := clean(t.Rates)
		if rates.Zero() || t.Above <= 0 {
			return memory.Rates{}
		}
		out.Tiers = append(out.Tiers, memory.RateTier{Above: t.Above, Rates: rates})
	}
	slices.SortFunc(out.Tiers, func(a, b memory.RateTier) int { return int(a.Above - b.Above) })
	return out
}

// round cuts the noise that sources leave when they turn prices per token into
// prices per million: no provider has more than six digits after the point.
func round(v float64) float64 { return math.Round(v*1e6) / 1e6 }
