package transcript

import (
	"math"

	"tidemark/backend/memory"
)

// maxTokens bounds a token count: above it the number is damage. A year of
// the busiest agent stays a thousand times below.
const maxTokens = 1e13

// tally gathers the fields of a usage object before they are judged.
type tally struct {
	input, output, read, write   number
	prompt, cached               number // OpenAI's own names: prompt includes cached
	hour, total                  number
	cost                         number
	costParts                    [4]number
	hasCost, hasParts, costShape bool
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
	t := tally{}
	t.reset()
	if err := c.fields(2, func(key []byte) error { return t.field(c, key) }); err != nil {
		return memory.Usage{}, err
	}
	return t.usage(), nil
}

func (t *tally) reset() {
	none := number{absent: true}
	t.input, t.output, t.read, t.write, t.prompt, t.cached, t.hour, t.total, t.cost = none, none, none, none, none, none, none, none, none
	t.costParts = [4]number{none, none, none, none}
}

func (t *tally) field(c *cursor, key []byte) (err error) {
	switch string(key) {
	case "input", "inputTokens", "input_tokens":
		t.input, err = c.number()
	case "promptTokens", "prompt_tokens":
		t.prompt, err = c.number()
	case "output", "outputTokens", "output_tokens", "completionTokens", "completion_tokens":
		t.output, err = c.number()
	case "cacheRead", "cache_read", "cacheReadTokens", "cache_read_input_tokens", "cached_tokens":
		t.read, err = c.number()
	case "cacheWrite", "cache_write", "cacheWriteTokens", "cache_creation_input_tokens":
		t.write, err = c.number()
	case "cacheWrite1h":
		t.hour, err = c.number()
	case "total", "totalTokens", "total_tokens":
		t.total, err = c.number()
	case "cost":
		err = t.costField(c)
	case "prompt_tokens_details", "promptTokensDetails", "cache_creation":
		err = t.details(c)
	default:
		err = c.skip()
	}
	return err
}

// details reads the nested objects in which some providers split a count.
func (t *tally) details(c *cursor) error {
	if c.space() != '{' {
		return c.skip()
	}
	return c.fields(3, func(key []byte) (err error) {
		switch string(key) {
		case "cached_tokens", "cachedTokens":
			t.cached, err = c.number()
		case "ephemeral_1h_input_tokens":
			t.hour, err = c.number()
		default:
			err = c.skip()
		}
		return err
	})
}

// costField reads the recorded cost: an object with parts and a total, or a
// bare number of dollars.
func (t *tally) costField(c *cursor) (err error) {
	if c.space() != '{' {
		t.hasCost = true
		t.cost, err = c.number()
		return err
	}
	return c.fields(3, func(key []byte) (err error) {
		switch string(key) {
		case "total":
			t.hasCost = true
			t.cost, err = c.number()
		case "input":
			t.costParts[0], err = c.number()
		case "output":
			t.costParts[1], err = c.number()
		case "cacheRead":
			t.costParts[2], err = c.number()
		case "cacheWrite":
			t.costParts[3], err = c.number()
		default:
			err = c.skip()
		}
		return err
	})
}

func (t *tally) usage() memory.Usage {
	if t.input.absent && !t.prompt.absent {
		t.input = t.prompt
		if !t.cached.absent && t.read.absent {
			t.read = t.cached
			if t.input.v >= t.cached.v {
				t.input.v -= t.cached.v
			}
		}
	} else if t.read.absent {
		t.read = t.cached
	}
	u := memory.Usage{Present: true}
	null := false
	count := func(n number) int64 {
		v, ok := n.tokens()
		u.Invalid = u.Invalid || !ok
		null = null || n.null
		return v
	}
	u.Input, u.Output, u.CacheRead, u.CacheWrite = count(t.input), count(t.output), count(t.read), count(t.write)
	u.CacheWrite1h = min(count(t.hour), u.CacheWrite)
	if v, ok := t.total.tokens(); !ok || v < 0 {
		u.Invalid = true
	}
	t.dollars(&u)
	if null && !(u.HasCost && u.Cost > 0) {
		u.Invalid = true
	}
	return u
}

// dollars judges the recorded cost.
func (t *tally) dollars(u *memory.Usage) {
	cost := t.cost
	if !t.hasCost {
		sum, any := 0.0, false
		for _, p := range t.costParts {
			if p.absent {
				continue
			}
			if p.bad || p.null || p.v < 0 {
				u.Invalid = true
				return
			}
			sum, any = sum+p.v, true
		}
		if !any {
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
