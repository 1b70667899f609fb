package hotpart_test

import (
	"go/ast"
	"path"
	"slices"
	"strings"
	"testing"
)

// The sizes over which a file or a function asks to be seen as two.
const (
	maxFileLines     = 400
	maxFunctionLines = 60
)

func TestFilesAndFunctionsStaySmall(t *testing.T) {
	files, packages := sources(t)
	lines := func(n ast.Node) int { return files.Position(n.End()).Line - files.Position(n.Pos()).Line + 1 }
	for _, parsed := range packages {
		for _, file := range parsed {
			name := files.Position(file.Pos()).Filename
			if n := files.File(file.Pos()).LineCount(); n > maxFileLines {
				t.Errorf("%s has %d lines", name, n)
			}
			for _, d := range file.Decls {
				if f, ok := d.(*ast.FuncDecl); ok && lines(f) > maxFunctionLines {
					t.Errorf("%s: %s has %d lines", files.Position(f.Pos()), f.Name.Name, lines(f))
				}
			}
		}
	}
}

func TestEveryPackageSaysWhatItIs(t *testing.T) {
	files, packages := sources(t)
	for dir, parsed := range packages {
		at := slices.IndexFunc(parsed, func(f *ast.File) bool { return path.Base(files.Position(f.Pos()).Filename) == "doc.go" })
		if at < 0 || parsed[at].Doc == nil {
			t.Errorf("%s has no doc.go that says what the package is", dir)
			continue
		}
		if n := strings.Count(parsed[at].Doc.Text(), "\n"); n < 10 || n > 25 {
			t.Errorf("%s/doc.go has %d lines, want 10 to 25", dir, n)
		}
	}
}

func TestNoPackageIsADrawer(t *testing.T) {
	_, packages := sources(t)
	for dir := range packages {
		if slices.Contains([]string{"util", "utils", "common", "helpers", "misc", "types", "base", "manager"}, path.Base(dir)) {
			t.Errorf("package %s is named after no subject", dir)
		}
	}
}
