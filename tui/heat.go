package tui

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hotpart/hotpart/analysis"
	"github.com/hotpart/hotpart/analysis/telemetry"
)

// heatView draws the map: a header with the times, the lines, and what the crosshair
// is on.
func (m *model) heatView(l layout) []string {
	w, h := l.body.w, l.body.h
	g := m.grid()
	if len(g.lines) == 0 {
		return fill(m.emptyHeat(w), w, h)
	}
	win := m.window(g, l.columns())
	info := m.crossLines(g, w)
	info = info[:min(len(info), max(0, h-2))]
	rows := max(1, h-1-len(info))
	from, to := win.span()
	lines := m.drawnLines(g, rows, from, to)
	hidden := 0
	if n := len(g.lines); n > len(lines) {
		hidden = n - len(lines) + 1
	}
	out := []string{m.heatHeader(l, g, win, hidden)}
	for _, x := range lines {
		out = append(out, m.heatLine(l, g, win, x))
	}
	return append(fill(out, w, h-len(info)), info...)
}

// heatHeader names the map's unit and marks times over the columns.
func (m *model) heatHeader(l layout, g grid, win window, hidden int) string {
	right := ""
	if l.numbers >= 13 {
		right = "    now  peak"
	} else if l.numbers > 0 {
		right = "  now"
	}
	left := fit(" "+m.styles.cut(m.headerText(l, g, hidden), l.label-2), l.label)
	return m.styles.dim.Render(left + m.timeMarks(g, win, l.columns()) + fit(right, l.numbers))
}

// headerText says what a cell is a share of and how many lines are merged, in as many words
// as there is room for.
func (m *model) headerText(l layout, g grid, hidden int) string {
	works, unit := string(m.dir)+"s", "% of "+telemetry.Thousands(int(g.ceiling))+" "+m.dir.Unit()+"/s"
	modelled, merged := "~ modelled", ""
	if m.byKey {
		modelled = ""
	}
	if hidden > 0 {
		merged = telemetry.Thousands(hidden) + " of " + telemetry.Thousands(len(g.lines)) + " merged"
	}
	for _, parts := range [][]string{{works, unit, modelled, merged}, {works, unit, merged}, {unit, merged}, {works + " %", merged}, {works, unit}, {unit}} {
		parts = slices.DeleteFunc(parts, func(s string) bool { return s == "" })
		if text := strings.Join(parts, m.sep()); width(text) <= l.label-2 {
			return text
		}
	}
	return string(m.dir) + " %"
}

// timeMarks writes times of day over the columns, as far apart as they need.
func (m *model) timeMarks(g grid, win window, width int) string {
	marks := []rune(strings.Repeat(" ", width))
	const room = 8 // cells for a mark and its distance
	last := -room
	every := markEvery(g, win)
	for c := range win.columns {
		from, to := win.minutes(c)
		if from >= g.total {
			break
		}
		t, end := g.at(from), g.at(to)
		mark := t.Truncate(every)
		if mark.Before(t) {
			mark = mark.Add(every)
		}
		if mark.Before(end) {
			x := c * win.cells
			if x-last < room || x+6 > len(marks) {
				continue
			}
			copy(marks[x:], []rune(m.styles.tick()+m.clockText(mark)))
			last = x
		}
	}
	return string(marks)
}

// heatLine is one line of the map: label, cells, numbers.
func (m *model) heatLine(l layout, g grid, win window, x line) string {
	label := fit(" "+m.styles.cut(m.label(x), l.label-2), l.label)
	return label + fit(m.cells(g, win, x), l.columns()) + fit(m.lineNumbers(l, g, x), l.numbers)
}

// cells draws a line's columns as runs of equal cells. In replay the first column that
// has not happened yet shows where one is.
func (m *model) cells(g grid, win window, x line) string {
	var b strings.Builder
	open := level(-1)
	closeRun := func() {
		if open >= 0 {
			b.WriteString(m.styles.heat[open].close)
			open = -1
		}
	}
	for c := range win.columns {
		from, to := win.minutes(c)
		lv := g.columnLevel(x, from, to)
		glyph := strings.Repeat(m.styles.glyph[lv], win.cells)
		switch {
		case m.cross.covers(x.id, from, to):
			closeRun()
			b.WriteString(m.styles.cross.open + glyph + m.styles.cross.close)
			continue
		case lv == later && from < g.total && c == win.column(g.known-1)+1:
			closeRun()
			b.WriteString(m.styles.accent.Render(m.styles.edge) + glyph[1:])
			continue
		}
		if lv != open {
			closeRun()
			open = lv
			b.WriteString(m.styles.heat[lv].open)
		}
		b.WriteString(glyph)
	}
	closeRun()
	return b.String()
}

// lineNumbers are the newest minute's share of the ceiling and the peak's.
func (m *model) lineNumbers(l layout, g grid, x line) string {
	text := share(x.cellAt(g.lastKnown()), x.ceiling)
	if l.numbers < 13 {
		return fmt.Sprintf(" %5s", text)
	}
	peak := g.peakOf(x)
	if x.id == mergedLineID && x.peak > 0 {
		peak = analysis.Cell{State: telemetry.Known, Likely: x.peak}
	}
	return fmt.Sprintf(" %6s %5s", text, share(peak, x.ceiling))
}

// lastKnown is the newest minute whose load is known, within what has happened.
func (g grid) lastKnown() int {
	for i := min(g.known, len(g.minutes)) - 1; i >= 0; i-- {
		if g.minutes[i].State == telemetry.Known {
			return i
		}
	}
	return g.known - 1
}

func share(c analysis.Cell, ceiling telemetry.Rate) string {
	if c.State != telemetry.Known || ceiling <= 0 {
		return "?"
	}
	return fmt.Sprintf("%.0f %%", 100*float64(c.Likely/ceiling))
}

// rates writes a cell's load with its range.
func rates(c analysis.Cell, dir telemetry.Direction) string {
	switch c.State {
	case telemetry.Unknown:
		return "load unknown"
	case telemetry.Pending:
		return "not yet published"
	}
	text := fmt.Sprintf("%s %s/s", telemetry.Thousands(int(c.Likely+0.5)), dir.Unit())
	if c.High-c.Low > 0.02*c.High {
		text += fmt.Sprintf(" (%s to %s)", telemetry.Thousands(int(c.Low+0.5)), telemetry.Thousands(int(c.High+0.5)))
	}
	return text
}
