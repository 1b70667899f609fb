package tui

import (
	"testing"

	tea "charm.land/bubbletea/v2"
)

func TestClickPutsTheCrosshairOnTheCell(t *testing.T) {
	m := twoRows()
	l := m.layout()
	win := m.window(m.grid(), l.columns())
	click := func(x, y int) { m.Update(tea.MouseClickMsg{X: x, Y: y, Button: tea.MouseLeft}) }
	click(l.label+5*win.cells, l.body.y+2)
	wants(t, m, "10:05 ~p2 KEY#b")
	click(l.label, l.body.y+1)
	wants(t, m, "10:00 ~p1 KEY#a")
	before := m.cross
	for _, at := range [][2]int{{0, l.body.y + 1}, {l.label + 10*win.cells, l.body.y + 1}, {l.label, l.body.y}, {l.label, l.body.y + 5}, {l.label, 0}, {500, 500}, {-1, -1}} {
		click(at[0], at[1])
		if m.cross.id != before.id || m.cross.minute != before.minute {
			t.Errorf("a click at %v moved the crosshair", at)
		}
	}
}

func TestClickSelectsInAList(t *testing.T) {
	m := twoRows()
	press(m, "2")
	m.Update(tea.MouseClickMsg{X: 3, Y: m.layout().body.y + 2, Button: tea.MouseLeft})
	if m.cursor != 1 {
		t.Errorf("item %d is selected, want 1", m.cursor)
	}
	m.Update(tea.MouseWheelMsg{Button: tea.MouseWheelUp})
	if m.cursor != 0 {
		t.Errorf("item %d is selected after the wheel, want 0", m.cursor)
	}
}
