package tui

import (
	"strings"
	"testing"
	"time"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

func TestMarksStandOnTheTimeLineAndUnderTheCrosshair(t *testing.T) {
	d := drawnCase()
	other := telemetry.TableID{Table: "another"}.Resource()
	d.Marks = []telemetry.Mark{
		{At: begin.Add(27 * time.Minute), Kind: telemetry.NoteMark, Text: "deploy \x1b[2Jv42"},
		{At: begin.Add(28 * time.Minute), Kind: telemetry.NoteMark, Text: "of another table", Resource: other},
	}
	d.Tables[0].Changes = nil
	d.Events[0].Context = []string{"10:27, 3 min before: deploy v42"}
	m := held(d, 120, 40)
	wants(t, m, "10:27 deploy \\x1b[2Jv42 ▿")
	if strings.Contains(seen(m), "another table") {
		t.Error("a mark of another table is shown")
	}
	press(m, "down")
	for range 12 { // back from the last minute, 10:39
		press(m, "left")
	}
	wants(t, m, "10:27 deploy \\x1b[2Jv42 · 10:27 all of")
	press(m, "esc", "5")
	wants(t, m, "shortly before")
	wants(t, m, "10:27, 3 min before: deploy v42")
}
