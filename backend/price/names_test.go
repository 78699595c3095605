package price

import (
	"strings"
	"testing"
)

// small is a table made for the rules of spelling: each price is another, so
// that a wrong match shows.
var small = newTable(strings.ReplaceAll(`# comment
anthropic claude-sonnet-4-5 3 15 . . . 200000
anthropic claude-sonnet-4-5-20250929 3 15 . . . 200000
anthropic claude-opus-4 15 75
anthropic claude-opus-4-5 5 25
openai gpt-5 1.25 10
openai gpt-5-mini 0.25 2
openai gpt-4o 2.5 10
openai gpt-4o-2024-05-13 5 15
openai o1 15 60
openai chat-latest 9 9
openrouter auto 7 7
openrouter openrouter/auto 8 8
openrouter anthropic/claude-sonnet-4.5 3.1 15.1
openrouter qwen/qwen3-max 1.2 6
openrouter qwen/qwen3-coder 0.2 0.8
moonshotai kimi-k2.5 0.6 3
moonshotai kimi-k2 0.55 2.2
ollama-cloud gpt-oss:120b 0.15 0.6
ollama-cloud kimi-k3 3 15
amazon-bedrock anthropic.claude-sonnet-4-6 3.3 16.5
amazon-bedrock global.anthropic.claude-sonnet-4-6 3 15
amazon-bedrock anthropic.claude-opus-5 5.5 27.5
google-vertex claude-sonnet-4-5 3.2 15.2
google gemini-3-pro 2 12
gemini gemini-3-flash 99 99
`, " ", "\t"))

func init() {
	// A dot stands for a field that is not given, so that the text above can
	// be read.
	for key, row := range small.rows {
		small.rows[key] = strings.ReplaceAll(row, "\t.", "\t")
	}
}

func TestFind(t *testing.T) {
	for _, c := range []struct{ provider, model, want string }{
		// As it is.
		{"anthropic", "claude-sonnet-4-5", "anthropic claude-sonnet-4-5"},
		{"openrouter", "anthropic/claude-sonnet-4.5", "openrouter anthropic/claude-sonnet-4.5"},
		{"openrouter", "openrouter/auto", "openrouter openrouter/auto"},
		{"openrouter", "auto", "openrouter auto"},
		{"openai", "gpt-4o-2024-05-13", "openai gpt-4o-2024-05-13"},
		{"openai", "chat-latest", "openai chat-latest"},

		// Case, spaces, the provider in front, other names of a provider.
		{" Anthropic ", " Claude-Sonnet-4-5\n", "anthropic claude-sonnet-4-5"},
		{"anthropic", "anthropic/claude-sonnet-4-5", "anthropic claude-sonnet-4-5"},
		{"", "anthropic/claude-sonnet-4-5", "anthropic claude-sonnet-4-5"},
		{"", "openrouter/anthropic/claude-sonnet-4.5", "openrouter anthropic/claude-sonnet-4.5"},
		{"openrouter", "openrouter/anthropic/claude-sonnet-4.5", "openrouter anthropic/claude-sonnet-4.5"},
		{"moonshot", "kimi-k2.5", "moonshotai kimi-k2.5"},
		{"moonshot", "moonshot/kimi-k2.5", "moonshotai kimi-k2.5"},
		{"moonshotai", "moonshot/kimi-k2.5", "moonshotai kimi-k2.5"},
		{"gemini", "gemini-3-pro", "google gemini-3-pro"},
		{"gemini", "gemini-3-flash", "gemini gemini-3-flash"}, // a name in the table wins over its other name

		// Dates, moving names and versions.
		{"anthropic", "claude-sonnet-4-5-20250929", "anthropic claude-sonnet-4-5-20250929"},
		{"anthropic", "claude-opus-4-5-20251101", "anthropic claude-opus-4-5"},
		{"anthropic", "claude-opus-4-20250514", "anthropic claude-opus-4"},
		{"openai", "gpt-5-2025-08-07", "openai gpt-5"},
		{"openai", "gpt-5-mini-2025-08-07", "openai gpt-5-mini"},
		{"openai", "gpt-5-latest", "openai gpt-5"},
		{"google-vertex", "claude-sonnet-4-5@20250929", "google-vertex claude-sonnet-4-5"},
		{"google-vertex", "claude-sonnet-4-5@default", "google-vertex claude-sonnet-4-5"},
		{"openrouter", "openrouter/qwen/qwen3-max-20251001", "openrouter qwen/qwen3-max"},

		// Bedrock.
		{"amazon-bedrock", "us.anthropic.claude-sonnet-4-6", "amazon-bedrock anthropic.claude-sonnet-4-6"},
		{"bedrock", "eu.anthropic.claude-sonnet-4-6", "amazon-bedrock anthropic.claude-sonnet-4-6"},
		{"amazon-bedrock", "global.anthropic.claude-sonnet-4-6", "amazon-bedrock global.anthropic.claude-sonnet-4-6"},
		{
			"amazon-bedrock", "arn:aws:bedrock:us-east-1:123456789012:inference-profile/us.anthropic.claude-sonnet-4-6",
			"amazon-bedrock anthropic.claude-sonnet-4-6",
		},
		{
			"amazon-bedrock", "arn:aws:bedrock:us-east-1::foundation-model/anthropic.claude-opus-5",
			"amazon-bedrock anthropic.claude-opus-5",
		},

		// Ollama's cloud has a price list of its own.
		{"ollama", "gpt-oss:120b-cloud", "ollama-cloud gpt-oss:120b"},
		{"ollama", "kimi-k3:cloud", "ollama-cloud kimi-k3"},
		{"ollama-cloud", "kimi-k3", "ollama-cloud kimi-k3"},
	} {
		key, ok := small.find(c.provider, c.model)
		if got := strings.ReplaceAll(key, "\t", " "); !ok || got != c.want {
			t.Errorf("find(%q, %q) = %q, want %q", c.provider, c.model, got, c.want)
		}
	}
}

func TestFindsNothingElse(t *testing.T) {
	for _, c := range []struct{ provider, model, why string }{
		{"anthropic", "claude-sonnet-4", "a shorter name is another model"},
		{"anthropic", "claude-sonnet-4-5-fast", "so is a longer one"},
		{"anthropic", "claude-opus-4-6", "and the next version"},
		{"anthropic", "claude-opus-4.5", "and another spelling of the version"},
		{"openai", "gpt-5-nano", "a smaller size"},
		{"openai", "gpt-5.4", "a point release"},
		{"openai", "o1-pro", "o1-pro costs ten times o1"},
		{"openai", "gpt", "a family"},
		{"openai", "gpt-5-preview", "a preview"},
		{"moonshotai", "kimi-k2-0905", "four digits are a model"},
		{"moonshotai", "kimi-k2-0711-preview", "with more behind them too"},
		{"moonshotai", "kimi-k2-12345678", "eight digits that are no day"},
		{"moonshotai", "kimi-k2-20251301", "nor this"},
		{"moonshotai", "kimi-k2-2025-1-01", "nor this"},
		{"moonshotai", "kimi-k2_20250929", "nor with another mark"},
		{"openai", "gpt-4o-2024-08-06", "gpt-4o has dated releases at other prices"},
		{"openai", "gpt-4o-20240806", "in any notation"},
		{"openrouter", "qwen/qwen3-coder:free", "a free variant is not the paid model"},
		{"openrouter", "qwen/qwen3-coder:nitro", "a dearer route"},
		{"openrouter", "qwen3-max", "a model without its maker"},
		{"openrouter", "anthropic/claude-sonnet-4-5", "the makers' and the router's spelling differ"},
		{"anthropic", "gpt-5", "another company's model"},
		{"openai", "anthropic/claude-sonnet-4-5", "another company's prefix"},
		{"anthropic", "openrouter/anthropic/claude-sonnet-4-5", "a router's prefix"},
		{"openrouter", "claude-sonnet-4-5", "the maker's own price list"},
		{"litellm", "anthropic/claude-sonnet-4-5", "a proxy names models as it likes"},
		{"custom", "gpt-5", "an unknown provider"},
		{"", "gpt-5", "no provider"},
		{"", "", "nothing"},
		{"openai", "", "no model"},
		{"openai", "openai/", "still none"},
		{"amazon-bedrock", "global.anthropic.claude-opus-5", "global profiles are cheaper"},
		{"amazon-bedrock", "us.", "a region alone"},
		{"amazon-bedrock", "arn:aws:bedrock:us-east-1:1:application-inference-profile/abc", "says nothing of its model"},
		{"anthropic", "us.claude-opus-4-5", "regions are Bedrock's"},
		{"ollama", "gpt-oss:120b", "a local model has no price"},
		{"ollama", "kimi-k3", "nor this"},
		{"ollama", "kimi-k2.5:cloud", "another provider's price is not Ollama's"},
		{"lmstudio", "gpt-oss:120b-cloud", "only Ollama has such a cloud"},
		{"minimax-portal", "minimax-m2.5", "a subscription is not the price list"},
		{"anthropic\tclaude-opus-4", "x", "a tab cannot reach into the key"},
		{"anthropic", "claude-opus-4\t15", "nor into the row"},
		{"#", "comment", "comments are no rows"},
		{"anthropic", "-20250929", "a date alone"},
		{"anthropic", "-latest", "a mark alone"},
	} {
		if key, ok := small.find(c.provider, c.model); ok {
			t.Errorf("find(%q, %q) = %q: %s", c.provider, c.model, key, c.why)
		}
	}
}

func TestCutDate(t *testing.T) {
	for name, want := range map[string]string{
		"m-20250929": "m", "m@20250929": "m", "m-2025-09-29": "m",
		"m-20200101": "m", "m-20391231": "m",
		"m-19991231": "", "m-20400101": "", "m-20250029": "", "m-20250932": "",
		"m-2025-0929": "", "m:20250929": "", "-20250929": "", "20250929": "", "": "",
		"m-202509291": "", "m-2025-09-2९": "",
	} {
		if got, ok := cutDate(name); got != want || ok != (want != "") {
			t.Errorf("cutDate(%q) = %q %v", name, got, ok)
		}
	}
}

func FuzzLookup(f *testing.F) {
	f.Add("anthropic", "claude-sonnet-4-5-20250929")
	f.Add("amazon-bedrock", "arn:aws:bedrock:::inference-profile/us.x-latest")
	f.Add("", "openrouter//x@2025")
	f.Add("ollama", ":cloud")
	f.Fuzz(func(t *testing.T, provider, model string) {
		e, ok := Lookup(provider, model)
		if !ok {
			return
		}
		// What was found is part of what was asked for: no rule adds anything.
		if !strings.Contains(strings.ToLower(model), e.Model) {
			t.Errorf("Lookup(%q, %q) = %q", provider, model, e.Model)
		}
		if err := sane(e.Rates); err != nil {
			t.Error(err)
		}
	})
}
