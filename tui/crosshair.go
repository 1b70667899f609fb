package tui

import (
	"fmt"
	"strings"

	"github.com/hotpart/hotpart/analysis"
	"github.com/hotpart/hotpart/analysis/telemetry"
)

// crosshair is the cell one looks at, and a rectangle from where it was set down.
type crosshair struct {
	on           bool
	line, minute int
	id           string // of the line
	// from is the other corner while a rectangle is drawn or kept.
	drawing, kept    bool
	fromLine         int
	fromMinute       int
	ids              map[string]bool // lines of the rectangle
	lowMin, highMin  int             // its minutes, inclusive
	before           string          // the rectangle before this one, in words
	beforeText       string
	compare          bool
	explanationLines []string
}

// covers reports whether a cell is under the crosshair or in the rectangle.
func (c crosshair) covers(id string, from, to int) bool {
	if !c.on {
		return false
	}
	if c.ids != nil && (c.drawing || c.kept) && c.ids[id] && from <= c.highMin && to > c.lowMin {
		return true
	}
	return c.id == id && from <= c.minute && c.minute < to
}

// move puts the crosshair on a cell within the map.
func (m *model) move(lines, minutes int) {
	g := m.grid()
	if len(g.lines) == 0 || g.known == 0 {
		return
	}
	c := &m.cross
	if !c.on {
		*c = crosshair{on: true, minute: max(0, m.lastKnown(g)), line: 0}
	} else {
		step := m.window(g, m.layout().columns()).step
		c.line += lines
		c.minute += minutes * step
	}
	c.line = max(0, min(c.line, len(g.lines)-1))
	c.minute = max(0, min(c.minute, g.known-1))
	c.id = g.lines[c.line].id
	if c.drawing {
		m.stretch(g)
	}
}

// stretch sets the rectangle between its two corners.
func (m *model) stretch(g grid) {
	c := &m.cross
	low, high := min(c.line, c.fromLine), max(c.line, c.fromLine)
	c.ids = map[string]bool{}
	for _, l := range g.lines[low:min(high+1, len(g.lines))] {
		c.ids[l.id] = true
	}
	c.lowMin, c.highMin = min(c.minute, c.fromMinute), max(c.minute, c.fromMinute)
}

// mark starts a rectangle, or ends and explains it.
func (m *model) markCorner() {
	g := m.grid()
	c := &m.cross
	if !c.on {
		m.move(0, 0)
	}
	if !c.on {
		return
	}
	if c.drawing {
		c.drawing, c.kept = false, true
		c.explanationLines = m.explain(g)
		return
	}
	if c.kept {
		c.beforeText = strings.Join(c.explanationLines, m.sep())
	}
	c.drawing, c.kept, c.compare = true, false, false
	c.fromLine, c.fromMinute = c.line, c.minute
	m.stretch(g)
}

// explain says of a rectangle what its keys, loads, refusals and events are.
func (m *model) explain(g grid) []string {
	c := m.cross
	var peak analysis.Cell
	var refused float64
	var names []string
	for _, l := range g.lines {
		if !c.ids[l.id] {
			continue
		}
		names = append(names, l.label)
		for i := c.lowMin; i <= c.highMin; i++ {
			cell := l.cellAt(i)
			refused += cell.Throttled
			if cell.State == telemetry.Known && (peak.State != telemetry.Known || cell.Likely > peak.Likely) {
				peak = cell
			}
		}
	}
	start, end := g.start.Add(g.period*timeSteps(c.lowMin)), g.start.Add(g.period*timeSteps(c.highMin+1))
	head := fmt.Sprintf("%s to %s", m.clockText(start), m.clockText(end)) + m.sep() + strings.Join(names, ", ")
	body := fmt.Sprintf("at most %s, %s refusals", rates(peak, m.dir), number(int(refused+0.5)))
	if v := m.view(); v != nil {
		for _, e := range v.Events {
			if e.Resource == m.resource && e.Direction == m.dir && e.Start.Before(end) && start.Before(e.End) {
				body += m.sep() + m.clean(v.VerdictOn(e).Title) + ", " + v.VerdictOn(e).Sure
			}
		}
	}
	return []string{head, body}
}

// cellText is a cell's load in words.
func (m *model) cellText(l line, c analysis.Cell) string {
	if l.id == "\x00limit" {
		return share(c, l.ceiling) + " used"
	}
	return rates(c, m.dir)
}

// crossHeight is how many lines crossLines takes.
func (m *model) crossHeight() int {
	c := m.cross
	switch {
	case !c.on:
		return 0
	case c.kept && !c.drawing && c.compare && c.beforeText != "":
		return 2
	case c.kept && !c.drawing:
		return len(c.explanationLines)
	}
	return 1
}

// crossLines say what the crosshair is on, or what the rectangle holds.
func (m *model) crossLines(g grid, w int) []string {
	c := m.cross
	if !c.on || len(g.lines) == 0 {
		return nil
	}
	if c.kept && !c.drawing {
		lines := c.explanationLines
		if c.compare && c.beforeText != "" {
			lines = append([]string{"before: " + c.beforeText}, "now:    "+strings.Join(lines, m.sep()))
		}
		var out []string
		for _, l := range lines {
			out = append(out, fit(m.styles.bold.Render(" "+m.styles.cut(l, w-2)), w))
		}
		return out
	}
	line := g.lines[min(c.line, len(g.lines)-1)]
	cell := line.cellAt(c.minute)
	at := g.start.Add(g.period * timeSteps(c.minute))
	text := fmt.Sprintf(" %s %s: %s", m.clockText(at), line.label, m.cellText(line, cell))
	if line.modelled {
		text += " modelled"
	}
	if cell.Throttled > 0 {
		text += fmt.Sprintf(", about %s refusals", number(int(cell.Throttled+0.5)))
	}
	if c.drawing {
		text += "  (v ends the rectangle)"
	}
	return []string{fit(m.styles.bold.Render(m.styles.cut(text, w-1)), w)}
}
