package capture

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// op says what an element of a pattern matches.
type op uint8

const (
	opWords op = iota
	opGap
	opAny
	opSeparator
	opColon
	opStart
	opEnd
)

// element is one element of a pattern.
type element struct {
	op       op
	classes  []class
	bits     []uint64  // the same, a bit for each class
	sum      signature // of them; everything where words alone do not decide
	number   bool      // or a number
	name     bool      // or a word with a capital
	plural   bool      // or what looks like a plural
	suffixes []string  // or a Latin word with one of these endings
	max      int       // of a gap
	not      bool
	optional bool
	many     bool
}

// pattern is one row of elements.
type pattern struct {
	elements []element
	anchor   []class // one of them stands in every match
	needed   [][]class
	wide     bool // it may cross clauses
	owner    int  // index of the rule or guard
}

// oneGap is how many tokens a bare "~" skips at most.
const oneGap = 3

// compile reads a pattern. classOf gives the class of a word or "@class".
func compile(source string, classOf func(string) (class, error)) (pattern, error) {
	var p pattern
	for field := range strings.FieldsSeq(source) {
		e, err := compileElement(field, classOf)
		if err != nil {
			return p, err
		}
		p.elements = append(p.elements, e)
		p.wide = p.wide || e.op == opSeparator || e.op == opColon
		if e.op == opWords && !e.optional && !e.not && !e.number && !e.name && !e.plural && e.suffixes == nil {
			p.needed = append(p.needed, e.classes)
		}
	}
	if len(p.needed) == 0 {
		return p, errors.New("no word that must stand in it")
	}
	return p, nil
}

func compileElement(field string, classOf func(string) (class, error)) (e element, err error) {
	switch field {
	case "^":
		return element{op: opStart}, nil
	case "$":
		return element{op: opEnd}, nil
	}
	if field[0] == '~' {
		return compileGap(field)
	}
	e.op = opWords
	if rest, ok := strings.CutPrefix(field, "!"); ok && rest != "" {
		e.not, field = true, rest
	}
	if rest, ok := strings.CutSuffix(field, "?"); ok && rest != "" {
		e.optional, field = true, rest
	} else if rest, ok := strings.CutSuffix(field, "*"); ok && rest != "" {
		e.optional, e.many, field = true, true, rest
	}
	switch field {
	case ".":
		e.op = opAny
	case ",":
		e.op = opSeparator
	case ":":
		e.op = opColon
	default:
		err = e.alternatives(field, classOf)
	}
	return e, err
}

// alternatives reads the words, with "|" between, one of which is to stand
// there.
func (e *element) alternatives(field string, classOf func(string) (class, error)) error {
	for word := range strings.SplitSeq(field, "|") {
		suffix, isSuffix := strings.CutPrefix(word, "-")
		switch {
		case word == "#":
			e.number = true
		case word == "%":
			e.name = true
		case word == "%s":
			e.plural = true
		case isSuffix && suffix != "":
			e.suffixes = append(e.suffixes, suffix)
		default:
			c, err := classOf(word)
			if err != nil {
				return err
			}
			e.classes = append(e.classes, c)
		}
	}
	return nil
}

func compileGap(field string) (element, error) {
	switch rest := field[1:]; rest {
	case "":
		return element{op: opGap, max: oneGap}, nil
	case "~":
		return element{op: opGap, max: math.MaxInt32}, nil
	default:
		n, err := strconv.Atoi(rest)
		if err != nil {
			return element{}, fmt.Errorf("gap %q: %w", field, err)
		}
		return element{op: opGap, max: n}, nil
	}
}
