package frontend

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The placeholder is what makes a clean clone compile; Vite copies it back
// from public.
func TestPlaceholder(t *testing.T) {
	if _, err := fs.Stat(Files(), ".placeholder"); err != nil {
		t.Error(err)
	}
}

// What the browser loads must obey the policy that the server sends: scripts
// and styles from our own files, and nothing from elsewhere.
func TestPageObeysPolicy(t *testing.T) {
	if !Built() {
		t.Skip("the front end is not built")
	}
	page, err := fs.ReadFile(Files(), "index.html")
	if err != nil {
		t.Fatal(err)
	}
	text := string(page)
	for _, m := range regexp.MustCompile(`<script[^>]*>`).FindAllString(text, -1) {
		if !strings.Contains(m, `src="/`) {
			t.Errorf("inline script: %s", m)
		}
	}
	for _, bad := range []string{"<style", "style=", "http://", "https://", `src="//`, `href="//`, " onload="} {
		if strings.Contains(text, bad) {
			t.Errorf("index.html has %q", bad)
		}
	}
	for _, m := range regexp.MustCompile(`(?:src|href)="/([^"]+)"`).FindAllStringSubmatch(text, -1) {
		if _, err := fs.Stat(Files(), m[1]); err != nil {
			t.Errorf("index.html names %s: %v", m[1], err)
		}
	}
}

// The tests in the browser serve the pages under the policy of the server where
// there is no server: the two texts must be one.
func TestSamePolicy(t *testing.T) {
	server := policyIn(t, filepath.Join("..", "backend", "api", "guard.go"), `"`)
	tests := policyIn(t, filepath.Join("e2e", "serve.ts"), `["']`)
	if server != tests {
		t.Errorf("the policies differ:\n%s\n%s", server, tests)
	}
}

// policyIn gives the policy that a source writes as a sum of string literals,
// from default-src on.
func policyIn(t *testing.T, path, quote string) string {
	t.Helper()
	source, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	sum := regexp.MustCompile(`"(default-src (?:[^"]|"\s*\+\s*")*)"`).FindSubmatch(source)
	if sum == nil {
		t.Fatalf("%s has no policy", path)
	}
	return regexp.MustCompile(quote+`\s*\+\s*`+quote).ReplaceAllString(string(sum[1]), "")
}
