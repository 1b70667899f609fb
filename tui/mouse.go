package tui

import (
	"time"

	tea "charm.land/bubbletea/v2"
)

// mouse does what a click or the wheel asks for, on the rectangles that arrange gave.
func (m *model) mouse(msg tea.MouseMsg) tea.Cmd {
	at := msg.Mouse()
	l := m.layout()
	if m.view() == nil {
		return nil
	}
	switch msg.(type) {
	case tea.MouseWheelMsg:
		return m.wheel(at.Button)
	case tea.MouseClickMsg:
		switch {
		case at.Button != tea.MouseLeft || !l.body.has(at.X, at.Y):
		case m.pane == heatPane:
			m.pointAt(l, at.X, at.Y)
		default:
			m.selectAt(l, at.Y)
		}
	}
	return nil
}

// wheel scrolls lists, and moves through time over the map.
func (m *model) wheel(b tea.MouseButton) tea.Cmd {
	back := b == tea.MouseWheelUp
	if m.pane != heatPane {
		if back {
			m.scrollList(up)
		} else {
			m.scrollList(down)
		}
		return nil
	}
	step := time.Minute
	if back {
		step = -step
	}
	return m.seek(m.position().Add(step))
}

// pointAt puts the crosshair on the cell under the mouse.
func (m *model) pointAt(l layout, x, y int) {
	g := m.grid()
	win := m.window(g, l.columns())
	rows := max(1, l.body.h-1-m.crossHeight())
	lines := m.drawnLines(g, rows, 0, 0)
	at := y - l.body.y - 1
	column := (x - l.label) / win.cells
	from, to := win.minutes(column)
	if at < 0 || at >= len(lines) || lines[at].id == mergedLineID || x < l.label || column >= win.columns || from >= g.known {
		return
	}
	c := &m.cross
	c.on, c.id, c.minute = true, lines[at].id, min(to, g.known)-1
	if c.drawing {
		c.stretch(g)
	}
}

// selectAt selects the item of a list under the mouse.
func (m *model) selectAt(l layout, y int) {
	s := m.sheet(l.body.w)
	at := y - l.body.y - len(s.head) + m.firstOf(s, l.body.h)
	for i, start := range s.items {
		if start <= at {
			m.cursor = i
		}
	}
}
