//go:build unix

package loopback

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"tidemark/backend/memory"
)

// roleVar makes the test binary play a part instead of running tests: the
// attacks that need another process, or another user, start it again.
const roleVar = "TIDEMARK_LOOPBACK_ROLE"

// nobody is the user who attacks.
const nobody = 65534

func TestMain(m *testing.M) {
	if role := os.Getenv(roleVar); role != "" {
		play(role, os.Args[1:])
		return
	}
	os.Exit(m.Run())
}

// play prints what came of the part, one line a step.
func play(role string, args []string) {
	switch role {
	case "connect": // connect to args[0] and wait for a byte
		c, err := net.Dial("unix", args[0])
		if err != nil {
			fmt.Println("no connection:", err)
			return
		}
		fmt.Println("connected")
		_ = c.SetReadDeadline(time.Now().Add(10 * time.Second))
		n, err := c.Read(make([]byte, 1))
		fmt.Println("read", n, err)
	case "squat": // take the folder args[0] and listen on args[1] in it
		fmt.Println("mkdir:", os.Mkdir(args[0], 0o700))
		listenUntilEOF(filepath.Join(args[0], args[1]))
	case "own": // be the owner at args[0] until standard input ends
		l, err := ListenSocket(args[0])
		if err != nil {
			fmt.Println(memory.CodeOf(err), err)
			return
		}
		fmt.Println("listening")
		_, _ = io.Copy(io.Discard, os.Stdin)
		_ = l.Close()
	case "dial": // connect to the owner at args[0]
		c, err := DialSocket(context.Background(), args[0])
		if err != nil {
			fmt.Println(memory.CodeOf(err), err)
			return
		}
		fmt.Println("dialled")
		_ = c.Close()
	case "link": // put a link args[1] that leads to args[0]
		fmt.Println("link:", os.Symlink(args[0], args[1]))
	case "listen": // listen on args[0]
		listenUntilEOF(args[0])
	}
}

// listenUntilEOF listens on path until standard input ends, and says what the
// connections sent.
func listenUntilEOF(path string) {
	l, err := net.Listen("unix", path)
	if err != nil {
		fmt.Println("no socket:", err)
		return
	}
	fmt.Println("chmod:", os.Chmod(path, 0o777))
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			_ = c.SetReadDeadline(time.Now().Add(10 * time.Second))
			sent, _ := io.ReadAll(c)
			fmt.Printf("stolen %q\n", sent)
		}
	}()
	fmt.Println("ready")
	_, _ = io.Copy(io.Discard, os.Stdin)
}

// actor is the test binary, playing a part in another process.
type actor struct {
	t     *testing.T
	cmd   *exec.Cmd
	stdin io.WriteCloser
	out   *bufio.Reader
	said  strings.Builder
}

// start lets a copy of the test binary play role, as the user uid where that
// is not negative.
func start(t *testing.T, uid int, role string, args ...string) *actor {
	t.Helper()
	cmd := exec.Command(binary(t), args...)
	// The race detector would wait a second before each exit.
	cmd.Env = append(os.Environ(), roleVar+"="+role, "GORACE=atexit_sleep_ms=0")
	cmd.Dir = "/"
	cmd.Stderr = os.Stderr
	if uid >= 0 {
		cmd.SysProcAttr = &syscall.SysProcAttr{
			Credential: &syscall.Credential{Uid: uint32(uid), Gid: uint32(uid), NoSetGroups: false},
		}
	}
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Skipf("cannot start a process as user %d: %v", uid, err)
	}
	a := &actor{t: t, cmd: cmd, stdin: stdin, out: bufio.NewReader(out)}
	t.Cleanup(func() { a.end() })
	return a
}

// waitFor reads what the actor says until the line want.
func (a *actor) waitFor(want string) {
	a.t.Helper()
	for {
		line, err := a.out.ReadString('\n')
		a.said.WriteString(line)
		if strings.TrimSpace(line) == want {
			return
		}
		if err != nil {
			a.t.Fatalf("the other process never said %q, only:\n%s", want, a.said.String())
		}
	}
}

// kill ends the actor as a crash does and leaves everything as it is.
func (a *actor) kill() {
	_ = a.cmd.Process.Kill()
	a.end()
}

// end lets the actor finish and gives everything that it said.
func (a *actor) end() string {
	_ = a.stdin.Close()
	rest, _ := io.ReadAll(a.out)
	a.said.Write(rest)
	_ = a.cmd.Wait()
	return a.said.String()
}

// binary gives the test binary; where the tests run as root, a copy that
// every user can execute.
func binary(t *testing.T) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if os.Getuid() != 0 {
		return self
	}
	data, err := os.ReadFile(self)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(shared(t, 0o755), "play")
	if err := os.WriteFile(path, data, 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

// shared makes a directory of the given mode that other users can reach: the
// test's own directory has a parent that is closed to them.
func shared(t *testing.T, mode os.FileMode) string {
	t.Helper()
	dir, err := os.MkdirTemp("/tmp", "tm")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	if err := os.Chmod(dir, mode); err != nil {
		t.Fatal(err)
	}
	return dir
}

// needRoot skips a test that lets another user attack.
func needRoot(t *testing.T) {
	t.Helper()
	if os.Getuid() != 0 {
		t.Skip("skipped: only root can start a process as another user")
	}
}
