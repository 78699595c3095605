package price

import (
	"slices"
	"strings"
	"testing"
	"time"

	"tidemark/backend/memory"
)

func TestTableIsWellFormed(t *testing.T) {
	var keys []string
	priced := 0
	for line := range strings.Lines(tableText) {
		line = strings.TrimRight(line, "\n")
		if strings.HasPrefix(line, "#") {
			continue
		}
		key, row, ok := cutKey(line)
		if !ok {
			t.Fatalf("no row: %q", line)
		}
		keys = append(keys, key)
		e, err := parseRow(row)
		if err != nil {
			t.Errorf("%q: %v", line, err)
		}
		if !e.Rates.Zero() {
			priced++
			checkRates(t, key, e.Rates)
		}
		provider, model, _ := strings.Cut(key, "\t")
		if key != strings.ToLower(key) || strings.TrimSpace(model) != model {
			t.Errorf("%q is not in plain form", key)
		}
		if Local(provider, model, "") {
			t.Errorf("%q is local: it has no price list", key)
		}
	}
	if !slices.IsSorted(keys) || len(slices.Compact(slices.Clone(keys))) != len(keys) {
		t.Error("the rows are not sorted, or one stands there twice")
	}
	if len(keys) != TableModels || priced != TablePriced || len(published().rows) != TableModels {
		t.Errorf("%d models, %d priced; the constants say %d, %d", len(keys), priced, TableModels, TablePriced)
	}
	if _, err := time.Parse(time.DateOnly, TableDate); err != nil {
		t.Error(err)
	}
	if TableSource == "" || TableLicence == "" {
		t.Error("the table does not say where it is from")
	}
}

func checkRates(t *testing.T, key string, r memory.Rates) {
	t.Helper()
	if r.Input <= 0 || r.Output <= 0 || r.CacheRead <= 0 || r.CacheWrite <= 0 {
		t.Errorf("%q: half a price %+v", key, r)
	}
	if r.CacheRead > r.Input {
		t.Errorf("%q: reading the cache costs more than input", key)
	}
	above := int64(0)
	for _, tier := range r.Tiers {
		if tier.Above <= above {
			t.Errorf("%q: tiers do not ascend", key)
		}
		above = tier.Above
		checkRates(t, key, tier.Rates)
	}
}

// TestKnownPrices pins models whose prices cannot change any more, or whose
// change should be seen by whoever refreshes the table.
func TestKnownPrices(t *testing.T) {
	for _, c := range []struct {
		provider, model                      string
		input, output, cacheRead, cacheWrite float64
	}{
		{"anthropic", "claude-opus-4-8", 5, 25, 0.5, 6.25}, // case B11
		{"anthropic", "claude-sonnet-4-6", 3, 15, 0.3, 3.75},
		{"anthropic", "claude-sonnet-4-5-20250929", 3, 15, 0.3, 3.75},
		{"anthropic", "claude-opus-4-1", 15, 75, 1.5, 18.75},
		{"anthropic", "claude-3-5-sonnet-20241022", 3, 15, 0.3, 3.75},
		{"openai", "gpt-4o-2024-05-13", 5, 15, 5, 5}, // no cache: billed as input
		{"openai", "gpt-5", 1.25, 10, 0.125, 1.25},
		{"openai-codex", "gpt-5.3-codex", 1.75, 14, 0.175, 1.75},
		{"google", "gemini-2.5-pro", 1.25, 10, 0.125, 1.25},
		{"moonshot", "kimi-k2.5", 0.6, 3, 0.1, 0.6},
		{"openrouter", "anthropic/claude-sonnet-4.5", 3, 15, 0.3, 3.75},
		{"", "openrouter/anthropic/claude-sonnet-4.5", 3, 15, 0.3, 3.75},
		{"bedrock", "anthropic.claude-3-haiku-20240307-v1:0", 0.25, 1.25, 0.25, 0.25},
	} {
		e, ok := Lookup(c.provider, c.model)
		r := e.Rates
		if !ok || r.Input != c.input || r.Output != c.output || r.CacheRead != c.cacheRead || r.CacheWrite != c.cacheWrite {
			t.Errorf("%s %s: %+v %v", c.provider, c.model, e, ok)
		}
	}
}

func TestKnownTiers(t *testing.T) {
	e, ok := Lookup("google", "gemini-2.5-pro")
	if !ok || len(e.Rates.Tiers) != 1 {
		t.Fatalf("%+v %v", e, ok)
	}
	if tier := e.Rates.Tiers[0]; tier.Above != 200_000 || tier.Rates.Input != 2.5 || tier.Rates.Output != 15 {
		t.Errorf("%+v", tier)
	}
}

func TestUnpricedModels(t *testing.T) {
	for _, c := range [][2]string{
		{"openrouter", "openrouter/auto"},                       // depends on what it picks
		{"openrouter", "qwen/qwen3-coder:free"},                 // never the paid one's price
		{"ollama", "kimi-k2.5:cloud"},                           // no source names Ollama's price
		{"ollama", "gpt-oss:120b-cloud"},                        //
		{"custom", "my-unlisted-model"},                         //
		{"litellm", "claude-sonnet-4-6"},                        //
		{"claude-cli", "claude-sonnet-4-6"},                     // a subscription
		{"openai", "gpt-5-ultra"},                               //
		{"anthropic", "claude-opus-9"},                          //
		{"amazon-bedrock", "global.anthropic.claude-opus-9-v1"}, //
	} {
		if e, ok := Lookup(c[0], c[1]); ok && !e.Rates.Zero() {
			t.Errorf("%v has the price of %s %s", c, e.Provider, e.Model)
		}
	}
}

func TestContextWindow(t *testing.T) {
	for _, c := range []struct {
		provider, model string
		tokens          int64
		ok              bool
	}{
		{"anthropic", "claude-sonnet-4-5", 200_000, true},
		{"Anthropic", "anthropic/claude-sonnet-4-5-20250929", 200_000, true},
		{"openai", "gpt-4o", 128_000, true},
		{"openai", "gpt-4", 8_192, true},
		{"ollama", "llama3", 0, false},
		{"custom", "x", 0, false},
	} {
		if tokens, ok := ContextWindow(c.provider, c.model); tokens != c.tokens || ok != c.ok {
			t.Errorf("ContextWindow(%q, %q) = %d %v", c.provider, c.model, tokens, ok)
		}
	}
}

func TestParseRow(t *testing.T) {
	e, err := parseRow("3\t15\t0.3\t3.75\t6\t200000\t200000:6,22.5,0.6,7.5,12;500000:9,30")
	if err != nil {
		t.Fatal(err)
	}
	r := e.Rates
	if e.Context != 200_000 || r.CacheWrite1h != 6 || len(r.Tiers) != 2 {
		t.Errorf("%+v", e)
	}
	if last := r.Tiers[1]; last.Above != 500_000 || last.Rates.CacheRead != 9 || last.Rates.CacheWrite != 9 {
		t.Errorf("rates that are not given: %+v", last)
	}
	for _, bad := range []string{
		"x\t1", "1\t-2", "1\tNaN", "1\tInf", "1\t2\t\t\t\tmany", "1\t2\t\t\t\t\tx:1,2",
		"1\t2\t\t\t\t\t10:1,x", "1\t2\t\t\t\t\t10:1,2,3,4,5,6", "1\t2\t\t\t\t\t10:-1", "1\t2\t3\t4\t5\t6\t\t8",
	} {
		if e, err := parseRow(bad); err == nil {
			t.Errorf("%q gave %+v", bad, e)
		}
	}
}

func TestVaried(t *testing.T) {
	table := newTable("p\tsame\t1\t2\t\t\t\t100\np\tsame-20250101\t1\t2\t\t\t\t900\n" +
		"p\tother\t1\t2\np\tother-20250101\t1\t3\n" +
		"p\ttier\t1\t2\t\t\t\t5\np\ttier-20250101\t1\t2\t\t\t\t5\t9:2,3\nnonsense\n\t\t\nx\ty\n")
	if len(table.rows) != 6 {
		t.Errorf("%d rows", len(table.rows))
	}
	for model, want := range map[string]bool{"same": false, "other": true, "tier": true} {
		if table.varied["p\t"+model] != want {
			t.Errorf("%s: %v", model, !want)
		}
	}
	// A row that cannot be parsed is no answer.
	table.rows["p\tbad"] = "x"
	if _, ok := table.lookup("p", "bad"); ok {
		t.Error("a bad row was found")
	}
}
