package tui

import (
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/hotpart/hotpart/analysis"
)

// walking is a screen at the runbook, whose walks are written as the choices alone.
func walking(t *testing.T) (*model, *tray) {
	x := &tray{}
	m := atDesk(t, x)
	m.opts.Walk = func(w io.Writer, _ *analysis.Diagnosis, _ *analysis.Event, steps []analysis.Step, log []analysis.Choice, _ ReportOptions) error {
		_, err := fmt.Fprintf(w, "%d steps", len(steps))
		for _, c := range log {
			_, _ = fmt.Fprintf(w, "\n%s %s %s", c.At.UTC().Format(time.TimeOnly), c.Pick, c.Step.Text)
		}
		return err
	}
	m.opts.Runbooks = analysis.TeamRunbooks{analysis.HotKey: {{Phase: "Ours", Text: "tell the owner of {{table}}"}}}
	m.now = func() time.Time { return time.Date(2026, 7, 2, 9, 8, 7, 0, time.UTC) }
	return m, x
}

func TestTickingAStepIsLoggedAndSavedWithTheReport(t *testing.T) {
	m, x := walking(t)
	m.width, m.height = 120, 60
	handOver(t, m, "6", "enter")
	if got := m.plain(); !strings.Contains(got, "[x] make sure that you act on") || !strings.Contains(got, "(done at 09:08") {
		t.Errorf("the step isn't ticked:\n%s", got)
	}
	handOver(t, m, "enter")
	if got := m.plain(); !strings.Contains(got, "[-] make sure that you act on") {
		t.Errorf("the step isn't skipped:\n%s", got)
	}
	handOver(t, m, "enter", "E")
	steps := m.runbook(m.shownEvent())
	if last := steps[len(steps)-1]; last.Text != "tell the owner of prod-TenantLedger-v2" {
		t.Errorf("the team's step is %q", last.Text)
	}
	text := " " + steps[0].Text
	want := fmt.Sprintf("%d steps\n09:08:07 done%s\n09:08:07 skipped%s\n09:08:07 open again%s", len(steps), text, text, text)
	if got := x.files[".runbook.md"]; got != want {
		t.Errorf("the log is %q, want %q", got, want)
	}
	if x.files[".html"] == "" {
		t.Error("the report isn't saved beside it")
	}
}

func TestNothingIsLoggedBeforeAnythingIsChosen(t *testing.T) {
	m, x := walking(t)
	handOver(t, m, "6", "E")
	if _, saved := x.files[".runbook.md"]; saved || x.files[".html"] == "" {
		t.Errorf("saved %v", x.files)
	}
}
