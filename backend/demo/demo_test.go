package demo

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"

	"tidemark/backend/memory"
)

var update = flag.Bool("update", false, "write the golden files anew")

// TestSameBytes writes one installation twice.
func TestSameBytes(t *testing.T) {
	one, a := written(t, tiny)
	two, b := written(t, tiny)
	if a.Sum != b.Sum || len(a.Statements) != len(b.Statements) {
		t.Errorf("the truths differ: %+v and %+v", a.Sum, b.Sum)
	}
	x, y := tree(t, one), tree(t, two)
	if len(x) != len(y) {
		t.Errorf("%d and %d files", len(x), len(y))
	}
	for name, body := range x {
		if !bytes.Equal(body, y[name]) {
			t.Errorf("%s differs", name)
		}
	}
	other := tiny
	other.Seed++
	if _, c := written(t, other); a.Sum == c.Sum {
		t.Error("another seed gives the same")
	}
}

func tree(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	found := map[string][]byte{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		body, err := os.ReadFile(path)
		found[strings.TrimPrefix(path, dir)] = body
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// TestGoldenEras keeps the shapes of the three eras.
func TestGoldenEras(t *testing.T) {
	dir, _ := written(t, tiny)
	compare(t, "era-files", firstLines(t, dir, "mail", "*.jsonl.reset.*"))
	compare(t, "era-sidecars", firstLines(t, dir, "books", "*.jsonl.*"))
	compare(t, "era-database", firstRows(t, filepath.Join(dir, databaseOf("shop"))))
	body, err := os.ReadFile(filepath.Join(dir, "openclaw.json"))
	if err != nil {
		t.Fatal(err)
	}
	compare(t, "openclaw.json5", string(body))
}

const goldenLines, goldenWidth = 16, 420

func shortened(line string) string {
	if len(line) > goldenWidth {
		line = strings.ToValidUTF8(line[:goldenWidth], "") + "…"
	}
	return line + "\n"
}

func firstLines(t *testing.T, dir, agent, pattern string) string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "agents", agent, "sessions", pattern))
	if err != nil || len(names) == 0 {
		names = []string{mainTranscript(t, dir, agent)}
	}
	body, err := os.ReadFile(names[0])
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", filepath.Base(names[0]))
	for i, line := range strings.Split(string(body), "\n") {
		if i < goldenLines {
			b.WriteString(shortened(line))
		}
	}
	return b.String()
}

// mainTranscript is the file of an agent's main conversation.
func mainTranscript(t *testing.T, dir, agent string) string {
	t.Helper()
	folder := filepath.Join(dir, "agents", agent, "sessions")
	body, err := os.ReadFile(filepath.Join(folder, "sessions.json"))
	if err != nil {
		t.Fatal(err)
	}
	var rows map[string]struct {
		SessionID string `json:"sessionId"`
	}
	if err := json.Unmarshal(body, &rows); err != nil {
		t.Fatal(err)
	}
	return filepath.Join(folder, rows["agent:"+agent+":main"].SessionID+".jsonl")
}

func firstRows(t *testing.T, path string) string {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+path+"?mode=ro")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	rows, err := db.Query("SELECT seq, event_json, event_zstd, event_utf8_bytes FROM transcript_events WHERE session_id = (SELECT MIN(session_id) FROM transcript_events) ORDER BY seq LIMIT ?", goldenLines)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	unpack, err := zstd.NewReader(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer unpack.Close()
	var b strings.Builder
	for rows.Next() {
		var seq, size int
		var plain, packed []byte
		if err := rows.Scan(&seq, &plain, &packed, &size); err != nil {
			t.Fatal(err)
		}
		how := "plain"
		if plain == nil {
			how = "zstd"
			if plain, err = unpack.DecodeAll(packed, nil); err != nil {
				t.Fatal(err)
			}
		}
		if len(plain) != size {
			t.Errorf("row %d says %d bytes and has %d", seq, size, len(plain))
		}
		b.WriteString(shortened(fmt.Sprintf("%d %s %s", seq, how, plain)))
	}
	return b.String()
}

func compare(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name+".golden")
	if *update {
		if err := errors.Join(os.MkdirAll("testdata", 0o755), os.WriteFile(path, []byte(got), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs (go test -update writes it anew); got:\n%s", path, got)
	}
}

// TestWhatIsShown looks for everything that an installation has to show.
func TestWhatIsShown(t *testing.T) {
	for _, o := range []Options{tiny, {Seed: 11, Now: noon.Add(13 * time.Hour), Months: 2, Size: 30, Damaged: true}, {Seed: 1, Now: noon, Damaged: true}} {
		dir, truth := written(t, o)
		name := fmt.Sprintf("seed %d", o.Seed)
		if truth.Superseded == 0 || truth.NoSummary == 0 || truth.Resets == 0 || truth.Unpriced == 0 || truth.Background == 0 || truth.Compactions < 5 {
			t.Errorf("%s lacks something: %+v", name, truth)
		}
		if truth.Problems[memory.ProblemBadLine] != 1 || truth.Problems[memory.ProblemBadArchive] != 1 {
			t.Errorf("%s has the problems %v", name, truth.Problems)
		}
		for _, who := range cast {
			if truth.Agents[who.id].Messages == 0 {
				t.Errorf("%s: %s says nothing", name, who.id)
			}
		}
		for _, pattern := range []string{"agents/main/session-sqlite-import-archive/*.jsonl.imported-*", "agents/books/sessions/*.trajectory.jsonl", "agents/books/sessions/*.checkpoint.*.jsonl",
			"agents/shop/sessions/*.zst", "agents/mail/sessions/sessions.json", "state/openclaw.sqlite", "workspace/MEMORY.md", "workspace/memory/*.md", "workspace-shop/SOUL.md"} {
			if found, _ := filepath.Glob(filepath.Join(dir, pattern)); len(found) == 0 {
				t.Errorf("%s: there is no %s", name, pattern)
			}
		}
	}
}

// TestUsualSize keeps the size that a newcomer waits for.
func TestUsualSize(t *testing.T) {
	began := time.Now()
	dir, truth := written(t, Options{Seed: 1, Now: noon, Damaged: true})
	if took := time.Since(began); took > 3*time.Second {
		t.Logf("writing took %v", took) // a busy machine; the benchmark tells
	}
	size := 0
	for _, body := range tree(t, dir) {
		size += len(body)
	}
	if size < 6<<20 || size > 11<<20 {
		t.Errorf("it has %d bytes", size)
	}
	if truth.Longest < 3_000 {
		t.Errorf("the longest session has %d entries", truth.Longest)
	}
	lost := 0
	for _, s := range truth.Statements {
		if s.Lost != "" {
			lost++
		}
	}
	if len(truth.Statements) < 25 || lost == 0 || lost == len(truth.Statements) {
		t.Errorf("%d of %d statements are lost", lost, len(truth.Statements))
	}
}

// TestAnyPath writes below a folder with characters that mean something in a URI.
func TestAnyPath(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "100% 青螺 #1", "state")
	if _, err := Write(t.Context(), dir, tiny); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(filepath.Join(dir, databaseOf("shop"))); err != nil || info.Size() < 10_000 {
		t.Errorf("the database is not where it should be: %v", err)
	}
}

func TestWriteRefuses(t *testing.T) {
	dir := t.TempDir()
	if _, err := Write(t.Context(), dir, Options{}); memory.CodeOf(err) != memory.CodeInvalid {
		t.Errorf("without a time: %v", err)
	}
	if err := os.WriteFile(filepath.Join(dir, "mine"), []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Write(t.Context(), dir, tiny); memory.CodeOf(err) != memory.CodeInvalid {
		t.Errorf("beside something else: %v", err)
	}
	ended, stop := context.WithCancel(t.Context())
	stop()
	if _, err := Write(ended, filepath.Join(dir, "new"), tiny); !errors.Is(err, context.Canceled) {
		t.Errorf("after the end: %v", err)
	}
}

// TestStatementsStandWhereTheTruthSays looks every statement up.
func TestStatementsStandWhereTheTruthSays(t *testing.T) {
	dir, truth := written(t, tiny)
	for _, s := range truth.Statements {
		if s.Agent == "mail" || s.Agent == "books" {
			names, _ := filepath.Glob(filepath.Join(dir, "agents", s.Agent, "sessions", s.Session+".jsonl*"))
			if len(names) != 1 {
				t.Fatalf("%s is in %v", s.Session, names)
			}
			body, err := os.ReadFile(names[0])
			if err != nil {
				t.Fatal(err)
			}
			_, behind, ok := bytes.Cut(body, []byte(`"id":"`+s.Entry+`"`))
			line, _, _ := bytes.Cut(behind, []byte("\n"))
			if !ok || !bytes.Contains(line, []byte(s.Text)) {
				t.Errorf("%q does not stand at %s", s.Text, s.Entry)
			}
		}
	}
}

func BenchmarkWrite(b *testing.B) {
	for i := range b.N {
		if _, err := Write(b.Context(), filepath.Join(b.TempDir(), fmt.Sprint(i)), Options{Seed: uint64(i), Now: noon}); err != nil {
			b.Fatal(err)
		}
	}
}
