package engine

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tidemark/backend/api"
)

// both gives what the index and the tally say of a world.
func both(w *world) map[string]api.Scan {
	return map[string]api.Scan{"index": w.open().scan(), "tally": w.tally()}
}

// TestA1: a database without any transcript file says what its twin in JSONL
// says.
func TestA1DatabaseAlone(t *testing.T) {
	lines := []string{head("s", 0), said("u1", "", 1, "hello"), reply("a1", "u1", 2, 100, 10, "0.01"), said("u2", "a1", 3, "and?"), reply("a2", "u2", 4, 200, 20, "0.02"), compacted("c1", "a2", 5, "u2", "they said hello")}
	files, rows := newWorld(t), newWorld(t)
	files.lines(S("s.jsonl"), lines...)
	db := rows.database("main")
	db.window("s", "agent:main:main")
	db.plain("s", lines...)
	db.close()
	a, b := files.open().scan(), rows.open().scan()
	equal(t, "eras", fmt.Sprint(b.Agents[0].Eras), "[sqlite]")
	for _, s := range []*api.Scan{&a, &b} {
		s.Agents, s.ElapsedMs = nil, 0
	}
	if fmt.Sprint(a) != fmt.Sprint(b) {
		t.Errorf("files say\n%v\nrows say\n%v", a, b)
	}
	equal(t, "messages", b.Messages, 4)
	equal(t, "compactions", b.Compactions, 1)
}

// TestA2: copies of a session beside its database count once.
func TestA2CopiesBesideTheDatabase(t *testing.T) {
	w := newWorld(t)
	lines := []string{head("a", 0), said("u1", "", 1, "hello"), reply("a1", "u1", 2, 100, 10, "0.01")}
	db := w.database("main")
	db.window("a", "agent:main:main")
	db.plain("a", lines...)
	db.close()
	w.lines("agents/main/session-sqlite-import-archive/a.jsonl", lines...)
	w.lines(S("session-sqlite-import-archive/a.jsonl"), lines...)
	w.lines(S("a.jsonl.deleted.2026-05-11T04-58-33.868Z"), lines...)
	for name, s := range both(w) {
		equal(t, name+": sessions", s.Sessions, 1)
		equal(t, name+": messages", s.Messages, 2)
		equal(t, name+": input", s.Tokens.Input, 100)
		money(t, name, s.Cost.USD, 0.01)
	}
}

// TestA3: one session in all three places, of which none has everything: what
// any of them has counts, once. Tables for search and traces do not count.
func TestA3ThreePlaces(t *testing.T) {
	w := newWorld(t)
	all := []string{head("a", 0), said("u1", "", 1, "one"), reply("a1", "u1", 2, 100, 10, "0.01"), said("u2", "a1", 3, "two"), reply("a2", "u2", 4, 200, 20, "0.02"), reply("a3", "a2", 5, 400, 40, "0.04")}
	db := w.database("main")
	db.window("a", "agent:main:main")
	db.plain("a", all[:5]...)
	db.run("INSERT INTO session_transcript_fts_rows VALUES('a', ?)", all[2])
	db.close()
	w.lines(S("a.jsonl"), all[:4]...)
	w.lines(S("a.trajectory.jsonl"), reply("t1", "", 9, 9999, 1, "9"))
	w.lines("agents/main/session-sqlite-import-archive/agent_main_main.a.jsonl.imported-1796069313858", all...)
	for name, s := range both(w) {
		equal(t, name+": sessions", s.Sessions, 1)
		equal(t, name+": messages", s.Messages, 5)
		equal(t, name+": input", s.Tokens.Input, 700)
		money(t, name, s.Cost.USD, 0.07)
	}
}

// TestA3DatabaseElsewhere: the shared database names where an agent's own is.
func TestA3DatabaseElsewhere(t *testing.T) {
	w := newWorld(t)
	db := w.database("helper")
	db.plain("h", head("h", 0), reply("a1", "", 1, 300, 30, "0.03"))
	db.close()
	w.move(databaseFile("helper"), "elsewhere/helper.sqlite")
	w.remove("agents/helper")
	w.registry("helper", "elsewhere/helper.sqlite")
	for name, s := range both(w) {
		equal(t, name+": input", s.Tokens.Input, 300)
	}
}

// TestA3LogCounts: a row that is in the write-ahead log alone is seen.
func TestA3LogCounts(t *testing.T) {
	w := newWorld(t)
	db := w.database("main")
	db.plain("a", head("a", 0), reply("a1", "", 1, 100, 10, "0.01"))
	e := w.open()
	equal(t, "input", e.scan().Tokens.Input, 100)
	db.plain("a", reply("a2", "a1", 2, 200, 20, "0.02"))
	equal(t, "input with the log", e.scan().Tokens.Input, 300)
	equal(t, "input without an index", w.tally().Tokens.Input, 300)
	db.close()
	equal(t, "input after a checkpoint", e.scan().Tokens.Input, 300)
}

// TestA4: compressed archives are read, and damaged ones say so.
func TestA4CompressedArchives(t *testing.T) {
	w := newWorld(t)
	text := func(id string, in int64) string {
		return head(id, 0) + "\n" + reply(id+"1", "", 1, in, 1, "0.01") + "\n"
	}
	w.write(S("a.jsonl.deleted.2026-05-11T04-58-33.868Z.k3x9.zst"), string(zstdOf(t, text("a", 100))))
	w.write(S("b.jsonl.reset.2026-05-11T04-58-33.868Z.zst"), string(zstdOf(t, text("b", 200))))
	w.write(S("c.jsonl.zst"), string(zstdOf(t, text("c", 400))))
	cut := zstdOf(t, text("d", 800)+strings.Repeat(text("x", 1), 1000))
	w.write(S("d.jsonl.zst"), string(cut[:len(cut)-30]))
	w.write(S("e.jsonl.zst"), "no frame at all")
	e := w.open()
	for name, s := range map[string]api.Scan{"index": e.scan(), "again": e.scan(), "tally": w.tally()} {
		if s.Tokens.Input < 700 {
			t.Errorf("%s: input %d, want 700 at least", name, s.Tokens.Input)
		}
		have := codes(s.Problems)
		if have["bad-archive"] < 2 {
			t.Errorf("%s: %d damaged archives, want 2: %v", name, have["bad-archive"], s.Problems)
		}
	}
	// One that was mended is read anew, and the problem is gone.
	w.write(S("e.jsonl.zst"), string(zstdOf(t, text("e", 1600))))
	s := e.scan()
	if s.Tokens.Input < 2300 {
		t.Errorf("input %d after an archive was mended", s.Tokens.Input)
	}
	for _, p := range s.Problems {
		if strings.HasSuffix(p.Path, "e.jsonl.zst") {
			t.Errorf("still says %v", p)
		}
	}
	noPlainText(t, w, "no frame at all")
}

// TestA5NothingUnpackedOnDisk: what archives and rows hold is never on disk as
// plain text, but for what people said, which the ledger keeps.
func TestA5NothingUnpackedOnDisk(t *testing.T) {
	w := newWorld(t)
	word := "zanzibarquux"
	long := strings.Repeat("a long sentence about nothing much, ", 40) + word
	w.write(S("a.jsonl.zst"), string(zstdOf(t, head("a", 0)+"\n"+call{id: "u", minute: 1, text: long}.line()+"\n")))
	db := w.database("main")
	db.packed("s", head("s", 0), call{id: "u", minute: 1, text: long}.line())
	db.close()
	w.open().scan()
	noPlainText(t, w, word)
}

// noPlainText looks for a word in every file below the data directory and the
// system's folder for temporary files of the test.
func noPlainText(t *testing.T, w *world, word string) {
	t.Helper()
	err := filepath.WalkDir(w.data, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		body, err := os.ReadFile(path)
		if err == nil && strings.Contains(string(body), word) {
			t.Errorf("%s holds %q", path, word)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestA6 is TestPlainAndPackedRows: a row of which only the compressed form is
// there counts.

// TestA7: a header's id that differs from the file's name, beside a database.
func TestA7HeaderIDDiffers(t *testing.T) {
	w := newWorld(t)
	name := "boot-2026-06-12_01-38-43-539-a2a5aeed.jsonl"
	w.lines(S(name), head("real-id", 0), said("u1", "", 1, "hello"), reply("a1", "u1", 2, 100, 10, "0.01"))
	w.lines(S("other-topic-2.jsonl"), head("other", 0), reply("o1", "", 2, 200, 20, "0.02"))
	w.write(S("sessions.json"), `{"agent:main:boot":{"sessionId":"boot-2026-06-12","sessionFile":"`+name+`","label":"the boot","updatedAt":1778000000000}}`)
	db := w.database("main")
	db.plain("in-db", head("in-db", 0), reply("d1", "", 2, 400, 40, "0.04"))
	db.close()
	e := w.open()
	s := e.scan()
	equal(t, "sessions", s.Sessions, 3)
	equal(t, "input", s.Tokens.Input, 700)
	equal(t, "both-stores", codes(s.Problems)["both-stores"], 2)
	one := e.session("real-id")
	equal(t, "title", one.Title, "the boot")
	equal(t, "key", one.SessionKey, "agent:main:boot")
	equal(t, "source", one.Sources[0], w.path(S(name)))
	equal(t, "input without an index", w.tally().Tokens.Input, 700)
	for _, f := range []string{name, "other-topic-2.jsonl"} {
		if _, err := os.Stat(w.path(S(f))); err != nil {
			t.Errorf("a file was moved: %v", err)
		}
	}
}

// TestA8: the store of scheduled jobs was renamed by an upgrade.
func TestA8CronMoved(t *testing.T) {
	w := newWorld(t)
	w.write("cron/jobs.json.migrated", "{}")
	w.lines(S("a.jsonl"), head("a", 0), reply("a1", "", 1, 100, 10, "0.01"))
	for name, s := range both(w) {
		equal(t, name, codes(s.Problems)["cron-moved"], 1)
	}
	w.write("cron/jobs.json", "{}")
	equal(t, "both are there", codes(w.tally().Problems)["cron-moved"], 0)
}

// TestA9: a writer that holds the database does not keep us from reading what
// is committed.
func TestA9WriterHolds(t *testing.T) {
	w := newWorld(t)
	db := w.database("main")
	db.plain("a", head("a", 0), reply("a1", "", 1, 100, 10, "0.01"))
	db.run("BEGIN IMMEDIATE")
	db.plain("a", reply("a2", "a1", 2, 200, 20, "0.02"))
	e := w.open()
	s := e.scan()
	equal(t, "input while it is held", s.Tokens.Input, 100)
	equal(t, "problems", len(s.Problems), 0)
	db.run("COMMIT")
	equal(t, "input after", e.scan().Tokens.Input, 300)
	db.close()
}

// TestA10: looking, looking again and rebuilding changes nothing below the
// state directory.
func TestA10NothingIsTouched(t *testing.T) {
	w := newWorld(t)
	w.eighteen()
	w.write("openclaw.json", `{agents: {list: [{id: "main"}]}}`)
	db := w.database("main")
	db.window("s", "agent:main:main")
	db.plain("s", head("s", 0), reply("p1", "", 600, 100, 10, "0.001"))
	db.packed("s", reply("z1", "", 600, 2000, 20, "0.02"))
	db.close()
	before := picture(t, w.state)
	e := w.open()
	e.scan()
	e.sessions()
	e.detail("s")
	if _, err := e.Rebuild(t.Context(), api.Query{}); err != nil {
		t.Fatal(err)
	}
	w.tally()
	e.close()
	after := picture(t, w.state)
	for path, was := range before {
		if after[path] != was {
			t.Errorf("%s: was %s, is %s", path, was, after[path])
		}
	}
	for path := range after {
		if _, ok := before[path]; !ok {
			t.Errorf("%s is new", path)
		}
	}
}

// picture describes everything below a folder: names, modes, times, contents.
func picture(t *testing.T, root string) map[string]string {
	t.Helper()
	seen := map[string]string{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		line := fmt.Sprint(info.Mode(), info.ModTime().UnixNano())
		if info.Mode().IsRegular() {
			body, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			line += fmt.Sprintf(" %d %x", len(body), sha256.Sum256(body))
		}
		seen[path] = line
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return seen
}
