package main

import (
	"fmt"
	"strings"

	"tidemark/backend/memory"
)

// source is a released package with a catalog in it.
type source struct {
	registry string // "npm" or "pip"
	pkg      string
	version  string // latest, or a version for what newer releases leave out
	licence  string // as its package says; checked against the package
	holder   string // the copyright line of the licence
	read     func(file string) (catalog, error)
}

// latest is the version of a package that its registry gives unasked.
const latest = "latest"

func (s source) name() string { return s.pkg + "@" + s.version }

// sources in the order in which they decide. The first package has OpenClaw's
// own names of providers, since OpenClaw took its catalog from it; the last
// one knows providers that the first does not. When "latest" drops a model,
// add the release that still had it below.
var sources = []source{
	pi("@earendil-works/pi-ai", latest),
	pi("@earendil-works/pi-ai", "0.87.1"), // 2026-09
	pi("@earendil-works/pi-ai", "0.77.0"),
	pi("@earendil-works/pi-ai", "0.74.2"), // 2026-05
	pi("@mariozechner/pi-ai", "0.55.0"),   // 2026-02, the release in OpenClaw 2026.2.24
	pi("@mariozechner/pi-ai", "0.49.0"),
	pi("@mariozechner/pi-ai", "0.37.0"), // 2026-01
	{
		registry: "pip", pkg: "litellm", version: latest,
		licence: "MIT", holder: "Copyright (c) 2023 Berri AI", read: readLitellm,
	},
}

func pi(pkg, version string) source {
	return source{
		registry: "npm", pkg: pkg, version: version,
		licence: "MIT", holder: "Copyright (c) 2025 Mario Zechner", read: readPi,
	}
}

// catalog is what one source says.
type catalog struct {
	source  source
	version string // the version that was read
	date    string // of the prices, as year-month-day; "" where it does not say
	rows    []row
}

func (c catalog) title() string { return c.source.pkg + " " + c.version }

// row is one model. Rates that the source does not give are 0.
type row struct {
	provider, model string
	rates           memory.Rates
	context         int64
}

func (r row) key() string { return r.provider + "\t" + r.model }

// renamed maps names of providers that a source changed to the present ones.
var renamed = map[string]string{"azure-openai-responses": "azure"}

// newRow puts names into the table's form. ok is false for names that cannot
// stand in it.
func newRow(provider, model string) (r row, ok bool) {
	provider, model = strings.ToLower(provider), strings.ToLower(model)
	if name, ok := renamed[provider]; ok {
		provider = name
	}
	if provider == "" || model == "" || strings.ContainsAny(provider+model, "\t\r\n#") {
		return row{}, false
	}
	return row{provider: provider, model: model}, true
}

// checkLicence refuses a package whose licence is no longer the one that the
// table's header names.
func checkLicence(got, want string) error {
	if got != want {
		return fmt.Errorf("its licence is %q, not %q", got, want)
	}
	return nil
}
