package tui

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hotpart/hotpart/analysis"
	"github.com/hotpart/hotpart/analysis/telemetry"
)

// crowded has more partitions than a low screen has lines; the last is the hottest.
func crowded() *analysis.Diagnosis {
	d := table(10, map[string][]telemetry.Rate{"a": steady(10, 100)})
	write := d.Tables[0].Resources[0].Write
	for i := range 40 {
		row := &analysis.Row{Keys: []telemetry.Key{{Partition: fmt.Sprintf("MORE#%d", i)}}, Count: 1, Peak: telemetry.Rate(10 * i)}
		for range 10 {
			row.Cells = append(row.Cells, analysis.Cell{State: telemetry.Known, Likely: row.Peak})
		}
		write.Rows = append(write.Rows, row)
	}
	write.Rows[3].Cells[4].State = telemetry.Unknown
	write.Rows[5].Cells[6].Throttled = 3
	return d
}

func TestColdLinesMergeAndShowTheirMaximum(t *testing.T) {
	m := held(crowded(), 80, 24)
	g := m.grid()
	lines := m.drawnLines(g, 8)
	if len(lines) != 8 {
		t.Fatalf("%d lines are drawn on 8 rows", len(lines))
	}
	rest := lines[7]
	if want := "~34 lines merged"; rest.label != want || rest.count != 34 {
		t.Errorf("the merged line is %q of %d partitions, want %q", rest.label, rest.count, want)
	}
	if got := rest.cells[0].Likely; got != 320 {
		t.Errorf("the merged line shows %v, want the maximum of 320", got)
	}
	if got := levelOf(rest.cells[6], rest.ceiling); got != throttled {
		t.Errorf("a refusal is hidden by merging: level %d", got)
	}
	if got := levelOf(rest.cells[4], rest.ceiling); got < idle {
		t.Errorf("one unknown cell hides the known ones: level %d", got)
	}
	for i, l := range lines[:7] {
		if want := fmt.Sprintf("MORE#%d", 33+i); !strings.Contains(l.label, want) {
			t.Errorf("line %d is %q, want %s", i, l.label, want)
		}
	}
	wants(t, m, "lines merged")
}

func TestMergingLeavesTheMapAsItIs(t *testing.T) {
	m := held(crowded(), 80, 24)
	before := m.grid().lines[0].cells[0]
	m.frame()
	m.frame()
	if after := m.grid().lines[0].cells[0]; after != before {
		t.Error("merging wrote to the diagnosis")
	}
}

func TestCrosshairReachesEveryLineOfACrowdedMap(t *testing.T) {
	m := held(crowded(), 80, 24)
	press(m, "down")
	for range 60 {
		press(m, "down")
	}
	wants(t, m, "MORE#39")
	press(m, "pgup", "pgup", "pgup", "pgup", "pgup", "pgup")
	for range 60 {
		press(m, "up")
	}
	wants(t, m, "KEY#a: 100 WCU/s")
}
