package stats_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"tidemark/backend/memory"
	"tidemark/backend/stats"
)

func zone(t testing.TB, name string) *time.Location {
	t.Helper()
	z, err := time.LoadLocation(name)
	if err != nil {
		t.Skipf("skipped: this machine has no time zones (%v)", err)
	}
	return z
}

var everyBy = []stats.By{stats.ByDay, stats.ByAgent, stats.ByModel, stats.BySession}

// Case B21: the sum of every grouping, in every zone and range, is the total,
// to the last unit.
func TestCostsAddUp(t *testing.T) {
	zones := []*time.Location{nil, time.UTC}
	for _, name := range []string{"Asia/Kathmandu", "America/St_Johns", "Asia/Shanghai", "Pacific/Kiritimati", "Pacific/Pago_Pago", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe"} {
		zones = append(zones, zone(t, name))
	}
	zones = append(zones, time.FixedZone("+05:45", 5*3600+45*60), time.FixedZone("-03:30", -(3*3600+30*60)))
	r := rand.New(rand.NewPCG(1, 9))
	for range 12 {
		all := madeUp(r)
		for _, z := range zones {
			for _, span := range [][2]string{{"", ""}, {"2026-03-20", "2026-04-05"}, {"2026-03-29", "2026-03-29"}, {"", "2026-04-01"}, {"2026-04-01", ""}, {"2030-01-01", ""}} {
				var want *stats.CostRow
				for _, by := range everyBy {
					rows, total := stats.Costs(all, stats.CostQuery{By: by, Zone: z, From: span[0], To: span[1]})
					if sum := sumOf(rows); sum != total {
						t.Fatalf("by %s in %v, %v: rows give %+v, total %+v", by, z, span, sum, total)
					}
					if want != nil && total != *want {
						t.Fatalf("by %s in %v, %v: total %+v, by day %+v", by, z, span, total, *want)
					}
					want = &total
					checkKeys(t, rows)
				}
			}
		}
	}
}

// Whatever calls are narrowed to, the parts add up to the whole.
func TestCostsNarrowed(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 7))
	for range 20 {
		all := madeUp(r)
		_, whole := stats.Costs(all, stats.CostQuery{By: stats.ByAgent})
		models, _ := stats.Costs(all, stats.CostQuery{By: stats.ByModel})
		var byModel []stats.CostQuery
		for _, m := range models {
			byModel = append(byModel, stats.CostQuery{Model: m.Key})
		}
		for name, parts := range map[string][]stats.CostQuery{
			"model":  byModel,
			"asked":  {{Asked: stats.AskedYou}, {Asked: stats.AskedBackground}},
			"priced": {{Priced: stats.PricedKnown}, {Priced: stats.PricedEstimated}, {Priced: stats.PricedUnknown}},
		} {
			var rows []stats.CostRow
			for _, q := range parts {
				q.By = stats.ByDay
				_, total := stats.Costs(all, q)
				rows = append(rows, total)
				if q.Asked == stats.AskedYou && total.Background != 0 {
					t.Errorf("asked for by you, yet %v in the background", total.Background)
				}
				if q.Priced == stats.PricedKnown && (total.Unpriced != 0 || total.Estimated != 0) {
					t.Errorf("priced, yet %d unpriced and %v estimated", total.Unpriced, total.Estimated)
				}
			}
			if sum := sumOf(rows); sum != whole {
				t.Errorf("by %s: the parts give %+v, the whole is %+v", name, sum, whole)
			}
		}
	}
}

func TestCostsNarrowedByNonsense(t *testing.T) {
	for _, q := range []stats.CostQuery{{By: stats.ByDay, Asked: "me"}, {By: stats.ByDay, Priced: "dear"}} {
		if err := q.Check(); err == nil {
			t.Errorf("%+v was taken", q)
		}
	}
	if err := (stats.CostQuery{By: stats.ByDay, Asked: stats.AskedYou, Priced: stats.PricedUnknown, Model: "x"}).Check(); err != nil {
		t.Error(err)
	}
}

func sumOf(rows []stats.CostRow) (sum stats.CostRow) {
	for _, r := range rows {
		sum.Calls += r.Calls
		sum.Usage.Input += r.Usage.Input
		sum.Usage.Output += r.Usage.Output
		sum.Usage.CacheRead += r.Usage.CacheRead
		sum.Usage.CacheWrite += r.Usage.CacheWrite
		sum.Usage.CacheWrite1h += r.Usage.CacheWrite1h
		sum.Cost += r.Cost
		sum.Unpriced += r.Unpriced
		sum.Background += r.Background
		sum.Estimated += r.Estimated
		sum.Unreported += r.Unreported
	}
	return sum
}

func checkKeys(t *testing.T, rows []stats.CostRow) {
	t.Helper()
	seen := map[string]bool{}
	for _, r := range rows {
		if seen[r.Key] {
			t.Errorf("the key %q is there twice", r.Key)
		}
		seen[r.Key] = true
	}
}

// madeUp gives usage around the days on which clocks change, some of it at no
// known time.
func madeUp(r *rand.Rand) []memory.UsageSlice {
	start := at("2026-03-20T00:00:00Z")
	all := make([]memory.UsageSlice, r.IntN(200))
	for i := range all {
		when := start + memory.Millis(r.IntN(18*96))*15*60_000
		if r.IntN(20) == 0 {
			when = 0
		}
		s := slice([]string{"main", "helper", "码农"}[r.IntN(3)], []string{"s1", "s2", "s3", "s4"}[r.IntN(4)], []string{"m1", "mock/m1", "", "m2"}[r.IntN(4)], when, 1+r.Int64N(9), r.Int64N(1e6), r.Float64()*9)
		s.Background, s.Price = r.IntN(3) == 0, memory.PriceSource(r.IntN(6))
		s.Unpriced, s.Unreported = r.Int64N(3), r.Int64N(3)
		all[i] = s
	}
	return all
}

// Case K120 and its kin: the same call lies on another day in another zone.
func TestCostsDays(t *testing.T) {
	tests := []struct{ moment, zone, want string }{
		{"2026-02-12T01:30:00Z", "America/New_York", "2026-02-11"},
		{"2026-02-12T01:30:00Z", "UTC", "2026-02-12"},
		{"2026-04-11T19:53:00Z", "Asia/Shanghai", "2026-04-12"},
		{"2026-05-10T18:14:59Z", "Asia/Kathmandu", "2026-05-10"},
		{"2026-05-10T18:15:00Z", "Asia/Kathmandu", "2026-05-11"},
		{"2026-05-11T02:29:59Z", "America/St_Johns", "2026-05-10"}, // summer: −02:30
		{"2026-05-11T02:30:00Z", "America/St_Johns", "2026-05-11"},
		{"2026-01-11T03:29:59Z", "America/St_Johns", "2026-01-10"}, // winter: −03:30
		{"2026-01-11T03:30:00Z", "America/St_Johns", "2026-01-11"},
		{"2026-03-28T22:59:59Z", "Europe/Berlin", "2026-03-28"}, // clocks go forward on the 29th
		{"2026-03-28T23:00:00Z", "Europe/Berlin", "2026-03-29"},
		{"2026-03-29T21:59:59Z", "Europe/Berlin", "2026-03-29"}, // a day of 23 hours
		{"2026-03-29T22:00:00Z", "Europe/Berlin", "2026-03-30"},
		{"2026-10-25T22:59:59Z", "Europe/Berlin", "2026-10-25"}, // a day of 25 hours
		{"2026-10-25T23:00:00Z", "Europe/Berlin", "2026-10-26"},
		{"2026-12-31T10:00:00Z", "Pacific/Kiritimati", "2027-01-01"},
		{"2027-01-01T10:59:59Z", "Pacific/Pago_Pago", "2026-12-31"},
	}
	for _, tt := range tests {
		q := stats.CostQuery{By: stats.ByDay, Zone: zone(t, tt.zone)}
		rows, _ := stats.Costs([]memory.UsageSlice{slice("main", "s1", "m", at(tt.moment), 1, 10, 0.5)}, q)
		if len(rows) != 1 || rows[0].Key != tt.want {
			t.Errorf("%s in %s: got %+v, want %s", tt.moment, tt.zone, rows, tt.want)
		}
		// The day and nothing but the day has it.
		q.From, q.To = tt.want, tt.want
		if rows, _ := stats.Costs([]memory.UsageSlice{slice("main", "s1", "m", at(tt.moment), 1, 10, 0.5)}, q); len(rows) != 1 {
			t.Errorf("%s in %s: not on %s", tt.moment, tt.zone, tt.want)
		}
	}
}

func TestCostsUnknownDay(t *testing.T) {
	all := []memory.UsageSlice{slice("main", "s1", "m", 0, 1, 10, 1), slice("main", "s1", "m", at("2026-05-10T10:00:00Z"), 1, 10, 2)}
	rows, total := stats.Costs(all, stats.CostQuery{By: stats.ByDay})
	if len(rows) != 2 || rows[0].Key != "2026-05-10" || rows[1].Key != stats.UnknownDay || total.Cost != 3*memory.Dollar {
		t.Errorf("got %+v, %+v", rows, total)
	}
	for _, q := range []stats.CostQuery{{By: stats.ByDay, From: "2026-05-10"}, {By: stats.BySession, To: "2026-05-10"}, {By: stats.ByModel, From: "1970-01-01", To: "9999-12-31"}} {
		if _, total := stats.Costs(all, q); total.Cost != 2*memory.Dollar || total.Calls != 1 {
			t.Errorf("%+v: a call at no known time lies in a range: %+v", q, total)
		}
	}
}

func TestCostsOrder(t *testing.T) {
	may := at("2026-05-10T10:00:00Z")
	all := []memory.UsageSlice{
		slice("a", "s1", "cheap", may, 1, 10, 0.5), slice("b", "s2", "dear", may-86_400_000, 1, 10, 2), slice("c", "s3", "free, small", may, 1, 10, 0),
		slice("d", "s4", "free, large", may, 1, 10_000, 0), slice("e", "s5", "z", may, 1, 10, 0), slice("f", "s6", "y", may, 1, 10, 0),
	}
	keys := func(by stats.By) string {
		rows, _ := stats.Costs(all, stats.CostQuery{By: by})
		var out []string
		for _, r := range rows {
			out = append(out, r.Key)
		}
		return strings.Join(out, " ")
	}
	for by, want := range map[stats.By]string{stats.ByAgent: "b a d c e f", stats.BySession: "s2 s1 s4 s3 s5 s6", stats.ByDay: "2026-05-09 2026-05-10",
		stats.ByModel: "mock/dear mock/cheap mock/free, large mock/free, small mock/y mock/z"} {
		if got := keys(by); got != want {
			t.Errorf("by %s: got %s, want %s", by, got, want)
		}
	}
	slices.Reverse(all)
	if got := keys(stats.ByAgent); got != "b a d c e f" {
		t.Errorf("the order of the input shows: %s", got)
	}
}

func TestCostsParts(t *testing.T) {
	asked, background := slice("main", "s1", "m", 1, 2, 100, 1), slice("main", "s1", "m", 1, 3, 100, 0.25)
	background.Background, background.Price = true, memory.PriceTable
	background.Unpriced, background.Unreported = 1, 2
	_, total := stats.Costs([]memory.UsageSlice{asked, background}, stats.CostQuery{By: stats.ByModel})
	want := stats.CostRow{Calls: 5, Cost: memory.Dollar * 5 / 4, Background: memory.Dollar / 4, Estimated: memory.Dollar / 4, Unpriced: 1, Unreported: 2,
		Usage: memory.Usage{Input: 200, Output: 20, CacheRead: 100, CacheWrite: 50, CacheWrite1h: 24}}
	if total != want {
		t.Errorf("got %+v, want %+v", total, want)
	}
	if rows, total := stats.Costs(nil, stats.CostQuery{By: stats.ByDay}); len(rows) != 0 || total != (stats.CostRow{}) {
		t.Errorf("nothing costs %+v, %+v", rows, total)
	}
}

func TestCostQueryCheck(t *testing.T) {
	for _, q := range []stats.CostQuery{{By: stats.ByDay}, {By: stats.ByAgent, From: "2026-05-10"}, {By: stats.ByModel, To: "2024-02-29"}, {By: stats.BySession, From: "2026-05-10", To: "2026-05-10"}} {
		if err := q.Check(); err != nil {
			t.Errorf("%+v: %v", q, err)
		}
	}
	for _, q := range []stats.CostQuery{{}, {By: "hour"}, {By: "Day"}, {By: stats.ByDay, From: "2026-5-1"}, {By: stats.ByDay, To: "2026-02-30"}, {By: stats.ByDay, From: "today"}, {By: stats.ByDay, From: "2026-05-11", To: "2026-05-10"}, {By: stats.ByDay, To: "2026-05-10T00:00:00Z"}} {
		err := q.Check()
		if memory.CodeOf(err) != memory.CodeInvalid || memory.HintOf(err) == "" {
			t.Errorf("%+v: got %v, with hint %q", q, err, memory.HintOf(err))
		}
	}
}

func TestModelName(t *testing.T) {
	for _, tt := range [][3]string{{"", "", "unknown"}, {"anthropic", "claude-sonnet-4-6", "anthropic/claude-sonnet-4-6"}, {"openrouter", "openrouter/qwen/qwen3-max", "openrouter/qwen/qwen3-max"},
		{"", "m", "m"}, {"ollama", "", "ollama/"}, {"open", "openrouter/x", "open/openrouter/x"}} {
		if got := stats.ModelName(tt[0], tt[1]); got != tt[2] {
			t.Errorf("%q, %q: got %q, want %q", tt[0], tt[1], got, tt[2])
		}
	}
}

// Cases K122, K123: the person's zone if there is one, one clock, and what is
// no zone is refused.
func TestZone(t *testing.T) {
	machine := time.FixedZone("machine", 3600)
	shanghai, berlin := zone(t, "Asia/Shanghai"), zone(t, "Europe/Berlin")
	for _, tt := range []struct {
		asked, configured string
		want              *time.Location
	}{
		{"", "", machine}, {"  ", "", machine}, {"local", "Asia/Shanghai", machine}, {"Local", "", machine}, {"", "local", machine}, {"", "Asia/Shanghai", shanghai},
		{"Europe/Berlin", "Asia/Shanghai", berlin}, {" Europe/Berlin\n", "nonsense", berlin}, {"UTC", "", time.UTC},
	} {
		got, err := stats.Zone(tt.asked, "", tt.configured, machine)
		if err != nil || got.String() != tt.want.String() {
			t.Errorf("%q, %q: got %v, %v, want %v", tt.asked, tt.configured, got, err, tt.want)
		}
	}
	for _, name := range []string{"GMT+8", "+05:45", "UTC+8", "8", "Mars/Olympus", "../etc/passwd", "/etc/localtime", `C:\x`, "Asia/", "CSTX", "Asia/Shanghai2", "user"} {
		for _, pair := range [][2]string{{name, ""}, {"", name}, {name, "Asia/Shanghai"}} {
			got, err := stats.Zone(pair[0], "", pair[1], machine)
			if got != nil || memory.CodeOf(err) != memory.CodeInvalid || memory.HintOf(err) == "" {
				t.Errorf("%q: got %v, %v", pair, got, err)
			}
		}
	}
	if _, err := stats.Zone("", "", "GMT+8", machine); !strings.Contains(memory.HintOf(err), "userTimezone") {
		t.Errorf("the hint does not say where the zone stands: %q", memory.HintOf(err))
	}
	if got, err := stats.Zone("", "", "", nil); err != nil || got != time.Local {
		t.Errorf("without a machine's zone: %v, %v", got, err)
	}
}
