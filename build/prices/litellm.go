package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"tidemark/backend/memory"
)

// litellmProviders maps litellm's providers to OpenClaw's names of them. Only
// providers whose prices are for tokens of chat models belong here. Left out
// on purpose: ollama (its cloud models stand there at zero), and resellers
// that OpenClaw has no provider for.
var litellmProviders = map[string]string{
	"anthropic":        "anthropic",
	"azure":            "azure",
	"baseten":          "baseten",
	"bedrock":          "amazon-bedrock",
	"bedrock_converse": "amazon-bedrock",
	"cerebras":         "cerebras",
	"cohere":           "cohere",
	"cohere_chat":      "cohere",
	"dashscope":        "qwen",
	"deepinfra":        "deepinfra",
	"deepseek":         "deepseek",
	"fireworks_ai":     "fireworks",
	"gemini":           "google",
	"github_copilot":   "github-copilot",
	"gmi":              "gmi",
	"groq":             "groq",
	"meta":             "meta",
	"minimax":          "minimax",
	"mistral":          "mistral",
	"moonshot":         "moonshotai",
	"nebius":           "nebius",
	"novita":           "novita",
	"openai":           "openai",
	"perplexity":       "perplexity",
	"sambanova":        "sambanova",
	"together_ai":      "together",
	"volcengine":       "volcengine",
	"xai":              "xai",
	"xiaomi_mimo":      "xiaomi",
	"zai":              "zai",
}

// litellmModes are the kinds of models that answer in text.
var litellmModes = []string{"chat", "completion", "responses"}

const litellmFile = "litellm/model_prices_and_context_window_backup.json"

func readLitellm(file string) (catalog, error) {
	var metadata string
	files, err := readZip(file, func(name string) bool {
		if path.Base(name) == "METADATA" && strings.HasSuffix(path.Dir(name), ".dist-info") {
			metadata = name
			return true
		}
		return name == litellmFile
	})
	if err != nil {
		return catalog{}, err
	}
	head := string(files[metadata])
	c := catalog{version: metadataField(head, "Version")}
	licence := metadataField(head, "License-Expression")
	if licence == "" {
		licence = metadataField(head, "License")
	}
	if err := checkLicence(licence, "MIT"); err != nil {
		return catalog{}, err
	}
	var models map[string]map[string]any
	if err := json.Unmarshal(files[litellmFile], &models); err != nil {
		return catalog{}, fmt.Errorf("%s: %w", litellmFile, err)
	}
	for _, key := range slices.Sorted(maps.Keys(models)) {
		if r, ok := litellmRow(key, models[key]); ok {
			c.rows = append(c.rows, r)
		}
	}
	return c, nil
}

// metadataField gives a header of a wheel's METADATA.
func metadataField(text, name string) string {
	for line := range strings.Lines(text) {
		if value, ok := strings.CutPrefix(line, name+": "); ok {
			return strings.TrimSpace(value)
		}
		if strings.TrimSpace(line) == "" {
			break // the description follows
		}
	}
	return ""
}

func litellmRow(key string, fields map[string]any) (row, bool) {
	theirs, _ := fields["litellm_provider"].(string)
	mode, _ := fields["mode"].(string)
	ours, known := litellmProviders[theirs]
	if !known || !slices.Contains(litellmModes, mode) {
		return row{}, false
	}
	model := strings.TrimPrefix(key, theirs+"/")
	if ours == "amazon-bedrock" && strings.Contains(model, "/") {
		return row{}, false // a price for one region, or with a commitment
	}
	if strings.HasPrefix(model, "ft:") {
		return row{}, false // a fine-tuned model has a name of its own
	}
	r, ok := newRow(ours, model)
	if !ok {
		return row{}, false
	}
	r.rates = litellmRates(fields)
	r.context = int64(number(fields["max_input_tokens"]))
	return r, true
}

// litellmTier matches a rate that holds above a size of the prompt.
var litellmTier = regexp.MustCompile(`^(.+)_above_(\d+)k_tokens$`)

func litellmRates(fields map[string]any) memory.Rates {
	r := memory.Rates{}
	setRates(&r, fields)
	if list, ok := fields["tiered_pricing"].([]any); ok {
		litellmList(&r, list)
		return r
	}
	tiers := map[int64]map[string]any{}
	for name, value := range fields {
		m := litellmTier.FindStringSubmatch(name)
		if m == nil || litellmRate[m[1]] == nil {
			continue
		}
		k, err := strconv.ParseInt(m[2], 10, 64)
		if err != nil {
			continue
		}
		if tiers[k*1000] == nil {
			tiers[k*1000] = map[string]any{}
		}
		tiers[k*1000][m[1]] = value
	}
	for _, above := range slices.Sorted(maps.Keys(tiers)) {
		addTier(&r, above, tiers[above])
	}
	return r
}

// litellmList reads tiers that are given as ranges. The first one, from 0,
// holds the rates of the model.
func litellmList(r *memory.Rates, list []any) {
	for _, item := range list {
		fields, _ := item.(map[string]any)
		bounds, _ := fields["range"].([]any)
		if len(bounds) != 2 {
			*r = memory.Rates{} // another kind of list: no price
			return
		}
		if above := int64(number(bounds[0])); above > 0 {
			addTier(r, above, fields)
			continue
		}
		setRates(r, fields)
	}
}

// addTier adds a tier; what it does not name is as below it.
func addTier(r *memory.Rates, above int64, fields map[string]any) {
	t := memory.RateTier{Above: above, Rates: *r}
	if n := len(r.Tiers); n > 0 {
		t.Rates = r.Tiers[n-1].Rates
	}
	t.Rates.Tiers = nil
	setRates(&t.Rates, fields)
	r.Tiers = append(r.Tiers, t)
}

var litellmRate = map[string]func(*memory.Rates) *float64{
	"input_cost_per_token":                      func(r *memory.Rates) *float64 { return &r.Input },
	"output_cost_per_token":                     func(r *memory.Rates) *float64 { return &r.Output },
	"cache_read_input_token_cost":               func(r *memory.Rates) *float64 { return &r.CacheRead },
	"cache_creation_input_token_cost":           func(r *memory.Rates) *float64 { return &r.CacheWrite },
	"cache_creation_input_token_cost_above_1hr": func(r *memory.Rates) *float64 { return &r.CacheWrite1h },
}

func setRates(r *memory.Rates, fields map[string]any) {
	for name, rate := range litellmRate {
		if value, ok := fields[name]; ok {
			*rate(r) = number(value) * 1e6
		}
	}
}

// number reads a number that may stand in a string; what is none is 0.
func number(v any) float64 {
	switch v := v.(type) {
	case float64:
		return v
	case string:
		f, err := strconv.ParseFloat(v, 64)
		if err == nil {
			return f
		}
	}
	return 0
}
