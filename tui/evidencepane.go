package tui

import (
	"fmt"
	"strings"

	"github.com/hotpart/hotpart/analysis"
	"github.com/hotpart/hotpart/analysis/telemetry"
)

// evidenceSheet sets out what speaks for and against the verdict, what is missing, and
// what can't be seen at all.
func (m *model) evidenceSheet(w int) sheet {
	var s sheet
	if e := m.shownEvent(); e != nil {
		s.head = []string{m.eventHead(e, w)}
		m.evidenceOf(&s, e, w)
	} else {
		s.add("", " no event, so nothing to weigh")
	}
	v := m.view()
	if len(v.Warnings) > 0 {
		s.add("", " "+m.styles.accent.Render("about the data"))
		for _, x := range v.Warnings {
			s.add(m.paragraph("  ", x.Code+": "+x.Text, w)...)
		}
	}
	s.add("", " "+m.styles.accent.Render("never seen"))
	s.add(m.paragraph("  ", "DynamoDB shows nobody its partitions: how many there are, where keys sit and what each partition serves are modelled from totals, refusals and ranked keys.", w)...)
	return s
}

func (m *model) evidenceOf(s *sheet, e *analysis.Event, w int) {
	for _, side := range []struct {
		name     string
		supports bool
	}{{"for it", true}, {"against it", false}} {
		first := true
		for _, x := range e.Evidence {
			if x.Supports != side.supports {
				continue
			}
			if first {
				head := " " + m.styles.accent.Render(side.name)
				if w >= 80 {
					head += m.styles.dim.Render("   (numbers: the log of how much likelier it makes the verdict)")
				}
				s.add(head)
				first = false
			}
			lead := fmt.Sprintf("  %+4.1f ", x.Weight)
			if x.Weight == 0 {
				lead = "       "
			}
			lines := m.paragraph("       ", x.Text, w)
			if len(lines) > 0 {
				lines[0] = lead + lines[0][len(lead):]
			}
			s.add(lines...)
		}
	}
	m.numbersOf(s, e, w)
	if len(e.Missing) > 0 {
		s.add("", " "+m.styles.accent.Render("missing, and what would tell"))
		for _, x := range e.Missing {
			s.add(m.paragraph("  ", x, w)...)
		}
	}
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
		add("contributing: %s", strings.ReplaceAll(string(f), "_", " "))
	}
}
