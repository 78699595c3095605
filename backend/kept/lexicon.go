package kept

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"
	"sync"
)

//go:embed data/words.txt
var wordList string

// role says what a word does in a statement.
type role uint8

const (
	roleNone    role = iota
	roleDrop         // says nothing about the subject
	rolePlain        // a word of its own
	roleNot          // prohibits
	roleEnd          // prohibits from now on
	roleMay          // permits
	roleMark         // says that something is different from before
	roleNow          // hints at it
	roleOnly         // restricts
	roleExcept       // makes an exception
	roleIf           // makes a condition
	roleThan         // sets one thing against another
	roleDay          // days of the week
	rolePart         // part of the day
	roleNum          // a number
	roleTimes        // a factor
	roleUnit         // what is counted
	roleConcept      // a thing, whatever it is called
)

var roleNames = map[string]role{"drop": roleDrop, "plain": rolePlain, "not": roleNot, "end": roleEnd, "may": roleMay, "mark": roleMark, "now": roleNow, "only": roleOnly,
	"except": roleExcept, "if": roleIf, "than": roleThan, "day": roleDay, "part": rolePart, "num": roleNum, "times": roleTimes, "unit": roleUnit,
	"pick": roleConcept, "many": roleConcept, "one": roleConcept, "has": roleConcept, "=": roleConcept, "bound": roleConcept}

// word is a word of the list, or several that stand together.
type word struct {
	role   role
	is     bool   // stands between a thing and what it is
	to     bool   // stands between a thing and what it becomes
	single bool   // roleConcept: there is one of it
	direct bool   // roleConcept: what it is follows it at once
	tells  bool   // roleConcept: it is a subject by itself
	choice uint8  // roleConcept: number of the choice that it is a value of, 0 none
	many   bool   // several values of the choice may hold
	number int64  // of days, parts, numbers, factors
	id     uint32 // of concepts
	unit   uint32 // what is counted, 0 where it is no unit
}

// lexicon is the list of words as a tree of atoms.
type lexicon struct {
	atoms   map[string]uint32 // number of each atom that stands in a word, from 1 on
	han     []uint32          // the same for ideographs
	next    edges
	words   []word // by node; roleNone where no word ends
	choices map[string]uint8
}

const (
	firstHan = 0x3400
	lastHan  = 0x9fff
)

var words = sync.OnceValue(func() *lexicon {
	x, err := parseWords(wordList)
	if err != nil {
		panic(err) // the list is part of the program, and tested
	}
	return x
})

// parseWords reads a list of words.
func parseWords(list string) (*lexicon, error) {
	x := &lexicon{atoms: map[string]uint32{}, han: make([]uint32, lastHan-firstHan+1), words: make([]word, 1), choices: map[string]uint8{}}
	for line := range strings.Lines(list) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		kind, rest, ok := strings.Cut(line, ":")
		if !ok {
			return nil, fmt.Errorf("read word list: %q", line)
		}
		w, err := x.wordOf(strings.Fields(kind))
		if err != nil {
			return nil, fmt.Errorf("read word list: %q: %w", line, err)
		}
		for text := range strings.SplitSeq(rest, ",") {
			if err := x.add(strings.TrimSpace(text), w); err != nil {
				return nil, fmt.Errorf("read word list: %q: %w", line, err)
			}
		}
	}
	return x, nil
}

// wordOf gives what the words of a line are.
func (x *lexicon) wordOf(kind []string) (w word, err error) {
	switch kind[0] {
	case "is":
		return word{role: roleDrop, is: true}, nil
	case "to":
		return word{role: roleMark, to: true}, nil
	}
	w.role = roleNames[kind[0]]
	last := kind[len(kind)-1]
	switch w.role {
	case roleNone:
		return w, fmt.Errorf("no such kind")
	case roleDay, roleNum, roleTimes:
		w.number, err = strconv.ParseInt(last, 10, 64)
	case rolePart:
		w.number = int64(partOf[last])
	case roleUnit:
		w.unit = hashID("unit " + last)
	case roleConcept:
		w.id = conceptID(strings.Join(kind[1:], " "))
		w.single, w.direct = kind[0] == "one" || kind[0] == "has", kind[0] == "has"
		w.many = kind[0] == "many"
		if w.many || kind[0] == "pick" {
			if x.choices[kind[1]] == 0 {
				x.choices[kind[1]] = uint8(len(x.choices) + 1)
			}
			w.choice = x.choices[kind[1]]
		}
		w.tells = kind[0] != "bound" && (w.choice == 0 || kind[1] == "via")
	}
	return w, err
}

// add puts a word into the tree. One that is there already keeps what it is, and
// may besides stand between a thing and what it is, or be a unit.
func (x *lexicon) add(text string, w word) error {
	var s scanner
	s.scan(text)
	if len(s.atoms) == 0 {
		return fmt.Errorf("%q is no word", text)
	}
	node := uint32(0)
	for _, a := range s.atoms {
		name := stem(a.text)
		n := x.atoms[name]
		if n == 0 {
			n = uint32(len(x.atoms) + 1)
			x.atoms[name] = n
			if r := []rune(name); len(r) == 1 && r[0] >= firstHan && r[0] <= lastHan {
				x.han[r[0]-firstHan] = n
			}
		}
		to := x.next.to(node, n)
		if to == 0 {
			to = uint32(len(x.words))
			x.words = append(x.words, word{})
			x.next.add(node, n, to)
		}
		node = to
	}
	old := &x.words[node]
	if old.role == roleNone {
		*old = w
	}
	old.is, old.to, old.unit = old.is || w.is, old.to || w.to, max(old.unit, w.unit)
	return nil
}

// match gives the longest word that begins at the first of some atoms, and how
// many of them it takes. n is 0 where there is none.
func (x *lexicon) match(atoms []atom) (w word, n int) {
	node := uint32(0)
	for i := range atoms {
		if i > 0 && atoms[i].apart {
			break
		}
		atom := x.number(&atoms[i])
		if atom == 0 {
			break
		}
		if node = x.next.to(node, atom); node == 0 {
			break
		}
		if x.words[node].role != roleNone {
			w, n = x.words[node], i+1
		}
	}
	return w, n
}

// number gives the number of an atom, 0 where no word has it.
func (x *lexicon) number(a *atom) uint32 {
	if !a.known {
		a.known = true
		if a.han != 0 {
			a.number = x.han[a.han-firstHan]
		} else {
			a.number = x.atoms[stem(a.text)]
		}
	}
	return a.number
}

// hashID gives a number for a name: FNV-1a.
func hashID[T string | []byte](name T) uint32 {
	h := uint32(2166136261)
	for i := range len(name) {
		h = (h ^ uint32(name[i])) * 16777619
	}
	return h
}

func conceptID(name string) uint32 { return hashID("= " + name) }

// edges leads from a node and an atom to a node: a hash table, since every atom
// of every statement asks it.
type edges struct {
	keys  []uint64 // 0 where a place is free
	nodes []uint32
	used  int
}

func edgeKey(node, atom uint32) uint64 { return uint64(node)<<32 | uint64(atom) }

func (e *edges) place(key uint64) int {
	at := int(key * 0x9e3779b97f4a7c15 >> 40)
	for {
		at &= len(e.keys) - 1
		if e.keys[at] == key || e.keys[at] == 0 {
			return at
		}
		at++
	}
}

// to gives the node behind an edge, 0 where there is none. Atoms are not 0.
func (e *edges) to(node, atom uint32) uint32 {
	if len(e.keys) == 0 {
		return 0
	}
	return e.nodes[e.place(edgeKey(node, atom))]
}

// add adds an edge that is not there.
func (e *edges) add(node, atom, to uint32) {
	if 3*e.used >= len(e.keys) {
		old := *e
		size := max(1<<10, 2*len(old.keys))
		*e = edges{keys: make([]uint64, size), nodes: make([]uint32, size)}
		for i, key := range old.keys {
			if key != 0 {
				e.set(key, old.nodes[i])
			}
		}
	}
	e.set(edgeKey(node, atom), to)
}

func (e *edges) set(key uint64, node uint32) {
	at := e.place(key)
	e.keys[at], e.nodes[at] = key, node
	e.used++
}
