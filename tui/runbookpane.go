package tui

import (
	"slices"

	"github.com/hotpart/hotpart/analysis"
)

// runbookSheet is the walkthrough for the event; steps tick themselves when the data
// satisfy them.
func (m *model) runbookSheet(w int) sheet {
	var s sheet
	e := m.shownEvent()
	if e == nil {
		s.add(m.noEvent("no event up to now; hotpart runbook CAUSE prints the plain guides", w)...)
		return s
	}
	s.head = []string{m.eventHead(e, w)}
	phase := analysis.Phase("")
	for _, step := range m.runbook(e) {
		if step.Phase != phase {
			phase = step.Phase
			s.add(" " + m.styles.accent.Render(string(phase)))
		}
		box, said := m.stepBox(e, step)
		lines := m.paragraph("      ", step.Text+said, w)
		if len(lines) > 0 {
			lines[0] = "  " + box + " " + lines[0][6:]
		}
		s.item(lines...)
		for _, c := range step.Commands {
			s.add(m.commandLines(c, w)...)
		}
		if step.Sharding != nil {
			s.add(m.remarks("      ", "code in four languages: in the report ("+m.keys.names([]action{writeReport})+")", w)...)
		}
	}
	return s
}

// runbook is the walkthrough for an event, with the team's own steps at its end.
func (m *model) runbook(e *analysis.Event) []analysis.Step {
	return append(m.view().Runbook(e), m.opts.Runbooks.For(e)...)
}

// picked is what was last chosen for a step of an event; false for nothing.
func (m *model) picked(e *analysis.Event, s analysis.Step) (analysis.Choice, bool) {
	for _, c := range slices.Backward(m.walks[e.ID]) {
		if c.Step.Text == s.Text {
			return c, c.Pick != analysis.Reopened
		}
	}
	return analysis.Choice{}, false
}

// stepBox is a step's box, and when somebody chose what is in it. What the data show is
// x too, but says no time.
func (m *model) stepBox(e *analysis.Event, s analysis.Step) (box, said string) {
	if c, ok := m.picked(e, s); ok {
		box := map[analysis.Pick]string{analysis.Done: "[x]", analysis.Skipped: "[-]"}[c.Pick]
		return box, " (" + string(c.Pick) + " at " + m.clockText(c.At) + ")"
	}
	return map[analysis.StepState]string{analysis.UnknownStep: "[?]", analysis.OpenStep: "[ ]", analysis.DoneStep: "[x]"}[s.State], ""
}

// pickStep logs a choice for the selected step: done, skipped, then open again.
func (m *model) pickStep() {
	e := m.shownEvent()
	if e == nil || m.drill {
		return
	}
	steps := m.runbook(e)
	if m.cursor >= len(steps) {
		return
	}
	s := steps[m.cursor]
	c := analysis.Choice{At: m.now(), Shown: m.position(), Step: s, Pick: analysis.Done}
	if last, ok := m.picked(e, s); ok {
		c.Pick = map[analysis.Pick]analysis.Pick{analysis.Done: analysis.Skipped, analysis.Skipped: analysis.Reopened}[last.Pick]
	}
	if m.walks == nil {
		m.walks = map[string][]analysis.Choice{}
	}
	m.walks[e.ID] = append(m.walks[e.ID], c)
	m.say("%s; %s saves the log beside the report", c.Pick, m.keys.names([]action{writeReport}))
}
