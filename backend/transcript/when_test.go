package transcript_test

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"tidemark/backend/memory"
	"tidemark/backend/transcript"
)

func TestParseTime(t *testing.T) {
	for s, want := range map[string]memory.Millis{
		"2026-05-10T10:00:00.000Z":          tenOClock,
		"2026-05-10T10:00:00Z":              tenOClock,
		"2026-05-10T10:00:00.5Z":            tenOClock + 500,
		"2026-05-10T10:00:00.12Z":           tenOClock + 120,
		"2026-05-10T10:00:00.123456Z":       tenOClock + 123,
		"2026-05-10T10:00:00.123456789Z":    tenOClock + 123,
		"2026-05-10T18:00:00+08:00":         tenOClock,
		"2026-05-10T15:45:00.250+05:45":     tenOClock + 250,
		"2026-05-10T06:30:00-0330":          tenOClock,
		"2026-05-10T10:00:00+00:00":         tenOClock,
		"2026-05-10T10:00:00":               tenOClock,
		"2026-05-10T10:00:00.250":           tenOClock + 250,
		"2026-05-10 10:00:00":               tenOClock,
		"2026-05-10 10:00:00Z":              tenOClock,
		"2026-05-10 18:00:00.5+08:00":       tenOClock + 500,
		"1778407200000":                     tenOClock,
		"1778407200":                        tenOClock,
		"1778407200.25":                     tenOClock + 250,
		" 1778407200 ":                      tenOClock,
		"1.7784072e12":                      tenOClock,
		"2024-02-29T12:00:00.000Z":          1709208000000,
		"2000-02-29T00:00:00Z":              951782400000,
		"9999-12-31T23:59:59.999Z":          253402300799999,
		"":                                  0,
		"0":                                 0,
		"-5":                                0,
		"null":                              0,
		"NaN":                               0,
		"Infinity":                          0,
		"1e300":                             0,
		"0x1p40":                            0,
		"1_778_407_200":                     0,
		"17":                                0, // a small number is no moment of 1970
		"1970-01-01T00:00:00.000Z":          0,
		"1970-01-01T00:00:01Z":              0,
		"1970-01-01T01:00:00+01:00":         0,
		"0001-01-01T00:00:00Z":              0,
		"0000-00-00T00:00:00Z":              0,
		"1778407200000000":                  0, // microseconds
		"2026-02-29T10:00:00Z":              0,
		"2026-13-01T10:00:00Z":              0,
		"2026-00-10T10:00:00Z":              0,
		"2026-05-00T10:00:00Z":              0,
		"2026-04-31T10:00:00Z":              0,
		"2026-05-10T24:00:00Z":              0,
		"2026-05-10T10:60:00Z":              0,
		"2026-05-10T10:00:60Z":              0,
		"2026-05-10T1a:00:00.000Z":          0,
		"2026-05-10T10:00:00.Z":             0,
		"2026-05-10T10:00:00.00aZ":          0,
		"2026-05-10":                        0,
		"10 May 2026":                       0,
		"yesterday":                         0,
		strings.Repeat("9", 400):            0,
		"2026-05-10T10:00:00.000Z trailing": 0,
	} {
		if got := transcript.ParseTime(s); got != want {
			t.Errorf("%q: got %d, want %d", s, got, want)
		}
	}
}

// The fast path gives what the general parser gives.
func TestParseTimeAgainstStandardLibrary(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 100_000 {
		at := time.UnixMilli(r.Int64N(253_402_300_799_999-100_000_000_000) + 100_000_000_000).UTC()
		zone := time.FixedZone("", (r.IntN(113)-56)*15*60)
		for _, s := range []string{at.Format("2006-01-02T15:04:05.000Z"), at.In(zone).Format("2006-01-02T15:04:05.000Z07:00")} {
			if got := transcript.ParseTime(s); got != memory.Millis(at.UnixMilli()) {
				t.Fatalf("%s: got %d, want %d", s, got, at.UnixMilli())
			}
		}
	}
	// Every day of the calendar, and those that are none.
	for year := 1973; year < 2400; year++ {
		for _, day := range []string{"-01-01", "-02-28", "-02-29", "-03-01", "-12-31", "-06-31"} {
			s := time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC).Format("2006") + day + "T23:59:59.999Z"
			want := memory.Millis(0)
			if at, err := time.Parse(time.RFC3339, s); err == nil && at.UnixMilli() > 100_000_000_000 {
				want = memory.Millis(at.UnixMilli())
			}
			if got := transcript.ParseTime(s); got != want {
				t.Fatalf("%s: got %d, want %d", s, got, want)
			}
		}
	}
}

// Case K125: all forms are read, and what is missing is not 1970.
func TestDecodeTimes(t *testing.T) {
	for value, want := range map[string]memory.Millis{
		`"2026-05-10T10:00:00.000Z"`: tenOClock, "1778407200000": tenOClock, "1778407200": tenOClock, "1778407200.5": tenOClock + 500, "1.7784072e12": tenOClock, `"1778407200"`: tenOClock,
		`"2026-05-10T10:00:00\u005a"`: tenOClock,
		"0":                           0, "-1778407200": 0, "null": 0, "NaN": 0, "true": 0, "{}": 0, `["2026-05-10"]`: 0, `""`: 0, "1e300": 0, "12": 0,
	} {
		if got := mustDecode(t, `{"type":"custom","id":"a","timestamp":`+value+`}`, false).At; got != want {
			t.Errorf("%s: got %d, want %d", value, got, want)
		}
	}
	// The message's own time stands in for the entry's.
	line := `{"type":"message","id":"a","message":{"role":"user","timestamp":1778407200123}}`
	if ev := mustDecode(t, line, false); ev.At != tenOClock+123 || ev.Message.At != tenOClock+123 {
		t.Errorf("got %d, %d", ev.At, ev.Message.At)
	}
	line = `{"type":"message","id":"a","timestamp":"2026-05-10T10:00:00Z","message":{"role":"user","timestamp":1778407200123}}`
	if ev := mustDecode(t, line, false); ev.At != tenOClock || ev.Message.At != tenOClock+123 {
		t.Errorf("got %d, %d", ev.At, ev.Message.At)
	}
	if ev := mustDecode(t, `{"type":"message","id":"a","message":{"role":"user"}}`, false); ev.At != 0 {
		t.Errorf("a time that is not there: %d", ev.At)
	}
}
