package main

import (
	"encoding/json"
	"math"
	"reflect"
	"testing"

	"tidemark/backend/memory"
)

func rated(provider, model string, input, output float64, context int64) row {
	return row{provider, model, memory.Rates{Input: input, Output: output}, context}
}

func TestMerge(t *testing.T) {
	for name, c := range map[string]struct {
		catalogs [][]row
		want     []row
	}{
		"the first decides": {
			[][]row{{rated("p", "m", 1, 2, 10)}, {rated("p", "m", 3, 4, 20)}},
			[]row{rated("p", "m", 1, 2, 10)},
		},
		"also when it has no price": {
			[][]row{{rated("p", "m", 0, 0, 10)}, {rated("p", "m", 3, 4, 20)}},
			[]row{rated("p", "m", 0, 0, 10)},
		},
		"a window from the next": {
			[][]row{{rated("p", "m", 1, 2, 0)}, {rated("p", "m", 3, 4, 20)}, {rated("p", "m", 3, 4, 30)}},
			[]row{rated("p", "m", 1, 2, 20)},
		},
		"sorted": {
			[][]row{{rated("q", "a", 1, 2, 0), rated("p", "b", 1, 2, 0)}, {rated("p", "a", 1, 2, 0)}},
			[]row{rated("p", "a", 1, 2, 0), rated("p", "b", 1, 2, 0), rated("q", "a", 1, 2, 0)},
		},
		"nothing known": {[][]row{{rated("p", "m", 0, 0, 0)}}, []row{}},
		"twice the same": {
			[][]row{{rated("p", "m", 1, 2, 20), rated("p", "m", 1, 2, 10)}},
			[]row{rated("p", "m", 1, 2, 10)},
		},
		"twice, once without a price": {
			[][]row{{rated("p", "m", 1, 2, 10), rated("p", "m", 0, 0, 0)}},
			[]row{rated("p", "m", 1, 2, 10)},
		},
		"twice at different prices": {
			[][]row{{rated("p", "m", 1, 2, 10), rated("p", "m", 1, 3, 10), rated("p", "m", 1, 2, 10), rated("p", "m", 0, 0, 5)}},
			[]row{rated("p", "m", 0, 0, 5)},
		},
	} {
		t.Run(name, func(t *testing.T) {
			var catalogs []catalog
			for _, rows := range c.catalogs {
				catalogs = append(catalogs, catalog{rows: rows})
			}
			if got := merge(catalogs); !reflect.DeepEqual(got, c.want) {
				t.Errorf("got %+v", got)
			}
			for i := range catalogs { // the order within a catalog does not matter
				rows := catalogs[i].rows
				for a, b := 0, len(rows)-1; a < b; a, b = a+1, b-1 {
					rows[a], rows[b] = rows[b], rows[a]
				}
			}
			if got := merge(catalogs); !reflect.DeepEqual(got, c.want) {
				t.Errorf("turned round: got %+v", got)
			}
		})
	}
}

func TestClean(t *testing.T) {
	good := memory.Rates{Input: 0.30000000000000004, Output: 1.2, Tiers: []memory.RateTier{
		{Above: 20, Rates: memory.Rates{Input: 3, Output: 4}}, {Above: 10, Rates: memory.Rates{Input: 2, Output: 4}},
	}}
	got := clean(good)
	if got.Input != 0.3 || got.Tiers[0].Above != 10 || got.Tiers[1].Above != 20 {
		t.Errorf("%+v", got)
	}
	for _, bad := range []memory.Rates{
		{Input: 1},
		{Output: 1},
		{Input: -1, Output: 1},
		{Input: 1, Output: math.NaN()},
		{Input: 1, Output: math.Inf(1)},
		{Input: 1, Output: 20_000},
		{Input: 1, Output: 2, CacheRead: 1.5},
		{Input: 1, Output: 2, CacheWrite: -1},
		{Input: 1, Output: 2, Tiers: []memory.RateTier{{Above: 10}}},
		{Input: 1, Output: 2, Tiers: []memory.RateTier{{Rates: memory.Rates{Input: 1, Output: 2}}}},
	} {
		if got := clean(bad); !got.Zero() {
			t.Errorf("%+v gave %+v", bad, got)
		}
	}
}

func TestLitellmRow(t *testing.T) {
	for name, c := range map[string]struct {
		key, fields string
		want        row
		ok          bool
	}{
		"all rates": {
			"claude", `{"litellm_provider":"anthropic","mode":"chat","input_cost_per_token":3e-06,"output_cost_per_token":1.5e-05,
				"cache_read_input_token_cost":3e-07,"cache_creation_input_token_cost":3.75e-06,
				"cache_creation_input_token_cost_above_1hr":6e-06,"input_cost_per_token_batches":1e-06,"max_input_tokens":200000}`,
			row{"anthropic", "claude", memory.Rates{Input: 3, Output: 15, CacheRead: 0.3, CacheWrite: 3.75, CacheWrite1h: 6}, 200_000}, true,
		},
		"tiers": {
			"gemini/pro", `{"litellm_provider":"gemini","mode":"chat","input_cost_per_token":1e-06,"output_cost_per_token":4e-06,"cache_read_input_token_cost":1e-07,
				"input_cost_per_token_above_200k_tokens":2e-06,"output_cost_per_token_above_200k_tokens":6e-06,"input_cost_per_token_above_200k_tokens_batches":9e-06,
				"input_cost_per_token_above_500k_tokens":3e-06,"input_cost_per_image_above_128k_tokens":1}`,
			row{"google", "pro", memory.Rates{Input: 1, Output: 4, CacheRead: 0.1, Tiers: []memory.RateTier{
				{Above: 200_000, Rates: memory.Rates{Input: 2, Output: 6, CacheRead: 0.1}},
				{Above: 500_000, Rates: memory.Rates{Input: 3, Output: 6, CacheRead: 0.1}},
			}}, 0}, true,
		},
		"ranges": {
			"dashscope/Qwen3-Max", `{"litellm_provider":"dashscope","mode":"chat","tiered_pricing":[
				{"input_cost_per_token":1.2e-06,"output_cost_per_token":6e-06,"range":[0,32000.0]},
				{"input_cost_per_token":2.4e-06,"output_cost_per_token":1.2e-05,"range":[32000.0,128000.0]}]}`,
			row{"qwen", "qwen3-max", memory.Rates{Input: 1.2, Output: 6, Tiers: []memory.RateTier{
				{Above: 32_000, Rates: memory.Rates{Input: 2.4, Output: 12}},
			}}, 0}, true,
		},
		"ranges of another kind": {
			"dashscope/x", `{"litellm_provider":"dashscope","mode":"chat","input_cost_per_token":1e-06,"tiered_pricing":[{"max_results_range":[0,25]}]}`,
			row{"qwen", "x", memory.Rates{}, 0}, true,
		},
		"no numbers": {
			"gpt", `{"litellm_provider":"openai","mode":"responses","input_cost_per_token":"x","output_cost_per_token":null,"max_input_tokens":[]}`,
			row{"openai", "gpt", memory.Rates{}, 0}, true,
		},
		"an image model":         {"dall-e", `{"litellm_provider":"openai","mode":"image_generation"}`, row{}, false},
		"a provider left out":    {"ollama/x:cloud", `{"litellm_provider":"ollama","mode":"chat"}`, row{}, false},
		"a fine-tuned model":     {"ft:gpt", `{"litellm_provider":"openai","mode":"chat"}`, row{}, false},
		"a price for one region": {"bedrock/us-west-2/x", `{"litellm_provider":"bedrock","mode":"chat"}`, row{}, false},
		"a commitment":           {"1-month-commitment/x", `{"litellm_provider":"bedrock","mode":"chat"}`, row{}, false},
		"a name with a tab":      {"a\tb", `{"litellm_provider":"openai","mode":"chat"}`, row{}, false},
		"a name of nothing":      {"groq/", `{"litellm_provider":"groq","mode":"chat"}`, row{}, false},
		"no kind":                {"x-latest", `{"litellm_provider":"openai"}`, row{}, false},
	} {
		t.Run(name, func(t *testing.T) {
			var fields map[string]any
			if err := json.Unmarshal([]byte(c.fields), &fields); err != nil {
				t.Fatal(err)
			}
			got, ok := litellmRow(c.key, fields)
			got.rates = clean(got.rates) // away with what 1e6 leaves
			if ok != c.ok || !reflect.DeepEqual(got, c.want) {
				t.Errorf("got %+v %v", got, ok)
			}
		})
	}
}

func TestMetadataField(t *testing.T) {
	text := "Name: litellm\r\nLicense-File: LICENSE\nLicense: MIT\n\nVersion: 9\n"
	for name, want := range map[string]string{"Name": "litellm", "License": "MIT", "Version": "", "Author": ""} {
		if got := metadataField(text, name); got != want {
			t.Errorf("%s: %q", name, got)
		}
	}
}
