package capture

import (
	"bufio"
	"embed"
	"fmt"
	"io/fs"
	"strconv"
	"strings"
	"sync"

	"tidemark/backend/memory"
)

//go:embed words/*.txt rules/*.txt
var files embed.FS

// loaded gives the rules that are built in. They are read once; a mistake in
// their files is a mistake of the program.
var loaded = sync.OnceValue(func() *ruleSet {
	set, err := load(files)
	if err != nil {
		panic(err)
	}
	return set
})

// load reads the folders words and rules.
func load(from fs.FS) (*ruleSet, error) {
	set := &ruleSet{lexicon: newLexicon()}
	set.known = set.lexicon.reserve()
	if err := eachFile(from, "words", set.lexicon.read); err != nil {
		return nil, err
	}
	if err := eachFile(from, "rules", set.read); err != nil {
		return nil, err
	}
	set.index()
	set.lexicon.markSolid(set.known.solid)
	return set, nil
}

func eachFile(from fs.FS, folder string, read func(name, data string) error) error {
	list, err := fs.ReadDir(from, folder)
	if err != nil {
		return fmt.Errorf("read rules of capture: %w", err)
	}
	for _, entry := range list {
		data, err := fs.ReadFile(from, folder+"/"+entry.Name())
		if err != nil {
			return fmt.Errorf("read rules of capture: %w", err)
		}
		if err := read(entry.Name(), string(data)); err != nil {
			return err
		}
	}
	return nil
}

// read adds the rules of a file.
func (s *ruleSet) read(file, data string) error {
	language, _, _ := strings.Cut(strings.TrimSuffix(file, ".txt"), "-")
	lines := bufio.NewScanner(strings.NewReader(data))
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" || line[0] == '#' {
			continue
		}
		if err := s.readLine(line, language); err != nil {
			return fmt.Errorf("read rules: %s:%d: %w", file, n, err)
		}
	}
	return lines.Err()
}

func (s *ruleSet) readLine(line, language string) error {
	word, rest, _ := strings.Cut(line, " ")
	rest = strings.TrimSpace(rest)
	if word == "rule" || word == "guard" {
		r, err := readHead(word, rest)
		r.language, r.script = language, scripts[language]
		s.rules = append(s.rules, r)
		return err
	}
	if len(s.rules) == 0 {
		return fmt.Errorf("%q before the first rule", word)
	}
	r := &s.rules[len(s.rules)-1]
	switch word {
	case "match":
		p, err := compile(rest, s.classOf)
		if err != nil {
			return fmt.Errorf("pattern of %s: %w", r.name, err)
		}
		p.owner = len(s.rules) - 1
		s.patterns = append(s.patterns, p)
	case "unless", "needs":
		var list []class
		for name := range strings.SplitSeq(rest, "|") {
			c, err := s.classOf(name)
			if err != nil {
				return err
			}
			list = append(list, c)
		}
		if word == "needs" {
			r.needs = append(r.needs, list)
		} else {
			r.unless = append(r.unless, list...)
			r.stops = bitsOf(r.unless)
		}
	case "fires:", "stops:":
		r.fires = append(r.fires, unescape(rest))
	case "not:", "lets:":
		r.not = append(r.not, unescape(rest))
	default:
		return fmt.Errorf("%q says nothing", word)
	}
	return nil
}

// unescape lets an example hold line breaks.
func unescape(example string) string { return strings.ReplaceAll(example, `\n`, "\n") }

// readHead reads what stands behind "rule" or "guard".
func readHead(kind, rest string) (r rule, err error) {
	fields := strings.Fields(rest)
	if len(fields) < 2 {
		return r, fmt.Errorf("%s without a name and what it is", kind)
	}
	r.name, r.tags = fields[0], everyTag
	var ok bool
	if kind == "rule" {
		r.tag, ok = memory.TagOf(fields[1])
	} else {
		r.scope, ok = scopes[fields[1]]
	}
	if !ok {
		return r, fmt.Errorf("%s %s: %q is not known", kind, r.name, fields[1])
	}
	r.weight, r.while = weights[r.tag], r.tag != detail
	for _, f := range fields[2:] {
		if err := r.option(f); err != nil {
			return r, fmt.Errorf("%s %s: %w", kind, r.name, err)
		}
	}
	return r, nil
}

func (r *rule) option(field string) error {
	name, value, _ := strings.Cut(field, "=")
	switch {
	case name == "weight":
		n, err := strconv.Atoi(value)
		if err != nil {
			return fmt.Errorf("weight: %w", err)
		}
		r.weight = n
	case field == "span=match":
		r.match = true
	case field == "join=none":
		r.alone = true
	case field == "ask=yes":
		r.ask = true
	case field == "once=yes":
		r.once = true
	case field == "order=yes":
		r.order = true
	case field == "own=yes":
		r.own = true
	case field == "while=yes":
		r.while = true
	case name == "tags":
		r.tags = 0
		for _, letter := range value {
			t, ok := memory.TagOf(string(letter))
			if !ok {
				return fmt.Errorf("tags: %q is none", letter)
			}
			r.tags |= 1 << t
		}
	default:
		return fmt.Errorf("option %q is not known", field)
	}
	return nil
}

// classOf gives the class of a word of a pattern.
func (s *ruleSet) classOf(word string) (class, error) {
	if word == "" {
		return 0, fmt.Errorf("an empty word")
	}
	name, ok := strings.CutPrefix(word, "@")
	if !ok {
		return s.lexicon.literal(word), nil
	}
	c, ok := s.lexicon.names[name]
	if !ok {
		return 0, fmt.Errorf("no class %q", name)
	}
	return c, nil
}

// index picks for each pattern the element whose words are the rarest.
func (s *ruleSet) index() {
	s.triggers = make([][]int32, s.lexicon.count)
	for i := range s.patterns {
		p := &s.patterns[i]
		for e := range p.elements {
			el := &p.elements[e]
			el.bits = s.bitsOf(el.classes)
			for _, c := range el.classes {
				el.sum.add(c)
			}
			if el.number || el.name || el.plural || el.suffixes != nil {
				el.sum = everything
			}
		}
		best := -1
		for _, alternatives := range p.needed {
			sum := 0
			for _, c := range alternatives {
				sum += s.lexicon.common[c]
			}
			if best < 0 || sum < best {
				best, p.anchor = sum, alternatives
			}
		}
		for _, c := range p.anchor {
			s.triggers[c] = append(s.triggers[c], int32(i))
		}
	}
}

// bitsOf gives classes as a set.
func (s *ruleSet) bitsOf(classes []class) []uint64 {
	if len(classes) == 0 {
		return nil
	}
	bits := make([]uint64, (s.lexicon.count+63)/64)
	for _, c := range classes {
		bits[c/64] |= 1 << (c % 64)
	}
	return bits
}
