package tui

import "github.com/hotpart/hotpart/analysis"

// adviceSheet lists what to do about the event, in order, each with its forecast, why, what
// it costs, commands, undo and how to see that it worked; then what won't help, and what
// the forecasts assume.
func (m *model) adviceSheet(w int) sheet {
	var s sheet
	e := m.shownEvent()
	if e == nil {
		s.add(m.noEvent("nothing to advise: there is no event up to now", w)...)
		return s
	}
	s.head = []string{m.eventHead(e, w)}
	if who := m.view().Caller(e); who != "" {
		s.head = append(s.head, m.remark("commands are "+who, w)...)
	}
	stage := analysis.Stage("")
	for i, r := range e.Recommendations {
		if r.Stage != stage {
			stage = r.Stage
			s.add(" " + m.styles.accent.Render(string(stage)))
		}
		s.item(m.bolds("  ", r.Summary, w)...)
		s.add(m.forecastLines(e, i, w)...)
		for _, part := range []struct{ name, text string }{
			{"why: ", r.Why}, {"price: ", m.price(e, r)}, {"trade-off: ", r.Tradeoff}, {"undo: ", r.Undo}, {"worked? ", r.Verify},
		} {
			if part.text != "" {
				s.add(m.paragraph("     ", part.name+part.text, w)...)
			}
		}
		for _, c := range r.Commands {
			s.add(m.commandLines(c, w)...)
		}
	}
	if len(e.WontHelp) > 0 {
		s.add("", " "+m.styles.accent.Render("won't help"))
		for _, x := range e.WontHelp {
			s.add(m.paragraph("  ", x.Fix+": "+x.Why, w)...)
		}
	}
	for i, x := range m.assumptions(e) {
		if i == 0 {
			s.add("", " "+m.styles.accent.Render("a forecast replays the event with the change, and assumes"))
			s.add(m.bullet(m.styles.dash(), "that the cause is right", w)...)
		}
		s.add(m.bullet(m.styles.dash(), x, w)...)
	}
	return s
}

// price says what a recommendation adds to a month's bill, where that is known.
func (m *model) price(e *analysis.Event, r analysis.Recommendation) string {
	if c := m.view().Cost(e, r, analysis.ListPrices); c != nil {
		return c.Text()
	}
	return ""
}

// bolds is a paragraph in bold.
func (m *model) bolds(indent, text string, w int) []string {
	lines := m.paragraph(indent, text, w)
	for i, l := range lines {
		lines[i] = m.styles.bold.Render(l)
	}
	return lines
}

// commandLines show a command to read and copy (y).
func (m *model) commandLines(command string, w int) []string {
	var out []string
	const most = 40
	for i, l := range m.styles.wrap(m.clean(command), max(10, w-8), most) {
		lead := "     $ "
		if i > 0 {
			lead = "       "
		}
		out = append(out, m.styles.dim.Render(lead+l))
	}
	return out
}

// eventHead says which event a pane speaks of.
func (m *model) eventHead(e *analysis.Event, w int) string {
	v := m.view()
	text := " on: " + v.VerdictOn(e).Title + ", " + v.Namer()(e.Resource) + " " + string(e.Direction) + "s since " + m.clockText(e.Start)
	return m.styles.dim.Render(fit(m.styles.cut(m.clean(text), w-1), w))
}
