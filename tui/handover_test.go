package tui

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/hotpart/hotpart/analysis"
)

// tray takes what a screen hands over.
type tray struct {
	stem   string
	files  map[string]string // by ending
	copied string
	err    error
}

func (x *tray) options() Options {
	return Options{
		Save: func(stem string, files []File) (string, error) {
			x.stem, x.files = stem, map[string]string{}
			for _, f := range files {
				x.files[f.Ending] = f.Content
			}
			return "dir/" + stem, x.err
		},
		Report: func(w io.Writer, d *analysis.Diagnosis, o ReportOptions) error {
			name := "TENANT"
			if o.Names != nil {
				name = o.Names.Value(d.Leading().Keys[0].Key.Partition)
			}
			_, err := fmt.Fprintf(w, "page %v, %s, key %s", o.Page, o.Location, name)
			return err
		},
		Copied: func(text string) { x.copied = text },
	}
}

// handOver presses keys on a screen at an incident's end and plays what they ask for. It
// returns what is sent to the clipboard last.
func handOver(t *testing.T, m *model, keys ...string) (clipboard string) {
	t.Helper()
	for _, k := range keys {
		_, cmd := m.Update(pressed(k))
		for cmd != nil {
			msg := cmd()
			if strings.HasSuffix(fmt.Sprintf("%T", msg), "setClipboardMsg") {
				clipboard = fmt.Sprint(msg)
			}
			_, cmd = m.Update(msg)
		}
	}
	return clipboard
}

func atDesk(t *testing.T, x *tray) *model {
	t.Helper()
	m := newModel(t.Context(), nil, x.options())
	m.width, m.height, m.ended = 80, 24, true
	d := fixtures(t)["hot-key-tenant"]
	m.mask.Learn(d)
	m.history.add(d, time.Time{})
	m.clock.set(d.Window.End, m.wall)
	m.clock.running = false
	m.follow()
	return m
}

func TestTheScreenIsSavedAsItIsSeen(t *testing.T) {
	x := &tray{}
	m := atDesk(t, x)
	seen := m.plain()
	handOver(t, m, "S")
	if got, want := x.stem, "hotpart-prod-TenantLedger-v2-20260702T0122Z-heat"; got != want {
		t.Errorf("the files are called %q, want %q", got, want)
	}
	if got := strings.TrimSuffix(x.files[".txt"], "\n"); got != seen {
		t.Errorf("saved\n%s\nseen\n%s", got, seen)
	}
	if got := ansi.Strip(x.files[".ansi"]); got != x.files[".txt"] || got == x.files[".ansi"] {
		t.Errorf("the codes' text is\n%s", got)
	}
	if !strings.Contains(x.files[".svg"], "HOT KEY") {
		t.Errorf("the picture is %.300q", x.files[".svg"])
	}
	if got := m.plain(); !strings.Contains(got, "saved dir/"+x.stem+".{txt,svg,ansi}") {
		t.Errorf("the screen doesn't say what was saved:\n%s", got)
	}
}

func TestTheReportIsOnTheMomentShown(t *testing.T) {
	x := &tray{}
	m := atDesk(t, x)
	handOver(t, m, "m", "E")
	if got := x.files[".html"]; got != "page true, UTC, key key-1" {
		t.Errorf("the page is %q", got)
	}
	if got := m.plain(); !strings.Contains(got, "saved dir/hotpart-prod-TenantLedger-v2-20260702T0122Z-report.html") {
		t.Errorf("the screen doesn't say what was saved:\n%s", got)
	}
	m.drill, x.files = true, nil
	handOver(t, m, "E")
	if x.files != nil {
		t.Error("the report gives a drill's answer away")
	}
}

func TestSavingThatGoesWrongSaysWhyAndWhatToType(t *testing.T) {
	x := &tray{err: errors.New(`write in ".": read-only file system` + "\nhint: --save-dir DIR saves elsewhere")}
	m := atDesk(t, x)
	handOver(t, m, "S")
	if got := m.plain(); !strings.Contains(got, `not saved: write in ".": read-only file system; --save-dir DIR`) {
		t.Errorf("the screen doesn't say what went wrong:\n%s", got)
	}
}

func TestCopyingSaysWhatItDid(t *testing.T) {
	key := fixtures(t)["hot-key-tenant"].Leading().Keys[0].Key.Partition
	for name, c := range map[string]struct {
		keys            []string
		clipboard, said string
	}{
		"the first command":   {[]string{"1", "y"}, "aws cloudwatch ", "sent to the clipboard: aws cloudwatch "},
		"the key":             {[]string{"2", "y"}, key, "sent to the clipboard: " + key + "; printed after q"},
		"a masked key":        {[]string{"m", "2", "y"}, "key-1", "sent to the clipboard: key-1; printed after q"},
		"the report":          {[]string{"3", "y"}, "page false, UTC, key TENANT", "sent the report to the clipboard: 27 bytes of Markdown"},
		"nothing in the help": {[]string{"?", "y"}, "", "nothing to copy here"},
	} {
		t.Run(name, func(t *testing.T) {
			x := &tray{}
			m := atDesk(t, x)
			got := handOver(t, m, c.keys...)
			if !strings.HasPrefix(got, c.clipboard) || (got == "") != (c.clipboard == "") {
				t.Errorf("copied %q, want %q", got, c.clipboard)
			}
			if c.keys[len(c.keys)-2] != "3" && x.copied != got {
				t.Errorf("told of %q, copied %q", x.copied, got)
			}
			if screen := m.plain(); !strings.Contains(screen, c.said) {
				t.Errorf("the screen doesn't say %q:\n%s", c.said, screen)
			}
		})
	}
}

func TestCopyingSaysWhatTmuxNeeds(t *testing.T) {
	m := atDesk(t, &tray{})
	m.Update(tea.EnvMsg{"TMUX=/tmp/tmux-0/default,1,0"})
	handOver(t, m, "2", "y")
	if got := m.plain(); !strings.Contains(got, "tmux (needs set-clipboard on)") {
		t.Errorf("the screen says\n%s", got)
	}
}
