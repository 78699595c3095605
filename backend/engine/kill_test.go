package engine

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"tidemark/backend/openclaw"
	"tidemark/backend/secrets"
)

// childPass makes passes in a process of its own until it is killed or done.
func childPass(dir, data string) {
	env := testEnv(filepath.Dir(dir))
	inst, err := openclaw.Resolve(env, dir, "")
	if err != nil {
		panic(err)
	}
	e, err := Open(context.Background(), Options{Env: env, DataDir: data, Mask: secrets.Mask, Local: time.UTC})
	if err != nil {
		panic(err)
	}
	id, err := e.Use(context.Background(), inst)
	if err != nil {
		panic(err)
	}
	i, err := e.get(id)
	if err != nil {
		panic(err)
	}
	if err := i.look(context.Background(), nil); err != nil {
		panic(err)
	}
}

// bigState has enough sessions that a pass takes a while.
func bigState(t *testing.T) *state {
	s := newState(t)
	for n := range 40 {
		id := fmt.Sprintf("s%02d", n)
		lines := []string{header(id, may10)}
		parent := ""
		for m := range 300 {
			u, a := fmt.Sprintf("%s-u%03d", id, m), fmt.Sprintf("%s-a%03d", id, m)
			lines = append(lines, user(u, parent, "2026-05-10T09:00:00.000Z", "keep it short, please"), asst(a, 10, 1, 0, 0, "0.0001", "parent="+u))
			parent = a
		}
		s.write("agents/main/sessions/"+id+".jsonl", lines...)
	}
	return s
}

// TestKilledAtAnyMoment kills passes again and again and then lets one end:
// nothing is lost and nothing counts twice.
func TestKilledAtAnyMoment(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped: kills processes for some seconds")
	}
	s := bigState(t)
	want := s.once()
	rng := rand.New(rand.NewPCG(1, 2))
	data := filepath.Join(t.TempDir(), "data")
	killed := 0
	for round := range 12 {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), "TIDEMARK_TEST_CHILD="+s.dir, "TIDEMARK_TEST_CHILD_DATA="+data)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		timer := time.AfterFunc(time.Duration(10+rng.IntN(60*(round+1)))*time.Millisecond, func() { cmd.Process.Kill() })
		if err := cmd.Wait(); err != nil {
			killed++
		}
		timer.Stop()
	}
	if killed == 0 {
		t.Error("no pass was killed: the test says nothing")
	}
	h := s.openIn(data)
	if got := h.scan(); sums(got) != sums(want) {
		t.Errorf("after %d kills\n%s\nwant\n%s", killed, sums(got), sums(want))
	}
	if got := h.scan(); sums(got) != sums(want) {
		t.Errorf("another pass changed it: %s", sums(got))
	}
}

// TestDamagedIndexIsMadeAnew damages the index in several ways.
func TestDamagedIndexIsMadeAnew(t *testing.T) {
	for name, damage := range map[string]func(b []byte) []byte{
		"empty file": func([]byte) []byte { return nil },
		"cut off":    func(b []byte) []byte { return b[:len(b)/2] },
		"no database": func([]byte) []byte {
			return []byte("this is no database, and longer than a header of one hundred bytes: xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx")
		},
		"garbage in pages":   func(b []byte) []byte { return garbage(b, 4096*2, len(b)) },
		"garbage at the end": func(b []byte) []byte { return garbage(b, len(b)*3/4, len(b)) },
	} {
		t.Run(name, func(t *testing.T) {
			s := eighteenCases(t)
			s.remove("agents/main/sessions/k-huge.jsonl")
			h := s.open()
			want := sums(h.scan())
			path := h.Dir().Index()
			if err := h.Close(); err != nil {
				t.Fatal(err)
			}
			b, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, damage(b), 0o600); err != nil {
				t.Fatal(err)
			}
			h.reopen()
			defer h.Close()
			s.add("agents/main/sessions/a-plain.jsonl", "\n") // something changed, so a pass writes
			got := h.scan()
			if sums(got) != want {
				t.Errorf("got %s\nwant %s", sums(got), want)
			}
		})
	}
}

func garbage(b []byte, from, to int) []byte {
	rng := rand.New(rand.NewPCG(3, 4))
	out := append([]byte(nil), b...)
	for i := from; i < to; i++ {
		out[i] = byte(rng.IntN(256))
	}
	return out
}

// TestOneOwner lets one process have a data directory at a time.
func TestOneOwner(t *testing.T) {
	s := eighteenCases(t)
	h := s.open()
	if _, err := Open(context.Background(), Options{Env: testEnv(t.TempDir()), DataDir: h.data, Mask: secrets.Mask}); err == nil {
		t.Error("a second engine opened the same data directory")
	}
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
	h.reopen()
}
