package ledger

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tidemark/backend/memory"
)

// TestRewriteUnfinishedSaid: messages that were never written whole go, a
// person's own sections stay.
func TestRewriteUnfinishedSaid(t *testing.T) {
	l := Open(t.TempDir(), "inst")
	part := SaidText(plainSaid(1))
	part = part[:strings.Index(part, commentMark)]
	mine := "## My notes\n\n> quoted " + secret + "\n\nmore\n"
	putSaid(t, l, "main", "2026-02.md", SaidText(plainSaid(2))+part+mine+part+"<!-- said · at <!-- unfinished -->\n"+SaidText(plainSaid(3))+part+"<!-- said · at 20")
	must(t, l.Rewrite("main", without, nil, nil))
	want := SaidText(plainSaid(2)) + "\n\n" + "## My notes\n\n> quoted [forgotten]\n\nmore\n" + "\n\n" + SaidText(plainSaid(3)) + "\n\n"
	if got := tree(t, l.Path("main"))["said/2026-02.md"]; got != want {
		t.Errorf("the file is\n%s\nwant\n%s", got, want)
	}
}

// TestRewriteLinks: the text goes where it really is.
func TestRewriteLinks(t *testing.T) {
	l := Open(t.TempDir(), "inst")
	kept, said := fill(t, l)
	elsewhere := t.TempDir()
	path := l.KeptPath("main", "2026-02-23")
	real := filepath.Join(elsewhere, "real.md")
	must(t, os.Rename(path, real))
	if err := os.Symlink(real, path); err != nil {
		t.Skip(err)
	}
	left := filepath.Join(elsewhere, newPrefix+"real.md"+newSuffix)
	must(t, os.WriteFile(left, []byte(secret), 0o600))
	must(t, l.Rewrite("main", without, about, []memory.KeptLine{tombstone()}))
	checkForgotten(t, l, kept, said)
	body, err := os.ReadFile(real)
	must(t, err)
	if _, err := os.Stat(left); err == nil || strings.Contains(string(body), secret) {
		t.Errorf("%s is\n%s", real, body)
	}
	if info, err := os.Lstat(path); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Error("the link was replaced")
	}
}

// TestRewriteMeanwhile: what somebody writes while the file is written anew is
// not lost, and words in it go too.
func TestRewriteMeanwhile(t *testing.T) {
	l := Open(t.TempDir(), "inst")
	kept, _ := fill(t, l)
	added := 0
	l.step = func(what string) {
		if what == "synced" && added < 2 {
			added++
			extra := plainKept(80 + added)
			extra.Text += secret
			must(t, Open(filepath.Dir(l.dir), "inst").AppendKept("main", "2026-02-24", []memory.KeptLine{extra}))
			must(t, Open(filepath.Dir(l.dir), "inst").AppendSaid("main", "2026-02", []memory.Said{{Text: secret, Entry: fmt.Sprint(added)}}))
		}
	}
	must(t, l.Rewrite("main", without, about, []memory.KeptLine{tombstone()}))
	for name, body := range tree(t, l.Path("main")) {
		if strings.Contains(body, secret) {
			t.Errorf("%s is\n%s", name, body)
		}
	}
	got, err := l.Kept("main")
	must(t, err)
	said, _ := allSaid(t, l, "main")
	if len(got.Lines) != len(kept)+2 || len(said) != 6 {
		t.Errorf("%d lines, %d messages", len(got.Lines), len(said))
	}
	l.step = func(what string) {
		if what == "synced" {
			must(t, Open(filepath.Dir(l.dir), "inst").AppendKept("main", "2026-02-24", []memory.KeptLine{plainKept(90)}))
		}
	}
	must(t, l.AppendKept("main", "2026-02-24", []memory.KeptLine{{ID: "x", Tag: 1, Text: secret}}))
	if err := l.Rewrite("main", without, nil, nil); err == nil {
		t.Error("it came to an end")
	}
}

// TestRewriteFails: what cannot be replaced is an error, leaves no half file,
// and does not keep the others from it.
func TestRewriteFails(t *testing.T) {
	l := Open(t.TempDir(), "inst")
	fill(t, l)
	blocked := filepath.Join(l.path("main", keptFolder), newPrefix+"2026-02-23.md"+newSuffix)
	must(t, os.MkdirAll(filepath.Join(blocked, "full"), 0o700))
	if err := l.Rewrite("main", without, about, nil); err == nil {
		t.Error("no error")
	}
	must(t, os.RemoveAll(blocked))
	l.step = func(what string) {
		if what == "created" {
			_ = os.MkdirAll(filepath.Join(blocked, "full"), 0o700)
		}
	}
	if err := l.Rewrite("main", without, about, nil); err == nil {
		t.Error("no error")
	}
	l.step = func(string) {}
	must(t, os.RemoveAll(blocked))
	if got := tree(t, l.Path("main")); strings.Contains(got["kept/2026-02-24.md"], secret) || !strings.Contains(got["kept/2026-02-23.md"], secret) {
		t.Error("the other file was not rewritten")
	}
	for _, bad := range []memory.KeptLine{{Kind: memory.KeptForget, ID: "t"}, {Kind: memory.KeptForget, ID: "t", At: latest + 1}, {Kind: memory.KeptForget, At: 5}} {
		if err := l.Rewrite("main", nil, nil, []memory.KeptLine{bad}); err == nil {
			t.Errorf("%+v was written", bad)
		}
	}
	full := errors.New("full")
	l.open = func(string) (file, error) { return nil, full }
	if err := l.Rewrite("main", without, about, []memory.KeptLine{tombstone()}); !errors.Is(err, full) {
		t.Error(err)
	}
}
