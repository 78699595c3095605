package openclaw

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"tidemark/backend/memory"
)

// Resolve finds the installation that OpenClaw itself would use, or the one
// that stateDir or profile name: both may be "". It follows OpenClaw's order:
// an explicit directory, OPENCLAW_STATE_DIR (formerly CLAWDBOT_STATE_DIR), the
// profile, ~/.openclaw, and the former names of that directory.
//
// The error has code state-missing where there is no such directory; the
// installation is then filled all the same, so that a caller can wait for it.
// OPENCLAW_CONFIG_PATH applies to the directory that the environment names and
// not to another one given as stateDir.
func Resolve(env Env, stateDir, profile string) (Installation, error) {
	profile = strings.TrimSpace(profile)
	if profile != "" && !profileName.MatchString(profile) {
		return Installation{}, &memory.Error{Code: memory.CodeInvalid, Op: fmt.Sprintf("use profile %q", profile),
			Hint: "A profile's name has letters, digits, - and _ only."}
	}
	var inst Installation
	if strings.TrimSpace(stateDir) != "" {
		inst = env.installation(env.expand(stateDir), profile)
		if live, ok := env.live(); ok && resolvedPath(live.StateDir) == resolvedPath(inst.StateDir) {
			inst.ConfigPath = live.ConfigPath
		}
		return inst, checkStateDir(inst, []string{inst.StateDir})
	}
	inst, looked := env.resolve(profile)
	return inst, checkStateDir(inst, looked)
}

// live is the installation that the environment alone names, if it is there.
func (e Env) live() (Installation, bool) {
	inst, looked := e.resolve("")
	return inst, checkStateDir(inst, looked) == nil
}

// resolve applies OpenClaw's rules and tells which directories it considered.
func (e Env) resolve(profile string) (Installation, []string) {
	dir, looked := e.stateDir(profile)
	if profile == "" {
		profile = e.get("OPENCLAW_PROFILE")
	}
	inst := e.installation(dir, profile)
	if p := e.firstVar("OPENCLAW_CONFIG_PATH", "CLAWDBOT_CONFIG_PATH"); p != "" && !e.ofOtherProfile(p, dir) {
		inst.ConfigPath = e.expand(p)
	}
	return inst, looked
}

func (e Env) stateDir(profile string) (dir string, looked []string) {
	inherited := e.get("OPENCLAW_PROFILE")
	if v := e.firstVar("OPENCLAW_STATE_DIR", "CLAWDBOT_STATE_DIR"); v != "" {
		set := e.expand(v)
		// A shell inside one profile has the variable set to that profile's
		// own directory; asking for another profile there must get it.
		if profile == "" || set != e.profileDir(inherited) || e.profileDir(profile) == set {
			return set, []string{set}
		}
	}
	if profile != "" {
		dir = e.profileDir(profile)
		return dir, []string{dir}
	}
	if isNamedProfile(inherited) && isDirectory(e.profileDir(inherited)) {
		return e.profileDir(inherited), []string{e.profileDir(inherited)}
	}
	for _, name := range append([]string{stateDirName}, legacyStateDirNames...) {
		dir = absolutePath(filepath.Join(e.home(), name))
		looked = append(looked, dir)
		if isDirectory(dir) {
			return dir, looked
		}
	}
	return looked[0], looked
}

// profileDir is the state directory that belongs to a profile. Without a home
// the working directory stands for it, as in OpenClaw.
func (e Env) profileDir(profile string) string {
	dir := absolutePath(filepath.Join(e.home(), stateDirName))
	if isNamedProfile(profile) {
		dir += "-" + profile
	}
	return dir
}

// ofOtherProfile says that a configuration path of the environment is the
// plain one of the profile that the shell runs in, while dir is another's.
func (e Env) ofOtherProfile(configPath, dir string) bool {
	inherited := e.profileDir(e.get("OPENCLAW_PROFILE"))
	return inherited != dir && e.expand(configPath) == filepath.Join(inherited, configFileName)
}

func (e Env) firstVar(names ...string) string {
	for _, n := range names {
		if v := e.get(n); v != "" {
			return v
		}
	}
	return ""
}

func checkStateDir(inst Installation, looked []string) error {
	info, err := os.Stat(inst.StateDir)
	switch {
	case err == nil && info.IsDir():
		return nil
	case err == nil:
		return &memory.Error{Code: memory.CodeStateMissing, Op: "open state directory " + inst.StateDir,
			Hint: "This is a file. Name the directory that holds openclaw.json.", Err: errors.New("not a directory")}
	case !errors.Is(err, fs.ErrNotExist):
		return &memory.Error{Code: memory.CodeUnavailable, Op: "open state directory " + inst.StateDir,
			Hint: "Run as the user that runs OpenClaw.", Err: err}
	}
	return &memory.Error{Code: memory.CodeStateMissing, Op: "find the state directory of OpenClaw",
		Hint: "Looked for " + strings.Join(looked, ", ") + ". Start OpenClaw once, or name the directory with --state-dir or OPENCLAW_STATE_DIR.",
		Err:  fs.ErrNotExist}
}
