//go:build unix

package loopback

import (
	"context"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tidemark/backend/memory"
)

// TestOtherUserCannotConnect lets another user of the machine connect to the
// owner's socket: the folder keeps them out.
func TestOtherUserCannotConnect(t *testing.T) {
	needRoot(t)
	data := shared(t, 0o755)
	path := SocketPath(data)
	l, err := ListenSocket(path)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	said := start(t, nobody, "connect", path).end()
	if !strings.HasPrefix(said, "no connection:") || !strings.Contains(said, "permission denied") {
		t.Errorf("another user: %q, want permission denied", said)
	}
}

// TestOtherUserIsHungUpOn opens the folder and the socket to everybody after
// the owner began to listen: the other user gets a connection, but the kernel
// says who it is, and Accept never hands it out.
func TestOtherUserIsHungUpOn(t *testing.T) {
	needRoot(t)
	path := SocketPath(shared(t, 0o755))
	l, err := ListenSocket(path)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	for name, mode := range map[string]os.FileMode{filepath.Dir(path): 0o755, path: 0o777} {
		if err := os.Chmod(name, mode); err != nil {
			t.Fatal(err)
		}
	}
	accepted := make(chan struct{})
	go func() {
		defer close(accepted)
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			c.Close()
			t.Error("a connection of another user was accepted")
		}
	}()
	said := start(t, nobody, "connect", path).end()
	if !strings.Contains(said, "connected") || !strings.Contains(said, "read 0 ") || strings.Contains(said, "timeout") {
		t.Errorf("another user: %q, want a connection that is closed at once", said)
	}
	l.Close()
	<-accepted
}

// TestSquattedFolder lets another user take the place of the socket in the
// shared temporary directory before the owner starts: neither the owner nor
// the one who dials is fooled.
func TestSquattedFolder(t *testing.T) {
	needRoot(t)
	path := shortPath(t)
	squatter := start(t, nobody, "squat", filepath.Dir(path), filepath.Base(path))
	squatter.waitFor("ready")

	_, err := DialSocket(context.Background(), path)
	wantCode(t, "dial", err, memory.CodeForbidden, "belongs to another user")
	_, err = ListenSocket(path)
	wantCode(t, "listen", err, memory.CodeForbidden, "belongs to another user")
	if said := squatter.end(); strings.Contains(said, "stolen") {
		t.Errorf("the squatter got a connection: %s", said)
	}
}

// TestLinkInsteadOfFolder lets another user put a link there that leads to a
// folder of the owner.
func TestLinkInsteadOfFolder(t *testing.T) {
	needRoot(t)
	path := shortPath(t)
	target := t.TempDir()
	if err := os.Chmod(target, 0o755); err != nil {
		t.Fatal(err)
	}
	start(t, nobody, "link", target, filepath.Dir(path)).end()

	_, err := DialSocket(context.Background(), path)
	wantCode(t, "dial", err, memory.CodeForbidden, "is a link")
	_, err = ListenSocket(path)
	wantCode(t, "listen", err, memory.CodeForbidden, "is a link")
	if info, err := os.Stat(target); err != nil || info.Mode().Perm() != 0o755 {
		t.Errorf("the folder behind the link was changed: %v, %v", info.Mode(), err)
	}
}

// TestForeignSocketInOurFolder puts another user's socket into a folder that
// was open to everybody for a while.
func TestForeignSocketInOurFolder(t *testing.T) {
	needRoot(t)
	path := shortPath(t)
	folder := filepath.Dir(path)
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(folder, 0o777); err != nil {
		t.Fatal(err)
	}
	squatter := start(t, nobody, "listen", path)
	squatter.waitFor("ready")

	_, err := DialSocket(context.Background(), path)
	wantCode(t, "dial, folder open", err, memory.CodeForbidden, "other users can enter")
	if err := os.Chmod(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	_, err = DialSocket(context.Background(), path)
	wantCode(t, "dial, folder closed", err, memory.CodeForbidden, "is not a socket of this user")
	_, err = ListenSocket(path)
	wantCode(t, "listen", err, memory.CodeBusy, "answers")

	// Were all checks of files passed, the kernel would still tell.
	c, err := net.Dial("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	wantCode(t, "peer", verifyPeer(c.(*net.UnixConn)), memory.CodeForbidden, "runs as user 65534")
}

// TestFolderOfAnotherUserIsNotTouched gives the folder to another user.
func TestFolderOfAnotherUserIsNotTouched(t *testing.T) {
	needRoot(t)
	path := shortPath(t)
	folder := filepath.Dir(path)
	if err := os.Mkdir(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Chown(folder, nobody, nobody); err != nil {
		t.Fatal(err)
	}
	_, err := ListenSocket(path)
	wantCode(t, "listen", err, memory.CodeForbidden, "belongs to another user")
	if info, err := os.Stat(folder); err != nil || info.Mode().Perm() != 0o755 {
		t.Errorf("mode now %v (%v), want it left alone", info.Mode(), err)
	}
}

// TestFolderThatCannotBeTightened runs the owner as a user who has shut
// themselves out of their own folder while others may enter.
func TestFolderThatCannotBeTightened(t *testing.T) {
	needRoot(t)
	path := shortPath(t)
	folder := filepath.Dir(path)
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(folder, 0o077); err != nil {
		t.Fatal(err)
	}
	if err := os.Chown(folder, nobody, nobody); err != nil {
		t.Fatal(err)
	}
	said := start(t, nobody, "own", path).end()
	if !strings.HasPrefix(said, "forbidden") || !strings.Contains(said, "cannot be changed") {
		t.Errorf("the owner says %q, want that it cannot be changed", said)
	}
}

// TestAnyUserCanOwn runs the owner and the one who dials as another user, so
// that nothing here works for root alone.
func TestAnyUserCanOwn(t *testing.T) {
	needRoot(t)
	path := shortPath(t)
	owner := start(t, nobody, "own", path)
	owner.waitFor("listening")
	if said := start(t, nobody, "dial", path).end(); said != "dialled\n" {
		t.Errorf("the same user says %q, want dialled", said)
	}
	_, err := DialSocket(context.Background(), path)
	wantCode(t, "root dials", err, memory.CodeForbidden, "belongs to another user")
}

// shortPath gives the place of a socket whose data directory is too long for
// one, in a shared temporary directory as /tmp is.
func shortPath(t *testing.T) string {
	t.Helper()
	temp := shared(t, 0o777|os.ModeSticky)
	t.Setenv("XDG_RUNTIME_DIR", "")
	t.Setenv("TMPDIR", temp)
	path := SocketPath(filepath.Join(t.TempDir(), strings.Repeat("long", 30)))
	if !strings.HasPrefix(path, temp) {
		// A machine with /run/user/0 would use that.
		path = filepath.Join(temp, filepath.Base(filepath.Dir(path)), filepath.Base(path))
	}
	return path
}
