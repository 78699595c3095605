package price

import (
	"net/netip"
	"net/url"
	"strings"
)

// localNames are the programs that run models on the person's own machine, by
// the letters and digits of their names. A program that can also pass calls on
// to a paid service (a proxy, a router) is not among them.
var localNames = map[string]bool{
	"ollama":   true,
	"lmstudio": true,
	"llamacpp": true, "llamaserver": true, "llamafile": true,
	"vllm":      true,
	"sglang":    true,
	"localai":   true,
	"mlx":       true,
	"mlxlm":     true,
	"mlxvlm":    true,
	"mlxserver": true, "mlxlmserver": true,
	"koboldcpp": true, "kobold": true, "koboldai": true,
	"jan": true, "janai": true,
	"gpt4all":             true,
	"textgenerationwebui": true, "oobabooga": true,
	"tabbyapi":          true,
	"ramalama":          true,
	"dockermodelrunner": true,
	"foundrylocal":      true,
	"ds4":               true,
	"applefm":           true,
}

// Local says that a call of the model is known to be free because it runs on
// the person's machine or in their own network. That takes a provider that is
// known to run there, a model that is not one of Ollama's cloud models, and,
// where a base URL is configured (baseURL is not ""), a host that is loopback
// or private. A loopback URL alone proves nothing: proxies to paid services
// listen there too. It looks at names only and resolves none.
func Local(provider, model, baseURL string) bool {
	p, m := plain(provider, model)
	if !localProvider(p) {
		return false
	}
	if _, cloud := cloudModel(m); cloud {
		return false
	}
	return baseURL == "" || privateURL(baseURL)
}

// localProvider says that a provider is one of the local programs, with or
// without "local" at its end. The name is in lower case.
func localProvider(p string) bool {
	s := letters(p)
	return localNames[s] || localNames[strings.TrimSuffix(s, "local")]
}

// letters keeps the letters and digits of a name in lower case, so that
// lm-studio, lm_studio and lmstudio are one.
func letters(name string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		if strings.ContainsRune("-_. ", r) {
			return -1
		}
		return '?' // another character makes another name
	}, name)
}

// cloudModel says that Ollama runs the model on its own servers, and gives the
// name without the mark: kimi-k2.5:cloud is kimi-k2.5, gpt-oss:120b-cloud is
// gpt-oss:120b.
func cloudModel(m string) (base string, cloud bool) {
	for _, mark := range []string{":cloud", "-cloud"} {
		if rest, ok := strings.CutSuffix(m, mark); ok && rest != "" {
			return rest, true
		}
	}
	return "", false
}

// tailnet holds the addresses that private overlay networks hand out.
var tailnet = netip.MustParsePrefix("100.64.0.0/10")

// privateURL says that the host of a URL, with or without a scheme, is this
// machine or one in the person's own network.
func privateURL(raw string) bool {
	raw = strings.TrimSpace(raw)
	if !strings.Contains(raw, "://") {
		raw = "http://" + raw
	}
	u, err := url.Parse(raw)
	if err != nil {
		return false
	}
	return privateHost(strings.ToLower(strings.TrimSuffix(u.Hostname(), ".")))
}

func privateHost(host string) bool {
	if addr, err := netip.ParseAddr(host); err == nil {
		addr = addr.Unmap().WithZone("")
		return addr.IsLoopback() || addr.IsPrivate() || addr.IsUnspecified() ||
			addr.IsLinkLocalUnicast() || tailnet.Contains(addr)
	}
	if host == "" || strings.Trim(host, "0123456789.") == "" || strings.HasPrefix(host, "0x") {
		return false // an address that is not one, or one in a notation nobody writes on purpose
	}
	return privateName(host)
}

// privateSuffixes end names that only a local resolver can know.
var privateSuffixes = []string{".localhost", ".local", ".localdomain", ".lan", ".internal", ".home.arpa"}

// privateName says that a host name cannot be a public one: it has one label,
// as containers and machines in a home network have, or a reserved ending.
func privateName(host string) bool {
	for _, r := range host {
		if !(r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '-' || r == '_' || r == '.') {
			return false
		}
	}
	if !strings.Contains(host, ".") {
		return true
	}
	for _, suffix := range privateSuffixes {
		if strings.HasSuffix(host, suffix) {
			return true
		}
	}
	return false
}
