//go:build unix

package settings

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"tidemark/backend/memory"
)

// roleVar makes the test binary play a part instead of running tests.
const roleVar = "TIDEMARK_SETTINGS_ROLE"

// nobody is the user who attacks.
const nobody = 65534

func TestMain(m *testing.M) {
	if role := os.Getenv(roleVar); role != "" {
		play(role, os.Args[1])
		return
	}
	os.Exit(m.Run())
}

// play prints what came of the part, one line a step.
func play(role, path string) {
	switch role {
	case "read": // read the file path
		text, err := os.ReadFile(path)
		fmt.Printf("read %q %v\n", text, err)
	case "plant": // put a file at path
		fmt.Println("planted", os.WriteFile(path, []byte("planted"), 0o666))
	case "open": // make path the data directory
		_, err := Open(path)
		fmt.Println("opened", memory.CodeOf(err), err)
	case "lock": // own path until standard input ends
		d, err := Open(path)
		if err == nil {
			_, err = d.Lock()
		}
		fmt.Println("locked", err)
		_, _ = io.Copy(io.Discard, os.Stdin)
	case "write": // write two contents in turn until killed
		fmt.Println("writing", "<nil>")
		for {
			for _, c := range "ab" {
				if err := WriteFile(path, []byte(strings.Repeat(string(c), 1<<16)), 0o600); err != nil {
					fmt.Println(err)
					return
				}
			}
		}
	}
}

// actor is the test binary, playing a part in another process.
type actor struct {
	cmd   *exec.Cmd
	stdin io.WriteCloser
	out   *bufio.Reader
}

// start lets a copy of the test binary play role on path, as the user uid
// where that is not negative. It gives the actor and its first line.
func start(t *testing.T, uid int, role, path string) (*actor, string) {
	t.Helper()
	cmd := exec.Command(binary(t), path)
	// The race detector would wait a second before each exit.
	cmd.Env = append(os.Environ(), roleVar+"="+role, "GORACE=atexit_sleep_ms=0")
	cmd.Dir, cmd.Stderr = "/", os.Stderr
	if uid >= 0 {
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(uid), Gid: uint32(uid)}}
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
	a := &actor{cmd, stdin, bufio.NewReader(out)}
	t.Cleanup(a.kill)
	line, err := a.out.ReadString('\n')
	if err != nil {
		t.Fatalf("the other process said nothing: %v", err)
	}
	return a, strings.TrimSpace(line)
}

// kill ends the actor as a crash does.
func (a *actor) kill() {
	_ = a.cmd.Process.Kill()
	_ = a.stdin.Close()
	_ = a.cmd.Wait()
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
	path := filepath.Join(shared(t), "play")
	if err := os.WriteFile(path, data, 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

// shared makes a directory that other users can enter: the parent of the
// test's own directory is closed to them.
func shared(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, d := range []string{dir, filepath.Dir(dir)} {
		if err := os.Chmod(d, 0o755); err != nil {
			t.Fatal(err)
		}
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
