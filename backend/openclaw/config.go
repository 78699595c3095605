package openclaw

import (
	"cmp"
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"tidemark/backend/memory"
)

// configMaxBytes is far more than a configuration that a person wrote, and
// little enough to parse at once.
const configMaxBytes = 8 << 20

// Config is the configuration of one installation: what Tidemark needs of it,
// decoded, and the rest for showing. It does not change after LoadConfig and
// is safe for concurrent use. A nil *Config is an empty one.
type Config struct {
	// Path is the file that was used, "" where there is none. It differs from
	// Installation.ConfigPath where that one could not be parsed.
	Path string
	// Files are all files that a change of the configuration can come from:
	// Path and what it includes, also where an include could not be read.
	Files []string
	// Version is the version of OpenClaw that wrote the file last, "" where it
	// does not say.
	Version string

	// HasRoster says that the configuration lists agents at all; without a
	// list OpenClaw has one agent, "main". Keyed says that the list is
	// agents.entries, which only the newest era has.
	HasRoster, Keyed bool
	// Ownership is agents.ownership; "explicit" means that no agent is the
	// default one by a mark.
	Ownership string
	// SystemAgent is the agent that OpenClaw's own work belongs to, "" where
	// none is named.
	SystemAgent string
	// Agents is the list in its order (by id where it is keyed).
	Agents   []AgentConfig
	Defaults AgentDefaults

	// Models are the prices and limits of models.providers, by provider.
	Models []ModelPrice
	// SessionStore is session.store as written: a path with "~" and
	// "{agentId}" in it, "" where it is not set.
	SessionStore string
	// MemoryBackend is memory.backend: "" is OpenClaw's own index.
	MemoryBackend string

	memorySearch MemorySearch
	tree         any
	env          Env
	// workspaceDir is OPENCLAW_WORKSPACE_DIR where it speaks of this
	// installation.
	workspaceDir string
	// current says that this is the installation that the environment names.
	current bool
}

// LoadConfig reads the configuration of an installation. It never fails: what
// cannot be read or makes no sense is left out and reported. Where the file
// does not parse, the copy that OpenClaw keeps of the last good one, or the
// newest backup that parses, is used instead, which is reported too. Without
// a file the Config is empty.
func LoadConfig(env Env, inst Installation) (*Config, []memory.Problem) {
	cfg := &Config{env: env}
	if live, ok := env.live(); ok && resolvedPath(live.StateDir) == resolvedPath(inst.StateDir) {
		cfg.current = true
		cfg.workspaceDir = env.expand(env.get("OPENCLAW_WORKSPACE_DIR"))
	}
	tree, problems := cfg.read(inst.ConfigPath)
	if cfg.Path == "" {
		return cfg, problems
	}
	in := &includer{
		load:  func(path string) ([]byte, error) { return readAllowed(path, includeMaxBytes) },
		roots: append([]string{filepath.Dir(cfg.Path)}, env.paths("OPENCLAW_INCLUDE_ROOTS")...),
	}
	cfg.tree = in.process(tree, []string{cfg.Path})
	cfg.Files = append(cfg.Files, in.files...)
	return cfg, slices.Concat(problems, in.problems, cfg.decode())
}

// read parses the file at path, or a copy of it, and sets Path and Files.
func (c *Config) read(path string) (tree any, problems []memory.Problem) {
	tree, err := readConfigFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	c.Files = []string{path}
	if err == nil {
		c.Path = path
		return tree, nil
	}
	problem := memory.Problem{Code: memory.ProblemBadConfig, Path: path, Count: 1}
	problem.Message, problem.Line = configReason(err)
	if errors.Is(err, fs.ErrPermission) {
		problem.Code = memory.ProblemUnreadable
	}
	for _, copied := range configCopies(path) {
		if tree, err = readConfigFile(copied); err == nil {
			c.Path, c.Files = copied, append(c.Files, copied)
			problem.Message += "; using " + filepath.Base(copied) + " instead"
			problem.Hint = "Correct the file: until then Tidemark shows an older configuration."
			return tree, []memory.Problem{problem}
		}
	}
	problem.Hint = "Correct the file: until then Tidemark finds agents by their folders alone."
	return nil, []memory.Problem{problem}
}

// readConfigFile gives the object that a configuration file holds.
func readConfigFile(path string) (map[string]any, error) {
	data, err := readAllowed(path, configMaxBytes)
	if err != nil {
		return nil, err
	}
	tree, err := parseJSON5(data)
	if err != nil {
		return nil, err
	}
	obj, ok := tree.(map[string]any)
	if !ok {
		return nil, &syntaxError{Line: 1, Column: 1, Msg: "the file holds no object"}
	}
	return obj, nil
}

// configReason says why a configuration could not be read, and in which line.
func configReason(err error) (message string, line int) {
	var syntax *syntaxError
	if errors.As(err, &syntax) {
		return "the configuration does not parse: " + syntax.Error(), syntax.Line
	}
	return "the configuration cannot be read: " + plainReason(err), 0
}

// configCopies are the copies that OpenClaw keeps beside path: the last good
// one, then the backups, newest first.
func configCopies(path string) []string {
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		return nil
	}
	type backup struct {
		path string
		at   int64
	}
	var backups []backup
	copies := []string{path + ".last-good"}
	for _, e := range entries {
		info, err := e.Info()
		if err == nil && strings.HasPrefix(e.Name(), filepath.Base(path)+".bak") {
			backups = append(backups, backup{filepath.Join(filepath.Dir(path), e.Name()), info.ModTime().UnixNano()})
		}
	}
	slices.SortStableFunc(backups, func(a, b backup) int { return cmp.Compare(b.at, a.at) })
	for _, b := range backups {
		copies = append(copies, b.path)
	}
	return copies
}

// Masked is the whole configuration for showing, with its includes: a copy in
// which every text and number has gone through mask, together with the name
// of the key that it stands under (that of the list for an element of a list).
// ${VARIABLES} are left as written, so that no value of the environment shows.
// A nil mask hides every value.
func (c *Config) Masked(mask func(key, value string) string) any {
	if c == nil || c.tree == nil {
		return map[string]any{}
	}
	if mask == nil {
		mask = func(string, string) string { return "•••" }
	}
	return maskedCopy("", c.tree, mask)
}

func maskedCopy(key string, v any, mask func(key, value string) string) any {
	switch t := v.(type) {
	case map[string]any:
		out := make(map[string]any, len(t))
		for k, v := range t {
			out[k] = maskedCopy(k, v, mask)
		}
		return out
	case []any:
		out := make([]any, len(t))
		for i, v := range t {
			out[i] = maskedCopy(key, v, mask)
		}
		return out
	case string:
		return mask(key, t)
	case float64:
		// A number can be a secret (a pairing code); JSON has no infinite ones.
		plain := strconv.FormatFloat(t, 'f', -1, 64)
		if shown := mask(key, plain); shown != plain || math.IsInf(t, 0) || math.IsNaN(t) {
			return shown
		}
	}
	return v
}
