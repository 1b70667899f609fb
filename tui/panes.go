package tui

import "strings"

// sheet is what a list pane shows: lines, of which some can be selected.
type sheet struct {
	head  []string // stays on top
	lines []string
	// items are the first lines of what can be selected, in order.
	items []int
}

func (s *sheet) add(lines ...string) { s.lines = append(s.lines, lines...) }

// item begins something that can be selected.
func (s *sheet) item(lines ...string) {
	s.items = append(s.items, len(s.lines))
	s.add(lines...)
}

// sheetView shows as much of a sheet as fits, with the selected item in sight.
func (m *model) sheetView(s sheet, w, h int) []string {
	room := max(1, h-len(s.head))
	first := 0
	if len(s.items) > 0 {
		at := s.items[max(0, min(m.cursor, len(s.items)-1))]
		s.lines[at] = m.styles.selected.Render(fit(plainSelect(s.lines[at]), w))
		if at >= room-1 {
			first = at - room/3
		}
	} else {
		first = m.scroll
	}
	first = max(0, min(first, len(s.lines)-room))
	lines := append([]string{}, s.head...)
	lines = append(lines, s.lines[first:]...)
	if len(s.lines)-first > room && h > 2 {
		lines = append(lines[:len(s.head)+room-1], m.styles.dim.Render(" "+number(len(s.lines)-first-room+1)+" more lines below"))
	}
	return fill(lines, w, h)
}

// plainSelect takes the codes out of a line that is shown reversed.
func plainSelect(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == 0x1b {
			for i < len(s) && s[i] != 'm' {
				i++
			}
			continue
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// paneView draws the body.
func (m *model) paneView(l layout) []string {
	w, h := l.body.w, l.body.h
	if h == 0 {
		return nil
	}
	if m.pane == helpPane {
		return m.sheetView(m.helpSheet(w), w, h)
	}
	if m.view() == nil {
		return fill(nil, w, h)
	}
	if m.drill && (m.pane == advicePane || m.pane == evidencePane || m.pane == eventsPane || m.pane == runbookPane) {
		return fill([]string{"", " hidden while the drill goes on: Enter shows the answer"}, w, h)
	}
	switch m.pane {
	case keysPane:
		return m.sheetView(m.keysSheet(w), w, h)
	case eventsPane:
		return m.sheetView(m.eventsSheet(w), w, h)
	case advicePane:
		return m.sheetView(m.adviceSheet(w), w, h)
	case evidencePane:
		return m.sheetView(m.evidenceSheet(w), w, h)
	case runbookPane:
		return m.sheetView(m.runbookSheet(w), w, h)
	case tablesPane:
		return m.sheetView(m.tablesSheet(w), w, h)
	}
	return m.heatView(l)
}

// paragraph wraps text under an indent.
func (m *model) paragraph(indent, text string, w int) []string {
	const most = 12
	var out []string
	for _, l := range m.styles.wrap(m.clean(text), max(10, w-len(indent)-1), most) {
		out = append(out, indent+l)
	}
	return out
}
