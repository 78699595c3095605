package price

import "strings"

// otherNames maps names that people and OpenClaw's versions give a provider to
// the name in the table. Only names that mean the same company's same price
// list belong here: a subscription or a reseller is another provider.
var otherNames = map[string]string{
	"aws-bedrock": "amazon-bedrock", "bedrock": "amazon-bedrock",
	"azure-openai": "azure", "azure-openai-responses": "azure",
	"copilot":      "github-copilot",
	"fireworks-ai": "fireworks", "fireworks_ai": "fireworks",
	"gemini": "google", "google-ai": "google", "google-generative-ai": "google",
	"vertex": "google-vertex", "vertex_ai": "google-vertex",
	"kimi": "kimi-coding", "kimi-code": "kimi-coding",
	"mistralai": "mistral",
	"moonshot":  "moonshotai", "moonshot-ai": "moonshotai",
	"opencode-zen": "opencode",
	"modelstudio":  "qwen", "dashscope": "qwen",
	"together-ai": "together", "together_ai": "together", "togetherai": "together",
	"vercel": "vercel-ai-gateway",
	"x-ai":   "xai",
	"z-ai":   "zai", "z.ai": "zai",
}

// bedrockRegions are the prefixes of Bedrock's regional profiles that cost what
// the model costs within one region. "global." is not among them: it is
// cheaper, so its models are found by their full name or not at all.
var bedrockRegions = []string{"us.", "eu.", "apac.", "au.", "jp.", "ca.", "in.", "us-gov."}

// tableName gives the name of a provider in the table.
func tableName(provider string) string {
	if name, ok := otherNames[provider]; ok {
		return name
	}
	return provider
}

// plain puts provider and model into one form: lower case, no spaces around,
// the provider not repeated in front of the model. Where no provider is given
// the part of the model before the first slash is it.
func plain(provider, model string) (p, m string) {
	p = strings.ToLower(strings.TrimSpace(provider))
	m = strings.ToLower(strings.TrimSpace(model))
	head, rest, ok := strings.Cut(m, "/")
	if p == "" && ok {
		return head, rest
	}
	return p, m
}

// withoutProvider cuts "provider/" off the model where it repeats p.
func withoutProvider(p, m string) (string, bool) {
	head, rest, ok := strings.Cut(m, "/")
	if !ok || rest == "" || tableName(head) != tableName(p) {
		return "", false
	}
	return rest, true
}

// find gives the key of a model: under the name as it is where the table has
// it, else under the first other spelling that the table has.
func (t *table) find(provider, model string) (key string, ok bool) {
	p, m := plain(provider, model)
	if p == "" || m == "" || strings.ContainsRune(p+m, '\t') {
		return "", false
	}
	if base, cloud := cloudModel(m); cloud && p == "ollama" {
		p, m = "ollama-cloud", base // what its servers run has its own price list
	}
	if key, ok := t.first(p, []string{m}); ok {
		return key, true
	}
	p = tableName(p)
	return t.first(p, t.spellings(p, m))
}

func (t *table) first(p string, models []string) (string, bool) {
	for _, m := range models {
		if key := p + "\t" + m; t.has(key) {
			return key, true
		}
	}
	return "", false
}

func (t *table) has(key string) bool {
	_, ok := t.rows[key]
	return ok
}

// spellings lists the names under which the table may hold the model m of p,
// the most literal first.
func (t *table) spellings(p, m string) []string {
	names := []string{m}
	for _, rule := range []func(p, m string) (string, bool){
		withoutProvider, withoutProfile, withoutRegion, withoutLatest, t.withoutDate,
	} {
		for _, n := range names {
			if other, ok := rule(p, n); ok {
				names = append(names, other)
			}
		}
	}
	return names
}

// withoutProfile gives the model of a Bedrock resource name such as
// arn:aws:bedrock:us-east-1:1:inference-profile/us.anthropic.claude-sonnet-4-6.
// The name of an application profile says nothing about its model.
func withoutProfile(p, m string) (string, bool) {
	if p != "amazon-bedrock" || !strings.HasPrefix(m, "arn:") {
		return "", false
	}
	for _, kind := range []string{":inference-profile/", ":foundation-model/"} {
		if _, model, ok := strings.Cut(m, kind); ok && model != "" {
			return model, true
		}
	}
	return "", false
}

func withoutRegion(p, m string) (string, bool) {
	if p != "amazon-bedrock" {
		return "", false
	}
	for _, region := range bedrockRegions {
		if rest, ok := strings.CutPrefix(m, region); ok && rest != "" {
			return rest, true
		}
	}
	return "", false
}

// withoutLatest cuts the mark of a moving name: model-latest, model:latest,
// model@latest and model@default are the model.
func withoutLatest(_, m string) (string, bool) {
	for _, mark := range []string{"-latest", ":latest", "@latest", "@default"} {
		if rest, ok := strings.CutSuffix(m, mark); ok && rest != "" {
			return rest, true
		}
	}
	return "", false
}

// withoutDate cuts the date of a release, unless releases of that model are
// known to differ in price.
func (t *table) withoutDate(p, m string) (string, bool) {
	base, ok := cutDate(m)
	if !ok || t.varied[p+"\t"+base] {
		return "", false
	}
	return base, true
}

// cutDate cuts -20250929, @20250929 or -2025-09-29 off a name. Four digits are
// left alone: -0905 and -0324 name models with prices of their own.
func cutDate(name string) (base string, ok bool) {
	if n := len(name) - len("-20250929"); n > 0 && (name[n] == '-' || name[n] == '@') && isDate(name[n+1:]) {
		return name[:n], true
	}
	n := len(name) - len("-2025-09-29")
	if n <= 0 || name[n] != '-' || name[n+5] != '-' || name[n+8] != '-' {
		return "", false
	}
	if !isDate(name[n+1:n+5] + name[n+6:n+8] + name[n+9:]) {
		return "", false
	}
	return name[:n], true
}

// isDate says that eight bytes are a day between 2020 and 2039: no model that
// is sold by the token is older.
func isDate(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	year, month, day := s[:4], s[4:6], s[6:]
	return year >= "2020" && year <= "2039" && month >= "01" && month <= "12" && day >= "01" && day <= "31"
}
