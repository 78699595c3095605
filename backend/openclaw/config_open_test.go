package openclaw

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"
)

func TestIsCredentialFile(t *testing.T) {
	never := []string{
		"auth.json", "auth-profiles.json", "auth-state.json", "AUTH-PROFILES.JSON", "auth-profiles.json.bak", "auth.json.tmp",
		".env", ".env.local", "gateway.env", "oauth.json", "catalog.json", "credentials.json", ".credentials.json", "device-auth.json",
		"github-copilot.token.json", "my-secrets.json5", "secrets.json", "id_rsa", "server.key", "cert.pem", "passwords.txt", ".npmrc",
	}
	for _, name := range never {
		for _, path := range []string{name, "/home/a/.openclaw/agents/main/agent/" + name, `C:\Users\a\.openclaw\` + name} {
			if !isCredentialFile(path) {
				t.Errorf("%q may be opened", path)
			}
		}
	}
	for _, path := range []string{"/s/credentials/whatsapp.json", "/s/identity/device.json", `C:\s\devices\paired.json`, "/home/a/.ssh/config"} {
		if !isCredentialFile(path) {
			t.Errorf("%q may be opened", path)
		}
	}
	for _, path := range []string{
		"", "/", "openclaw.json", "openclaw.json.last-good", "models.json", "sessions.json", "agents.json5", "environment.json5", "keys.json5",
		"/home/identity/x/.openclaw/openclaw.json", "/run/secrets/openclaw.json", "author-notes/agents.json5", "tokens.json5",
	} {
		if isCredentialFile(path) {
			t.Errorf("%q may not be opened", path)
		}
	}
}

func TestIsCredentialPath(t *testing.T) {
	root := absolutePath("/run/secrets/oc")
	for path, want := range map[string]bool{
		"a.json5": false, "clients/a.json5": false, "credentials/whatsapp/x.json": true, "secrets/a.json5": true, "Secrets/x/a.json5": true,
		"auth.json": true, "devices/paired.json": true, "a/b/identity/c/d.json": true,
	} {
		if got := isCredentialPath(root, filepath.Join(root, path)); got != want {
			t.Errorf("isCredentialPath(%q) = %v", path, got)
		}
	}
}

func TestReadAllowed(t *testing.T) {
	dir := layOut(t, realTemp(t), "a.json", "12345", "auth.json", "secret", "d/", "", "links/", "")
	if data, err := readAllowed(filepath.Join(dir, "a.json"), 5); err != nil || string(data) != "12345" {
		t.Errorf("got %q, %v", data, err)
	}
	if _, err := readAllowed(filepath.Join(dir, "a.json"), 4); !errors.Is(err, errTooLarge) {
		t.Errorf("too large: %v", err)
	}
	if _, err := readAllowed(filepath.Join(dir, "auth.json"), 100); !errors.Is(err, errCredentials) {
		t.Errorf("credentials: %v", err)
	}
	if _, err := readAllowed(filepath.Join(dir, "d"), 100); !errors.Is(err, errNotRegular) {
		t.Errorf("a directory: %v", err)
	}
	if _, err := readAllowed(filepath.Join(dir, "gone.json"), 100); plainReason(err) != "it is not there" {
		t.Errorf("not there: %v", err)
	}
	linkTo(t, filepath.Join(dir, "auth.json"), filepath.Join(dir, "links", "harmless.json"))
	if _, err := readAllowed(filepath.Join(dir, "links", "harmless.json"), 100); !errors.Is(err, errCredentials) {
		t.Errorf("credentials behind a link: %v", err)
	}
}

func TestPlainReasonNamesNoPath(t *testing.T) {
	_, err := readAllowed(filepath.Join(t.TempDir(), "gone.json"), 1)
	if strings.Contains(plainReason(err), "gone.json") {
		t.Errorf("reason %q", plainReason(err))
	}
}
