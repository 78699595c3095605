package openclaw

import (
	"math"
	"slices"
	"strings"
	"testing"

	"tidemark/backend/memory"
)

// decoded is a setting for a JSON5 text, with an environment.
func decoded(t testing.TB, src string, pairs ...string) setting {
	t.Helper()
	v, err := parseJSON5([]byte(src))
	if err != nil {
		t.Fatal(err)
	}
	env := envOf("", pairs...)
	return setting{s: &settings{path: "openclaw.json", lookup: env.get}, v: v}
}

// messages are the messages of problems.
func messages(problems []memory.Problem) []string {
	var out []string
	for _, p := range problems {
		out = append(out, p.Message)
	}
	return out
}

func TestSubstitute(t *testing.T) {
	env := envOf("", "HOST", "example.invalid", "A", "${HOST}", "EMPTY", "", "_X1", "x")
	tests := []struct{ in, want string }{
		{"", ""},
		{"plain $HOST {HOST}", "plain $HOST {HOST}"},
		{"${HOST}", "example.invalid"},
		{"https://${HOST}/v1/${_X1}", "https://example.invalid/v1/x"},
		{"${HOST}${HOST}", "example.invalidexample.invalid"},
		{"${GONE}", "${GONE}"},
		{"${EMPTY}", "${EMPTY}"},
		{"$${HOST}", "${HOST}"},
		{"$${GONE}", "${GONE}"},
		{"$$${HOST}", "$${HOST}"},
		{"${host}", "${host}"},
		{"${1A}", "${1A}"},
		{"${}", "${}"},
		{"${A}", "${HOST}"}, // what a variable holds is not looked at again
		{"${HOST", "${HOST"},
		{"${ HOST }", "${ HOST }"},
		{"${GO${HOST}", "${GOexample.invalid"},
		{"}${HOST}{", "}example.invalid{"},
	}
	for _, tt := range tests {
		if got := substitute(tt.in, env.get); got != tt.want {
			t.Errorf("substitute(%q) = %q, want %q", tt.in, got, tt.want)
		}
		if got := substitute(tt.in, nil); got != tt.in {
			t.Errorf("without an environment %q became %q", tt.in, got)
		}
	}
}

func FuzzSubstitute(f *testing.F) {
	for _, s := range []string{"${A}", "$${A}", "${${A}}", "$", "${", "x${A}y${", "$$$${A}"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if got := substitute(s, func(string) string { return "" }); len(got) > len(s) {
			t.Errorf("%q grew to %q with no variables set", s, got)
		}
		if !strings.Contains(s, "${") && substitute(s, func(string) string { return "v" }) != s {
			t.Errorf("%q changed", s)
		}
	})
}

func TestSettingText(t *testing.T) {
	n := decoded(t, "{a:'  x ',b:5,c:null,d:'${V}/w',e:{f:'deep'},g:'x'}", "V", "v")
	tests := []struct {
		got, want string
	}{
		{n.get("a").text(), "x"},
		{n.get("b").text(), ""},
		{n.get("c").text(), ""},
		{n.get("d").text(), "v/w"},
		{n.in("e", "f").text(), "deep"},
		{n.in("e", "f", "g").text(), ""},
		{n.get("none").text(), ""},
		{n.in("g", "h").text(), ""},
	}
	for i, tt := range tests {
		if tt.got != tt.want {
			t.Errorf("%d: got %q, want %q", i, tt.got, tt.want)
		}
	}
	want := []string{"b is no text: ignored", "e.f is no object: ignored", "g is no object: ignored"}
	if got := messages(n.s.problems); !slices.Equal(got, want) {
		t.Errorf("problems %q, want %q", got, want)
	}
}

func TestSettingCount(t *testing.T) {
	tests := []struct {
		in       string
		want     int64 // -1: absent
		problems int
	}{
		{"0", 0, 0}, {"20000", 20000, 0}, {"1.9", 1, 0}, {"'4000'", 4000, 0}, {"' 4e3 '", 4000, 0}, {"'${N}'", 32000, 0},
		{"null", -1, 0}, {"-1", -1, 1}, {"NaN", -1, 1}, {"Infinity", -1, 1}, {"'-3'", -1, 1}, {"'NaN'", -1, 1},
		{"'many'", -1, 1}, {"true", -1, 1}, {"{}", -1, 1}, {"[]", -1, 1}, {"''", -1, 1}, {"1e300", 1 << 53, 0},
	}
	for _, tt := range tests {
		n := decoded(t, "{n:"+tt.in+"}", "N", "32000")
		got := n.get("n").count()
		if tt.want < 0 != (got == nil) || got != nil && *got != tt.want {
			t.Errorf("count(%s) = %v, want %d", tt.in, got, tt.want)
		}
		if len(n.s.problems) != tt.problems {
			t.Errorf("count(%s): problems %q", tt.in, messages(n.s.problems))
		}
	}
}

func TestSettingBytes(t *testing.T) {
	tests := []struct {
		in   string
		want int64 // -1: absent
	}{
		{"2097152", 2 << 20}, {"'2mb'", 2 << 20}, {"'2 MiB'", 2 << 20}, {"'1.5k'", 1536}, {"'1GB'", 1 << 30}, {"'10b'", 10}, {"'7'", 7}, {"'1t'", 1 << 40},
		{"'mb'", -1}, {"'2 apples'", -1}, {"'-2mb'", -1}, {"'1e30'", -1}, {"null", -1}, {"{}", -1}, {"'2gm'", -1}, {"'NaN'", -1}, {"''", -1},
	}
	for _, tt := range tests {
		got := decoded(t, "{n:"+tt.in+"}").get("n").bytes()
		if tt.want < 0 != (got == nil) || got != nil && *got != tt.want {
			t.Errorf("bytes(%s) = %v, want %d", tt.in, got, tt.want)
		}
	}
}

func TestSettingRate(t *testing.T) {
	tests := []struct {
		in   any
		want float64
		ok   bool
	}{
		{nil, 0, true}, {0.0, 0, true}, {3.75, 3.75, true}, {-1.0, 0, false}, {math.NaN(), 0, false}, {math.Inf(1), 0, false},
		{"3", 0, false}, {true, 0, false}, {[]any{}, 0, false},
	}
	for _, tt := range tests {
		if got, ok := (setting{v: tt.in}).rate(); got != tt.want || ok != tt.ok {
			t.Errorf("rate(%v) = %v, %v", tt.in, got, ok)
		}
	}
}

func TestSettingFlag(t *testing.T) {
	for in, want := range map[string]memory.Tri{"true": memory.Yes, "false": memory.No, "null": memory.Unknown, "1": memory.Unknown, "'true'": memory.Unknown} {
		if got := decoded(t, "{f:"+in+"}").get("f").flag(); got != want {
			t.Errorf("flag(%s) = %v", in, got)
		}
	}
}

func TestSettingLists(t *testing.T) {
	n := decoded(t, "{a:['x',null,5,' y ',''],b:'x',c:null,d:{}}")
	if got := n.get("a").texts(); !slices.Equal(got, []string{"x", "y"}) {
		t.Errorf("texts = %q", got)
	}
	for _, key := range []string{"b", "c", "d", "e"} {
		if got := n.get(key).texts(); len(got) != 0 {
			t.Errorf("%s: texts = %q", key, got)
		}
	}
	want := []string{"a[2] is no text: ignored", "b is no list: ignored", "d is no list: ignored"}
	if got := messages(n.s.problems); !slices.Equal(got, want) {
		t.Errorf("problems %q, want %q", got, want)
	}
}

func TestSettingsComplainOnceAndNotForEver(t *testing.T) {
	n := decoded(t, "{a:1}")
	for range 10 {
		n.get("a").text()
	}
	if len(n.s.problems) != 1 {
		t.Errorf("problems %q", messages(n.s.problems))
	}
	for i := range 10 * settingMaxProblems {
		n.s.complain(strings.Repeat("x", i), "is wrong")
	}
	if len(n.s.problems) != settingMaxProblems {
		t.Errorf("%d problems", len(n.s.problems))
	}
}
