package app

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tidemark/backend/api"
)

// TestStatementCommands: what is decided by one command is there for the next,
// and what is forgotten is not.
func TestStatementCommands(t *testing.T) {
	state, data := sampleState(t), filepath.Join(t.TempDir(), "data")
	run := func(args ...string) (string, int) {
		t.Helper()
		var out, errs bytes.Buffer
		code := Main(append(args, "--state-dir", state, "--data-dir", data), &out, &errs)
		if code != exitDone {
			return errs.String(), code
		}
		return out.String(), code
	}
	list := func(args ...string) (rows []api.StatementRow) {
		t.Helper()
		out, code := run(append([]string{"statements", "list", "--json"}, args...)...)
		if code != exitDone || json.Unmarshal([]byte(out), &rows) != nil {
			t.Fatalf("%d: %s", code, out)
		}
		return rows
	}
	one := func(args ...string) (row api.StatementRow) {
		t.Helper()
		out, code := run(append(args, "--json")...)
		if code != exitDone || json.Unmarshal([]byte(out), &row) != nil {
			t.Fatalf("%q: %d: %s", args, code, out)
		}
		return row
	}
	rows := list("--text", "半夜")
	if len(rows) != 1 || rows[0].Tag != "B" || rows[0].Scope != "all" || rows[0].Speaker != "owner" || rows[0].SessionID != "s-one" || rows[0].EntryID != "u1" {
		t.Fatalf("%+v", rows)
	}
	id := rows[0].ID
	one("statements", "pin", id)
	if got := list("--pinned"); len(got) != 1 || got[0].ID != id {
		t.Errorf("pinned: %+v", got)
	}
	if got := one("statements", "correct", id, "Nothing after midnight", "--tag", "B"); got.Text != "Nothing after midnight" {
		t.Errorf("corrected: %+v", got)
	}
	if got := one("statements", "undo", id); got.Text != rows[0].Text {
		t.Errorf("undone: %+v", got)
	}
	if got := one("statements", "scope", id, "agent"); got.Scope != "agent" {
		t.Errorf("scope: %+v", got)
	}
	if out, _ := run("statements", "show", id); !strings.Contains(out, rows[0].Text) || !strings.Contains(out, "correct") {
		t.Errorf("show:\n%s", out)
	}
	if got := one("statements", "forget", id); got.State != "forgotten" || got.Text != "" {
		t.Errorf("forgotten: %+v", got)
	}
	if got := list("--text", "半夜"); len(got) != 0 {
		t.Errorf("after it was forgotten: %+v", got)
	}
	for want, args := range map[int][]string{exitFailed: {"statements", "show", "none"}, exitUsage: {"statements", "scope", id, "world"}} {
		if out, code := run(args...); code != want || out == "" {
			t.Errorf("%q: %d %q, want %d", args, code, out, want)
		}
	}
	if _, code := run("statements", "pin"); code != exitUsage {
		t.Errorf("without an id: %d", code)
	}
}

// TestCaptureCommand: a line an answer, offsets of the text as given, a bad line
// costs itself.
func TestCaptureCommand(t *testing.T) {
	in := `{"id":"1","text":"😀 密码是 Hunter-Example-22，另外我的时区换成 UTC+2 了"}` + "\n\n" + `{"id":"2","text":"hello"}` + "\nno json\n" + `{"id":"3","text":"this week I'm in Lisbon","at":"2026-02-24T10:00:00Z"}`
	stdin := os.Stdin
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	os.Stdin = r
	defer func() { os.Stdin = stdin }()
	go func() { w.WriteString(in); w.Close() }()
	var out, errs bytes.Buffer
	code := Main([]string{"capture", "--json"}, &out, &errs)
	if code != exitFailed || !strings.Contains(errs.String(), "line 4") {
		t.Errorf("exit code %d, %s", code, errs.String())
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(lines) != 3 {
		t.Fatalf("%q", lines)
	}
	var got [3]captured
	for n, l := range lines {
		if err := json.Unmarshal([]byte(l), &got[n]); err != nil {
			t.Fatal(err)
		}
	}
	text := []rune("😀 密码是 Hunter-Example-22，另外我的时区换成 UTC+2 了")
	if it := got[0].Items; len(it) != 1 || string(text[it[0].Start:it[0].End]) != it[0].Text || it[0].Tag != "O" || it[0].Until != nil {
		t.Errorf("%+v", it)
	}
	if lines[1] != `{"id":"2","items":[]}` {
		t.Errorf("%s", lines[1])
	}
	if it := got[2].Items; len(it) != 1 || it[0].Until == nil || !strings.HasPrefix(*it[0].Until, "2026-03-0") {
		t.Errorf("%+v", it)
	}
}

// TestEvalCaptureCommand measures labelled messages from a file.
func TestEvalCaptureCommand(t *testing.T) {
	file := filepath.Join(t.TempDir(), "labelled.jsonl")
	body := `{"id":"a","lang":"en","text":"from now on use the cheaper model for drafts","expect":[{"tag":"W","span":"from now on use the cheaper model for drafts"}],"note":""}
{"id":"b","lang":"zh","text":"嗯","expect":[],"note":""}
`
	if err := os.WriteFile(file, []byte(body), 0o600); err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	if code := Main([]string{"eval", "capture", file, "--json"}, &out, &errs); code != exitDone {
		t.Fatalf("%d: %s", code, errs.String())
	}
	var got map[string]any
	if err := json.Unmarshal(out.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"recall", "precision", "byTag", "byLanguage", "secretsLeaked", "missed", "false"} {
		if _, ok := got[name]; !ok {
			t.Errorf("there is no %q", name)
		}
	}
	if got["recall"] != 1.0 || got["precision"] != 1.0 {
		t.Errorf("%v", got)
	}
	if err := os.WriteFile(file, []byte("{\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if code := Main([]string{"eval", "capture", file}, &out, &errs); code != exitFailed {
		t.Errorf("a broken file: %d", code)
	}
}
