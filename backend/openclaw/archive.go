package openclaw

import (
	"errors"
	"fmt"
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

var (
	// errArchiveSize says that an archive unpacks to more than is ever read.
	errArchiveSize = errors.New("unpacks to more than Tidemark reads")
	// errArchiveEmpty says that there is not even the frame of an empty file.
	errArchiveEmpty = errors.New("the file is empty")
)

// packed says whether a file is compressed, by its name.
func packed(path string) bool { return strings.HasSuffix(path, ".zst") }

// unpack reads a zstd stream as it goes, up to maxArchive: what it holds is
// never written to disk. The caller closes it.
func unpack(r io.Reader) (*unpacker, error) {
	u := &unpacker{in: counter{r: r}, left: maxArchive}
	d, err := zstd.NewReader(&u.in, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindow), zstd.WithDecoderLowmem(true))
	if err != nil {
		return nil, fmt.Errorf("start unpacking: %w", err)
	}
	u.d = d
	return u, nil
}

// unpacker gives what a zstd stream holds. Bytes before a damage are given
// before the error.
type unpacker struct {
	d    *zstd.Decoder
	in   counter
	left int64
}

// Read implements io.Reader.
func (u *unpacker) Read(p []byte) (int, error) {
	n, err := u.d.Read(p)
	u.left -= int64(n)
	switch {
	case u.left < 0:
		return n + int(max(u.left, -int64(n))), errArchiveSize
	case errors.Is(err, io.EOF) && u.in.n == 0:
		return n, errArchiveEmpty
	}
	return n, err
}

// Close gives the decoder's memory back. It does not close what is read.
func (u *unpacker) Close() error {
	u.d.Close()
	return nil
}

// counter counts what is read through it.
type counter struct {
	r io.Reader
	n int64
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	return n, err
}
