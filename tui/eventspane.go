package tui

import (
	"fmt"

	"github.com/hotpart/hotpart/analysis"
)

// eventsSheet lists the events, notes last; Enter goes to the chosen one's start.
func (m *model) eventsSheet(w int) sheet {
	var s sheet
	events := m.listedEvents()
	if len(events) == 0 {
		s.add(m.noEvent("no event up to now", w)...)
		return s
	}
	s.head = []string{m.styles.dim.Render(fit(" when          what                  where", w))}
	v := m.view()
	for _, e := range events {
		when := m.clockText(e.Start) + m.styles.dash() + m.clockText(e.End)
		if e.Ongoing {
			when = m.clockText(e.Start) + " still on"
		}
		verdict := v.VerdictOn(e)
		title := verdict.Title
		if e.Note() {
			title = "note"
		}
		line := fmt.Sprintf(" %-13s %-21s %s %s", when, title, m.clean(m.view().Namer()(e.Resource)), e.Direction)
		s.item(spread(line, verdict.Sure+" ", w))
		for _, l := range m.paragraph("                ", verdict.Summary, w) {
			s.add(m.styles.dim.Render(l))
		}
	}
	return s
}

// listedEvents are the events of the view, notes last.
func (m *model) listedEvents() []*analysis.Event {
	v := m.view()
	if v == nil {
		return nil
	}
	var events, notes []*analysis.Event
	for _, e := range v.Events {
		if e.Note() {
			notes = append(notes, e)
		} else {
			events = append(events, e)
		}
	}
	return append(events, notes...)
}
