package capture

import (
	"testing"
	"time"

	"tidemark/backend/memory"
)

func TestUntil(t *testing.T) {
	zone := noon.Location() // noon is Tuesday 10 March 2026
	day := func(month time.Month, d int) time.Time { return time.Date(2026, month, d, 0, 0, 0, 0, zone) }
	for _, c := range []struct {
		text string
		want time.Time // the beginning of the first day on which it does not hold
	}{
		{"this week I'm in Lisbon", day(3, 16)},
		{"today only look at architecture", day(3, 11)},
		{"I'm away until friday", day(3, 14)},
		{"I'm away until the 20th", day(3, 21)},
		{"I'm away until the 5th", day(4, 6)},
		{"I'm away until 12 April", day(4, 13)},
		{"I'm away until April 12", day(4, 13)},
		{"I'm on parental leave till june", day(7, 1)},
		{"through mid-June I'm working from my sister's place", day(6, 21)},
		{"I'm in Lisbon this month", day(4, 1)},
		{"I'm out of the office until the end of the week", day(3, 16)},
	} {
		items := Find(c.text, noon)
		if len(items) != 1 {
			t.Errorf("Find(%q) = %v, want one statement", c.text, items)
			continue
		}
		if got := time.UnixMilli(int64(items[0].Until)).In(zone); !got.Equal(c.want) {
			t.Errorf("Find(%q) holds until %v, want %v", c.text, got, c.want)
		}
	}
}

func TestWhatHoldsForAWhileIsAFact(t *testing.T) {
	for _, text := range []string{"don't message me this week, I'm in hospital", "this week I'm in Lisbon"} {
		items := Find(text, noon)
		if len(items) == 0 || items[0].Tag != memory.TagDetail || items[0].Until == 0 {
			t.Errorf("Find(%q) = %v, want a fact with an end", text, items)
		}
	}
}

func TestWhatHoldsOnHasNoEnd(t *testing.T) {
	for _, text := range []string{"Signed the lease today!", "from today on use metric", "starting next week send the digest at 8", "nothing before 9:30", "I never eat meat"} {
		for _, it := range Find(text, noon) {
			if it.Until != 0 {
				t.Errorf("Find(%q): %v ends, want no end", text, it)
			}
		}
	}
}

func TestPeriods(t *testing.T) {
	zone := time.FixedZone("UTC-5", -5*3600)
	at := func(y int, m time.Month, d, h int) time.Time { return time.Date(y, m, d, h, 0, 0, 0, zone) }
	sunday, monday := at(2026, 12, 27, 23), at(2026, 12, 28, 0)
	for _, c := range []struct {
		period string
		now    time.Time
		want   time.Time
	}{
		{"day", sunday, at(2026, 12, 28, 0)},
		{"night", sunday, at(2026, 12, 28, 6)},
		{"week", sunday, at(2026, 12, 28, 0)},
		{"week", monday, at(2027, 1, 4, 0)},
		{"weekend", monday, at(2027, 1, 4, 0)},
		{"next-week", sunday, at(2027, 1, 4, 0)},
		{"month", sunday, at(2027, 1, 1, 0)},
		{"next-month", sunday, at(2027, 2, 1, 0)},
		{"quarter", sunday, at(2027, 1, 1, 0)},
		{"year", sunday, at(2027, 1, 1, 0)},
		{"tomorrow", sunday, at(2026, 12, 29, 0)},
		{"", sunday, time.Time{}},
	} {
		if got := endOf(c.period, c.now); !got.Equal(c.want) {
			t.Errorf("the %s of %v ends %v, want %v", c.period, c.now, got, c.want)
		}
	}
}
