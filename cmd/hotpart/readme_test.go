package main

import (
	"os"
	"strings"
	"testing"

	"github.com/hotpart/hotpart/replay/incidents"
	"github.com/hotpart/hotpart/tui"
)

func readme(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestREADMEHasTheKeysOfTheDashboard(t *testing.T) {
	if table := tui.KeyTable(); !strings.Contains(readme(t), "\n"+table+"\n") {
		t.Errorf("README.md lacks this table:\n%s", table)
	}
}

func TestREADMENamesEveryCommandAndIncident(t *testing.T) {
	text := readme(t)
	for _, c := range newRoot(app{}).Commands() {
		if !c.Hidden && !strings.Contains(text, "`hotpart "+c.Name()) {
			t.Errorf("README.md doesn't name hotpart %s", c.Name())
		}
	}
	for _, i := range incidents.All {
		if !strings.Contains(text, "`"+i.Name+"`") {
			t.Errorf("README.md doesn't name the built-in incident %s", i.Name)
		}
	}
}
