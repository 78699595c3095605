package engine

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tidemark/backend/api"
)

// TestUpgradeWhileRunning indexes a real state directory of the first era,
// then what an upgrade made of it in the same place: the totals stay, the
// session that got another id is one, under the new id, before and after the
// index is made anew or lost.
func TestUpgradeWhileRunning(t *testing.T) {
	w := newWorld(t)
	copyTree(t, filepath.Join(shared(t, "fixtures"), "2026.2.24"), w.state)
	e := w.open()
	before := e.scan()
	names := ids(e.sessions())
	costs := fmt.Sprint(e.costs("day").Rows)
	next := w.state + ".next"
	copyTree(t, filepath.Join(shared(t, "fixtures"), "upgrade-2.24-to-9.6"), next)
	for _, err := range []error{os.Rename(w.state, w.state+".old"), os.Rename(next, w.state)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	const old, now = "92710b66-83f1-423a-a770-225d8541a68d", "b69911b6-c14d-4626-a6f9-5e518af0a047"
	same := func(what string) {
		t.Helper()
		s := e.scan()
		equal(t, what, totals(s), totals(before))
		got := ids(e.sessions())
		for n := range names {
			equal(t, what+": session", got[n], strings.Replace(names[n], old, now, 1))
		}
		equal(t, what+": days", fmt.Sprint(e.costs("day").Rows), costs)
		sumsAgree(t, e)
	}
	same("after the upgrade")
	one := e.session(now)
	equal(t, "gone", one.Gone, false)
	equal(t, "key", one.SessionKey, "agent:helper:main")
	if _, err := e.Rebuild(t.Context(), api.Query{}); err != nil {
		t.Fatal(err)
	}
	same("after a rebuild")
	w.now = w.now.AddDate(1, 0, 0)
	same("after a year")
	e.close()
	w.loseIndex()
	e = w.open()
	same("after the index was lost")
	// The files that show which session became which are deleted, and then
	// the index is lost.
	for _, dir := range []string{"agents/main/session-sqlite-import-archive", "agents/helper/session-sqlite-import-archive", "agents/helper/agent"} {
		w.remove(dir)
	}
	same("after files were deleted")
	e.close()
	w.loseIndex()
	e = w.open()
	same("after files were deleted and the index was lost")
}

// upgraded moves a session of the main agent into the database under another
// id, as an upgrade does.
func (w *world) upgraded(old, now string, lines []string) {
	w.t.Helper()
	db := w.database("main")
	db.window(now, "agent:main:main")
	db.plain(now, strings.Replace(lines[0], old, now, 1))
	db.packed(now, lines[1:]...)
	db.close()
	w.move(S(old+".jsonl"), "agents/main/session-sqlite-import-archive/agent_main_main."+old+".jsonl.imported-1796069313858")
}

// TestUpgradeThenMore: what is said after the upgrade belongs to the same
// session, and the session may be found in any order.
func TestUpgradeThenMore(t *testing.T) {
	lines := []string{head("old", 0), said("u1", "", 1, "hello"), reply("a1", "u1", 2, 100, 10, "0.1"), said("u2", "a1", 3, "more"), reply("a2", "u2", 4, 200, 20, "0.2")}
	w := newWorld(t)
	w.lines(S("old.jsonl"), lines...)
	w.write(S("sessions.json"), `{"agent:main:main":{"sessionId":"old","updatedAt":1778371200000,"label":"the talk"}}`)
	e := w.open()
	equal(t, "input before", e.scan().Tokens.Input, 300)
	w.upgraded("old", "new", lines)
	w.write("agents/main/session-sqlite-import-archive/legacy-store.sessions.json.imported-1796069314002", `{"agent:main:main":{"sessionId":"old","updatedAt":1778371200000,"label":"the talk"}}`)
	w.remove(S("sessions.json"))
	equal(t, "input after", e.scan().Tokens.Input, 300)
	db := w.database("main")
	db.plain("new", reply("a3", "a2", 5, 400, 40, "0.4"))
	db.close()
	// The archive is moved once more, and grows by what nobody expects.
	w.move("agents/main/session-sqlite-import-archive/agent_main_main.old.jsonl.imported-1796069313858", S("old.jsonl.deleted.2026-05-11T04-58-33.868Z"))
	s := e.scan()
	equal(t, "input", s.Tokens.Input, 700)
	equal(t, "sessions", s.Sessions, 1)
	w.grow(S("old.jsonl.deleted.2026-05-11T04-58-33.868Z"), reply("a9", "a3", 9, 800, 80, "0.8"))
	s = e.scan()
	equal(t, "input of a line that came under the old id", s.Tokens.Input, 1500)
	equal(t, "sessions", s.Sessions, 1)
	equal(t, "title", e.session("new").Title, "the talk")
	fresh := w.openAgain()
	equal(t, "at once", totals(fresh.scan()), totals(s))
	equal(t, "without an index", totals(w.tally()), totals(s))
}

// TestUpgradeOfASessionSeenEmpty: the file was seen when it had a header and
// nothing else, so what tells it again was not known yet.
func TestUpgradeOfASessionSeenEmpty(t *testing.T) {
	lines := []string{head("old", 0), said("u1", "", 1, "hello"), reply("a1", "u1", 2, 100, 10, "0.1")}
	w := newWorld(t)
	w.lines(S("old.jsonl"), lines[0])
	e := w.open()
	equal(t, "sessions of a header", e.scan().Sessions, 1)
	w.grow(S("old.jsonl"), lines[1:]...)
	equal(t, "input", e.scan().Tokens.Input, 100)
	w.upgraded("old", "new", lines)
	s := e.scan()
	equal(t, "input after", s.Tokens.Input, 100)
	equal(t, "sessions", fmt.Sprint(ids(e.sessions())), "[main/new]")
	// And the other way round: the database was seen empty.
	w = newWorld(t)
	db := w.database("main")
	db.plain("new", strings.Replace(lines[0], "old", "new", 1))
	db.close()
	w.lines(S("old.jsonl"), lines...)
	e = w.open()
	equal(t, "two as far as can be told", e.scan().Sessions, 2)
	db = w.database("main")
	db.plain("new", lines[1:]...)
	db.close()
	s = e.scan()
	equal(t, "input after", s.Tokens.Input, 100)
	equal(t, "sessions", fmt.Sprint(ids(e.sessions())), "[main/new]")
}

// TestUpgradeOfARotatedSession: the successor of a session that got another id
// still holds copies of it.
func TestUpgradeOfARotatedSession(t *testing.T) {
	lines := []string{head("old", 0), said("u1", "", 1, "hello"), reply("a1", "u1", 2, 100, 10, "0.1")}
	next := []string{headOf("next", 5, "old.jsonl"), lines[2], reply("b1", "a1", 6, 200, 20, "0.2")}
	for _, order := range []string{"upgrade first", "rotate first"} {
		t.Run(order, func(t *testing.T) {
			w := newWorld(t)
			w.lines(S("old.jsonl"), lines...)
			e := w.open()
			equal(t, "input", e.scan().Tokens.Input, 100)
			if order == "rotate first" {
				w.lines(S("next.jsonl"), next...)
				equal(t, "input", e.scan().Tokens.Input, 300)
			}
			w.upgraded("old", "new", lines)
			e.scan()
			if order == "upgrade first" {
				w.lines(S("next.jsonl"), next...)
			}
			s := e.scan()
			equal(t, "input", s.Tokens.Input, 300)
			equal(t, "of the first", e.session("new").Tokens.Input, 100)
			equal(t, "of the second", e.session("next").Tokens.Input, 200)
			equal(t, "without an index", totals(w.tally()), totals(s))
			w.now = w.now.Add(24 * time.Hour)
			e.scan()
			e.close()
			w.loseIndex()
			w.remove("agents/main/session-sqlite-import-archive")
			w.remove("agents/main/agent")
			e = w.open()
			equal(t, "input when only copies are left", e.scan().Tokens.Input, 300)
			equal(t, "messages then", e.scan().Messages, s.Messages)
		})
	}
}

// TestIDsForAnOldTranscript: OpenClaw gives ids to the records of a transcript
// of its first version and writes it anew; nothing counts twice.
func TestIDsForAnOldTranscript(t *testing.T) {
	w := newWorld(t)
	bare := func(role, more string, minute int) string {
		return fmt.Sprintf(`{"type":"message","timestamp":%q,"message":{"role":%q,"content":[{"type":"text","text":"x"}]%s}}`, at(minute), role, more)
	}
	usage := `,"provider":"p","model":"m","usage":{"input":100,"output":1,"cost":{"total":0.5}}`
	w.lines(S("v1.jsonl"), fmt.Sprintf(`{"type":"session","id":"v1","timestamp":%q,"cwd":"/w"}`, at(0)), bare("user", "", 1), bare("assistant", usage, 2), bare("user", "", 3), bare("assistant", usage, 4))
	e := w.open()
	equal(t, "input", e.scan().Tokens.Input, 200)
	equal(t, "messages", e.scan().Messages, 4)
	withID := func(n int, line string) string {
		return strings.Replace(line, `"type":"message",`, fmt.Sprintf(`"type":"message","id":"id%d","parentId":null,`, n), 1)
	}
	w.lines(S("v1.jsonl.tmp"), head("v1", 0), withID(1, bare("user", "", 1)), withID(2, bare("assistant", usage, 2)), withID(3, bare("user", "", 3)), withID(4, bare("assistant", usage, 4)), withID(5, bare("assistant", usage, 5)))
	w.move(S("v1.jsonl.tmp"), S("v1.jsonl"))
	s := e.scan()
	equal(t, "input after", s.Tokens.Input, 300)
	equal(t, "messages after", s.Messages, 5)
	money(t, "cost", s.Cost.USD, 1.5)
	equal(t, "at once", totals(w.openAgain().scan()), totals(s))
	sumsAgree(t, e)
}
