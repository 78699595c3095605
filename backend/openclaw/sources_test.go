package openclaw

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"tidemark/backend/memory"
)

func TestClassify(t *testing.T) {
	const uuid = "765c65de-9517-4414-8e44-b6f9830e70dc"
	const ts = "2026-02-24T10-11-12.345Z"
	for _, c := range []struct {
		name string
		kind memory.SourceKind
		base string
	}{
		{uuid + ".jsonl", memory.SourceLive, uuid + ".jsonl"},
		{uuid + "-topic-42.jsonl", memory.SourceLive, uuid + "-topic-42.jsonl"},
		{uuid + "-topic-%D0%B0.jsonl", memory.SourceLive, uuid + "-topic-%D0%B0.jsonl"},
		{"boot-2026-06-12_01-38-43-539-a2a5aeed.jsonl", memory.SourceLive, "boot-2026-06-12_01-38-43-539-a2a5aeed.jsonl"},
		{"a.b.jsonl", memory.SourceLive, "a.b.jsonl"},
		{uuid + ".jsonl.reset." + ts, memory.SourceReset, uuid + ".jsonl"},
		{uuid + ".jsonl.reset." + ts + ".zst", memory.SourceReset, uuid + ".jsonl"},
		{uuid + ".jsonl.reset." + ts + ".8f3a.zst", memory.SourceReset, uuid + ".jsonl"},
		{uuid + ".jsonl.deleted." + ts, memory.SourceDeleted, uuid + ".jsonl"},
		{uuid + ".jsonl.deleted." + ts + ".zst", memory.SourceDeleted, uuid + ".jsonl"},
		{uuid + ".jsonl.deleted." + ts + ".n0nce.zst", memory.SourceDeleted, uuid + ".jsonl"},
		{uuid + "-topic-7.jsonl.deleted." + ts, memory.SourceDeleted, uuid + "-topic-7.jsonl"},
		{uuid + ".jsonl.zst", memory.SourcePacked, uuid + ".jsonl"},
	} {
		if kind, base, ok := classify(c.name, false); !ok || kind != c.kind || base != c.base {
			t.Errorf("%s: %v %q %v, want %v %q", c.name, kind, base, ok, c.kind, c.base)
		}
	}
	for _, c := range []struct {
		name string
		kind memory.SourceKind
		base string
	}{
		{"agent_main_main." + uuid + ".jsonl.imported-1796069313856", memory.SourceImported, uuid + ".jsonl"},
		{"agent_main_main." + uuid + ".jsonl", memory.SourceImported, uuid + ".jsonl"},
		{uuid + ".jsonl", memory.SourceImported, uuid + ".jsonl"},
		{uuid + ".jsonl.zst", memory.SourceImported, uuid + ".jsonl"},
		{uuid + ".jsonl.imported-1796069313856", memory.SourceImported, uuid + ".jsonl"},
		{"agent_main_main.jsonl.imported-1", memory.SourceImported, "agent_main_main.jsonl"},
		{uuid + ".jsonl.reset." + ts, memory.SourceReset, uuid + ".jsonl"},
		{uuid + ".jsonl.deleted." + ts + ".zst", memory.SourceDeleted, uuid + ".jsonl"},
	} {
		if kind, base, ok := classify(c.name, true); !ok || kind != c.kind || base != c.base {
			t.Errorf("imported %s: %v %q %v, want %v %q", c.name, kind, base, ok, c.kind, c.base)
		}
	}
}

func TestClassifyLeavesOut(t *testing.T) {
	for _, name := range []string{
		"", "sessions.json", "sessions.json.lock", "sessions.json.bak.1778475513868", "sessions.json.1234.abcd.tmp", ".jsonl", "a.json", "a.jsonlx", "a.jsonl.lock",
		"agent:main:main.jsonl.lock", "a.jsonl.bak", "a.jsonl.bak.2026-02-24T10-11-12.345Z", "a.jsonl.bak-1778475513868", "a.jsonl.tmp", "a.jsonl.1234.tmp",
		"a.checkpoint.0f0f0f0f-1111-4222-8333-444444444444.jsonl", "a.checkpoint.0f0f0f0f-1111-4222-8333-444444444444.jsonl.zst",
		"a.checkpoint.0f0f0f0f-1111-4222-8333-444444444444.jsonl.deleted.2026-02-24T10-11-12.345Z",
		"a.trajectory.jsonl", "a.trajectory.jsonl.deleted.2026-02-24T10-11-12.345Z", "a.trajectory-path.json",
		"a.jsonl.reset.2026-02-24T10-11-12.345Z.zst.tmp", "a.jsonl.deleted.2026-02-24T10-11-12.345Z.lock", "a.jsonl.deleted.2026-02-24T10-11-12.345Z.part",
		"a.jsonl~", "a.jsonl.reset.2026-02-24T10-11-12.345Z~", "a.jsonl.gz", "a.jsonl.old",
	} {
		for _, imported := range []bool{false, true} {
			if kind, base, ok := classify(name, imported); ok {
				t.Errorf("%q (imported %v) is taken for %v %q", name, imported, kind, base)
			}
		}
	}
}

// sourceNames gives sources as "kind path", the path relative to dir.
func sourceNames(t testing.TB, dir string, sources []memory.Source) (names []string) {
	t.Helper()
	for _, s := range sources {
		rel, err := filepath.Rel(dir, s.Path)
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, s.Kind.String()+" "+filepath.ToSlash(rel))
		if s.Agent != "main" || s.Stamp.Size == 0 || s.Stamp.MTime == 0 {
			t.Errorf("%s lacks something: %+v", rel, s)
		}
	}
	return names
}

func TestSourcesOfEveryPlace(t *testing.T) {
	dir := t.TempDir()
	for _, path := range []string{
		"agent/openclaw-agent.sqlite", "agent/openclaw-agent.sqlite-wal", "sessions/b.jsonl", "sessions/a.jsonl", "sessions/a.jsonl.reset.2026-02-24T10-11-12.345Z",
		"sessions/sessions.json", "sessions/z.jsonl.zst", "sessions/cold/00ff.jsonl.zst", "sessions/cold/readme.txt", "sessions/sub/c.jsonl", "sessions/folder.jsonl/x",
		"session-sqlite-import-archive/agent_main_main.o.jsonl.imported-1", "sessions/session-sqlite-import-archive/p.jsonl", "other/d.jsonl",
	} {
		put(t, filepath.Join(dir, filepath.FromSlash(path)), "x")
	}
	a := Agent{ID: "main", SessionsDir: filepath.Join(dir, "sessions"), Database: filepath.Join(dir, "agent", "openclaw-agent.sqlite")}
	sources, problems := a.Sources()
	if len(problems) > 0 {
		t.Error(problems)
	}
	wantList(t, "sources", sourceNames(t, dir, sources), []string{
		"sqlite agent/openclaw-agent.sqlite", "jsonl sessions/a.jsonl", "jsonl sessions/b.jsonl",
		"imported session-sqlite-import-archive/agent_main_main.o.jsonl.imported-1", "reset sessions/a.jsonl.reset.2026-02-24T10-11-12.345Z",
		"cold sessions/cold/00ff.jsonl.zst", "imported sessions/session-sqlite-import-archive/p.jsonl", "packed sessions/z.jsonl.zst",
	})
	if sources[0].Stamp.Wal != 1 || sources[0].Stamp.WalAt == 0 {
		t.Errorf("the stamp leaves the write-ahead log out: %+v", sources[0].Stamp)
	}
}

func TestSourcesOfAnAgentWithNothing(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(put(t, filepath.Join(dir, "cwd", "cold", "x.jsonl"), "x")[:len(filepath.Join(dir, "cwd"))])
	for _, a := range []Agent{{ID: "main"}, {ID: "main", SessionsDir: filepath.Join(dir, "none"), Database: filepath.Join(dir, "none.sqlite")}} {
		if sources, problems := a.Sources(); len(sources) > 0 || len(problems) > 0 {
			t.Errorf("%+v: %v, %v", a, sources, problems)
		}
	}
}

func TestSourcesBehindLinks(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("skipped: links need rights on Windows")
	}
	dir := t.TempDir()
	sessions := filepath.Join(dir, "sessions")
	put(t, filepath.Join(dir, "elsewhere", "real.jsonl"), "x")
	put(t, filepath.Join(sessions, "a.jsonl"), "x")
	for link, target := range map[string]string{
		"linked.jsonl": filepath.Join(dir, "elsewhere", "real.jsonl"), "folder.jsonl": filepath.Join(dir, "elsewhere"),
		"dangling.jsonl": filepath.Join(dir, "nowhere"), "loop.jsonl": filepath.Join(sessions, "loop.jsonl"),
	} {
		if err := os.Symlink(target, filepath.Join(sessions, link)); err != nil {
			t.Fatal(err)
		}
	}
	sources, problems := Agent{ID: "main", SessionsDir: sessions}.Sources()
	wantList(t, "sources", sourceNames(t, dir, sources), []string{"jsonl sessions/a.jsonl", "jsonl sessions/linked.jsonl"})
	if len(problems) != 1 || problems[0].Code != memory.ProblemUnreadable || !strings.HasSuffix(problems[0].Path, "loop.jsonl") {
		t.Errorf("problems %v", problems)
	}
	// A sessions folder may itself be a link.
	if err := os.Symlink(sessions, filepath.Join(dir, "moved")); err != nil {
		t.Fatal(err)
	}
	if sources, _ := (Agent{ID: "main", SessionsDir: filepath.Join(dir, "moved")}).Sources(); len(sources) != 2 {
		t.Errorf("behind a linked folder: %v", sources)
	}
}

func TestSourcesWhereAFolderIsAFile(t *testing.T) {
	dir := t.TempDir()
	_, problems := Agent{ID: "main", SessionsDir: put(t, filepath.Join(dir, "sessions"), "x")}.Sources()
	// Windows says of a file that it is not there when asked for its content.
	if runtime.GOOS != "windows" && (len(problems) == 0 || problems[0].Code != memory.ProblemUnreadable || problems[0].Hint == "") {
		t.Errorf("problems %v", problems)
	}
	if strings.Contains(strings.Join(messages(problems), " "), dir) {
		t.Errorf("the path is named twice: %q", messages(problems))
	}
}

func TestSourcesOpensNoFile(t *testing.T) {
	dir := t.TempDir()
	sessions := filepath.Join(dir, "sessions")
	for _, c := range caseFiles() {
		if len(c.content) < 1<<20 {
			put(t, filepath.Join(sessions, c.name), c.content)
		}
	}
	before := entriesBelow(t, dir)
	opened := opensBelow(t, dir, func() { Agent{ID: "main", SessionsDir: sessions}.Sources() })
	if len(opened) > 0 {
		t.Errorf("opened %q", opened)
	}
	if after := entriesBelow(t, dir); !slices.Equal(before, after) {
		t.Errorf("changed: %q, was %q", after, before)
	}
}

// entriesBelow lists everything below a folder.
func entriesBelow(t testing.TB, root string) (found []string) {
	t.Helper()
	err := filepath.WalkDir(root, func(path string, _ os.DirEntry, err error) error {
		found = append(found, path)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}
