package settings

import (
	"errors"
	"path"
	"path/filepath"
	"strings"

	"tidemark/backend/memory"
)

// DataDirVar is the environment variable that names the data directory.
const DataDirVar = "TIDEMARK_DATA_DIR"

// DataDir says where the data directory is: flag where it is not empty, then
// the environment variable TIDEMARK_DATA_DIR, then the place that the system
// goos (as runtime.GOOS) has for the data of applications:
//
//	Linux and other Unix  $XDG_DATA_HOME/tidemark or ~/.local/share/tidemark
//	macOS                 ~/Library/Application Support/Tidemark
//	Windows               %LocalAppData%\Tidemark
//
// env looks up an environment variable, home is the user's home directory. A
// leading ~ of the first two is home; a relative path is taken from the
// current directory. It creates nothing. Where home is needed and empty, the
// error has CodeInvalid.
func DataDir(flag string, env func(string) string, home, goos string) (string, error) {
	for _, named := range []string{flag, env(DataDirVar)} {
		if named != "" {
			return absolute(named, home)
		}
	}
	switch goos {
	case "windows":
		if local := env("LocalAppData"); local != "" {
			return under(`\`, local, "Tidemark"), nil
		}
		return underHome(`\`, home, "AppData", "Local", "Tidemark")
	case "darwin":
		return underHome("/", home, "Library", "Application Support", "Tidemark")
	default:
		// A relative XDG_DATA_HOME is to be ignored, its standard says.
		if xdg := env("XDG_DATA_HOME"); path.IsAbs(xdg) {
			return under("/", xdg, "tidemark"), nil
		}
		return underHome("/", home, ".local", "share", "tidemark")
	}
}

// absolute resolves a path that a person gave.
func absolute(named, home string) (string, error) {
	rest, tilde := strings.CutPrefix(named, "~")
	if tilde && (rest == "" || rest[0] == '/' || rest[0] == filepath.Separator) {
		if home == "" {
			return "", noHome()
		}
		named = filepath.Join(home, rest)
	}
	abs, err := filepath.Abs(named)
	if err != nil {
		return "", &memory.Error{Code: memory.CodeInvalid, Op: "find data directory", Err: err}
	}
	return abs, nil
}

// under joins names to root with the separator of the system that was asked
// for, which need not be the one this runs on.
func under(sep, root string, names ...string) string {
	return strings.TrimRight(root, sep) + sep + strings.Join(names, sep)
}

// underHome is under for the home directory.
func underHome(sep, home string, names ...string) (string, error) {
	if home == "" {
		return "", noHome()
	}
	return under(sep, home, names...), nil
}

// noHome is the error of a user without a home directory.
func noHome() error {
	return &memory.Error{
		Code: memory.CodeInvalid, Op: "find data directory", Err: errors.New("the home directory is not known"),
		Hint: "Name a data directory with --data-dir or " + DataDirVar + ".",
	}
}
