package openclaw

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tidemark/backend/memory"
)

// benchRows are the records of one small session.
func benchRows(i int) []string {
	session := fmt.Sprintf("s%03d", i)
	rows := []string{headerLine(session)}
	for n := range 60 {
		id := fmt.Sprintf("%s-%d", session, n)
		rows = append(rows, userLine(id+"u", strings.Repeat("invoice deploy client ", 12)), assistantLine(id+"a", 1000+n, n, "0.01"), toolLine(id+"t", strings.Repeat("output of a tool ", 20<<(n%6))))
	}
	return rows
}

// benchSources are the sources to read: those below OPENCLAW_CORPUS, where it
// is set, else some that are built here.
func benchSources(b *testing.B, pattern string, build func(dir string)) (sources []memory.Source, bytes int64) {
	b.Helper()
	dir := os.Getenv("OPENCLAW_CORPUS")
	if dir == "" {
		dir = b.TempDir()
		build(dir)
	}
	paths, err := filepath.Glob(filepath.Join(dir, "agents", "*", pattern))
	if err != nil || len(paths) == 0 {
		b.Skip("skipped: nothing to read:", err)
	}
	for _, path := range paths {
		src := sourceOf(b, path)
		sources, bytes = append(sources, src), bytes+src.Stamp.Size
	}
	return sources, bytes
}

func benchRead(b *testing.B, pattern string, build func(dir string)) {
	sources, bytes := benchSources(b, pattern, build)
	b.SetBytes(bytes)
	b.ReportAllocs()
	for b.Loop() {
		for _, src := range sources {
			if err := Read(context.Background(), src, memory.Checkpoint{}, Options{}, new(counting)); err != nil {
				b.Fatal(err)
			}
		}
	}
}

func BenchmarkReadFiles(b *testing.B) {
	benchRead(b, filepath.Join("sessions", "*.jsonl"), func(dir string) {
		for i := range 40 {
			put(b, filepath.Join(dir, "agents", "main", "sessions", fmt.Sprintf("s%03d.jsonl", i)), strings.Join(benchRows(i), ""))
		}
	})
}

func BenchmarkReadDatabase(b *testing.B) {
	for _, packed := range []bool{false, true} {
		b.Run(fmt.Sprintf("zstd=%v", packed), func(b *testing.B) {
			benchRead(b, filepath.Join("agent", "*.sqlite"), func(dir string) {
				db := buildDB(b, filepath.Join(dir, "agents", "main", "agent", "openclaw-agent.sqlite"), 23)
				db.exec("BEGIN")
				for i := range 40 {
					for _, row := range benchRows(i) {
						if packed && len(row) > 1024 {
							db.zstd(fmt.Sprintf("s%03d", i), row)
						} else {
							db.plain(fmt.Sprintf("s%03d", i), row)
						}
					}
				}
				db.exec("COMMIT")
				db.close()
			})
		})
	}
}
