package openclaw

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"tidemark/backend/memory"
	"tidemark/backend/transcript"
)

// frame compresses text as OpenClaw does: level 1, with a checksum.
func frame(t testing.TB, text string) string {
	t.Helper()
	var b bytes.Buffer
	w, err := zstd.NewWriter(&b, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderCRC(true), zstd.WithEncoderConcurrency(1))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(w, text); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// noise gives n bytes in hex that do not compress well, so that a frame is long.
func noise(t testing.TB, n int) string {
	t.Helper()
	b := make([]byte, n/2)
	if _, err := rand.Read(b); err != nil {
		t.Fatal(err)
	}
	return hex.EncodeToString(b)
}

// One message reads the same under every name that an archive has.
func TestArchivesUnderEveryName(t *testing.T) {
	content := headerLine("s") + userLine("u1", "kept for years")
	for _, c := range []struct {
		name string
		kind memory.SourceKind
	}{
		{"s.jsonl.zst", memory.SourcePacked},
		{"s.jsonl.deleted.2026-02-24T10-11-12.345Z.zst", memory.SourceDeleted},
		{"s.jsonl.deleted.2026-02-24T10-11-12.345Z.8f3a01.zst", memory.SourceDeleted},
		{"s.jsonl.reset.2026-02-24T10-11-12.345Z.zst", memory.SourceReset},
		{"s.jsonl.reset.2026-02-24T10-11-12.345Z.8f3a01.zst", memory.SourceReset},
	} {
		path := put(t, filepath.Join(t.TempDir(), c.name), frame(t, content))
		g := readAll(t, path)
		wantList(t, c.name, g.list(), []string{"s/", "s/u1"})
		wantList(t, c.name, g.codes(), nil)
		if g.entries[1].at.Kind != c.kind || g.entries[1].ev.Message.Text != "kept for years" || g.entries[1].at.Line != 2 {
			t.Errorf("%s: %+v", c.name, g.entries[1])
		}
		if cp := g.last(); cp.Offset != 0 || cp.Stamp.Size == 0 || cp.Session != "s" {
			t.Errorf("%s: checkpoint %+v names a place in the file", c.name, cp)
		}
	}
}

func TestArchiveOfTheCommandLineTool(t *testing.T) {
	tool, err := exec.LookPath("zstd")
	if err != nil {
		t.Skip("skipped: no zstd command here")
	}
	var content strings.Builder
	content.WriteString(headerLine("s"))
	for range 500 {
		content.WriteString(userLine("u", noise(t, 2000)))
	}
	for _, args := range [][]string{{"-1"}, {"-19"}, {"--no-check", "-3"}, {"--ultra", "-22", "--long=26"}} {
		cmd := exec.Command(tool, append(args, "-q", "-c")...)
		cmd.Stdin = strings.NewReader(content.String())
		out, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		g := readAll(t, put(t, filepath.Join(t.TempDir(), "s.jsonl.zst"), string(out)))
		if len(g.entries) != 501 || len(g.problems) > 0 {
			t.Errorf("%v: %d entries, %v", args, len(g.entries), g.problems)
		}
	}
}

func TestDamagedArchives(t *testing.T) {
	var content strings.Builder
	content.WriteString(headerLine("s"))
	for range 400 {
		content.WriteString(userLine("u", noise(t, 4000)))
	}
	whole := frame(t, content.String())
	second := frame(t, userLine("v", "behind it"))
	flipped := []byte(whole)
	flipped[len(flipped)/2] ^= 0xff
	for _, c := range []struct {
		name, content string
		least, most   int // entries
		problems      []string
	}{
		{"whole", whole, 401, 401, nil},
		{"two frames", whole + second, 402, 402, nil},
		{"a line across two frames", frame(t, content.String()+userLine("v", "x")[:30]) + frame(t, userLine("v", "x")[30:]), 402, 402, nil},
		{"frame of nothing", frame(t, ""), 0, 0, nil},
		{"cut in the middle", whole[:len(whole)/2], 100, 250, []string{"bad-archive@0"}},
		{"cut before the checksum", whole[:len(whole)-2], 350, 401, []string{"bad-archive@0"}},
		{"cut in the second frame", whole + second[:len(second)-3], 401, 402, []string{"bad-archive@0"}},
		{"cut to its first bytes", whole[:5], 0, 0, []string{"bad-archive@0"}},
		{"empty", "", 0, 0, []string{"bad-archive@0"}},
		{"a byte flipped", string(flipped), 1, 400, []string{"bad-archive@0"}},
		{"garbage behind it", whole + "garbage", 401, 401, []string{"bad-archive@0"}},
		{"not compressed", content.String(), 0, 0, []string{"bad-archive@0"}},
		{"zeros", strings.Repeat("\x00", 5000), 0, 0, []string{"bad-archive@0"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := readAll(t, put(t, filepath.Join(t.TempDir(), "s.jsonl.reset.2026-02-24T10-11-12.345Z.zst"), c.content))
			if n := len(g.entries); n < c.least || n > c.most {
				t.Errorf("%d entries, want %d to %d", n, c.least, c.most)
			}
			// What stands behind a damage may be half a line.
			codes := slices.DeleteFunc(g.codes(), func(code string) bool { return strings.HasPrefix(code, "bad-line") && c.problems != nil })
			wantList(t, "problems", codes, c.problems)
			if g.last().Stamp == (memory.Stamp{}) {
				t.Error("a damaged archive is read again at every look")
			}
		})
	}
}

// bomb gives a frame of n zeros.
func bomb(t testing.TB, n int64) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := zstd.NewWriter(&b, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(w, io.LimitReader(zeros{}, n)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

type zeros struct{}

func (zeros) Read(b []byte) (int, error) {
	clear(b)
	return len(b), nil
}

func TestArchiveBombIsBounded(t *testing.T) {
	if testing.Short() || underRace {
		t.Skip("skipped: unpacks 600 MB")
	}
	packed := bomb(t, 600<<20)
	if len(packed) > 1<<20 {
		t.Fatalf("the bomb has %d bytes", len(packed))
	}
	z, err := unpack(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	peak := watchHeap(z)
	r := reading{ctx: context.Background(), src: memory.Source{Kind: memory.SourcePacked, Path: "s.jsonl.zst", Base: "s.jsonl"}, sink: new(counting), dec: transcript.Decoder{}, packed: true}
	if err := r.from(peak, memory.Checkpoint{}, nil); err != nil {
		t.Fatal(err)
	}
	if peak.max > 100<<20 {
		t.Errorf("heap reached %d MB", peak.max>>20)
	}
}

// An archive that unpacks to more than is ever read ends with a problem; what
// came before counts.
func TestArchiveBeyondTheLimit(t *testing.T) {
	z, err := unpack(strings.NewReader(frame(t, headerLine("s")+userLine("u1", "x")+userLine("u2", noise(t, 4000))+userLine("u3", "y"))))
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	z.left = 1000
	g := new(gathered)
	r := reading{ctx: context.Background(), src: memory.Source{Kind: memory.SourcePacked, Path: "s.jsonl.zst", Base: "s.jsonl"}, sink: g, packed: true}
	if err := r.from(z, memory.Checkpoint{}, nil); err != nil {
		t.Fatal(err)
	}
	wantList(t, "entries", g.list(), []string{"s/", "s/u1"})
	wantList(t, "problems", g.codes(), []string{"bad-archive@0"})
	if !strings.Contains(g.problems[0].Message, "more than") {
		t.Errorf("problem %q", g.problems[0].Message)
	}
}

// A frame may ask for a window that a laptop has no memory for.
func TestArchiveWithAHugeWindow(t *testing.T) {
	// Magic, descriptor without content size, window descriptor of 2^41 bytes.
	path := put(t, filepath.Join(t.TempDir(), "s.jsonl.zst"), zstdMagic+"\x00\xf8\x01\x00\x00")
	wantList(t, "problems", readAll(t, path).codes(), []string{"bad-archive@0"})
}

func TestArchiveReadingEndsWithItsContext(t *testing.T) {
	path := put(t, filepath.Join(t.TempDir(), "s.jsonl.zst"), frame(t, headerLine("s")+userLine("u", "x")))
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	g := new(gathered)
	if err := Read(ctx, sourceOf(t, path), memory.Checkpoint{}, Options{}, g); !errors.Is(err, context.Canceled) || len(g.problems) > 0 || len(g.commits) > 0 {
		t.Errorf("error %v, problems %v, %d commits", err, g.problems, len(g.commits))
	}
}

// What an archive holds is never written to disk, nowhere that this process
// could write.
func TestArchiveLeavesNoPlaintext(t *testing.T) {
	secret := "only-in-the-archive-" + noise(t, 20)
	dir, home, temp := t.TempDir(), t.TempDir(), t.TempDir()
	for _, name := range []string{"HOME", "USERPROFILE", "XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"} {
		t.Setenv(name, home)
	}
	for _, name := range []string{"TMPDIR", "TMP", "TEMP", "SQLITE_TMPDIR"} {
		t.Setenv(name, temp)
	}
	t.Chdir(t.TempDir())
	content := headerLine("s") + userLine("u1", secret) + userLine("big", strings.Repeat(secret, 200_000))
	path := put(t, filepath.Join(dir, "s.jsonl.zst"), frame(t, content))
	db := buildDB(t, filepath.Join(dir, "agent.sqlite"), 23)
	db.zstd("s", userLine("z1", secret+strings.Repeat(" and more", 200)))
	db.archive("old", "g", "zstd", "old.jsonl.deleted.2026-02-24T10-11-12.345Z.zst", frame(t, content))
	db.close()
	before := entriesBelow(t, dir)
	g := readAll(t, path)
	d := readAll(t, db.path)
	if len(g.entries) != 3 || len(d.entries) != 4 || !strings.Contains(g.entries[1].ev.Message.Text, secret) {
		t.Fatalf("read %q and %q", g.list(), d.list())
	}
	if after := entriesBelow(t, dir); !slices.Equal(before, after) {
		t.Errorf("beside the archive: %q", after)
	}
	cwd, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for _, root := range []string{home, temp, cwd} {
		if found := entriesBelow(t, root); len(found) != 1 {
			t.Errorf("left behind: %q", found)
		}
	}
	for _, left := range entriesBelow(t, dir) {
		if b, err := os.ReadFile(left); err == nil && bytes.Contains(b, []byte(secret)) {
			t.Errorf("%s holds the text in the clear", left)
		}
	}
}
