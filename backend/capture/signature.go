package capture

import "math"

// signature tells quickly that a set of classes has nothing in common with
// another: two bits for each class. That they meet may be chance.
type signature struct{ low, high uint64 }

// everything meets any signature but the empty one.
var everything = signature{math.MaxUint64, math.MaxUint64}

func (s *signature) add(c class) {
	s.low |= 1 << (c % 64)
	s.high |= 1 << (c * 40503 >> 10) // a multiplicative hash: its six upper bits
}

func (s signature) meets(o signature) bool { return s.low&o.low != 0 && s.high&o.high != 0 }
