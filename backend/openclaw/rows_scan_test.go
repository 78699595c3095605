package openclaw

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"
	"time"
)

// Texts longer than the buffer, with the border anywhere in an escape.
func TestReadRowsAcrossBuffers(t *testing.T) {
	for _, unit := range []string{"x", `\n`, `\"`, `\\`, `\u00e9`, `\ud83d\ude00`, "码", "\\\\\\\""} {
		for shift := range 13 {
			skipped := strings.Repeat("y", shift) + strings.Repeat(unit, (rowBuffer+100)/len(unit))
			kept := strings.Repeat("z", shift) + strings.Repeat(unit, 300)
			rows, problems := ReadRows(strings.NewReader(`{"a":{"skip":"` + skipped + `","label":"` + kept + `"},"b":{}}`))
			var want string
			if err := json.Unmarshal([]byte(`"`+kept+`"`), &want); err != nil {
				t.Fatal(err)
			}
			if len(problems) != 0 || len(rows) != 2 || rows[0].Label != want {
				t.Fatalf("%q shifted by %d: %d rows, problems %+v", unit, shift, len(rows), problems)
			}
		}
	}
}

func TestReadRowsCutsLongTexts(t *testing.T) {
	for _, char := range []string{"x", "é", "码", "😀", `\u7801`, `\n`} {
		text := strings.Repeat(char, 3*rowMaxText)
		rows, problems := ReadRows(strings.NewReader(`{"k` + text + `":{"label":"` + text + `","status":"done"}}`))
		if len(problems) != 0 || len(rows) != 1 || rows[0].Status != "done" {
			t.Fatalf("%q: problems %+v", char, problems)
		}
		for _, got := range []string{rows[0].Label, rows[0].Key} {
			if len(got) > rowMaxText || len(got) < rowMaxText-4 || strings.Contains(got, "\uFFFD") {
				t.Errorf("%q: %d bytes", char, len(got))
			}
		}
	}
}

// Nesting without end costs neither stack nor more than linear time.
func TestReadRowsOfDeepNesting(t *testing.T) {
	const deep = 5_000_000
	start := time.Now()
	for _, in := range []string{
		`{"a":{"x":` + strings.Repeat("[", deep), `{"a":{"x":` + strings.Repeat(`{"y":`, deep/5),
		`{"a":{"x":` + strings.Repeat("[", deep/2) + strings.Repeat("]", deep/2) + `,"label":"l"}}`,
		`{"a":{"label":"` + strings.Repeat(`\n`, deep) + `"}}`, `{"a":{"usageFamilySessionIds":[` + strings.Repeat(`"x",`, deep/4) + `]}}`,
		strings.Repeat(" ", deep), `{"a":` + strings.Repeat("1", deep) + "}",
	} {
		ReadRows(strings.NewReader(in))
	}
	if d := time.Since(start); d > 20*time.Second {
		t.Errorf("took %v", d)
	}
}

// bigStore is a store like those of case E 64: entries of kb KB, nearly all of
// it in snapshots and reports.
func bigStore(entries, kb int) []byte {
	const file = `{"name":"AGENTS.md","path":"/home/user/.openclaw/workspace/AGENTS.md","missing":false,"rawChars":7809,"injectedChars":7809,"truncated":false},`
	var b bytes.Buffer
	b.WriteString("{\n")
	for i := range entries {
		if i > 0 {
			b.WriteString(",\n")
		}
		fmt.Fprintf(&b, `  "agent:main:telegram:group:%d": {"sessionId":"s%d","updatedAt":1796068981341,"skillsSnapshot":{"prompt":"%s"},"systemPromptReport":{"files":[`,
			i, i, strings.Repeat(`a \"skill\" {x}\n`, 200))
		for b.Len() < (i+1)*kb<<10 {
			b.WriteString(file)
		}
		b.WriteString(`{}]},"sessionDiffBaseline":{"files":[]},"totalTokens":3200,"compactionCount":1}`)
	}
	b.WriteString("\n}\n")
	return b.Bytes()
}

// A store of 114 MB is read in memory that does not grow with it.
func TestReadRowsInBoundedMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped: 114 MB")
	}
	store := bigStore(2703, 42)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	rows, problems := ReadRows(bytes.NewReader(store))
	runtime.ReadMemStats(&after)
	if len(rows) != 2703 || len(problems) != 0 || rows[2702].SessionID != "s2702" || *rows[0].TotalTokens != 3200 {
		t.Fatalf("%d rows, problems %+v", len(rows), problems)
	}
	allocated := after.TotalAlloc - before.TotalAlloc
	if allocated > 16<<20 {
		t.Errorf("allocated %d bytes for a store of %d", allocated, len(store))
	}
	t.Logf("%d MB, %d KB allocated", len(store)>>20, allocated>>10)
}

func BenchmarkReadRows(b *testing.B) {
	store := bigStore(243, 60)
	b.SetBytes(int64(len(store)))
	b.ReportAllocs()
	for b.Loop() {
		if rows, problems := ReadRows(bytes.NewReader(store)); len(rows) != 243 || len(problems) > 0 {
			b.Fatal(len(rows), problems)
		}
	}
}

// FuzzReadRows checks that nothing makes the scanner panic or hang, that it
// does not matter how the bytes arrive, and that it agrees with encoding/json
// on what is JSON.
func FuzzReadRows(f *testing.F) {
	for _, s := range []string{
		"", "{}", "5", "[]", `{"main":1}`, `{"a":` + wholeEntry + "}", `{"a":{"label":"\ud83d\ude00"}}`, `{"a":{"x":[{"y":"\\"}],"label":"l"}}`,
		`{"a":{"totalTokens":-1},"b":{"totalTokens":1e3}}`, "\uFEFF{\"a\":{}}", `{"a":{"x":"\`, `{"a":{"usageFamilySessionIds":["x",1]}}`, `{"a":{}}{`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, store []byte) {
		rows, problems := ReadRows(bytes.NewReader(store))
		slow, slowProblems := ReadRows(iotest.OneByteReader(bytes.NewReader(store)))
		if !reflect.DeepEqual(rows, slow) || !reflect.DeepEqual(problems, slowProblems) {
			t.Fatalf("%q: %+v %+v, byte by byte %+v %+v", store, rows, problems, slow, slowProblems)
		}
		for _, r := range rows {
			r.File("/state", "/state/agents/main/sessions")
			ParseKey(r.Key).Group()
		}
		var entries map[string]json.RawMessage
		if json.Unmarshal(store, &entries) != nil || entries == nil {
			return
		}
		for _, p := range problems {
			if strings.Contains(p.Message, "cannot be read") {
				t.Fatalf("JSON %q: problem %+v", store, p)
			}
		}
		for _, r := range rows {
			if len(store) > rowMaxText || strings.Contains(string(store), `\u`) {
				return // texts are cut, and lone halves are counted in other ways
			}
			var fields map[string]any // unlike a struct it tells names apart by case
			if json.Unmarshal(entries[r.Key], &fields) != nil {
				t.Fatalf("%q: a row of no object: %+v", store, r)
			}
			if label, _ := fields["label"].(string); label != "" && r.Label != label {
				t.Errorf("%q: label %q, want %q", store, r.Label, label)
			}
			if total, ok := fields["totalTokens"].(float64); ok && total >= 0 && total <= 1<<53 && (r.TotalTokens == nil || *r.TotalTokens != int64(total)) {
				t.Errorf("%q: total %v, want %v", store, r.TotalTokens, total)
			}
		}
	})
}
