package openclaw

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

var (
	errCredentials = errors.New("may hold credentials: never opened")
	errNotRegular  = errors.New("not a regular file")
	errTooLarge    = errors.New("larger than is ever read")
)

// credentialNames are files of OpenClaw that hold keys and tokens and nothing
// that Tidemark needs. catalog.json is a model catalogue with keys in it.
var credentialNames = []string{".env", ".netrc", ".npmrc", "catalog.json", "id_rsa", "id_ed25519"}

// credentialWords in a name mark what a person or a program keeps keys in:
// auth-profiles.json, oauth.json, credentials.json, my-secrets.json5.
var credentialWords = []string{"auth-", "auth.", "oauth", "credential", "creds", "secret", ".token.", "passwd", "password"}

// credentialSuffixes are key files and the various shapes of .env.
var credentialSuffixes = []string{".env", ".pem", ".key", ".p12", ".pfx"}

// credentialDirs hold nothing but credentials. "secrets" is not among them:
// containers put a whole configuration into /run/secrets.
var credentialDirs = []string{"credentials", "identity", "devices", ".ssh", ".aws", ".gnupg"}

// isCredentialFile says that a path is one that this package never opens. It
// goes by names alone and would rather refuse a harmless file.
func isCredentialFile(path string) bool {
	parts := strings.FieldsFunc(strings.ToLower(path), func(r rune) bool { return r == '/' || r == '\\' })
	if len(parts) == 0 {
		return false
	}
	name := parts[len(parts)-1]
	if strings.HasPrefix(name, "auth") || strings.HasPrefix(name, ".env.") || slices.Contains(credentialNames, name) {
		return true
	}
	if slices.ContainsFunc(credentialWords, func(w string) bool { return strings.Contains(name, w) }) ||
		slices.ContainsFunc(credentialSuffixes, func(s string) bool { return strings.HasSuffix(name, s) }) {
		return true
	}
	// Only the directory right above counts: a home may well lie below one
	// that is called "identity".
	return len(parts) > 1 && slices.Contains(credentialDirs, parts[len(parts)-2])
}

// isCredentialPath says that a path below root is a credential file, or lies
// anywhere in a directory of such files.
func isCredentialPath(root, path string) bool {
	rel, err := filepath.Rel(root, path)
	if err != nil || isCredentialFile(path) {
		return true
	}
	return slices.ContainsFunc(pathElements(strings.ToLower(rel)), func(part string) bool {
		return part == "secrets" || slices.Contains(credentialDirs, part)
	})
}

// openAllowed opens a regular file for reading. It refuses credential files,
// also behind a symbolic link, and whatever is no regular file, so that a
// named pipe cannot make a reader wait. The caller closes it.
func openAllowed(path string) (*os.File, error) {
	if isCredentialFile(path) || isCredentialFile(resolvedPath(path)) {
		return nil, errCredentials
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, errNotRegular
	}
	return os.Open(path)
}

// readAllowed reads a file of at most limit bytes that openAllowed allows.
func readAllowed(path string, limit int64) ([]byte, error) {
	f, err := openAllowed(path)
	if err != nil {
		return nil, err
	}
	defer f.Close() // opened for reading: nothing can be lost
	data, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", filepath.Base(path), err)
	}
	if int64(len(data)) > limit {
		return nil, errTooLarge
	}
	return data, nil
}
