package transcript

import (
	"math"

	"tidemark/backend/memory"
)

// maxTokens bounds a token count: above it the number is damage. A year of
// the busiest agent stays a thousand times below.
const maxTokens = 1e13

// slot holds a value that providers spell in several ways. Where a record has
// several spellings the one of the lowest rank counts, as in OpenClaw.
type slot struct {
	number
	rank int8
}

func (s *slot) put(rank int8, n number) {
	if s.absent || s.null || rank <= s.rank && !n.null {
		s.number, s.rank = n, rank
	}
}

// Ranks from which on a spelling means a count that the input includes.
const (
	cliRead     = 4 // cached tokens of command line backends
	openAIRead  = 6 // cached tokens of OpenAI's own spellings
	openAIWrite = 4 // tokens written to the cache, in the same spellings
)

// tally gathers the fields of a usage object before they are judged.
type tally struct {
	input, output, read, write, total slot
	hour, short                       slot // tokens written to a cache for an hour, for five minutes
	cost                              number
	costParts                         [4]number
	hasCost                           bool
}

// usage reads a usage object. The spellings are those that OpenClaw's own
// reader tolerates. A field that is negative or not a number reads as zero and
// makes the call's cost unknown; so does a null in the place of a count where
// no cost was recorded, since NaN is serialised as null.
func (d *Decoder) usage() (memory.Usage, error) {
	c := &d.cur
	if c.space() != '{' {
		return memory.Usage{}, c.skip()
	}
	var t tally
	t.reset()
	if err := c.fields(2, func(key []byte) error { return t.field(c, key) }); err != nil {
		return memory.Usage{}, err
	}
	return t.usage(), nil
}

func (t *tally) reset() {
	none := number{absent: true}
	empty := slot{number: none}
	t.input, t.output, t.read, t.write, t.total, t.hour, t.short = empty, empty, empty, empty, empty, empty, empty
	t.cost = none
	t.costParts = [4]number{none, none, none, none}
}

func (t *tally) field(c *cursor, key []byte) error {
	switch string(key) {
	case "input":
		return c.put(&t.input, 0)
	case "output":
		return c.put(&t.output, 0)
	case "cacheRead":
		return c.put(&t.read, 0)
	case "cacheWrite":
		return c.put(&t.write, 0)
	case "totalTokens":
		return c.put(&t.total, 1)
	case "cost":
		return t.costField(c)
	case "cacheWrite1h":
		return c.put(&t.hour, 0)
	case "prompt_tokens_details", "promptTokensDetails":
		return t.details(c, openAIRead+2)
	case "input_tokens_details", "inputTokensDetails":
		return t.details(c, openAIRead+1)
	case "cache_creation":
		return t.creation(c)
	}
	return t.foreignField(c, key)
}

// foreignField reads the spellings of providers.
func (t *tally) foreignField(c *cursor, key []byte) error {
	switch string(key) {
	case "inputTokens":
		return c.put(&t.input, 1)
	case "input_tokens":
		return c.put(&t.input, 2)
	case "promptTokens":
		return c.put(&t.input, 3)
	case "prompt_tokens":
		return c.put(&t.input, 4)
	case "prompt_n":
		return c.put(&t.input, 5)
	case "outputTokens":
		return c.put(&t.output, 1)
	case "output_tokens":
		return c.put(&t.output, 2)
	case "completionTokens":
		return c.put(&t.output, 3)
	case "completion_tokens":
		return c.put(&t.output, 4)
	case "predicted_n":
		return c.put(&t.output, 5)
	case "cache_read":
		return c.put(&t.read, 1)
	case "cacheReadTokens", "cacheReadInputTokens":
		return c.put(&t.read, 2)
	case "cache_read_input_tokens":
		return c.put(&t.read, 3)
	case "cached_input_tokens":
		return c.put(&t.read, cliRead)
	case "cached":
		return c.put(&t.read, cliRead+1)
	case "cached_tokens":
		return c.put(&t.read, openAIRead)
	case "cache_write":
		return c.put(&t.write, 1)
	case "cacheWriteTokens", "cacheWriteInputTokens":
		return c.put(&t.write, 2)
	case "cache_creation_input_tokens":
		return c.put(&t.write, 3)
	case "cache_write_input_tokens":
		return c.put(&t.write, openAIWrite)
	case "total":
		return c.put(&t.total, 0)
	case "total_tokens":
		return c.put(&t.total, 2)
	default:
		return c.skip()
	}
}

// put reads the number at the cursor as a spelling of that rank.
func (c *cursor) put(s *slot, rank int8) error {
	n, err := c.number()
	s.put(rank, n)
	return err
}

func (c *cursor) numberInto(at *number) (err error) {
	*at, err = c.number()
	return err
}

// details reads the nested object in which OpenAI's spellings say how much of
// the prompt was cached.
func (t *tally) details(c *cursor, rank int8) error {
	if c.space() != '{' {
		return c.skip()
	}
	return c.fields(3, func(key []byte) error {
		switch string(key) {
		case "cached_tokens", "cachedTokens":
			return c.put(&t.read, rank)
		case "cache_write_tokens":
			return c.put(&t.write, rank-openAIRead+openAIWrite)
		case "cache_creation_input_tokens":
			return c.put(&t.write, rank-openAIRead+openAIWrite+2)
		default:
			return c.skip()
		}
	})
}

// creation reads the nested object in which Anthropic says for how long tokens
// were written to the cache.
func (t *tally) creation(c *cursor) error {
	if c.space() != '{' {
		return c.skip()
	}
	return c.fields(3, func(key []byte) error {
		switch string(key) {
		case "ephemeral_1h_input_tokens":
			return c.put(&t.hour, 1)
		case "ephemeral_5m_input_tokens":
			return c.put(&t.short, 1)
		default:
			return c.skip()
		}
	})
}

// costField reads the recorded cost: an object with parts and a total, or a
// bare number of dollars.
func (t *tally) costField(c *cursor) error {
	if c.space() != '{' {
		t.hasCost = true
		return c.numberInto(&t.cost)
	}
	return c.fields(3, func(key []byte) error {
		switch string(key) {
		case "total":
			t.hasCost = true
			return c.numberInto(&t.cost)
		case "input":
			return c.numberInto(&t.costParts[0])
		case "output":
			return c.numberInto(&t.costParts[1])
		case "cacheRead":
			return c.numberInto(&t.costParts[2])
		case "cacheWrite":
			return c.numberInto(&t.costParts[3])
		default:
			return c.skip()
		}
	})
}

// usage judges what was gathered.
func (t *tally) usage() memory.Usage {
	t.split()
	u := memory.Usage{Present: true}
	null := false
	count := func(n number) int64 {
		v, ok := n.tokens()
		u.Invalid = u.Invalid || !ok
		null = null || n.null
		return v
	}
	u.Input, u.Output, u.CacheRead, u.CacheWrite = count(t.input.number), count(t.output.number), count(t.read.number), count(t.write.number)
	hour, short := count(t.hour.number), count(t.short.number)
	if t.write.absent {
		u.CacheWrite = hour + short
	}
	u.CacheWrite1h = min(hour, u.CacheWrite)
	if _, ok := t.total.tokens(); !ok {
		u.Invalid = true
	}
	t.dollars(&u)
	if null && !(u.HasCost && u.Cost > 0) {
		u.Invalid = true
	}
	return u
}

// split takes cached tokens out of an input that includes them.
func (t *tally) split() {
	if !t.input.good() {
		return
	}
	direct := t.input.rank == 0
	if t.read.good() && t.input.v >= t.read.v && (t.read.rank >= openAIRead || t.read.rank >= cliRead && !direct) {
		t.input.v -= t.read.v
	}
	if t.write.good() && t.input.v >= t.write.v && t.write.rank >= openAIWrite && !direct {
		t.input.v -= t.write.v
	}
}

// dollars judges the recorded cost. The total counts where there is one, else
// the sum of its parts; a negative part says that neither can be trusted.
func (t *tally) dollars(u *memory.Usage) {
	sum, parts := 0.0, false
	for _, p := range t.costParts {
		if p.absent {
			continue
		}
		if p.bad || p.v < 0 || p.null && !t.hasCost {
			u.Invalid = true
			return
		}
		sum, parts = sum+p.v, true
	}
	cost := t.cost
	if !t.hasCost {
		if !parts {
			return
		}
		cost = number{v: sum}
	}
	m, ok := memory.MoneyOf(cost.v)
	if cost.bad || cost.null || !ok {
		u.Invalid = true
		return
	}
	u.HasCost, u.Cost = true, m
}

// good says that there is a number, and that it is a count.
func (n number) good() bool {
	_, ok := n.tokens()
	return ok && !n.absent && !n.null
}

// tokens gives the count, and ok false where the number is damage. Absent and
// null are no damage: they read as 0.
func (n number) tokens() (int64, bool) {
	switch {
	case n.absent || n.null:
		return 0, true
	case n.bad || n.v < 0 || n.v > maxTokens || math.IsNaN(n.v):
		return 0, false
	default:
		return int64(n.v), true
	}
}
