package openclaw

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"tidemark/backend/memory"
)

// sampleRows are records of a session of every sort, some of them long.
func sampleRows(session string) []string {
	return []string{
		headerLine(session), userLine(session+"-u1", "what the user said"), assistantLine(session+"-a1", 100, 10, "0.001"),
		toolLine(session+"-t1", strings.Repeat("output of a tool ", 400)), userLine(session+"-u2", "a long pasted text with \"toolResult\" in it "+strings.Repeat("words ", 700)),
		assistantLine(session+"-a2", 2000, 20, "0.02"),
		`{"type":"compaction","id":"` + session + `-c1","parentId":"x","timestamp":"2026-05-10T10:00:00.000Z","summary":"` + strings.Repeat("what was said ", 300) + `","firstKeptEntryId":"` + session + `-a2","tokensBefore":180000}`,
		`{"type":"reset","id":"` + session + `-r1","parentId":null,"timestamp":"2026-05-10T10:00:00.000Z","reason":"new"}`,
	}
}

// sampleIDs are what they are listed as.
func sampleIDs(session string) []string {
	ids := []string{session + "/"}
	for _, id := range []string{"u1", "a1", "t1", "u2", "a2", "c1", "r1"} {
		ids = append(ids, session+"/"+session+"-"+id)
	}
	return ids
}

func dbPath(t testing.TB) string {
	t.Helper()
	return filepath.Join(t.TempDir(), "agent", "openclaw-agent.sqlite")
}

func TestDatabaseOfEveryStableSchema(t *testing.T) {
	for _, version := range []int{19, 21, 23} {
		t.Run(fmt.Sprint(version), func(t *testing.T) {
			db := buildDB(t, dbPath(t), version)
			db.plain("one", sampleRows("one")...)
			if db.full {
				db.zstd("two", sampleRows("two")...)
			} else {
				db.plain("two", sampleRows("two")...)
			}
			db.close()
			for _, texts := range []bool{false, true} {
				g := readFrom(t, db.path, memory.Checkpoint{}, Options{Texts: texts})
				wantList(t, "entries", g.list(), append(sampleIDs("one"), sampleIDs("two")...))
				wantList(t, "problems", g.codes(), nil)
				e := g.entries[13]
				if e.ev.Message.Usage.Input != 2000 || e.at != (memory.Place{Kind: memory.SourceDatabase, Path: db.path, Offset: 5, Prompt: 0}) {
					t.Errorf("entry %+v", e)
				}
				if c := g.entries[6].ev; c.Compaction.TokensBefore != 180000 || texts != strings.Contains(c.Compaction.Summary, "what was said") {
					t.Errorf("compaction %+v", c)
				}
				cp := g.last()
				if cp.Stamp.Size == 0 || cp.Marks["one"] != (memory.Mark{Seq: 7, Count: 8}) || cp.Marks["two"] != (memory.Mark{Seq: 7, Count: 8}) || len(cp.Marks) != 2 {
					t.Errorf("checkpoint %+v", cp)
				}
			}
		})
	}
}

func TestDatabaseOfANewerSchema(t *testing.T) {
	db := buildDB(t, dbPath(t), 24)
	db.exec("ALTER TABLE transcript_events ADD COLUMN hologram BLOB")
	db.exec("ALTER TABLE transcript_events ADD COLUMN weight REAL DEFAULT 1.5")
	db.exec("CREATE TABLE transcript_holograms(id INTEGER PRIMARY KEY, hologram BLOB)")
	db.plain("s", sampleRows("s")...)
	db.zstd("z", sampleRows("z")...)
	db.close()
	g := readAll(t, db.path)
	wantList(t, "entries", g.list(), append(sampleIDs("s"), sampleIDs("z")...))
	wantList(t, "problems", g.codes(), []string{"new-schema@0"})
	if !strings.Contains(g.problems[0].Message, "24") || !strings.Contains(g.problems[0].Message, "23") {
		t.Errorf("notice %q", g.problems[0].Message)
	}
}

// A table that became something else is said to be unknown, and what else the
// database holds is read.
func TestDatabaseWithAnotherTableOfEvents(t *testing.T) {
	for name, ddl := range map[string]string{
		"other columns": "CREATE TABLE transcript_events(session TEXT, n INTEGER, body BLOB)",
		"no payload":    "CREATE TABLE transcript_events(session_id TEXT, seq INTEGER, body BLOB)",
	} {
		t.Run(name, func(t *testing.T) {
			db := buildDB(t, dbPath(t), 25)
			db.exec("DROP TABLE transcript_events")
			db.exec(ddl)
			db.archive("old", "g", "identity", "old.jsonl", headerLine("old")+userLine("u", "x"))
			db.close()
			g := readAll(t, db.path)
			wantList(t, "entries", g.list(), []string{"old/", "old/u"})
			wantList(t, "problems", g.codes(), []string{"new-schema@0", "new-schema@0"})
		})
	}
}

// Rows without an order of their own, and views, are read session by session.
func TestDatabaseWithoutRowids(t *testing.T) {
	for name, change := range map[string][]string{
		"no rowid": {"CREATE TABLE e(session_id TEXT NOT NULL, seq INTEGER NOT NULL, event_json TEXT, created_at INTEGER, event_zstd BLOB, event_utf8_bytes INTEGER, navigation_json TEXT, PRIMARY KEY(session_id, seq)) WITHOUT ROWID",
			"INSERT INTO e SELECT * FROM transcript_events", "DROP TABLE transcript_events", "ALTER TABLE e RENAME TO transcript_events"},
		"view": {"ALTER TABLE transcript_events RENAME TO e", "CREATE VIEW transcript_events AS SELECT * FROM e"},
	} {
		t.Run(name, func(t *testing.T) {
			db := buildDB(t, dbPath(t), 23)
			db.plain("a", sampleRows("a")...)
			db.zstd("b", sampleRows("b")...)
			for _, sql := range change {
				db.exec(sql)
			}
			db.close()
			for _, texts := range []bool{false, true} {
				g := readFrom(t, db.path, memory.Checkpoint{}, Options{Texts: texts})
				wantList(t, "entries", g.list(), append(sampleIDs("a"), sampleIDs("b")...))
				wantList(t, "problems", g.codes(), nil)
			}
		})
	}
}

func TestDatabaseWithoutTranscripts(t *testing.T) {
	for name, make := range map[string]func(path string){
		"search index alone": func(path string) {
			db := openDB(t, path)
			db.exec("PRAGMA journal_mode=WAL")
			db.exec("CREATE TABLE memory_index_chunks(id TEXT PRIMARY KEY, text TEXT)")
			db.exec("PRAGMA user_version=1")
			db.close()
		},
		"no table": func(path string) {
			db := openDB(t, path)
			db.exec("PRAGMA journal_mode=WAL")
			db.close()
		},
		"empty file": func(path string) { put(t, path, "") },
	} {
		t.Run(name, func(t *testing.T) {
			path := dbPath(t)
			make(path)
			g := readAll(t, path)
			if len(g.entries) > 0 || len(g.problems) > 0 || len(g.commits) != 1 {
				t.Errorf("%q, %q, %d commits", g.list(), g.codes(), len(g.commits))
			}
			if HoldsTranscripts(path) {
				t.Error("it is said to hold transcripts")
			}
		})
	}
}

func TestHoldsTranscripts(t *testing.T) {
	db := buildDB(t, dbPath(t), 23)
	db.close()
	if !HoldsTranscripts(db.path) {
		t.Error("a database of the newest era is not said to hold transcripts")
	}
	if HoldsTranscripts(filepath.Join(t.TempDir(), "none.sqlite")) {
		t.Error("no file is said to hold transcripts")
	}
}

// What cannot be read as a database is a problem once, and looked at again
// when it changes; a failure of the moment is tried again.
func TestFilesThatAreNoDatabase(t *testing.T) {
	for name, content := range map[string]string{"text": strings.Repeat("no database\n", 1000), "a header and nothing": "SQLite format 3\x00" + strings.Repeat("\x01", 2000)} {
		t.Run(name, func(t *testing.T) {
			g := readAll(t, put(t, dbPath(t), content))
			wantList(t, "problems", g.codes(), []string{"bad-database@0"})
			if len(g.commits) != 1 || g.commits[0].Stamp.Size == 0 || len(g.commits[0].Marks) > 0 {
				t.Errorf("commits %+v", g.commits)
			}
		})
	}
	gone := memory.Source{Kind: memory.SourceDatabase, Path: filepath.Join(t.TempDir(), "gone.sqlite")}
	g := new(gathered)
	if err := Read(context.Background(), gone, memory.Checkpoint{}, Options{}, g); !errors.Is(err, os.ErrNotExist) || len(g.commits) > 0 {
		t.Errorf("error %v, commits %v", err, g.commits)
	}
}

// A damaged page costs the session that it holds, not the others.
func TestDamagedPageCostsItsSession(t *testing.T) {
	db := buildDB(t, dbPath(t), 23)
	for i := range 30 {
		session := fmt.Sprintf("s%02d", i)
		db.plain(session, headerLine(session), userLine(session+"-u", strings.Repeat("words ", 3000)))
	}
	db.exec("PRAGMA wal_checkpoint(TRUNCATE)")
	var page int64
	if err := db.db.QueryRow("SELECT pageno FROM dbstat WHERE name = 'transcript_events' AND pagetype = 'overflow' AND path LIKE (SELECT path FROM dbstat WHERE name = 'transcript_events' AND pagetype = 'leaf' ORDER BY path LIMIT 1 OFFSET 3) || '%' LIMIT 1").Scan(&page); err != nil {
		t.Skip("skipped: this SQLite does not tell where pages are:", err)
	}
	db.close()
	f, err := os.OpenFile(db.path, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteAt([]byte(strings.Repeat("\xff", 4096)), (page-1)*4096); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	g := readAll(t, db.path)
	sessions := map[string]bool{}
	for _, e := range g.entries {
		if e.ev.Kind == memory.KindMessage {
			sessions[e.session] = true
		}
	}
	if len(sessions) != 29 {
		t.Errorf("%d sessions were read, want 29", len(sessions))
	}
	if codes := slices.Compact(g.codes()); !slices.Equal(codes, []string{"bad-database@0"}) || !strings.Contains(g.problems[0].Message, "session s") {
		t.Errorf("problems %+v", g.problems)
	}
	if g.last().Stamp.Size == 0 {
		t.Error("it is read again although nothing changed")
	}
}

func TestDamagedRows(t *testing.T) {
	db := buildDB(t, dbPath(t), 23)
	good := strings.TrimSpace(userLine("good", "x"))
	db.row("s", 0, strings.TrimSpace(headerLine("s")), nil, nil)
	db.row("s", 1, nil, nil, nil)
	db.row("s", 2, nil, []byte(zstdMagic+"not a frame"), navigationOf(t, good))
	db.row("s", 3, nil, []byte(frame(t, good)[:20]), navigationOf(t, good))
	db.row("s", 4, `{"type":"message"`, nil, nil)
	db.row("s", 5, "", nil, nil)
	db.row("s", 6, "Nonsense", nil, nil)
	db.row("s", 7, string(rune(markBeside))+navigationOf(t, good), nil, nil)
	db.row("s", 8, string(rune(markBeginning)), nil, nil)
	db.row("s", 9, `{"a":1}`, nil, nil)
	db.row("s", 10, `{"type":"message","id":"odd","timestamp":"2026-05-10T10:00:00Z","message":7}`, nil, nil)
	db.row("s", 11, nil, []byte(frame(t, "no JSON")), "{}")
	db.row("s", 12, nil, []byte("plain text where a frame should be"), nil)
	db.row("s", 13, strings.TrimSpace(toolLine("cut", strings.Repeat("x", 3000)))[:900], nil, nil)
	db.row("s", 14, nil, []byte(frame(t, toolLine("t", strings.Repeat("y", 3000)))), `{"version":1,"model":"no toolResult", "x":"toolResult"}`)
	db.row("s", 15, strings.TrimSpace(assistantLine("neg", -5, 1, "-1")), nil, nil)
	db.row("s", 16, `{"type":"hologram","id":"h","timestamp":"2026-05-10T10:00:00Z"}`, nil, nil)
	db.row("s", 17, good, nil, nil)
	db.row("s", 18, nil, []byte(frame(t, "short")+frame(t, "er")), nil)
	db.close()
	for _, texts := range []bool{false, true} {
		g := readFrom(t, db.path, memory.Checkpoint{}, Options{Texts: texts})
		wantList(t, "entries", g.list(), []string{"s/", "s/odd", "s/t", "s/neg", "s/h", "s/good"})
		want := slices.Repeat([]string{"bad-entry@0"}, 14)
		want = slices.Insert(want, 13, "bad-usage@0")
		wantList(t, "problems", g.codes(), append(want, "unknown-type@0"))
		for _, p := range g.problems[:15] {
			if !strings.Contains(p.Message, "of session s") || strings.Contains(p.Message, "Nonsense") {
				t.Errorf("problem %q", p.Message)
			}
		}
		if m := g.last().Marks["s"]; m != (memory.Mark{Seq: 18, Count: 19}) {
			t.Errorf("mark %+v", m)
		}
		again := readFrom(t, db.path, g.last(), Options{Texts: texts})
		if len(again.entries) > 0 {
			t.Errorf("read again: %q", again.list())
		}
	}
}

// A row that unpacks to more than is ever read is a problem of that row.
func TestRowBombIsBounded(t *testing.T) {
	db := buildDB(t, dbPath(t), 23)
	db.plain("s", headerLine("s"))
	db.row("s", 1, nil, bomb(t, maxRow+1), "{}")
	db.row("s", 2, strings.TrimSpace(userLine("u", "x")), nil, nil)
	db.close()
	g := readAll(t, db.path)
	wantList(t, "entries", g.list(), []string{"s/", "s/u"})
	wantList(t, "problems", g.codes(), []string{"bad-entry@0"})
}

func TestMuchDamageInADatabaseIsBounded(t *testing.T) {
	db := buildDB(t, dbPath(t), 23)
	db.exec("WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i+1 FROM n WHERE i < 2999) INSERT INTO transcript_events(session_id, seq, event_json, created_at) SELECT 's', i, 'undefined', 1 FROM n")
	db.close()
	g := readAll(t, db.path)
	texts, total := map[string]bool{}, 0
	for _, p := range g.problems {
		texts[p.Message] = true
		total += p.Count
	}
	if total != 3000 || len(texts) > maxReported+1 {
		t.Errorf("%d problems in %d words", total, len(texts))
	}
}

func TestDatabaseArchives(t *testing.T) {
	db := buildDB(t, dbPath(t), 23)
	db.plain("now", headerLine("now"), userLine("n1", "x"))
	content := func(id string) string { return headerLine(id) + userLine(id+"1", "kept") }
	db.archive("a", "g1", "identity", "a.jsonl.deleted.2026-02-24T10-11-12.345Z", content("a"))
	db.archive("b", "g1", "zstd", "b.jsonl.deleted.2026-02-24T10-11-12.345Z.zst", frame(t, content("b")))
	db.archive("c", "g1", "zstd", "c.jsonl.reset.2026-02-24T10-11-12.345Z", frame(t, content("c")))
	db.archive("d", "g1", "identity", "d.jsonl.zst", content("d"))
	db.archive("e", "g1", "zstd", "e.jsonl.zst", "\x00"+frame(t, content("e"))[1:])
	db.archive("f", "g1", "zstd", "f.jsonl.zst", frame(t, content("f")+userLine("more", noise(t, 600_000)))[:200_000])
	db.archive("h", "g1", "identity", "h.jsonl", userLine("h1", "no header"))
	db.cold("i", "g2", "0f0f.jsonl.zst", []byte(frame(t, content("i"))))
	db.cold("j", "g2", "1f1f.jsonl.zst", nil)
	db.close()
	g := readAll(t, db.path)
	byCode := map[string]int{}
	for _, p := range g.problems {
		byCode[string(p.Code)]++
		if !strings.HasPrefix(p.Path, db.path+"#") {
			t.Errorf("problem %+v does not name its archive", p)
		}
	}
	if byCode["bad-archive"] != 2 {
		t.Errorf("problems %v", g.problems)
	}
	got := map[string]bool{}
	for _, e := range g.entries {
		got[e.session+"/"+e.ev.ID] = true
		if e.session != "now" && (e.at.Kind != memory.SourceDBArchive || !strings.Contains(e.at.Path, "#") || e.at.Line == 0) {
			t.Errorf("place %+v", e.at)
		}
	}
	for _, id := range []string{"now/n1", "a/a1", "b/b1", "c/c1", "d/d1", "f/f1", "h/h1", "i/i1"} {
		if !got[id] {
			t.Errorf("%s was not read", id)
		}
	}
	if got["e/e1"] || got["j/j1"] {
		t.Error("something was read that is not there")
	}
	// They never change: what was read is not read again, a new one is.
	cp := g.last()
	again := readFrom(t, db.path, cp, Options{})
	wantList(t, "read again", again.list(), nil)
	db = openDB(t, db.path)
	db.archive("a", "g2", "identity", "a.jsonl.deleted.2026-03-24T10-11-12.345Z", content("a")+userLine("a2", "later"))
	db.close()
	wantList(t, "a new archive", readFrom(t, db.path, cp, Options{}).list(), []string{"a/", "a/a1", "a/a2"})
}

// Archives in a shape that is not known are read as far as they are.
func TestDatabaseArchivesWithFewerColumns(t *testing.T) {
	db := buildDB(t, dbPath(t), 22)
	db.exec("DROP TABLE session_transcript_archives")
	db.exec("CREATE TABLE session_transcript_archives(session_id TEXT, archive_blob BLOB)")
	db.exec("INSERT INTO session_transcript_archives VALUES('a', ?)", []byte(headerLine("a")+userLine("a1", "x")))
	db.exec("DROP TABLE session_transcript_cold_archives")
	db.exec("CREATE TABLE session_transcript_cold_archives(name TEXT)")
	db.close()
	g := readAll(t, db.path)
	wantList(t, "entries", g.list(), []string{"a/", "a/a1"})
	wantList(t, "problems", g.codes(), nil)
}

// Without texts, tool results are not unpacked. What is counted is the same.
func TestShortcutsCountTheSame(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	rounds := 12
	if underRace {
		rounds = 3
	}
	for round := range rounds {
		db := buildDB(t, dbPath(t), 23)
		db.exec("BEGIN")
		for i := range 150 {
			session := fmt.Sprintf("s%d", rnd.IntN(6))
			id := fmt.Sprintf("%d-%d", round, i)
			text := strings.Repeat([]string{"plain ", `"toolResult" `, "保存 ", `\"role\":\"toolResult\" `}[rnd.IntN(4)], rnd.IntN(900))
			record := []string{userLine(id, text), toolLine(id, text), assistantLine(id, rnd.IntN(900), 1, "0.1"), toolLine("", text), headerLine(session),
				strings.Replace(toolLine(id, text), `"toolName"`, `"note":"`+strings.Repeat("n", rnd.IntN(600))+`","toolName"`, 1),
				`{"message":{"content":[{"type":"text","text":"` + strings.Repeat("first ", rnd.IntN(500)) + `"}],"role":"toolResult"},"type":"message","id":"` + id + `","parentId":null,"timestamp":"2026-05-10T10:00:00.000Z"}`,
				strings.Replace(userLine(id, "Read HEARTBEAT.md if it exists "+text), `"role"`, `"idempotencyKey":"toolResult","role"`, 1)}[rnd.IntN(8)]
			if rnd.IntN(2) == 0 {
				db.plain(session, record)
			} else {
				db.zstd(session, record)
			}
		}
		db.exec("COMMIT")
		db.close()
		full, short := readFrom(t, db.path, memory.Checkpoint{}, Options{Texts: true}), readFrom(t, db.path, memory.Checkpoint{}, Options{})
		wantList(t, "entries", short.list(), full.list())
		wantList(t, "problems", short.codes(), full.codes())
		for i, e := range full.entries {
			s := short.entries[i]
			if s.ev.Kind != e.ev.Kind || s.ev.Message.Role != e.ev.Message.Role || s.ev.Message.Usage != e.ev.Message.Usage || s.ev.At != e.ev.At || s.at != e.at {
				t.Fatalf("round %d: %+v at %+v, want %+v at %+v", round, s.ev, s.at, e.ev, e.at)
			}
		}
		if !reflect.DeepEqual(short.last().Marks, full.last().Marks) {
			t.Errorf("marks %v, want %v", short.last().Marks, full.last().Marks)
		}
	}
}

// The database holds the same entries as the file that it was imported from,
// by the same ids, also those that have none of their own.
func TestDatabaseAndFileAgree(t *testing.T) {
	records := append(sampleRows("s"), `{"type":"message","timestamp":"2025-12-01T10:00:00.000Z","message":{"role":"user","content":"no id"}}`,
		`{"type":"message","timestamp":"2025-12-01T10:00:00.000Z","message":{"role":"toolResult","content":"`+strings.Repeat("no id ", 500)+`"}}`)
	content := ""
	db := buildDB(t, dbPath(t), 23)
	packed := buildDB(t, dbPath(t), 23)
	for _, r := range records {
		content += strings.TrimSpace(r) + "\n"
		db.plain("s", r)
		packed.zstd("s", r)
	}
	db.close()
	packed.close()
	file := readAll(t, put(t, filepath.Join(t.TempDir(), "s.jsonl"), content))
	for _, path := range []string{db.path, packed.path} {
		for _, texts := range []bool{false, true} {
			wantList(t, "entries", readFrom(t, path, memory.Checkpoint{}, Options{Texts: texts}).list(), file.list())
		}
	}
}

func TestDatabaseReadingEndsWithItsContextOrSink(t *testing.T) {
	db := buildDB(t, dbPath(t), 23)
	db.exec("WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i+1 FROM n WHERE i < ?) INSERT INTO transcript_events(session_id, seq, event_json, created_at) SELECT 's', i, ?, 1 FROM n", 3*commitEvery, strings.TrimSpace(userLine("u", "x")))
	db.close()
	full := errors.New("disk full")
	g := &gathered{failAt: 5, fail: full}
	if err := Read(context.Background(), sourceOf(t, db.path), memory.Checkpoint{}, Options{}, g); !errors.Is(err, full) || len(g.commits) > 0 || len(g.entries) != 5 {
		t.Errorf("error %v after %d entries and %d commits, want %v", err, len(g.entries), len(g.commits), full)
	}
	ctx, cancel := context.WithCancel(context.Background())
	g = &gathered{onCommit: cancel}
	if err := Read(ctx, sourceOf(t, db.path), memory.Checkpoint{}, Options{}, g); !errors.Is(err, context.Canceled) || len(g.commits) != 1 {
		t.Errorf("error %v after %d commits", err, len(g.commits))
	}
	// What was committed before is not read again.
	rest := readFrom(t, db.path, g.last(), Options{})
	if n := len(rest.entries) + commitEvery; n != 3*commitEvery+1 || rest.entries[0].at.Offset != commitEvery {
		t.Errorf("%d entries in all, the rest from row %d", n, rest.entries[0].at.Offset)
	}
}

// A damage of the sink's own database is not taken for one of OpenClaw's.
func TestSinksDatabaseFailsByItself(t *testing.T) {
	db := buildDB(t, dbPath(t), 23)
	db.plain("s", sampleRows("s")...)
	db.close()
	own := sqliteError{code: sqliteCorrupt, text: "database disk image is malformed"}
	g := &gathered{failAt: 2, fail: own}
	if err := Read(context.Background(), sourceOf(t, db.path), memory.Checkpoint{}, Options{}, g); !errors.Is(err, own) || len(g.problems) > 0 || len(g.commits) > 0 {
		t.Errorf("error %v, problems %v, %d commits", err, g.problems, len(g.commits))
	}
}

// Tables of credentials are never named, and never read: they may be broken.
func TestCredentialTablesAreNeverRead(t *testing.T) {
	names := regexp.MustCompile(`(?i)\b(?:FROM|JOIN|INTO|UPDATE|TABLE)\s+([a-z_]+)`)
	allowed := []string{"transcript_events", "transcript_rewrite_watermarks", "session_windows", "session_nodes", "session_transcript_index_state", "agent_databases",
		"pragma_table_info", "pragma_table_list", "pragma_table_xinfo", "sqlite_schema"}
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		tree, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(tree, func(n ast.Node) bool {
			lit, ok := n.(*ast.BasicLit)
			if !ok || lit.Kind != token.STRING || !strings.HasPrefix(file, "db") {
				return true
			}
			if strings.Contains(lit.Value, "auth_") {
				t.Errorf("%s names a table of credentials: %s", file, lit.Value)
			}
			for _, m := range names.FindAllStringSubmatch(lit.Value, -1) {
				if !slices.Contains(allowed, m[1]) && m[1] != "is" && strings.Contains(m[1], "_") {
					t.Errorf("%s asks for table %s", file, m[1])
				}
			}
			return true
		})
	}
	db := buildDB(t, dbPath(t), 23)
	db.plain("s", sampleRows("s")...)
	db.exec("INSERT INTO auth_profile_store VALUES('k', ?, 1)", strings.Repeat("sk-secret ", 50))
	db.exec("INSERT INTO auth_profile_state VALUES('k', ?, 1)", strings.Repeat("sk-secret ", 50))
	var roots []int64
	for _, table := range []string{"auth_profile_store", "auth_profile_state"} {
		var root int64
		if err := db.db.QueryRow("SELECT rootpage FROM sqlite_schema WHERE name = ?", table).Scan(&root); err != nil {
			t.Fatal(err)
		}
		roots = append(roots, root)
	}
	db.close()
	f, err := os.OpenFile(db.path, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, root := range roots {
		if _, err := f.WriteAt([]byte(strings.Repeat("\xee", 4096)), (root-1)*4096); err != nil {
			t.Fatal(err)
		}
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	wantList(t, "problems", readAll(t, db.path).codes(), nil)
	if _, problems := ReadWindows(context.Background(), db.path); len(problems) > 0 {
		t.Error(problems)
	}
}
