package engine

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
)

// story is a random history: sessions of several agents that grow, are archived,
// copied, packed and damaged. It knows what must be counted.
type story struct {
	t    *testing.T
	s    *state
	rng  *rand.Rand
	next int
	// by agent and session, in the order in which they were written
	lines map[string][]string
	file  map[string]string // where the live file of a session is now

	messages, users, input int64
}

func newStory(t *testing.T, seed uint64) *story {
	return &story{t: t, s: newState(t), rng: rand.New(rand.NewPCG(seed, seed)), lines: map[string][]string{}, file: map[string]string{}}
}

func (y *story) id(kind string) string {
	y.next++
	if y.rng.IntN(2) == 0 {
		return fmt.Sprintf("%08x", y.next*7919+len(kind))
	}
	return fmt.Sprintf("%08x-0000-4000-8000-%012x", y.next, y.next)
}

// step does one random thing to the history.
func (y *story) step() {
	switch n := y.rng.IntN(10); {
	case n < 2 || len(y.file) == 0:
		y.begin()
	case n < 7:
		y.grow(y.pick())
	case n < 8:
		y.archive(y.pick())
	case n < 9:
		y.copyAway(y.pick())
	default:
		y.damage(y.pick())
	}
}

func (y *story) pick() string {
	n := y.rng.IntN(len(y.file))
	keys := make([]string, 0, len(y.file))
	for k := range y.file {
		keys = append(keys, k)
	}
	// the order of a map is not the seed's
	for i := range keys {
		for j := i + 1; j < len(keys); j++ {
			if keys[j] < keys[i] {
				keys[i], keys[j] = keys[j], keys[i]
			}
		}
	}
	return keys[n]
}

func (y *story) begin() {
	y.next++
	agent, session := fmt.Sprintf("agent%d", y.rng.IntN(3)), fmt.Sprintf("session-%d", y.next)
	key := agent + "/" + session
	y.file[key] = "agents/" + agent + "/sessions/" + session + ".jsonl"
	y.lines[key] = []string{header(session, may10)}
	y.s.write(y.file[key], y.lines[key]...)
	y.grow(key)
}

func (y *story) grow(key string) {
	var add []string
	for range 1 + y.rng.IntN(4) {
		in := 1 + y.rng.IntN(1000)
		text := strings.Repeat("word ", y.rng.IntN(400))
		add = append(add, user(y.id("u"), "", "2026-05-10T09:00:00.000Z", text), asst(y.id("a"), in, 1, 0, 0, "0.001"))
		y.messages, y.users, y.input = y.messages+2, y.users+1, y.input+int64(in)
	}
	y.lines[key] = append(y.lines[key], add...)
	y.s.add(y.file[key], strings.Join(add, "\n")+"\n")
}

// archive renames the live file, as /new does. The session goes on in no file.
func (y *story) archive(key string) {
	y.s.rename(y.file[key], y.file[key]+fmt.Sprintf(".reset.2026-05-11T04-58-%02d.868Z", y.next%60))
	delete(y.file, key)
}

// copyAway leaves copies of a session under names that count once.
func (y *story) copyAway(key string) {
	agent, session, _ := strings.Cut(key, "/")
	text := strings.Join(y.lines[key], "\n") + "\n"
	y.next++
	switch y.rng.IntN(4) {
	case 0:
		y.s.raw(y.file[key]+fmt.Sprintf(".deleted.2026-05-11T04-58-33.%03dZ", y.next%1000), text)
	case 1:
		y.s.raw(y.file[key]+fmt.Sprintf(".deleted.2026-05-11T04-58-33.%03dZ.zst", y.next%1000), pack(y.t, text))
	case 2:
		y.s.raw(fmt.Sprintf("agents/%s/sessions/%s.checkpoint.0f0f0f0f-1111-4222-8333-%012x.jsonl", agent, session, y.next), text)
	case 3:
		database(y.t, y.s, agent, map[string][]string{session: y.lines[key]})
	}
}

// damage writes what is no record.
func (y *story) damage(key string) {
	bad := []string{"undefined", "", `{"type":"message","id":"x"`, "\x00\x00\x00", `{"type":"future_kind","id":"` + y.id("f") + `","timestamp":"2026-05-10T09:00:00.000Z"}`}
	y.s.add(y.file[key], bad[y.rng.IntN(len(bad))]+"\n")
}

func (y *story) check(what string, h *house) {
	y.t.Helper()
	got := h.scan()
	if got.Messages != y.messages || got.UserMessages != y.users || got.Tokens.Input != y.input {
		y.t.Fatalf("%s: got %s, want %d messages, %d by user, %d input", what, sums(got), y.messages, y.users, y.input)
	}
}

// TestManyPassesCountLikeOne looks at a history while it is made, again and
// again, and compares with one look at the end.
func TestManyPassesCountLikeOne(t *testing.T) {
	for seed := range uint64(12) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			y := newStory(t, seed+1)
			y.s.raw("openclaw.json", "{}")
			h := y.s.open()
			for n := range 40 {
				y.step()
				if n%3 == 0 {
					y.check(fmt.Sprint("after step ", n), h)
				}
			}
			y.check("at the end", h)
			y.check("with a new index", y.s.openIn(filepath.Join(t.TempDir(), "fresh")))
			if once := y.s.once(); once.Messages != y.messages || once.Tokens.Input != y.input {
				t.Errorf("without store: %s", sums(once))
			}
		})
	}
}
