package watch

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestNothingIsHeld covers case 115: OpenClaw can rename and delete its files
// while they are watched, as none is open here.
func TestNothingIsHeld(t *testing.T) {
	dir := place(t)
	for _, n := range []string{"a.jsonl", "agent/openclaw-agent.sqlite", "agent/openclaw-agent.sqlite-wal", "memory/用户名字 老巨.md"} {
		write(t, filepath.Join(dir, n), "1")
	}
	for _, p := range []pace{byEvents, {hot: 1, cold: 1, calm: 1}} {
		r := watching(t, Options{pace: p}, Root{Path: dir, Reach: Tree})
		add(t, filepath.Join(dir, "a.jsonl"), "2")
		r.told(filepath.Join(dir, "a.jsonl"))
		if p == byEvents {
			for _, open := range descriptors(t) {
				if strings.HasPrefix(open, dir) {
					t.Errorf("%s is held open", open)
				}
			}
		}
		from := filepath.Join(dir, "agent", "openclaw-agent.sqlite")
		ok(t, os.Rename(from, from+".old"))
		ok(t, os.Rename(from+".old", from))
		r.told(from)
	}
}

// descriptors gives what this process has open.
func descriptors(t *testing.T) (open []string) {
	entries, err := os.ReadDir("/proc/self/fd")
	ok(t, err)
	for _, e := range entries {
		if to, err := os.Readlink(fmt.Sprintf("/proc/self/fd/%s", e.Name())); err == nil {
			open = append(open, to)
		}
	}
	return open
}
