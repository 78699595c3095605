package settings

import (
	"encoding/json"
	"os"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"tidemark/backend/memory"
)

func TestLock(t *testing.T) {
	d := mustOpen(t, t.TempDir())
	d.now = func() time.Time { return time.Date(2026, 5, 10, 12, 0, 0, 5, time.FixedZone("", 8*3600)) }
	lock, err := d.Lock()
	if err != nil {
		t.Fatal(err)
	}
	wantMode(t, d.LockFile(), 0o600)
	_, err = mustOpen(t, d.Path()).Lock()
	wantCode(t, "second lock", err, memory.CodeBusy, "owns "+d.Path())

	for range 2 {
		if err := lock.Release(); err != nil {
			t.Errorf("Release: %v", err)
		}
	}
	again, err := d.Lock()
	if err != nil {
		t.Fatalf("lock after release: %v", err)
	}
	// The first release must not undo the second lock.
	if err := lock.Release(); err != nil {
		t.Error(err)
	}
	if _, err := d.Lock(); memory.CodeOf(err) != memory.CodeBusy {
		t.Errorf("the lock was lost: %v", err)
	}
	if err := again.Release(); err != nil {
		t.Error(err)
	}
}

func TestLockFileIsForPeople(t *testing.T) {
	d := mustOpen(t, t.TempDir())
	put(t, d.LockFile(), "\n{\"pid\":123456789,\"started\":\"1999-12-31T23:59:59Z\"} and a longer text of a former owner\n")
	d.now = func() time.Time { return time.Date(2026, 5, 10, 12, 0, 0, 5, time.FixedZone("", 8*3600)) }
	lock, err := d.Lock()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = lock.Release() }()
	text, err := os.ReadFile(d.LockFile())
	if err != nil {
		t.Skipf("skipped: a locked file cannot be read here: %v", err)
	}
	var got struct {
		PID     int
		Started string
	}
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	if got.PID != os.Getpid() || got.Started != "2026-05-10T04:00:00Z" {
		t.Errorf("the lock file says %+v", got)
	}
}

func TestLockWithGarbageInFile(t *testing.T) {
	for _, text := range []string{"", "{", "\n", "\nnull", "\n{\"pid\":-1}", "\x00\x00\x00"} {
		d := mustOpen(t, t.TempDir())
		put(t, d.LockFile(), text)
		if h, ok := d.holder(); ok {
			t.Errorf("%q names the holder %v", text, h)
		}
		lock, err := d.Lock()
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		if err := lock.Release(); err != nil {
			t.Error(err)
		}
	}
}

// TestLockIsExclusive lets many try at once, again and again.
func TestLockIsExclusive(t *testing.T) {
	path := t.TempDir()
	var owners, won atomic.Int32
	var wg sync.WaitGroup
	for range 16 {
		d := mustOpen(t, path)
		wg.Go(func() {
			for range 50 {
				lock, err := d.Lock()
				if err != nil {
					if memory.CodeOf(err) != memory.CodeBusy {
						t.Error(err)
					}
					continue
				}
				if owners.Add(1) != 1 {
					t.Error("two owners at once")
				}
				won.Add(1)
				owners.Add(-1)
				if err := lock.Release(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	if won.Load() == 0 {
		t.Error("nobody ever owned it")
	}
}

func TestLockIsAFolder(t *testing.T) {
	d := mustOpen(t, t.TempDir())
	mkdir(t, d.LockFile(), 0o700)
	_, err := d.Lock()
	wantCode(t, "a folder", err, memory.CodeUnavailable, "lock data directory")
}
