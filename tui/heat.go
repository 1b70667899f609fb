package tui

import (
	"fmt"
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
	rows := max(1, h-1-len(info))
	lines := g.lines
	hidden := 0
	if len(lines) > rows {
		first := m.firstLine(len(lines), rows)
		hidden = len(lines) - rows
		lines = lines[first : first+rows]
	}
	out := []string{m.heatHeader(l, g, win, hidden)}
	for _, x := range lines {
		out = append(out, m.heatLine(l, g, win, x))
	}
	if room := h - len(info) - len(out); room >= 4 && !m.drill {
		out = append(out, m.whyLines(w, room)...)
	}
	out = fill(out, w, h-len(info))
	return append(out, info...)
}

// whyLines use the room under a short map for the weightiest evidence.
func (m *model) whyLines(w, room int) []string {
	e := m.shownEvent()
	if e == nil || e.Resource != m.resource || e.Direction != m.dir {
		return nil
	}
	out := []string{"", " " + m.styles.accent.Render("why")}
	for _, x := range e.Evidence {
		lead := "  + "
		if !x.Supports {
			lead = "  - "
		}
		for i, l := range m.paragraph("", x.Text, w-5) {
			if i > 0 {
				lead = "    "
			}
			out = append(out, m.styles.dim.Render(lead+l))
		}
	}
	for _, x := range e.Missing {
		for i, l := range m.paragraph("", x, w-5) {
			lead := "  ? "
			if i > 0 {
				lead = "    "
			}
			out = append(out, m.styles.dim.Render(lead+l))
		}
	}
	return out[:min(len(out), room)]
}

// firstLine is the first line shown when there are more than rows: the crosshair's is
// kept in sight.
func (m *model) firstLine(lines, rows int) int {
	if !m.cross.on {
		return 0
	}
	return max(0, min(m.cross.line-rows/2, lines-rows))
}

func (m *model) emptyHeat(w int) []string {
	why := "no load is known for this resource"
	switch {
	case m.filter != "":
		why = "no line matches " + m.clean(m.filter) + " (/ changes the filter)"
	case m.byKey:
		why = "no key is ranked here: Contributor Insights names keys once it is on (K shows partitions)"
	}
	return append([]string{""}, m.styles.wrap(" "+why, w, 3)...)
}

// heatHeader names the map's unit and marks times over the columns.
func (m *model) heatHeader(l layout, g grid, win window, hidden int) string {
	what := string(m.dir) + " · % of a partition"
	if l.label < 24 {
		what = string(m.dir) + " % of ceiling"
	}
	if m.resource.Index != "" {
		what = m.resource.Index + " " + what
	}
	if hidden > 0 {
		what = fmt.Sprintf("+%d more · ", hidden) + what
	}
	left := fit(" "+m.styles.cut(m.clean(what), l.label-1), l.label)
	right := ""
	if l.numbers >= 13 {
		right = "    now  peak"
	} else if l.numbers > 0 {
		right = "  now"
	}
	return m.styles.dim.Render(left) + m.styles.dim.Render(m.timeMarks(g, win)) + m.styles.dim.Render(fit(right, l.numbers))
}

// timeMarks writes times of day over the columns, as far apart as they need.
func (m *model) timeMarks(g grid, win window) string {
	marks := []rune(strings.Repeat(" ", win.columns))
	last := -10
	for c := range marks {
		from, to := win.minutes(c)
		if from >= g.total {
			break
		}
		t := g.start.Add(g.period * timeSteps(from))
		end := g.start.Add(g.period * timeSteps(to))
		every := markEvery(g, win)
		if at := t.Truncate(every); at.Equal(t) || at.Add(every).Before(end) {
			if c-last < 8 || c+6 > len(marks) {
				continue
			}
			copy(marks[c:], []rune(m.styles.tick()+m.clockText(t)))
			last = c
		}
	}
	return string(marks)
}

func (st styles) tick() string {
	if st.more == "~" {
		return "'"
	}
	return "▏"
}

// heatLine is one line of the map: label, cells, numbers.
func (m *model) heatLine(l layout, g grid, win window, x line) string {
	label := " " + m.styles.cut(x.label, l.label-2) + " "
	if x.modelled && l.label >= 26 && len(x.key.Partition) > 0 {
		const tag = "(modelled)"
		if room := l.label - 3 - len(tag); room > 8 {
			label = " " + fit(m.styles.cut(x.label, room), room) + " " + tag + " "
		}
	}
	return fit(label, l.label) + m.cells(g, win, x) + fit(m.lineNumbers(l, g, x), l.numbers)
}

// cells draws a line's columns as runs of equal cells.
func (m *model) cells(g grid, win window, x line) string {
	var b strings.Builder
	open := level(-1)
	closeRun := func() {
		if open >= 0 {
			b.WriteString(m.styles.heat[open].close)
		}
	}
	for c := range win.columns {
		from, to := win.minutes(c)
		lv := g.columnLevel(x, from, to)
		if m.cross.covers(x.id, from, to) {
			closeRun()
			open = -1
			b.WriteString(m.styles.cross.open + m.styles.glyph[lv] + m.styles.cross.close)
			continue
		}
		if lv != open {
			closeRun()
			open = lv
			b.WriteString(m.styles.heat[lv].open)
		}
		b.WriteString(m.styles.glyph[lv])
	}
	closeRun()
	return b.String()
}

// lineNumbers are the newest minute's share of the ceiling and the peak's.
func (m *model) lineNumbers(l layout, g grid, x line) string {
	now := x.cellAt(m.lastKnown(g))
	text := share(now, x.ceiling)
	if l.numbers >= 13 {
		var peak telemetry.Rate
		for i := range min(g.known, len(x.cells)) {
			peak = max(peak, x.cells[i].Likely)
		}
		return fmt.Sprintf(" %6s %5s", text, share(analysis.Cell{State: telemetry.Known, Likely: peak}, x.ceiling))
	}
	return fmt.Sprintf("%5s", text)
}

// lastKnown is the newest minute whose load is known, within what has happened.
func (m *model) lastKnown(g grid) int {
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
	text := fmt.Sprintf("%s %s/s", number(int(c.Likely+0.5)), unit(dir))
	if c.High-c.Low > 0.02*c.High {
		text += fmt.Sprintf(" (%s to %s)", number(int(c.Low+0.5)), number(int(c.High+0.5)))
	}
	return text
}
