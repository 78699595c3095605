package index

import (
	"sync"

	"github.com/klauspost/compress/zstd"
)

// decoder gives the one decoder of the process; DecodeAll may be called by
// several goroutines at once.
var decoder = sync.OnceValues(func() (*zstd.Decoder, error) {
	return zstd.NewReader(nil, zstd.WithDecoderConcurrency(2), zstd.WithDecoderMaxMemory(64<<20))
})

// encoder gives the one encoder of the process, likewise.
var encoder = sync.OnceValues(func() (*zstd.Encoder, error) {
	return zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1), zstd.WithEncoderCRC(false))
})
