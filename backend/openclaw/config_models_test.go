package openclaw

import (
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"tidemark/backend/memory"
)

func TestDecodeCost(t *testing.T) {
	flat := func(in, out, read, write float64) memory.Rates {
		return memory.Rates{Input: in, Output: out, CacheRead: read, CacheWrite: write}
	}
	tests := []struct {
		name, in string
		want     memory.Rates
		ok       bool
		problems int
	}{
		{"whole", "{input:3,output:15,cacheRead:0.3,cacheWrite:3.75}", flat(3, 15, 0.3, 3.75), true, 0},
		{"the person's own, however odd", "{input:777,output:0}", flat(777, 0, 0, 0), true, 0},
		{"free is a price", "{input:0,output:0,cacheRead:0,cacheWrite:0}", memory.Rates{}, true, 0},
		{"output alone", "{output:5}", flat(0, 5, 0, 0), true, 0},
		{"caches alone are no price", "{cacheRead:1}", flat(0, 0, 1, 0), false, 0},
		{"nothing in it", "{}", memory.Rates{}, false, 0},
		{"absent", "null", memory.Rates{}, false, 0},
		{"a number in quotes", "{input:'3',output:15}", memory.Rates{}, false, 1},
		{"negative", "{input:-1,output:15}", memory.Rates{}, false, 1},
		{"not a number", "{input:NaN,output:15}", memory.Rates{}, false, 1},
		{"without end", "{input:3,output:Infinity}", memory.Rates{}, false, 1},
		{"a damaged part spoils it", "{input:3,output:15,cacheRead:'x'}", memory.Rates{}, false, 1},
		{"no object", "5", memory.Rates{}, false, 1},
		{"a list", "[3,15]", memory.Rates{}, false, 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			n := decoded(t, "{cost:"+tt.in+"}").get("cost")
			got, ok := decodeCost(n)
			if ok != tt.ok || !reflect.DeepEqual(got, tt.want) || len(n.s.problems) != tt.problems {
				t.Errorf("got %+v, %v, problems %q", got, ok, messages(n.s.problems))
			}
		})
	}
}

// tierPrice is the input rate that rates give for a prompt, by the rule of
// memory.RateTier.
func tierPrice(r memory.Rates, prompt int64) float64 {
	price := r.Input
	for _, tier := range r.Tiers {
		if prompt > tier.Above {
			price = tier.Rates.Input
		}
	}
	return price
}

func TestDecodeTiers(t *testing.T) {
	tier := func(input, bounds string) string {
		return "{input:" + input + ",output:1,cacheRead:1,cacheWrite:1,range:" + bounds + "}"
	}
	tests := []struct {
		name, tiers string
		want        map[int64]float64 // prompt to input rate
		problems    int
	}{
		{"two", tier("1", "[0,1000]") + "," + tier("2", "[1000]"), map[int64]float64{0: 1, 999: 1, 1000: 2, 5000: 2}, 0},
		{"out of order", tier("2", "[1000]") + "," + tier("1", "[0,1000]"), map[int64]float64{0: 1, 999: 1, 1000: 2}, 0},
		{"below the first", tier("5", "[100,200]") + "," + tier("6", "[200]"), map[int64]float64{0: 5, 99: 5, 150: 5, 200: 6}, 0},
		{"behind the last", tier("5", "[0,10]"), map[int64]float64{5: 5, 50: 5}, 0},
		{"a damaged one does not count", tier("5", "[0,10]") + "," + tier("'6'", "[10]"), map[int64]float64{50: 5}, 1},
		{"nor an incomplete one", tier("5", "[0,10]") + ",{input:6,range:[10]}", map[int64]float64{50: 5}, 1},
		{"nor one without a range", tier("5", "[0,10]") + "," + tier("6", "null") + "," + tier("7", "[]") + "," + tier("8", "['x']") + "," + tier("9", "[null,3]"), map[int64]float64{50: 5}, 4},
		{"none that counts", "5", map[int64]float64{0: 3, 50: 3}, 1},
		{"an empty list", "", map[int64]float64{0: 3}, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			n := decoded(t, "{cost:{input:3,output:15,tieredPricing:["+tt.tiers+"]}}").get("cost")
			rates, ok := decodeCost(n)
			if !ok {
				t.Fatal("no price")
			}
			for prompt, want := range tt.want {
				if got := tierPrice(rates, prompt); got != want {
					t.Errorf("a prompt of %d costs %v, want %v (%+v)", prompt, got, want, rates)
				}
			}
			if len(n.s.problems) != tt.problems {
				t.Errorf("problems %q", messages(n.s.problems))
			}
		})
	}
}

func TestDecodeProviders(t *testing.T) {
	n := decoded(t, `{
		b: { baseUrl: "http://b", params: { num_ctx: 4096 }, models: [ { id: "x" }, { id: "y", baseUrl: "http://y", params: { num_ctx: 8192 }, contextWindow: 262144, contextTokens: 100000 } ] },
		a: { models: [ { id: "z", params: { num_ctx: -5 } } ] },
		c: {},
	}`)
	want := []ModelPrice{
		{Provider: "a", Model: "z"},
		{Provider: "b", Model: "x", BaseURL: "http://b", NumCtx: 4096},
		{Provider: "b", Model: "y", BaseURL: "http://y", NumCtx: 8192, ContextWindow: 262144, ContextTokens: 100000},
	}
	if got := decodeProviders(n); !reflect.DeepEqual(got, want) {
		t.Errorf("got\n%+v\nwant\n%+v", got, want)
	}
	if len(n.s.problems) != 1 {
		t.Errorf("problems %q", messages(n.s.problems))
	}
}

func TestAddModelParams(t *testing.T) {
	models := []ModelPrice{{Provider: "o", Model: "a"}, {Provider: "o", Model: "b/c", NumCtx: 5}}
	n := decoded(t, `{"o/a":{params:{num_ctx:1}},"o/b/c":{params:{num_ctx:2}},"o/new":{params:{num_ctx:3}},"bare":{params:{num_ctx:4}},"o/none":{},"o/null":null}`)
	want := []ModelPrice{{Provider: "o", Model: "a", NumCtx: 1}, {Provider: "o", Model: "b/c", NumCtx: 5}, {Provider: "o", Model: "new", NumCtx: 3}}
	if got := addModelParams(models, n); !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v", got)
	}
}

func TestModelsFile(t *testing.T) {
	dir := layOut(t, realTemp(t),
		"good.json", `{"providers":{"mock":{"baseUrl":"http://127.0.0.1:1/v1","apiKey":"K","models":[{"id":"m","cost":{"input":1,"output":2,"cacheRead":0,"cacheWrite":0}}]}}}`,
		"bom.json", "\uFEFF{\"providers\":{}}",
		"cut.json", `{"providers":{"mock":`,
		"empty.json", "",
		"list.json", "[1]",
		"other.json", `{"models":[]}`,
		"wrong.json", `{"providers":[]}`,
		"dir.json/", "")
	tests := []struct {
		name     string
		models   int
		problems int
	}{
		{"good.json", 1, 0}, {"bom.json", 0, 0}, {"gone.json", 0, 0}, {"cut.json", 0, 1}, {"empty.json", 0, 1},
		{"list.json", 0, 1}, {"other.json", 0, 0}, {"wrong.json", 0, 1}, {"dir.json", 0, 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			path := filepath.Join(dir, tt.name)
			models, problems := ModelsFile(path)
			if len(models) != tt.models || len(problems) != tt.problems {
				t.Fatalf("models %+v, problems %q", models, messages(problems))
			}
			for _, p := range problems {
				if p.Code != memory.ProblemBadConfig || p.Path != path {
					t.Errorf("problem %+v", p)
				}
			}
		})
	}
	models, _ := ModelsFile(filepath.Join(dir, "good.json"))
	want := ModelPrice{Provider: "mock", Model: "m", BaseURL: "http://127.0.0.1:1/v1", HasCost: true, Rates: memory.Rates{Input: 1, Output: 2}}
	if !reflect.DeepEqual(models[0], want) {
		t.Errorf("model %+v", models[0])
	}
}

func TestModelsFileWithoutPermission(t *testing.T) {
	if runtime.GOOS == "windows" || os.Geteuid() == 0 {
		t.Skip("skipped: this account may read everything")
	}
	path := filepath.Join(layOut(t, realTemp(t), "models.json", "{}"), "models.json")
	if err := os.Chmod(path, 0); err != nil {
		t.Fatal(err)
	}
	if _, problems := ModelsFile(path); len(problems) != 1 || problems[0].Code != memory.ProblemUnreadable {
		t.Errorf("problems %+v", problems)
	}
}

// A provider's catalogue marks what it does not know by negative prices: one
// remark about each is enough, and there is an end to them.
func TestModelsFileWithManyDamagedPrices(t *testing.T) {
	var b strings.Builder
	b.WriteString(`{"providers":{"p":{"models":[`)
	for i := range 1000 {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(`{"id":"m","cost":{"input":-1000000,"output":1}}`)
	}
	b.WriteString("]}}}")
	path := filepath.Join(layOut(t, realTemp(t), "models.json", b.String()), "models.json")
	models, problems := ModelsFile(path)
	if len(models) != 1000 || len(problems) != settingMaxProblems {
		t.Errorf("%d models, %d problems", len(models), len(problems))
	}
}
