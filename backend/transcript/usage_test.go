package transcript_test

import (
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"

	"tidemark/backend/memory"
)

// usageOf decodes the usage of an assistant message.
func usageOf(t *testing.T, object string) memory.Usage {
	t.Helper()
	return mustDecode(t, message(`{"role":"assistant","usage":`+object+`}`), false).Message.Usage
}

func dollars(d float64) memory.Money {
	m, _ := memory.MoneyOf(d)
	return m
}

func TestUsageSpellings(t *testing.T) {
	plain := memory.Usage{Present: true, Input: 1400, Output: 44, CacheRead: 800, CacheWrite: 20}
	tests := []struct {
		name, object string
		want         memory.Usage
	}{
		{"OpenClaw", `{"input":1400,"output":44,"cacheRead":800,"cacheWrite":20,"totalTokens":2264}`, plain},
		{"reasoning tokens are part of the output", `{"input":1400,"output":44,"cacheRead":800,"cacheWrite":20,"reasoningTokens":30}`, plain},
		{"camel case", `{"inputTokens":1400,"outputTokens":44,"cacheReadTokens":800,"cacheWriteTokens":20}`, plain},
		{"camel case of Bedrock", `{"inputTokens":1400,"outputTokens":44,"cacheReadInputTokens":800,"cacheWriteInputTokens":20}`, plain},
		{"Anthropic", `{"input_tokens":1400,"output_tokens":44,"cache_read_input_tokens":800,"cache_creation_input_tokens":20}`, plain},
		{"short snake case", `{"input":1400,"output":44,"cache_read":800,"cache_write":20}`, plain},
		{"OpenAI: the prompt includes what was cached", `{"prompt_tokens":2200,"completion_tokens":44,"prompt_tokens_details":{"cached_tokens":800}}`, memory.Usage{Present: true, Input: 1400, Output: 44, CacheRead: 800}},
		{"OpenAI in camel case", `{"promptTokens":2200,"completionTokens":44,"promptTokensDetails":{"cachedTokens":800}}`, memory.Usage{Present: true, Input: 1400, Output: 44, CacheRead: 800}},
		{"OpenAI's newer interface", `{"input_tokens":2200,"output_tokens":44,"input_tokens_details":{"cached_tokens":800}}`, memory.Usage{Present: true, Input: 1400, Output: 44, CacheRead: 800}},
		{"cached tokens beside the prompt", `{"prompt_tokens":2200,"completion_tokens":44,"cached_tokens":800}`, memory.Usage{Present: true, Input: 1400, Output: 44, CacheRead: 800}},
		{"details with writes", `{"prompt_tokens":2220,"completion_tokens":44,"prompt_tokens_details":{"cached_tokens":800,"cache_write_tokens":20}}`, plain},
		{"details with writes of another name", `{"prompt_tokens":2220,"completion_tokens":44,"prompt_tokens_details":{"cached_tokens":800,"cache_creation_input_tokens":20}}`, plain},
		{"writes that the input includes", `{"input_tokens":1420,"output_tokens":44,"cache_write_input_tokens":20}`, memory.Usage{Present: true, Input: 1400, Output: 44, CacheWrite: 20}},
		{"a command line backend", `{"input_tokens":2200,"output_tokens":44,"cached_input_tokens":800}`, memory.Usage{Present: true, Input: 1400, Output: 44, CacheRead: 800}},
		{"a command line backend, input already reduced", `{"input":1400,"output":44,"cached":800}`, memory.Usage{Present: true, Input: 1400, Output: 44, CacheRead: 800}},
		{"llama.cpp", `{"prompt_n":1400,"predicted_n":44}`, memory.Usage{Present: true, Input: 1400, Output: 44}},
		{"more cached than the prompt: it does not include them", `{"prompt_tokens":100,"prompt_tokens_details":{"cached_tokens":800}}`, memory.Usage{Present: true, Input: 100, CacheRead: 800}},
		{"our own spelling before those of providers", `{"prompt_tokens":9999,"input":1400,"completion_tokens":1,"output":44,"cached_tokens":7,"cacheRead":800,"cacheWrite":20,"cache_write":9}`, plain},
		{"a null does not hide another spelling", `{"input":null,"input_tokens":1400,"output":44,"cacheRead":800,"cacheWrite":20}`, plain},
		{"nor where it comes later", `{"input_tokens":1400,"input":null,"output":44,"cacheRead":800,"cacheWrite":20}`, plain},
		{"written for an hour", `{"input":1,"output":2,"cacheWrite":100,"cacheWrite1h":60}`, memory.Usage{Present: true, Input: 1, Output: 2, CacheWrite: 100, CacheWrite1h: 60}},
		{"written for an hour, Anthropic", `{"input_tokens":1,"output_tokens":2,"cache_creation_input_tokens":100,"cache_creation":{"ephemeral_5m_input_tokens":40,"ephemeral_1h_input_tokens":60}}`, memory.Usage{Present: true, Input: 1, Output: 2, CacheWrite: 100, CacheWrite1h: 60}},
		{"the split alone", `{"input_tokens":1,"output_tokens":2,"cache_creation":{"ephemeral_5m_input_tokens":40,"ephemeral_1h_input_tokens":60}}`, memory.Usage{Present: true, Input: 1, Output: 2, CacheWrite: 100, CacheWrite1h: 60}},
		{"an hour's part beyond the whole", `{"cacheWrite":100,"cacheWrite1h":600}`, memory.Usage{Present: true, CacheWrite: 100, CacheWrite1h: 100}},
		{"only the uncached delta (B31)", `{"input":1,"output":50,"cacheRead":80000,"cacheWrite":0}`, memory.Usage{Present: true, Input: 1, Output: 50, CacheRead: 80000}},
		{"nothing used", `{"input":0,"output":0,"cacheRead":0,"cacheWrite":0,"totalTokens":0,"cost":{"total":0}}`, memory.Usage{Present: true, HasCost: true}},
		{"empty", `{}`, memory.Usage{Present: true}},
		{"a mirror of old times", `{"prompt_tokens":0,"completion_tokens":0,"total":0,"total_tokens":0,"cache":0}`, memory.Usage{Present: true}},
		{"fractions", `{"input":1400.0,"output":44.9}`, memory.Usage{Present: true, Input: 1400, Output: 44}},
		{"exponents", `{"input":1.4e3,"output":44}`, memory.Usage{Present: true, Input: 1400, Output: 44}},
		{"details of another shape", `{"input":1400,"prompt_tokens_details":null,"input_tokens_details":7,"cache_creation":[1]}`, memory.Usage{Present: true, Input: 1400}},
		{"fields of later times", `{"input":1400,"contextUsage":{"state":"available","promptTokens":9},"serverToolUse":{"web":1}}`, memory.Usage{Present: true, Input: 1400}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := usageOf(t, tt.object); got != tt.want {
				t.Errorf("%s\ngot  %+v\nwant %+v", tt.object, got, tt.want)
			}
		})
	}
}

func TestUsageCosts(t *testing.T) {
	tests := []struct {
		name, object string
		want         memory.Usage
	}{
		{"total", `{"cost":{"input":0.1,"output":0.2,"total":0.019114799999999998}}`, memory.Usage{HasCost: true, Cost: dollars(0.0191148)}},
		{"a known zero", `{"cost":{"input":0,"output":0,"total":0}}`, memory.Usage{HasCost: true}},
		{"parts without total", `{"cost":{"input":0.25,"output":0.5,"cacheRead":0.125,"cacheWrite":0.0625}}`, memory.Usage{HasCost: true, Cost: dollars(0.9375)}},
		{"a bare number", `{"cost":0.5}`, memory.Usage{HasCost: true, Cost: dollars(0.5)}},
		{"a part that is null beside a total", `{"cost":{"input":null,"total":0.5}}`, memory.Usage{HasCost: true, Cost: dollars(0.5)}},
		{"no cost", `{"input":5}`, memory.Usage{Input: 5}},
		{"a cost without numbers", `{"cost":{}}`, memory.Usage{}},
		{"a cost without numbers that are known", `{"cost":{"totalOrigin":"provider-billed"}}`, memory.Usage{}},
		{"beyond what a call can cost", `{"cost":{"total":9001}}`, memory.Usage{Invalid: true}},
		{"negative (B29)", `{"cost":{"total":-1.5}}`, memory.Usage{Invalid: true}},
		{"a negative part", `{"cost":{"input":-1,"output":2,"total":1}}`, memory.Usage{Invalid: true}},
		{"a negative part without total", `{"cost":{"input":-1,"output":2}}`, memory.Usage{Invalid: true}},
		{"null (B30)", `{"cost":{"total":null}}`, memory.Usage{Invalid: true}},
		{"all null", `{"cost":null}`, memory.Usage{Invalid: true}},
		{"a null part without total", `{"cost":{"input":null,"output":2}}`, memory.Usage{Invalid: true}},
		{"text", `{"cost":{"total":"0.5"}}`, memory.Usage{Invalid: true}},
		{"list", `{"cost":[0.5]}`, memory.Usage{Invalid: true}},
		{"NaN", `{"cost":{"total":NaN}}`, memory.Usage{Invalid: true}},
		{"NaN alone", `{"cost":NaN}`, memory.Usage{Invalid: true}},
		{"huge", `{"cost":{"total":1e300}}`, memory.Usage{Invalid: true}},
		{"infinite", `{"cost":{"total":1e999}}`, memory.Usage{Invalid: true}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.want.Present = true
			if got := usageOf(t, tt.object); got != tt.want {
				t.Errorf("%s\ngot  %+v\nwant %+v", tt.object, got, tt.want)
			}
		})
	}
}

// A damaged field reads as nothing and takes only itself along; the cost of the
// call is unknown for good (cases B29, B30).
func TestUsageDamage(t *testing.T) {
	damage := []string{"-284957", "-0.5", "NaN", "Infinity", "-Infinity", `"NaN"`, `"1400"`, `""`, "[]", "[1400]", "{}", "true", "false", "1e300", "-1e300", "1e999", "1e14", "0x10", "1.2.3"}
	fields := map[string]memory.Usage{
		"input":      {Output: 44, CacheRead: 800, CacheWrite: 20},
		"output":     {Input: 1400, CacheRead: 800, CacheWrite: 20},
		"cacheRead":  {Input: 1400, Output: 44, CacheWrite: 20},
		"cacheWrite": {Input: 1400, Output: 44, CacheRead: 800},
	}
	values := map[string]string{"input": "1400", "output": "44", "cacheRead": "800", "cacheWrite": "20"}
	for field, want := range fields {
		want.Present, want.Invalid = true, true
		for _, value := range damage {
			if got := usageOf(t, usageWith(values, field, value)); got != want {
				t.Errorf("%s: %s\ngot  %+v\nwant %+v", field, value, got, want)
			}
		}
		// A recorded cost stays, but is not to be believed.
		want.HasCost, want.Cost = true, dollars(0.5)
		if got := usageOf(t, strings.Replace(usageWith(values, field, "-1"), "{", `{"cost":{"total":0.5},`, 1)); got != want {
			t.Errorf("%s with cost: got %+v", field, got)
		}
	}
	for _, total := range []string{"-1", "NaN", `"2264"`, "1e300", "[]"} {
		if got := usageOf(t, `{"input":1,"output":2,"totalTokens":`+total+`}`); !got.Invalid || got.Input != 1 || got.Output != 2 {
			t.Errorf("total %s: got %+v", total, got)
		}
	}
}

// Null is absent; but a count that is null without a cost is a cost that
// nobody knows, since NaN is written as null.
func TestUsageNulls(t *testing.T) {
	for object, want := range map[string]memory.Usage{
		`{"input":1700,"output":170,"totalTokens":null}`:                        {Present: true, Input: 1700, Output: 170},
		`{"input":1700,"output":170,"cacheRead":null,"cost":{"total":0.5}}`:     {Present: true, Input: 1700, Output: 170, HasCost: true, Cost: dollars(0.5)},
		`{"input":1700,"output":170,"cacheRead":null}`:                          {Present: true, Input: 1700, Output: 170, Invalid: true},
		`{"input":null,"output":null,"cacheRead":null,"cacheWrite":null}`:       {Present: true, Invalid: true},
		`{"input":1700,"output":170,"cacheRead":null,"cost":{"total":0}}`:       {Present: true, Input: 1700, Output: 170, HasCost: true, Invalid: true},
		`{"input":1700,"output":170,"totalTokens":null,"cost":{"total":null}}`:  {Present: true, Input: 1700, Output: 170, Invalid: true},
		`{"prompt_tokens":2200,"prompt_tokens_details":{"cached_tokens":null}}`: {Present: true, Input: 2200, Invalid: true},
	} {
		if got := usageOf(t, object); got != want {
			t.Errorf("%s\ngot  %+v\nwant %+v", object, got, want)
		}
	}
}

func usageWith(values map[string]string, field, value string) string {
	var parts []string
	for _, f := range []string{"input", "output", "cacheRead", "cacheWrite"} {
		v := values[f]
		if f == field {
			v = value
		}
		parts = append(parts, `"`+f+`":`+v)
	}
	return "{" + strings.Join(parts, ",") + "}"
}

func TestUsageThatIsNone(t *testing.T) {
	for _, object := range []string{"null", "7", `"none"`, "[]", "true", "NaN"} {
		if got := usageOf(t, object); got != (memory.Usage{}) {
			t.Errorf("%s: got %+v", object, got)
		}
	}
}

// A usage beside the message counts where the message has none.
func TestUsageBesideTheMessage(t *testing.T) {
	line := `{"type":"message","id":"a","usage":{"input":7},"message":{"role":"assistant"}}`
	if got := mustDecode(t, line, false).Message.Usage; got.Input != 7 || !got.Present {
		t.Errorf("got %+v", got)
	}
	line = `{"type":"message","id":"a","message":{"role":"assistant","usage":{"input":5}},"usage":{"input":7}}`
	if got := mustDecode(t, line, false).Message.Usage; got.Input != 5 {
		t.Errorf("got %+v", got)
	}
	line = `{"type":"custom","id":"a","usage":{"input":7}}`
	if got := mustDecode(t, line, false).Message.Usage; got.Present {
		t.Errorf("got %+v", got)
	}
}

// Whatever stands in a usage object: counts and costs are never negative, the
// order of fields changes nothing, and a call that is damaged says so.
func TestUsageProperties(t *testing.T) {
	names := []string{"input", "inputTokens", "input_tokens", "prompt_tokens", "prompt_n", "output", "completion_tokens", "cacheRead", "cache_read_input_tokens", "cached", "cached_tokens",
		"cacheWrite", "cache_write_input_tokens", "cacheWrite1h", "totalTokens", "total", "prompt_tokens_details", "input_tokens_details", "cache_creation", "cost"}
	values := []string{"0", "5", "1200", "99999999", "-3", "null", "NaN", `"x"`, "1e300", "[]", "12.5",
		`{"cached_tokens":4,"cache_write_tokens":2}`, `{"ephemeral_1h_input_tokens":3}`, `{"total":0.25,"input":0.1}`, `{"input":-2}`, `{"cached_tokens":null}`}
	r := rand.New(rand.NewPCG(3, 3))
	for range 20_000 {
		var parts []string
		for _, i := range r.Perm(len(names))[:r.IntN(7)] {
			parts = append(parts, `"`+names[i]+`":`+values[r.IntN(len(values))])
		}
		object := "{" + strings.Join(parts, ",") + "}"
		u := usageOf(t, object)
		if u.Input < 0 || u.Output < 0 || u.CacheRead < 0 || u.CacheWrite < 0 || u.CacheWrite1h < 0 || u.CacheWrite1h > u.CacheWrite || u.Cost < 0 || !u.Present || !u.HasCost && u.Cost != 0 {
			t.Fatalf("%s: got %+v", object, u)
		}
		r.Shuffle(len(parts), func(i, j int) { parts[i], parts[j] = parts[j], parts[i] })
		if again := usageOf(t, "{"+strings.Join(parts, ",")+"}"); again != u {
			t.Fatalf("%s: got %+v, in another order %+v", object, u, again)
		}
	}
}

// What 2.24, 6.11 and 9.6 recorded: the total is the sum of the four counts.
func TestUsageRecorded(t *testing.T) {
	seen := 0
	for _, line := range recorded(t, "lines.jsonl") {
		var raw struct {
			Message struct{ Usage map[string]any }
		}
		if err := json.Unmarshal(line, &raw); err != nil {
			t.Fatal(err)
		}
		if raw.Message.Usage == nil {
			continue
		}
		seen++
		u := mustDecode(t, string(line), false).Message.Usage
		if total := raw.Message.Usage["totalTokens"].(float64); float64(u.Tokens()) != total || u.Invalid || !u.HasCost {
			t.Errorf("%.120s: got %+v, want %v tokens", line, u, total)
		}
	}
	if seen < 8 {
		t.Errorf("only %d recorded lines have a usage", seen)
	}
}
