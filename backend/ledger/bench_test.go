package ledger

import (
	"testing"

	"tidemark/backend/memory"
)

// BenchmarkKept reads ten thousand statements of one agent.
func BenchmarkKept(b *testing.B) {
	l := Open(b.TempDir(), "inst")
	var lines []memory.KeptLine
	for n := range 10_000 {
		lines = append(lines, plainKept(n))
	}
	if err := l.AppendKept("main", "2026-02-24", lines); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if got, err := l.Kept("main"); err != nil || len(got.Lines) != len(lines) {
			b.Fatal(len(got.Lines), err)
		}
	}
}

// BenchmarkAppendKept writes one statement and syncs it.
func BenchmarkAppendKept(b *testing.B) {
	l := Open(b.TempDir(), "inst")
	n := 0
	for b.Loop() {
		n++
		if err := l.AppendKept("main", "2026-02-24", []memory.KeptLine{plainKept(n)}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkFindSaid looks for one of ten thousand messages.
func BenchmarkFindSaid(b *testing.B) {
	l := Open(b.TempDir(), "inst")
	var said []memory.Said
	for n := range 10_000 {
		said = append(said, plainSaid(n))
	}
	if err := l.AppendSaid("main", "2026-02", said); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, found, err := l.FindSaid("main", "k5000", "", ""); err != nil || !found {
			b.Fatal(found, err)
		}
	}
}
