package openclaw

import (
	"crypto/sha256"
	"encoding/hex"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

const (
	stateDirName   = ".openclaw"
	configFileName = "openclaw.json"
	// idHashBytes of the path's hash tell two state directories of the same
	// name apart: 32 bits are plenty for the handful that one person has.
	idHashBytes = 4
	// idSlugMax keeps the readable part of an id short enough that the folder
	// named after it stays below the path limits of Windows.
	idSlugMax = 32
)

// The names that OpenClaw had before, in the order in which it looks for them.
var (
	legacyStateDirNames   = []string{".clawdbot", ".moldbot", ".moltbot"}
	legacyConfigFileNames = []string{"clawdbot.json", "moldbot.json", "moltbot.json"}
)

var profileName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$`)

// Installation is one state directory of OpenClaw.
type Installation struct {
	// ID is stable for a state directory, readable, and safe as the name of a
	// folder on every platform: letters, digits and dashes.
	ID string
	// StateDir is absolute and clean. Symbolic links in it are kept.
	StateDir string
	// Profile is the name of the profile, "" for the default one.
	Profile string
	// ConfigPath is where the configuration is, or would be.
	ConfigPath string
	// Legacy says that the directory has one of OpenClaw's former names.
	Legacy bool
}

func isNamedProfile(profile string) bool {
	return profile != "" && !strings.EqualFold(profile, "default") && profileName.MatchString(profile)
}

// installation describes dir, which need not exist.
func (e Env) installation(dir, profile string) Installation {
	base := filepath.Base(dir)
	if !isNamedProfile(profile) {
		profile = ""
		if rest, ok := strings.CutPrefix(base, stateDirName+"-"); ok && profileName.MatchString(rest) {
			profile = rest
		}
	}
	inst := Installation{ID: e.installationID(dir), StateDir: dir, Profile: profile, Legacy: isLegacyName(base)}
	inst.ConfigPath = filepath.Join(dir, configFileName)
	if !isRegular(inst.ConfigPath) {
		for _, name := range legacyConfigFileNames {
			if p := filepath.Join(dir, name); isRegular(p) {
				inst.ConfigPath = p
				break
			}
		}
	}
	return inst
}

// installationID is a readable name and a short hash of the resolved path.
func (e Env) installationID(dir string) string {
	real := resolvedPath(dir)
	if e.OS == "windows" {
		real = strings.ToLower(real) // where case does not tell files apart
	}
	sum := sha256.Sum256([]byte(real))
	return fileSlug(filepath.Base(dir)) + "-" + hex.EncodeToString(sum[:idHashBytes])
}

// fileSlug reduces name to lower-case ASCII letters, digits and single dashes.
func fileSlug(name string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(name) {
		switch {
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9':
			b.WriteRune(r)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
		if b.Len() == idSlugMax {
			break
		}
	}
	if s := strings.Trim(b.String(), "-"); s != "" {
		return s
	}
	return "state"
}

func isLegacyName(base string) bool {
	return slices.ContainsFunc(legacyStateDirNames, func(n string) bool {
		return base == n || strings.HasPrefix(base, n+"-")
	})
}
