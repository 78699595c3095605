package openclaw

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"tidemark/backend/memory"
)

const (
	includeKey = "$include"
	// includeMaxDepth and includeMaxBytes are OpenClaw's own limits.
	includeMaxDepth = 10
	includeMaxBytes = 2 << 20
	// includeMaxFiles bounds the work of a configuration: OpenClaw has no such
	// limit, and files that include each other in lists could be read 10^10
	// times. Nobody splits a configuration into more.
	includeMaxFiles = 256
	// includeMaxTotal bounds what all of them hold together, for memory.
	includeMaxTotal = 16 << 20
	// includeMaxPath is OpenClaw's limit of the length of a path.
	includeMaxPath = 4096
	// includeMaxShown is how much of a path a message quotes.
	includeMaxShown = 200
)

// includer replaces the $include keys of a configuration by what they name,
// by the rules of OpenClaw: relative to the file that holds the key, at most
// ten deep, only from the directory of the configuration and from
// OPENCLAW_INCLUDE_ROOTS. What cannot be followed is a problem and nothing.
type includer struct {
	load     func(path string) ([]byte, error)
	roots    []string
	files    []string // those tried, in order
	total    int      // bytes read
	problems []memory.Problem
}

// process gives tree, which was read from file, with its includes followed.
// chain are the files that led here, the outermost first and file last.
func (in *includer) process(tree any, chain []string) any {
	switch t := tree.(type) {
	case []any:
		out := make([]any, len(t))
		for i, v := range t {
			out[i] = in.process(v, chain)
		}
		return out
	case map[string]any:
		rest := make(map[string]any, len(t))
		for k, v := range t {
			if k != includeKey {
				rest[k] = in.process(v, chain)
			}
		}
		if what, ok := t[includeKey]; ok {
			return in.under(what, rest, chain)
		}
		return rest
	}
	return tree
}

// under merges the keys beside an $include over what it names.
func (in *includer) under(what any, rest map[string]any, chain []string) any {
	included := in.named(what, chain)
	switch {
	case len(rest) == 0:
		return included
	case included == nil:
		return rest
	}
	if _, ok := included.(map[string]any); !ok {
		in.report(chain, "an $include with keys beside it names a file that is no object: only those keys count")
		return rest
	}
	return mergeConfig(included, rest)
}

// named reads the file, or the files in order, that an $include names.
func (in *includer) named(what any, chain []string) any {
	switch w := what.(type) {
	case string:
		return in.file(w, chain)
	case []any:
		var merged any
		for _, item := range w {
			name, ok := item.(string)
			if !ok {
				in.report(chain, "a list of $include holds something that is no text")
				continue
			}
			if part := in.file(name, chain); merged == nil {
				merged = part
			} else if part != nil {
				merged = mergeConfig(merged, part)
			}
		}
		return merged
	}
	in.report(chain, "an $include is neither a text nor a list of texts")
	return nil
}

// file reads one included file, nil where it cannot be.
func (in *includer) file(name string, chain []string) any {
	path := name
	if !filepath.IsAbs(path) {
		path = filepath.Join(filepath.Dir(chain[len(chain)-1]), filepath.FromSlash(path))
	}
	path = filepath.Clean(path)
	why := in.refuse(name, path, chain)
	if len(name) > includeMaxShown {
		name = validText(name[:includeMaxShown]) + "…"
	}
	if why != "" {
		in.report(chain, fmt.Sprintf("cannot include %s: %s", name, why))
		return nil
	}
	in.files = append(in.files, path)
	data, err := in.load(path)
	if err != nil {
		in.report(chain, fmt.Sprintf("cannot include %s: %s", name, plainReason(err)))
		return nil
	}
	in.total += len(data)
	tree, err := parseJSON5(data)
	if err != nil {
		in.report(chain, fmt.Sprintf("cannot include %s: %v", name, err))
		return nil
	}
	return in.process(tree, append(slices.Clip(chain), path))
}

// refuse tells why a file must not be read, "" where it may.
func (in *includer) refuse(name, path string, chain []string) string {
	switch {
	case strings.ContainsRune(name, 0) || len(name) >= includeMaxPath || len(path) >= includeMaxPath:
		return "the path is too long or holds a NUL"
	case slices.Contains(chain, path):
		return "it includes itself"
	case len(chain) > includeMaxDepth:
		return fmt.Sprintf("includes are more than %d deep", includeMaxDepth)
	case len(in.files) >= includeMaxFiles:
		return fmt.Sprintf("more than %d files are included", includeMaxFiles)
	case in.total > includeMaxTotal:
		return "the files included before it are too large"
	}
	real := resolvedPath(path)
	byName := slices.IndexFunc(in.roots, func(r string) bool { return insideOf(r, path) })
	byLink := slices.IndexFunc(in.roots, func(r string) bool { return insideOf(resolvedPath(r), real) })
	switch {
	case isCredentialFile(path) || isCredentialFile(real):
		return errCredentials.Error()
	case byName < 0 || byLink < 0:
		return "it lies outside the directory of the configuration and OPENCLAW_INCLUDE_ROOTS"
	case isCredentialPath(in.roots[byName], path) || isCredentialPath(resolvedPath(in.roots[byLink]), real):
		return errCredentials.Error()
	}
	return ""
}

func (in *includer) report(chain []string, message string) {
	if len(in.problems) >= settingMaxProblems {
		return
	}
	in.problems = append(in.problems, memory.Problem{Code: memory.ProblemBadInclude, Path: chain[len(chain)-1],
		Count: 1, Message: message, Hint: "Correct the $include or the file it names; the rest of the configuration is used."})
}

// mergeConfig lays over onto base as OpenClaw does: objects key by key, lists
// one after the other, and of anything else over wins. It changes neither.
func mergeConfig(base, over any) any {
	switch o := over.(type) {
	case []any:
		if b, ok := base.([]any); ok {
			return slices.Concat(b, o)
		}
	case map[string]any:
		b, ok := base.(map[string]any)
		if !ok {
			return over
		}
		out := make(map[string]any, len(b)+len(o))
		for k, v := range b {
			out[k] = v
		}
		for k, v := range o {
			if had, ok := out[k]; ok {
				v = mergeConfig(had, v)
			}
			out[k] = v
		}
		return out
	}
	return over
}

// plainReason says in a few words why a file could not be read.
func plainReason(err error) string {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "it is not there"
	case errors.Is(err, fs.ErrPermission):
		return "no permission to read it"
	}
	return cause(err).Error()
}
