package tui

import (
	"fmt"
	"slices"

	"github.com/hotpart/hotpart/analysis"
	"github.com/hotpart/hotpart/analysis/telemetry"
)

// crosshair is the cell one looks at, and a rectangle from where it was set down.
type crosshair struct {
	on     bool
	id     string // of the line
	minute int
	// drawing is set while a rectangle follows the crosshair, kept once it has both
	// corners.
	drawing, kept bool
	corner        struct {
		id     string
		minute int
	}
	rect rectangle
	// before is the rectangle kept before this one, and compare shows both.
	before  *rectangle
	compare bool
}

// rectangle is some lines over some minutes; both minutes belong to it.
type rectangle struct {
	ids       map[string]bool
	low, high int
	// said is what it holds, found when its second corner was set.
	said summary
}

// covers reports whether a cell is under the crosshair or in the rectangle.
func (c crosshair) covers(id string, from, to int) bool {
	if !c.on {
		return false
	}
	if (c.drawing || c.kept) && c.rect.ids[id] && from <= c.rect.high && to > c.rect.low {
		return true
	}
	return c.id == id && from <= c.minute && c.minute < to
}

// lineOf is where a line stands in the grid; the first where it is gone.
func (g grid) lineOf(id string) int {
	return max(0, slices.IndexFunc(g.lines, func(l line) bool { return l.id == id }))
}

// move puts the crosshair on a cell within the map; the first move only shows it.
func (m *model) move(lines, columns int) {
	g := m.grid()
	if len(g.lines) == 0 || g.known == 0 {
		return
	}
	c := &m.cross
	if !c.on {
		*c = crosshair{on: true, id: g.lines[0].id, minute: max(0, g.lastKnown())}
	} else {
		at := g.lineOf(c.id) + lines
		c.id = g.lines[max(0, min(at, len(g.lines)-1))].id
		c.minute = m.window(g, m.layout().columns()).moved(c.minute, columns)
	}
	c.minute = max(0, min(c.minute, g.known-1))
	if c.drawing {
		c.stretch(g)
	}
}

// stretch sets the rectangle between its two corners.
func (c *crosshair) stretch(g grid) {
	a, b := g.lineOf(c.id), g.lineOf(c.corner.id)
	c.rect = rectangle{
		ids: map[string]bool{},
		low: min(c.minute, c.corner.minute), high: max(c.minute, c.corner.minute),
	}
	for _, l := range g.lines[min(a, b) : max(a, b)+1] {
		c.rect.ids[l.id] = true
	}
}

// setCorner starts a rectangle, or ends it and finds what it holds.
func (m *model) setCorner() {
	if !m.cross.on {
		m.move(0, 0)
	}
	c := &m.cross
	g := m.grid()
	switch {
	case !c.on || len(g.lines) == 0:
		m.say("there is nothing on the map to mark")
		return
	case c.drawing:
		c.drawing, c.kept = false, true
		c.rect.said = m.summarize(g, c.rect)
		return
	case c.kept:
		kept := c.rect
		c.before = &kept
	}
	c.drawing, c.kept, c.compare = true, false, false
	c.corner.id, c.corner.minute = c.id, c.minute
	c.stretch(g)
}

// compareRects shows the difference between the last two rectangles.
func (m *model) compareRects() {
	c := &m.cross
	if !c.kept || c.before == nil {
		m.say("mark a rectangle with v twice, then another; d compares them")
		return
	}
	c.compare = !c.compare
}

// The most lines that a rectangle's place and what it holds take.
const (
	mostPlace = 2
	mostHeld  = 4
)

// crossHeight is how many lines crossLines are. Under a moving crosshair they are as many
// whatever it is on, so that nothing else moves.
func (m *model) crossHeight() int {
	const wide = 100
	switch {
	case !m.cross.on:
		return 0
	case m.cross.kept:
		return len(m.crossLines(m.grid(), m.width))
	case m.width >= wide:
		return 1
	}
	return 2
}

// crossLines say what the crosshair is on, or what the rectangle holds.
func (m *model) crossLines(g grid, w int) []string {
	var out []string
	most := []int{mostPlace, mostHeld}
	if !m.cross.kept {
		most = []int{m.crossHeight()}
	}
	for i, s := range m.crossTexts(g) {
		for _, line := range m.styles.wrap(s, max(1, w-2), most[i]) {
			out = append(out, fit(" "+m.styles.bold.Render(line), w))
		}
	}
	if !m.cross.kept {
		return fill(out, w, m.crossHeight())
	}
	return out
}

func (m *model) crossTexts(g grid) []string {
	c := m.cross
	if !c.on || len(g.lines) == 0 {
		return nil
	}
	if c.kept && c.compare {
		return m.difference(c.before.said, c.rect.said)
	}
	if c.kept {
		return c.rect.said.lines(m)
	}
	l := g.lines[g.lineOf(c.id)]
	cell := l.cellAt(c.minute)
	text := fmt.Sprintf("%s %s: %s", m.clockText(g.at(c.minute)), m.label(l), m.cellText(l, cell))
	if cell.Throttled > 0 {
		about := "about "
		if !l.modelled {
			about = ""
		}
		text += fmt.Sprintf(", %s%s refused", about, telemetry.Thousands(int(cell.Throttled+0.5)))
	}
	if x := m.usualAt(g, c.minute); x != "" {
		text += m.sep() + x
	}
	if x := m.happenedAt(g, c.minute); x != "" {
		// What is under the mark is what one came to read: it may take half of the line.
		text = m.styles.cut(x, max(m.width/2, m.width-width(text)-4)) + m.sep() + text
	}
	if c.drawing {
		text += "  (v again ends the rectangle)"
	}
	return []string{text}
}

// cellText is a cell's load in words, with its range where it is modelled.
func (m *model) cellText(l line, c analysis.Cell) string {
	if l.id == limitLineID {
		return share(c, l.ceiling) + " used"
	}
	text := rates(c, m.dir)
	if l.modelled && c != (analysis.Cell{}) {
		text += ", modelled"
	}
	return text
}
