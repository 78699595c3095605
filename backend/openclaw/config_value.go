package openclaw

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"tidemark/backend/memory"
)

// settingMaxProblems bounds the complaints about one file: a configuration of
// another program has nothing but wrong types.
const settingMaxProblems = 50

// settings decodes a parsed configuration. A value of the wrong type is
// absent, and a problem.
type settings struct {
	path     string // the file, for problems
	lookup   func(name string) string
	problems []memory.Problem
}

// complain reports a value once, however often it is looked at.
func (s *settings) complain(at, what string) {
	p := memory.Problem{Code: memory.ProblemBadConfig, Path: s.path, Count: 1, Message: at + " " + what + ": ignored"}
	if len(s.problems) < settingMaxProblems && !slices.Contains(s.problems, p) {
		s.problems = append(s.problems, p)
	}
}

// setting is a value in the configuration and the way to it. The zero value
// of v, nil, is an absent one; every accessor of an absent setting gives zero.
type setting struct {
	s  *settings
	v  any
	at string
}

// get is the member key, absent where this is no object.
func (n setting) get(key string) setting {
	at := key
	if n.at != "" {
		at = n.at + "." + key
	}
	obj, _ := n.v.(map[string]any)
	return setting{s: n.s, v: obj[key], at: at}
}

// in follows several keys, and complains of a step that is no object.
func (n setting) in(keys ...string) setting {
	for _, k := range keys {
		n.object()
		n = n.get(k)
	}
	return n
}

func (n setting) absent() bool { return n.v == nil }

func (n setting) object() map[string]any {
	obj, ok := n.v.(map[string]any)
	if !ok && !n.absent() {
		n.s.complain(n.at, "is no object")
	}
	return obj
}

// list gives the elements, absent ones left out.
func (n setting) list() []setting {
	items, ok := n.v.([]any)
	if !ok && !n.absent() {
		n.s.complain(n.at, "is no list")
	}
	var out []setting
	for i, v := range items {
		if v != nil {
			out = append(out, setting{s: n.s, v: v, at: n.at + "[" + strconv.Itoa(i) + "]"})
		}
	}
	return out
}

// text is a string with its ${VARIABLES} replaced and the space around it cut.
func (n setting) text() string {
	t, ok := n.v.(string)
	if !ok && !n.absent() {
		n.s.complain(n.at, "is no text")
	}
	return strings.TrimSpace(substitute(t, n.s.lookup))
}

// texts is a list of strings.
func (n setting) texts() []string {
	var out []string
	for _, item := range n.list() {
		if t := item.text(); t != "" {
			out = append(out, t)
		}
	}
	return out
}

// flag is a truth value that may be absent.
func (n setting) flag() memory.Tri {
	b, ok := n.v.(bool)
	switch {
	case n.absent():
		return memory.Unknown
	case !ok:
		n.s.complain(n.at, "is neither true nor false")
		return memory.Unknown
	case b:
		return memory.Yes
	}
	return memory.No
}

// amount is a finite number of at least 0, nil where it is absent. A number
// in quotes is tolerated: what it says is not in doubt.
func (n setting) amount() *float64 {
	f, ok := n.v.(float64)
	if t, isText := n.v.(string); isText {
		parsed, err := strconv.ParseFloat(strings.TrimSpace(substitute(t, n.s.lookup)), 64)
		f, ok = parsed, err == nil
	}
	switch {
	case n.absent():
		return nil
	case !ok:
		n.s.complain(n.at, "is no number")
		return nil
	case !(f >= 0) || math.IsInf(f, 0):
		n.s.complain(n.at, "is negative or no number")
		return nil
	}
	return &f
}

// count is an amount cut to a whole number.
func (n setting) count() *int64 {
	f := n.amount()
	if f == nil {
		return nil
	}
	// 2^53: above it a JavaScript number does not count in ones.
	i := int64(min(*f, 1<<53))
	return &i
}

// bytes is a size: a number, or a text such as "2mb" as OpenClaw has them.
func (n setting) bytes() *int64 {
	t, ok := n.v.(string)
	if !ok {
		return n.count()
	}
	t = strings.ToLower(strings.TrimSpace(substitute(t, n.s.lookup)))
	digits := strings.TrimRight(t, "kmgtib ")
	f, err := strconv.ParseFloat(digits, 64)
	shift, known := map[string]uint{"": 0, "b": 0, "k": 10, "kb": 10, "kib": 10, "m": 20, "mb": 20, "mib": 20,
		"g": 30, "gb": 30, "gib": 30, "t": 40, "tb": 40, "tib": 40}[strings.TrimSpace(t[len(digits):])]
	if err != nil || !known || !(f >= 0 && f < 1<<53) {
		n.s.complain(n.at, "is no size")
		return nil
	}
	i := int64(min(f*float64(uint64(1)<<shift), 1<<53))
	return &i
}

// rate is a price in dollars for a million tokens. A number in quotes is not
// taken: a price is used in sums, and then nothing about it may be guessed.
func (n setting) rate() (rate float64, ok bool) {
	if n.absent() {
		return 0, true
	}
	f, isNumber := n.v.(float64)
	if !isNumber || !(f >= 0) || math.IsInf(f, 0) {
		return 0, false
	}
	return f, true
}
