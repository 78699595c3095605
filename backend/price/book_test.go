package price

import (
	"fmt"
	"math"
	"testing"

	"tidemark/backend/memory"
)

var someTokens = memory.Usage{Present: true, Input: 1_000, Output: 100}

func recorded(u memory.Usage, m memory.Money) memory.Usage {
	u.HasCost, u.Cost = true, m
	return u
}

func invalid(u memory.Usage) memory.Usage {
	u.Invalid = true
	return u
}

// TestPrecedence has a case for each rule, and for each pair of rules that can
// apply together the one that wins.
func TestPrecedence(t *testing.T) {
	own := memory.Rates{Input: 777}
	none := memory.Usage{Present: true}
	for _, c := range []struct {
		name            string
		provider, model string
		usage           memory.Usage
		failed          bool
		money           memory.Money
		source          memory.PriceSource
	}{
		{"mirror by provider", "openclaw", "anything", none, false, 0, memory.PriceNone},
		{"mirror by model", "anthropic", "delivery-mirror", none, false, 0, memory.PriceNone},
		{"mirror of the gateway", "openclaw", "gateway-injected", none, false, 0, memory.PriceNone},
		{"mirror with tokens and cost (B26)", "openclaw", "delivery-mirror", recorded(someTokens, 9e8), false, 0, memory.PriceNone},
		{"mirror before damage", "openclaw", "delivery-mirror", invalid(someTokens), false, 0, memory.PriceNone},

		{"damage (B29)", "anthropic", "claude-sonnet-4-6", invalid(someTokens), false, 0, memory.PriceUnknown},
		{"damage before a recorded cost", "anthropic", "claude-sonnet-4-6", invalid(recorded(someTokens, 5)), false, 0, memory.PriceUnknown},
		{"damage before local", "ollama", "qwen3:8b", invalid(someTokens), false, 0, memory.PriceUnknown},
		{"damage before a failed call", "anthropic", "x", invalid(none), true, 0, memory.PriceUnknown},

		{"recorded", "anthropic", "claude-sonnet-4-6", recorded(someTokens, 42), false, 42, memory.PriceRecorded},
		{"recorded for a model nobody knows", "custom", "x", recorded(someTokens, 42), false, 42, memory.PriceRecorded},
		{"recorded before local", "ollama", "qwen3:8b", recorded(someTokens, 42), false, 42, memory.PriceRecorded},
		{"recorded before own", "mine", "m", recorded(someTokens, 42), false, 42, memory.PriceRecorded},
		{"recorded without tokens", "custom", "x", recorded(none, 42), true, 42, memory.PriceRecorded},

		{"local", "ollama", "qwen3:8b", someTokens, false, 0, memory.PriceLocal},
		{"local with a recorded zero", "ollama", "qwen3:8b", recorded(someTokens, 0), false, 0, memory.PriceLocal},
		{"local without tokens", "ollama", "qwen3:8b", none, true, 0, memory.PriceLocal},
		{"local before own", "lmstudio", "m", someTokens, false, 0, memory.PriceLocal},
		{"cloud of a local program (B37)", "ollama", "kimi-k2.5:cloud", someTokens, false, 0, memory.PriceUnknown},
		{"the same with a price of one's own", "ollama", "gpt-oss:120b-cloud", someTokens, false, 777_000_000, memory.PriceOwn},
		{"a local program elsewhere", "vllm", "m", someTokens, false, 0, memory.PriceUnknown},
		{"a proxy on this machine", "litellm", "m", someTokens, false, 0, memory.PriceUnknown},

		{"no tokens", "anthropic", "claude-sonnet-4-6", none, false, 0, memory.PriceUnknown},
		{"no usage", "anthropic", "claude-sonnet-4-6", memory.Usage{}, false, 0, memory.PriceUnknown},
		{"no tokens, failed", "anthropic", "claude-sonnet-4-6", none, true, 0, memory.PriceNone},
		{"no tokens before own", "mine", "m", none, false, 0, memory.PriceUnknown},
		{"tokens of a failed call cost", "anthropic", "claude-sonnet-4-6", someTokens, true, 4_500_000, memory.PriceTable},

		{"own (B14)", "mine", "m", someTokens, false, 777_000_000, memory.PriceOwn},
		{"own before the table", "anthropic", "claude-opus-4-8", someTokens, false, 777_000_000, memory.PriceOwn},
		{"own after a recorded zero", "mine", "m", recorded(someTokens, 0), false, 777_000_000, memory.PriceOwn},
		{"own of zeros is no statement", "anthropic", "claude-opus-4-7", someTokens, false, 7_500_000, memory.PriceTable},
		{"own of zeros, not in the table", "mine", "zeros", someTokens, false, 0, memory.PriceUnknown},
		{"own of another model", "mine", "m2", someTokens, false, 0, memory.PriceUnknown},

		{"table (B11)", "anthropic", "claude-sonnet-4-6", recorded(memory.Usage{Input: 3, Output: 106, CacheWrite: 21_657}, 0), false, 82_812_750, memory.PriceTable},
		{"paid, whatever it is called (B38)", "openrouter", "qwen/qwen3-max", someTokens, false, 1_170_000, memory.PriceTable},
		{"uncached tokens are a part (B31)", "anthropic", "claude-sonnet-4-6", memory.Usage{Input: 1, Output: 50, CacheRead: 80_000}, false, 24_753_000, memory.PriceTable},

		{"unknown", "custom", "my-unlisted-model", someTokens, false, 0, memory.PriceUnknown},
		{"a recorded zero is unknown", "custom", "my-unlisted-model", recorded(someTokens, 0), false, 0, memory.PriceUnknown},
		{"no provider (B30)", "", "m", someTokens, false, 0, memory.PriceUnknown},
		{"no names at all", "", "", someTokens, false, 0, memory.PriceUnknown},
		{"beyond a call", "anthropic", "claude-sonnet-4-6", memory.Usage{Output: math.MaxInt64}, false, 0, memory.PriceUnknown},
	} {
		t.Run(c.name, func(t *testing.T) {
			var b Book
			b.SetOwn("mine", "m", own)
			b.SetOwn("anthropic", "claude-opus-4-8", own)
			b.SetOwn("lmstudio", "m", own)
			b.SetOwn("ollama", "gpt-oss:120b-cloud", own)
			b.SetOwn("anthropic", "claude-opus-4-7", memory.Rates{})
			b.SetOwn("mine", "zeros", memory.Rates{})
			b.SetProvider("vllm", "https://gpu.example.com/v1")
			b.SetProvider("litellm", "http://127.0.0.1:4000")
			for range 2 { // the second answer is the remembered one
				m, source := b.Price(c.provider, c.model, c.usage, c.failed)
				if m != c.money || source != c.source {
					t.Errorf("got %d %v, want %d %v", m, source, c.money, c.source)
				}
			}
		})
	}
}

func TestOwnPrices(t *testing.T) {
	var b Book
	price := func(provider, model string) (memory.Money, memory.PriceSource) {
		t.Helper()
		return b.Price(provider, model, memory.Usage{Input: 1e6}, false)
	}
	check := func(provider, model string, dollars memory.Money, source memory.PriceSource) {
		t.Helper()
		if m, s := price(provider, model); m != dollars*memory.Dollar || s != source {
			t.Errorf("%s %s: %d %v", provider, model, m, s)
		}
	}
	check("mine", "m", 0, memory.PriceUnknown)

	b.SetOwn("mine", "m", memory.Rates{})
	b.SetOwn("mine", "m", memory.Rates{Input: -1})
	b.SetOwn("mine", "m", memory.Rates{Input: math.NaN()})
	b.SetOwn("mine", "m", memory.Rates{Output: math.Inf(1)})
	check("mine", "m", 0, memory.PriceUnknown)

	b.SetOwn("mine", "m", memory.Rates{Input: 7})
	check("mine", "m", 7, memory.PriceOwn) // what was remembered is forgotten
	b.SetOwn("mine", "m", memory.Rates{Input: 8})
	check("mine", "m", 7, memory.PriceOwn) // the configuration came first

	for _, spelling := range [][2]string{{"Mine", "M"}, {"mine", "mine/m"}, {"", "mine/m"}} {
		check(spelling[0], spelling[1], 7, memory.PriceOwn)
	}
	for _, other := range [][2]string{{"mine", "m-20250929"}, {"mine", "m-latest"}, {"other", "m"}, {"", "m"}} {
		check(other[0], other[1], 0, memory.PriceUnknown)
	}
	b.SetOwn("openrouter", "openrouter/auto", memory.Rates{Input: 3})
	check("openrouter", "auto", 3, memory.PriceOwn)
}

func TestOwnTiers(t *testing.T) {
	rates := memory.Rates{Input: 1, Tiers: []memory.RateTier{
		{Above: 300, Rates: memory.Rates{Input: 3}}, {Above: 200, Rates: memory.Rates{Input: 2}},
	}}
	var b Book
	b.SetOwn("p", "m", rates)
	if rates.Tiers[0].Above != 300 {
		t.Error("the caller's tiers were sorted")
	}
	rates.Tiers[0].Rates.Input = 99
	for tokens, want := range map[int64]memory.Money{200: 200_000, 201: 402_000, 300: 600_000, 301: 903_000} {
		if m, _ := b.Price("p", "m", memory.Usage{Input: tokens}, false); m != want {
			t.Errorf("%d tokens cost %d, want %d", tokens, m, want)
		}
	}
	// Rates that are zero but for a tier are a statement.
	b.SetOwn("p", "late", memory.Rates{Tiers: []memory.RateTier{{Above: 10, Rates: memory.Rates{Input: 5}}}})
	if m, s := b.Price("p", "late", memory.Usage{Input: 20}, false); m != 100_000 || s != memory.PriceOwn {
		t.Errorf("%d %v", m, s)
	}
}

func TestProviderAddress(t *testing.T) {
	var b Book
	free := func() bool {
		_, s := b.Price("Ollama", "qwen3:8b", someTokens, false)
		return s == memory.PriceLocal
	}
	if !free() {
		t.Error("without an address")
	}
	b.SetProvider("ollama", " ")
	if !free() {
		t.Error("an empty address is no statement")
	}
	b.SetProvider("OLLAMA", "https://ollama.com")
	if free() {
		t.Error("Ollama's own servers are not this machine")
	}
	b.SetProvider("ollama", "http://127.0.0.1:11434")
	if free() {
		t.Error("the first address stays")
	}
}

func TestBookForgets(t *testing.T) {
	var b Book
	for i := range 3 * mostKnown {
		b.Price("custom", fmt.Sprint("model-", i), someTokens, false)
		if len(b.known) > mostKnown {
			t.Fatalf("%d models remembered", len(b.known))
		}
	}
	if _, s := b.Price("anthropic", "claude-sonnet-4-6", someTokens, false); s != memory.PriceTable {
		t.Error(s)
	}
}

func TestPriceAllocatesNothing(t *testing.T) {
	var b Book
	b.Price("anthropic", "claude-sonnet-4-6", someTokens, false)
	if n := testing.AllocsPerRun(100, func() { b.Price("anthropic", "claude-sonnet-4-6", someTokens, false) }); n != 0 {
		t.Errorf("%v allocations a call", n)
	}
}

func BenchmarkPrice(b *testing.B) {
	var book Book
	models := [][2]string{
		{"anthropic", "claude-sonnet-4-6"}, {"openrouter", "anthropic/claude-sonnet-4.5"},
		{"openai-codex", "gpt-5.3-codex"}, {"ollama", "qwen3:8b"}, {"custom", "my-unlisted-model"},
	}
	u := memory.Usage{Input: 1_000, Output: 100, CacheRead: 50_000, CacheWrite: 2_000, CacheWrite1h: 500}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		m := models[i%len(models)]
		book.Price(m[0], m[1], u, false)
	}
}

func BenchmarkLookup(b *testing.B) {
	published()
	b.ReportAllocs()
	for b.Loop() {
		Lookup("anthropic", "anthropic/claude-opus-4-5-20251101")
	}
}

// BenchmarkLoad is what the first look-up costs.
func BenchmarkLoad(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		newTable(tableText)
	}
}
