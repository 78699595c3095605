package engine

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"tidemark/backend/api"
)

// A month of twelve agents: what their owner says to them, and what of it is a
// statement.
const (
	soakAgents   = 12
	soakDays     = 30
	soakMessages = 400 // a day, of all agents
)

// soak is that month.
type soak struct {
	w      *world
	r      *rand.Rand
	n      int
	minute int
	parent [soakAgents]string
	dbs    [soakAgents]*database
	stated []string // words that must be kept
	// forgotten are texts that must be nowhere.
	forgotten []string
}

// things are parts of statements, each of which is said once.
var things = struct{ shapes, chat []string }{
	shapes: []string{"My supplier for %s is %s Works.", "Never send %s to %s.", "Always copy %s when you write about %s.", "I prefer %s from %s.", "以后%s的报表都发给%s", "不许把%s发给%s", "我的%s供应商叫%s"},
	chat:   []string{"what is in the folder?", "can you look at the second one", "哈哈好的", "帮我看一下这个文件", "ok thanks", "and the other one?", "明天提醒我交水费", "why did that take so long?", "make it shorter", "把标题改短一点"},
}

func newSoak(t *testing.T) *soak {
	w := newWorld(t)
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	s := &soak{w: w, r: rand.New(rand.NewPCG(seed, 3))}
	var list []string
	for a := range soakAgents {
		list = append(list, fmt.Sprintf(`{id: %q}`, s.agent(a)))
	}
	w.write("openclaw.json", `{agents: {list: [`+strings.Join(list, ",")+`]}}`)
	for a := range soakAgents {
		if a%3 == 0 { // of the newest era
			s.dbs[a] = w.database(s.agent(a))
			s.dbs[a].window("s", "agent:"+s.agent(a)+":main")
			s.dbs[a].plain("s", head("s", 0))
			continue
		}
		w.write(S("sessions.json", s.agent(a)), `{"agent:`+s.agent(a)+`:main":{"sessionId":"s","updatedAt":1}}`)
		w.lines(S("s.jsonl", s.agent(a)), head("s", 0))
	}
	t.Cleanup(func() {
		for _, db := range s.dbs {
			if db != nil {
				db.close()
			}
		}
	})
	return s
}

func (s *soak) agent(a int) string { return fmt.Sprintf("agent-%02d", a) }

// day writes what is said on a day, in the middle of which f is called.
func (s *soak) day(day int, f func()) {
	for n := range soakMessages {
		if n == soakMessages/2 {
			f()
		}
		s.minute = day*24*60 + n*3
		a := s.r.IntN(soakAgents)
		s.n++
		id := fmt.Sprintf("%08x", s.n)
		words := things.chat[s.r.IntN(len(things.chat))]
		if s.r.IntN(10) == 0 {
			words = fmt.Sprintf(things.shapes[s.r.IntN(len(things.shapes))], name(s.n), name(s.n+100_000))
			if len(FindStatements(words, words, s.w.now)) > 0 {
				s.stated = append(s.stated, name(s.n))
			}
		}
		line := said(id, s.parent[a], s.minute, words)
		if s.r.IntN(4) == 0 {
			line = reply(id, s.parent[a], s.minute, 1000, 10, "0.01")
			if len(s.stated) > 0 && s.stated[len(s.stated)-1] == name(s.n) {
				s.stated = s.stated[:len(s.stated)-1]
			}
		}
		s.parent[a] = id
		if s.dbs[a] != nil {
			s.dbs[a].plain("s", line)
		} else {
			s.w.grow(S("s.jsonl", s.agent(a)), line)
		}
	}
}

// name makes a name that nothing else has.
func name(n int) string {
	const consonants, vowels = "bdfgklmnprstvz", "aeiou"
	var b strings.Builder
	for range 4 {
		b.WriteByte(consonants[n%len(consonants)])
		n /= len(consonants)
		b.WriteByte(vowels[n%len(vowels)])
		n /= len(vowels)
	}
	text := b.String()
	return strings.ToUpper(text[:1]) + text[1:]
}

// TestSoak: in a month with crashes, a lost index and a full disk nothing that
// was stated is lost, and nothing is there twice.
func TestSoak(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a while")
	}
	s := newSoak(t)
	w := s.w
	for day := range soakDays {
		w.now = time.Date(2026, 5, 10+day, 23, 59, 0, 0, time.UTC)
		s.day(day, func() {
			switch day % 6 {
			case 1, 4:
				w.killed(time.Duration(30+s.r.IntN(400)) * time.Millisecond)
			case 2:
				w.loseIndex()
			case 3:
				s.full(day)
			}
		})
		e := w.open()
		if day%5 == 0 {
			if _, err := e.Rebuild(t.Context(), api.Query{}); err != nil {
				t.Fatal(err)
			}
		}
		if all := e.statements(); day%6 != 3 { // the disk is full then
			s.decide(e, all)
		}
		e.close()
		if day%6 == 3 {
			s.spare(day)
		}
	}
	e := w.open()
	s.check("at the end", e)
	before := rows(e.statements())
	e.close()
	w.loseIndex()
	e = w.open()
	equal(t, "after the index was lost", rows(e.statements()), before)
	s.check("after the index was lost", e)
}

// decide has the person decide something about some statements. Nothing is
// forgotten by it that must be there in the end.
func (s *soak) decide(e *engineOf, all []api.Statement) {
	if len(all) == 0 {
		return
	}
	for range 6 {
		st := all[s.r.IntN(len(all))]
		s.w.now = s.w.now.Add(time.Second)
		switch s.r.IntN(6) {
		case 0:
			e.decide(st.ID, "pin")
		case 1:
			e.decide(st.ID, "unpin")
		case 2:
			e.decide(st.ID, "scope", func(c *api.StatementChange) { c.Scope = []string{"agent", "all"}[s.r.IntN(2)] })
		case 3:
			e.decide(st.ID, "correct", func(c *api.StatementChange) { c.Text = st.Text + " indeed" })
		case 4:
			if d, err := e.Statement(s.w.t.Context(), api.Query{ID: st.ID}); err == nil && d.Undo != "" {
				e.decide(st.ID, "undo")
			}
		case 5:
			e.decide(st.ID, "forget")
			s.stated = slices.DeleteFunc(s.stated, func(word string) bool { return strings.Contains(st.Text, word) })
			s.forgotten = append(s.forgotten, st.Text)
			return
		}
	}
}

// full makes the disk full for what is kept of a day, of half of the agents.
func (s *soak) full(day int) {
	for a := 0; a < soakAgents; a += 2 {
		path := s.keptFile(a, day)
		if path == "" {
			continue
		}
		if _, err := os.Stat(path); err == nil {
			continue
		}
		if err := os.Symlink("/dev/full", path); err != nil {
			s.w.t.Fatal(err)
		}
	}
}

// spare makes room again.
func (s *soak) spare(day int) {
	for a := 0; a < soakAgents; a += 2 {
		path := s.keptFile(a, day)
		if to, err := os.Readlink(path); err == nil && to == "/dev/full" {
			if err := os.Remove(path); err != nil {
				s.w.t.Fatal(err)
			}
		}
	}
}

// keptFile gives the file of what is kept of a day, "" where the agent has no
// folder yet.
func (s *soak) keptFile(a, day int) string {
	dirs, err := filepath.Glob(filepath.Join(s.w.data, "ledger", "*", s.agent(a), "kept"))
	if err != nil || len(dirs) != 1 {
		return ""
	}
	return filepath.Join(dirs[0], time.Date(2026, 5, 10+day, 0, 0, 0, 0, time.UTC).Format(time.DateOnly)+".md")
}

// check compares what is kept with what was said.
func (s *soak) check(what string, e *engineOf) {
	t := s.w.t
	t.Helper()
	all := e.statements()
	text := s.w.keptText()
	lost := 0
	for _, word := range s.stated {
		if n := strings.Count(text, word); n == 0 {
			lost++
			if lost < 5 {
				t.Errorf("%s: what was said about %s is not kept", what, word)
			}
		}
	}
	ids := map[string]bool{}
	for _, st := range all {
		if ids[st.ID] {
			t.Errorf("%s: %s is there twice", what, st.ID)
		}
		ids[st.ID] = true
	}
	for _, text := range s.forgotten {
		if strings.Contains(text, " indeed") {
			continue
		}
		if slices.ContainsFunc(all, func(st api.Statement) bool { return st.Text == text }) || strings.Contains(e.w.keptText()+e.w.ledgerText("said"), text) {
			t.Errorf("%s: %q was forgotten and is there", what, text)
		}
	}
	if lost > 0 {
		t.Errorf("%s: %d of %d lost", what, lost, len(s.stated))
	}
	t.Logf("%s: %d stated, %d statements", what, len(s.stated), len(all))
}
