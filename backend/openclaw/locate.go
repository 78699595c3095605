package openclaw

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// Env is what of the surroundings decides where OpenClaw keeps its things. It
// is a value so that a test can say what the surroundings are. The zero Env
// has no variables and no home.
type Env struct {
	// Getenv looks up an environment variable, "" where it is not set. A nil
	// Getenv knows none.
	Getenv func(string) string
	// Home is the home directory of the account. OPENCLAW_HOME, HOME and
	// USERPROFILE go before it, in this order, as in OpenClaw.
	Home string
	// OS is the operating system by its Go name ("linux", "windows").
	OS string
}

// SystemEnv is the Env of this process.
func SystemEnv() Env {
	home, _ := os.UserHomeDir() // an account without a home has none
	return Env{Getenv: os.Getenv, Home: home, OS: runtime.GOOS}
}

// get is a variable without the space around it. OpenClaw takes the words
// that a careless script leaves behind for "not set".
func (e Env) get(name string) string {
	if e.Getenv == nil {
		return ""
	}
	v := strings.TrimSpace(e.Getenv(name))
	if v == "undefined" || v == "null" {
		return ""
	}
	return v
}

// accountHome is the home directory, whatever OPENCLAW_HOME says.
func (e Env) accountHome() string {
	for _, v := range []string{e.get("HOME"), e.get("USERPROFILE"), e.Home} {
		if v != "" {
			return v
		}
	}
	return ""
}

// home is the directory that "~" stands for and that state directories lie in.
func (e Env) home() string {
	if h := e.get("OPENCLAW_HOME"); h != "" {
		return absolutePath(expandTilde(h, e.accountHome()))
	}
	if h := e.accountHome(); h != "" {
		return absolutePath(h)
	}
	return ""
}

// expand makes a path that a person wrote absolute and clean, "" for "".
func (e Env) expand(path string) string {
	path = strings.TrimSpace(path)
	if path == "" {
		return ""
	}
	return absolutePath(expandTilde(path, e.home()))
}

// paths splits a variable that lists directories, and expands each.
func (e Env) paths(name string) []string {
	sep := ":"
	if e.OS == "windows" {
		sep = ";"
	}
	var out []string
	for p := range strings.SplitSeq(e.get(name), sep) {
		if p = e.expand(p); p != "" {
			out = append(out, p)
		}
	}
	return out
}

// expandTilde replaces a leading "~" by home. "~name" stays as it is: OpenClaw
// knows no other homes.
func expandTilde(path, home string) string {
	if home == "" || path == "" || path[0] != '~' {
		return path
	}
	if len(path) == 1 {
		return home
	}
	if path[1] == '/' || path[1] == '\\' {
		return filepath.Join(home, filepath.FromSlash(strings.ReplaceAll(path[2:], `\`, "/")))
	}
	return path
}

// absolutePath is path made absolute and clean, clean alone where the working
// directory is not known. NUL bytes, which no file name has, are dropped.
func absolutePath(path string) string {
	path = strings.ReplaceAll(path, "\x00", "")
	if abs, err := filepath.Abs(path); err == nil {
		return abs
	}
	return filepath.Clean(path)
}

// resolvedPath is path with its symbolic links followed. Of a path that does
// not exist, or not yet, the part that exists is resolved, so that the answer
// stays the same when the rest appears.
func resolvedPath(path string) string {
	path = absolutePath(path)
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	parent := filepath.Dir(path)
	if parent == path {
		return path
	}
	return filepath.Join(resolvedPath(parent), filepath.Base(path))
}

// isDirectory says that path is a directory that can be seen.
func isDirectory(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// isRegular says that path is a file that can be seen.
func isRegular(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// insideOf says that path is dir or below it. Both are clean absolute paths.
func insideOf(dir, path string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}
