package engine

import (
	"context"
	"fmt"
	"io/fs"
	"log/slog"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tidemark/backend/api"
	"tidemark/backend/index"
	"tidemark/backend/openclaw"
)

// childVar, set to a data directory and a state directory, makes the test
// binary a process that looks and rebuilds until it is killed.
const childVar = "TIDEMARK_TEST_CHILD"

// child is that process.
func child() {
	slog.SetDefault(slog.New(slog.DiscardHandler))
	data, state, _ := strings.Cut(os.Getenv(childVar), "\n")
	env := openclaw.Env{Home: filepath.Dir(state), OS: "linux"}
	inst, err := openclaw.Resolve(env, state, "")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	for {
		e, err := Open(context.Background(), Options{Env: env, DataDir: data, Mask: func(s string) string { return s }})
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		if _, err = e.Use(context.Background(), inst); err == nil {
			_, err = e.Scan(context.Background(), api.Query{Refresh: true})
		}
		if err == nil {
			_, err = e.Rebuild(context.Background(), api.Query{})
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		e.Close()
	}
}

// killed starts the child and kills it after a while.
func (w *world) killed(after time.Duration) {
	w.t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childVar+"="+w.data+"\n"+w.state)
	var said strings.Builder
	cmd.Stderr = &said
	if err := cmd.Start(); err != nil {
		w.t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	select {
	case err := <-ended:
		w.t.Fatalf("the child ended by itself: %v: %s", err, said.String())
	case <-time.After(after):
	}
	if err := cmd.Process.Kill(); err != nil {
		w.t.Fatal(err)
	}
	<-ended
}

// TestKilledAtAnyMoment kills a process that looks and rebuilds, again and
// again, while the history grows. Nothing is lost and nothing counts twice,
// the index never contradicts itself, and the ledger only ever grows.
func TestKilledAtAnyMoment(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a while")
	}
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	h := newHistory(t, seed, false)
	for range 40 {
		h.begin()
	}
	for _, c := range h.all {
		for range 60 {
			h.append(c)
		}
	}
	ledger := map[string]string{}
	parts := 0
	for round := range rounds(25) {
		for range 2 {
			h.step()
		}
		h.settle()
		if round%3 > 0 {
			h.w.loseIndex() // there is much to read again
		}
		h.w.killed(time.Duration(20+h.r.IntN(500)) * time.Millisecond)
		if n := h.w.consistent(t, round); n > 0 && n < len(h.all) {
			parts++
		}
		ledger = grown(t, filepath.Join(h.w.data, "ledger"), ledger)
	}
	t.Logf("killed %d times with a part of it read", parts)
	for _, c := range h.all {
		h.finish(c)
	}
	h.settle()
	e := h.w.open()
	h.expect("after all", e, h.right())
	equal(t, "as if it was read once", totals(e.scan()), totals(h.w.openAgain().scan()))
	if len(e.notices()) > 0 {
		t.Errorf("it had to be repaired: %v", e.notices())
	}
	h.w.now = h.w.now.Add(24 * time.Hour)
	e.scan()
	e.close()
	h.w.loseIndex()
	h.expectFamilies("from the ledger", h.w.open(), h.right())
}

// consistent opens the index as it was left, checks it and gives the number of
// sessions in it.
func (w *world) consistent(t *testing.T, round int) int {
	t.Helper()
	if _, err := os.Stat(w.indexFile()); err != nil {
		return 0 // it was not made yet
	}
	x, err := index.Open(t.Context(), w.indexFile())
	if err != nil {
		t.Fatalf("round %d: %v", round, err)
	}
	defer x.Close()
	if x.Rebuilt != nil {
		t.Fatalf("round %d: %s", round, x.Rebuilt.Message)
	}
	wrong, err := x.Verify(t.Context())
	if err != nil || len(wrong) > 0 {
		t.Fatalf("round %d: %v %s", round, err, strings.Join(wrong, "\n"))
	}
	sums := 0
	for name, dir := range must(x.Installations(t.Context())) {
		s := must(x.Installation(t.Context(), name, dir))
		sums += len(must(s.Sessions(t.Context(), index.Filter{})))
	}
	return sums
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// grown gives every file below a folder, and checks that what was there
// before still begins each.
func grown(t *testing.T, dir string, before map[string]string) map[string]string {
	t.Helper()
	now := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		body, err := os.ReadFile(path)
		now[path] = string(body)
		return err
	})
	if err != nil && len(before) > 0 {
		t.Fatal(err)
	}
	for path, was := range before {
		if !strings.HasPrefix(now[path], was) {
			t.Errorf("%s was changed, not only appended to", path)
		}
	}
	return now
}
