package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hotpart/hotpart/tui"
)

func TestSavingWritesOverNothingAndIsForTheOwnerAlone(t *testing.T) {
	d := &desk{dir: t.TempDir()}
	files := []tui.File{{Ending: ".txt", Content: "text"}, {Ending: ".svg", Content: "picture"}}
	// What stands in the way of one file stands in the way of its stem.
	if err := os.WriteFile(filepath.Join(d.dir, "stem.svg"), []byte("older"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"stem-2", "stem-3"} {
		path, err := d.save("stem", files)
		if err != nil || path != filepath.Join(d.dir, want) {
			t.Fatalf("saved as %q, %v, want %s", path, err, want)
		}
		for _, f := range files {
			got, err := os.ReadFile(path + f.Ending)
			if err != nil || string(got) != f.Content {
				t.Errorf("%s%s holds %q, %v", want, f.Ending, got, err)
			}
			if info, err := os.Stat(path + f.Ending); err != nil || info.Mode().Perm() != 0o600 {
				t.Errorf("%s%s is %v, %v, want mode 0600", want, f.Ending, info.Mode(), err)
			}
		}
	}
	if got, err := os.ReadFile(filepath.Join(d.dir, "stem.svg")); err != nil || string(got) != "older" {
		t.Errorf("the older file holds %q, %v", got, err)
	}
	if left, err := filepath.Glob(filepath.Join(d.dir, "*")); err != nil || len(left) != 5 {
		t.Errorf("the directory holds %q, %v, want five files", left, err)
	}
}

func TestSavingWhereOneMayNotSaysWhatToType(t *testing.T) {
	d := &desk{dir: filepath.Join(t.TempDir(), "gone")}
	_, err := d.save("stem", []tui.File{{Ending: ".txt"}})
	if err == nil || !strings.Contains(err.Error(), "gone\": no such file or directory\nhint: --save-dir DIR") {
		t.Errorf("the error is %v", err)
	}
}

func TestThePromptTellsWhatWasHandedOver(t *testing.T) {
	var said strings.Builder
	d := &desk{saved: []string{"a.txt"}}
	d.copyOf("first")
	d.copyOf("aws one\naws \x1b[2Jtwo")
	d.tell(app{err: &said})
	if got, want := said.String(), "saved a.txt\ncopied:\naws one\naws \\x1b[2Jtwo\n"; got != want {
		t.Errorf("it tells %q, want %q", got, want)
	}
}
