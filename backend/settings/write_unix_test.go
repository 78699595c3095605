//go:build unix

package settings

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestWriteFileSurvivesCrash kills a process that writes without a pause, some
// times: what is there is always one of its contents, whole.
func TestWriteFileSurvivesCrash(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	put(t, path, strings.Repeat("a", 1<<16))
	for i := range 5 {
		writer, _ := start(t, -1, "write", path)
		// Not a wait for anything: it varies the moment of the crash.
		<-time.After(time.Duration(i*7) * time.Millisecond)
		writer.kill()
		got, err := os.ReadFile(path)
		if err != nil || len(got) != 1<<16 || strings.Trim(string(got), string(got[:1])) != "" {
			t.Fatalf("after a crash: %d mixed bytes (%v)", len(got), err)
		}
	}
}
