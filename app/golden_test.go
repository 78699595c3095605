package app

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

var update = flag.Bool("update", false, "write the golden files anew")

// TestGoldenCommands runs every command that prints data on a small state
// directory and compares what it prints with the golden files: programs rely
// on it.
func TestGoldenCommands(t *testing.T) {
	state := sampleState(t)
	for name, args := range map[string][]string{
		"scan.json":           {"scan", "--json"},
		"scan.txt":            {"scan"},
		"scan-no-store.json":  {"scan", "--json", "--no-store"},
		"sessions.json":       {"sessions", "--json"},
		"sessions.txt":        {"sessions"},
		"costs-day.json":      {"costs", "--by", "day", "--tz", "Asia/Shanghai", "--json"},
		"costs-day.txt":       {"costs", "--by", "day", "--tz", "Asia/Shanghai"},
		"costs-agent.json":    {"costs", "--by", "agent", "--json"},
		"costs-model.json":    {"costs", "--by", "model", "--json"},
		"costs-session.json":  {"costs", "--by", "session", "--json"},
		"costs-range.json":    {"costs", "--from", "2026-05-02", "--to", "2026-05-02", "--tz", "UTC", "--json"},
		"compactions.json":    {"compactions", "--json"},
		"compactions.txt":     {"compactions"},
		"problems.json":       {"problems", "--json"},
		"problems.txt":        {"problems"},
		"statements.json":     {"statements", "list", "--json"},
		"statements.txt":      {"statements", "list"},
		"help-statements.txt": {"help", "statements"},
		"rebuild.json":        {"rebuild", "--json"},
		"help.txt":            {"help"},
		"help-costs.txt":      {"help", "costs"},
	} {
		t.Run(name, func(t *testing.T) {
			out, errs, code := run0(t, state, args...)
			if code != exitDone {
				t.Fatalf("exit code %d: %s", code, errs)
			}
			compare(t, filepath.Join("testdata", name), steady(out, state))
		})
	}
}

// TestSameNumbersWithAndWithoutStore compares the two golden files that must
// agree but for the time they took.
func TestSameNumbersWithAndWithoutStore(t *testing.T) {
	state := sampleState(t)
	with, _, _ := run0(t, state, "scan", "--json")
	without, _, _ := run0(t, state, "scan", "--json", "--no-store")
	cutProblems := regexp.MustCompile(`(?s)"problems".*`)
	if a, b := cutProblems.ReplaceAllString(with, ""), cutProblems.ReplaceAllString(without, ""); a != b {
		t.Errorf("with store:\n%s\nwithout:\n%s", a, b)
	}
}

// run0 runs the program in this process on a state directory, with a data
// directory of its own.
func run0(t *testing.T, state string, args ...string) (out, errs string, code int) {
	t.Helper()
	var o, e bytes.Buffer
	code = Main(append(args, "--state-dir", state, "--data-dir", filepath.Join(t.TempDir(), "data")), &o, &e)
	return o.String(), e.String(), code
}

var elapsed = regexp.MustCompile(`"elapsedMs": \d+`)

// steady takes what differs from run to run out of an answer.
func steady(s, state string) string {
	s = strings.ReplaceAll(s, filepath.ToSlash(state), "STATE")
	s = strings.ReplaceAll(s, state, "STATE")
	return elapsed.ReplaceAllString(s, `"elapsedMs": 0`)
}

func compare(t *testing.T, path, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs; got:\n%s\nwant:\n%s", path, got, want)
	}
}

// realHome is the home of whoever runs the tests.
var realHome = os.Getenv("HOME")

func TestMain(m *testing.M) {
	time.Local = time.UTC
	home, err := os.MkdirTemp("", "tidemark-home-")
	if err != nil {
		panic(err)
	}
	for _, name := range []string{"HOME", "USERPROFILE"} {
		os.Setenv(name, home)
	}
	for _, name := range []string{"OPENCLAW_STATE_DIR", "OPENCLAW_HOME", "OPENCLAW_PROFILE", "OPENCLAW_CONFIG_PATH", "CLAWDBOT_STATE_DIR", "TIDEMARK_DATA_DIR", "XDG_DATA_HOME"} {
		os.Unsetenv(name)
	}
	code := m.Run()
	os.RemoveAll(home)
	os.Exit(code)
}
