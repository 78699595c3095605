package price

import (
	_ "embed" // for table.tsv
	"fmt"
	"strconv"
	"strings"
	"sync"

	"tidemark/backend/memory"
)

// tableText is the price table as `go run ./build/prices` writes it: one line
// for a model, fields parted by tabs, lines that begin with # are comments.
//
//	provider model input output cacheRead cacheWrite cacheWrite1h context tiers
//
// Names are in lower case. Rates are dollars for a million tokens; a field that
// is empty, or missing at the end of the line, is not given. Tiers look like
// 200000:4,18,0.4,5 and are parted by semicolons.
//
//go:embed table.tsv
var tableText string

// published is the compiled-in table. It is indexed when first needed, which
// takes half a millisecond; single lines are parsed when they are asked for.
var published = sync.OnceValue(func() *table { return newTable(tableText) })

// Entry is one model of the table.
type Entry struct {
	// Provider and Model are as the table names them, in lower case.
	Provider, Model string
	// Rates are the prices. Rates.Zero says that the table knows the model but
	// not its price. A rate for cached tokens that the source does not name is
	// that of input: without a discount they are billed as any other token.
	Rates memory.Rates
	// Context is the context window in tokens, 0 where it is not known.
	Context int64
}

// Lookup finds a model in the table. It tries the names as they are, then the
// spellings that names.go lists. ok is false for a model that is not there; it
// never answers with a model of another name or another provider.
func Lookup(provider, model string) (e Entry, ok bool) {
	return published().lookup(provider, model)
}

// ContextWindow gives the published context window of a model in tokens. What
// OpenClaw was configured to use can be smaller. ok is false where the table
// does not say.
func ContextWindow(provider, model string) (tokens int64, ok bool) {
	e, ok := Lookup(provider, model)
	if !ok || e.Context <= 0 {
		return 0, false
	}
	return e.Context, true
}

// table finds lines by "provider\tmodel". Keys and lines are parts of the text
// they were made from.
type table struct {
	rows map[string]string
	// varied holds the models that have dated releases at another price:
	// for them an unknown date says too little.
	varied map[string]bool
}

// averageLine is the size of a line in bytes, rounded down: the map is made
// large enough at once.
const averageLine = 32

func newTable(text string) *table {
	t := &table{rows: make(map[string]string, len(text)/averageLine), varied: map[string]bool{}}
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		if strings.HasPrefix(line, "#") {
			continue
		}
		if key, row, ok := cutKey(line); ok {
			t.rows[key] = row
		}
	}
	t.findVaried()
	return t
}

// cutKey parts a line after its second field.
func cutKey(line string) (key, row string, ok bool) {
	provider := strings.IndexByte(line, '\t')
	if provider <= 0 {
		return "", "", false
	}
	model := strings.IndexByte(line[provider+1:], '\t')
	if model <= 0 {
		return "", "", false
	}
	end := provider + 1 + model
	return line[:end], line[end+1:], true
}

func (t *table) findVaried() {
	for key, row := range t.rows {
		base, ok := cutDate(key)
		if !ok {
			continue
		}
		if plain, ok := t.rows[base]; ok && rateFields(plain) != rateFields(row) {
			t.varied[base] = true
		}
	}
}

// rateFields cuts the context window out of a row, which says nothing about
// the price.
func rateFields(row string) [2]string {
	rest := row
	for range rateCount {
		_, after, ok := strings.Cut(rest, "\t")
		if !ok {
			return [2]string{row, ""}
		}
		rest = after
	}
	rates := row[:len(row)-len(rest)]
	_, tiers, _ := strings.Cut(rest, "\t")
	return [2]string{strings.TrimRight(rates, "\t"), tiers}
}

func (t *table) lookup(provider, model string) (Entry, bool) {
	key, ok := t.find(provider, model)
	if !ok {
		return Entry{}, false
	}
	e, err := parseRow(t.rows[key])
	if err != nil {
		return Entry{}, false
	}
	e.Provider, e.Model, _ = strings.Cut(key, "\t")
	return e, true
}

// rateCount is the number of rates in a row and in a tier.
const rateCount = 5

func parseRow(row string) (Entry, error) {
	fields := strings.Split(row, "\t")
	if len(fields) > rateCount+2 {
		return Entry{}, fmt.Errorf("parse price row: %d fields", len(fields))
	}
	for len(fields) < rateCount+2 {
		fields = append(fields, "")
	}
	rates, err := parseRates(fields[:rateCount])
	if err != nil {
		return Entry{}, err
	}
	e := Entry{Rates: rates}
	if s := fields[rateCount]; s != "" {
		if e.Context, err = strconv.ParseInt(s, 10, 64); err != nil {
			return Entry{}, fmt.Errorf("parse context window: %w", err)
		}
	}
	if e.Rates.Tiers, err = parseTiers(fields[rateCount+1]); err != nil {
		return Entry{}, err
	}
	return e, nil
}

func parseRates(fields []string) (memory.Rates, error) {
	var v [rateCount]float64
	for i, s := range fields {
		if s == "" {
			continue
		}
		f, err := strconv.ParseFloat(s, 64)
		if err != nil {
			return memory.Rates{}, fmt.Errorf("parse rate: %w", err)
		}
		v[i] = f
	}
	r := memory.Rates{Input: v[0], Output: v[1], CacheRead: v[2], CacheWrite: v[3], CacheWrite1h: v[4]}
	if r.CacheRead == 0 {
		r.CacheRead = r.Input
	}
	if r.CacheWrite == 0 {
		r.CacheWrite = r.Input
	}
	return r, sane(r)
}

func parseTiers(s string) ([]memory.RateTier, error) {
	if s == "" {
		return nil, nil
	}
	var tiers []memory.RateTier
	for part := range strings.SplitSeq(s, ";") {
		above, list, _ := strings.Cut(part, ":")
		n, err := strconv.ParseInt(above, 10, 64)
		if err != nil {
			return nil, fmt.Errorf("parse tier: %w", err)
		}
		fields := strings.Split(list, ",")
		if len(fields) > rateCount {
			return nil, fmt.Errorf("parse tier: %d rates", len(fields))
		}
		rates, err := parseRates(fields)
		if err != nil {
			return nil, err
		}
		tiers = append(tiers, memory.RateTier{Above: n, Rates: rates})
	}
	return tiers, nil
}
