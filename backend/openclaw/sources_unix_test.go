//go:build unix

package openclaw

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"tidemark/backend/memory"
)

// stranger is the user id of nobody.
const stranger = 65534

// asStranger lets a command run as a user who owns nothing here. Run by root
// only: permissions mean nothing to root itself.
func asStranger(t testing.TB) func(*exec.Cmd) {
	t.Helper()
	if os.Getuid() != 0 {
		t.Skip("skipped: only root can become somebody else")
	}
	binary := binaryForAll(t)
	return func(cmd *exec.Cmd) {
		cmd.Path = binary
		cmd.Dir = "/"
		cmd.Env = append(cmd.Env, "HOME=/nonexistent")
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: stranger, Gid: stranger}}
	}
}

func TestSourcesThatMayNotBeRead(t *testing.T) {
	asUser := asStranger(t)
	dir := openToAll(t)
	put(t, filepath.Join(dir, "sessions", "a.jsonl"), headerLine("a")+userLine("u", "x"))
	put(t, filepath.Join(dir, "sessions", "closed.jsonl"), headerLine("closed")+userLine("u", "x"))
	put(t, filepath.Join(dir, "sessions", "cold", "c.jsonl"), headerLine("c"))
	chmod(t, 0, filepath.Join(dir, "sessions", "closed.jsonl"))
	chmod(t, 0, filepath.Join(dir, "sessions", "cold"))
	rep := runReader(t, dir, asUser)
	if rep.Entries != 2 || !slices.Equal(rep.IDs, []string{"a/", "a/u"}) {
		t.Errorf("read %q", rep.IDs)
	}
	if len(rep.Errors) != 1 || !strings.Contains(rep.Errors[0], "permission denied") {
		t.Errorf("errors %q", rep.Errors)
	}
	if len(rep.Problems) != 1 || rep.Problems[0].Code != memory.ProblemUnreadable || !strings.Contains(rep.Problems[0].Message, "permission denied") {
		t.Errorf("problems %+v", rep.Problems)
	}
}

func TestSourcesInAFolderThatMayNotBeRead(t *testing.T) {
	asUser := asStranger(t)
	dir := openToAll(t)
	put(t, filepath.Join(dir, "sessions", "a.jsonl"), headerLine("a"))
	chmod(t, 0o700, filepath.Join(dir, "sessions"))
	rep := runReader(t, dir, asUser)
	if len(rep.Sources) > 0 || len(rep.Problems) == 0 {
		t.Errorf("sources %v, problems %v", rep.Sources, rep.Problems)
	}
	for _, p := range rep.Problems {
		if p.Code != memory.ProblemUnreadable || !strings.HasPrefix(p.Path, filepath.Join(dir, "sessions")) || p.Hint == "" {
			t.Errorf("problem %+v", p)
		}
	}
}

func TestSourcesLeavePipesOut(t *testing.T) {
	dir := t.TempDir()
	sessions := filepath.Join(dir, "sessions")
	put(t, filepath.Join(sessions, "a.jsonl"), headerLine("a"))
	for _, path := range []string{filepath.Join(sessions, "pipe.jsonl"), filepath.Join(dir, "agent.sqlite")} {
		if err := syscall.Mkfifo(path, 0o644); err != nil {
			t.Skip("skipped: no named pipes here:", err)
		}
	}
	sources, problems := Agent{ID: "main", SessionsDir: sessions, Database: filepath.Join(dir, "agent.sqlite")}.Sources()
	if len(sources) != 1 {
		t.Errorf("sources %v", sources)
	}
	for _, p := range problems {
		if !strings.Contains(p.Message, "not a regular file") {
			t.Errorf("problem %+v", p)
		}
	}
	if len(problems) != 2 {
		t.Errorf("problems %v", problems)
	}
	for _, kind := range []memory.SourceKind{memory.SourceDatabase, memory.SourceLive} {
		if err := Read(t.Context(), memory.Source{Kind: kind, Path: filepath.Join(dir, "agent.sqlite")}, memory.Checkpoint{}, Options{}, new(gathered)); !errors.Is(err, errNotRegular) {
			t.Errorf("%v: %v", kind, err)
		}
	}
	if HoldsTranscripts(filepath.Join(dir, "agent.sqlite")) {
		t.Error("a pipe holds transcripts")
	}
}

func chmod(t testing.TB, mode os.FileMode, path string) {
	t.Helper()
	if err := os.Chmod(path, mode); err != nil {
		t.Fatal(err)
	}
}
