package analysis_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/hotpart/hotpart/analysis"
	"github.com/hotpart/hotpart/analysis/telemetry"
	"github.com/hotpart/hotpart/replay/scenario"
)

// hostileKeys are key values that attack a shell, JSON and a query.
var hostileKeys = []string{"it's; rm -rf $HOME", "$(reboot) `reboot` \"x\"", `{"a":1}\`, "-x --yes", "line\nbreak", "x'\"'\"'y", "!event *?[a] ~ # |"}

// TestCommandsAreValidForTheAWSCLI parses every command of every built-in scenario, and
// those about hostile keys, with the AWS CLI's own parser.
func TestCommandsAreValidForTheAWSCLI(t *testing.T) {
	if flag.Lookup("toolchains").Value.String() != "true" {
		t.Skip("importing the AWS CLI takes seconds: -toolchains does it")
	}
	if exec.Command("python3", "-c", "import awscli, botocore").Run() != nil {
		t.Skip("the AWS CLI isn't installed as a Python package")
	}
	commands := commandsOfAll(t)
	input, err := json.Marshal(commands)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("python3", "testdata/aws_dry.py")
	cmd.Stdin, cmd.Stderr = bytes.NewReader(input), os.Stderr
	output, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var found []*string
	if err := json.Unmarshal(output, &found); err != nil || len(found) != len(commands) {
		t.Fatalf("%d answers to %d commands: %v", len(found), len(commands), err)
	}
	for i, wrong := range found {
		if wrong != nil {
			t.Errorf("%s\n%s", commands[i], *wrong)
		}
	}
	t.Logf("%d commands parsed", len(commands))
}

// commandsOfAll are the AWS CLI commands of all scenarios' events, each once.
func commandsOfAll(t *testing.T) []string {
	all := map[string]bool{}
	add := func(commands []string) {
		for _, c := range commands {
			switch {
			case strings.HasPrefix(c, "aws "):
				all[c] = true
			case !strings.HasPrefix(c, "hotpart "):
				t.Errorf("neither of the AWS CLI nor ours: %s", c)
			}
		}
	}
	for n, name := range scenario.Names() {
		d := library()[name].d
		for _, e := range d.Events {
			for _, r := range e.Recommendations {
				add(r.Commands)
			}
			for _, s := range d.Runbook(e) {
				add(s.Commands)
			}
			hostile := *e
			hostile.Keys = []analysis.EventKey{{Key: telemetry.Key{Partition: hostileKeys[n%len(hostileKeys)]}}}
			for _, s := range d.Runbook(&hostile) {
				add(s.Commands)
			}
		}
	}
	for _, c := range analysis.Causes {
		for _, s := range analysis.Runbook(c) {
			add(s.Commands)
		}
	}
	return slices.Sorted(maps.Keys(all))
}
