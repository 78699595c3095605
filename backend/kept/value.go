package kept

import (
	"cmp"
	"strconv"
	"strings"
)

// class says what kind of value something is. Values of different classes are
// not compared.
type class uint8

const (
	classNumber class = iota
	classClock        // minutes of the day
	classDays         // days of the week, a bit each
)

// value is a number, a time or days that a statement names.
type value struct {
	class  class
	unit   uint32 // what is counted, 0 where it is not said or an amount of money
	number int64  // in thousandths
}

func compareValues(a, b value) int {
	return cmp.Or(cmp.Compare(a.class, b.class), cmp.Compare(a.unit, b.unit), cmp.Compare(a.number, b.number))
}

// Parts of the day.
const (
	partNone = iota
	partAM
	partPM
	partEve
	partLate
	partNoon
)

var partOf = map[string]int{"am": partAM, "pm": partPM, "eve": partEve, "late": partLate, "noon": partNoon}

const dayMinutes = 24 * 60

// clock gives the minutes of the day of an hour in a part of it.
func clock(hour, minute int64, part int) int64 {
	switch {
	case part == partAM && hour == 12, part == partLate && hour == 12, part == partEve && hour == 12:
		hour = 0
	case (part == partPM || part == partEve) && hour < 12, part == partNoon && hour < 3:
		hour += 12
	}
	return (hour*60 + minute) % dayMinutes
}

// digits of Chinese numerals, and their factors.
var (
	hanDigits  = map[rune]int64{'零': 0, '〇': 0, '一': 1, '二': 2, '两': 2, '三': 3, '四': 4, '五': 5, '六': 6, '七': 7, '八': 8, '九': 9}
	hanFactors = map[rune]int64{'十': 10, '百': 100, '千': 1000, '万': 10000, '亿': 100000000}
)

// hanNumber reads a Chinese numeral, or one behind digits (3千), from the first
// of some atoms on. n is how many it takes.
func hanNumber(atoms []atom, start int64) (number int64, n int) {
	total, part, digit := int64(0), int64(0), start
	factor, plain := int64(1), true
	for i := range atoms {
		r := firstRune(&atoms[i])
		d, isDigit := hanDigits[r]
		f, isFactor := hanFactors[r]
		switch {
		case i > 0 && atoms[i].apart, !isDigit && !isFactor, n > 12:
			return finishHan(total, part, digit, factor, plain, n)
		case isDigit && digit >= 0 && plain && n > 0 && factor == 1 && start < 0:
			digit = digit*10 + d // 二〇二六
		case isDigit && start >= 0 && n == 0:
			return 0, 0
		case isDigit && d == 0 && n > 0: // 三千零五
			factor = 1
		case isDigit:
			digit = d
		case f >= 10000:
			total, part, digit, factor, plain = (total+part+max(digit, 0))*f, 0, -1, f, false
			if total == 0 {
				total = f
			}
		default:
			if digit < 0 {
				digit = 1
			}
			part, digit, factor, plain = part+digit*f, -1, f, false
		}
		n++
	}
	return finishHan(total, part, digit, factor, plain, n)
}

// finishHan ends a numeral: 三千五 is 3,500.
func finishHan(total, part, digit, factor int64, plain bool, n int) (int64, int) {
	if digit > 0 && !plain && factor >= 100 && part+total > 0 {
		digit *= factor / 10
	}
	return total + part + max(digit, 0), n
}

func firstRune(a *atom) rune {
	for _, r := range a.text {
		return r
	}
	return 0
}

// parseDigits reads an atom of digits: 7:30 is a clock time, in minutes, 8-8:45
// two of them, 3.5 a number, in thousandths, 2026-02-24 three numbers.
func parseDigits(text string) (clocks bool, numbers []int64) {
	if strings.HasPrefix(text, "-") {
		if clocks, numbers = parseDigits(text[1:]); !clocks && len(numbers) > 0 {
			numbers[0] = -numbers[0]
		}
		return clocks, numbers
	}
	parts := strings.Split(text, "-")
	if strings.Contains(text, ":") {
		for _, part := range parts {
			if m, ok := clockOf(part); ok {
				numbers = append(numbers, m)
			}
		}
		if len(numbers) == len(parts) {
			return true, numbers
		}
		numbers = numbers[:0]
	}
	for part := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == '-' || r == '/' || r == ':' }) {
		if f, err := strconv.ParseFloat(part, 64); err == nil && f < 1e12 {
			numbers = append(numbers, int64(f*1000+0.5))
		}
	}
	return false, numbers
}

// clockOf reads 7:30, 7:30:00 or 7 as minutes of the day.
func clockOf(text string) (minutes int64, ok bool) {
	h, rest, _ := strings.Cut(text, ":")
	m, _, _ := strings.Cut(rest, ":")
	hour, err := strconv.ParseInt(h, 10, 32)
	if err != nil || hour > 24 {
		return 0, false
	}
	if m == "" {
		return hour * 60, rest == ""
	}
	minute, err := strconv.ParseInt(m, 10, 32)
	return hour*60 + minute, err == nil && minute < 60
}

// daySet gives a bit for each digit of days (1 is Monday).
func daySet(digits int64) (set int64) {
	for ; digits > 0; digits /= 10 {
		set |= 1 << (digits % 10)
	}
	return set
}

// dayRange gives the days from one to another.
func dayRange(from, to int64) (set int64) {
	for d := from; ; d = d%7 + 1 {
		set |= 1 << d
		if d == to || d < 1 || d > 7 {
			return set
		}
	}
}
