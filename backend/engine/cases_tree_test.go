package engine

import (
	"fmt"
	"strings"
	"testing"

	"tidemark/backend/api"
)

// TestC47: half a line waits for the rest, without a problem, and counts once.
func TestC47HalfALine(t *testing.T) {
	w := newWorld(t)
	w.lines(S("a.jsonl"), head("a", 0), reply("a1", "", 1, 100, 10, "0.01"))
	e := w.open()
	whole := reply("a2", "a1", 2, 200, 20, "0.02")
	w.raw(S("a.jsonl"), whole[:191])
	s := e.scan()
	equal(t, "input", s.Tokens.Input, 100)
	equal(t, "problems", len(s.Problems), 0)
	w.raw(S("a.jsonl"), whole[191:])
	e.scan() // whole or not, it may be counted now
	w.raw(S("a.jsonl"), "\n")
	s = e.scan()
	equal(t, "input", s.Tokens.Input, 300)
	equal(t, "messages", s.Messages, 2)
	equal(t, "problems", len(s.Problems), 0)
	w.grow(S("a.jsonl"), reply("a3", "a2", 3, 400, 40, "0.04"))
	equal(t, "input", e.scan().Tokens.Input, 700)
}

// TestC44C45C46: what cannot be read is reported by its physical line, and
// the rest is read.
func TestC44DamagedLines(t *testing.T) {
	w := newWorld(t)
	w.lines(S("l.jsonl"), head("l", 0), "", "undefined", `{"type":"message"`, `["no","entry"]`, `{"no":"type"}`, reply("l1", "", 1, 1200, 120, "0.012"))
	e := w.open()
	for name, s := range map[string]api.Scan{"index": e.scan(), "tally": w.tally()} {
		equal(t, name+": input", s.Tokens.Input, 1200)
		lines := map[int]bool{}
		for _, p := range s.Problems {
			lines[p.Line] = true
		}
		for _, n := range []int{3, 4, 5, 6} {
			if !lines[n] {
				t.Errorf("%s: line %d is not reported: %v", name, n, s.Problems)
			}
		}
	}
}

// TestC48: records glued together, and a run of NULs before one.
func TestC48SplicedRecords(t *testing.T) {
	w := newWorld(t)
	w.lines(S("m.jsonl"), head("m", 0), reply("m1", "", 1, 1, 1, "0.1")+reply("m2", "", 2, 10, 1, "0.1"), strings.Repeat("\x00", 4096)+reply("m3", "", 3, 100, 1, "0.1"),
		reply("m4", "", 4, 5000, 1, "0.1")[:90]+reply("m5", "", 5, 1000, 1, "0.1"))
	for name, s := range both(w) {
		equal(t, name+": input", s.Tokens.Input, 1111)
		equal(t, name+": messages", s.Messages, 4)
		equal(t, name+": spliced", codes(s.Problems)["spliced-line"], 3)
	}
}

// TestC51C52: an image is kept as its size alone.
func TestC51ImagesAreNotKept(t *testing.T) {
	w := newWorld(t)
	blob := strings.Repeat("QUJDREVGR0hJSktM", 30_000)
	w.lines(S("k.jsonl"), head("k", 0), fmt.Sprintf(`{"type":"message","id":"k0","parentId":null,"timestamp":%q,"message":{"role":"user","content":[{"type":"text","text":"look"},{"type":"image","data":%q}]}}`, at(1), blob), reply("k1", "k0", 2, 1100, 110, "0.011"))
	e := w.open()
	equal(t, "input", e.scan().Tokens.Input, 1100)
	en := e.detail("k").Entries[0]
	equal(t, "images", en.Images, 1)
	equal(t, "text", en.Text, "look")
	if en.ImageBytes < int64(len(blob)) {
		t.Errorf("image of %d bytes, want %d at least", en.ImageBytes, len(blob))
	}
	e.close()
	noPlainText(t, w, blob[:200])
}

// TestC53: calls of tools without result, and results without call.
func TestC53Orphans(t *testing.T) {
	w := newWorld(t)
	w.lines(S("a.jsonl"), head("a", 0),
		fmt.Sprintf(`{"type":"message","id":"a1","parentId":null,"timestamp":%q,"message":{"role":"assistant","provider":"p","model":"m","content":[{"type":"toolCall","id":"t1","name":"read","arguments":{"path":"x"}}],"usage":{"input":5,"output":1,"cost":{"total":0.1}},"stopReason":"toolUse"}}`, at(1)),
		fmt.Sprintf(`{"type":"message","id":"r1","parentId":"a1","timestamp":%q,"message":{"role":"toolResult","toolCallId":"t9","toolName":"exec","isError":true,"content":[{"type":"text","text":"no such thing"}]}}`, at(2)))
	d := w.open().detail("a")
	equal(t, "entries", len(d.Entries), 2)
	equal(t, "tool that was called", d.Entries[0].Tool, "read")
	equal(t, "tool that answered", d.Entries[1].Tool, "exec")
	equal(t, "it failed", d.Entries[1].IsError, true)
	equal(t, "its text", d.Entries[1].Text, "no such thing")
}

// TestC54: the row of a session moves on and its transcript does not.
func TestC54TranscriptBehind(t *testing.T) {
	w := newWorld(t)
	w.lines(S("a.jsonl"), head("a", 0), said("u", "", 1, "go"), reply("a1", "u", 2, 1, 1, "0.1"))
	row := func(minute int) {
		w.write(S("sessions.json"), fmt.Sprintf(`{"agent:main:main":{"sessionId":"a","updatedAt":%d}}`, 1778371200000+int64(minute)*60_000))
	}
	row(2 + 24)
	e := w.open()
	for name, s := range map[string]api.Scan{"index": e.scan(), "tally": w.tally()} {
		equal(t, name, codes(s.Problems)["transcript-behind"], 1)
	}
	w.grow(S("a.jsonl"), reply("a2", "a1", 25, 1, 1, "0.1"))
	equal(t, "it caught up", codes(e.scan().Problems)["transcript-behind"], 0)
	// A new session of the key leaves the old one alone.
	row(60)
	equal(t, "behind again", codes(e.scan().Problems)["transcript-behind"], 1)
	w.write(S("sessions.json"), `{"agent:main:main":{"sessionId":"b","updatedAt":1778374800000}}`)
	w.lines(S("b.jsonl"), head("b", 60), said("u", "", 60, "new"))
	equal(t, "after the key moved on", codes(e.scan().Problems)["transcript-behind"], 0)
}

// TestC56: a byte order mark and DOS line ends.
func TestC56MarkAndLineEnds(t *testing.T) {
	w := newWorld(t)
	w.write(S("n.jsonl"), "\ufeff"+head("n", 0)+"\r\n"+reply("n1", "", 1, 1400, 140, "0.014")+"\r\n")
	for name, s := range both(w) {
		equal(t, name+": input", s.Tokens.Input, 1400)
		equal(t, name+": problems", len(s.Problems), 0)
	}
	equal(t, "id is that of the header", w.openAgain().session("n").Messages, 1)
}

// openAgain opens an engine on the same files with a data directory of its own.
func (w *world) openAgain() *engineOf {
	w.t.Helper()
	other := *w
	other.data = w.t.TempDir() + "/data"
	return other.open()
}

// TestD57: a compaction that was tried twice: the one that the conversation
// went on from counts, the other is marked.
func TestD57SupersededCompaction(t *testing.T) {
	w := newWorld(t)
	w.lines(S("a.jsonl"), head("a", 0), said("root-A", "", 1, "hello"), compacted("orphan", "root-A", 2, "root-A", "first try"), compacted("winner", "root-A", 3, "root-A", "second try"), said("after", "winner", 4, "go on"))
	e := w.open()
	equal(t, "compactions counted", e.scan().Compactions, 2)
	for _, c := range e.compactions() {
		equal(t, c.EntryID+" is superseded", c.Superseded, c.EntryID == "orphan")
	}
	for _, en := range e.detail("a").Entries {
		equal(t, en.ID+" is on the path", en.OnPath, en.ID != "orphan")
	}
}

// TestD59: what the first compaction kept is dropped by the second.
func TestD59DroppedWithoutSummary(t *testing.T) {
	w := newWorld(t)
	w.lines(S("a.jsonl"), head("a", 0), said("u1", "", 1, "1"), said("u2", "u1", 2, "2"), said("u3", "u2", 3, "3"), compacted("c1", "u3", 4, "u2", "about 1"),
		said("u4", "c1", 5, "4"), compacted("c2", "u4", 6, "u4", "about c1"))
	e := w.open()
	dropped := map[string]int{}
	for _, c := range e.compactions() {
		dropped[c.EntryID] = c.DroppedMessages
	}
	equal(t, "dropped by the first", dropped["c1"], 1)
	equal(t, "dropped by the second", dropped["c2"], 2)
	inContext := []string{}
	for _, en := range e.detail("a").Entries {
		if en.InContext {
			inContext = append(inContext, en.ID)
		}
	}
	equal(t, "in the context", strings.Join(inContext, " "), "u4 c2")
}

// TestD60: a transcript that is replaced by a shorter one while we know how
// far it was read: the new one is read, and what was read before is kept.
func TestD60ReplacedByAShorterOne(t *testing.T) {
	w := newWorld(t)
	lines := []string{head("a", 0), said("u1", "", 1, "first"), reply("a1", "u1", 2, 100, 10, "0.01"), "undefined", said("u2", "a1", 3, "second"), reply("a2", "u2", 4, 200, 20, "0.02")}
	w.lines(S("a.jsonl"), lines...)
	e := w.open()
	before := e.scan()
	equal(t, "bad lines", codes(before.Problems)["bad-line"], 1)
	w.lines(S("a.jsonl.new"), head("a", 0), compacted("c1", "", 5, "a2", "what was said"), reply("a2", "c1", 4, 200, 20, "0.02"), reply("a3", "a2", 6, 400, 40, "0.04"))
	w.move(S("a.jsonl.new"), S("a.jsonl"))
	s := e.scan()
	equal(t, "input", s.Tokens.Input, 700)
	equal(t, "messages", s.Messages, 5)
	equal(t, "compactions", s.Compactions, 1)
	have := codes(s.Problems)
	equal(t, "rewritten", have["rewritten"], 1)
	equal(t, "bad lines of what is no longer there", have["bad-line"], 0)
	var order []string
	for _, en := range e.detail("a").Entries {
		order = append(order, en.ID)
	}
	equal(t, "order", strings.Join(order, " "), "u1 a1 u2 a2 c1 a3")
	equal(t, "text of what was replaced", e.detail("a").Entries[0].Text, "first")
	w.grow(S("a.jsonl"), reply("a4", "a3", 7, 800, 80, "0.08"))
	s = e.scan()
	equal(t, "input after it grew", s.Tokens.Input, 1500)
	equal(t, "rewritten is said once", codes(s.Problems)["rewritten"], 1)
	sumsAgree(t, e)
}

// TestD60Rotated: a successor that begins with copies counts them once,
// whichever of the files is found first.
func TestD60Rotated(t *testing.T) {
	a := []string{head("a", 0), said("u1", "", 1, "1"), reply("a1", "u1", 2, 100, 10, "0.01"), reply("a2", "a1", 3, 200, 20, "0.02")}
	b := []string{headOf("b", 10, "/home/u/.openclaw/agents/main/sessions/a.jsonl"), reply("a2", "", 3, 200, 20, "0.02"), reply("b1", "a2", 11, 400, 40, "0.04")}
	c := []string{headOf("c", 20, "b.jsonl"), reply("a2", "", 3, 200, 20, "0.02"), reply("b1", "a2", 11, 400, 40, "0.04"), reply("c1", "b1", 21, 800, 80, "0.08")}
	files := map[string][]string{"a": a, "b": b, "c": c}
	for _, order := range []string{"abc", "acb", "bac", "bca", "cab", "cba"} {
		t.Run(order, func(t *testing.T) {
			step, once := newWorld(t), newWorld(t)
			e := step.open()
			for n, name := range strings.Split(order, "") {
				step.lines(S(name+".jsonl"), files[name]...)
				once.lines(S(name+".jsonl"), files[name]...)
				once.aged(S(name+".jsonl"), n)
				e.scan()
			}
			f := once.open()
			for name, s := range map[string]api.Scan{"step by step": e.scan(), "at once": f.scan(), "tally": once.tally()} {
				equal(t, name+": input", s.Tokens.Input, 1500)
				money(t, name, s.Cost.USD, 0.15)
				equal(t, name+": messages", s.Messages, 3+2+3)
			}
			for name, e := range map[string]*engineOf{"step by step": e, "at once": f} {
				for id, want := range map[string]int64{"a": 300, "b": 400, "c": 800} {
					equal(t, name+": input of "+id, e.session(id).Tokens.Input, want)
				}
				equal(t, name+": parent", *e.session("c").Parent, "b")
				sumsAgree(t, e)
			}
		})
	}
}

// TestD60SameIDsElsewhere: short ids of sessions that have nothing to do with
// each other are no copies.
func TestD60SameIDsElsewhere(t *testing.T) {
	w := newWorld(t)
	for _, id := range []string{"a", "b", "c"} {
		w.lines(S(id+".jsonl"), head(id, 0), reply("x", "", 2, 100, 10, "0.01"))
	}
	w.lines(S("a.jsonl", "helper"), head("a", 0), reply("x", "", 2, 100, 10, "0.01"))
	for name, s := range both(w) {
		equal(t, name+": input", s.Tokens.Input, 400)
		equal(t, name+": sessions", s.Sessions, 4)
	}
}

// TestD62: two calls with equal numbers at the same moment are two.
func TestD62Twins(t *testing.T) {
	w := newWorld(t)
	w.lines(S("q.jsonl"), head("q", 0), reply("q1", "", 1, 1600, 160, "0.016"), reply("q2", "", 1, 1600, 160, "0.016"))
	e := w.open()
	for name, s := range map[string]api.Scan{"index": e.scan(), "tally": w.tally()} {
		equal(t, name+": input", s.Tokens.Input, 3200)
	}
	equal(t, "calls", e.session("q").Calls, 2)
}

// TestD63: sessions that were reset are listed, under the key that they had.
func TestD63ArchivedSessionsAreListed(t *testing.T) {
	w := newWorld(t)
	w.write(S("sessions.json"), `{"agent:main:main":{"sessionId":"old","updatedAt":1778371200000}}`)
	w.lines(S("old.jsonl"), head("old", 0), said("u", "", 1, "yesterday"))
	e := w.open()
	e.scan()
	w.move(S("old.jsonl"), S("old.jsonl.reset.2026-05-11T04-58-33.868Z"))
	w.write(S("sessions.json"), `{"agent:main:main":{"sessionId":"new","updatedAt":1778371260000}}`)
	w.lines(S("new.jsonl"), head("new", 2), said("u", "", 3, "today"))
	old := e.session("old")
	equal(t, "archived", old.Archived, true)
	equal(t, "gone", old.Gone, false)
	equal(t, "key", old.SessionKey, "agent:main:main")
	equal(t, "sources", strings.Join(old.Sources, " "), w.path(S("old.jsonl.reset.2026-05-11T04-58-33.868Z")))
	equal(t, "sessions", len(e.sessions()), 2)
	equal(t, "messages", e.scan().Messages, 2)
}
