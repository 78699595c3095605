package ledger

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"tidemark/backend/memory"
)

// badFile is a file of a disk that fails.
type badFile struct {
	file
	room   int   // bytes it takes before it is full, -1: any
	sync   error // what Sync says
	writes *int
}

func (b *badFile) Write(p []byte) (int, error) {
	*b.writes++
	if b.room < 0 || len(p) <= b.room {
		return b.file.Write(p)
	}
	n, err := b.file.Write(p[:b.room])
	if err == nil {
		err = syscall.ENOSPC
	}
	return n, err
}

func (b *badFile) Sync() error {
	if b.sync != nil {
		return b.sync
	}
	return b.file.Sync()
}

// fail makes the files of a ledger fail.
func fail(l *Ledger, room int, sync error) (writes *int) {
	writes = new(int)
	l.open = func(path string) (file, error) {
		f, err := openFile(path)
		return &badFile{f, room, sync, writes}, err
	}
	return writes
}

// TestOneWrite: an append is one write, head and ended line with it.
func TestOneWrite(t *testing.T) {
	l := Open(t.TempDir(), "inst")
	writes := fail(l, -1, nil)
	must(t, l.AppendKept("main", "2026-02-24", everyKind()))
	f, err := os.OpenFile(l.KeptPath("main", "2026-02-24"), os.O_APPEND|os.O_WRONLY, 0)
	must(t, err)
	_, err = f.WriteString("- W ·  te")
	must(t, errors.Join(err, f.Close()))
	must(t, l.AppendKept("main", "2026-02-24", everyKind()))
	must(t, l.AppendSaid("main", "2026-02", hardSaid()))
	if *writes != 3 {
		t.Errorf("%d writes", *writes)
	}
	checkKept(t, l, "main", everyKind())
}

// TestFullDisk: wherever the disk is full, the error says so, what was there
// is there as before, and the next append writes all. Where the part cannot be
// taken back it costs nothing either.
func TestFullDisk(t *testing.T) {
	for _, stuck := range []bool{false, true} {
		want := []memory.KeptLine{plainKept(1), plainKept(2)}
		said := []memory.Said{plainSaid(1), plainSaid(2)}
		for room := 0; ; room += 5 {
			l := Open(t.TempDir(), "inst")
			if stuck {
				l.cut = func(string, int64) error { return syscall.EIO }
			}
			if room%2 == 0 { // else the file is new
				must(t, l.AppendKept("main", "2026-02-24", want[:1]))
				must(t, l.AppendSaid("main", "2026-02", said[:1]))
			}
			kept, _ := os.ReadFile(l.KeptPath("main", "2026-02-24"))
			fail(l, room/2, nil)
			full := l.AppendKept("main", "2026-02-24", want)
			fullToo := l.AppendSaid("main", "2026-02", said)
			if full == nil && fullToo == nil {
				break
			}
			for _, err := range []error{full, fullToo} {
				if err != nil && !errors.Is(err, syscall.ENOSPC) {
					t.Fatalf("the error is %v", err)
				}
			}
			after, _ := os.ReadFile(l.KeptPath("main", "2026-02-24"))
			if full != nil && !stuck && string(after) != string(kept) {
				t.Fatalf("with room for %d there is\n%s", room/2, after)
			}
			l.open = openFile
			if got, err := l.Kept("main"); err != nil || got.Bad != 0 || len(got.Lines) > 2 {
				t.Fatalf("with room for %d: %+v %v", room/2, got, err)
			}
			must(t, l.AppendKept("main", "2026-02-24", want))
			checkKept(t, l, "main", want)
			must(t, l.AppendSaid("main", "2026-02", said[1:]))
			all, bad := allSaid(t, l, "main")
			if bad != 0 || len(all) == 0 || all[len(all)-1] != said[1] || room%2 == 0 && all[0] != said[0] {
				t.Fatalf("with room for %d: %+v, %d bad", room/2, all, bad)
			}
		}
	}
}

// TestTakeBackLeavesOthers: what somebody else wrote meanwhile is not cut off.
func TestTakeBackLeavesOthers(t *testing.T) {
	l := Open(t.TempDir(), "inst")
	must(t, l.AppendKept("main", "2026-02-24", []memory.KeptLine{plainKept(1)}))
	path := l.KeptPath("main", "2026-02-24")
	must(t, l.takeBack(path, 1<<40, 5))
	checkKept(t, l, "main", []memory.KeptLine{plainKept(1)})
	if err := l.takeBack(path+".gone", 0, 5); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}

// TestSyncFails: it is an error, and the line may be written again.
func TestSyncFails(t *testing.T) {
	l := Open(t.TempDir(), "inst")
	fail(l, -1, syscall.EIO)
	if err := l.AppendKept("main", "2026-02-24", []memory.KeptLine{plainKept(1)}); !errors.Is(err, syscall.EIO) {
		t.Error(err)
	}
	l.open = openFile
	must(t, l.AppendKept("main", "2026-02-24", []memory.KeptLine{plainKept(1), plainKept(2)}))
	checkKept(t, l, "main", []memory.KeptLine{plainKept(1), plainKept(2)})
}

// TestNoPermission: where files cannot be opened, the error says why.
func TestNoPermission(t *testing.T) {
	l := Open(t.TempDir(), "inst")
	l.open = func(path string) (file, error) {
		return nil, &fs.PathError{Op: "open", Path: path, Err: syscall.EROFS}
	}
	if err := l.AppendSaid("main", "2026-02", []memory.Said{plainSaid(1)}); !errors.Is(err, syscall.EROFS) {
		t.Error(err)
	}
	if os.Geteuid() <= 0 {
		return // root may do anything, and Windows has other rules
	}
	l = Open(t.TempDir(), "inst")
	must(t, l.AppendKept("main", "2026-02-24", []memory.KeptLine{plainKept(1)}))
	must(t, os.Chmod(l.path("main", keptFolder), 0o500))
	if err := l.AppendKept("main", "2026-02-25", []memory.KeptLine{plainKept(2)}); !errors.Is(err, fs.ErrPermission) {
		t.Error(err)
	}
	must(t, os.Chmod(l.path("main", keptFolder), 0))
	if _, err := l.Kept("main"); !errors.Is(err, fs.ErrPermission) {
		t.Error(err)
	}
	must(t, os.Chmod(l.path("main", keptFolder), 0o700))
}

// TestInTheWay: a file where a folder should be, and the other way round.
func TestInTheWay(t *testing.T) {
	l := Open(t.TempDir(), "inst")
	must(t, os.MkdirAll(l.Path("main"), 0o700))
	must(t, os.WriteFile(l.path("main", keptFolder), nil, 0o600))
	if err := l.AppendKept("main", "2026-02-24", []memory.KeptLine{plainKept(1)}); err == nil {
		t.Error("written into a file")
	}
	if _, err := l.Kept("main"); err == nil {
		t.Error("read from a file")
	}
	if _, err := l.KeptStamp("main"); err == nil {
		t.Error("a stamp of a file")
	}
	must(t, os.MkdirAll(l.SaidPath("main", "2026-02"), 0o700))
	if err := l.AppendSaid("main", "2026-02", []memory.Said{plainSaid(1)}); err == nil {
		t.Error("written into a folder")
	}
}

// TestMakeFolder: all folders of the way are there and closed to others.
func TestMakeFolder(t *testing.T) {
	root := t.TempDir()
	dir := filepath.Join(root, "a", "b", "c")
	must(t, makeFolder(dir))
	must(t, makeFolder(dir))
	for d := dir; d != root; d = filepath.Dir(d) {
		info, err := os.Stat(d)
		must(t, err)
		if os.Geteuid() >= 0 && info.Mode().Perm() != 0o700 {
			t.Errorf("%s has mode %v", d, info.Mode())
		}
	}
}

// TestLastLine: what stands behind the last line feed, however long it is.
func TestLastLine(t *testing.T) {
	for _, n := range []int{0, 1, tailStep - 1, tailStep, tailStep + 1, 5 * tailStep} {
		for _, before := range []string{"", "\n", "x\n", "\n\nmore\n", strings.Repeat("y", 3*tailStep) + "\n"} {
			want := strings.Repeat("z", n)
			body := before + want
			if body == "" {
				continue
			}
			got, err := lastLine(strings.NewReader(body), int64(len(body)))
			if err != nil || got != want {
				t.Errorf("%d bytes behind %d: %d bytes, %v", n, len(before), len(got), err)
			}
		}
	}
}
