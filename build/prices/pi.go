package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"strings"

	"github.com/titanous/json5"

	"tidemark/backend/memory"
)

// piModel is a model as the package writes it; prices are dollars for a
// million tokens, and a 0 can mean that there is none or that it is unknown.
type piModel struct {
	ID      string  `json:"id"`
	Type    string  `json:"type"` // "" before 1.0, where every model was a chat model
	Cost    piCost  `json:"cost"`
	Context float64 `json:"contextWindow"`
}

type piCost struct {
	Input      float64  `json:"input"`
	Output     float64  `json:"output"`
	CacheRead  float64  `json:"cacheRead"`
	CacheWrite float64  `json:"cacheWrite"`
	Tiers      []piTier `json:"tiers"`
}

type piTier struct {
	Above      int64   `json:"inputTokensAbove"`
	Input      float64 `json:"input"`
	Output     float64 `json:"output"`
	CacheRead  float64 `json:"cacheRead"`
	CacheWrite float64 `json:"cacheWrite"`
}

const (
	piFolder   = "package/dist/providers/data/"     // a JSON file for each provider, since 0.80
	piManifest = piFolder + ".manifest.json"        // when it was made
	piModule   = "package/dist/models.generated.js" // one object literal, before that
	piModuleIs = "export const MODELS = "           // what comes before the literal
	piPackage  = "package/package.json"
)

func readPi(file string) (catalog, error) {
	files, err := readTar(file, func(name string) bool {
		return name == piPackage || name == piModule || strings.HasPrefix(name, piFolder)
	})
	if err != nil {
		return catalog{}, err
	}
	c, err := piHead(files)
	if err != nil {
		return catalog{}, err
	}
	if files[piManifest] == nil {
		c.rows, err = readPiModule(files[piModule])
		return c, err
	}
	for name, text := range files {
		if !strings.HasPrefix(name, piFolder) || name == piManifest {
			continue
		}
		rows, err := readPiProvider(strings.TrimSuffix(path.Base(name), ".json"), text)
		if err != nil {
			return catalog{}, fmt.Errorf("%s: %w", path.Base(name), err)
		}
		c.rows = append(c.rows, rows...)
	}
	return c, nil
}

// piHead reads version, licence and date.
func piHead(files map[string][]byte) (catalog, error) {
	var pkg struct{ Version, License string }
	if err := json.Unmarshal(files[piPackage], &pkg); err != nil {
		return catalog{}, fmt.Errorf("package.json: %w", err)
	}
	c := catalog{version: pkg.Version}
	if text, ok := files[piManifest]; ok {
		var manifest struct{ GeneratedAt string }
		if err := json.Unmarshal(text, &manifest); err != nil {
			return catalog{}, fmt.Errorf("manifest: %w", err)
		}
		c.date, _, _ = strings.Cut(manifest.GeneratedAt, "T")
	}
	return c, checkLicence(pkg.License, "MIT")
}

// readPiModule reads the object literal of the older releases.
func readPiModule(text []byte) ([]row, error) {
	_, literal, _ := bytes.Cut(text, []byte(piModuleIs)) // "" where it is not there
	end := bytes.LastIndexByte(literal, '}')
	if end < 0 {
		return nil, errors.New("the object of models has no end")
	}
	var providers map[string]map[string]piModel
	if err := json5.Unmarshal(literal[:end+1], &providers); err != nil {
		return nil, fmt.Errorf("object of models: %w", err)
	}
	var rows []row
	for provider, models := range providers {
		rows = append(rows, piRows(provider, models)...)
	}
	return rows, nil
}

// readPiProvider reads a provider's file, which groups models by API.
func readPiProvider(provider string, text []byte) ([]row, error) {
	var apis map[string]map[string]piModel
	if err := json.Unmarshal(text, &apis); err != nil {
		return nil, err
	}
	var rows []row
	for _, models := range apis {
		rows = append(rows, piRows(provider, models)...)
	}
	return rows, nil
}

func piRows(provider string, models map[string]piModel) []row {
	var rows []row
	for _, m := range models {
		r, ok := newRow(provider, m.ID)
		if !ok || m.Type != "" && m.Type != "chat" {
			continue
		}
		r.rates = m.Cost.rates()
		r.context = int64(m.Context)
		rows = append(rows, r)
	}
	return rows
}

func (c piCost) rates() memory.Rates {
	r := memory.Rates{Input: c.Input, Output: c.Output, CacheRead: c.CacheRead, CacheWrite: c.CacheWrite}
	for _, t := range c.Tiers {
		r.Tiers = append(r.Tiers, memory.RateTier{Above: t.Above, Rates: memory.Rates{
			Input: t.Input, Output: t.Output, CacheRead: t.CacheRead, CacheWrite: t.CacheWrite,
		}})
	}
	return r
}
