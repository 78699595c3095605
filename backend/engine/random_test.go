package engine

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"tidemark/backend/api"
	"tidemark/backend/memory"
)

// A random history writes a state directory as OpenClaw's versions do over
// years, and knows what is right: every entry once for its session, every call
// once for all of its copies, in the session that began first.

// truth is what is right of one session.
type truth struct {
	Messages, User, Compactions, Calls int64
	Input, Output, Read                int64
	Cost                               memory.Money
}

// record is one record of a transcript.
type record struct {
	text string // as written
	id   string // "" where it is no entry
	user bool
	twin string // name of a message that is stored twice
	call *call  // with its money
	kind string // message, compaction, other
	cost memory.Money
}

// conversation is one session and where it lies.
type conversation struct {
	agent, id   string
	started     int
	parent      *conversation
	file        string // live file, "" where it is none
	database    bool
	header      string
	records     []record // that are in the live file or the database now
	seen        map[string]record
	pending     string // the first half of a record that is not finished
	pendingRest record
	over        bool     // nothing is added any more
	copies      []string // other files that hold a part of it
}

// history is a random history that grows.
type randomHistory struct {
	w      *world
	r      *rand.Rand
	minute int
	n      int
	all    []*conversation
	dbs    map[string]*database
	lossy  bool // data may vanish
	log    []string
}

func newHistory(t *testing.T, seed uint64, lossy bool) *randomHistory {
	h := &randomHistory{w: newWorld(t), r: rand.New(rand.NewPCG(seed, 7)), dbs: map[string]*database{}, lossy: lossy}
	h.w.write("openclaw.json", `{agents: {list: [{id: "main"}, {id: "ops"}]}, models: {providers: {own: {models: [{id: "priced", cost: {input: 2, output: 10}}]}}}}`)
	return h
}

func (h *randomHistory) tick() int { h.minute++; return h.minute }

func (h *randomHistory) id(long bool) string {
	h.n++
	if long {
		return fmt.Sprintf("%08x-1111-4222-8333-%012x", h.r.Uint32(), h.n)
	}
	return fmt.Sprintf("%04x%04x", h.n, h.r.Uint32()&0xffff)
}

// record makes a record of a session, or several that belong together.
func (h *randomHistory) record(c *conversation) []record {
	parent := ""
	if len(c.records) > 0 {
		parent = c.records[len(c.records)-1].id
	}
	id, minute := h.id(c.database), h.tick()
	text := strings.Repeat(fmt.Sprintf("words %d of a person 客户 ", h.n), h.r.IntN(60))
	switch k := h.r.IntN(20); {
	case k < 5:
		return []record{{text: said(id, parent, minute, text), id: id, user: true, kind: "message"}}
	case k < 6: // stored twice
		name := "mirror-" + id
		row := func(id string) string {
			return fmt.Sprintf(`{"type":"message","id":%q,"parentId":%s,"timestamp":%q,"message":{"role":"user","content":"again","__openclaw":{"mirrorIdentity":%q}}}`, id, parentText(parent), at(minute), name)
		}
		other := h.id(c.database)
		return []record{{text: row(id), id: id, user: true, kind: "message", twin: name}, {text: row(other), id: other, user: true, kind: "message", twin: name}}
	case k < 12:
		k := &call{id: id, parent: parent, minute: minute, in: h.r.Int64N(5000), out: h.r.Int64N(500), read: h.r.Int64N(90000), provider: "own", model: "priced", text: text}
		cost := memory.Money(h.r.Int64N(1_000_000_000))
		k.usd = fmt.Sprintf("%d.%09d", cost/memory.Dollar, cost%memory.Dollar)
		if cost == 0 || h.r.IntN(4) == 0 {
			k.usd, cost = "0", 0
			if k.in+k.out+k.read > 0 {
				k.in, k.out, cost = 1_000, 100, 3_000_000 // 2 and 10 dollars for a million
				k.read = 0
			}
		}
		return []record{{text: k.line(), id: id, call: k, cost: cost, kind: "message"}}
	case k < 14:
		return []record{{text: fmt.Sprintf(`{"type":"message","id":%q,"parentId":%s,"timestamp":%q,"message":{"role":"toolResult","toolName":"exec","toolCallId":"t","content":[{"type":"text","text":%s}]}}`, id, parentText(parent), at(minute), jsonText(text+text)), id: id, kind: "message"}}
	case k < 15:
		return []record{{text: compacted(id, parent, minute, parent, "summary "+text), id: id, kind: "compaction"}}
	case k < 16:
		return []record{{text: fmt.Sprintf(`{"type":"custom","id":%q,"parentId":%s,"timestamp":%q,"customType":"model-snapshot","data":{}}`, id, parentText(parent), at(minute)), id: id, kind: "other"}}
	case k < 17:
		return []record{{text: fmt.Sprintf(`{"type":"of-the-future","id":%q,"parentId":%s,"timestamp":%q}`, id, parentText(parent), at(minute)), id: id, kind: "other"}}
	case k < 18 && len(c.records) > 0: // the same again
		return []record{c.records[h.r.IntN(len(c.records))]}
	case k < 19 && !c.database:
		return []record{{text: []string{"", "undefined", `{"type":"message","id":"half`, `["no entry"]`}[h.r.IntN(4)], kind: "none"}}
	case !c.database: // cut off, with a whole one behind it
		cut := said("zz"+id, parent, minute, text)
		return []record{{text: cut[:len(cut)/2] + said(id, parent, minute, "whole"), id: id, user: true, kind: "message"}}
	}
	return []record{{text: said(id, parent, minute, text), id: id, user: true, kind: "message"}}
}

// add takes records into what is right.
func (c *conversation) add(list ...record) {
	for _, r := range list {
		c.records = append(c.records, r)
		if r.id == "" {
			continue
		}
		if _, there := c.seen[r.id]; !there {
			c.seen[r.id] = r
		}
	}
}

func (h *randomHistory) pick(ok func(*conversation) bool) *conversation {
	var found []*conversation
	for _, c := range h.all {
		if ok(c) {
			found = append(found, c)
		}
	}
	if len(found) == 0 {
		return nil
	}
	return found[h.r.IntN(len(found))]
}

func (c *conversation) live() bool { return !c.over && (c.file != "" || c.database) }

// step does one thing that OpenClaw or a person does.
func (h *randomHistory) step() {
	c := h.pick((*conversation).live)
	if c == nil || h.r.IntN(8) == 0 {
		h.begin()
		return
	}
	steps := []func(*conversation){h.append, h.append, h.append, h.append, h.half, h.archive, h.copy, h.decoys, h.rotate, h.upgrade, h.touch}
	if h.lossy {
		steps = append(steps, h.destroy, h.destroyAll, h.rewrite)
	}
	steps[h.r.IntN(len(steps))](c)
}

func (h *randomHistory) note(format string, args ...any) {
	h.log = append(h.log, fmt.Sprintf(format, args...))
}

func (h *randomHistory) begin() {
	c := &conversation{agent: []string{"main", "ops"}[h.r.IntN(2)], seen: map[string]record{}, started: h.tick()}
	c.database = h.r.IntN(3) == 0
	c.id = h.id(true)
	c.header = head(c.id, c.started)
	h.all = append(h.all, c)
	h.note("begin %s %s database=%t", c.agent, c.id, c.database)
	if c.database {
		h.row(c, c.header)
	} else {
		c.file = S(c.id+".jsonl", c.agent)
		h.w.lines(c.file, c.header)
	}
	if h.r.IntN(4) > 0 {
		h.append(c)
	}
}

func (h *randomHistory) db(agent string) *database {
	if h.dbs[agent] == nil {
		h.dbs[agent] = h.w.database(agent)
	}
	return h.dbs[agent]
}

// settle closes the databases, as a gateway that was stopped does.
func (h *randomHistory) settle() {
	for agent, db := range h.dbs {
		db.close()
		delete(h.dbs, agent)
	}
}

func (h *randomHistory) row(c *conversation, text string) {
	if h.r.IntN(2) == 0 {
		h.db(c.agent).plain(c.id, text)
	} else {
		h.db(c.agent).packed(c.id, text)
	}
}

func (h *randomHistory) append(c *conversation) {
	h.finish(c)
	for range 1 + h.r.IntN(5) {
		for _, r := range h.record(c) {
			if c.database {
				h.row(c, r.text)
			} else {
				h.w.grow(c.file, r.text)
			}
			c.add(r)
		}
	}
	h.note("append %s: %d", c.id, len(c.records))
}

// half writes the first half of a record; a later step finishes it.
func (h *randomHistory) half(c *conversation) {
	h.finish(c)
	if c.database {
		return
	}
	id := h.id(false)
	text := said(id, "", h.tick(), "a sentence that is written in two parts")
	n := 1 + h.r.IntN(len(text)-2)
	h.w.raw(c.file, text[:n])
	c.pending, c.pendingRest = text[n:], record{text: text, id: id, user: true, kind: "message"}
	h.note("half %s", c.id)
}

func (h *randomHistory) finish(c *conversation) {
	if c.pending == "" {
		return
	}
	h.w.raw(c.file, c.pending+"\n")
	c.pending = ""
	c.add(c.pendingRest)
}

// archive puts a file away under another name, compressed or not.
func (h *randomHistory) archive(c *conversation) {
	h.finish(c)
	if c.database || len(c.records) == 0 {
		return
	}
	reason := []string{"reset", "deleted"}[h.r.IntN(2)]
	to := fmt.Sprintf("%s.%s.2026-05-11T04-58-33.%03dZ", c.file, reason, h.n%1000)
	if h.r.IntN(3) == 0 {
		to += ".k1.zst"
		h.w.write(to, string(zstdOf(h.w.t, c.text())))
		h.w.remove(c.file)
	} else {
		h.w.move(c.file, to)
	}
	h.note("archive %s as %s", c.id, filepath.Base(to))
	c.file, c.over = "", true
	c.copies = append(c.copies, to)
}

// text is the whole transcript.
func (c *conversation) text() string {
	var b strings.Builder
	b.WriteString(c.header + "\n")
	for _, r := range c.records {
		b.WriteString(r.text + "\n")
	}
	return b.String()
}

// copy leaves a copy of a part beside the file.
func (h *randomHistory) copy(c *conversation) {
	h.finish(c)
	if c.database || len(c.records) == 0 {
		return
	}
	part := *c
	part.records = c.records[:1+h.r.IntN(len(c.records))]
	to := fmt.Sprintf("%s.deleted.2026-05-12T04-58-33.%03dZ", c.file, h.n%1000)
	h.w.write(to, part.text())
	c.copies = append(c.copies, to)
	h.note("copy of %s", c.id)
}

// decoys are files that are no history.
func (h *randomHistory) decoys(c *conversation) {
	for _, name := range []string{".checkpoint.0f0f0f0f-1111-4222-8333-444444444444.jsonl", ".trajectory.jsonl", ".jsonl.bak.2026-05-11T04-58-33.868Z", ".jsonl.lock"} {
		h.w.write(S(c.id+name, c.agent), c.text())
	}
}

// rotate begins a successor with copies of the last records.
func (h *randomHistory) rotate(c *conversation) {
	h.finish(c)
	if c.database || len(c.records) == 0 {
		return
	}
	next := &conversation{agent: c.agent, seen: map[string]record{}, started: h.tick(), parent: c}
	next.id = h.id(true)
	next.header = headOf(next.id, next.started, "/home/u/.openclaw/"+c.file)
	next.file = S(next.id+".jsonl", next.agent)
	next.add(c.records[h.r.IntN(len(c.records)):]...)
	h.w.write(next.file, next.text())
	h.all = append(h.all, next)
	h.note("rotate %s to %s with %d", c.id, next.id, len(next.records))
	c.over = true
	if h.r.IntN(2) == 0 {
		c.over = false
		h.archive(c)
	}
}

// upgrade moves a session into the database, now and then under another id.
func (h *randomHistory) upgrade(c *conversation) {
	h.finish(c)
	if c.database || !slices.ContainsFunc(c.records, func(r record) bool { return r.id != "" }) {
		return
	}
	old := c.id
	if h.r.IntN(2) == 0 {
		c.id = h.id(true)
	}
	h.row(c, strings.Replace(c.header, old, c.id, 1))
	sent := map[string]bool{}
	for _, r := range c.records {
		if r.id == "" || sent[r.id] {
			continue
		}
		sent[r.id] = true
		text := r.text
		if at := strings.LastIndex(text, `{"type":"message"`); at > 0 {
			text = text[at:] // OpenClaw takes over what it could read
		}
		h.row(c, text)
	}
	to := fmt.Sprintf("agents/%s/session-sqlite-import-archive/agent_%s_main.%s.jsonl.imported-1796069313858", c.agent, c.agent, old)
	h.w.move(c.file, to)
	c.copies = append(c.copies, to)
	c.file, c.database = "", true
	h.note("upgrade %s to %s", old, c.id)
}

func (h *randomHistory) touch(c *conversation) {
	if c.file != "" {
		h.w.aged(c.file, h.tick())
	}
}

// destroy deletes a session, wherever it lies.
func (h *randomHistory) destroy(c *conversation) {
	c.pending, c.over = "", true
	h.note("destroy %s", c.id)
	if c.database {
		h.db(c.agent).run("DELETE FROM transcript_events WHERE session_id=?", c.id)
		return
	}
	h.w.remove(c.file)
	c.file = ""
}

// destroyAll deletes all that there is of a session that may be over.
func (h *randomHistory) destroyAll(*conversation) {
	c := h.all[h.r.IntN(len(h.all))]
	if c.live() {
		h.destroy(c)
	}
	for _, name := range c.copies {
		h.w.remove(name)
	}
	h.note("destroy all of %s", c.id)
	c.copies = nil
}

// rewrite replaces a file by a shorter one.
func (h *randomHistory) rewrite(c *conversation) {
	h.finish(c)
	if c.database || len(c.records) < 2 {
		return
	}
	id := h.id(false)
	kept := c.records[1+h.r.IntN(len(c.records)-1):]
	c.records = nil
	c.add(record{text: compacted(id, "", h.tick(), "", "what went before"), id: id, kind: "compaction"})
	c.add(kept...)
	h.w.write(c.file+".tmp", c.text())
	h.w.move(c.file+".tmp", c.file)
	h.note("rewrite %s: %d left", c.id, len(c.records))
}

// right gives what is right, by agent and session.
func (h *randomHistory) right() map[string]truth {
	owner := map[string]*conversation{} // by the call's id and time: copies have both
	inOrder := slices.Clone(h.all)
	slices.SortStableFunc(inOrder, func(a, b *conversation) int { return a.started - b.started })
	for _, c := range inOrder {
		for id, r := range c.seen {
			if _, taken := owner[id]; r.call != nil && !taken {
				owner[id] = c
			}
		}
	}
	all := map[string]truth{}
	for _, c := range h.all {
		var tr truth
		twins := map[string]bool{}
		for id, r := range c.seen {
			switch {
			case r.kind == "compaction":
				tr.Compactions++
			case r.kind == "message" && !(r.twin != "" && twins[r.twin]):
				twins[r.twin] = true
				tr.Messages++
				if r.user {
					tr.User++
				}
			}
			if r.call != nil && owner[id] == c {
				tr.Calls++
				tr.Input, tr.Output, tr.Read, tr.Cost = tr.Input+r.call.in, tr.Output+r.call.out, tr.Read+r.call.read, tr.Cost+r.cost
			}
		}
		all[c.agent+"/"+c.id] = tr
	}
	return all
}

// answered gives what an engine says, by agent and session.
func answered(e *engineOf) map[string]truth {
	e.w.t.Helper()
	all := map[string]truth{}
	for _, s := range e.sessions() {
		m, _ := memory.MoneyOf(s.USD)
		all[s.Agent+"/"+s.SessionID] = truth{s.Messages, s.UserMessages, s.Compactions, s.Calls, s.Tokens.Input, s.Tokens.Output, s.Tokens.CacheRead, m}
	}
	return all
}

func differ(got, want map[string]truth) (lines []string) {
	for _, id := range slices.Sorted(maps.Keys(want)) {
		if got[id] != want[id] {
			lines = append(lines, fmt.Sprintf("%s\n   is     %+v\n   should %+v", id, got[id], want[id]))
		}
	}
	for _, id := range slices.Sorted(maps.Keys(got)) {
		if _, ok := want[id]; !ok {
			lines = append(lines, fmt.Sprintf("%s should not be: %+v", id, got[id]))
		}
	}
	return lines
}

func (h *randomHistory) expect(what string, e *engineOf, want map[string]truth) {
	h.w.t.Helper()
	if lines := differ(answered(e), want); len(lines) > 0 {
		h.w.t.Errorf("%s:\n%s\nhistory:\n%s", what, strings.Join(lines, "\n"), strings.Join(h.log, "\n"))
	}
	e.check()
	if h.w.t.Failed() {
		h.w.t.FailNow()
	}
}

// expectFamilies is expect, but for the sessions that continue each other: of
// a call whose first session is gone and that is kept in a copy, the copy's
// session has it.
func (h *randomHistory) expectFamilies(what string, e *engineOf, want map[string]truth) {
	h.w.t.Helper()
	root := map[string]string{}
	for _, c := range h.all {
		first := c
		for first.parent != nil {
			first = first.parent
		}
		root[c.agent+"/"+c.id] = first.agent + "/" + first.id
	}
	summed := func(all map[string]truth) map[string]truth {
		sums := map[string]truth{}
		for id, one := range all {
			family := sums[root[id]]
			family.Calls, family.Input, family.Output, family.Read, family.Cost = family.Calls+one.Calls, family.Input+one.Input, family.Output+one.Output, family.Read+one.Read, family.Cost+one.Cost
			sums[root[id]] = family
			words := sums["words of "+id]
			words.Messages, words.User, words.Compactions = one.Messages, one.User, one.Compactions
			sums["words of "+id] = words
		}
		return sums
	}
	if lines := differ(summed(answered(e)), summed(want)); len(lines) > 0 {
		h.w.t.Errorf("%s:\n%s\nhistory:\n%s", what, strings.Join(lines, "\n"), strings.Join(h.log, "\n"))
	}
	e.check()
	if h.w.t.Failed() {
		h.w.t.FailNow()
	}
}

// totals gives the part of a scan that does not name sessions.
func totals(s api.Scan) string {
	m, _ := memory.MoneyOf(s.Cost.USD)
	return fmt.Sprint(s.Sessions, s.Messages, s.UserMessages, s.Compactions, s.Tokens, m, s.Cost.UnpricedCalls)
}

// rounds says how many rounds a random test makes: TIDEMARK_ROUNDS times as
// many as usual, a tenth of it with -short.
func rounds(usual int) int {
	if testing.Short() {
		return usual / 10
	}
	if n, err := strconv.Atoi(os.Getenv("TIDEMARK_ROUNDS")); err == nil {
		return usual * n
	}
	return usual
}

// TestRandomHistories reads random histories while they grow, and at once, with
// an index and without: all must say what is right. What OpenClaw deletes stays
// counted; rebuilding the index changes nothing; when the index is lost too,
// the ledger brings back every number.
func TestRandomHistories(t *testing.T) {
	for seed := range uint64(rounds(24)) {
		lossy := seed%2 == 1
		t.Run(fmt.Sprintf("seed %d", seed), func(t *testing.T) {
			h := newHistory(t, seed, lossy)
			e := h.w.open()
			for range 12 + h.r.IntN(25) {
				h.step()
				if h.lossy || h.r.IntN(3) > 0 {
					e.scan() // what is deleted next has been seen
				}
				if h.r.IntN(4) == 0 {
					h.settle()
				}
			}
			for _, c := range h.all {
				h.finish(c)
			}
			h.settle()
			want := h.right()
			h.expect("while it grew", e, want)
			fresh := h.w.openAgain()
			if !lossy {
				h.expect("at once", fresh, want)
			}
			equal(t, "without an index", totals(h.w.tally()), totals(fresh.scan()))
			if _, err := e.Rebuild(t.Context(), api.Query{}); err != nil {
				t.Fatal(err)
			}
			h.expect("after a rebuild", e, want)
			h.w.now = h.w.now.Add(24 * time.Hour)
			before := e.scan()
			byDay := fmt.Sprint(e.costs("day").Rows, e.costs("model").Rows)
			e.close()
			h.w.loseIndex()
			e = h.w.open()
			h.expectFamilies("from the ledger", e, want)
			equal(t, "totals from the ledger", totals(e.scan()), totals(before))
			equal(t, "days and models from the ledger", fmt.Sprint(e.costs("day").Rows, e.costs("model").Rows), byDay)
			h.w.now = h.w.now.Add(24 * time.Hour)
			e.scan()
			e.close()
			h.w.loseIndex()
			e = h.w.open()
			h.expectFamilies("from the ledger again", e, want)
		})
	}
}
