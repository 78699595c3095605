package app

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"tidemark/backend/demo"
	"tidemark/frontend"
)

// TestPagesInABrowser opens the served pages in a real browser: every page in
// both languages and themes, wide and narrow, with the keyboard alone. The
// tests themselves are those of the front end; here they meet the real server.
func TestPagesInABrowser(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped: a browser is not short")
	}
	chromium := browserPath()
	if chromium == "" {
		t.Skip("skipped: no Chromium browser is installed (make test installs one)")
	}
	if _, err := os.Stat("../frontend/node_modules/.bin/vitest"); err != nil || !frontend.Built() {
		t.Skip("skipped: the front end is not built (make test builds it)")
	}
	for file, state := range map[string]func(*testing.T) string{"pages": inventedState, "keyboard": sampleState, "real": sampleState} {
		t.Run(file, func(t *testing.T) {
			s := serveSample(t, state(t))
			ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
			defer cancel()
			cmd := exec.CommandContext(ctx, filepath.Join("node_modules", ".bin", "vitest"), "run", "--config", "e2e/vitest.config.ts", file)
			cmd.Dir = "../frontend"
			cmd.Env = append(os.Environ(), "TIDEMARK_URL="+s.link, "CHROMIUM="+chromium)
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}

// inventedState writes an installation of all eras that has months of talk.
func inventedState(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), ".openclaw")
	if _, err := demo.Write(t.Context(), dir, demo.Options{Seed: 1, Now: time.Now(), Months: 2, Damaged: true}); err != nil {
		t.Fatal(err)
	}
	return dir
}

func browserPath() string {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return ""
}
