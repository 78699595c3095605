package engine

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"tidemark/backend/api"
	"tidemark/backend/index"
	"tidemark/backend/memory"
	"tidemark/backend/stats"
	"tidemark/backend/transcript"
)

// plainPage gives what Session answers, the straightforward way: everything of
// the session is read, and nothing is kept.
func (e *engineOf) plainPage(q api.Query) (out api.SessionDetail) {
	e.w.t.Helper()
	err := e.ask(context.Background(), q, func(i *installation, s store) error {
		all, err := s.Sessions(context.Background(), index.Filter{Agent: q.Agent})
		if err != nil {
			return err
		}
		for n := range all {
			sum := &all[n]
			if sum.Session != q.Session {
				continue
			}
			entries, err := s.Entries(context.Background(), sum.Row, true)
			if err != nil {
				return err
			}
			shape := transcript.ShapeOf(stats.Nodes(entries), sum.Leaf)
			onPath, inContext := marked(len(entries), shape.Path), marked(len(entries), shape.Context)
			list := shown(entries, onPath)
			found, err := i.ofSession(context.Background(), s, sum.Agent, sum.Session)
			if err != nil {
				return err
			}
			from, to := page(q, len(list))
			out = api.SessionDetail{Session: i.session(sum, stats.FamilyOf(all)), Entries: []api.Entry{}, Total: len(list), From: from}
			for _, n := range list[from:to] {
				one := entryOf(&entries[n], 0)
				one.OnPath, one.InContext = onPath[n], inContext[n]
				mark(&one, entries[n].Text, found[one.ID])
				out.Entries = append(out.Entries, one)
			}
			return nil
		}
		return nil
	})
	if err != nil {
		e.w.t.Fatal(err)
	}
	return out
}

func inJSON(t testing.TB, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// samePage compares a page with the one that is made the straightforward way.
func (e *engineOf) samePage(q api.Query) {
	e.w.t.Helper()
	got, err := e.Engine.Session(context.Background(), q)
	if err != nil {
		e.w.t.Fatal(err)
	}
	if a, b := inJSON(e.w.t, got), inJSON(e.w.t, e.plainPage(q)); a != b {
		e.w.t.Errorf("%s/%s from %d: a page differs from what is in the index\n got %s\nwant %s", q.Agent, q.Session, q.Offset, a, b)
	}
}

// checkPages compares the pages of every session. It runs with every scan of
// every test, so it meets what was kept from before each change.
func (e *engineOf) checkPages() {
	e.w.t.Helper()
	all, err := e.Sessions(context.Background(), api.Query{})
	if err != nil {
		e.w.t.Fatal(err)
	}
	for _, s := range all {
		e.samePage(api.Query{Agent: s.Agent, Session: s.SessionID, Limit: maxPage})
	}
}

// TestPagesThroughChanges pages through a session that grows, branches, is
// compacted, replaced, archived and copied.
func TestPagesThroughChanges(t *testing.T) {
	w := newWorld(t)
	long := strings.Repeat("a long answer that is packed. ", 60)
	w.lines(S("a.jsonl"), head("a", 0), said("u1", "", 1, "hello"), call{id: "a1", parent: "u1", minute: 2, in: 10, out: 1, text: long}.line())
	e := w.open()
	pages := func(what string) {
		t.Helper()
		e.scan()
		n := e.detail("a").Total
		for from := -2; from < n+2; from++ {
			e.samePage(api.Query{Session: "a", Offset: from, Limit: 2})
		}
		if t.Failed() {
			t.Fatal(what)
		}
	}
	pages("first")
	for n, line := range []string{
		said("u2", "a1", 3, "more"), reply("a2", "u2", 4, 20, 2, "0.1"), reply("b2", "u2", 5, 21, 2, "0.2"),
		compacted("c1", "b2", 6, "b2", "what was"), said("u3", "c1", 7, "and on"), `{"type":"leaf","id":"l1","parentId":"u3","timestamp":"2026-05-10T00:08:00.000Z","targetId":"a2"}`,
	} {
		w.grow(S("a.jsonl"), line)
		pages(fmt.Sprint("line ", n))
	}
	w.lines(S("a.jsonl"), head("a", 0), said("u2", "", 3, "more"), reply("z9", "u2", 9, 3, 3, "1"))
	pages("replaced")
	w.lines(S("z.jsonl"), headOf("z", -5, "a"), reply("z9", "", 9, 3, 3, "1"), said("z1", "z9", 11, "copied"))
	pages("copied into one that began before")
	w.move(S("a.jsonl"), S("a.jsonl.reset.2026-05-10T10-00-00.000Z"))
	pages("archived")
	w.write("openclaw.json", `{models: {providers: {anthropic: {models: [{id: "claude-sonnet-4-6", cost: {input: 9, output: 9}}]}}}}`)
	pages("priced anew")
	if _, err := e.Rebuild(t.Context(), api.Query{}); err != nil {
		t.Fatal(err)
	}
	pages("made anew")
}

// TestFind finds entries by id and by time.
func TestFind(t *testing.T) {
	w := newWorld(t)
	mirrored := func(id, parent string, minute int) string {
		return strings.Replace(said(id, parent, minute, "twice"), `"message":{`, `"message":{"__openclaw":{"mirrorIdentity":"m1"},`, 1)
	}
	w.lines(S("a.jsonl"), head("a", 0), said("u1", "", 1, "one"), mirrored("m1", "u1", 2), mirrored("m2", "m1", 3), reply("r1", "m2", 4, 5, 5, "1"))
	e := w.open()
	list := e.detail("a").Entries
	for n, en := range list {
		got, err := e.Find(t.Context(), api.Query{Session: "a", Entry: en.ID})
		if err != nil || got.Position != n || got.Total != len(list) {
			t.Errorf("%s: %+v, want %d of %d (%v)", en.ID, got, n, len(list), err)
		}
	}
	millis := func(minute int) int64 { return 1778371200000 + int64(minute)*60_000 }
	first := map[string]int{}
	for n, en := range list {
		first[en.ID] = n
	}
	for _, c := range []struct {
		q    api.Query
		want int
	}{
		{api.Query{Entry: "nowhere"}, -1}, {api.Query{At: 1}, 0}, {api.Query{At: millis(1)}, first["u1"]}, {api.Query{At: millis(4)}, first["r1"]},
		{api.Query{At: millis(400)}, len(list) - 1}, {api.Query{Entry: "u1", At: millis(4)}, first["u1"]},
	} {
		c.q.Session = "a"
		got, err := e.Find(t.Context(), c.q)
		if err != nil || got.Position != c.want {
			t.Errorf("%+v: %+v %v, want %d", c.q, got, err, c.want)
		}
	}
	twice := map[int]bool{}
	for _, id := range []string{"m1", "m2"} {
		got, err := e.Find(t.Context(), api.Query{Session: "a", Entry: id})
		if err != nil || got.Position < 0 {
			t.Errorf("%s: %+v %v", id, got, err)
		}
		twice[got.Position] = true
	}
	equal(t, "places of a message that is stored twice", len(twice), 1)
	for _, q := range []api.Query{{Session: "a"}, {Session: "none", Entry: "u1"}} {
		if _, err := e.Find(t.Context(), q); memory.CodeOf(err) != memory.CodeInvalid && memory.CodeOf(err) != memory.CodeNotFound {
			t.Errorf("%+v: %v", q, err)
		}
	}
}

// TestCoursesAreBounded keeps no more sessions in memory than said.
func TestCoursesAreBounded(t *testing.T) {
	var c courses
	s := &index.Store{}
	for row := range int64(9) {
		c.keep(&course{Course: &index.Course{Entries: make([]memory.Entry, keptEntries/4)}, store: s, row: row})
	}
	equal(t, "sessions", len(c.kept), 4)
	if c.find(s, 5) == nil || c.kept[0].row != 5 || c.find(s, 1) != nil || c.find(&index.Store{}, 5) != nil {
		t.Error("the wrong ones were kept")
	}
	c.keep(&course{Course: &index.Course{Entries: make([]memory.Entry, keptEntries*2)}, store: s, row: 100})
	equal(t, "one that is longer than all", len(c.kept), 1)
}

// TestWhoSpoke: the words of a person come without what OpenClaw put before
// them, with their name, also where only the beginning is shown.
func TestWhoSpoke(t *testing.T) {
	w := newWorld(t)
	info := "Conversation info: ⟦openclaw:ctx⟧\n```json\n{\"sender\":\"景行\",\"channel\":\"wechat\",\"group_subject\":\"老友群\",\"note\":\"" + strings.Repeat("x", 900) + "\"}\n```\n\n"
	w.lines(S("a.jsonl"), head("a", 0), said("u1", "", 1, info+"热的，喜欢捧着"), reply("a1", "u1", 2, 100, 10, "0.1"), said("u2", "a1", 3, "[Tue 2026-12-01 03:54 GMT+8] plain"), compacted("c1", "u2", 4, "u2", "sum"))
	e := w.open()
	got := e.detail("a").Entries
	if got[0].Text != "热的，喜欢捧着" || got[0].Speaker != "景行" || got[0].Channel != "wechat" || got[0].Chat != "老友群" || !strings.HasPrefix(got[0].Before, "Conversation info") {
		t.Errorf("got %+v", got[0])
	}
	if got[2].Text != "plain" || got[2].Speaker != "" || got[2].Before != "[Tue 2026-12-01 03:54 GMT+8]" {
		t.Errorf("got %+v", got[2])
	}
	one, err := e.Compaction(t.Context(), api.Query{Agent: "main", Session: "a", Entry: "c1"})
	if err != nil || one.Left[0].Text != "热的，喜欢捧着" || one.Left[0].Speaker != "景行" {
		t.Errorf("left: %+v %v", one.Left, err)
	}
}
