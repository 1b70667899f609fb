package tui

import (
	"fmt"
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

// footerLine is, the most pressing first: a prompt, trouble, what the last key did, or
// which keys there are.
func (m *model) footerLine(w int) string {
	switch {
	case m.prompt.kind == timePrompt:
		return fit(m.styles.bold.Render(" go to (HH:MM): ")+m.prompt.text+m.cursorMark(), w)
	case m.prompt.kind == findPrompt:
		return fit(m.styles.bold.Render(" find: ")+m.prompt.text+m.cursorMark()+m.styles.dim.Render("   Enter keeps it, Esc ends"), w)
	case m.err != nil && m.view() != nil:
		age := short(m.now().Sub(m.errSince))
		text := strings.SplitN(m.err.Error(), "\n", 2)[0]
		return fit(m.styles.alarm.Render("!")+" "+m.styles.cut(m.clean(text), max(0, w-34))+" for "+age+", last data stay", w)
	case m.said != "":
		return fit(" "+m.styles.cut(m.said, w-1), w)
	}
	return m.hints(w)
}

func (m *model) cursorMark() string {
	if m.opts.ASCII {
		return "_"
	}
	return "█"
}

// hints name the panes and the most useful keys, as far as there is room.
func (m *model) hints(w int) string {
	var b strings.Builder
	for i, name := range []string{"heat", "keys", "events", "advice", "evidence", "runbook", "tables"} {
		text := fmt.Sprintf(" %d %s", i+1, name)
		if pane(i) == m.pane {
			text = " " + m.styles.selected.Render(text[1:])
		}
		b.WriteString(text)
	}
	more := []string{"x read/write", "space pause", "[ ] event", "t T step", "/ find", "y copy", "q quit"}
	if m.opts.Live {
		more = []string{"x read/write", "[ ] event", "t T step", "L live", "/ find", "y copy", "q quit"}
	}
	line := b.String()
	for _, x := range more {
		if len(plainSelect(line))+len(x)+3 < w {
			line += "  " + m.styles.dim.Render(x)
		}
	}
	return fit(line, w)
}
