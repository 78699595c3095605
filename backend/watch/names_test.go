package watch

import (
	"path/filepath"
	"testing"

	"tidemark/backend/openclaw"
)

func TestSplit(t *testing.T) {
	for _, c := range []struct{ path, goos, dir, name string }{
		{"/a/b.jsonl", "linux", "/a", "b.jsonl"},
		{`/a/b\c.md`, "linux", "/a", `b\c.md`},
		{"/a", "linux", "/", "a"},
		{"a", "linux", "", "a"},
		{`C:\Users\Administrator\.qclaw\memory\2026-11-30.md`, "windows", `C:\Users\Administrator\.qclaw\memory`, "2026-11-30.md"},
		{`C:/Users/码农/MEMORY.md`, "windows", `C:/Users/码农`, "MEMORY.md"},
		{`C:\Users/码农\sessions/a.jsonl`, "windows", `C:\Users/码农\sessions`, "a.jsonl"},
		{`C:\openclaw.json`, "windows", `C:\`, "openclaw.json"},
		{`\\host\share\a.md`, "windows", `\\host\share`, "a.md"},
	} {
		if dir, name := split(c.path, c.goos); dir != c.dir || name != c.name {
			t.Errorf("split(%q, %s) = %q, %q; want %q, %q", c.path, c.goos, dir, name, c.dir, c.name)
		}
	}
}

// TestNames covers cases 114 and 118 among others: locks are ignored, however
// their names spell the key of a session.
func TestNames(t *testing.T) {
	everything := want{all: true}
	for _, c := range []struct{ folder, name, told string }{
		{"sessions", "a.jsonl", "a.jsonl"},
		{"sessions", "A.JSONL", "A.JSONL"},
		{"sessions", "a-topic-7.jsonl", "a-topic-7.jsonl"},
		{"sessions", "a.jsonl.zst", "a.jsonl.zst"},
		{"sessions", "a.jsonl.reset.2026-02-24T10-11-12.345Z", "a.jsonl.reset.2026-02-24T10-11-12.345Z"},
		{"sessions", "a.jsonl.deleted.2026-02-24T10-11-12.345Z.zst", "a.jsonl.deleted.2026-02-24T10-11-12.345Z.zst"},
		{"session-sqlite-import-archive", "agent_main_main.a.jsonl.imported-1", "agent_main_main.a.jsonl.imported-1"},
		{"sessions", "agent:main:main.jsonl", "agent:main:main.jsonl"},
		{"sessions", "agent:main:main.jsonl.lock", ""},
		{"sessions", "agent_main_main.jsonl.lock", ""},
		{"sessions", "agent%3Amain%3Amain.jsonl.lock", ""},
		{"sessions", "a.jsonl.lock", ""},
		{"sessions", "a.jsonl.LOCK", ""},
		{"sessions", "a.jsonl.bak.1772000000000", ""},
		{"sessions", "a.trajectory.jsonl", ""},
		{"sessions", "a.checkpoint.0b54a1c2-0000-4000-8000-000000000000.jsonl", ""},
		{"sessions", "sessions.json", "sessions.json"},
		{"sessions", "sessions.json.4711.0b54.tmp", ""},
		{"sessions", "sessions.json.lock", ""},
		{"agent", "openclaw-agent.sqlite", "openclaw-agent.sqlite"},
		{"agent", "openclaw-agent.sqlite-wal", "openclaw-agent.sqlite"},
		{"agent", "openclaw-agent.sqlite-journal", "openclaw-agent.sqlite"},
		{"agent", "openclaw-agent.sqlite-shm", ""},
		{"agent", "auth-profiles.json", ""},
		{".openclaw", "openclaw.json", "openclaw.json"},
		{".openclaw", "openclaw.json.last-good", "openclaw.json.last-good"},
		{".openclaw", "openclaw.json5", "openclaw.json5"},
		{".clawdbot", "clawdbot.json", "clawdbot.json"},
		{"cron", "jobs.json", "jobs.json"},
		{"cron", "jobs.json.migrated", "jobs.json.migrated"},
		{"cron", "jobs.json.tmp", ""},
		{"other", "jobs.json", ""},
		{"memory", "2026-11-30.md", "2026-11-30.md"},
		{"memory", "用户.md", "用户.md"},
		{"memory", "2026-11-30.md~", ""},
		{"memory", ".#2026-11-30.md", ""},
		{"memory", ".2026-11-30.md.swp", ""},
		{"memory", "photo.png", ""},
	} {
		if told := everything.file(filepath.Join("/x", c.folder), c.name); told != c.told {
			t.Errorf("%s/%s is told as %q, want %q", c.folder, c.name, told, c.told)
		}
	}
}

// TestNamedFiles has a root of one file, whatever it is called.
func TestNamedFiles(t *testing.T) {
	w := want{names: map[string]bool{"include.json5": true, "main.db": true}}
	for name, told := range map[string]string{
		"include.json5": "include.json5", "main.db": "main.db", "main.db-wal": "main.db", "main.db-shm": "", "a.jsonl": "", "include.json5.tmp": "",
	} {
		if got := w.file("/x", name); got != told {
			t.Errorf("%s is told as %q, want %q", name, got, told)
		}
	}
}

// TestSourcesMatter keeps the names here from falling behind those that are
// read as history.
func TestSourcesMatter(t *testing.T) {
	dir := t.TempDir()
	names := []string{
		"sessions/a.jsonl", "sessions/b.jsonl.zst", "sessions/c.jsonl.reset.2026-02-24T10-11-12.345Z", "sessions/d.jsonl.deleted.1.zst",
		"sessions/cold/0123abcd.jsonl.zst", "sessions/agent:main:main.jsonl", "session-sqlite-import-archive/agent_main_main.e.jsonl",
		"sessions/session-sqlite-import-archive/f.jsonl.imported-2", "agent/openclaw-agent.sqlite",
	}
	for _, n := range names {
		write(t, filepath.Join(dir, n), "{}")
	}
	a := openclaw.Agent{ID: "main", SessionsDir: filepath.Join(dir, "sessions"), Database: filepath.Join(dir, "agent", "openclaw-agent.sqlite")}
	sources, problems := a.Sources()
	if len(problems) > 0 || len(sources) != len(names) {
		t.Fatalf("%d sources of %d, problems %v", len(sources), len(names), problems)
	}
	for _, s := range sources {
		if (want{all: true}).file(filepath.Dir(s.Path), filepath.Base(s.Path)) == "" {
			t.Errorf("%s is read but does not matter here", s.Path)
		}
	}
}

// FuzzNames wants that no name is told as one with a separator or as itself with
// more.
func FuzzNames(f *testing.F) {
	for _, s := range []string{"a.jsonl", "x.sqlite-wal", "agent:main:main.jsonl.lock", "-wal", ".jsonl", ""} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, name string) {
		told := want{all: true}.file("/x/cron", name)
		if len(told) > len(name) || told != name[:len(told)] {
			t.Errorf("%q is told as %q", name, told)
		}
		if dir, last := split(name, "windows"); len(dir)+len(last) > len(name) {
			t.Errorf("split(%q) = %q, %q", name, dir, last)
		}
	})
}
