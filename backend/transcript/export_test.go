package transcript

// Position gives where the decoder stopped, for tests of its bounds.
func (d *Decoder) Position() int { return d.cur.i }

// CutRaw, MaxDepth and HeadText are internal; the tests of their limits need
// them.
func CutRaw(raw []byte, n int) []byte { return cutRaw(raw, n) }

const (
	MaxDepth = maxDepth
	HeadText = headText
	FullText = fullText
)
