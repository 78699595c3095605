package transcript

import (
	"math"
	"strings"
	"time"

	"tidemark/backend/memory"
)

const (
	// secondsBelow separates seconds from milliseconds: as seconds it is the
	// year 5138, as milliseconds March 1973.
	secondsBelow = 100_000_000_000
	// earliest bounds what is taken for a moment: March 1973, long before any
	// agent. Zero, a small number or a date of 1970 stands for "not known".
	earliest = secondsBelow
	// latest is the last moment of the year 9999, behind which a moment cannot
	// be written as text any more: microseconds and damage lie there.
	latest = 253_402_300_799_999
)

// when reads a timestamp: ISO 8601 text, or seconds or milliseconds since
// 1970 as a number or as digits in text. Anything else is not known.
func (c *cursor) when() (memory.Millis, error) {
	if c.space() != '"' {
		n, err := c.number()
		if err != nil || n.bad || n.null {
			return 0, err
		}
		return fromNumber(n.v), nil
	}
	raw, escaped, err := c.quoted()
	if err != nil {
		return 0, err
	}
	if escaped {
		raw = unescape(nil, raw)
	}
	return ParseTime(string(raw)), nil
}

func fromNumber(v float64) memory.Millis {
	if !(v > 0 && v <= latest) {
		return 0
	}
	if v < secondsBelow {
		return plausible(int64(math.Round(v * 1000)))
	}
	return memory.Millis(v)
}

// plausible gives the moment, 0 where no agent can have written it.
func plausible(ms int64) memory.Millis {
	if ms < earliest || ms > latest {
		return 0
	}
	return memory.Millis(ms)
}

// layouts are the forms of ISO 8601 that are met beside the usual one.
var layouts = []string{
	time.RFC3339Nano, "2006-01-02T15:04:05.999999999Z0700", "2006-01-02T15:04:05.999999999",
	"2006-01-02 15:04:05.999999999Z07:00", "2006-01-02 15:04:05.999999999",
}

// ParseTime reads a moment as OpenClaw's files write it: ISO 8601 with Z or an
// offset, with or without fractions, or digits (seconds, milliseconds). A text
// without zone is taken as UTC. 0 where it is no moment, or one before 1973 or
// after 9999, which no agent wrote.
func ParseTime(s string) memory.Millis {
	if m, ok := parseZulu(s); ok {
		return plausible(int64(m))
	}
	s = strings.TrimSpace(s)
	if v, ok := parseNumber(s); ok {
		return fromNumber(v)
	}
	for _, layout := range layouts {
		if t, err := time.Parse(layout, s); err == nil {
			return plausible(t.UnixMilli())
		}
	}
	return 0
}

// parseZulu reads "2026-05-10T10:00:00.000Z", the form of nearly every entry,
// without the cost of the general parser.
func parseZulu(s string) (memory.Millis, bool) {
	if len(s) < 20 || len(s) > 24 || s[len(s)-1] != 'Z' || s[4] != '-' || s[7] != '-' || s[10] != 'T' || s[13] != ':' || s[16] != ':' {
		return 0, false
	}
	ok := true
	digits := func(from, to int) int {
		n := 0
		for _, ch := range []byte(s[from:to]) {
			if ch < '0' || ch > '9' {
				ok = false
			}
			n = n*10 + int(ch-'0')
		}
		return n
	}
	year, month, day := digits(0, 4), digits(5, 7), digits(8, 10)
	hour, minute, second := digits(11, 13), digits(14, 16), digits(17, 19)
	ms := 0
	if len(s) > 20 {
		if s[19] != '.' || len(s) < 22 {
			return 0, false
		}
		ms = digits(20, len(s)-1)
		for n := len(s) - 21; n < 3; n++ {
			ms *= 10
		}
	}
	if !ok || month < 1 || month > 12 || day < 1 || day > daysIn(year, month) || hour > 23 || minute > 59 || second > 59 {
		return 0, false
	}
	secs := int64(daysSince1970(year, month, day))*86400 + int64(hour*3600+minute*60+second)
	return memory.Millis(secs*1000 + int64(ms)), true
}

func daysIn(year, month int) int {
	switch month {
	case 2:
		if year%4 == 0 && (year%100 != 0 || year%400 == 0) {
			return 29
		}
		return 28
	case 4, 6, 9, 11:
		return 30
	}
	return 31
}

// daysSince1970 counts days of the proleptic Gregorian calendar, with years
// that begin in March so that the leap day comes last.
func daysSince1970(year, month, day int) int {
	if month <= 2 {
		year--
		month += 12
	}
	era := year / 400
	yearOfEra := year - era*400
	dayOfYear := (153*(month-3)+2)/5 + day - 1
	dayOfEra := yearOfEra*365 + yearOfEra/4 - yearOfEra/100 + dayOfYear
	return era*146097 + dayOfEra - 719468
}
