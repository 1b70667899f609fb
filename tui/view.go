package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"
)

// View draws the frame. It reads the model and nothing else.
func (m *model) View() tea.View {
	v := tea.NewView(strings.Join(m.frame(), "\n"))
	v.AltScreen = true
	if m.opts.Mouse {
		v.MouseMode = tea.MouseModeCellMotion
	}
	return v
}

// frame is exactly the screen's lines; none before the size is known.
func (m *model) frame() []string {
	if m.width < 1 || m.height < 1 {
		return nil
	}
	l := m.layout()
	var lines []string
	if l.title.h > 0 {
		lines = append(lines, m.titleLine(m.width))
	}
	lines = append(lines, m.verdictBlock(l.verdict.w, l.verdict.h)...)
	lines = append(lines, m.paneView(l)...)
	lines = append(lines, m.timelineView(l)...)
	lines = append(lines, m.whyView(l.why.w, l.why.h)...)
	if l.footer.h > 0 {
		lines = append(lines, m.footerLine(m.width))
	}
	return fill(lines, m.width, m.height)
}
