package openclaw

import (
	"errors"
	"io"
	"strings"

	"github.com/klauspost/compress/zstd"
)

const (
	// maxWindow bounds the memory that a frame can ask for; OpenClaw writes
	// level 1, whose window is 512 KiB.
	maxWindow = 64 << 20
	// maxArchive bounds what an archive may unpack to: 16 times the largest
	// session seen. A frame of zeros must not keep a core busy for ever.
	maxArchive = 8 << 30
)

// errArchiveSize says that an archive unpacks to more than maxArchive.
var errArchiveSize = errors.New("unpacks to more than 8 GiB")

// packed says whether a file is compressed, by its name.
func packed(path string) bool { return strings.HasSuffix(path, ".zst") }

// unpack reads a zstd stream as it goes: what it holds is never written to
// disk. The caller closes it.
func unpack(r io.Reader) (io.ReadCloser, error) {
	d, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindow), zstd.WithDecoderLowmem(true))
	if err != nil {
		return nil, err
	}
	return &unpacker{d: d}, nil
}

type unpacker struct {
	d    *zstd.Decoder
	seen int64
}

func (u *unpacker) Read(p []byte) (int, error) {
	n, err := u.d.Read(p)
	u.seen += int64(n)
	if u.seen > maxArchive {
		return n, errArchiveSize
	}
	return n, err
}

func (u *unpacker) Close() error {
	u.d.Close()
	return nil
}
