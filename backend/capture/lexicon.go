package capture

import (
	"bufio"
	"fmt"
	"slices"
	"strings"
)

// class is the number of a class of words. A pattern's literal is a class of
// its own.
type class uint16

// sense is what a word means: its class, and the value it has there.
type sense struct {
	class  class
	prefix bool // any ending may follow
	value  string
}

// lexicon holds all words in a trie. It is safe for concurrent use once built.
type lexicon struct {
	names map[string]class
	alias map[string][]string // by word: how people write it in haste
	count int
	// common says of each class how common its words are, roughly.
	common []int
	nodes  []trieNode
	ascii  [128]int32 // children of the root
	han    [lastHan - firstHan + 1]int32
	other  map[rune]int32
}

type trieNode struct {
	edges  []trieEdge // sorted
	senses []sense
	prefix bool // some sense is one
	solid  bool // some sense is of class solid
}

type trieEdge struct {
	r  rune
	to int32
}

func newLexicon() *lexicon {
	return &lexicon{names: map[string]class{}, alias: map[string][]string{}, nodes: make([]trieNode, 1), other: map[rune]int32{}}
}

// open gives the class of that name, a new one where there is none.
func (l *lexicon) open(name string) class {
	if c, ok := l.names[name]; ok {
		return c
	}
	c := class(l.count)
	l.names[name] = c
	l.count++
	l.common = append(l.common, 0)
	return c
}

// literal gives the class of a single word of a pattern.
func (l *lexicon) literal(word string) class {
	word = strings.ReplaceAll(word, "_", " ")
	name := "\"" + word
	if c, ok := l.names[name]; ok {
		return c
	}
	c := l.open(name)
	l.add(word, c)
	return c
}

// read adds the classes of a file of words.
func (l *lexicon) read(file, data string) error {
	if strings.HasPrefix(file, "alias-") {
		return l.readAlias(file, data)
	}
	lines := bufio.NewScanner(strings.NewReader(data))
	current, opened := class(0), false
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(lines.Text())
		if strings.HasPrefix(line, "#") {
			continue
		}
		if strings.HasPrefix(line, "[") {
			name, rest, ok := strings.Cut(line[1:], "]")
			if !ok {
				return fmt.Errorf("read words: %s:%d: a class without ]", file, n)
			}
			current, opened, line = l.open(name), true, rest
		}
		for word := range strings.SplitSeq(line, ",") {
			if word = strings.TrimSpace(word); word == "" {
				continue
			}
			if !opened {
				return fmt.Errorf("read words: %s:%d: a word before the first class", file, n)
			}
			l.add(word, current)
		}
	}
	return lines.Err()
}

// add puts a word, "word=value" or "stem*" into the trie, also as people write
// it in haste.
func (l *lexicon) add(word string, c class) {
	l.put(word, c)
	if plain := bare(word); plain != word {
		l.put(plain, c)
	}
	parts := strings.Split(word, " ")
	for i, part := range parts {
		for _, other := range l.alias[part] {
			parts[i] = other
			l.put(strings.Join(parts, " "), c)
		}
		parts[i] = part
	}
}

// bare gives a word without its apostrophes, itself where it would be another
// word then.
func bare(word string) string {
	for _, another := range []string{"we're", "'ll", "e'd", "'s", "we'd"} {
		if strings.Contains(word, another) && !strings.HasPrefix(word, "it's") && !strings.HasPrefix(word, "that's") && !strings.HasPrefix(word, "there's") && !strings.HasPrefix(word, "he's") && !strings.HasPrefix(word, "she's") {
			return word
		}
	}
	return strings.ReplaceAll(word, "'", "")
}

// readAlias reads lines "written = word".
func (l *lexicon) readAlias(file, data string) error {
	n := 0
	for line := range strings.SplitSeq(data, "\n") {
		n++
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		written, word, ok := strings.Cut(line, " = ")
		if !ok {
			return fmt.Errorf("read words: %s:%d: no \" = \"", file, n)
		}
		l.alias[word] = append(l.alias[word], written)
	}
	return nil
}

// put puts a word, "word=value" or "stem*" into the trie.
func (l *lexicon) put(word string, c class) {
	s := sense{class: c}
	if w, value, ok := strings.Cut(word, "="); ok && w != "" {
		word, s.value = strings.TrimSpace(w), strings.TrimSpace(value)
	}
	if w, ok := strings.CutSuffix(word, "*"); ok && w != "" {
		word, s.prefix = w, true
	}
	at := int32(0)
	for _, r := range word {
		at = l.grow(at, fold(r))
	}
	l.common[c] += commonness(word)
	n := &l.nodes[at]
	if !slices.Contains(n.senses, s) {
		n.senses = append(n.senses, s)
		n.prefix = n.prefix || s.prefix
	}
}

// markSolid notes which nodes are words of a class.
func (l *lexicon) markSolid(c class) {
	for i := range l.nodes {
		n := &l.nodes[i]
		n.solid = slices.ContainsFunc(n.senses, func(s sense) bool { return s.class == c })
	}
}

// commonness guesses from its length how often a word stands in a text.
func commonness(word string) int {
	n, han := 0, false
	for _, r := range word {
		n++
		han = han || isHan(r)
	}
	switch {
	case han && n == 1:
		return 60
	case han && n == 2, !han && n <= 2:
		return 12
	case !han && n == 3:
		return 6
	}
	return 1
}

// grow gives the child of a node, a new one where there is none.
func (l *lexicon) grow(at int32, r rune) int32 {
	if to := l.child(at, r); to > 0 {
		return to
	}
	to := int32(len(l.nodes))
	l.nodes = append(l.nodes, trieNode{})
	switch {
	case at > 0:
		n := &l.nodes[at]
		i, _ := slices.BinarySearchFunc(n.edges, r, func(e trieEdge, r rune) int { return int(e.r - r) })
		n.edges = slices.Insert(n.edges, i, trieEdge{r, to})
	case r < 128:
		l.ascii[r] = to
	case r >= firstHan && r <= lastHan:
		l.han[r-firstHan] = to
	default:
		l.other[r] = to
	}
	return to
}

// child gives the child of a node, 0 where there is none.
func (l *lexicon) child(at int32, r rune) int32 {
	if at == 0 {
		if r >= 0 && r < 128 {
			return l.ascii[r]
		}
		if r >= firstHan && r <= lastHan {
			return l.han[r-firstHan]
		}
		return l.other[r]
	}
	edges := l.nodes[at].edges
	if len(edges) <= 8 {
		for i := range edges {
			if edges[i].r == r {
				return edges[i].to
			}
		}
		return 0
	}
	low, high := 0, len(edges)
	for low < high {
		if mid := (low + high) / 2; edges[mid].r < r {
			low = mid + 1
		} else {
			high = mid
		}
	}
	if low < len(edges) && edges[low].r == r {
		return edges[low].to
	}
	return 0
}
