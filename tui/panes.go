package tui

import (
	"github.com/charmbracelet/x/ansi"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

// sheet is what a list pane shows: lines, of which some can be selected.
type sheet struct {
	head  []string // stays on top
	lines []string
	// items are the first lines of what can be selected, in order; tall is how many lines
	// of each are its name.
	items, tall []int
}

func (s *sheet) add(lines ...string) { s.lines = append(s.lines, lines...) }

// item begins something that can be selected, with the lines of its name.
func (s *sheet) item(lines ...string) {
	s.items, s.tall = append(s.items, len(s.lines)), append(s.tall, len(lines))
	s.add(lines...)
}

// room is how many lines fit under the head; one is kept to say that there are more.
func (s sheet) room(h int) int {
	room := h - len(s.head)
	if len(s.lines) > room {
		room--
	}
	return max(1, room)
}

// span is where an item's lines begin and end.
func (s sheet) span(item int) (from, to int) {
	from, to = s.items[item], len(s.lines)
	if item+1 < len(s.items) {
		to = s.items[item+1]
	}
	return from, to
}

// firstOf is the first line shown of a sheet.
func (m *model) firstOf(s sheet, h int) int {
	return max(0, min(m.scroll, len(s.lines)-s.room(h)))
}

// sheetView shows as much of a sheet as fits, with the selected item marked.
func (m *model) sheetView(s sheet, w, h int) []string {
	room, first := s.room(h), m.firstOf(s, h)
	last := min(first+room, len(s.lines))
	lines := append(append([]string{}, s.head...), s.lines[first:last]...)
	if len(s.items) > 0 {
		i := max(0, min(m.cursor, len(s.items)-1))
		for at := max(first, s.items[i]); at < min(last, s.items[i]+s.tall[i]); at++ {
			x := &lines[len(s.head)+at-first]
			*x = m.styles.selected.Render(fit(plainSelect(*x), w))
		}
	}
	if below := len(s.lines) - last; below > 0 {
		lines = append(lines, m.styles.dim.Render(" "+telemetry.Thousands(below)+" more lines below"))
	} else if first > 0 {
		lines = append(lines, m.styles.dim.Render(" the end; "+telemetry.Thousands(first)+" lines above"))
	}
	return fill(lines, w, h)
}

// scrollList moves the selection of a list pane, and the lines shown with it. What is
// longer than the pane is read to its end before the selection moves on.
func (m *model) scrollList(a action) {
	l := m.layout()
	s := m.sheet(l.body.w)
	room, first := s.room(l.body.h), m.firstOf(s, l.body.h)
	most := max(0, len(s.lines)-room)
	m.scroll = first
	if a == pageUp || a == pageDown || len(s.items) == 0 {
		step := map[action]int{up: -1, down: 1, pageUp: 1 - room, pageDown: room - 1}[a]
		m.scroll = max(0, min(first+step, most))
		m.selectShown(s, room)
		return
	}
	m.cursor = max(0, min(m.cursor, len(s.items)-1))
	from, to := s.span(m.cursor)
	switch {
	case a == down && to > first+room && (to-from > room || m.cursor == len(s.items)-1):
		m.scroll = min(most, first+max(1, room/2))
	case a == down && m.cursor < len(s.items)-1:
		m.cursor++
	case a == up && from < first:
		m.scroll = max(from-1, first-max(1, room/2))
	case a == up && m.cursor > 0:
		m.cursor--
	case a == up:
		m.scroll = 0
	}
	m.reveal(s, room, most)
}

// reveal scrolls as little as shows the selected item, its start before its end.
func (m *model) reveal(s sheet, room, most int) {
	from, to := s.span(m.cursor)
	if to-from <= room && to > m.scroll+room {
		m.scroll = to - room
	}
	if from >= m.scroll+room {
		m.scroll = from
	}
	if from < m.scroll && to-from <= room {
		m.scroll = max(0, from-1)
	}
	if to <= m.scroll {
		m.scroll = to - room
	}
	m.scroll = max(0, min(m.scroll, most))
}

// selectShown selects the first item that begins in sight, else the one that fills the
// pane.
func (m *model) selectShown(s sheet, room int) {
	for i, at := range s.items {
		if at < m.scroll {
			m.cursor = i
		} else if at < m.scroll+room {
			m.cursor = i
			return
		}
	}
}

// plainSelect takes the codes out of a line that is shown reversed.
func plainSelect(s string) string { return ansi.Strip(s) }

// sheet is what the open pane lists; empty for the map.
func (m *model) sheet(w int) sheet {
	if m.pane == helpPane {
		return m.helpSheet(w)
	}
	if m.pane == wordsPane {
		return m.wordsSheet(w)
	}
	var s sheet
	if m.view() == nil {
		return s
	}
	if m.drill && m.tells() {
		s.add("", " hidden while the drill goes on: "+m.keys.names([]action{enter})+" calls cause and key, and shows the answer")
		return s
	}
	switch m.pane {
	case keysPane:
		return m.keysSheet(w)
	case eventsPane:
		return m.eventsSheet(w)
	case advicePane:
		return m.adviceSheet(w)
	case evidencePane:
		s := m.evidenceSheet(w)
		s.lines = append(m.drillLines(w), s.lines...)
		return s
	case runbookPane:
		return m.runbookSheet(w)
	case tablesPane:
		return m.tablesSheet(w)
	}
	return s
}

// tells reports whether the open pane gives away what a drill asks for.
func (m *model) tells() bool {
	switch m.pane {
	case advicePane, evidencePane, eventsPane, runbookPane:
		return true
	}
	return false
}

// paneView draws the body.
func (m *model) paneView(l layout) []string {
	if m.pane != heatPane {
		return m.sheetView(m.sheet(l.body.w), l.body.w, l.body.h)
	}
	if m.view() == nil {
		return fill(nil, l.body.w, l.body.h)
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

// remark is a sentence of ours that explains a list.
func (m *model) remark(text string, w int) []string { return m.remarks(" ", text, w) }

// remarks is a remark under an indent.
func (m *model) remarks(indent, text string, w int) []string {
	lines := m.paragraph(indent, text, w)
	for i, l := range lines {
		lines[i] = m.styles.dim.Render(l)
	}
	return lines
}
