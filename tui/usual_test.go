package tui

import (
	"strings"
	"testing"
	"time"

	"github.com/hotpart/hotpart/analysis"
	"github.com/hotpart/hotpart/analysis/telemetry"
)

// compared gives a hand-made table the same hours of yesterday, of which a minute in the
// middle is unknown, and of last week.
func compared(d *analysis.Diagnosis, day, week telemetry.Rate) *analysis.Diagnosis {
	l := d.Tables[0].Resources[0].Write
	l.Earlier = nil
	for _, e := range []struct {
		ago  time.Duration
		rate telemetry.Rate
	}{{24 * time.Hour, day}, {7 * 24 * time.Hour, week}} {
		x := analysis.Earlier{Ago: e.ago}
		for i, m := range l.Minutes {
			m = analysis.Minute{Start: m.Start.Add(-e.ago), State: telemetry.Known, Consumed: e.rate}
			if i == 5 {
				m = analysis.Minute{Start: m.Start}
			}
			x.Minutes = append(x.Minutes, m)
		}
		l.Earlier = append(l.Earlier, x)
	}
	return d
}

func tenMinutes() *analysis.Diagnosis {
	return table(10, map[string][]telemetry.Rate{"a": steady(10, 800)})
}

func TestEarlierDaysStandUnderTheUnitsUsed(t *testing.T) {
	for _, size := range [][2]int{{120, 40}, {80, 24}} {
		m := held(compared(tenMinutes(), 200, 400), size[0], size[1])
		press(m, "w")
		var lines []string
		for line := range strings.SplitSeq(seen(m), "\n") {
			if strings.Contains(line, " ago ") || strings.Contains(line, "used WCU/s") {
				lines = append(lines, strings.Join(strings.Fields(line), " "))
			}
		}
		text := strings.Join(lines, "\n")
		for _, want := range []string{"a day ago", "200/s", "a week ago", "400/s", "800/s"} {
			if !strings.Contains(text, want) {
				t.Errorf("%v: %q is not in\n%s", size, want, text)
			}
		}
		// On one scale, 800 being full, and what is unknown is not nothing.
		if !strings.Contains(text, "▂") || !strings.Contains(text, "▄") || strings.Count(text, "?") == 0 {
			t.Errorf("%v: heights\n%s", size, text)
		}
		press(m, "down", "left")
		wants(t, m, "in all 800/s, a day ago 200/s")
		press(m, "left", "left", "left")
		wants(t, m, "in all 800/s, a day ago ?")
		press(m, "esc", "w")
		if strings.Contains(seen(m), "a day ago") {
			t.Error("w doesn't hide what it showed")
		}
	}
}

func TestARecordingWithoutEarlierDaysSaysSo(t *testing.T) {
	m := held(tenMinutes(), 120, 40)
	press(m, "w")
	wants(t, m, "this recording holds no earlier days of orders: live, w asks for them")
	if strings.Contains(seen(m), "a day ago") || m.usual.on {
		t.Error("something is shown")
	}
}

func TestEarlierDaysAreAskedForOncePerHourAndTable(t *testing.T) {
	var asked []string
	m := still(Options{Live: true, Compare: func(id telemetry.ResourceID) { asked = append(asked, id.String()) }}, 120, 40, tenMinutes())
	update := func(msg any) {
		if _, cmd := m.Update(msg); cmd != nil {
			cmd()
		}
	}
	update(pressed("w"))
	wants(t, m, "earlier days")
	wants(t, m, "yesterday and last week: asked for")
	update(pressed("s"))
	update(diagnosisMsg{diagnosis: compared(tenMinutes(), 200, 400)})
	wants(t, m, "a week ago")
	if len(asked) != 1 || asked[0] != "orders" {
		t.Fatalf("asked for %v", asked)
	}
	hours := table(75, map[string][]telemetry.Rate{"a": steady(75, 800)})
	update(diagnosisMsg{diagnosis: compared(hours, 200, 400)})
	if len(asked) != 2 {
		t.Errorf("asked for %v, an hour later", asked)
	}
	update(pressed("w"))
	update(pressed("w"))
	if len(asked) != 3 {
		t.Errorf("asked for %v, after w twice", asked)
	}
}
