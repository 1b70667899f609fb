package tui

import (
	"fmt"
	"math/rand/v2"
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
	lines := m.drawnLines(g, 8, 0, 10)
	if len(lines) != 8 {
		t.Fatalf("%d lines are drawn on 8 rows", len(lines))
	}
	rest := lines[7]
	if want := "~34 lines merged"; m.label(rest) != want || rest.count != 34 {
		t.Errorf("the merged line is %q of %d partitions, want %q", m.label(rest), rest.count, want)
	}
	if got := rest.cells[0].Likely; got != 320 {
		t.Errorf("the merged line shows %v, want the maximum of 320", got)
	}
	if got := levelOf(rest.cells[6], rest.ceiling); got != throttled {
		t.Errorf("a refusal is hidden by merging: level %d", got)
	}
	if got := levelOf(rest.cells[4], rest.ceiling); got != unknown {
		t.Errorf("cells below half hide that one is unknown: level %d", got)
	}
	for i, l := range lines[:7] {
		if want := fmt.Sprintf("MORE#%d", 33+i); !strings.Contains(m.label(l), want) {
			t.Errorf("line %d is %q, want %s", i, m.label(l), want)
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

func TestUnknownShowsUnlessSomethingKnownIsWarm(t *testing.T) {
	known := func(rate telemetry.Rate, refused float64) analysis.Cell {
		return analysis.Cell{State: telemetry.Known, Likely: rate, Throttled: refused}
	}
	nobody, soon := analysis.Cell{}, analysis.Cell{State: telemetry.Pending}
	for name, c := range map[string]struct {
		cells []analysis.Cell
		want  level
	}{
		"idle and unknown":           {[]analysis.Cell{known(10, 0), nobody}, unknown},
		"below half and unknown":     {[]analysis.Cell{known(499, 0), nobody}, unknown},
		"half and unknown":           {[]analysis.Cell{nobody, known(500, 0)}, warm},
		"refused and unknown":        {[]analysis.Cell{nobody, known(10, 1)}, throttled},
		"idle and pending":           {[]analysis.Cell{known(10, 0), soon}, pending},
		"pending and unknown":        {[]analysis.Cell{soon, nobody}, unknown},
		"idle, pending and full":     {[]analysis.Cell{known(10, 0), soon, known(1000, 0)}, full},
		"only known: the hottest":    {[]analysis.Cell{known(10, 0), known(300, 0), known(20, 0)}, cool},
		"refused beats a fuller one": {[]analysis.Cell{known(1000, 0), known(10, 1)}, throttled},
	} {
		t.Run(name, func(t *testing.T) {
			for range c.cells { // in every rotation
				c.cells = append(c.cells[1:], c.cells[0])
				inTime := line{cells: c.cells, ceiling: 1000}
				if got := (grid{known: len(c.cells)}).columnLevel(inTime, 0, len(c.cells)); got != c.want {
					t.Errorf("minutes in one column give level %d, want %d", got, c.want)
				}
				var lines []line
				for _, cell := range c.cells {
					lines = append(lines, line{cells: []analysis.Cell{cell}, ceiling: 1000})
				}
				merged := grid{lines: lines, merging: newMerging(lines)}.mergedLine(make([]bool, len(lines)), 0, 1, 0)
				if got := levelOf(merged.cells[0], 1000); got != c.want {
					t.Errorf("lines in one row give level %d, want %d", got, c.want)
				}
			}
		})
	}
}

// TestMergedCellsAreThoseThatTellMost draws lines and windows at random and compares what
// is remembered by the bundle with what all hidden lines give.
func TestMergedCellsAreThoseThatTellMost(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	const minutes = 30
	for range 40 {
		g := grid{known: minutes, ceiling: 1000}
		for range 2 + random.IntN(3*bundleLines) {
			l := line{id: fmt.Sprint(len(g.lines)), ceiling: 1000, count: 1}
			for range minutes - random.IntN(2) {
				c := analysis.Cell{State: telemetry.State(random.IntN(3)), Likely: telemetry.Rate(random.IntN(300))}
				if random.IntN(400) == 0 {
					c = analysis.Cell{State: telemetry.Known, Likely: 1000, Throttled: float64(random.IntN(2))}
				}
				l.cells = append(l.cells, c)
			}
			g.lines = append(g.lines, l)
		}
		g.merging = newMerging(g.lines)
		for range 6 { // the window and what is shown move over the same lines
			shown := make([]bool, len(g.lines))
			for range random.IntN(5) {
				shown[random.IntN(len(shown))] = true
			}
			from := random.IntN(minutes)
			to := from + 1 + random.IntN(minutes-from)
			now := random.IntN(minutes)
			got := g.mergedLine(shown, from, to, now)
			for _, i := range append([]int{now}, from, to-1, from+random.IntN(to-from)) {
				want := levelOfHidden(g, shown, i)
				if lv := levelOf(got.cellAt(i), 1000); want != later && lv != want {
					t.Fatalf("%d lines, minute %d of %d to %d: level %d, want %d", len(g.lines), i, from, to, lv, want)
				}
			}
		}
	}
}

func levelOfHidden(g grid, shown []bool, minute int) level {
	tells := later
	for i, l := range g.lines {
		if lv := levelOf(l.cellAt(minute), l.ceiling); !shown[i] && told[lv] > told[tells] {
			tells = lv
		}
	}
	return tells
}

func TestTheWholeAndTheRestStayApartFromMergedLines(t *testing.T) {
	d := crowded()
	write := d.Tables[0].Resources[0].Write
	rest := &analysis.Row{Count: 60, Peak: 5}
	for i := range write.Minutes {
		rest.Cells = append(rest.Cells, analysis.Cell{State: telemetry.Known, Likely: 5})
		write.Minutes[i].Capacity = 1e6
	}
	write.Rows = append(write.Rows, rest)
	m := held(d, 80, 24)
	wants(t, m, "all of 1M WCU/s")
	wants(t, m, "the rest")
	wants(t, m, "lines merged")
	for _, key := range []string{"down", "pgdown", "down", "pgdown", "pgdown"} {
		press(m, key)
		wants(t, m, "all of 1M WCU/s")
		wants(t, m, "lines merged")
	}
}
