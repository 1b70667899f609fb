// Package hotpart_test keeps the rules that hold across all packages.
package hotpart_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/hotpart/hotpart"

// rule is what the code of a package, tests aside, may import besides the
// standard library. An entry that ends in a slash or names a whole host allows
// all below it.
type rule struct {
	allowed []string
	// pure forbids I/O, clocks and goroutines too.
	pure   bool
	reason string
}

var (
	awsSDK = []string{"github.com/aws/"}
	charm  = []string{"charm.land/", "github.com/charmbracelet/"}
)

var rules = map[string]rule{
	"analysis/telemetry": {
		nil, true,
		"it is the vocabulary of producers and readers alike, so it depends on neither",
	},
	"analysis/partition": {
		own("analysis/telemetry"), true,
		"the physics of a partition knows no metric and no finding, so it can be tested against AWS's documents alone",
	},
	"analysis": {
		own("analysis/telemetry", "analysis/partition"), true,
		"the same batches must give the same diagnosis, wherever they come from and whoever shows it",
	},
	"analysis/report": {
		own("analysis", "analysis/telemetry"), true,
		"a report shows a diagnosis; it concludes nothing and fetches nothing",
	},
	"collectors": {
		slices.Concat(own("analysis/telemetry"), awsSDK), false,
		"all that talks to AWS is here, so that nothing else can; it says what AWS said, and never what it means",
	},
	"collectors/capture": {
		own("analysis/telemetry"), true,
		"a capture is read where there is no AWS account, so it must not need the SDK",
	},
	"collectors/logs": {
		own("analysis/telemetry"), true,
		"a log is read where there is no AWS account, and says what its clients were told, never what it means",
	},
	"collectors/awsserver": {
		slices.Concat(own("analysis/telemetry"), awsSDK, []string{"github.com/fxamacker/cbor/v2"}), false,
		"the tests' AWS speaks AWS's protocols and knows nothing of what is made of its answers",
	},
	"replay": {
		own("analysis/telemetry"), true,
		"a recording keeps what was told, not what it means, so a later version may conclude something better from it",
	},
	"replay/incidents": {
		own("replay"), true,
		"built-in incidents are read like any recording, and carry no verdict",
	},
	"replay/scenario": {
		own("analysis/telemetry", "analysis/partition", "replay"), true,
		"a generator that shares the inference's assumptions proves nothing about it",
	},
	"tui": {
		slices.Concat(own("analysis", "analysis/telemetry"), charm), false,
		"the screen shows what it is given; it must not fetch, record or run anything",
	},
	"cmd/hotpart": {
		slices.Concat(own(
			"analysis", "analysis/report", "analysis/telemetry", "collectors", "collectors/capture", "collectors/logs",
			"replay", "replay/incidents", "replay/scenario", "tui",
		), []string{"github.com/spf13/cobra", "github.com/spf13/pflag", "golang.org/x/term"}), false,
		"it joins the parts, and the parts keep AWS's SDK and the terminal to themselves",
	},
}

// own are packages of this module.
func own(names ...string) []string {
	for i, name := range names {
		names[i] = module + "/" + name
	}
	return names
}

// effects are packages of the standard library that a pure package can't use.
var effects = []string{"os", "os/exec", "os/signal", "net", "net/http", "syscall", "sync", "sync/atomic", "log", "log/slog", "crypto/rand"}

// clocks are the functions of package time that read or await one.
var clocks = []string{"Now", "Since", "Until", "Sleep", "After", "AfterFunc", "Tick", "NewTimer", "NewTicker"}

// sources are the parsed files of every package, tests aside, by directory.
func sources(t *testing.T) (*token.FileSet, map[string][]*ast.File) {
	t.Helper()
	files := token.NewFileSet()
	packages := map[string][]*ast.File{}
	err := fs.WalkDir(os.DirFS("."), ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && name != "." && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata"):
			return fs.SkipDir
		case d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		file, err := parser.ParseFile(files, name, nil, parser.SkipObjectResolution|parser.ParseComments)
		if err == nil && !ast.IsGenerated(file) {
			packages[path.Dir(name)] = append(packages[path.Dir(name)], file)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files, packages
}

func importsOf(f *ast.File) []string {
	var all []string
	for _, spec := range f.Imports {
		name, _ := strconv.Unquote(spec.Path.Value)
		all = append(all, name)
	}
	return all
}

func standard(name string) bool { return !strings.Contains(strings.Split(name, "/")[0], ".") }

func (r rule) allows(name string) bool {
	return slices.ContainsFunc(r.allowed, func(allowed string) bool {
		return name == allowed || strings.HasSuffix(allowed, "/") && strings.HasPrefix(name, allowed)
	})
}

func TestPackagesImportOnlyWhatTheyMay(t *testing.T) {
	_, packages := sources(t)
	for _, dir := range slices.Sorted(maps.Keys(packages)) {
		r, ok := rules[dir]
		if !ok {
			t.Errorf("package %s has no rule: add one, with its reason", dir)
			continue
		}
		for _, file := range packages[dir] {
			for _, name := range importsOf(file) {
				if !standard(name) && !r.allows(name) {
					t.Errorf("%s imports %s: %s", dir, name, r.reason)
				}
			}
		}
	}
}

func TestEveryRuleHasItsPackage(t *testing.T) {
	_, packages := sources(t)
	for dir, r := range rules {
		if len(packages[dir]) == 0 {
			t.Errorf("the rules name package %s, which doesn't exist", dir)
		}
		for _, name := range r.allowed {
			if own, ok := strings.CutPrefix(name, module+"/"); ok && len(packages[own]) == 0 {
				t.Errorf("the rule for %s names package %s, which doesn't exist", dir, own)
			}
		}
	}
}

func TestOnlyTestsUseTheTestServer(t *testing.T) {
	_, packages := sources(t)
	for dir, files := range packages {
		for _, file := range files {
			if slices.Contains(importsOf(file), module+"/collectors/awsserver") {
				t.Errorf("%s imports the tests' AWS server", dir)
			}
		}
	}
}

// The SDK reaches AWS for package collectors. Nothing else opens a connection, and
// nothing starts a program.
func TestOnlyCollectorsReachANetworkAndNothingRunsPrograms(t *testing.T) {
	_, packages := sources(t)
	for dir, files := range packages {
		for _, file := range files {
			for _, name := range importsOf(file) {
				network := name == "net" || strings.HasPrefix(name, "net/") && name != "net/url"
				if network && dir != "collectors" && dir != "collectors/awsserver" {
					t.Errorf("%s imports %s: only package collectors reaches a network", dir, name)
				}
				if name == "os/exec" || name == "plugin" {
					t.Errorf("%s imports %s: commands are printed, never run", dir, name)
				}
			}
		}
	}
}

func TestPurePackagesHaveNoEffects(t *testing.T) {
	files, packages := sources(t)
	for dir, r := range rules {
		if !r.pure {
			continue
		}
		for _, file := range packages[dir] {
			for _, name := range importsOf(file) {
				if slices.Contains(effects, name) {
					t.Errorf("%s imports %s, which does I/O or shares state", dir, name)
				}
			}
			ast.Inspect(file, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.GoStmt:
					t.Errorf("%s: a pure package starts a goroutine", files.Position(n.Pos()))
				case *ast.SelectorExpr:
					if from, ok := n.X.(*ast.Ident); ok && from.Name == "time" && slices.Contains(clocks, n.Sel.Name) {
						t.Errorf("%s: a pure package calls time.%s", files.Position(n.Pos()), n.Sel.Name)
					}
				}
				return true
			})
		}
	}
}
