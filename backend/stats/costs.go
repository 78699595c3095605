package stats

import (
	"fmt"
	"slices"
	"sort"
	"strings"
	"time"

	"tidemark/backend/memory"
)

// By is what costs are grouped by.
type By string

// The groupings.
const (
	ByDay     By = "day"
	ByAgent   By = "agent"
	ByModel   By = "model"
	BySession By = "session"
)

// UnknownDay is the key of calls whose time is not known.
const UnknownDay = "unknown"

// What calls are narrowed to, beside days.
const (
	AskedYou        = "you"        // a person asked for them
	AskedBackground = "background" // nobody did
	PricedKnown     = "known"      // the cost was recorded, or follows from a price of the person's own
	PricedEstimated = "estimated"  // the cost follows from the embedded table
	PricedUnknown   = "unknown"    // no price is known
)

// CostQuery says what is wanted.
type CostQuery struct {
	By   By
	Zone *time.Location // in which days are counted; nil is UTC
	From string         // first day, "2006-01-02", "" for no bound
	To   string         // last day, included

	Model  string // as the grouping by model names it, "" for all
	Asked  string // AskedYou, AskedBackground, "" for all
	Priced string // PricedKnown, PricedEstimated, PricedUnknown, "" for all
}

// Check gives an error where the query makes no sense.
func (q CostQuery) Check() error {
	switch q.By {
	case ByDay, ByAgent, ByModel, BySession:
	default:
		return &memory.Error{Code: memory.CodeInvalid, Op: fmt.Sprintf("group costs by %q", string(q.By)), Hint: "Use day, agent, model or session."}
	}
	if !slices.Contains([]string{"", AskedYou, AskedBackground}, q.Asked) {
		return &memory.Error{Code: memory.CodeInvalid, Op: fmt.Sprintf("narrow costs to calls asked for by %q", q.Asked), Hint: "Use you or background."}
	}
	if !slices.Contains([]string{"", PricedKnown, PricedEstimated, PricedUnknown}, q.Priced) {
		return &memory.Error{Code: memory.CodeInvalid, Op: fmt.Sprintf("narrow costs to calls priced %q", q.Priced), Hint: "Use known, estimated or unknown."}
	}
	for _, d := range []string{q.From, q.To} {
		if d == "" {
			continue
		}
		if _, err := time.Parse(time.DateOnly, d); err != nil {
			return &memory.Error{Code: memory.CodeInvalid, Op: fmt.Sprintf("read the day %q", d), Hint: "Write days as 2026-05-31."}
		}
	}
	if q.From != "" && q.To != "" && q.From > q.To {
		return &memory.Error{Code: memory.CodeInvalid, Op: "read the range of days", Hint: "The first day comes after the last one."}
	}
	return nil
}

// CostRow is the sum of some calls.
type CostRow struct {
	Key        string
	Calls      int64
	Usage      memory.Usage
	Cost       memory.Money
	Unpriced   int64
	Background memory.Money // part of Cost that nobody asked for
	// Estimated is the part of Cost that was priced by the embedded table.
	Estimated memory.Money
	// Unreported counts calls of which the provider reported no usage.
	Unreported int64
}

func (r *CostRow) add(s memory.UsageSlice) {
	r.Calls += s.Calls
	r.Usage.Input += s.Usage.Input
	r.Usage.Output += s.Usage.Output
	r.Usage.CacheRead += s.Usage.CacheRead
	r.Usage.CacheWrite += s.Usage.CacheWrite
	r.Usage.CacheWrite1h += s.Usage.CacheWrite1h
	r.Cost += s.Cost
	r.Unpriced += s.Unpriced
	r.Unreported += s.Unreported
	if s.Background {
		r.Background += s.Cost
	}
	if s.Price == memory.PriceTable {
		r.Estimated += s.Cost
	}
}

// Costs sums up usage. Days are those of the query's zone, in order; other
// rows come dearest first.
func Costs(usage []memory.UsageSlice, q CostQuery) (rows []CostRow, total CostRow) {
	zone := q.Zone
	if zone == nil {
		zone = time.UTC
	}
	at := map[string]int{}
	for _, s := range usage {
		day := dayOf(s.At, zone)
		if !within(day, q.From, q.To) || !q.takes(s) {
			continue
		}
		key := keyOf(s, q.By, day)
		i, ok := at[key]
		if !ok {
			i = len(rows)
			at[key] = i
			rows = append(rows, CostRow{Key: key})
		}
		rows[i].add(s)
		total.add(s)
	}
	sort.Slice(rows, func(i, j int) bool {
		if q.By != ByDay && rows[i].Cost != rows[j].Cost {
			return rows[i].Cost > rows[j].Cost
		}
		if q.By != ByDay && rows[i].Usage.Tokens() != rows[j].Usage.Tokens() {
			return rows[i].Usage.Tokens() > rows[j].Usage.Tokens()
		}
		return rows[i].Key < rows[j].Key
	})
	return rows, total
}

// takes says whether a slice is among the calls that are wanted, whenever they
// were. A sum that came back from the ledger may hold calls with and without a
// price: it is among those without.
func (q CostQuery) takes(s memory.UsageSlice) bool {
	if q.Model != "" && q.Model != keyOf(s, ByModel, "") {
		return false
	}
	if q.Asked != "" && s.Background != (q.Asked == AskedBackground) {
		return false
	}
	switch q.Priced {
	case PricedUnknown:
		return s.Unpriced > 0
	case PricedEstimated:
		return s.Unpriced == 0 && s.Price == memory.PriceTable
	case PricedKnown:
		return s.Unpriced == 0 && s.Price != memory.PriceTable
	}
	return true
}

// dayOf gives the day of a moment in a zone.
func dayOf(at memory.Millis, zone *time.Location) string {
	if at == 0 {
		return UnknownDay
	}
	return at.Time().In(zone).Format(time.DateOnly)
}

// within says whether a day lies in a range. A call whose time is not known
// lies in no bounded one.
func within(day, from, to string) bool {
	if from == "" && to == "" {
		return true
	}
	return day != UnknownDay && (from == "" || day >= from) && (to == "" || day <= to)
}

func keyOf(s memory.UsageSlice, by By, day string) string {
	switch by {
	case ByAgent:
		return s.Agent
	case ByModel:
		return ModelName(s.Provider, s.Model)
	case BySession:
		return s.Session
	default:
		return day
	}
}

// ModelName is how a model is named on screen and in keys.
func ModelName(provider, model string) string {
	switch {
	case provider == "" && model == "":
		return "unknown"
	case provider == "" || strings.HasPrefix(model, provider+"/"):
		return model
	default:
		return provider + "/" + model
	}
}

// Zone gives the zone in which days are counted: the one that is asked for,
// else the one that the person chose in Tidemark, else the person's own in
// OpenClaw's configuration, else the machine's. A name that is no zone is an
// error and never taken for UTC; "local" is the machine's.
func Zone(asked, chosen, configured string, machine *time.Location) (*time.Location, error) {
	if machine == nil {
		machine = time.Local
	}
	for _, from := range []struct{ name, hint string }{
		{asked, "Write it as Asia/Shanghai or Europe/Berlin, or UTC."},
		{chosen, "It was chosen under Settings. Choose another one there."},
		{configured, "It stands in openclaw.json as agents.defaults.userTimezone. Write it there as Asia/Shanghai or Europe/Berlin, or UTC."},
	} {
		name := strings.TrimSpace(from.name)
		if name == "" {
			continue
		}
		if strings.EqualFold(name, "local") {
			return machine, nil
		}
		zone, err := time.LoadLocation(name)
		if err != nil {
			return nil, &memory.Error{Code: memory.CodeInvalid, Op: fmt.Sprintf("find the time zone %q", name), Hint: from.hint, Err: err}
		}
		return zone, nil
	}
	return machine, nil
}
