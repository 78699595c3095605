package openclaw

// tailSum is a checksum of the last bytes that were read.
type tailSum struct {
	last []byte
}

// tailBytes is how much of what stands before a checkpoint is compared: a
// rewritten transcript differs in ids and times within any stretch this long.
const tailBytes = 1024

func (t *tailSum) add(b []byte) {
	if len(b) >= tailBytes {
		t.last = append(t.last[:0], b[len(b)-tailBytes:]...)
		return
	}
	if over := len(t.last) + len(b) - tailBytes; over > 0 {
		t.last = append(t.last[:0], t.last[over:]...)
	}
	t.last = append(t.last, b...)
}

// with gives the FNV-1a checksum of the last bytes once more were added; never 0.
func (t *tailSum) with(more []byte) uint64 {
	last := tailSum{last: append([]byte(nil), t.last...)}
	last.add(more)
	return fnv(last.last) | 1
}

// fnv is the FNV-1a checksum of 64 bits: the same in every run, unlike the
// hashes of maps.
func fnv(b []byte) uint64 {
	h := uint64(14695981039346656037)
	for _, c := range b {
		h = (h ^ uint64(c)) * 1099511628211
	}
	return h
}
