package openclaw

import (
	"bufio"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"tidemark/backend/memory"
)

// childRole is the variable that makes the test binary another process's part
// in a test.
const childRole = "TIDEMARK_TEST_CHILD"

func TestMain(m *testing.M) {
	switch os.Getenv(childRole) {
	case "":
		os.Exit(m.Run())
	case "writer":
		writerMain()
	case "reader":
		readerMain()
	}
}

// writerMain is a process that has a database open: it runs the statements
// that come in, one a line, and answers each. A line "!<n> <statement>" runs
// the statement n times and answers with the longest time one took.
func writerMain() {
	db, err := sql.Open("sqlite", os.Args[1])
	if err != nil {
		fmt.Println("err", err)
		return
	}
	db.SetMaxOpenConns(1)
	fmt.Println("ok ready")
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 16<<20)
	for in.Scan() {
		answer, err := runLine(db, in.Text())
		if err != nil {
			answer = "err " + err.Error()
		}
		fmt.Println(strings.ReplaceAll(answer, "\n", " "))
	}
	db.Close()
}

func runLine(db *sql.DB, line string) (string, error) {
	times := 1
	if rest, ok := strings.CutPrefix(line, "!"); ok {
		count, statement, _ := strings.Cut(rest, " ")
		if _, err := fmt.Sscan(count, &times); err != nil {
			return "", err
		}
		line = statement
	}
	var longest time.Duration
	first := ""
	for range times {
		began := time.Now()
		rows, err := db.Query(line)
		if err != nil {
			return "", err
		}
		for rows.Next() {
			rows.Scan(&first) // what is not text is not asked for
		}
		if err := rows.Err(); err != nil {
			return "", err
		}
		rows.Close()
		longest = max(longest, time.Since(began))
	}
	return fmt.Sprintf("ok %d %s", longest.Microseconds(), first), nil
}

// writer is another process that has a database open.
type writer struct {
	t    testing.TB
	cmd  *exec.Cmd
	in   io.WriteCloser
	out  *bufio.Reader
	gone bool
}

// startWriter starts a process that opens the database with SQLite as Go has
// it, or as Python has it.
func startWriter(t testing.TB, kind, path string) *writer {
	t.Helper()
	cmd := exec.Command(os.Args[0], path)
	cmd.Env = append(os.Environ(), childRole+"=writer")
	if kind == "python" {
		cmd = exec.Command(pythonOrSkip(t), "-u", "-c", pythonWriter, path)
	}
	return started(t, cmd)
}

func started(t testing.TB, cmd *exec.Cmd) *writer {
	t.Helper()
	w := &writer{t: t, cmd: cmd}
	var err error
	if w.in, err = cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	w.out = bufio.NewReader(out)
	t.Cleanup(w.kill)
	w.answer()
	return w
}

// pythonWriter does what writerMain does, with another implementation.
const pythonWriter = `
import sqlite3, sys, time
c = sqlite3.connect(sys.argv[1], isolation_level=None, timeout=5)
print("ok ready")
for line in sys.stdin:
    line, n = line.rstrip("\n"), 1
    if line.startswith("!"):
        n, line = line[1:].split(" ", 1)
    longest, first = 0.0, ""
    try:
        for i in range(int(n)):
            began = time.perf_counter()
            for row in c.execute(line).fetchall():
                first = row[0]
            longest = max(longest, time.perf_counter() - began)
        print("ok", int(longest * 1e6), first)
    except Exception as e:
        print("err", e)
c.close()
`

func pythonOrSkip(t testing.TB) string {
	t.Helper()
	for _, name := range []string{"python3", "python"} {
		if path, err := exec.LookPath(name); err == nil && exec.Command(path, "-c", "import sqlite3").Run() == nil {
			return path
		}
	}
	t.Skip("skipped: no Python with sqlite3 here")
	return ""
}

func (w *writer) answer() string {
	w.t.Helper()
	line, err := w.out.ReadString('\n')
	if err != nil {
		w.t.Fatalf("the writer is gone: %v", err)
	}
	answer, ok := strings.CutPrefix(strings.TrimSpace(line), "ok")
	if !ok {
		w.t.Fatalf("writer: %s", line)
	}
	return strings.TrimSpace(answer)
}

// send hands over a statement without waiting for the answer.
func (w *writer) send(statement string, args ...any) {
	w.t.Helper()
	if _, err := fmt.Fprintf(w.in, strings.ReplaceAll(statement, "\n", " ")+"\n", args...); err != nil {
		w.t.Fatal(err)
	}
}

// do runs a statement and gives the longest time one took, and the first value.
func (w *writer) do(statement string, args ...any) (time.Duration, string) {
	w.t.Helper()
	w.send(statement, args...)
	return w.done()
}

func (w *writer) done() (time.Duration, string) {
	w.t.Helper()
	var micros int64
	number, first, _ := strings.Cut(w.answer(), " ")
	if _, err := fmt.Sscan(number, &micros); err != nil {
		w.t.Fatalf("writer: %v", err)
	}
	return time.Duration(micros) * time.Microsecond, first
}

// kill ends the process as a power cut would.
func (w *writer) kill() {
	if !w.gone {
		w.gone = true
		w.cmd.Process.Kill()
		w.cmd.Wait() // it says that it was killed
	}
}

// leave ends the process in good order: it closes the database.
func (w *writer) leave() {
	w.t.Helper()
	w.gone = true
	w.in.Close()
	if err := w.cmd.Wait(); err != nil {
		w.t.Errorf("writer: %v", err)
	}
}

// report is what a reader that ran as another user found.
type report struct {
	Sources  []memory.Source
	Entries  int
	IDs      []string
	Problems []memory.Problem
	Errors   []string
}

// readerMain is a process that reads an agent's history as whoever runs it.
func readerMain() {
	var rep report
	a := Agent{ID: "main", SessionsDir: filepath.Join(os.Args[1], "sessions"), Database: filepath.Join(os.Args[1], "agent", "openclaw-agent.sqlite")}
	rep.Sources, rep.Problems = a.Sources()
	for _, src := range rep.Sources {
		g := new(gathered)
		if err := Read(context.Background(), src, memory.Checkpoint{}, Options{Texts: true}, g); err != nil {
			rep.Errors = append(rep.Errors, filepath.Base(src.Path)+": "+err.Error())
		}
		rep.Entries += len(g.entries)
		rep.IDs = append(rep.IDs, g.list()...)
		rep.Problems = append(rep.Problems, g.problems...)
	}
	_, problems := ReadWindows(context.Background(), a.Database)
	rep.Problems = append(rep.Problems, problems...)
	if err := json.NewEncoder(os.Stdout).Encode(rep); err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
}

// runReader reads the history below an agent's folder in another process,
// which asUser may let run as somebody else.
func runReader(t testing.TB, agentDir string, asUser func(*exec.Cmd)) report {
	t.Helper()
	cmd := exec.Command(os.Args[0], agentDir)
	cmd.Env = append(os.Environ(), childRole+"=reader")
	cmd.Stderr = os.Stderr
	if asUser != nil {
		asUser(cmd)
	}
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("reader: %v", err)
	}
	var rep report
	if err := json.Unmarshal(out, &rep); err != nil {
		t.Fatalf("reader: %v in %q", err, out)
	}
	return rep
}

// binaryForAll gives a copy of the test binary that every user can run.
func binaryForAll(t testing.TB) string {
	t.Helper()
	dir := openToAll(t)
	src, err := os.Open(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	path := filepath.Join(dir, "reader.test")
	dst, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY, 0o755)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(dst, src); err != nil {
		t.Fatal(err)
	}
	if err := dst.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// openToAll gives a temporary folder that every user can look into.
func openToAll(t testing.TB) string {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("skipped: permissions of Unix")
	}
	dir, err := os.MkdirTemp("", "tidemark-test-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	return dir
}
