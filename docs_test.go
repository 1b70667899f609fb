package hotpart_test

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	testName   = regexp.MustCompile("`((?:Test|Fuzz)[A-Z]\\w+)`")
	testFunc   = regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)[A-Z]\w+)\(`)
	linkTarget = regexp.MustCompile(`\]\(([^)#:]+)\)`)
)

// documents are the contents of the project's documents by path.
func documents(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, pattern := range []string{"*.md", "docs/*.md"} {
		names, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			all[filepath.ToSlash(name)] = string(text)
		}
	}
	return all
}

func TestDocumentsNameTestsThatExist(t *testing.T) {
	exists := map[string]bool{}
	root := os.DirFS(".")
	err := fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(name, "_test.go") {
			return err
		}
		text, err := fs.ReadFile(root, name)
		for _, found := range testFunc.FindAllSubmatch(text, -1) {
			exists[string(found[1])] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range documents(t) {
		for _, found := range testName.FindAllStringSubmatch(text, -1) {
			if !exists[found[1]] {
				t.Errorf("%s names %s, which doesn't exist", name, found[1])
			}
		}
	}
}

func TestDocumentsLinkToFilesThatExist(t *testing.T) {
	for name, text := range documents(t) {
		for _, found := range linkTarget.FindAllStringSubmatch(text, -1) {
			target := path.Join(path.Dir(name), found[1])
			if _, err := os.Stat(filepath.FromSlash(target)); err != nil {
				t.Errorf("%s links to %s, which doesn't exist", name, target)
			}
		}
	}
}
