package price

import (
	"slices"
	"strings"

	"tidemark/backend/memory"
)

// Book prices calls. It holds what one person configured and remembers how it
// answered for each model, so that a million calls cost little more than a map
// look-up each. The zero Book is ready for use and knows the table only. It is
// not safe for concurrent use.
type Book struct {
	own     map[pair]memory.Rates
	baseURL map[string]string
	known   map[pair]answer
}

type pair struct{ provider, model string }

// answer is what is known of a model before its tokens are seen.
type answer struct {
	mirror bool
	local  bool
	rates  *memory.Rates // nil where no price is known
	source memory.PriceSource
}

// mostKnown bounds what a Book remembers: transcripts are not ours, and one
// with a new model name on each line must not fill the memory.
const mostKnown = 4096

// SetOwn adds a price that the person configured. Set the prices of the
// configuration before those of an agent's models.json: the first one for a
// model stays. Rates that are zero throughout, which OpenClaw writes for
// models whose price it does not know, and rates that cannot be prices
// (negative, not a number) are no statement and are passed over. A zero beside
// other rates is taken as said.
func (b *Book) SetOwn(provider, model string, r memory.Rates) {
	key := ownKey(provider, model)
	if _, set := b.own[key]; set || r.Zero() || sane(r) != nil {
		return
	}
	r.Tiers = slices.Clone(r.Tiers)
	slices.SortStableFunc(r.Tiers, func(x, y memory.RateTier) int {
		switch {
		case x.Above < y.Above:
			return -1
		case x.Above > y.Above:
			return 1
		}
		return 0
	})
	if b.own == nil {
		b.own = map[pair]memory.Rates{}
	}
	b.own[key] = r
	b.known = nil
}

// SetProvider says where calls to a provider go. The first address of a
// provider stays, as with SetOwn; an empty one is no statement.
func (b *Book) SetProvider(provider, baseURL string) {
	p, _ := plain(provider, "")
	if baseURL = strings.TrimSpace(baseURL); baseURL == "" || b.baseURL[p] != "" {
		return
	}
	if b.baseURL == nil {
		b.baseURL = map[string]string{}
	}
	b.baseURL[p] = baseURL
	b.known = nil
}

// Price says what one call cost and where the price comes from. failed says
// that the call ended with an error or was aborted. The first that applies:
//
//  1. A row that OpenClaw wrote itself (a mirror) called no model: none.
//  2. A damaged record is unknown and never priced again.
//  3. A cost that was recorded, above zero, stands.
//  4. A model that runs on the person's machine is free: local.
//  5. Without tokens: none where the call failed, else unknown.
//  6. The person's own price.
//  7. The table's.
//  8. Unknown. A recorded zero is that too: OpenClaw writes it for models
//     whose price it does not know.
//
// The amount is 0 for every source but recorded, own and table. It is unknown
// too where tokens or amount are beyond what one call can be.
func (b *Book) Price(provider, model string, u memory.Usage, failed bool) (memory.Money, memory.PriceSource) {
	a := b.answer(provider, model)
	switch {
	case a.mirror:
		return 0, memory.PriceNone
	case u.Invalid:
		return 0, memory.PriceUnknown
	case u.HasCost && u.Cost > 0:
		return u.Cost, memory.PriceRecorded
	case a.local:
		return 0, memory.PriceLocal
	case u.Input == 0 && u.Output == 0 && u.CacheRead == 0 && u.CacheWrite == 0:
		if failed {
			return 0, memory.PriceNone
		}
		return 0, memory.PriceUnknown
	case a.rates == nil:
		return 0, memory.PriceUnknown
	}
	m, ok := cost(a.rates, u)
	if !ok {
		return 0, memory.PriceUnknown
	}
	return m, a.source
}

// answer looks a model up once and remembers it.
func (b *Book) answer(provider, model string) answer {
	if a, ok := b.known[pair{provider, model}]; ok {
		return a
	}
	if b.known == nil || len(b.known) >= mostKnown {
		b.known = map[pair]answer{}
	}
	a := b.resolve(provider, model)
	// The names may be parts of a whole transcript: keep copies.
	b.known[pair{strings.Clone(provider), strings.Clone(model)}] = a
	return a
}

func (b *Book) resolve(provider, model string) answer {
	p, m := plain(provider, model)
	switch {
	case p == "openclaw" || m == "delivery-mirror" || m == "gateway-injected":
		return answer{mirror: true}
	case Local(p, m, b.baseURL[p]):
		return answer{local: true}
	}
	if r, ok := b.own[ownKey(provider, model)]; ok {
		return answer{rates: &r, source: memory.PriceOwn}
	}
	if e, ok := Lookup(p, m); ok && !e.Rates.Zero() {
		return answer{rates: &e.Rates, source: memory.PriceTable}
	}
	return answer{}
}

// ownKey puts the names of a configured model into one form. Unlike the
// table's names they are not loosened: the person wrote what they meant.
func ownKey(provider, model string) pair {
	p, m := plain(provider, model)
	if rest, ok := strings.CutPrefix(m, p+"/"); ok && p != "" {
		m = rest
	}
	return pair{p, m}
}
