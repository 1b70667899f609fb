package tui

import (
	"fmt"
	"strings"

	"github.com/hotpart/hotpart/analysis"
	"github.com/hotpart/hotpart/analysis/telemetry"
)

// evidenceSheet sets out what speaks for and against the verdict, what is missing, what
// would change it, and what can't be seen at all.
func (m *model) evidenceSheet(w int) sheet {
	var s sheet
	if e := m.shownEvent(); e != nil {
		s.head = []string{m.eventHead(e, w)}
		m.evidenceOf(&s, e, w)
	} else {
		s.add(m.noEvent("nothing to weigh: there is no event up to now", w)...)
	}
	v := m.view()
	if len(v.Warnings) > 0 {
		s.add("", " "+m.styles.accent.Render("about the data"))
		for _, x := range v.Warnings {
			s.add(m.paragraph("  ", x.Text+" ("+x.Code+")", w)...)
		}
	}
	s.add("", " "+m.styles.accent.Render("what nobody can see"))
	for _, x := range unseen {
		s.add(m.bullet(m.styles.dash(), x, w)...)
	}
	return s
}

// unseen is what AWS shows to nobody, with what stands in for it.
var unseen = []string{
	"partitions: how many there are, where keys sit and what each serves are modelled from totals, refusals and ranked keys",
	"what clients wanted: AWS counts attempts, and how often each request was tried again is not told",
	"what happens within a minute: a burst of seconds shows only in the minute's mean",
	"keys that are not among the top ones that Contributor Insights ranks",
}

func (m *model) evidenceOf(s *sheet, e *analysis.Event, w int) {
	for _, side := range []struct {
		name     string
		supports bool
	}{{"for the verdict", true}, {"against it", false}} {
		for i, x := range e.Weightiest(side.supports) {
			if i == 0 {
				head := " " + m.styles.accent.Render(side.name)
				if w >= 80 && side.supports {
					head += m.styles.dim.Render("   strong: 10 times likelier, moderate: 3 times, weak: less")
				}
				s.add(head)
			}
			s.add(m.weighed(x, w)...)
		}
	}
	for _, part := range []struct {
		name  string
		texts []string
	}{{"missing, and what would tell", e.Missing}, {"what would change the verdict", e.Overturn()}} {
		if len(part.texts) > 0 {
			s.add("", " "+m.styles.accent.Render(part.name))
		}
		for _, x := range part.texts {
			s.add(m.bullet(m.styles.dash(), x, w)...)
		}
	}
	if len(e.Context) > 0 {
		s.add("", " "+m.styles.accent.Render("shortly before")+m.styles.dim.Render("   context, not weighed: what comes before need not be a cause"))
	}
	for _, x := range e.Context {
		s.add(m.bullet(m.styles.dash(), x, w)...)
	}
	m.numbersOf(s, e, w)
}

// weighed is a piece of evidence behind a word for its weight.
func (m *model) weighed(x analysis.Evidence, w int) []string {
	const column = 9
	lines := m.paragraph(strings.Repeat(" ", column+2), x.Text, w)
	if len(lines) > 0 {
		lines[0] = "  " + m.styles.bold.Render(fit(x.Strength(), column)) + lines[0][column+2:]
	}
	return lines
}

// numbersOf are the event's measured and modelled figures.
func (m *model) numbersOf(s *sheet, e *analysis.Event, w int) {
	s.add("", " "+m.styles.accent.Render("figures"))
	add := func(format string, a ...any) { s.add(m.paragraph("  ", fmt.Sprintf(format, a...), w)...) }
	whole := func(x float64) string { return telemetry.Thousands(int(x + 0.5)) }
	add("refused: %s requests or parts of them (measured)", whole(e.ThrottledEvents))
	if h := e.Hottest; h != nil {
		add("busiest partition: %s to %s of %s %s/s at %s (modelled)", whole(float64(h.Low)), whole(float64(h.High)), whole(float64(h.Ceiling)), e.Direction.Unit(), m.clockText(h.At))
	}
	if d := e.Demand; d != nil {
		add("wanted: about %s %s/s, between %s and %s (modelled: clients try 1 to 11 times)", whole(d.Likely), e.Direction.Unit(), whole(d.Low), whole(d.High))
	}
	if r := e.SecondsAtCeiling; r != nil {
		add("seconds at the ceiling: %s to %s (modelled)", whole(r.Low), whole(r.High))
	}
	if sp := e.Splitting; sp != nil {
		answer := "DynamoDB's own splitting won't cure it: "
		if sp.Cures {
			answer = "DynamoDB's own splitting cures it: "
		}
		add("%s%s", answer, sp.Why)
	}
	for _, f := range e.Contributing {
		add("contributing: %s", telemetry.Words(f))
	}
}
