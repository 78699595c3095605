package transcript_test

import (
	"bufio"
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tidemark/backend/memory"
	"tidemark/backend/transcript"
)

const (
	userLine      = `{"type":"message","id":"1f872888","parentId":"5ab4a468","timestamp":"2026-11-30T19:54:57.006Z","message":{"role":"user","content":[{"type":"text","text":"[Tue 2026-12-01 03:54 GMT+8] 最近在带娃，凌晨基本不看手机，别半夜推东西给我"}],"timestamp":1796068501407}}`
	assistantLine = `{"type":"message","id":"51ff29da","parentId":"1f872888","timestamp":"2026-11-30T19:54:57.021Z","message":{"role":"assistant","content":[{"type":"text","text":"Hi again! What shall we work on?"}],"api":"openai-completions","provider":"mock","model":"mock-small","usage":{"input":5762,"output":8,"cacheRead":5696,"cacheWrite":0,"totalTokens":11466,"cost":{"input":0.017286,"output":0.00012,"cacheRead":0.0017088,"cacheWrite":0,"total":0.019114799999999998}},"stopReason":"stop","timestamp":1796068496999}}`
)

// toolResultLine is a tool result with n bytes of output.
func toolResultLine(n int) []byte {
	return []byte(`{"type":"message","id":"7f0b1111","parentId":"51ff29da","timestamp":"2026-11-30T19:55:01.000Z","message":{"role":"toolResult","toolCallId":"call_1","toolName":"exec","content":[{"type":"text","text":"` + strings.Repeat("step ok\\n", n/9) + `"}],"isError":false}}`)
}

// recorded gives the lines of a file below testdata.
func recorded(t testing.TB, name string) [][]byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	lines := bytes.Split(bytes.TrimSuffix(data, []byte("\n")), []byte("\n"))
	if len(lines) == 0 {
		t.Fatalf("%s is empty", name)
	}
	return lines
}

// sharedLines gives every line of the transcripts that real installations
// wrote. The test is skipped where they are not there.
func sharedLines(t *testing.T) (lines [][]byte) {
	t.Helper()
	shared := os.Getenv("TIDEMARK_SHARED")
	if shared == "" {
		shared = filepath.Join("..", "..", "..", "shared")
	}
	for _, folder := range []string{"sessions", "session-sqlite-import-archive"} {
		files, _ := filepath.Glob(filepath.Join(shared, "fixtures", "*", "agents", "*", folder, "*.jsonl*"))
		for _, name := range files {
			if strings.Contains(name, ".trajectory.") {
				continue
			}
			f, err := os.Open(name)
			if err != nil {
				t.Fatal(err)
			}
			s := bufio.NewScanner(f)
			s.Buffer(nil, 64<<20)
			for s.Scan() {
				lines = append(lines, bytes.Clone(s.Bytes()))
			}
			f.Close()
			if err := s.Err(); err != nil {
				t.Fatal(err)
			}
		}
	}
	if len(lines) == 0 {
		t.Skip("skipped: no fixtures (set TIDEMARK_SHARED to the folder that holds them)")
	}
	return lines
}

// mustDecode decodes a line that is in order.
func mustDecode(t testing.TB, line string, texts bool) memory.Event {
	t.Helper()
	var ev memory.Event
	d := transcript.Decoder{Texts: texts}
	if err := d.Decode([]byte(line), &ev); err != nil {
		t.Fatalf("decode %.200s: %v", line, err)
	}
	return ev
}

// message gives an entry with the given message object.
func message(object string) string {
	return `{"type":"message","id":"a1","parentId":null,"timestamp":"2026-05-10T10:00:00.000Z","message":` + object + `}`
}
