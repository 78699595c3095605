package index

import (
	"fmt"
	"sync"

	"github.com/klauspost/compress/zstd"
)

// packFrom is the length from which compressing a text is worth a frame's
// overhead.
const packFrom = 400

// decoder gives the one decoder of the process; DecodeAll may be called by
// several goroutines at once.
var decoder = sync.OnceValues(func() (*zstd.Decoder, error) {
	return zstd.NewReader(nil, zstd.WithDecoderConcurrency(2), zstd.WithDecoderMaxMemory(64<<20))
})

// encoder gives the one encoder of the process, likewise. Frames carry a
// checksum, so that damage inside a text is found.
var encoder = sync.OnceValues(func() (*zstd.Encoder, error) {
	return zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1), zstd.WithEncoderCRC(true))
})

// pack gives the form in which a text is stored, and whether it is compressed.
func pack(text string) (stored any, packed bool) {
	if text == "" {
		return nil, false
	}
	if len(text) < packFrom {
		return text, false
	}
	enc, err := encoder()
	if err != nil { // only wrong options fail
		return text, false
	}
	return enc.EncodeAll([]byte(text), nil), true
}

// unpackText is the inverse of pack.
func unpackText(stored []byte, packed bool) (string, error) {
	if !packed {
		return string(stored), nil
	}
	dec, err := decoder()
	if err != nil {
		return "", err
	}
	text, err := dec.DecodeAll(stored, nil)
	if err != nil {
		return "", fmt.Errorf("%w: unpack text: %w", errContent, err)
	}
	return string(text), nil
}
