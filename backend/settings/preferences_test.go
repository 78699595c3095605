package settings

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/quick"
	"time"

	"tidemark/backend/memory"
)

func mustLoad(t *testing.T, d *Dir) Preferences {
	t.Helper()
	p, err := d.LoadPreferences()
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestPreferences(t *testing.T) {
	d := mustOpen(t, t.TempDir())
	if got := mustLoad(t, d); got != (Preferences{}) {
		t.Errorf("without a file: %+v", got)
	}
	want := Preferences{Language: "zh", Theme: "dark", StateDir: `C:\Users\码农\.openclaw`, Timezone: "Asia/Shanghai", DailyBudget: 2.5, Density: "roomy", Closing: "quit"}
	if err := d.SavePreferences(want); err != nil {
		t.Fatal(err)
	}
	wantMode(t, d.Settings(), 0o600)
	if got := mustLoad(t, mustOpen(t, d.Path())); got != want {
		t.Errorf("read back %+v, want %+v", got, want)
	}
	text, _ := os.ReadFile(d.Settings())
	golden := `{
  "closing": "quit",
  "dailyBudget": 2.5,
  "density": "roomy",
  "language": "zh",
  "stateDir": "C:\\Users\\码农\\.openclaw",
  "theme": "dark",
  "timezone": "Asia/Shanghai"
}
`
	if string(text) != golden {
		t.Errorf("the file is\n%s\nwant\n%s", text, golden)
	}
	if found := d.Notices(); len(found) != 0 {
		t.Errorf("notices %v without a reason", found)
	}
}

// TestUnknownFieldsStay: what a newer version wrote survives an older one,
// numbers to the last digit.
func TestUnknownFieldsStay(t *testing.T) {
	d := mustOpen(t, t.TempDir())
	put(t, d.Settings(), "\ufeff"+`{"theme":"light","future":{"a":[1,2.50,9007199254740993]},"Theme":"odd","x":null}`)
	if got := mustLoad(t, d); got != (Preferences{Theme: "light"}) {
		t.Errorf("read %+v", got)
	}
	for range 2 {
		if err := d.SavePreferences(Preferences{Theme: "dark"}); err != nil {
			t.Fatal(err)
		}
	}
	text, _ := os.ReadFile(d.Settings())
	var all map[string]json.RawMessage
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"future": `{"a":[1,2.50,9007199254740993]}`, "Theme": `"odd"`, "x": `null`, "theme": `"dark"`, "language": `""`,
	} {
		if got := strings.Join(strings.Fields(string(all[name])), ""); got != want {
			t.Errorf("%s is %s, want %s", name, got, want)
		}
	}
}

func TestDamagedPreferences(t *testing.T) {
	tests := []struct{ name, text string }{
		{"empty", ""}, {"cut off", `{"theme":"dark"`}, {"null", "null"}, {"a list", "[]"}, {"text", "theme=dark"},
		{"wrong type", `{"theme":5}`}, {"budget as text", `{"dailyBudget":"5"}`}, {"budget beyond numbers", `{"dailyBudget":1e999}`},
		{"zero bytes", strings.Repeat("\x00", 100)}, {"two documents", "{}{}"},
		{"huge", `{"theme":"` + strings.Repeat("x", maxSettings) + `"}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := mustOpen(t, t.TempDir())
			d.now = func() time.Time { return time.Date(2026, 5, 10, 12, 0, 0, 0, time.UTC) }
			for n, suffix := range []string{"", "-2", "-3"} {
				put(t, d.Settings(), tt.text)
				if got := mustLoad(t, d); got != (Preferences{}) {
					t.Errorf("read %+v, want the defaults", got)
				}
				kept := filepath.Join(d.Path(), "settings.json.damaged-20260510T120000Z"+suffix)
				if text, err := os.ReadFile(kept); err != nil || string(text) != tt.text {
					t.Errorf("time %d: the file was not kept: %v", n, err)
				}
				found := d.Notices()
				if len(found) != 1 || found[0].Code != NoticeSettings || found[0].Path != kept {
					t.Errorf("notices %+v, want one about %s", found, kept)
				}
			}
			if err := d.SavePreferences(Preferences{Language: "en"}); err != nil {
				t.Errorf("save afterwards: %v", err)
			}
			if got := mustLoad(t, d); got.Language != "en" || len(d.Notices()) != 0 {
				t.Errorf("read %+v afterwards", got)
			}
		})
	}
}

func TestSaveOverDamagedPreferences(t *testing.T) {
	d := mustOpen(t, t.TempDir())
	put(t, d.Settings(), "{")
	if err := d.SavePreferences(Preferences{Theme: "dark"}); err != nil {
		t.Fatal(err)
	}
	if found := d.Notices(); len(found) != 1 || mustLoad(t, d).Theme != "dark" {
		t.Errorf("notices %v, want one, and the new preferences", found)
	}
}

func TestSaveRefuses(t *testing.T) {
	d := mustOpen(t, t.TempDir())
	for _, p := range []Preferences{
		{DailyBudget: -1}, {DailyBudget: math.NaN()}, {DailyBudget: math.Inf(1)}, {Timezone: "Mars/Olympus"}, {Timezone: "../../etc/passwd"},
	} {
		if err := d.SavePreferences(p); memory.CodeOf(err) != memory.CodeInvalid {
			t.Errorf("%+v: %v, want %s", p, err, memory.CodeInvalid)
		}
	}
	wantAlone(t, d.Path())
}

func TestPreferencesAreAFolder(t *testing.T) {
	d := mustOpen(t, t.TempDir())
	mkdir(t, d.Settings(), 0o700)
	if _, err := d.LoadPreferences(); memory.CodeOf(err) != memory.CodeUnavailable {
		t.Errorf("load: %v, want %s", err, memory.CodeUnavailable)
	}
	if err := d.SavePreferences(Preferences{}); memory.CodeOf(err) != memory.CodeUnavailable {
		t.Errorf("save: %v, want %s", err, memory.CodeUnavailable)
	}
}

// TestChoices: what no screen offers is refused, but what another version wrote
// may stay.
func TestChoices(t *testing.T) {
	d := mustOpen(t, t.TempDir())
	for _, wrong := range []Preferences{{Language: "fr"}, {Theme: "sepia"}, {Density: "x"}, {Closing: "x"}} {
		if err := d.SavePreferences(wrong); memory.CodeOf(err) != memory.CodeInvalid || memory.HintOf(err) != "" {
			t.Errorf("%+v: %v", wrong, err)
		}
	}
	put(t, d.Settings(), `{"theme":"sepia"}`)
	p := mustLoad(t, d)
	p.Language = "zh"
	if err := d.SavePreferences(p); err != nil {
		t.Error(err)
	}
	if got := mustLoad(t, d); got.Theme != "sepia" || got.Language != "zh" {
		t.Errorf("%+v", got)
	}
}

// TestPreferencesRoundTrip: whatever is saved is read back, and an unknown
// field is never touched.
func TestPreferencesRoundTrip(t *testing.T) {
	d := mustOpen(t, t.TempDir())
	put(t, d.Settings(), `{"kept":"yes"}`)
	same := func(language, theme, dir string, budget float64) bool {
		want := Preferences{
			Language: []string{"", "en", "zh"}[len(language)%3], Theme: []string{"", "light", "dark"}[len(theme)%3],
			StateDir: strings.ToValidUTF8(dir, ""), DailyBudget: math.Abs(budget),
		}
		if err := d.SavePreferences(want); err != nil {
			t.Log(err)
			return false
		}
		text, err := os.ReadFile(d.Settings())
		return err == nil && strings.Contains(string(text), `"kept": "yes"`) && mustLoad(t, d) == want
	}
	if err := quick.Check(same, &quick.Config{MaxCount: 60}); err != nil {
		t.Error(err)
	}
}

// FuzzPreferences: whatever is in the file, what is understood of it can be
// saved and read back, and nothing panics.
func FuzzPreferences(f *testing.F) {
	for _, seed := range []string{`{}`, `{"theme":"dark","x":[1]}`, `{"dailyBudget":1e308}`, `null`, `{"theme":null}`, `{"a":1,"a":2}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		p, all, err := parse(text)
		if err != nil {
			if p != (Preferences{}) || all != nil {
				t.Errorf("an error and %+v, %v", p, all)
			}
			return
		}
		again, err := json.Marshal(all)
		if err != nil {
			t.Fatalf("fields cannot be written back: %v", err)
		}
		if q, _, err := parse(again); err != nil || q != p {
			t.Errorf("read back %+v (%v), want %+v", q, err, p)
		}
	})
}
