package tui

import (
	"strings"

	"github.com/hotpart/hotpart/analysis"
)

// runbookSheet is the walkthrough for the event; steps tick themselves when the data
// satisfy them.
func (m *model) runbookSheet(w int) sheet {
	var s sheet
	e := m.shownEvent()
	if e == nil {
		s.add("", " no event: hotpart runbook CAUSE prints the plain guides")
		return s
	}
	s.head = []string{m.eventHead(e, w)}
	phase := analysis.Phase("")
	for _, step := range m.view().Runbook(e) {
		if step.Phase != phase {
			phase = step.Phase
			s.add(" " + m.styles.accent.Render(string(phase)))
		}
		box := map[analysis.StepState]string{analysis.UnknownStep: "[?]", analysis.OpenStep: "[ ]", analysis.DoneStep: "[x]"}[step.State]
		lines := m.paragraph("      ", step.Text, w)
		if len(lines) > 0 {
			lines[0] = "  " + box + " " + lines[0][6:]
		}
		s.item(lines...)
		for _, c := range step.Commands {
			s.add(m.commandLines(c, w)...)
		}
		if len(step.Code) > 0 {
			var names []string
			for _, x := range step.Code {
				names = append(names, x.Language)
			}
			s.add(m.paragraph("      ", "code in "+strings.Join(names, ", ")+": in the report ("+m.keys.names([]action{writeReport})+")", w)...)
		}
	}
	return s
}
