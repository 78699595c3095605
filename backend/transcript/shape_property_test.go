package transcript_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"tidemark/backend/memory"
	"tidemark/backend/transcript"
)

// Properties that hold for every tree, however broken.
func TestShapeOfProperties(t *testing.T) {
	for seed := range uint64(20_000) {
		r := rand.New(rand.NewPCG(seed, 2))
		nodes := wildNodes(r, 1+r.IntN(25))
		leaf := ""
		if r.IntN(3) == 0 {
			leaf = nodes[r.IntN(len(nodes))].ID
		}
		s := transcript.ShapeOf(nodes, leaf)
		checkShape(t, nodes, s)
		if t.Failed() {
			t.Fatalf("seed %d: %+v", seed, nodes)
		}
	}
}

func checkShape(t *testing.T, nodes []transcript.Node, s transcript.Shape) {
	t.Helper()
	seen := map[int]bool{}
	for _, i := range s.Path {
		if seen[i] {
			t.Errorf("%d is twice on the path", i)
		}
		seen[i] = true
		if k := nodes[i].Kind; k == memory.KindLeaf || k == memory.KindSession {
			t.Errorf("%d, a %v, is on the path", i, k)
		}
	}
	at := 0
	for _, i := range s.Context { // a part of the path, in its order
		for at < len(s.Path) && s.Path[at] != i {
			at++
		}
	}
	if at >= len(s.Path) && len(s.Context) > 0 {
		t.Errorf("context %v is no part of path %v", s.Context, s.Path)
	}
	if n := len(s.Path); n > 0 && (len(s.Context) == 0 || s.Context[len(s.Context)-1] != s.Path[n-1]) {
		t.Errorf("context %v does not end where path %v ends", s.Context, s.Path)
	}
	gone := map[int]bool{}
	for _, i := range s.Context {
		gone[i] = true
	}
	for i, n := range nodes {
		if n.Kind != memory.KindCompaction {
			continue
		}
		if s.Superseded[i] == seen[i] {
			t.Errorf("compaction %d: superseded %v, on the path %v", i, s.Superseded[i], seen[i])
		}
		for _, d := range s.Dropped[i] {
			if d == i {
				t.Errorf("compaction %d drops itself", i)
			}
		}
		if !slices.Equal(s.Kept[i], s.Dropped[i][:len(s.Kept[i])]) {
			t.Errorf("compaction %d: %v is not the beginning of %v", i, s.Kept[i], s.Dropped[i])
		}
	}
}

func wildNodes(r *rand.Rand, n int) []transcript.Node {
	kinds := []memory.Kind{memory.KindMessage, memory.KindMessage, memory.KindMessage, memory.KindCompaction, memory.KindReset, memory.KindLeaf, memory.KindUnknown, memory.KindCustom, memory.KindSession}
	id := func() string { return fmt.Sprint("e", r.IntN(n+2)) } // any, later ones and ones that are not there among them
	nodes := make([]transcript.Node, n)
	for i := range nodes {
		nodes[i] = transcript.Node{Kind: kinds[r.IntN(len(kinds))], Role: memory.Role(r.IntN(4)), ID: fmt.Sprint("e", i), HasParent: r.IntN(12) > 0, Side: r.IntN(10) == 0, FirstKeptIdx: r.IntN(n) - 1, Linear: r.IntN(20) == 0}
		if r.IntN(10) == 0 {
			nodes[i].ID = id() // twice the same
		}
		switch r.IntN(6) {
		case 0:
			nodes[i].Parent = id()
		case 1:
		default:
			if i > 0 {
				nodes[i].Parent = nodes[i-1].ID
			}
		}
		nodes[i].Target, nodes[i].FirstKept = id(), id()
		if r.IntN(4) == 0 {
			nodes[i].Target = ""
		}
		if r.IntN(3) == 0 {
			nodes[i].AppendParent = id()
		}
	}
	return nodes
}

// longSession is a session of n entries with a compaction every hundred.
func longSession(n int) []transcript.Node {
	nodes := make([]transcript.Node, 0, n)
	for i := range n {
		node := transcript.Node{Kind: memory.KindMessage, Role: memory.RoleUser, ID: fmt.Sprintf("%08x", i), HasParent: true, FirstKeptIdx: -1}
		if i > 0 {
			node.Parent = nodes[i-1].ID
		}
		if i%100 == 99 {
			node.Kind, node.FirstKept = memory.KindCompaction, nodes[i-20].ID
		}
		nodes = append(nodes, node)
	}
	return nodes
}

// hostileSession has n entries, every second one a compaction beside the path
// that names the first entry.
func hostileSession(n int) []transcript.Node {
	nodes := longSession(n)
	for i := 1; i < n; i++ {
		nodes[i].Kind, nodes[i].FirstKept = memory.KindMessage, ""
		if i%2 == 1 {
			nodes[i].Kind, nodes[i].FirstKept = memory.KindCompaction, []string{nodes[0].ID, nodes[i].ID, "gone"}[i/2%3]
		}
		if i > 1 {
			nodes[i].Parent = nodes[(i-1)/2*2].ID
		}
	}
	return nodes
}

// The time grows with the number of entries, not with its square: 64 times the
// entries take far less than 64² times as long.
func TestShapeOfIsLinear(t *testing.T) {
	for name, make := range map[string]func(int) []transcript.Node{"long": longSession, "hostile": hostileSession} {
		nodes := make(60_000)
		start := time.Now()
		s := transcript.ShapeOf(nodes, "")
		if took := time.Since(start); took > 5*time.Second { // tens of milliseconds; a quadratic walk takes minutes
			t.Errorf("%s: took %v", name, took)
		}
		if len(s.Path) < 30_000 {
			t.Errorf("%s: path of %d", name, len(s.Path))
		}
	}
}

func BenchmarkShapeOf(b *testing.B) {
	for name, make := range map[string]func(int) []transcript.Node{"long": longSession, "hostile": hostileSession} {
		for _, n := range []int{1000, 60_000} {
			nodes := make(n)
			b.Run(fmt.Sprint(name, "/", n), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					transcript.ShapeOf(nodes, "")
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/entry")
			})
		}
	}
}
