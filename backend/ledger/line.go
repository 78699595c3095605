package ledger

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"tidemark/backend/memory"
)

// A line of the ledger is a list of fields:
//
//   - 2026-05-31 · session `s` · model `m` of `p` · calls 3 · …
//
// A field is a word without a value, or words each followed by one. A value is
// a word, or any text in backquotes.
const separator = " · "

// escapes are what cannot stand in backquotes on a line.
var (
	escapes   = strings.NewReplacer(`\`, `\\`, "`", `\q`, "\n", `\n`, "\r", `\r`)
	unescapes = strings.NewReplacer(`\\`, `\`, `\q`, "`", `\n`, "\n", `\r`, "\r")
)

// quote writes any text so that it can stand within a line.
func quote(s string) string { return "`" + escapes.Replace(s) + "`" }

// fields takes a line apart: values by their words, and the words that have
// none in order. ok is false where it is no line of fields.
func fields(line string) (values map[string]string, bare []string, ok bool) {
	values = map[string]string{}
	for line != "" {
		var name, value string
		if name, line = word(line); name == "" || name[0] == '`' {
			return nil, nil, false
		}
		if line == "" || strings.HasPrefix(line, separator) {
			bare = append(bare, name)
			line = strings.TrimPrefix(line, separator)
			continue
		}
		if !strings.HasPrefix(line, " ") {
			return nil, nil, false
		}
		value, line = word(line[1:])
		switch {
		case strings.HasPrefix(value, "`") && len(value) > 1 && strings.HasSuffix(value, "`"):
			value = unquote(value[1 : len(value)-1])
		case value == "" || strings.Contains(value, "`"):
			return nil, nil, false
		}
		values[name] = value
		if rest, next := strings.CutPrefix(line, separator); next {
			line = rest
		} else if line != "" { // another word of the same field
			if line[0] != ' ' || len(line) == 1 {
				return nil, nil, false
			}
			line = line[1:]
		}
	}
	return values, bare, true
}

// word takes the first word, or text in backquotes, off a line.
func word(s string) (first, rest string) {
	end := strings.IndexByte(s, ' ')
	if strings.HasPrefix(s, "`") {
		end = strings.IndexByte(s[1:], '`')
		if end < 0 {
			return s, ""
		}
		end += 2
	}
	if end < 0 {
		return s, ""
	}
	return s[:end], s[end:]
}

// unknown stands for what is not known.
const unknown = "unknown"

// stampForm is how moments are written.
const stampForm = "2006-01-02T15:04:05.000Z"

// earliest and latest bound the moments that stampForm can write.
const (
	earliest memory.Millis = -62_000_000_000_000
	latest   memory.Millis = 253_402_300_799_999
)

func stamp(m memory.Millis) string {
	switch {
	case m == 0:
		return unknown
	case m < earliest || m > latest: // damage, kept as it is
		return "@" + strconv.FormatInt(int64(m), 10)
	}
	return m.Time().Format(stampForm)
}

// dollars writes an amount to the last unit.
func dollars(m memory.Money) string {
	return fmt.Sprintf("%d.%09d", m/memory.Dollar, m%memory.Dollar)
}

// reader reads the values of a line and remembers whether one was missing or
// wrong.
type reader struct {
	values map[string]string
	bad    bool
}

func (r *reader) value(name string) string {
	v, ok := r.values[name]
	r.bad = r.bad || !ok
	return v
}

// count reads a number of things, which is never negative.
func (r *reader) count(name string) int64 {
	n, err := strconv.ParseUint(r.value(name), 10, 63)
	r.bad = r.bad || err != nil
	return int64(n)
}

// countOrUnknown reads a number that may not be known, which is 0.
func (r *reader) countOrUnknown(name string) int64 {
	if r.value(name) == unknown {
		return 0
	}
	return r.count(name)
}

// stamp reads a moment. A person may have edited it, so any RFC 3339 form is
// taken.
func (r *reader) stamp(name string) memory.Millis {
	m, ok := parseStamp(r.value(name))
	r.bad = r.bad || !ok
	return m
}

func parseStamp(s string) (memory.Millis, bool) {
	if s == unknown {
		return 0, true
	}
	if digits, is := strings.CutPrefix(s, "@"); is {
		n, err := strconv.ParseInt(digits, 10, 64)
		return memory.Millis(n), err == nil
	}
	t, err := time.Parse(time.RFC3339Nano, s)
	return memory.MillisOf(t), err == nil
}

// mostDollars keeps an edited line from overflowing an amount.
const mostDollars = 1_000_000_000

// dollars reads an amount, with up to nine digits behind the point.
func (r *reader) dollars(name string) memory.Money {
	whole, rest, _ := strings.Cut(r.value(name), ".")
	w, err := strconv.ParseUint(whole, 10, 63)
	if err != nil || w > mostDollars || len(rest) > 9 {
		r.bad = true
		return 0
	}
	n, err := strconv.ParseUint((rest + "000000000")[:9], 10, 63)
	r.bad = r.bad || err != nil
	return memory.Money(w)*memory.Dollar + memory.Money(n)
}
