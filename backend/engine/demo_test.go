package engine

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"tidemark/backend/api"
	"tidemark/backend/demo"
	"tidemark/backend/memory"
)

// TestInventedInstallation compares what is read of an invented installation
// with its truth: in all, by agent, by day, and problem by problem.
func TestInventedInstallation(t *testing.T) {
	now := time.Date(2026, 11, 24, 13, 20, 0, 0, time.UTC)
	for _, o := range []demo.Options{
		{Seed: 1, Now: now, Months: 1, Size: 8, Damaged: true},
		{Seed: 2, Now: now.Add(-9 * time.Hour), Months: 2, Size: 40},
		{Seed: 3, Now: now},
	} {
		t.Run(fmt.Sprint(o.Seed), func(t *testing.T) {
			w := newWorld(t)
			w.now = o.Now
			truth, err := demo.Write(t.Context(), w.state, o)
			if err != nil {
				t.Fatal(err)
			}
			e := w.open()
			agrees(t, "index", e.scan(), truth)
			agrees(t, "tally", w.tally(), truth)
			viewsAgree(t, e, truth)
			if truth.Longest < 2000 { // as many entries as it asks for
				sumsAgree(t, e)
				statementsAreThere(t, e, truth)
			}
		})
	}
}

// TestInventedTalk lets an invented installation go on talking and looks now
// and then: what is read grows with the truth.
func TestInventedTalk(t *testing.T) {
	w := newWorld(t)
	o := demo.Options{Seed: 4, Now: time.Date(2026, 11, 24, 13, 20, 0, 0, time.UTC), Months: 1, Size: 10, Damaged: true}
	w.now = o.Now
	truth, err := demo.Write(t.Context(), w.state, o)
	if err != nil {
		t.Fatal(err)
	}
	e := w.open()
	agrees(t, "before", e.scan(), truth)
	for round := range 4 {
		talker := demo.NewTalker(w.state, demo.TalkOptions{Seed: 9, Now: func() time.Time { return w.now }, Wait: func(ctx context.Context, d time.Duration) error {
			w.now = w.now.Add(max(d, 0))
			return ctx.Err()
		}})
		for range 10 {
			if err := talker.Turn(t.Context()); err != nil {
				t.Fatal(err)
			}
			w.now = w.now.Add(demo.DefaultEvery)
		}
		if talker.Said().Messages == 0 {
			t.Fatal("nothing was said")
		}
		truth.Add(talker.Said())
		agrees(t, fmt.Sprintf("round %d", round), e.scan(), truth)
	}
	agrees(t, "tally", w.tally(), truth)
	viewsAgree(t, e, truth)
}

// TestInventedTalkIsReadMeanwhile looks in the middle of exchanges: at half
// lines, and at databases whose writer has them open in this very process.
func TestInventedTalkIsReadMeanwhile(t *testing.T) {
	w := newWorld(t)
	o := demo.Options{Seed: 6, Now: time.Date(2026, 11, 24, 13, 20, 0, 0, time.UTC), Months: 1, Size: 10, Damaged: true}
	w.now = o.Now
	truth, err := demo.Write(t.Context(), w.state, o)
	if err != nil {
		t.Fatal(err)
	}
	e := w.open()
	last := e.scan()
	talker := demo.NewTalker(w.state, demo.TalkOptions{Seed: 3, Now: func() time.Time { return w.now }, Wait: func(ctx context.Context, d time.Duration) error {
		w.now = w.now.Add(max(d, 0))
		s := e.scan()
		if s.Messages < last.Messages || s.Cost.USD < last.Cost.USD {
			t.Errorf("it shrinks: %d messages after %d", s.Messages, last.Messages)
		}
		if len(s.Problems) != len(last.Problems) {
			t.Errorf("problems that come and go: %v", s.Problems)
		}
		last = s
		return ctx.Err()
	}})
	for range 14 {
		if err := talker.Turn(t.Context()); err != nil {
			t.Fatal(err)
		}
		w.now = w.now.Add(demo.DefaultEvery)
	}
	truth.Add(talker.Said())
	agrees(t, "after it", e.scan(), truth)
}

// agrees compares a scan with the truth.
func agrees(t *testing.T, name string, s api.Scan, truth demo.Truth) {
	t.Helper()
	equal(t, name+": agents", len(s.Agents), len(truth.Agents))
	equal(t, name+": sessions", s.Sessions, truth.Sessions)
	equal(t, name+": messages", s.Messages, truth.Messages)
	equal(t, name+": messages of the user", s.UserMessages, truth.UserMessages)
	equal(t, name+": compactions", s.Compactions, truth.Compactions)
	equal(t, name+": tokens", s.Tokens, api.Tokens{Input: truth.Input, Output: truth.Output, CacheRead: truth.CacheRead, CacheWrite: truth.CacheWrite})
	equal(t, name+": cost", s.Cost.USD, truth.Cost.Dollars())
	equal(t, name+": calls of unknown price", s.Cost.UnpricedCalls, truth.Unpriced)
	for _, a := range s.Agents {
		equal(t, name+": sessions of "+a.ID, a.Sessions, truth.Agents[a.ID].Sessions)
	}
	have := codes(s.Problems)
	want := map[memory.Code]int{memory.ProblemNoPrice: int(truth.Unpriced)}
	for code, n := range truth.Problems {
		want[code] = n
	}
	for code, n := range want {
		equal(t, name+": problems "+string(code), have[string(code)], n)
		delete(have, string(code))
	}
	if len(have) > 0 {
		t.Errorf("%s: problems that nobody put there: %v", name, s.Problems)
	}
}

// viewsAgree compares what the views say with the truth.
func viewsAgree(t *testing.T, e *engineOf, truth demo.Truth) {
	t.Helper()
	for by, want := range map[string]map[string]demo.Sum{"day": truth.Days, "agent": truth.Agents} {
		v := e.costs(by, func(q *api.Query) { q.Zone = "UTC" })
		equal(t, "rows by "+by, len(v.Rows), len(want))
		for _, r := range v.Rows {
			w := want[r.Key]
			equal(t, r.Key+": tokens", r.Tokens, api.Tokens{Input: w.Input, Output: w.Output, CacheRead: w.CacheRead, CacheWrite: w.CacheWrite})
			equal(t, r.Key+": calls", r.Calls, w.Calls)
			equal(t, r.Key+": cost", r.USD, w.Cost.Dollars())
			equal(t, r.Key+": background", r.BackgroundUSD, w.Background.Dollars())
			equal(t, r.Key+": calls of unknown price", r.UnpricedCalls, w.Unpriced)
		}
	}
	var superseded int64
	for _, c := range e.compactions() {
		if c.Superseded {
			superseded++
		}
	}
	equal(t, "superseded compactions", superseded, truth.Superseded)
	equal(t, "messages of sessions", sessionMessages(e), truth.Messages)
}

// statementsAreThere looks up what people said of themselves, and the
// compactions that lost it.
func statementsAreThere(t *testing.T, e *engineOf, truth demo.Truth) {
	t.Helper()
	sessions := map[string]map[string]string{}
	for _, s := range truth.Statements {
		if sessions[s.Session] == nil {
			sessions[s.Session] = map[string]string{}
			for _, en := range e.detail(s.Session).Entries {
				sessions[s.Session][en.ID] = en.Text
			}
		}
		if text := sessions[s.Session][s.Entry]; !strings.Contains(text, s.Text) {
			t.Errorf("%q does not stand at %s but %q", s.Text, s.Entry, text)
		}
		if _, there := sessions[s.Session][s.Lost]; s.Lost != "" && !there {
			t.Errorf("there is no compaction %s", s.Lost)
		}
	}
}

func sessionMessages(e *engineOf) (n int64) {
	for _, s := range e.sessions() {
		n += s.Messages
	}
	return n
}
