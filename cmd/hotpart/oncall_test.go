package main

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the captured panes and the scripts' files anew")

// spent is what differs from run to run.
var spent = regexp.MustCompile(`you spent [0-9a-z ]+`)

// becomes waits until the screen is what testdata/oncall has under a name. The test fails
// when the screen has stood still for long and is something else.
func (term *terminal) becomes(name string) {
	term.t.Helper()
	path := filepath.Join("testdata", "oncall", name+".txt")
	want, err := os.ReadFile(path)
	if err != nil && !*update {
		term.t.Fatal(err)
	}
	still := 15 * time.Second
	if *update {
		still = 2 * time.Second
	}
	for {
		screen := spent.ReplaceAllString(term.command("capture-pane -p"), "you spent some time")
		if screen == string(want) && !*update {
			return
		}
		if term.moves(still) {
			continue
		}
		if !*update {
			term.t.Fatalf("%s (-update writes it anew):\n%s", path, cmp.Diff(strings.Split(string(want), "\n"), strings.Split(screen, "\n")))
		}
		if err := os.WriteFile(path, []byte(screen), 0o644); err != nil {
			term.t.Fatal(err)
		}
		return
	}
}

// moves waits for the screen to change; false where it hasn't for so long.
func (term *terminal) moves(still time.Duration) bool {
	for after := time.After(still); ; {
		select {
		case line, ok := <-term.lines:
			if !ok {
				term.t.Fatal("tmux ended")
			}
			if strings.HasPrefix(line, "%output ") {
				return true
			}
		case <-after:
			return false
		}
	}
}

func (term *terminal) keys(keys string) { term.command("send-keys " + keys) }

// The way of an engineer on call: choose an incident, go to where it begins, find the key,
// take a command along, go back to what was known before, leave; and the same as a drill.
func TestAnEngineerOnCallFindsKeyAndCommand(t *testing.T) {
	term := newTerminal(t, `hotpart replay --paused
echo "status=$?"
hotpart replay --paused --drill
echo "drilled=$?"
read wait
`)
	term.command("set-option -s set-clipboard on")
	term.shows("Which one?")
	term.becomes("list")
	term.keys("1 Enter")
	term.shows("1 heat")
	term.keys("]")
	term.becomes("edge")
	term.keys("Z 2")
	term.becomes("key")
	term.keys("4")
	term.becomes("advice")
	term.keys("Down y")
	term.shows("sent to tmux")
	command := strings.TrimSpace(term.command("show-buffer"))
	if !strings.HasPrefix(command, "aws ") || strings.ContainsAny(command, "\x1b\n") {
		t.Errorf("copied %q, want a command", command)
	}
	term.keys("1 [")
	term.becomes("back")
	term.keys("q")
	term.shows("status=0")
	if left := term.command("capture-pane -p -J"); !strings.Contains(left, "copied:\n"+command+"\n") {
		t.Errorf("the prompt doesn't repeat %q:\n%s", command, left)
	}
	term.keys("1 Enter")
	term.shows("DRILL")
	term.keys("Z")
	term.shows("01:22 UTC end")
	term.keys("2")
	term.shows("trend")
	term.keys("Enter 1 Enter Enter")
	term.becomes("drill")
	term.keys("q q")
	term.shows("drilled=0")
}
