package engine

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"tidemark/backend/api"
	"tidemark/backend/memory"
)

// fortyEight are the statements of somebody who told their agents what to do
// and lost it in a night.
var fortyEight = []string{
	"Don't push me anything after midnight.", "Never reply to my landlord on my behalf.", "No client names in the shared channel, ever.", "Keep whatsapp replies under three lines.",
	"I prefer tables over paragraphs when you compare things.", "My accountant is Odalys Brandt.", "I'm allergic to shellfish.", "Always write prices with tax included.",
	"From now on sign off mails as Juno.", "Spend limit on the ads account is 40 dollars a day.", "Only merge to main after the tests are green.", "My workshop is at 14 Quillon Yard.",
	"I hate voice notes, text only from you.", "Sign every invoice with my initials.", "Never delete a file without asking me first.", "We are a two-person shop, me and Idris.",
	"I do my deliveries by cargo bike.", "Always answer in British spelling.", "The printer in the studio is a Halden P40.", "My daughter starts at the Alder Lane school on Monday.",
	"Don't schedule anything on Wednesday afternoons.", "I prefer short summaries in the morning.", "Please never use emoji with customers.", "Our supplier for clay is Brookmere.",
	"以后报表都用白底", "别半夜给我推消息", "没有我点头，任何退款都不许自动批", "报价单里的价格统一写含税价", "我对花生过敏", "每月推广三千封顶，超了就停", "我们公司叫北岬手作", "叫我阿澈就行",
	"周三下午永远留给我儿子踢球，别排会", "以后周报只写三段", "客户的电话不许发到群里", "我妈姓郗", "发票抬头一律开北岬手作工作室", "我女儿今年上三年级", "供应商账期是45天", "我喜欢简短的回答",
	"我每周三去学陶艺", "部署只能在周二和周四做", "所有合同发出去之前必须先给我看", "我不吃香菜", "配图别用图库", "我的时区是东八区", "日报每天早上八点发", "带学员姓名的截图一律打码",
}

func (e *engineOf) statements(more ...func(*api.Query)) []api.Statement {
	e.w.t.Helper()
	q := api.Query{Refresh: true}
	for _, f := range more {
		f(&q)
	}
	got, err := e.Statements(e.w.t.Context(), q)
	if err != nil {
		e.w.t.Fatal(err)
	}
	return got.Statements
}

func (e *engineOf) decide(id, do string, more ...func(*api.StatementChange)) api.StatementDetail {
	e.w.t.Helper()
	c := api.StatementChange{ID: id, Do: do}
	for _, f := range more {
		f(&c)
	}
	got, err := e.ChangeStatement(e.w.t.Context(), api.Query{}, c)
	if err != nil {
		e.w.t.Fatal(do, err)
	}
	return got
}

// textsOf gives the texts of statements, sorted.
func textsOf(all []api.Statement) []string {
	texts := make([]string, len(all))
	for n, s := range all {
		texts[n] = s.Text
	}
	slices.Sort(texts)
	return texts
}

// find gives the statement whose text holds words.
func find(t *testing.T, all []api.Statement, words string) api.Statement {
	t.Helper()
	at := slices.IndexFunc(all, func(s api.Statement) bool { return strings.Contains(s.Text, words) })
	if at < 0 {
		t.Fatalf("nothing holds %q in %q", words, textsOf(all))
	}
	return all[at]
}

// keptText gives everything in the kept files of all agents.
func (w *world) keptText() string { return w.ledgerText("kept") }

func (w *world) ledgerText(folder string) string {
	w.t.Helper()
	files, err := filepath.Glob(filepath.Join(w.data, "ledger", "*", "*", folder, "*.md"))
	if err != nil {
		w.t.Fatal(err)
	}
	var b strings.Builder
	for _, f := range files {
		body, err := os.ReadFile(f)
		if err != nil {
			w.t.Fatal(err)
		}
		b.Write(body)
	}
	return b.String()
}

// conversation48 gives a long conversation with the statements spread through
// it, and compactions that keep nothing of them.
func conversation48(session string) (lines []string) {
	lines = []string{head(session, 0)}
	parent, minute := "", 1
	add := func(id, line string) { lines, parent, minute = append(lines, line), id, minute+1 }
	for n, text := range fortyEight {
		for k := range 6 {
			u, a := fmt.Sprintf("u%02d%d-%s", n, k, session), fmt.Sprintf("a%02d%d-%s", n, k, session)
			words := fmt.Sprintf("what is in file %d of folder %d?", k, n)
			if k == 3 {
				words = text
			}
			add(u, said(u, parent, minute, words))
			add(a, reply(a, parent, minute, 4000, 200, "0.01"))
		}
		if n%12 == 11 {
			id := fmt.Sprintf("c%02d-%s", n, session)
			add(id, compacted(id, parent, minute, parent, "They talked about files and folders."))
		}
	}
	return lines
}

// TestFortyEight: everything stated is kept, whatever the era, and a restart, a
// lost index and a rebuild change nothing.
func TestFortyEight(t *testing.T) {
	for era, write := range map[string]func(*world, []string){
		"files": func(w *world, lines []string) {
			w.write(S("sessions.json"), `{"agent:main:main":{"sessionId":"a","updatedAt":1}}`)
			w.lines(S("a.jsonl"), lines...)
		},
		"archived": func(w *world, lines []string) { w.lines(S("a.jsonl.reset.2026-05-12T10-00-00.000Z"), lines...) },
		"database": func(w *world, lines []string) {
			db := w.database("main")
			db.window("a", "agent:main:main")
			db.plain("a", lines[:len(lines)/2]...)
			db.packed("a", lines[len(lines)/2:]...)
			db.close()
		},
	} {
		t.Run(era, func(t *testing.T) {
			w := newWorld(t)
			write(w, conversation48("a"))
			e := w.open()
			all := e.statements()
			before, file := rows(all), w.keptText()
			for _, want := range fortyEight {
				core := strings.TrimRight(want, ".")
				if !slices.ContainsFunc(all, func(s api.Statement) bool { return overlaps(s.Text, core) }) && !strings.Contains(file, core) { // there, or said again
					t.Errorf("%q was not kept", want)
				}
			}
			for _, s := range all {
				if s.Speaker != "owner" || s.Agent != "main" || s.SessionID != "a" || s.At == nil || !strings.HasPrefix(*s.At, "2026-05-10") || s.State != "live" {
					t.Errorf("%+v", s)
				}
			}
			e.close()
			e = w.open()
			equal(t, "after a restart", rows(e.statements()), before)
			if _, err := e.Rebuild(t.Context(), api.Query{}); err != nil {
				t.Fatal(err)
			}
			equal(t, "after a rebuild", rows(e.statements()), before)
			e.close()
			w.loseIndex()
			e = w.open()
			equal(t, "after the index was lost", rows(e.statements()), before)
			equal(t, "the ledger", w.keptText(), file)
		})
	}
}

// overlaps says that one of two texts holds most of the other.
func overlaps(got, want string) bool {
	return strings.Contains(want, got) && len(got)*3 >= len(want) || strings.Contains(got, want)
}

func rows(all []api.Statement) string {
	var b strings.Builder
	for _, s := range all {
		fmt.Fprintf(&b, "%+v %t %t\n", s.StatementRow.ID+s.Tag+s.Text+s.Scope+s.Speaker+s.State, s.Pinned, s.Edited)
		if s.At != nil {
			b.WriteString(*s.At + s.EntryID)
		}
	}
	return b.String()
}

// TestSpeakersOfStatements: the owner's words become rules for all agents, a contact's bind
// to them, and nobody's are nobody's.
func TestSpeakersOfStatements(t *testing.T) {
	w := newWorld(t)
	w.write(S("sessions.json"), `{"agent:main:main":{"sessionId":"own","updatedAt":1},"agent:main:telegram:group:-100":{"sessionId":"group","updatedAt":1},"agent:main:whatsapp:direct:+86138":{"sessionId":"direct","updatedAt":1},`+
		`"agent:main:cron:nightly":{"sessionId":"job","updatedAt":1}}`)
	const told = "Conversation info (untrusted metadata):\n```json\n{\"sender\":\"Mei\",\"is_group_chat\":true,\"group_subject\":\"Potters\"}\n```\n\n"
	for _, id := range []string{"own", "group", "direct", "job"} {
		before := map[string]string{"group": told}[id]
		w.lines(S(id+".jsonl"), head(id, 0), said("u-"+id, "", 1, before+"Don't push me anything after midnight."), reply("a-"+id, "u-"+id, 2, 1, 1, "0"))
	}
	w.lines(S("nameless.jsonl"), head("nameless", 0), `{"type":"message","id":"n1","parentId":null,"timestamp":"`+at(1)+`","message":{"role":"user","content":"Never call me on Sundays.","__openclaw":{"senderIsOwner":false}}}`)
	all := w.open().statements()
	got := map[string]string{}
	for _, s := range all {
		got[s.SessionID] = fmt.Sprint(s.Speaker, " ", s.SpeakerName, " ", s.Scope, " ", s.Chat)
	}
	for id, want := range map[string]string{"own": "owner  all ", "group": "contact Mei contact Potters", "direct": "contact +86138 contact ", "nameless": "unknown  agent ", "job": ""} {
		equal(t, id, got[id], want)
	}
}

// TestRepeatsAndSuccessors: what is said again is one statement with a count,
// also to another agent, and a later value replaces the earlier one.
func TestRepeatsAndSuccessors(t *testing.T) {
	w := newWorld(t)
	w.write("openclaw.json", `{agents: {list: [{id: "main"}, {id: "ops"}]}}`)
	w.lines(S("a.jsonl"), head("a", 0), said("u1", "", 1, "别半夜给我推消息"), said("u2", "u1", 60, "日报每天早上八点发"), said("u3", "u2", 120, "別半夜給我推消息！"), said("u4", "u3", 180, "现在改了，日报挪到早上七点半"))
	w.lines(S("b.jsonl", "ops"), head("b", 0), said("v1", "", 300, "别半夜给我推消息。"))
	e := w.open()
	all := e.statements()
	night := find(t, all, "半夜")
	if night.Repeats != 2 || night.EntryID != "u1" || night.Scope != "all" {
		t.Errorf("%+v", night)
	}
	detail, err := e.Statement(t.Context(), api.Query{ID: night.ID})
	if err != nil || len(detail.Said) != 3 || detail.Said[2].Agent != "ops" || detail.Said[1].EntryID != "u3" {
		t.Errorf("%+v %v", detail.Said, err)
	}
	for _, o := range detail.Said {
		if r := []rune(o.Message); !o.Shown || string(r[o.Start:o.End]) != o.Text {
			t.Errorf("%+v", o)
		}
	}
	old, now := find(t, all, "八点"), find(t, all, "七点半")
	if old.State != "superseded" || old.By != now.ID || now.State != "live" {
		t.Errorf("%+v\n%+v", old, now)
	}
	ops := e.statements(func(q *api.Query) { q.Agent = "ops" })
	if len(ops) != 1 || ops[0].ID != night.ID {
		t.Errorf("for ops: %q", textsOf(ops))
	}
}

// TestSecretsAreNotKept: the rest of a message is, at its place.
func TestSecretsAreNotKept(t *testing.T) {
	w := newWorld(t)
	w.mask = func(s string) string { return strings.ReplaceAll(s, "hunter2-example", "[masked: password]") }
	text := "my password is hunter2-example, and from now on use the cheaper model for drafts"
	w.lines(S("a.jsonl"), head("a", 0), said("u1", "", 1, text))
	e := w.open()
	s := find(t, e.statements(), "cheaper model")
	d, err := e.Statement(t.Context(), api.Query{ID: s.ID})
	if err != nil {
		t.Fatal(err)
	}
	if r := []rune(d.Said[0].Message); string(r[d.Said[0].Start:d.Said[0].End]) != s.Text {
		t.Errorf("%+v", d.Said[0])
	}
	line := e.insts[e.id].said.book
	st, _ := line.Statement(s.ID, 0)
	if r := []rune(text); string(r[st.Start:st.End]) != st.Text {
		t.Errorf("%d-%d of the message is %q, want %q", st.Start, st.End, string(r[st.Start:st.End]), st.Text)
	}
	if w.holds("hunter2") {
		t.Error("the password is in the data directory")
	}
}

// holds says whether any file of the data directory holds some bytes.
func (w *world) holds(words string) (found bool) {
	w.t.Helper()
	err := filepath.WalkDir(w.data, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		body, err := os.ReadFile(path)
		if bytes.Contains(body, []byte(words)) {
			w.t.Logf("%s holds it", path)
			found = true
		}
		return err
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return found
}

// TestForgotten: the words are nowhere in the data directory any more, and do
// not come back from the transcript.
func TestForgotten(t *testing.T) {
	w := newWorld(t)
	w.lines(S("a.jsonl"), head("a", 0), said("u1", "", 1, "Never call my ex-partner Quillonetta again."), said("u2", "u1", 2, "never call my ex-partner Quillonetta again"), said("u3", "u2", 3, "I prefer tea."),
		compacted("c1", "u3", 4, "u3", "The person said: Never call my ex-partner Quillonetta again. They like tea."))
	e := w.open()
	all := e.statements()
	st := find(t, all, "Quillonetta")
	equal(t, "repeats", st.Repeats, 1)
	e.decide(st.ID, "correct", func(c *api.StatementChange) { c.Text = "Never call Quillonetta" })
	if !w.holds("Quillonetta") {
		t.Fatal("this test looks in the wrong place")
	}
	d := e.decide(st.ID, "forget")
	if d.Statement.State != "forgotten" || d.Statement.Text != "" || len(d.Said) != 0 {
		t.Errorf("%+v", d)
	}
	check := func(what string, e *engineOf) {
		t.Helper()
		if w.holds("Quillonetta") {
			t.Error(what + ": the words are still there")
		}
		if got := textsOf(e.statements()); len(got) != 1 || !strings.Contains(got[0], "tea") {
			t.Errorf("%s: %q", what, got)
		}
		if text := e.allTexts(t); strings.Contains(text, "Quillonetta") || !strings.Contains(text, "[forgotten]") {
			t.Errorf("%s: the conversation reads %q", what, text)
		}
	}
	check("forgotten", e)
	e.close()
	e = w.open()
	check("after a restart", e)
	if _, err := e.Rebuild(t.Context(), api.Query{}); err != nil {
		t.Fatal(err)
	}
	check("after a rebuild", e)
	e.close()
	w.loseIndex()
	e = w.open()
	check("after the index was lost", e)
	// What is said again afterwards is the person's to say.
	w.now = w.now.Add(time.Hour)
	later := w.now.Add(-time.Minute).UTC().Format("2006-01-02T15:04:05.000Z")
	w.grow(S("a.jsonl"), `{"type":"message","id":"u9","parentId":"c1","timestamp":"`+later+`","message":{"role":"user","content":"Never call my ex-partner Quillonetta again."}}`)
	if got := e.statements(); len(got) != 2 {
		t.Errorf("said again: %q", textsOf(got))
	}
}

// TestDecisions: what a person decides is a line of the ledger, holds after the
// index is lost, and can be taken back.
func TestDecisions(t *testing.T) {
	w := newWorld(t)
	w.lines(S("a.jsonl"), head("a", 0), said("u1", "", 1, "I prefer tables over paragraphs."), said("u2", "u1", 2, "Don't push me anything after midnight."))
	e := w.open()
	tables, night := find(t, e.statements(), "tables"), find(t, e.statements(), "midnight")
	e.decide(tables.ID, "pin")
	e.decide(tables.ID, "correct", func(c *api.StatementChange) { c.Text = "Tables, not paragraphs" })
	e.decide(night.ID, "scope", func(c *api.StatementChange) { c.Scope = "agent" })
	check := func(what string) {
		t.Helper()
		all := e.statements()
		a, b := find(t, all, "Tables"), find(t, all, "midnight")
		if !a.Pinned || a.ID != tables.ID || b.Scope != "agent" {
			t.Errorf("%s: %+v %+v", what, a, b)
		}
	}
	check("decided")
	e.close()
	w.loseIndex()
	e = w.open()
	check("after the index was lost")
	if d := e.decide(tables.ID, "undo"); d.Statement.Text != tables.Text || !d.Statement.Pinned {
		t.Errorf("undone: %+v", d.Statement)
	}
	if d := e.decide(tables.ID, "undo"); d.Statement.Pinned {
		t.Errorf("undone: %+v", d.Statement)
	}
	for _, bad := range []api.StatementChange{{ID: "none", Do: "pin"}, {ID: tables.ID, Do: "burn"}, {ID: tables.ID, Do: "correct"}, {ID: tables.ID, Do: "scope", Scope: "world"}, {ID: tables.ID, Do: "correct", Text: "x", Tag: "Q"}} {
		if _, err := e.ChangeStatement(t.Context(), api.Query{}, bad); err == nil || memory.CodeOf(err) == memory.CodeInternal || memory.HintOf(err) == "" {
			t.Errorf("%+v: %v (hint %q)", bad, err, memory.HintOf(err))
		}
	}
}

// TestEditedByHand: what a person changes in the files of the ledger is noticed
// and respected.
func TestEditedByHand(t *testing.T) {
	w := newWorld(t)
	w.lines(S("a.jsonl"), head("a", 0), said("u1", "", 1, "I prefer tables over paragraphs."), said("u2", "u1", 2, "Don't push me anything after midnight."), said("u3", "u2", 3, "My accountant is Odalys Brandt."))
	e := w.open()
	equal(t, "kept", len(e.statements()), 3)
	files, err := filepath.Glob(filepath.Join(w.data, "ledger", "*", "main", "kept", "*.md"))
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	body, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, l := range strings.Split(string(body), "\n") {
		if strings.Contains(l, "Odalys") { // deleted
			continue
		}
		lines = append(lines, strings.Replace(l, "tables", "charts", 1))
	}
	lines = append(lines, "- B · Never mail on Sundays", "")
	w.now = w.now.Add(time.Minute)
	if err := os.WriteFile(files[0], []byte(strings.Join(lines, "\n")), 0o600); err != nil {
		t.Fatal(err)
	}
	check := func(what string) {
		t.Helper()
		all := e.statements()
		if len(all) != 3 {
			t.Fatalf("%s: %q", what, textsOf(all))
		}
		if s := find(t, all, "charts"); !s.Edited {
			t.Errorf("%s: %+v", what, s)
		}
		if s := find(t, all, "Sundays"); !s.ByHand || s.Tag != "B" {
			t.Errorf("%s: %+v", what, s)
		}
	}
	check("edited")
	if _, err := e.Rebuild(t.Context(), api.Query{}); err != nil {
		t.Fatal(err)
	}
	check("after a rebuild")
	e.close()
	w.loseIndex()
	e = w.open()
	check("after the index was lost")
}

// TestLedgerCannotBeWritten: it is told at once, nothing is lost, also when the
// process ends meanwhile, and it catches up.
func TestLedgerCannotBeWritten(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("there is no /dev/full")
	}
	w := newWorld(t)
	w.lines(S("a.jsonl"), head("a", 0), said("u1", "", 1, "I prefer tables over paragraphs."))
	e := w.open()
	e.statements()
	w.grow(S("a.jsonl"), said("u2", "u1", 60*24, "Don't push me anything after midnight.")) // a file of another day
	full := filepath.Join(filepath.Dir(w.keptFiles()[0]), "2026-05-11.md")
	if err := os.Symlink("/dev/full", full); err != nil {
		t.Fatal(err)
	}
	check := func(what string) {
		t.Helper()
		got, err := e.Statements(t.Context(), api.Query{Refresh: true})
		if err != nil {
			t.Fatal(err)
		}
		if len(got.Statements) != 2 || got.Waiting != 1 || !strings.Contains(got.LedgerError, "no space") {
			t.Errorf("%s: %q %d %q", what, textsOf(got.Statements), got.Waiting, got.LedgerError)
		}
		list, err := e.Problems(t.Context(), api.Query{})
		if err != nil || !slices.ContainsFunc(list, func(p api.Problem) bool { return p.Code == string(memory.ProblemLedger) }) {
			t.Errorf("%s: %+v %v", what, list, err)
		}
	}
	check("full")
	e.close()
	e = w.open()
	check("after a restart")
	if err := os.Remove(full); err != nil {
		t.Fatal(err)
	}
	got, err := e.Statements(t.Context(), api.Query{Refresh: true})
	if err != nil || len(got.Statements) != 2 || got.Waiting != 0 || got.LedgerError != "" {
		t.Errorf("%+v %v", got, err)
	}
	if text := w.keptText(); strings.Count(text, "midnight") != 1 || strings.Count(text, "tables") != 1 {
		t.Errorf("the ledger:\n%s", text)
	}
	if text := w.ledgerText("said"); strings.Count(text, "midnight") != 1 {
		t.Errorf("what was said:\n%s", text)
	}
}

func (w *world) keptFiles() []string {
	files, err := filepath.Glob(filepath.Join(w.data, "ledger", "*", "main", "kept", "*.md"))
	if err != nil || len(files) == 0 {
		w.t.Fatal(files, err)
	}
	return files
}

// TestCopiesAreOne: a rotated transcript repeats messages in another session:
// nobody said them again.
func TestCopiesAreOne(t *testing.T) {
	w := newWorld(t)
	one := said("u1", "", 1, "I prefer tables over paragraphs.")
	w.lines(S("a.jsonl"), head("a", 0), one, reply("a1", "u1", 2, 1, 1, "0"))
	w.lines(S("b.jsonl"), headOf("b", 10, "a.jsonl"), one, reply("a1", "u1", 2, 1, 1, "0"), said("u2", "a1", 20, "and what else?"))
	e := w.open()
	all := e.statements()
	if len(all) != 1 || all[0].Repeats != 0 {
		t.Errorf("%+v", all)
	}
	equal(t, "what was said", strings.Count(w.ledgerText("said"), "tables"), 1)
}

// TestMarkedInTheConversation: spans of a message are where the words stand on
// screen, and the tide has them.
func TestMarkedInTheConversation(t *testing.T) {
	w := newWorld(t)
	w.lines(S("a.jsonl"), head("a", 0), said("u1", "", 1, "[Tue 2026-12-01 03:54 GMT+8] 😵 hm. I prefer tables over paragraphs."), reply("a1", "u1", 2, 1, 1, "0"))
	e := w.open()
	entry := e.detail("a").Entries[0]
	if len(entry.Statements) != 1 {
		t.Fatalf("%+v", entry)
	}
	span := entry.Statements[0]
	st := e.statements()[0]
	if got := string([]rune(entry.Text)[span.Start:span.End]); got != st.Text || span.ID != st.ID {
		t.Errorf("%q, want %q", got, st.Text)
	}
	tide := e.tideOf("a")
	if len(tide.Statements) != 1 || tide.Statements[0].Entry != "u1" || tide.Statements[0].Call != 0 {
		t.Errorf("%+v", tide.Statements)
	}
}

// TestForgottenByHand: a line that a person wrote is forgotten too, and nothing
// that is left tells its words.
func TestForgottenByHand(t *testing.T) {
	w := newWorld(t)
	w.lines(S("a.jsonl"), head("a", 0), said("u1", "", 1, "I prefer tea."))
	e := w.open()
	e.statements()
	file := w.keptFiles()[0]
	body, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, append(body, "- B · Never call Quillonetta\n"...), 0o600); err != nil {
		t.Fatal(err)
	}
	st := find(t, e.statements(), "Quillonetta")
	if d := e.decide(st.ID, "forget"); d.Statement.State != "forgotten" || d.Statement.Text != "" {
		t.Errorf("%+v", d.Statement)
	}
	equal(t, "left", len(e.statements()), 1)
	e.close()
	if w.holds("Quillonetta") || w.holds(st.ID) {
		t.Error("it is still there")
	}
}

// TestForgottenDuringARebuild: one waits for the other, and both end.
func TestForgottenDuringARebuild(t *testing.T) {
	w := newWorld(t)
	w.lines(S("a.jsonl"), head("a", 0), said("u1", "", 1, "Never call my ex-partner Quillonetta."), said("u2", "u1", 2, "I prefer tea."))
	e := w.open()
	st := find(t, e.statements(), "Quillonetta")
	forgotten := make(chan error, 1)
	w.during(1, func() {
		go func() {
			_, err := e.ChangeStatement(t.Context(), api.Query{}, api.StatementChange{ID: st.ID, Do: "forget"})
			forgotten <- err
		}()
		time.Sleep(100 * time.Millisecond) // until it waits; sooner would prove less, and fail nothing
	})
	rebuilt := make(chan error, 1)
	go func() {
		_, err := e.Rebuild(t.Context(), api.Query{})
		rebuilt <- err
	}()
	for what, done := range map[string]chan error{"the rebuild": rebuilt, "the forgetting": forgotten} {
		select {
		case err := <-done:
			if err != nil {
				t.Errorf("%s: %v", what, err)
			}
		case <-time.After(20 * time.Second):
			t.Fatalf("%s does not end", what)
		}
	}
	if w.holds("Quillonetta") {
		t.Error("the words are still there")
	}
}
