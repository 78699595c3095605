package openclaw

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"tidemark/backend/memory"
	"tidemark/backend/transcript"
)

func TestDamagedLines(t *testing.T) {
	whole := assistantLine("w1", 10, 1, "0.1")
	record := strings.TrimSpace(whole)
	for _, c := range []struct {
		name, content string
		list          []string
		problems      []string
	}{
		{"two records on one line", headerLine("s") + record + strings.TrimSpace(userLine("u1", "hello")) + "\n", []string{"s/", "s/w1", "s/u1"}, []string{"spliced-line@2"}},
		{"NULs before a record", headerLine("s") + strings.Repeat("\x00", 4096) + whole, []string{"s/", "s/w1"}, []string{"spliced-line@2"}},
		{"NULs alone", headerLine("s") + strings.Repeat("\x00", 4096) + "\n" + whole, []string{"s/", "s/w1"}, []string{"bad-line@2"}},
		{"blank lines keep physical line numbers", headerLine("s") + "\n\r\n  \nundefined\n" + whole, []string{"s/", "s/w1"}, []string{"bad-line@5", "blank-line@0"}},
		{"JSON that is no entry", headerLine("s") + `{"a":1}` + "\n" + `[1,2]` + "\n" + whole, []string{"s/", "s/w1"}, []string{"bad-entry@2", "bad-line@3"}},
		{"entry with a message of a wrong shape", headerLine("s") + `{"type":"message","id":"x","timestamp":"2026-05-10T10:00:00Z","message":"text"}` + "\n", []string{"s/", "s/x"}, []string{"bad-entry@2"}},
		{"unknown type is kept", headerLine("s") + `{"type":"hologram","id":"x","timestamp":"2026-05-10T10:00:00Z"}` + "\n", []string{"s/", "s/x"}, []string{"unknown-type@0"}},
		{"no header", whole, []string{"s/w1"}, []string{"no-header@1"}},
		{"header behind the first entry", whole + headerLine("other"), []string{"s/w1", "other/"}, []string{"no-header@1"}},
		{"header with another id", headerLine("other") + whole, []string{"other/", "other/w1"}, []string{"header-name@1"}},
		{"header with an empty id", `{"type":"session","version":3,"id":"","timestamp":"2026-05-10T00:00:00.000Z"}` + "\n" + whole, []string{"s/", "s/w1"}, []string{"no-header@1"}},
		{"second header", headerLine("s") + whole + headerLine("t") + userLine("u1", "x"), []string{"s/", "s/w1", "t/", "t/u1"}, nil},
		{"CRLF and BOM, no final newline", bom + strings.ReplaceAll(strings.TrimSuffix(headerLine("s")+whole, "\n"), "\n", "\r\n"), []string{"s/", "s/w1"}, nil},
		{"BOM alone", bom, nil, nil},
		{"BOM on a line of its own", bom + "\n" + headerLine("s"), []string{"s/"}, []string{"blank-line@0"}},
		{"empty file", "", nil, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := readAll(t, put(t, filepath.Join(t.TempDir(), "s.jsonl"), c.content))
			wantList(t, "entries", g.list(), c.list)
			wantList(t, "problems", g.codes(), c.problems)
		})
	}
}

// Topics of one session have files of their own, all with the session's id.
func TestTopicFileHasItsSessionsName(t *testing.T) {
	g := readAll(t, put(t, filepath.Join(t.TempDir(), "abc-topic-12.jsonl"), headerLine("abc")+userLine("u", "x")))
	wantList(t, "problems", g.codes(), nil)
	g = readAll(t, put(t, filepath.Join(t.TempDir(), "boot-2026-06-12_01-38-43-539-a2a5aeed.jsonl"), headerLine("abc")+userLine("u", "x")))
	wantList(t, "entries", g.list(), []string{"abc/", "abc/u"})
	wantList(t, "problems", g.codes(), []string{"header-name@1"})
}

// Entries of the oldest version have no ids. Copies of an entry get the same
// one, different entries different ones, however the line ends.
func TestEntriesWithoutIDs(t *testing.T) {
	one := `{"type":"message","timestamp":"2025-12-01T10:00:00.000Z","message":{"role":"user","content":"one"}}`
	two := `{"type":"message","timestamp":"2025-12-01T10:00:01.000Z","message":{"role":"user","content":"two"}}`
	header := `{"type":"session","id":"s","timestamp":"2025-12-01T10:00:00.000Z"}`
	dir := t.TempDir()
	a := readAll(t, put(t, filepath.Join(dir, "s.jsonl"), header+"\n"+one+"\n"+two+"\n"+one+"\n"))
	b := readAll(t, put(t, filepath.Join(dir, "s.jsonl.reset.2026-01-01T00-00-00.000Z"), header+"\r\n"+two+"\r\n"+one))
	ids := a.list()
	if ids[1] == ids[2] || ids[1] != ids[3] || !strings.HasPrefix(ids[1], "s/~") {
		t.Errorf("ids %q", ids)
	}
	wantList(t, "ids of the copy", b.list(), []string{"s/", ids[2], ids[1]})
}

// A line that is half written is no error: it waits for its end and then
// counts once.
func TestHalfWrittenLine(t *testing.T) {
	line := userLine("u1", "what is kept")
	for cut := 1; cut < len(line); cut += 13 {
		path := put(t, filepath.Join(t.TempDir(), "s.jsonl"), headerLine("s")+line[:cut])
		first := readAll(t, path)
		wantList(t, "problems", first.codes(), nil)
		appendTo(t, path, line[cut:]+userLine("u2", "next"))
		second := readFrom(t, path, first.last(), Options{Texts: true})
		wantList(t, "problems", second.codes(), nil)
		want := []string{"s/u1", "s/u2"}
		if got := second.list(); !slices.Equal(got, want) {
			t.Fatalf("cut at %d: then %q, want %q", cut, got, want)
		}
		if cut < len(line)-1 && len(first.entries) != 1 {
			t.Fatalf("cut at %d: %q was yielded before its end", cut, first.list())
		}
	}
}

// In an archive no more comes: what stands behind the last line is judged.
func TestHalfWrittenLineOfAnArchive(t *testing.T) {
	line := userLine("u1", "never finished")
	path := put(t, filepath.Join(t.TempDir(), "s.jsonl.reset.2026-05-11T04-58-33.868Z"), headerLine("s")+line[:60])
	wantList(t, "problems", readAll(t, path).codes(), []string{"partial-line@2"})
	path = put(t, filepath.Join(t.TempDir(), "s.jsonl.reset.2026-05-11T04-58-33.868Z"), headerLine("s")+strings.TrimSuffix(line, "\n"))
	g := readAll(t, path)
	wantList(t, "entries", g.list(), []string{"s/", "s/u1"})
	wantList(t, "problems", g.codes(), nil)
}

// Whole history arrives once, however often it is looked at while it grows.
func TestReadingOnByOn(t *testing.T) {
	path := put(t, filepath.Join(t.TempDir(), "s.jsonl"), "")
	var content strings.Builder
	content.WriteString(headerLine("s"))
	for i := range 60 {
		content.WriteString(userLine(fmt.Sprintf("u%d", i), strings.Repeat("x", i*37)))
	}
	whole := content.String()
	var got []string
	cp := memory.Checkpoint{}
	for at, step := 0, 1; at < len(whole); step = step*5%997 + 1 {
		n := min(step, len(whole)-at)
		appendTo(t, path, whole[at:at+n])
		at += n
		g := readFrom(t, path, cp, Options{})
		wantList(t, "problems", g.codes(), nil)
		got, cp = append(got, g.list()...), g.last()
	}
	// A line whose end has not come may be given twice: it is one by its id.
	if got = slices.Compact(got); len(got) != 61 || got[60] != "s/u59" {
		t.Errorf("%d entries: %q", len(got), got)
	}
	if cp.Line != 61 || cp.Offset != int64(len(whole)) {
		t.Errorf("checkpoint %+v", cp)
	}
}

// A checkpoint that covers little new must fit the next time, too.
func TestSmallAppendsAreNoRewrite(t *testing.T) {
	path := put(t, filepath.Join(t.TempDir(), "s.jsonl"), headerLine("s")+userLine("u0", strings.Repeat("long ", 1000)))
	g := readAll(t, path)
	for i := range 5 {
		id := fmt.Sprintf("v%d", i)
		appendTo(t, path, userLine(id, "short"))
		g = readFrom(t, path, g.last(), Options{})
		wantList(t, "entries", g.list(), []string{"s/" + id})
		wantList(t, "problems", g.codes(), nil)
	}
}

func TestFilesThatChangeBetweenTwoLooks(t *testing.T) {
	const name = "5f0c1f6e-0000-4000-8000-000000000001"
	old := headerLine(name)
	for i := range 40 {
		old += userLine(fmt.Sprintf("u%d", i), strings.Repeat("before ", 20))
	}
	lines := strings.SplitAfter(old, "\n")
	rest := strings.Join(lines[21:], "")
	rewritten := "rewritten@0"
	for _, c := range []struct {
		name     string
		change   func(t *testing.T, path string)
		list     []string // "" for anything
		first    string
		count    int
		problems []string
	}{
		{"nothing", func(*testing.T, string) {}, nil, "", 0, nil},
		{"appended", func(t *testing.T, p string) { appendTo(t, p, userLine("new", "x")) }, nil, name + "/new", 1, nil},
		{"replaced by a copy with more", func(t *testing.T, p string) {
			put(t, p+".tmp", old+userLine("new", "x"))
			rename(t, p+".tmp", p)
		}, nil, name + "/new", 1, nil},
		{"replaced by a shorter one", func(t *testing.T, p string) {
			put(t, p+".tmp", headerLine(name)+userLine("new", "x"))
			rename(t, p+".tmp", p)
		}, nil, name + "/", 2, []string{rewritten}},
		{"replaced by a longer one", func(t *testing.T, p string) {
			put(t, p+".tmp", headerLine(name)+strings.Repeat(userLine("new", "other words"), 100))
			rename(t, p+".tmp", p)
		}, nil, name + "/", 101, []string{rewritten}},
		{"cut in place", func(t *testing.T, p string) { put(t, p, headerLine(name)) }, nil, name + "/", 1, []string{rewritten}},
		{"emptied", func(t *testing.T, p string) { put(t, p, "") }, nil, "", 0, []string{rewritten}},
		{"cut to its last lines, without the header", func(t *testing.T, p string) { put(t, p, rest) }, nil, name + "/u20", 20, []string{rewritten, "no-header@1"}},
		{"renamed, and a new one of the same name", func(t *testing.T, p string) {
			rename(t, p, p+".reset.2026-05-11T04-58-33.868Z")
			put(t, p, headerLine("another")+userLine("new", "x"))
		}, nil, "another/", 2, []string{rewritten, "header-name@1"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := put(t, filepath.Join(t.TempDir(), name+".jsonl"), old)
			cp := readAll(t, path).last()
			c.change(t, path)
			g := readFrom(t, path, cp, Options{})
			wantList(t, "problems", g.codes(), c.problems)
			if len(g.entries) != c.count || c.count > 0 && g.list()[0] != c.first {
				t.Errorf("%d entries from %q, want %d from %q", len(g.entries), g.list(), c.count, c.first)
			}
			again := readFrom(t, path, g.last(), Options{})
			if len(again.entries) > 0 || len(again.problems) > 0 {
				t.Errorf("read once more: %q, %q", again.list(), again.codes())
			}
		})
	}
}

func rename(t testing.TB, from, to string) {
	t.Helper()
	if err := os.Rename(from, to); err != nil {
		t.Fatal(err)
	}
}

// A transcript whose header was cut off keeps the session id that it had,
// also where the file's name is another one.
func TestHeaderCutOffKeepsTheSession(t *testing.T) {
	path := put(t, filepath.Join(t.TempDir(), "boot-2026.jsonl"), headerLine("real")+userLine("u1", "x")+userLine("u2", "y"))
	cp := readAll(t, path).last()
	put(t, path, userLine("u2", "y")+userLine("u3", "z"))
	g := readFrom(t, path, cp, Options{})
	wantList(t, "entries", g.list(), []string{"real/u2", "real/u3"})
	wantList(t, "problems", g.codes(), []string{"rewritten@0", "no-header@1"})
	if g.last().Session != "real" {
		t.Errorf("checkpoint names session %q", g.last().Session)
	}
}

// The kind of the last prompt is kept from one look to the next, since what a
// model answers to a scheduled prompt nobody asked for.
func TestPromptIsKeptBetweenTwoLooks(t *testing.T) {
	path := put(t, filepath.Join(t.TempDir(), "s.jsonl"), headerLine("s")+userLine("u1", "Read HEARTBEAT.md if it exists"))
	g := readAll(t, path)
	appendTo(t, path, assistantLine("a1", 1, 1, "0")+userLine("u2", "thanks")+assistantLine("a2", 1, 1, "0"))
	var prompts []transcript.Prompt
	for _, e := range readFrom(t, path, g.last(), Options{}).entries {
		prompts = append(prompts, transcript.Prompt(e.at.Prompt))
	}
	if want := []transcript.Prompt{transcript.PromptHeartbeat, transcript.PromptPerson, transcript.PromptPerson}; !slices.Equal(prompts, want) {
		t.Errorf("prompts %v, want %v", prompts, want)
	}
}

// Commits come now and then, each at a place from which reading goes on to the
// same end; only the last one says that the file was read to its end.
func TestCommitsOfALargeFile(t *testing.T) {
	var b strings.Builder
	b.WriteString(headerLine("s"))
	for i := range 3 * commitEvery {
		b.WriteString(userLine(fmt.Sprintf("u%d", i), "x"))
	}
	path := put(t, filepath.Join(t.TempDir(), "s.jsonl"), b.String())
	g := readFrom(t, path, memory.Checkpoint{}, Options{})
	if len(g.commits) != 4 {
		t.Fatalf("%d commits, want 4", len(g.commits))
	}
	for i, cp := range g.commits {
		last := i == len(g.commits)-1
		if last != (cp.Stamp != memory.Stamp{}) {
			t.Errorf("commit %d has stamp %+v", i, cp.Stamp)
		}
		rest := readFrom(t, path, cp, Options{})
		wantList(t, "problems", rest.codes(), nil)
		if got, want := len(rest.entries), 3*commitEvery+1-cp.Line; got != want {
			t.Errorf("from commit %d: %d entries, want %d", i, got, want)
		}
		if end := rest.last(); end.Sum != g.last().Sum || end.Offset != g.last().Offset {
			t.Errorf("from commit %d the end is %+v, want %+v", i, rest.last(), g.last())
		}
	}
}

func TestReadingEndsWithItsContextOrSink(t *testing.T) {
	path := put(t, filepath.Join(t.TempDir(), "s.jsonl"), headerLine("s")+strings.Repeat(userLine("u", "x"), 3*commitEvery))
	full := errors.New("disk full")
	g := &gathered{failAt: 5, fail: full}
	if err := Read(context.Background(), sourceOf(t, path), memory.Checkpoint{}, Options{}, g); !errors.Is(err, full) || len(g.commits) > 0 {
		t.Errorf("error %v after %d commits, want %v", err, len(g.commits), full)
	}
	ctx, cancel := context.WithCancel(context.Background())
	g = &gathered{onCommit: cancel}
	if err := Read(ctx, sourceOf(t, path), memory.Checkpoint{}, Options{}, g); !errors.Is(err, context.Canceled) || len(g.commits) != 1 {
		t.Errorf("error %v after %d commits, want %v after one", err, len(g.commits), context.Canceled)
	}
	// A file without a single entry ends as well.
	garbage := put(t, filepath.Join(t.TempDir(), "g.jsonl"), strings.Repeat("garbage\n", 100_000))
	if err := Read(ctx, sourceOf(t, garbage), memory.Checkpoint{}, Options{}, new(gathered)); !errors.Is(err, context.Canceled) {
		t.Errorf("garbage: error %v, want %v", err, context.Canceled)
	}
}

// Much damage is listed to a bound, and counted beyond it.
func TestMuchDamageIsBounded(t *testing.T) {
	var b strings.Builder
	b.WriteString(headerLine("s"))
	for i := range 1000 {
		fmt.Fprintf(&b, "undefined\n%s{\"type\":\"kind%d\",\"id\":\"k%d\",\"timestamp\":\"2026-05-10T10:00:00Z\"}\n", assistantLine(fmt.Sprintf("n%d", i), -1, 1, "-1"), i, i)
	}
	g := readAll(t, put(t, filepath.Join(t.TempDir(), "s.jsonl"), b.String()))
	lines, total, kinds := map[int]bool{}, 0, 0
	for _, p := range g.problems {
		if p.Code == memory.ProblemUnknownType {
			kinds++
			continue
		}
		total += p.Count
		lines[p.Line] = true
	}
	if total != 2000 || len(lines) > maxReported+1 || kinds > maxTypes+1 {
		t.Errorf("%d problems on %d lines, %d kinds", total, len(lines), kinds)
	}
	if len(g.entries) != 2001 {
		t.Errorf("%d entries", len(g.entries))
	}
}

// What is no regular file is never opened: a pipe would make the reader wait.
func TestOnlyRegularFilesAreOpened(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("skipped: links need rights on Windows")
	}
	dir := t.TempDir()
	put(t, filepath.Join(dir, "home", "auth-profiles.json"), `{"token":"x"}`)
	put(t, filepath.Join(dir, "elsewhere", "x.jsonl"), headerLine("x"))
	link := func(target, name string) string {
		path := filepath.Join(dir, name)
		if err := os.Symlink(target, path); err != nil {
			t.Fatal(err)
		}
		return path
	}
	read := func(path string) error {
		return Read(context.Background(), memory.Source{Kind: memory.SourceLive, Path: path, Base: filepath.Base(path)}, memory.Checkpoint{}, Options{}, new(gathered))
	}
	if err := read(dir); !errors.Is(err, errNotRegular) {
		t.Errorf("folder: %v", err)
	}
	if err := read(link(filepath.Join(dir, "home", "auth-profiles.json"), "a.jsonl")); !errors.Is(err, errCredentials) {
		t.Errorf("link to credentials: %v", err)
	}
	if err := read(link(filepath.Join(dir, "elsewhere", "x.jsonl"), "b.jsonl")); err != nil {
		t.Errorf("link to a transcript: %v", err)
	}
	if err := read(link(filepath.Join(dir, "nowhere"), "c.jsonl")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("dangling link: %v", err)
	}
}

// Reading needs little memory, however large the file is.
func TestMemoryOfALargeSession(t *testing.T) {
	if testing.Short() || underRace {
		t.Skip("skipped: reads 200 MB")
	}
	g := &generated{head: headerLine("s"), unit: userLine("u", strings.Repeat("words ", 300)), left: 200 << 20}
	peak := watchHeap(g)
	var n counting
	r := reading{ctx: context.Background(), src: memory.Source{Kind: memory.SourceLive, Path: "s.jsonl", Base: "s.jsonl"}, sink: &n, dec: transcript.Decoder{Texts: true}}
	if err := r.from(peak, memory.Checkpoint{}, nil); err != nil {
		t.Fatal(err)
	}
	if n.entries < 90_000 || peak.max > 32<<20 {
		t.Errorf("%d entries with %d MB of heap", n.entries, peak.max>>20)
	}
}

// counting is a sink that keeps nothing.
type counting struct{ entries, commits, problems int }

func (c *counting) Entry(string, *memory.Event, memory.Place) error { c.entries++; return nil }
func (c *counting) Commit(memory.Checkpoint) error                  { c.commits++; return nil }
func (c *counting) Problem(memory.Problem)                          { c.problems++ }
