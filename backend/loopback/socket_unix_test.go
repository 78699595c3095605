//go:build unix

package loopback

import (
	"context"
	"errors"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tidemark/backend/memory"
)

// wantCode checks the code of err and that it says text.
func wantCode(t *testing.T, what string, err error, code memory.Code, text string) {
	t.Helper()
	if err == nil {
		t.Errorf("%s: no error, want %s", what, code)
		return
	}
	if got := memory.CodeOf(err); got != code || !strings.Contains(err.Error(), text) {
		t.Errorf("%s: %q (%s), want %q (%s)", what, err, got, text, code)
	}
}

// dataDir makes a data directory whose path is short enough for a socket.
func dataDir(t *testing.T) string {
	t.Helper()
	return shared(t, 0o700)
}

func mode(t *testing.T, path string) fs.FileMode {
	t.Helper()
	info, err := os.Lstat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.Mode().Perm()
}

func TestSocketRoundTrip(t *testing.T) {
	path := SocketPath(dataDir(t))
	l, err := ListenSocket(path)
	if err != nil {
		t.Fatal(err)
	}
	if got := mode(t, filepath.Dir(path)); got != 0o700 {
		t.Errorf("folder has mode %o, want 700", got)
	}
	if got := mode(t, path); got != 0o600 {
		t.Errorf("socket has mode %o, want 600", got)
	}
	go func() {
		c, err := l.Accept()
		if err != nil {
			t.Error(err)
			return
		}
		_, _ = c.Write([]byte("tide"))
		c.Close()
	}()
	c, err := DialSocket(context.Background(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	buf := make([]byte, 8)
	if n, _ := c.Read(buf); string(buf[:n]) != "tide" {
		t.Errorf("read %q, want tide", buf[:n])
	}
	if err := l.Close(); err != nil {
		t.Error(err)
	}
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the socket is still there after Close: %v", err)
	}
}

func TestStaleSocketIsReplaced(t *testing.T) {
	path := SocketPath(dataDir(t))
	if err := os.Mkdir(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	owner := start(t, -1, "listen", path)
	owner.waitFor("ready")
	_, err := ListenSocket(path)
	wantCode(t, "a live owner", err, memory.CodeBusy, "lock of the data directory is held here")

	owner.kill()
	if _, err := os.Lstat(path); err != nil {
		t.Fatalf("the socket of the dead owner should still be there: %v", err)
	}
	_, err = DialSocket(context.Background(), path)
	wantCode(t, "dial a dead owner", err, memory.CodeUnavailable, "refused")
	if hint := memory.HintOf(err); !strings.Contains(hint, "not running") {
		t.Errorf("hint %q, want that Tidemark is not running", hint)
	}
	l, err := ListenSocket(path)
	if err != nil {
		t.Fatalf("a dead owner's socket was not replaced: %v", err)
	}
	l.Close()
}

func TestListenRefusesToRemove(t *testing.T) {
	tests := []struct {
		name string
		put  func(path string) error
	}{
		{"file", func(path string) error { return os.WriteFile(path, []byte("mine"), 0o600) }},
		{"folder", func(path string) error { return os.Mkdir(path, 0o700) }},
		{"link to nothing", func(path string) error { return os.Symlink("/nowhere", path) }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			path := SocketPath(dataDir(t))
			if err := os.Mkdir(filepath.Dir(path), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := tt.put(path); err != nil {
				t.Fatal(err)
			}
			_, err := ListenSocket(path)
			wantCode(t, "listen", err, memory.CodeInvalid, "is not a socket")
			if _, err := os.Lstat(path); err != nil {
				t.Errorf("it was removed: %v", err)
			}
			_, err = DialSocket(context.Background(), path)
			wantCode(t, "dial", err, memory.CodeForbidden, "is not a socket")
		})
	}
}

func TestFolderIsTightened(t *testing.T) {
	for _, wide := range []fs.FileMode{0o755, 0o777, 0o770, 0o711, 0o500} {
		path := SocketPath(dataDir(t))
		folder := filepath.Dir(path)
		if err := os.Mkdir(folder, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(folder, wide); err != nil {
			t.Fatal(err)
		}
		l, err := ListenSocket(path)
		if err != nil {
			t.Errorf("mode %o: %v", wide, err)
			continue
		}
		l.Close()
		if got := mode(t, folder); got != 0o700 {
			t.Errorf("mode %o became %o, want 700", wide, got)
		}
	}
}

func TestFolderThatIsNone(t *testing.T) {
	path := SocketPath(dataDir(t))
	if err := os.WriteFile(filepath.Dir(path), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := ListenSocket(path)
	wantCode(t, "listen", err, memory.CodeForbidden, "is not a folder")
	_, err = DialSocket(context.Background(), path)
	wantCode(t, "dial", err, memory.CodeForbidden, "is not a folder")
}

func TestNobodyRuns(t *testing.T) {
	data := dataDir(t)
	path := SocketPath(data)
	_, err := DialSocket(context.Background(), path)
	wantCode(t, "no folder", err, memory.CodeUnavailable, "no such file")
	if err := os.Mkdir(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	_, err = DialSocket(context.Background(), path)
	wantCode(t, "no socket", err, memory.CodeUnavailable, "no such file")
	if hint := memory.HintOf(err); !strings.Contains(hint, "not running") {
		t.Errorf("hint %q, want that Tidemark is not running", hint)
	}
	if _, err := os.Lstat(filepath.Join(data, socketFolder, socketName)); err == nil {
		t.Error("dialling created something")
	}
}

func TestListenWithoutDataDir(t *testing.T) {
	_, err := ListenSocket(SocketPath(filepath.Join(dataDir(t), "gone")))
	wantCode(t, "listen", err, memory.CodeUnavailable, "create socket folder")
}

func TestOddSocketPaths(t *testing.T) {
	for _, path := range []string{"", "s", "run/s", "@abstract", "/" + strings.Repeat("x", maxSocketPath)} {
		_, err := ListenSocket(path)
		wantCode(t, "listen on "+path, err, memory.CodeInvalid, "path")
		_, err = DialSocket(context.Background(), path)
		wantCode(t, "dial "+path, err, memory.CodeInvalid, "path")
	}
}

func TestDialHonoursContext(t *testing.T) {
	path := SocketPath(dataDir(t))
	l, err := ListenSocket(path)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err = DialSocket(ctx, path)
	if !errors.Is(err, context.Canceled) && !strings.Contains(err.Error(), "cancel") {
		t.Errorf("error %v, want that it was cancelled", err)
	}
	if memory.HintOf(err) != "" {
		t.Errorf("a cancelled dial says %q, but an owner runs", memory.HintOf(err))
	}
}

func TestPeerIsThisUser(t *testing.T) {
	path := SocketPath(dataDir(t))
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: filepath.Join(filepath.Dir(filepath.Dir(path)), "p"), Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	c, err := net.DialUnix("unix", nil, l.Addr().(*net.UnixAddr))
	if err != nil {
		t.Fatal(err)
	}
	if uid, err := peerUser(c); err != nil || uid != int64(os.Geteuid()) {
		t.Errorf("peer is user %d (%v), want %d", uid, err, os.Geteuid())
	}
	c.Close()
	if err := verifyPeer(c); memory.CodeOf(err) != memory.CodeForbidden {
		t.Errorf("a closed connection passes: %v", err)
	}
}
