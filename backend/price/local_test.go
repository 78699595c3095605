package price

import "testing"

func TestLocal(t *testing.T) {
	for _, c := range []struct {
		provider, model, baseURL string
		want                     bool
	}{
		// The usual spellings.
		{"ollama", "qwen3:8b", "", true},
		{"Ollama", "llama3.1:8b", "http://127.0.0.1:11434", true},
		{"ollama-local", "llama3.1:8b", "", true},
		{"lmstudio", "qwen/qwen3-8b", "http://localhost:1234/v1", true},
		{"lm-studio", "x", "", true},
		{"LM Studio", "x", "", true},
		{"llama.cpp", "x", "", true},
		{"llama-cpp", "x", "", true},
		{"llamacpp", "x", "", true},
		{"llama-server", "x", "", true},
		{"vllm", "Qwen/Qwen3-8B", "http://192.168.1.20:8000/v1", true},
		{"sglang", "x", "", true},
		{"localai", "gpt-4", "", true},
		{"LocalAI", "gpt-4", "http://localhost:8080", true},
		{"mlx", "x", "", true},
		{"mlx-lm", "x", "", true},
		{"koboldcpp", "x", "", true},
		{"jan", "x", "", true},
		{"gpt4all", "x", "", true},
		{"", "ollama/qwen3:8b", "", true},
		{"foundry-local", "phi-4", "", true},

		// Ollama's cloud (cases B37).
		{"ollama", "kimi-k2.5:cloud", "", false},
		{"ollama", "kimi-k2.5:cloud", "http://127.0.0.1:11434", false},
		{"ollama", "gpt-oss:120b-cloud", "", false},
		{"ollama", "GPT-OSS:120B-CLOUD", "", false},
		{"ollama", "kimi-k3", "https://ollama.com", false},
		{"ollama", "kimi-k3", "https://ollama.com/v1", false},
		{"ollama-cloud", "kimi-k3", "", false},
		{"ollama-cloud", "kimi-k3", "http://127.0.0.1:11434", false},

		// The name of a model says nothing (cases B38).
		{"openrouter", "qwen/qwen3-max", "", false},
		{"", "openrouter/qwen/qwen3-max", "", false},
		{"openrouter", "ollama/llama3", "", false},
		{"custom", "llama3.1:8b", "", false},

		// A loopback address says nothing either: proxies listen there.
		{"litellm", "gpt-5", "http://127.0.0.1:4000", false},
		{"custom", "x", "http://localhost:8080/v1", false},
		{"openai", "gpt-5", "http://127.0.0.1:8000", false},
		{"llmman", "llmman.provider/openai/gpt-5", "http://127.0.0.1:17434/v1", false},

		// A local program on somebody else's machine.
		{"vllm", "x", "https://abc-8000.proxy.example.com/v1", false},
		{"vllm", "x", "http://8.8.8.8:8000/v1", false},
		{"ollama", "x", "${OLLAMA_HOST}", false},
		{"ollama", "x", "http://", false},

		// Names that only look like one.
		{"ollamax", "x", "", false},
		{"my-ollama", "x", "", false},
		{"foundry", "gpt-5", "", false},
		{"local", "x", "", false},
		{"", "", "", false},
		{"январь-jan", "x", "", false},
	} {
		if got := Local(c.provider, c.model, c.baseURL); got != c.want {
			t.Errorf("Local(%q, %q, %q) = %v", c.provider, c.model, c.baseURL, got)
		}
	}
}

func TestPrivateURL(t *testing.T) {
	for raw, want := range map[string]bool{
		"http://localhost:11434":             true,
		"localhost:11434":                    true,
		"LOCALHOST":                          true,
		"127.0.0.1:11434/v1":                 true,
		"http://127.8.8.8":                   true,
		"http://0.0.0.0:11434":               true,
		"http://[::1]:11434/v1":              true,
		"http://[::ffff:127.0.0.1]:1":        true,
		"http://[fd00::5]:8000":              true,
		"http://[fe80::1%25eth0]:8000":       true,
		"http://10.1.2.3":                    true,
		"http://172.16.0.9:8000":             true,
		"http://192.168.178.40:11434":        true,
		"http://100.101.102.103:11434":       true,
		"http://host.docker.internal:11434":  true,
		"http://ollama:11434":                true,
		"http://gpu-box.local:11434":         true,
		"http://gpu.lan./v1":                 true,
		"http://nas.home.arpa":               true,
		"http://a.localhost":                 true,
		"http://172.32.0.9:8000":             false,
		"http://100.128.0.1":                 false,
		"http://192.169.0.1":                 false,
		"https://ollama.com":                 false,
		"https://localhost.example.com":      false,
		"https://127.0.0.1.example.com":      false,
		"https://notlocal":                   true, // one label: no public name has one
		"https://evil-local.com":             false,
		"http://localhost@example.com/":      false,
		"http://example.com#localhost":       false,
		"http://example.com:80:80":           false,
		"http://2130706433":                  false,
		"http://127.1":                       false,
		"http://0x7f000001":                  false,
		"http://[2001:4860:4860::8888]":      false,
		"http://${HOST}:11434":               false,
		"http://локальный":                   false,
		"":                                   false,
		"://":                                false,
		"https://example.com/?host=10.0.0.1": false,
	} {
		if got := privateURL(raw); got != want {
			t.Errorf("privateURL(%q) = %v", raw, got)
		}
	}
}

func FuzzLocal(f *testing.F) {
	f.Add("ollama", "qwen3", "http://127.0.0.1")
	f.Add("ollama", "x:cloud", "[::1")
	f.Fuzz(func(t *testing.T, provider, model, baseURL string) {
		if Local(provider, model, baseURL) && baseURL != "" && !Local(provider, model, "") {
			t.Errorf("an address made %q %q local", provider, model)
		}
	})
}
