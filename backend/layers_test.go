// Package backend has no code of its own. Its test keeps the layers of the
// packages below it.
package backend

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "tidemark/"

// layer says what the packages of one layer may import of this module.
type layer struct {
	name     string
	packages []string
	may      []string // layers
	also     map[string][]string
}

// The table of ARCHITECTURE.md. A package that is added is added here.
var layers = []layer{
	{name: "core", packages: []string{"memory"}},
	{name: "pure", packages: []string{"transcript", "price", "tokens", "hans", "capture", "kept"}, may: []string{"core"},
		also: map[string][]string{"capture": {"transcript", "hans"}, "kept": {"hans"}}},
	{name: "adapters", packages: []string{"openclaw", "watch", "index", "ledger", "secrets", "loopback", "settings", "markup", "demo"}, may: []string{"core"},
		also: map[string][]string{"openclaw": {"transcript"}}},
	{name: "use cases", packages: []string{"ingest", "stats"}, may: []string{"core", "pure"}},
	{name: "edge: api", packages: []string{"api"}, may: []string{"core"}},
	{name: "edge: engine", packages: []string{"engine"}, may: []string{"core", "pure", "adapters", "use cases", "edge: api"}},
}

func layerOf(pkg string) *layer {
	for i := range layers {
		if slices.Contains(layers[i].packages, pkg) {
			return &layers[i]
		}
	}
	return nil
}

// source is one Go file below backend.
type source struct {
	path, pkg string
	test      bool
	file      *ast.File
}

// sources reads every file with go/parser: a test that asks the go command is
// cached although files changed.
func sources(t *testing.T, root string) (found []source) {
	t.Helper()
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "testdata" || d.Name() == "node_modules") {
			return filepath.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(path, ".go") {
			return nil
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments)
		if err != nil {
			return err
		}
		found = append(found, source{path: path, pkg: filepath.ToSlash(filepath.Dir(path)), test: strings.HasSuffix(path, "_test.go"), file: f})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func TestLayers(t *testing.T) {
	for _, s := range sources(t, ".") {
		if s.test || s.pkg == "." {
			continue
		}
		from := layerOf(s.pkg)
		if from == nil {
			t.Errorf("%s: package %s is in no layer: add it to the table here and in ARCHITECTURE.md", s.path, s.pkg)
			continue
		}
		for _, imp := range s.file.Imports {
			path, err := strconv.Unquote(imp.Path.Value)
			if err != nil {
				t.Fatal(err)
			}
			if err := from.allows(s.pkg, path); err != nil {
				t.Errorf("%s: %v", s.path, err)
			}
		}
	}
}

func (l *layer) allows(pkg, path string) error {
	if strings.Contains(path, "wailsapp/wails") {
		return fmt.Errorf("imports %s: only app knows the window", path)
	}
	if !strings.HasPrefix(path, module) {
		if l.name == "core" && strings.Contains(path, ".") {
			return fmt.Errorf("imports %s: the core has the standard library alone", path)
		}
		return nil
	}
	to, ok := strings.CutPrefix(path, module+"backend/")
	if !ok {
		return fmt.Errorf("imports %s: the backend knows neither app nor frontend", path)
	}
	target := layerOf(to)
	if target == nil || !slices.Contains(l.may, target.name) && !slices.Contains(l.also[pkg], to) {
		return fmt.Errorf("layer %q must not import %s", l.name, to)
	}
	return nil
}

// dialers are what opens a connection or listens for one.
var dialers = map[string][]string{
	"net":  {"Dial", "DialTimeout", "DialTCP", "DialUDP", "DialUnix", "DialIP", "Dialer", "Listen", "ListenTCP", "ListenUnix", "ListenUDP", "ListenPacket", "ListenIP", "ListenConfig", "FileListener"},
	"http": {"Get", "Post", "PostForm", "Head", "DefaultClient", "ListenAndServe", "ListenAndServeTLS"},
	"tls":  {"Dial", "DialWithDialer", "Listen"},
	"smtp": {"Dial", "SendMail"},
	"rpc":  {"Dial", "DialHTTP"},
}

// TestOnlyLoopbackDials keeps what opens sockets in one package.
func TestOnlyLoopbackDials(t *testing.T) {
	for _, root := range []string{".", "../app"} {
		for _, s := range sources(t, root) {
			if s.test || s.pkg == "loopback" {
				continue
			}
			ast.Inspect(s.file, func(n ast.Node) bool {
				sel, ok := n.(*ast.SelectorExpr)
				if !ok {
					return true
				}
				if x, ok := sel.X.(*ast.Ident); ok && slices.Contains(dialers[x.Name], sel.Sel.Name) {
					t.Errorf("%s uses %s.%s: only backend/loopback dials or listens", s.path, x.Name, sel.Sel.Name)
				}
				return true
			})
		}
	}
}

// TestPackageComments wants one package comment in each package.
func TestPackageComments(t *testing.T) {
	have := map[string]int{}
	for _, root := range []string{".", "../app", "../frontend", "../build"} {
		for _, s := range sources(t, root) {
			if s.test {
				continue
			}
			have[s.pkg] += 0
			if s.file.Doc != nil {
				have[s.pkg]++
			}
		}
	}
	for pkg, n := range have {
		if n != 1 {
			t.Errorf("package %s has %d package comments, want 1", pkg, n)
		}
	}
}

// TestArchitectureNamesEveryPackage keeps ARCHITECTURE.md true.
func TestArchitectureNamesEveryPackage(t *testing.T) {
	page, err := os.ReadFile("../ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range layers {
		for _, p := range l.packages {
			if !strings.Contains(string(page), "`"+p+"`") {
				t.Errorf("ARCHITECTURE.md does not name %s", p)
			}
		}
	}
}
