package openclaw

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Discover lists the installations on this machine: first the one that
// OpenClaw would use now, where it exists, then every other directory in the
// home that has one of OpenClaw's names and looks like a state directory, by
// name. Two names of one directory are one installation.
func Discover(env Env) []Installation {
	var found []Installation
	seen := map[string]bool{}
	add := func(inst Installation) {
		if real := resolvedPath(inst.StateDir); !seen[real] {
			seen[real] = true
			found = append(found, inst)
		}
	}
	if inst, ok := env.live(); ok {
		add(inst)
	}
	for _, dir := range env.candidates() {
		if looksLikeState(dir) {
			add(env.installation(dir, ""))
		}
	}
	return found
}

// candidates are the directories with one of OpenClaw's names, in the home
// that OpenClaw uses and in the account's own.
func (e Env) candidates() []string {
	homes := []string{e.home()}
	if account := e.accountHome(); account != "" {
		homes = append(homes, absolutePath(account))
	}
	var dirs []string
	for _, home := range slices.Compact(homes) {
		if home == "" {
			continue
		}
		entries, _ := os.ReadDir(home) // a home that cannot be listed holds none
		for _, entry := range entries {
			if hasStateName(entry.Name()) {
				dirs = append(dirs, filepath.Join(home, entry.Name()))
			}
		}
		// OPENCLAW_HOME set to a state directory makes OpenClaw nest another.
		dirs = append(dirs, filepath.Join(home, stateDirName, stateDirName))
	}
	return dirs
}

func hasStateName(name string) bool {
	return name == stateDirName || strings.HasPrefix(name, stateDirName+"-") || isLegacyName(name)
}

// looksLikeState says that dir holds what only a state directory holds.
func looksLikeState(dir string) bool {
	for _, name := range append([]string{configFileName}, legacyConfigFileNames...) {
		if isRegular(filepath.Join(dir, name)) {
			return true
		}
	}
	return isDirectory(filepath.Join(dir, "agents")) || isRegular(filepath.Join(dir, "state", "openclaw.sqlite"))
}
