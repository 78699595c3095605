package transcript

import (
	"math"
	"strconv"
	"time"

	"tidemark/backend/memory"
)

// secondsBelow separates seconds from milliseconds: as seconds it is the year
// 5138, as milliseconds March 1973, long before any agent.
const secondsBelow = 100_000_000_000

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
	raw, _, err := c.quoted()
	if err != nil {
		return 0, err
	}
	return ParseTime(string(raw)), nil
}

func fromNumber(v float64) memory.Millis {
	switch {
	case !(v > 0) || v > math.MaxInt64/2:
		return 0
	case v < secondsBelow:
		return memory.Millis(math.Round(v * 1000))
	default:
		return memory.Millis(v)
	}
}

// ParseTime reads a moment as OpenClaw's files write it: ISO 8601 with Z or an
// offset, with or without fractions, or digits (seconds, milliseconds). A text
// without zone is taken as UTC. 0 where it is no moment.
func ParseTime(s string) memory.Millis {
	if m, ok := parseZulu(s); ok {
		return m
	}
	if v, err := strconv.ParseFloat(s, 64); err == nil {
		return fromNumber(v)
	}
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04:05.999999999Z0700", "2006-01-02T15:04:05.999999999", "2006-01-02 15:04:05.999999999Z07:00", "2006-01-02 15:04:05.999999999"} {
		if t, err := time.Parse(layout, s); err == nil {
			return memory.MillisOf(t)
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
