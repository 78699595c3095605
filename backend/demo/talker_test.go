package demo

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// clock is a clock that goes only while somebody waits.
type clock struct{ at time.Time }

func (c *clock) now() time.Time { return c.at }

func (c *clock) wait(ctx context.Context, d time.Duration) error {
	c.at = c.at.Add(max(d, 0))
	return ctx.Err()
}

var noon = time.Date(2026, 11, 24, 4, 0, 0, 0, time.UTC)

// tiny is an installation that takes little time to write.
var tiny = Options{Seed: 7, Now: noon, Months: 1, Size: 8, Damaged: true}

func written(t *testing.T, o Options) (string, Truth) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "state")
	truth, err := Write(t.Context(), dir, o)
	if err != nil {
		t.Fatal(err)
	}
	return dir, truth
}

func talk(t *testing.T, dir string, turns int) Truth {
	t.Helper()
	c := &clock{noon}
	talker := NewTalker(dir, TalkOptions{Seed: 5, Now: c.now, Wait: c.wait})
	for range turns {
		if err := talker.Turn(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := c.wait(t.Context(), DefaultEvery); err != nil {
			t.Fatal(err)
		}
	}
	return talker.Said()
}

func TestTalkIsTheSameForTheSameSeed(t *testing.T) {
	one, _ := written(t, tiny)
	two, _ := written(t, tiny)
	a, b := talk(t, one, 20), talk(t, two, 20)
	if a.Sum != b.Sum {
		t.Errorf("said %+v and %+v", a.Sum, b.Sum)
	}
	if a.Messages < 40 || len(a.Agents) < 3 {
		t.Errorf("twenty turns say %d messages to %d agents", a.Messages, len(a.Agents))
	}
	for _, agent := range []string{"mail", "books"} {
		x, y := transcriptsOf(t, one, agent), transcriptsOf(t, two, agent)
		if !bytes.Equal(x, y) {
			t.Errorf("the transcripts of %s differ", agent)
		}
	}
}

func transcriptsOf(t *testing.T, dir, agent string) (all []byte) {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "agents", agent, "sessions", "*.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		body, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, body...)
	}
	return all
}

// TestTalkEndsWithWholeEntries stops a talker in the middle of a turn.
func TestTalkEndsWithWholeEntries(t *testing.T) {
	dir, _ := written(t, tiny)
	ctx, stop := context.WithCancel(t.Context())
	c, waits := &clock{noon}, 0
	talker := NewTalker(dir, TalkOptions{Seed: 5, Now: c.now, Wait: func(_ context.Context, d time.Duration) error {
		if waits++; waits == 90 {
			stop()
		}
		return c.wait(ctx, d)
	}})
	if err := talker.Talk(ctx); err != context.Canceled {
		t.Fatalf("ended with %v", err)
	}
	for _, agent := range []string{"mail", "books"} {
		if all := transcriptsOf(t, dir, agent); !bytes.HasSuffix(all, []byte("\n")) {
			t.Errorf("half a line is left of %s: %q", agent, all[max(0, len(all)-60):])
		}
	}
}

// TestTalkerWaitsForSomebody talks where nothing is.
func TestTalkerWaitsForSomebody(t *testing.T) {
	c := &clock{noon}
	talker := NewTalker(t.TempDir(), TalkOptions{Now: c.now, Wait: c.wait})
	for range 8 {
		if err := talker.Turn(t.Context()); err != nil {
			t.Fatal(err)
		}
		c.at = c.at.Add(time.Second)
	}
	if s := talker.Said(); s.Messages != 0 {
		t.Errorf("said %+v", s.Sum)
	}
}

// TestTalkKeepsPace checks that no entry is written before its time.
func TestTalkKeepsPace(t *testing.T) {
	dir, _ := written(t, tiny)
	c := &clock{noon}
	talker := NewTalker(dir, TalkOptions{Seed: 1, Now: c.now, Wait: c.wait})
	for range 12 {
		if err := talker.Turn(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	last := stamp(c.at)
	for _, agent := range []string{"mail", "books"} {
		for _, line := range strings.Split(string(transcriptsOf(t, dir, agent)), "\n") {
			if _, after, ok := strings.Cut(line, `"timestamp":"`); ok && after[:len(last)] > last {
				t.Errorf("an entry of %s was written before its time: %.80s", agent, line)
			}
		}
	}
}

// TestSomethingHappensWhileWatching: the owner's agent compacts within some
// minutes, more than once in an hour, and customers talk all the time.
func TestSomethingHappensWhileWatching(t *testing.T) {
	dir, _ := written(t, Options{Seed: 1, Now: noon, Months: 1})
	c := &clock{noon}
	talker := NewTalker(dir, TalkOptions{Seed: 1, Now: c.now, Wait: c.wait})
	var first time.Duration
	for c.at.Before(noon.Add(time.Hour)) {
		if err := talker.Turn(t.Context()); err != nil {
			t.Fatal(err)
		}
		if first == 0 && talker.Said().Agents["main"].Compactions > 0 {
			first = c.at.Sub(noon)
		}
		if err := c.wait(t.Context(), DefaultEvery); err != nil {
			t.Fatal(err)
		}
	}
	said := talker.Said()
	if first == 0 || first > 10*time.Minute {
		t.Errorf("the first compaction comes after %v", first)
	}
	if n := said.Agents["main"].Compactions; n < 2 || n > 8 {
		t.Errorf("main compacts %d times in an hour", n)
	}
	if people := said.UserMessages; people < 450 || people > 900 { // one in 4 to 8 seconds
		t.Errorf("%d messages of people in an hour", people)
	}
	if said.Agents["shop"].UserMessages < said.UserMessages/4 {
		t.Errorf("customers say %d of %d messages", said.Agents["shop"].UserMessages, said.UserMessages)
	}
}
