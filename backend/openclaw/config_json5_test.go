package openclaw

import (
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"
	"testing/quick"
	"time"

	"github.com/titanous/json5"
)

func TestParseJSON5(t *testing.T) {
	obj := func(pairs ...any) map[string]any {
		m := map[string]any{}
		for i := 0; i < len(pairs); i += 2 {
			m[pairs[i].(string)] = pairs[i+1]
		}
		return m
	}
	tests := []struct {
		name, in string
		want     any
	}{
		{"null", "null", nil},
		{"words", "[true,false,null]", []any{true, false, nil}},
		{"empty ones", "[{},[],'',\"\"]", []any{obj(), []any{}, "", ""}},
		{"trailing commas", "{a:[1,2,],}", obj("a", []any{1.0, 2.0})},
		{"comments", "// c\n{/* x */a/**/:/***/1 // y\r\n}//e", obj("a", 1.0)},
		{"a comment at the end without a line feed", "1//", 1.0},
		{"stars in comments", "/* ** / */1", 1.0},
		{"single quotes", `{'a':'b"c'}`, obj("a", `b"c`)},
		{"bare keys", "{a_1$:1,$include:2,_:3,null:4,Infinity:5}", obj("a_1$", 1.0, "$include", 2.0, "_", 3.0, "null", 4.0, "Infinity", 5.0)},
		{"bare keys of any script", "{名字:'码农',ключ:1,é:2}", obj("名字", "码农", "ключ", 1.0, "é", 2.0)},
		{"a joiner in a bare key", "{a\u200Db:1}", obj("a\u200Db", 1.0)},
		{"escapes in a bare key", `{\u0061b\u0031:1}`, obj("ab1", 1.0)},
		{"the last of equal keys", "{a:1,a:2,'a':3}", obj("a", 3.0)},
		{"a byte order mark", "\uFEFF{a:1}", obj("a", 1.0)},
		{"white space of all kinds", "\t\v\f \u00A0\u2028\u2029\u3000{\u00A0a\u2003:\u205F1}\uFEFF", obj("a", 1.0)},
		{"escapes", `"\b\f\n\r\t\v\0\'\"\\\/\x41\u0042\a\ä"`, "\b\f\n\r\t\v\x00'\"\\/ABaä"},
		{"lines that go on", "'a\\\nb\\\r\nc\\\rd\\\u2028e'", "abcde"},
		{"separators in a text", "'a\u2028b'", "a\u2028b"},
		{"two halves", `"\ud83d\ude00"`, "😀"},
		{"lone halves", `"\ud83d|\ude00|\ud83d\u0041"`, "\uFFFD|\uFFFD|\uFFFDA"},
		{"broken UTF-8", "'a\xff\xe1b'", "a\uFFFD\uFFFDb"},
		{"a tab in a text", "'a\tb'", "a\tb"},
		{"numbers", "[0,-0.5,+1,.5,5.,1e3,1E-2,0x1F,-0Xa,9007199254740993]", []any{0.0, -0.5, 1.0, .5, 5.0, 1000.0, 0.01, 31.0, -10.0, 9007199254740992.0}},
		{"no end of a number", "[Infinity,-Infinity,+Infinity,1e400]", []any{math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(1)}},
		{"too small", "1e-400", 0.0},
		{"a large hexadecimal", "0xFFFFFFFFFFFFFFFFFF", 4722366482869645213695.0},
		{"a list of lists", "[[1],[[2]]]", []any{[]any{1.0}, []any{[]any{2.0}}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := parseJSON5([]byte(tt.in))
			if err != nil || !reflect.DeepEqual(got, tt.want) {
				t.Errorf("got  %#v, %v\nwant %#v", got, err, tt.want)
			}
		})
	}
	nan, err := parseJSON5([]byte("NaN"))
	if f, ok := nan.(float64); err != nil || !ok || !math.IsNaN(f) {
		t.Errorf("NaN = %v, %v", nan, err)
	}
}

func TestParseJSON5SaysWhere(t *testing.T) {
	tests := []struct {
		name, in     string
		line, column int
		says         string
	}{
		{"nothing", "", 1, 1, "end of file"},
		{"white space", " \n ", 2, 2, "end of file"},
		{"cut after a brace", "{", 1, 2, "key"},
		{"cut after a key", "{a", 1, 3, "':'"},
		{"cut after a colon", "{a:", 1, 4, "value"},
		{"cut after a value", "{a:1", 1, 5, "',' or '}'"},
		{"cut in a list", "[1,", 1, 4, "value"},
		{"cut in a text", "{a:'un", 1, 7, "no end"},
		{"cut in an escape", `{a:'\`, 1, 6, "no end"},
		{"cut in a comment", "{\n/* x", 2, 5, "comment"},
		{"two values", "{a:1} x", 1, 7, "'x'"},
		{"no comma", "{\n  a: 1\n  b: 2\n}", 3, 3, "',' or '}'"},
		{"no colon", "{a b:1}", 1, 4, "':'"},
		{"a dash in a bare key", "{a-b:1}", 1, 3, "':'"},
		{"a digit begins a bare key", "{1a:1}", 1, 2, "key"},
		{"two commas", "[1,,2]", 1, 4, "value"},
		{"a comma alone", "{,}", 1, 2, "key"},
		{"wrong bracket", "[1}", 1, 3, "']'"},
		{"a line feed in a text", "{a:'x\ny'}", 1, 6, "end of the line"},
		{"a word", "{a:undefined}", 1, 4, "value"},
		{"a half word", "tru", 1, 1, "value"},
		{"a slash", "/a", 1, 1, "'/'"},
		{"an octal number", "[007]", 1, 2, "number"},
		{"a number with letters", "1px", 1, 1, "number"},
		{"two points", "1.2.3", 1, 1, "number"},
		{"a sign alone", "[-]", 1, 2, "number"},
		{"two signs", "--1", 1, 1, "number"},
		{"no digits", "0x", 1, 1, "number"},
		{"a digit behind a backslash", `'\1'`, 1, 3, "backslash"},
		{"an octal zero", `'\01'`, 1, 3, "backslash"},
		{"too few digits", `'\u12`, 1, 4, "digits"},
		{"wrong digits", `'\xzz'`, 1, 4, "digits"},
		{"columns are characters", "{名字:码}", 1, 5, "value"},
		{"broken UTF-8 as a key", "{\xff:1}", 1, 2, "key"},
		{"too deep", strings.Repeat("[", json5MaxDepth+2), 1, json5MaxDepth + 2, "deep"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := parseJSON5([]byte(tt.in))
			var syntax *syntaxError
			if !errors.As(err, &syntax) || got != nil {
				t.Fatalf("got %#v, %v", got, err)
			}
			if syntax.Line != tt.line || syntax.Column != tt.column || !strings.Contains(syntax.Msg, tt.says) {
				t.Errorf("got %v, want line %d, column %d, … %s …", syntax, tt.line, tt.column, tt.says)
			}
		})
	}
}

// A message must not give away what stands in the file.
func TestParseJSON5QuotesOneCharacterAtMost(t *testing.T) {
	for _, in := range []string{"{apiKey:'sk-verysecret", "{apiKey:sk-verysecret}", "'sk-verysecret\n'", "{a:1}sk-verysecret"} {
		_, err := parseJSON5([]byte(in))
		if err == nil || strings.Contains(err.Error(), "very") {
			t.Errorf("%q: %v", in, err)
		}
	}
}

// Depth costs no stack to speak of, and length no more than linear time.
func TestParseJSON5IsBounded(t *testing.T) {
	start := time.Now()
	for _, in := range []string{
		strings.Repeat("[", 1<<20), strings.Repeat("{a:", 1<<20), strings.Repeat("/**/", 1<<20),
		"'" + strings.Repeat(`\n`, 1<<20) + "'", "[" + strings.Repeat("1,", 1<<20) + "]",
		strings.Repeat("\n", 1<<20) + "!", strings.Repeat("//\n", 1<<20),
	} {
		_, _ = parseJSON5([]byte(in))
	}
	if d := time.Since(start); d > 20*time.Second {
		t.Errorf("took %v", d)
	}
}

func TestParseJSON5ReadsAllJSON(t *testing.T) {
	type value struct {
		S string
		F float64
		B bool
		L []string
		M map[string]int32
		P *string
		N []map[string][]float32
	}
	same := func(v value) bool {
		data, err := json.MarshalIndent(v, "", " ")
		if err != nil {
			return true // no JSON at all
		}
		var want any
		if err := json.Unmarshal(data, &want); err != nil {
			t.Fatal(err)
		}
		got, err := parseJSON5(data)
		return err == nil && reflect.DeepEqual(got, want)
	}
	if err := quick.Check(same, &quick.Config{MaxCount: 500}); err != nil {
		t.Error(err)
	}
}

// json5Samples are documents that the other JSON5 package of the module reads
// as well, and the seeds of the fuzz tests.
var json5Samples = []string{
	"", "{}", "[]", "null", "{a:1,}", "{'a':\"b\"}", "[1,2,]", "{a:.5,b:5.,c:+1,d:-2e3}", "{a:0xFF}", "// c\n{/*x*/a:1}",
	`{"a":"\u0041\n"}`, "{a:'b\\\nc'}", "{$include:'x'}", "[[[]]]", "{a:{b:{c:[true,false,null]}}}", "{a:1 b:2}", "{a", "1e400",
	"\uFEFF{}", "{名:1}", `'\x41'`, "{a:1}}", "{a:'\\", "/*", "Infinity", "-NaN", "{\"a\":1,\"a\":2}",
}

// FuzzParseJSON5 checks that nothing makes the parser panic, that what it
// reads survives being written and read again, and that it agrees with
// encoding/json on all that is JSON and with another JSON5 package on what
// both accept.
func FuzzParseJSON5(f *testing.F) {
	for _, s := range json5Samples {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		got, err := parseJSON5(src)
		var plain any
		if json.Unmarshal(src, &plain) == nil && nesting(plain) < json5MaxDepth {
			if err != nil || !reflect.DeepEqual(got, plain) {
				t.Fatalf("JSON %q: got %#v, %v", src, got, err)
			}
		}
		if err != nil {
			return
		}
		written, werr := json.Marshal(got)
		if werr != nil {
			return // infinite numbers
		}
		if again, err := parseJSON5(written); err != nil || !reflect.DeepEqual(again, got) {
			t.Fatalf("%q became %q", src, written)
		}
	})
}

func nesting(v any) int {
	deepest := 0
	switch t := v.(type) {
	case map[string]any:
		for _, x := range t {
			deepest = max(deepest, 1+nesting(x))
		}
	case []any:
		for _, x := range t {
			deepest = max(deepest, 1+nesting(x))
		}
	}
	return deepest
}

func TestParseJSON5AgreesWithAnotherParser(t *testing.T) {
	for _, s := range json5Samples {
		var other any
		if json5.Unmarshal([]byte(s), &other) != nil {
			continue
		}
		got, err := parseJSON5([]byte(s))
		if err != nil || !reflect.DeepEqual(got, other) && s != "-NaN" {
			t.Errorf("%q: got %#v, %v; the other parser %#v", s, got, err, other)
		}
	}
}

func BenchmarkParseJSON5(b *testing.B) {
	var s strings.Builder
	s.WriteString("{models:{providers:{")
	for range 2000 {
		s.WriteString("p:{baseUrl:'https://example.invalid/v1',models:[{id:\"m\",cost:{input:3,output:15}}]},\n")
	}
	s.WriteString("}}}")
	src := []byte(s.String())
	b.SetBytes(int64(len(src)))
	for b.Loop() {
		if _, err := parseJSON5(src); err != nil {
			b.Fatal(err)
		}
	}
}
