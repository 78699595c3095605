package openclaw

import (
	"cmp"
	"errors"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"tidemark/backend/memory"
)

// modelsMaxBytes: a merged catalogue of all providers has a few hundred KB.
const modelsMaxBytes = 16 << 20

// ModelPrice is what a configuration or a models.json says about one model.
type ModelPrice struct {
	Provider, Model, BaseURL string
	// HasCost says that a usable price was given; it may be zero. A price with
	// a part that is negative or no number is none at all.
	HasCost bool
	Rates   memory.Rates
	// Limits in tokens; 0: not given. ContextTokens is the person's own cap of
	// ContextWindow, NumCtx the window that Ollama is asked for.
	ContextWindow, ContextTokens, NumCtx int64
}

// ModelsFile reads agents/<id>/agent/models.json, the catalogue that OpenClaw
// merges for an agent. A file that is not there has no models. Keys in it are
// not kept.
func ModelsFile(path string) ([]ModelPrice, []memory.Problem) {
	data, err := readAllowed(path, modelsMaxBytes)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var tree any
	if err == nil {
		tree, err = parseJSON5(data)
	}
	if err != nil {
		problem := memory.Problem{Code: memory.ProblemBadConfig, Path: path, Count: 1,
			Message: "the list of models cannot be read: " + plainReason(err),
			Hint:    "Prices in it are not used. OpenClaw writes the file anew when it starts."}
		if errors.Is(err, fs.ErrPermission) {
			problem.Code = memory.ProblemUnreadable
		}
		return nil, []memory.Problem{problem}
	}
	s := &settings{path: path}
	return decodeProviders(setting{s: s, v: tree}.in("providers")), s.problems
}

// decodeProviders reads models.providers, in the order of the providers' names.
func decodeProviders(n setting) []ModelPrice {
	var out []ModelPrice
	obj := n.object()
	for _, name := range slices.Sorted(maps.Keys(obj)) {
		provider := n.get(name)
		if provider.object() == nil {
			continue
		}
		baseURL := provider.get("baseUrl").text()
		numCtx := provider.in("params", "num_ctx").count()
		for _, m := range provider.get("models").list() {
			if m.object() == nil {
				continue
			}
			price := ModelPrice{Provider: name, Model: m.get("id").text(), BaseURL: cmp.Or(m.get("baseUrl").text(), baseURL),
				ContextWindow: whole(m.get("contextWindow").count()),
				ContextTokens: whole(m.get("contextTokens").count()),
				NumCtx:        whole(cmp.Or(m.in("params", "num_ctx").count(), numCtx)),
			}
			if price.Model == "" {
				n.s.complain(m.at, "has no id")
				continue
			}
			price.Rates, price.HasCost = decodeCost(m.get("cost"))
			out = append(out, price)
		}
	}
	return out
}

// tierStart is the first number of a tier's range.
func tierStart(v any) (float64, bool) {
	bounds, _ := v.([]any)
	if len(bounds) == 0 || bounds[0] == nil {
		return 0, false
	}
	return setting{v: bounds[0]}.rate()
}

// addModelParams takes num_ctx from agents.defaults.models, whose keys are
// "provider/model", into models.
func addModelParams(models []ModelPrice, n setting) []ModelPrice {
	obj := n.object()
	for _, ref := range slices.Sorted(maps.Keys(obj)) {
		provider, model, ok := strings.Cut(ref, "/")
		numCtx := whole(n.get(ref).in("params", "num_ctx").count())
		if !ok || numCtx == 0 {
			continue
		}
		i := slices.IndexFunc(models, func(m ModelPrice) bool { return m.Provider == provider && m.Model == model })
		if i < 0 {
			models = append(models, ModelPrice{Provider: provider, Model: model, NumCtx: numCtx})
		} else if models[i].NumCtx == 0 {
			models[i].NumCtx = numCtx
		}
	}
	return models
}

func whole(n *int64) int64 {
	if n == nil {
		return 0
	}
	return *n
}

// decodeCost reads a price. ok is false where there is none, or where a part
// of it is damaged.
func decodeCost(n setting) (rates memory.Rates, ok bool) {
	obj := n.object()
	if len(obj) == 0 {
		return memory.Rates{}, false
	}
	rates, ok = decodeRates(n)
	if !ok {
		n.s.complain(n.at, "has a price that is negative or no number")
		return memory.Rates{}, false
	}
	tiers := decodeTiers(n.get("tieredPricing"))
	if len(tiers) == 0 {
		return rates, !n.get("input").absent() || !n.get("output").absent()
	}
	// With tiers OpenClaw never uses the flat rates: a prompt below the first
	// tier is billed by the first one.
	rates = tiers[0].Rates
	rates.Tiers = tiers[1:]
	return rates, true
}

func decodeRates(n setting) (memory.Rates, bool) {
	var r memory.Rates
	valid := true
	for key, to := range map[string]*float64{
		"input": &r.Input, "output": &r.Output, "cacheRead": &r.CacheRead, "cacheWrite": &r.CacheWrite,
	} {
		rate, ok := n.get(key).rate()
		*to, valid = rate, valid && ok
	}
	return r, valid
}

// decodeTiers reads tieredPricing, ascending. A tier has a range [from] or
// [from, to): it holds for prompts of from tokens or more. As in OpenClaw a
// tier that is not complete does not count.
func decodeTiers(n setting) []memory.RateTier {
	var tiers []memory.RateTier
	for _, t := range n.list() {
		if t.object() == nil {
			continue
		}
		rates, ok := decodeRates(t)
		for _, key := range []string{"input", "output", "cacheRead", "cacheWrite"} {
			ok = ok && !t.get(key).absent()
		}
		from, hasFrom := tierStart(t.get("range").v)
		if !ok || !hasFrom {
			n.s.complain(t.at, "is no complete tier of prices")
			continue
		}
		// RateTier.Above is exclusive, the range begins inclusively.
		tiers = append(tiers, memory.RateTier{Above: int64(min(from, 1<<53)) - 1, Rates: rates})
	}
	slices.SortStableFunc(tiers, func(a, b memory.RateTier) int { return cmp.Compare(a.Above, b.Above) })
	return tiers
}
